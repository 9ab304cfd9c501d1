//! Whether a window can be opened, and what the X server's own complaints become: one sentence each.
//!
//! Left alone, Xlib prints lines of its own and ends the process, whatever has not been saved; and miniquad names one missing
//! library, then panics. So the libraries and the display are looked for first, all of them, and Xlib is told whom to call.

#[cfg(all(unix, not(target_os = "macos")))]
#[allow(unsafe_code)]
mod connection;
#[cfg(all(unix, not(target_os = "macos")))]
#[allow(unsafe_code)]
mod title;
#[cfg(all(unix, not(target_os = "macos")))]
#[allow(unsafe_code)]
mod x11;

use crate::command::complain;
#[cfg(all(unix, not(target_os = "macos")))]
pub use connection::Connection;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What every such sentence ends with.
const ELSE: &str = "`skirmish --help` lists the commands that need no window";

/// A library that is loaded by name: what it may be called, and what Debian calls its package.
struct Library {
    names: &'static [&'static str],
    package: &'static str,
}

/// What a window needs, in the order in which it is loaded.
const LIBRARIES: [Library; 4] = [
    Library {
        names: &["libX11.so.6", "libX11.so"],
        package: "libx11-6",
    },
    Library {
        names: &["libxkbcommon.so.0", "libxkbcommon.so"],
        package: "libxkbcommon0",
    },
    Library {
        names: &["libXi.so.6", "libXi.so"],
        package: "libxi6",
    },
    Library {
        names: &["libGL.so.1", "libGL.so"],
        package: "libgl1",
    },
];

/// What is done with the last breath when the display goes away; it answers with what there is to say of it.
type LastWord = Box<dyn FnOnce() -> &'static str + Send>;

static LAST_WORD: Mutex<Option<LastWord>> = Mutex::new(None);
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Whether a window can be opened here, as far as that can be known before; else why not, in one sentence.
pub fn check() -> Result<(), String> {
    let missing = missing(x11::load);
    if !missing.is_empty() {
        return Err(missing_sentence(&missing));
    }
    if x11::has_display() {
        return Ok(());
    }
    Err(match std::env::var_os("DISPLAY") {
        Some(name) if !name.is_empty() => format!(
            "the window could not be opened: there is no display at DISPLAY={}; {ELSE}",
            name.to_string_lossy().escape_debug()
        ),
        _ => format!(
            "the window could not be opened: it needs a display, and DISPLAY names none; {ELSE}"
        ),
    })
}

/// The screen: how wide and how high it is, in pixels, and how many of them a point has. `None` where nobody knows.
pub fn screen() -> Option<(u32, u32, f32)> {
    x11::screen()
}

/// How large a window opens, in pixels: `asked` in pixels, or else `usual` in points; never larger than the screen.
pub fn fitted(
    asked: Option<(u32, u32)>,
    usual: (u32, u32),
    screen: Option<(u32, u32, f32)>,
) -> (u32, u32) {
    let scale = screen.map_or(1.0, |(.., scale)| scale);
    let pixels = |points: u32| (points as f32 * scale).round() as u32;
    let (width, height) = asked.unwrap_or((pixels(usual.0), pixels(usual.1)));
    match screen {
        Some((most_wide, most_high, _)) => (width.min(most_wide), height.min(most_high)),
        None => (width, height),
    }
}

/// What is said where all was there, and it did not open all the same.
pub fn no_graphics() -> String {
    format!(
        "the window could not be opened: the display has no OpenGL 2.1 that can be used (GLX 1.3 with double buffering and 24 \
         bits of colour); {ELSE}"
    )
}

/// Has the X server's complaints told in words of ours. Once before the window opens, and once more after that: whoever opens it
/// may have taken them back.
pub fn take_complaints(is_open: bool) {
    IS_OPEN.store(is_open, Ordering::Relaxed);
    x11::take_complaints();
    if is_open {
        x11::let_go();
    }
}

/// Gives the window its picture, as `_NET_WM_ICON` has it, where the window is one of X.
pub fn give_icon(words: &[u32]) {
    x11::give_icon(words);
}

/// The title of the window.
#[derive(Default)]
pub struct Title {
    #[cfg(all(unix, not(target_os = "macos")))]
    titled: Option<title::Titled>,
    is_sought: bool,
}

impl Title {
    /// Gives the window a title, where the system lets that be done.
    pub fn set(&mut self, title: &str) {
        #[cfg(all(unix, not(target_os = "macos")))]
        {
            if !self.is_sought {
                self.titled = title::Titled::find();
            }
            if let Some(titled) = &self.titled {
                titled.set(title);
            }
        }
        self.is_sought = true;
        let _ = title;
    }
}

/// Does this when the display goes away, before the program ends.
pub fn at_loss(word: impl FnOnce() -> &'static str + Send + 'static) {
    *LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(word));
}

