//! `skirmish format`

use super::output::print;
use super::{Failure, complain};
use clap::Args;
use skirmish::scene::file;
use std::path::{Path, PathBuf};

/// Rewrite scene files in canonical form, each as a whole or not at all
#[derive(Debug, Args)]
pub struct Arguments {
    /// Scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Write nothing; list the files that are not in canonical form, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// Also rewrite files with comments, which the canonical form does not keep
    #[arg(long)]
    drop_comments: bool,
}

impl Arguments {
    /// Looks at every file, whatever becomes of the others; the worst of them decides the exit code.
    pub fn run(self) -> Result<(), Failure> {
        let mut code = 0;
        for path in &self.scenes {
            match format_one(path, self.check, self.drop_comments) {
                Ok(true) => {}
                Ok(false) => {
                    print(&format!("{}\n", path.display()))?;
                    if self.check {
                        code = code.max(1);
                    }
                }
                Err(Failure::Input(sentence)) => {
                    complain(&sentence);
                    code = 2;
                }
                Err(Failure::Run(sentence)) => {
                    complain(&sentence);
                    code = code.max(1);
                }
                Err(Failure::Said(said)) => code = code.max(said),
            }
        }
        match code {
            0 => Ok(()),
            code => Err(Failure::Said(code)),
        }
    }
}

/// Whether the file was in canonical form already.
fn format_one(path: &Path, check: bool, drop_comments: bool) -> Result<bool, Failure> {
    let bytes = file::read_bytes(path)?;
    let name = path.display().to_string();
    let scene = file::parse(&bytes, &name)?;
    let canonical = file::format(&scene);
    if canonical.as_bytes() == bytes {
        return Ok(true);
    }
    // A scene that parsed is UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    if !check
        && !drop_comments
        && let Some((line, column)) = file::first_comment(&text)
    {
        return Err(Failure::Input(format!(
            "{name}:{line}:{column}: formatting would lose this comment (allow it by --drop-comments)"
        )));
    }
    if !check {
        file::write(path, &scene).map_err(|error| Failure::Run(error.to_string()))?;
    }
    Ok(false)
}
