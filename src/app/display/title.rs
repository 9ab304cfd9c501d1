//! The title of the window. miniquad 0.4.11 sets one when the window opens and never again, so on X11 Xlib is asked itself, through
//! the connection that the window has.
//!
//! # Algorithm
//!
//! 1. GLX knows the connection and what is drawn on; what is drawn on belongs to the window, but is not the window.
//! 2. Whatever one program makes on one connection has numbers that begin alike, and nobody else's do: so the window is found in
//!    the tree of windows, also where a window manager has put it into a frame.
//!
//! Where there is no GLX the title stays what it was.

use super::x11;
use libloading::{Library, Symbol};
use std::ffi::{CString, c_char, c_int, c_uchar, c_uint, c_ulong, c_void};

type Display = *mut c_void;
type Window = c_ulong;
type Atom = c_ulong;
type QueryTree = unsafe extern "C" fn(
    Display,
    Window,
    *mut Window,
    *mut Window,
    *mut *mut Window,
    *mut c_uint,
) -> c_int;
type ChangeProperty =
    unsafe extern "C" fn(Display, Window, Atom, Atom, c_int, c_int, *const c_uchar, c_int) -> c_int;

/// So many bits of the numbers of one program may differ: servers for many clients leave fewer, never more.
const OWN_BITS: u32 = 18;
/// How deep a window manager may have put the window.
const DEEPEST: u32 = 4;
/// More windows are looked at by nobody.
const MOST: usize = 4_000;

/// The window, once it is known.
pub struct Titled {
    display: Display,
    window: Window,
}

impl Titled {
    /// Finds the window of this thread.
    pub fn find() -> Option<Self> {
        let xlib = x11::xlib()?;
        // SAFETY: the library is the one by which the window draws, and is loaded already.
        let gl = unsafe { Library::new("libGL.so.1") }.ok()?;
        // SAFETY: the signatures are those of glx.h and Xlib.h. The connection is the window's own, and this is its thread, so
        // nobody else uses it meanwhile.
        unsafe {
            let display: Symbol<'_, unsafe extern "C" fn() -> Display> =
                gl.get(b"glXGetCurrentDisplay\0").ok()?;
            let drawable: Symbol<'_, unsafe extern "C" fn() -> Window> =
                gl.get(b"glXGetCurrentDrawable\0").ok()?;
            let root: Symbol<'_, unsafe extern "C" fn(Display) -> Window> =
                xlib.get(b"XDefaultRootWindow\0").ok()?;
            let (display, drawable) = (display(), drawable());
            if display.is_null() || drawable == 0 {
                return None;
            }
            let mut left = MOST;
            let window = search(xlib, display, root(display), drawable, DEEPEST, &mut left)?;
            Some(Self { display, window })
        }
    }

    /// Gives the window a title.
    pub fn set(&self, title: &str) {
        let Some(xlib) = x11::xlib() else { return };
        let clean: String = title.chars().filter(|it| !it.is_control()).collect();
        let Ok(text) = CString::new(clean) else {
            return;
        };
        // SAFETY: as in `find`; the window lives as long as the program, and the text as long as the calls.
        unsafe {
            let atom: Result<
                Symbol<'_, unsafe extern "C" fn(Display, *const c_char, c_int) -> Atom>,
                _,
            > = xlib.get(b"XInternAtom\0");
            let change: Result<Symbol<'_, ChangeProperty>, _> = xlib.get(b"XChangeProperty\0");
            let flush: Result<Symbol<'_, unsafe extern "C" fn(Display) -> c_int>, _> =
                xlib.get(b"XFlush\0");
            let (Ok(atom), Ok(change), Ok(flush)) = (atom, change, flush) else {
                return;
            };
            let utf8 = atom(self.display, c"UTF8_STRING".as_ptr(), 0);
            for name in [
                c"_NET_WM_NAME",
                c"_NET_WM_ICON_NAME",
                c"WM_NAME",
                c"WM_ICON_NAME",
            ] {
                let name = atom(self.display, name.as_ptr(), 0);
                // In units of eight bits, in the place of what was there.
                let bytes = text.as_bytes();
                let length = c_int::try_from(bytes.len()).unwrap_or(0);
                change(
                    self.display,
                    self.window,
                    name,
                    utf8,
                    8,
                    0,
                    bytes.as_ptr(),
                    length,
                );
            }
            flush(self.display);
        }
    }
}

/// Finds a window whose number begins as `like` does, at this one or below.
///
/// # Safety
///
/// `display` is an open connection that nobody else uses meanwhile.
unsafe fn search(
    xlib: &Library,
    display: Display,
    below: Window,
    like: Window,
    depth: u32,
    left: &mut usize,
) -> Option<Window> {
    // SAFETY: the signatures are those of Xlib.h; the list is read no further than its length, and given back.
    let children = unsafe {
        let query: Symbol<'_, QueryTree> = xlib.get(b"XQueryTree\0").ok()?;
        let free: Symbol<'_, unsafe extern "C" fn(*mut c_void) -> c_int> =
            xlib.get(b"XFree\0").ok()?;
        let (mut root, mut parent, mut list, mut count) = (0, 0, std::ptr::null_mut(), 0);
        let is_told = query(
            display,
            below,
            &mut root,
            &mut parent,
            &mut list,
            &mut count,
        );
        if is_told == 0 || list.is_null() {
            return None;
        }
        let count = (count as usize).min(*left);
        let children = std::slice::from_raw_parts(list, count).to_vec();
        free(list.cast());
        children
    };
    *left -= children.len();
    let is_own = |window: &&Window| (**window ^ like) >> OWN_BITS == 0;
    if let Some(own) = children.iter().find(is_own) {
        return Some(*own);
    }
    if depth == 0 {
        return None;
    }
    // What was opened last lies above, and is at the end.
    for child in children.iter().rev() {
        // SAFETY: as for this call.
        let found = unsafe { search(xlib, display, *child, like, depth - 1, left) };
        if found.is_some() {
            return found;
        }
    }
    None
}