/// The files that cannot be loaded, each with its package where that is known. `load` answers with the system's own words.
fn missing(load: impl Fn(&str) -> Result<(), String>) -> Vec<(String, Option<&'static str>)> {
    let mut missing = Vec::new();
    for library in &LIBRARIES {
        let Err(words) = load(library.names[0]) else {
            continue;
        };
        if library.names[1..].iter().any(|name| load(name).is_ok()) {
            continue;
        }
        // A library that is there cannot be loaded either where another is missing that it needs: the system's words begin
        // with the file that is to blame.
        let blamed = words.split(':').next().unwrap_or_default();
        let blamed = blamed.rsplit('/').next().unwrap_or_default();
        let name = if blamed.contains(".so") && !blamed.contains(' ') {
            blamed
        } else {
            library.names[0]
        };
        let known = LIBRARIES.iter().find(|other| other.names.contains(&name));
        let row = match known {
            Some(known) => (known.names[0].to_owned(), Some(known.package)),
            None => (name.to_owned(), None),
        };
        if !missing.contains(&row) {
            missing.push(row);
        }
    }
    missing
}

fn missing_sentence(missing: &[(String, Option<&str>)]) -> String {
    let names: Vec<_> = missing.iter().map(|(name, _)| name.as_str()).collect();
    let packages: Vec<_> = missing.iter().filter_map(|(_, package)| *package).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let cure = if packages.is_empty() {
        String::new()
    } else {
        format!(" (on Debian: apt install {})", packages.join(" "))
    };
    format!(
        "the window could not be opened: {} {is} missing or cannot be loaded{cure}; {ELSE}",
        names.join(", ")
    )
}

/// The display is gone. Nothing that draws may be called any more.
fn lost() {
    let word = LAST_WORD
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let more = word.map_or("", |word| word());
    complain(&format!(
        "the display went away, and the window with it{more}"
    ));
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
pub use nowhere::Connection;

#[cfg(not(all(unix, not(target_os = "macos"))))]
mod nowhere {
    //! Where there is no X, nobody can be asked whether anything has come: the window looks now and then.

    use crate::app::wake::Bell;
    use std::time::Duration;

    /// There is none.
    #[derive(Debug)]
    pub enum Connection {}

    impl Connection {
        pub fn find() -> Option<Self> {
            None
        }

        pub fn wait(&mut self, _: &Bell, _: Duration) -> bool {
            match *self {}
        }

        pub fn learn(&mut self) {
            match *self {}
        }

        pub fn is_hidden(&mut self) -> bool {
            match *self {}
        }
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
mod x11 {
    //! Where there is no X, there is nothing to look for and nobody who complains.

    pub fn load(_: &str) -> Result<(), String> {
        Ok(())
    }

    pub fn has_display() -> bool {
        true
    }

    pub fn screen() -> Option<(u32, u32, f32)> {
        None
    }

    pub fn take_complaints() {}

    pub fn give_icon(_: &[u32]) {}

    pub fn let_go() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_opens_larger_than_the_screen() {
        let usual = (1440, 900);
        assert_eq!(fitted(None, usual, None), usual);
        assert_eq!(fitted(None, usual, Some((1920, 1080, 1.0))), usual);
        assert_eq!(fitted(None, usual, Some((1366, 768, 1.0))), (1366, 768));
        // As large on a screen of twice as many pixels.
        assert_eq!(fitted(None, usual, Some((3840, 2160, 2.0))), (2880, 1800));
        assert_eq!(fitted(None, usual, Some((1920, 1080, 2.0))), (1920, 1080));
        // What is asked for is asked for in pixels.
        assert_eq!(
            fitted(Some((640, 480)), usual, Some((3840, 2160, 2.0))),
            (640, 480)
        );
        assert_eq!(
            fitted(Some((4000, 480)), usual, Some((1920, 1080, 1.0))),
            (1920, 480)
        );
    }

    #[test]
    fn all_that_is_missing_is_named_at_once_and_nothing_that_only_needs_it() {
        let sentence = |there: &[&str]| {
            let load = |name: &str| {
                // Both of these need the first.
                let needs = ["libXi.so.6", "libGL.so.1"].contains(&name);
                match there.contains(&name) {
                    true if needs && !there.contains(&"libX11.so.6") => {
                        Err("libX11.so.6: cannot open shared object file".to_owned())
                    }
                    true => Ok(()),
                    false => Err(format!("/somewhere/{name}: invalid ELF header")),
                }
            };
            missing_sentence(&missing(load))
        };
        let two = sentence(&["libX11.so.6", "libxkbcommon.so"]);
        assert!(
            two.contains("libXi.so.6, libGL.so.1 are missing")
                && two.contains("apt install libxi6 libgl1)"),
            "{two}"
        );
        let one = sentence(&["libxkbcommon.so.0", "libXi.so.6", "libGL.so.1"]);
        assert!(one.contains(": libX11.so.6 is missing"), "{one}");
        assert!(!two.contains('\n') && two.contains("--help"), "{two}");
        assert!(missing(|_| Ok(())).is_empty());
        let other = |_: &str| Err("libxcb.so.1: cannot open".to_owned());
        let other = missing_sentence(&missing(other));
        assert!(other.contains(": libxcb.so.1 is missing"), "{other}");
    }
}
