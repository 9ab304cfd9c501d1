//! The few calls of Xlib. The libraries stay loaded for as long as the program runs.

use super::{IS_OPEN, lost, no_graphics};
use crate::command::complain;
use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

type Display = *mut c_void;
/// A window, or an atom.
type XId = c_ulong;
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

/// The default screen of the display that [`has_display`] found, and its scale.
pub fn screen() -> Option<(u32, u32, f32)> {
    type Measure = unsafe extern "C" fn(Display, c_int) -> c_int;
    type Number = unsafe extern "C" fn(Display) -> c_int;
    type Default = unsafe extern "C" fn(Display, *const c_char, *const c_char) -> *const c_char;
    let display = HELD.load(Ordering::Relaxed);
    let xlib = xlib().filter(|_| !display.is_null())?;
    // SAFETY: the signatures are those of Xlib.h, the display is open, and the text belongs to Xlib, which keeps it.
    unsafe {
        let number: Symbol<'_, Number> = xlib.get(b"XDefaultScreen\0").ok()?;
        let width: Symbol<'_, Measure> = xlib.get(b"XDisplayWidth\0").ok()?;
        let height: Symbol<'_, Measure> = xlib.get(b"XDisplayHeight\0").ok()?;
        let resource: Symbol<'_, Default> = xlib.get(b"XGetDefault\0").ok()?;
        let screen = number(display);
        let size = [width(display, screen), height(display, screen)];
        let dpi = resource(display, c"Xft".as_ptr(), c"dpi".as_ptr());
        let dpi = if dpi.is_null() {
            None
        } else {
            CStr::from_ptr(dpi).to_str().ok()
        };
        let dpi: Option<f32> = dpi.and_then(|dpi| dpi.trim().parse().ok());
        let scale = dpi.map_or(1.0, |dpi| dpi / 96.0).clamp(0.25, 16.0);
        let [width, height] = size.map(|it| u32::try_from(it).unwrap_or(0));
        (width > 0 && height > 0).then_some((width, height, scale))
    }
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

/// The window that is drawn into is asked for from GLX: whoever opened it tells nobody which it is.
pub fn give_icon(words: &[u32]) {
    type Change =
        unsafe extern "C" fn(Display, XId, XId, XId, c_int, c_int, *const u8, c_int) -> c_int;
    const XA_CARDINAL: XId = 6;
    const REPLACE: c_int = 0;
    // Xlib takes what has 32 bits as longs, however long these are.
    let longs: Vec<c_ulong> = words.iter().map(|word| c_ulong::from(*word)).collect();
    let Some(xlib) = xlib() else {
        return;
    };
    // SAFETY: the signatures are those of glx.h and Xlib.h; GLX answers with no display where it draws into none, and the
    // property is as long as the list.
    unsafe {
        let glx = super::LIBRARIES[3].names;
        let Some(glx) = glx.iter().find_map(|name| Library::new(name).ok()) else {
            return;
        };
        let display = glx.get::<unsafe extern "C" fn() -> Display>(b"glXGetCurrentDisplay\0");
        let window = glx.get::<unsafe extern "C" fn() -> XId>(b"glXGetCurrentDrawable\0");
        let atom = xlib
            .get::<unsafe extern "C" fn(Display, *const c_char, c_int) -> XId>(b"XInternAtom\0");
        let change = xlib.get::<Change>(b"XChangeProperty\0");
        if let (Ok(display), Ok(window), Ok(atom), Ok(change)) = (display, window, atom, change) {
            let (display, window) = (display(), window());
            if !display.is_null() && window != 0 {
                let name = atom(display, c"_NET_WM_ICON".as_ptr(), 0);
                let (data, count) = (longs.as_ptr().cast(), longs.len() as c_int);
                change(display, window, name, XA_CARDINAL, 32, REPLACE, data, count);
            }
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
