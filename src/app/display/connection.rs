//! The window's connection to the X server, as far as one can wait on it.
//!
//! miniquad draws as fast as it is let, and has no way to sleep until something comes. So whoever draws waits himself, on the
//! connection that miniquad opened: where GLX draws, that of the current context.

use super::x11::xlib;
use crate::app::wake::Bell;
use libloading::{Library, Symbol};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

type Display = *mut c_void;
type Window = c_ulong;
type Atom = c_ulong;

/// The part of every event that all of them have but those of extensions.
#[repr(C)]
#[derive(Clone, Copy)]
struct AnyEvent {
    kind: c_int,
    serial: c_ulong,
    send_event: c_int,
    display: Display,
    window: Window,
}

/// `XEvent` of Xlib.h.
#[repr(C)]
union Event {
    any: AnyEvent,
    pad: [c_long; 24],
}

/// `XWindowAttributes` of Xlib.h.
#[repr(C)]
struct Attributes {
    sizes: [c_int; 6],
    visual: *mut c_void,
    root: Window,
    class_and_gravity: [c_int; 4],
    backing_planes: c_ulong,
    backing_pixel: c_ulong,
    save_under: c_int,
    colormap: c_ulong,
    map_installed: c_int,
    map_state: c_int,
    all_event_masks: c_long,
    your_event_mask: c_long,
    do_not_propagate_mask: c_long,
    override_redirect: c_int,
    screen: *mut c_void,
}

/// The calls that are needed, each as Xlib.h has it.
struct Calls {
    events_queued: unsafe extern "C" fn(Display, c_int) -> c_int,
    peek_event: unsafe extern "C" fn(Display, *mut Event) -> c_int,
    attributes: unsafe extern "C" fn(Display, Window, *mut Attributes) -> c_int,
    #[allow(clippy::type_complexity)]
    property: unsafe extern "C" fn(
        Display,
        Window,
        Atom,
        c_long,
        c_long,
        c_int,
        Atom,
        *mut Atom,
        *mut c_int,
        *mut c_ulong,
        *mut c_ulong,
        *mut *mut c_ulong,
    ) -> c_int,
    free: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// The window's connection.
pub struct Connection {
    display: Display,
    socket: c_int,
    calls: Calls,
    /// The property in which a window manager says how a window is shown, and what it says of a minimised one.
    state_and_hidden: [Atom; 2],
    /// The window, once an event has told which one it is.
    window: Option<Window>,
}

impl Connection {
    /// The connection of the current GLX context; nothing where something else draws.
    pub fn find() -> Option<Self> {
        /// What Xlib.h calls `XA_ATOM` and the like is not needed by name; these two are.
        const NAMES: [&[u8]; 2] = [b"_NET_WM_STATE\0", b"_NET_WM_STATE_HIDDEN\0"];
        let xlib = xlib()?;
        // SAFETY: the signatures are those of glx.h and Xlib.h. Both libraries are loaded already and never unloaded: `gl` is
        // forgotten below, so the calls stay good. The display is the one that miniquad opened on this thread, and it stays open
        // for as long as the window.
        unsafe {
            let gl = Library::new("libGL.so.1").ok()?;
            let current: unsafe extern "C" fn() -> Display =
                *gl.get(b"glXGetCurrentDisplay\0").ok()?;
            let display = current();
            std::mem::forget(gl);
            if display.is_null() {
                return None;
            }
            let number: Symbol<'_, unsafe extern "C" fn(Display) -> c_int> =
                xlib.get(b"XConnectionNumber\0").ok()?;
            let intern: Symbol<'_, unsafe extern "C" fn(Display, *const u8, c_int) -> Atom> =
                xlib.get(b"XInternAtom\0").ok()?;
            Some(Self {
                display,
                socket: number(display),
                calls: Calls {
                    events_queued: *xlib.get(b"XEventsQueued\0").ok()?,
                    peek_event: *xlib.get(b"XPeekEvent\0").ok()?,
                    attributes: *xlib.get(b"XGetWindowAttributes\0").ok()?,
                    property: *xlib.get(b"XGetWindowProperty\0").ok()?,
                    free: *xlib.get(b"XFree\0").ok()?,
                },
                state_and_hidden: NAMES.map(|name| intern(display, name.as_ptr(), 0)),
                window: None,
            })
        }
    }

