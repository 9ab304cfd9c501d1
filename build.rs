//! Lists the scenes that come with the program, and their pictures, so that they are built into it: whatever lies below
//! `scenes/` as a scene or a picture is one of them, without a change anywhere else. And says whether what is built is hardly optimized.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("scenes");
    let mut files = Vec::new();
    find(&home, "", &mut files)?;
    files.sort();
    let mut list = String::from("[\n");
    for (name, path) in files {
        writeln!(list, "    ({name:?}, include_bytes!({path:?}) as &[u8]),")?;
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("scenes.rs"), list)?;
    // See `one_copy!` in src/partition/mod.rs.
    println!("cargo::rustc-check-cfg=cfg(one_copy)");
    if matches!(env::var("OPT_LEVEL").as_deref(), Ok("0" | "1")) {
        println!("cargo::rustc-cfg=one_copy");
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Gathers scenes and pictures in and below a folder, by their names with slashes.
fn find(
    folder: &Path,
    before: &str,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    // A file that comes or goes changes its folder.
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = format!("{before}{}", name.ok_or("a name that is no text")?);
        let end = path.extension().and_then(|end| end.to_str());
        if path.is_dir() {
            find(&path, &format!("{name}/"), files)?;
        } else if matches!(end, Some("ron" | "png")) {
            files.push((name, path));
        }
    }
    Ok(())
}
