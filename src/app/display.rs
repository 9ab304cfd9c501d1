//! Whether a window can be opened, and what the X server's own complaints become: one sentence each.
//!
//! Left alone, Xlib prints lines of its own and ends the process, whatever has not been saved; and miniquad names one missing
//! library, then panics. So the libraries and the display are looked for first, all of them, and Xlib is told whom to call.

#[cfg(all(unix, not(target_os = "macos")))]
#[allow(unsafe_code)]
mod title;

use crate::command::complain;
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

#[cfg(all(unix, not(target_os = "macos")))]
#[allow(unsafe_code)]
mod x11 {
    //! The few calls of Xlib. The libraries stay loaded for as long as the program runs.

    use super::{IS_OPEN, lost, no_graphics};
    use crate::command::complain;
    use libloading::{Library, Symbol};
    use std::ffi::{c_char, c_int, c_void};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    type Display = *mut c_void;
    type ErrorHandler = unsafe extern "C" fn(Display, *mut c_void) -> c_int;
    type LossHandler = unsafe extern "C" fn(Display) -> c_int;

    /// The connection by which the display was found.
    static HELD: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

    pub fn load(name: &str) -> Result<(), String> {
        // SAFETY: these are the libraries that the window loads a moment later; what they do when they are loaded is theirs, and
        // no Rust code depends on it.
        match unsafe { Library::new(name) } {
            Ok(_) => Ok(()),
            Err(libloading::Error::DlOpen { desc }) => Err(format!("{desc:?}").replace('"', "")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Xlib, which is never unloaded.
    pub fn xlib() -> Option<&'static Library> {
        static XLIB: OnceLock<Option<Library>> = OnceLock::new();
        // SAFETY: as in `load`.
        let load = || {
            super::LIBRARIES[0]
                .names
                .iter()
                .find_map(|name| unsafe { Library::new(name) }.ok())
        };
        XLIB.get_or_init(load).as_ref()
    }

    pub fn has_display() -> bool {
        let Some(xlib) = xlib() else {
            return false;
        };
        // SAFETY: the signatures are those of Xlib.h. Threads are set up before anything else, as Xlib wants it.
        unsafe {
            let threads: Result<Symbol<'_, unsafe extern "C" fn() -> c_int>, _> =
                xlib.get(b"XInitThreads\0");
            let open: Result<Symbol<'_, unsafe extern "C" fn(*const c_char) -> Display>, _> =
                xlib.get(b"XOpenDisplay\0");
            let (Ok(threads), Ok(open)) = (threads, open) else {
                return false;
            };
            threads();
            let display = open(std::ptr::null());
            if display.is_null() {
                return false;
            }
            // A server whose last client leaves begins anew, and turns down whoever comes meanwhile: so this one stays until the
            // window is there.
            HELD.store(display, Ordering::Relaxed);
        }
        true
    }

    /// Closes what [`has_display`] opened.
    pub fn let_go() {
        let display = HELD.swap(std::ptr::null_mut(), Ordering::Relaxed);
        if display.is_null() {
            return;
        }
        // SAFETY: the signature is that of Xlib.h, and nobody else has this connection.
        unsafe {
            let close = xlib()
                .map(|xlib| xlib.get::<unsafe extern "C" fn(Display) -> c_int>(b"XCloseDisplay\0"));
            if let Some(Ok(close)) = close {
                close(display);
            }
        }
    }

    pub fn take_complaints() {
        let Some(xlib) = xlib() else {
            return;
        };
        // SAFETY: the signatures are those of Xlib.h, and both handlers live as long as the program.
        unsafe {
            let errors: Result<Symbol<'_, unsafe extern "C" fn(ErrorHandler) -> *mut c_void>, _> =
                xlib.get(b"XSetErrorHandler\0");
            if let Ok(set) = errors {
                set(on_error);
            }
            let losses: Result<Symbol<'_, unsafe extern "C" fn(LossHandler) -> *mut c_void>, _> =
                xlib.get(b"XSetIOErrorHandler\0");
            if let Ok(set) = losses {
                set(on_loss);
            }
        }
    }

    /// A request that the server turned down. While the window opens, that is the end of it; later one picture, one cursor or one
    /// answer to another program is missing, which is no reason to end.
    unsafe extern "C" fn on_error(_: Display, _: *mut c_void) -> c_int {
        if !IS_OPEN.load(Ordering::Relaxed) {
            complain(&no_graphics());
            end();
        }
        0
    }

    /// The connection is broken. Xlib ends the process when this returns, so it says what there is to say.
    unsafe extern "C" fn on_loss(_: Display) -> c_int {
        static IS_SAID: AtomicBool = AtomicBool::new(false);
        if !IS_SAID.swap(true, Ordering::Relaxed) {
            lost();
        }
        end();
        0
    }

    /// Ends the process at once: what libraries do at an orderly end needs the display that is gone.
    fn end() {
        #[cfg(unix)]
        // SAFETY: `_exit` of the C library, which every process here has; it does not return.
        unsafe {
            let this = libloading::os::unix::Library::this();
            if let Ok(exit) = this.get::<unsafe extern "C" fn(c_int)>(b"_exit\0") {
                exit(1);
            }
        }
        std::process::exit(1);
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

    pub fn take_complaints() {}

    pub fn let_go() {}
}

#[cfg(test)]
mod tests {
    use super::*;

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