    /// Waits until an event has come or the bell was struck, at most so long. Whether an event is there: that is for the window's own
    /// loop to read.
    pub fn wait(&mut self, bell: &Bell, longest: Duration) -> bool {
        let until = Instant::now() + longest;
        loop {
            // Events that Xlib has read already: the socket stays silent for them. What a driver reads for itself from the same
            // socket is none.
            if self.has_events() {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            let Ok(left) = Timespec::try_from(left) else {
                return false;
            };
            // SAFETY: the socket is Xlib's and stays open for as long as the display.
            let socket = unsafe { BorrowedFd::borrow_raw(self.socket) };
            let heard = bell.heard();
            let mut waits = [
                PollFd::from_borrowed_fd(socket, PollFlags::IN),
                PollFd::from_borrowed_fd(heard.unwrap_or(socket), PollFlags::IN),
            ];
            match poll(&mut waits, Some(&left)) {
                Ok(0) => return false,
                Err(rustix::io::Errno::INTR) => return false,
                Err(_) => {
                    // A socket that cannot be waited on is not asked again and again without a pause.
                    std::thread::sleep(Duration::from_millis(50));
                    return self.has_events();
                }
                Ok(_) => {
                    let is_struck = heard.is_some() && !waits[1].revents().is_empty();
                    bell.still();
                    if is_struck {
                        return self.has_events();
                    }
                    // A connection that is broken is told of by Xlib itself, when it is read.
                }
            }
        }
    }

    /// Finds out which window is ours, from an event that has come and was not read yet. As often as it can be asked until it is
    /// known: events are read soon.
    pub fn learn(&mut self) {
        if self.window.is_none() {
            self.has_events();
        }
    }

    /// Whether events are there to be read; the first of them tells which window is ours.
    fn has_events(&mut self) -> bool {
        /// `QueuedAfterFlush` of Xlib.h: what waits to be sent goes out, what has come is read.
        const AFTER_FLUSH: c_int = 2;
        /// Of the kinds after these the fifth word is no window: the keyboard's map, and what extensions send.
        const LAST_OF_WINDOWS: c_int = 33;
        // SAFETY: the display is open, and this is its thread. An event is peeked at only where there is one, so that this does not
        // wait; `Event` has the size and the beginning of XEvent.
        unsafe {
            if (self.calls.events_queued)(self.display, AFTER_FLUSH) <= 0 {
                return false;
            }
            if self.window.is_none() {
                let mut event = Event { pad: [0; 24] };
                (self.calls.peek_event)(self.display, &mut event);
                let any = event.any;
                let is_known = any.window != 0 && any.kind <= LAST_OF_WINDOWS;
                self.window = is_known.then_some(any.window);
            }
        }
        true
    }

    /// Whether nothing of the window can be seen: it is minimised, or on another desktop. Not before its first event.
    pub fn is_hidden(&mut self) -> bool {
        /// `IsViewable` of Xlib.h.
        const IS_VIEWABLE: c_int = 2;
        self.learn();
        let Some(window) = self.window else {
            return false;
        };
        // SAFETY: as in `has_events`; `Attributes` is XWindowAttributes, which any bytes are good for.
        let attributes = unsafe {
            let mut attributes = std::mem::zeroed::<Attributes>();
            if (self.calls.attributes)(self.display, window, &mut attributes) == 0 {
                self.window = None;
                return false;
            }
            attributes
        };
        attributes.map_state != IS_VIEWABLE || self.is_called_hidden(window)
    }

    /// Whether the window manager says so of a window that it leaves where it is.
    fn is_called_hidden(&self, window: Window) -> bool {
        /// As many atoms are looked at; there are a dozen.
        const MOST: c_long = 64;
        let [state, hidden] = self.state_and_hidden;
        let (mut kind, mut format, mut count, mut rest) = (0, 0, 0, 0);
        let mut atoms: *mut c_ulong = std::ptr::null_mut();
        // SAFETY: as in `has_events`. Of the property come `count` items of `format` bits; those of 32 bits lie in longs. They are
        // given back to Xlib.
        unsafe {
            let failed = (self.calls.property)(
                self.display,
                window,
                state,
                0,
                MOST,
                0,
                0,
                &mut kind,
                &mut format,
                &mut count,
                &mut rest,
                &mut atoms,
            );
            if failed != 0 || atoms.is_null() {
                return false;
            }
            let is_hidden =
                format == 32 && std::slice::from_raw_parts(atoms, count as usize).contains(&hidden);
            (self.calls.free)(atoms.cast());
            is_hidden
        }
    }
}
