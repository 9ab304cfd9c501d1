//! What wakes the window while it sleeps: other threads ring, and the window hears it beside its own events.
//!
//! Invariant: whoever leaves something where the window will look for it rings after that. A window that draws anyway loses
//! nothing by it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether anything has happened that the window did not ask for.
static NEWS: AtomicBool = AtomicBool::new(false);

/// Says that something has happened that the window has not asked for, and wakes it. From any thread.
pub fn ring() {
    NEWS.store(true, Ordering::Release);
    nudge();
}

/// Wakes the window for an answer that it waits for. From any thread.
pub fn nudge() {
    Bell::the().strike();
}

/// Whether [`ring`] was called since this was asked last.
pub fn take_news() -> bool {
    NEWS.swap(false, Ordering::Acquire)
}

/// What is rung.
#[derive(Debug)]
pub struct Bell {
    #[cfg(unix)]
    ends: Option<[std::os::unix::net::UnixStream; 2]>,
}

impl Bell {
    /// There is one.
    pub fn the() -> &'static Self {
        static BELL: OnceLock<Bell> = OnceLock::new();
        BELL.get_or_init(Self::new)
    }
}

#[cfg(unix)]
impl Bell {
    fn new() -> Self {
        let pair = std::os::unix::net::UnixStream::pair().and_then(|(heard, struck)| {
            heard.set_nonblocking(true)?;
            struck.set_nonblocking(true)?;
            Ok([heard, struck])
        });
        // Without it the window looks now and then by itself.
        Self { ends: pair.ok() }
    }

    fn strike(&self) {
        use std::io::Write;
        if let Some([_, struck]) = &self.ends {
            // One that is full has been struck often enough.
            let _ = (&*struck).write(&[1]);
        }
    }

    /// What becomes readable when it is struck; nothing where the system gave none.
    pub fn heard(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd;
        self.ends.as_ref().map(|[heard, _]| heard.as_fd())
    }

    /// Lets it fall silent.
    pub fn still(&self) {
        use std::io::Read;
        let mut bytes = [0; 256];
        while let Some([heard, _]) = &self.ends {
            match (&*heard).read(&mut bytes) {
                Ok(count) if count == bytes.len() => {}
                _ => break,
            }
        }
    }
}

#[cfg(not(unix))]
impl Bell {
    fn new() -> Self {
        Self {}
    }

    fn strike(&self) {}
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_that_is_struck_a_million_times_is_heard_once_and_blocks_nobody() {
        let bell = Bell::new();
        for _ in 0..1_000_000 {
            bell.strike();
        }
        bell.still();
        use std::io::{ErrorKind, Read};
        let [heard, _] = bell.ends.as_ref().expect("a pair of sockets");
        let silence = (&*heard).read(&mut [0]).expect_err("nothing is left");
        assert_eq!(silence.kind(), ErrorKind::WouldBlock);
    }
}
