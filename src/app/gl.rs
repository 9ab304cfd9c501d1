//! The window's graphics context: the one place of the window where code is unsafe.
//!
//! macroquad hands its context out as a mutable reference to something global, to whoever asks and as often as he asks. Here
//! that is put right by a token: there is one [`Gl`] in the program, and the context is borrowed from it, so the compiler sees to
//! it that no two such references live at once.

use egui_macroquad::macroquad::miniquad::RenderingBackend;
use egui_macroquad::macroquad::prelude::get_internal_gl;
use egui_macroquad::macroquad::window::InternalGlContext;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

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
