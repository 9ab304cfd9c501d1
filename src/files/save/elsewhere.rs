//! Saving where there are only the means that every system has.

use super::{Trouble, is_kept, is_part_name, part_names};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is this old belongs to nobody: there are no locks here to tell.
const STALE: Duration = Duration::from_secs(3600);

/// A file on its way, which is taken away when it does not arrive.
struct Part {
    path: PathBuf,
    arrived: bool,
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.arrived {
            // What cannot be taken away now, a later save takes away.
            let _ = fs::remove_file(&self.path);
        }
    }
}

pub(super) fn save(
    folder: &Path,
    name: &OsStr,
    old: Option<&Metadata>,
    bytes: &[u8],
) -> Result<(), Trouble> {
    clean(folder);
    let (mut file, path) = create(folder)?;
    let mut part = Part {
        path,
        arrived: false,
    };
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    if !is_kept(&mut file, bytes)? {
        return Err(Trouble::NotKept);
    }
    drop(file);
    fs::rename(&part.path, folder.join(name))?;
    part.arrived = true;
    Ok(())
}

fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    for name in part_names() {
        let path = folder.join(name);
        let made = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path);
        match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((made?, path)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Takes away what others left behind. What fails here is tried again by a later save, and says nothing.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.map_while(Result::ok) {
        let is_stale = |metadata: Metadata| {
            let age = metadata
                .modified()
                .ok()
                .and_then(|time| time.elapsed().ok());
            metadata.is_file() && age.is_some_and(|age| age > STALE)
        };
        if is_part_name(&entry.file_name()) && entry.metadata().is_ok_and(is_stale) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
