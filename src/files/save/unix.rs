//! Saving on Unix.

use super::{Trouble, is_kept, is_part_name, part_names};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FlockOperation, Gid, Mode, OFlags, Uid};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// New files may be read and written by whom the user's umask lets.
const NEW: Mode = Mode::from_raw_mode(0o666);

/// A file on its way.
struct Part<'a> {
    folder: BorrowedFd<'a>,
    file: File,
    /// Under which it is taken away when it does not arrive; `None` while it has none.
    name: Option<String>,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // What cannot be taken away now, the next save takes away.
            let _ = retry_on_intr(|| {
                rustix::fs::unlinkat(self.folder, name.as_str(), AtFlags::empty())
            });
        }
    }
}

pub(super) fn save(
    folder: &Path,
    name: &OsStr,
    old: Option<&Metadata>,
    bytes: &[u8],
) -> Result<(), Trouble> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = retry_on_intr(|| rustix::fs::openat(CWD, folder, flags, Mode::empty()))
        .map_err(io::Error::from)?;
    clean(folder.as_fd());
    let mut part = Part::unnamed(folder.as_fd())
        .or_else(|_| Part::named(folder.as_fd()))
        .map_err(io::Error::from)?;
    part.fill(old, bytes)?;
    match part.arrive(name, old.is_some()) {
        Ok(()) => {}
        // It has no name and can be given none here: some systems make such files and cannot name them.
        Err(_) if part.name.is_none() => {
            part = Part::named(folder.as_fd()).map_err(io::Error::from)?;
            part.fill(old, bytes)?;
            part.arrive(name, true).map_err(io::Error::from)?;
        }
        Err(error) => return Err(io::Error::from(error).into()),
    }
    drop(part);
    sync(folder).map_err(Trouble::Folder)
}

impl<'a> Part<'a> {
    /// One without a name, which is gone when nobody holds it.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn unnamed(folder: BorrowedFd<'a>) -> Result<Self, Errno> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(retry_on_intr(|| {
            rustix::fs::openat(folder, ".", flags, NEW)
        })?);
        // Locked before it has a name, so that no one takes it for one that was left behind. Where there are no locks,
        // nothing is taken away either.
        let _ = rustix::fs::flock(&file, FlockOperation::LockExclusive);
        let name = None;
        Ok(Self { folder, file, name })
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn unnamed(_folder: BorrowedFd<'a>) -> Result<Self, Errno> {
        Err(Errno::NOTSUP)
    }

    /// One with a name of its own.
    fn named(folder: BorrowedFd<'a>) -> Result<Self, Errno> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        for name in part_names() {
            let made = retry_on_intr(|| rustix::fs::openat(folder, name.as_str(), flags, NEW));
            let file = match made {
                Ok(file) => File::from(file),
                Err(Errno::EXIST) => continue,
                Err(error) => return Err(error),
            };
            let name = Some(name);
            let part = Self { folder, file, name };
            let _ = rustix::fs::flock(&part.file, FlockOperation::LockExclusive);
            // Before it was locked, somebody may have taken it for one that was left behind.
            if rustix::fs::fstat(&part.file)?.st_nlink > 0 {
                return Ok(part);
            }
        }
        Err(Errno::EXIST)
    }

    /// Gives it the rights of what it replaces and its content, both of which reach the disk.
    fn fill(&mut self, old: Option<&Metadata>, bytes: &[u8]) -> Result<(), Trouble> {
        if let Some(old) = old {
            self.take_rights(old)?;
        }
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        if is_kept(&mut self.file, bytes)? {
            Ok(())
        } else {
            Err(Trouble::NotKept)
        }
    }

    fn take_rights(&self, old: &Metadata) -> io::Result<()> {
        let mut mode = Mode::from_raw_mode(old.mode() as rustix::fs::RawMode & 0o7777);
        let now = self.file.metadata()?;
        if now.uid() != old.uid() || now.gid() != old.gid() {
            let group = (now.gid() != old.gid()).then(|| Gid::from_raw(old.gid()));
            let owner = (now.uid() != old.uid()).then(|| Uid::from_raw(old.uid()));
            // Who may not give it to its owner can still leave it in its group.
            let kept = rustix::fs::fchown(&self.file, owner, group)
                .or_else(|_| rustix::fs::fchown(&self.file, None, group));
            if kept.is_err() {
                // Another group does not inherit what that group was allowed.
                mode -= Mode::RWXG;
            }
        }
        Ok(retry_on_intr(|| rustix::fs::fchmod(&self.file, mode))?)
    }

    /// Gives it its name for good.
    fn arrive(&mut self, name: &OsStr, replaces: bool) -> Result<(), Errno> {
        if self.name.is_none() {
            if !replaces {
                match self.link(name.as_bytes()) {
                    // Somebody made one meanwhile, which is replaced.
                    Err(Errno::EXIST) => {}
                    linked => return linked,
                }
            }
            self.name = Some(self.link_beside()?);
        }
        if let Some(own) = &self.name {
            retry_on_intr(|| rustix::fs::renameat(self.folder, own.as_str(), self.folder, name))?;
        }
        self.name = None;
        Ok(())
    }

    /// Gives one without a name one beside those of others.
    fn link_beside(&self) -> Result<String, Errno> {
        for name in part_names() {
            match self.link(name.as_bytes()) {
                Ok(()) => return Ok(name),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Errno::EXIST)
    }

    /// Gives one without a name this one.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn link(&self, name: &[u8]) -> Result<(), Errno> {
        use std::os::fd::AsRawFd;
        let way = format!("/proc/self/fd/{}", self.file.as_raw_fd());
        let flags = AtFlags::SYMLINK_FOLLOW;
        match retry_on_intr(|| rustix::fs::linkat(CWD, &way, self.folder, name, flags)) {
            // Without /proc there is another way, which only some systems allow.
            Err(Errno::NOENT | Errno::ACCESS | Errno::PERM) => {
                rustix::fs::linkat(&self.file, "", self.folder, name, AtFlags::EMPTY_PATH)
            }
            linked => linked,
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn link(&self, _name: &[u8]) -> Result<(), Errno> {
        Err(Errno::NOTSUP)
    }
}

/// Takes away what others left behind. What fails here is tried again by the next save, and says nothing.
fn clean(folder: BorrowedFd<'_>) {
    let Ok(entries) = rustix::fs::Dir::read_from(folder) else {
        return;
    };
    for entry in entries {
        // Whoever cannot go on reading does not begin again.
        let Ok(entry) = entry else {
            return;
        };
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if is_part_name(name) {
            let _ = clean_one(folder, name);
        }
    }
}

fn clean_one(folder: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    // Neither a link nor a pipe is one of ours, and neither is waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?);
    let is_ours = file.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_ours && rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        rustix::fs::unlinkat(folder, name, AtFlags::empty())?;
    }
    Ok(())
}

/// Sees to it that the folder reaches the disk. Some disks do so by themselves, and say that they cannot be asked to.
fn sync(folder: OwnedFd) -> io::Result<()> {
    match retry_on_intr(|| rustix::fs::fsync(&folder)) {
        Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
        synced => Ok(synced?),
    }
}
