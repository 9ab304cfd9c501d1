//! The window's graphics context: the one place of the window where code is unsafe.
//!
//! macroquad hands its context out as a mutable reference to something global, to whoever asks and as often as he asks. Here
//! that is put right by a token: there is one [`Gl`] in the program, and the context is borrowed from it, so the compiler sees to
//! it that no two such references live at once.

use egui_macroquad::macroquad::miniquad::{RenderingBackend, gl};
use egui_macroquad::macroquad::prelude::get_internal_gl;
use egui_macroquad::macroquad::window::InternalGlContext;
use std::ffi::CStr;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

/// What OpenGL calls the name of what draws.
const GL_RENDERER: u32 = 0x1F01;

/// Whether what draws under this name are the processors: the renderers of Mesa, of Chromium, of Windows and of macOS that do without a
/// graphics card.
fn is_software(name: &str) -> bool {
    const KNOWN: [&str; 7] = [
        "llvmpipe",
        "softpipe",
        "swr (",
        "swiftshader",
        "software",
        "gdi generic",
        "basic render",
    ];
    let name = name.to_lowercase();
    KNOWN.iter().any(|known| name.contains(known))
}

/// The right to use the graphics context; there is one.
#[derive(Debug)]
pub struct Gl {
    /// The context belongs to the thread of the window, and so does this.
    thread_of_the_window: PhantomData<*const ()>,
}

impl Gl {
    /// Takes the one right that there is, from inside macroquad's main future; `None` when it has been taken.
    pub fn take() -> Option<Self> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        (!TAKEN.swap(true, Ordering::Relaxed)).then_some(Self {
            thread_of_the_window: PhantomData,
        })
    }

    /// The context itself, for buffers, pipelines and passes.
    pub fn backend(&mut self) -> &mut dyn RenderingBackend {
        self.context().quad_context
    }

    /// Whether the processors draw, for want of a graphics card or of its driver.
    pub fn draws_in_software(&mut self) -> bool {
        // It asserts that there is a context.
        self.backend();
        // SAFETY: the context exists and we are on its thread, as in `Gl::context`; the driver gives a text that ends with a zero and lives
        // as long as the context does, or nothing.
        let name = unsafe {
            let name = gl::glGetString(GL_RENDERER);
            (!name.is_null()).then(|| CStr::from_ptr(name.cast()).to_string_lossy())
        };
        name.is_none_or(|name| is_software(&name))
    }

    /// Sends what macroquad has gathered, so that it lies beneath what is drawn next.
    pub fn flush(&mut self) {
        self.context().flush();
    }

    /// Lets macroquad draw nothing outside of a rectangle: left, top, right and bottom, in pixels from above.
    pub fn begin_inside(&mut self, [left, top, right, bottom]: [i32; 4]) {
        let clip = (left, top, (right - left).max(0), (bottom - top).max(0));
        self.context().quad_gl.scissor(Some(clip));
    }

    /// Lets macroquad draw everywhere again.
    pub fn end_inside(&mut self) {
        self.flush();
        self.context().quad_gl.scissor(None);
    }

    fn context(&mut self) -> InternalGlContext<'_> {
        // SAFETY: the context exists and we are on its thread: macroquad asserts both, and this token cannot leave the thread
        // on which it was taken. No other reference to the context lives as long as this one: there is one token, it is borrowed
        // mutably for as long, and macroquad's own functions keep none between calls. None of those that draw is called
        // meanwhile: the panels, which run while egui has the context, draw through egui alone.
        unsafe { get_internal_gl() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renderers_without_a_card_are_told_from_cards() {
        let software = [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "softpipe",
            "Google SwiftShader",
            "Apple Software Renderer",
            "GDI Generic",
            "Microsoft Basic Render Driver",
        ];
        let cards = [
            "NVIDIA H200/PCIe/SSE2",
            "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
            "AMD Radeon RX 6800 (navi21, LLVM 15.0.6, DRM 3.49)",
            "Apple M2",
        ];
        assert!(software.iter().all(|name| is_software(name)));
        assert!(!cards.iter().any(|name| is_software(name)));
    }
}
