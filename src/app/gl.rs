//! The window's graphics context: the one place of the window where code is unsafe.
//!
//! macroquad hands its context out as a mutable reference to something global, to whoever asks and as often as he asks. Here
//! that is put right by a token: there is one [`Gl`] in the program, and the context is borrowed from it, so the compiler sees to
//! it that no two such references live at once.

use egui_macroquad::macroquad::miniquad::{RawId, RenderingBackend, TextureId, gl};
use egui_macroquad::macroquad::prelude::get_internal_gl;
use egui_macroquad::macroquad::window::InternalGlContext;
use std::ffi::CStr;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

/// What OpenGL calls the name of what draws.
const GL_RENDERER: u32 = 0x1F01;
/// What it calls the texture that is bound.
const GL_TEXTURE_BINDING_2D: u32 = 0x8069;
/// What it calls pixels that begin with blue.
const GL_BGRA: u32 = 0x80E1;

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

/// Whether what draws under this name is Mesa's, on the processors.
fn copies(name: &str) -> bool {
    name.contains("llvmpipe") || name.contains("softpipe")
}

/// The right to use the graphics context; there is one.
#[derive(Debug)]
pub struct Gl {
    /// Whether pictures are [copied](Gl::copies), once that is known.
    copies: Option<bool>,
    /// The framebuffer from which they are, once there is one.
    copied_from: Option<u32>,
    /// The context belongs to the thread of the window, and so does this.
    thread_of_the_window: PhantomData<*const ()>,
}

impl Gl {
    /// Takes the one right that there is, from inside macroquad's main future; `None` when it has been taken.
    pub fn take() -> Option<Self> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        (!TAKEN.swap(true, Ordering::Relaxed)).then_some(Self {
            copies: None,
            copied_from: None,
            thread_of_the_window: PhantomData,
        })
    }

    /// The context itself, for buffers, pipelines and passes.
    pub fn backend(&mut self) -> &mut dyn RenderingBackend {
        self.context().quad_context
    }

    /// Whether the processors draw, for want of a graphics card or of its driver.
    pub fn draws_in_software(&mut self) -> bool {
        self.renderer().is_none_or(|name| is_software(&name))
    }

    /// The name of what draws, as far as the driver says it.
    fn renderer(&mut self) -> Option<String> {
        // It asserts that there is a context.
        self.backend();
        // SAFETY: the context exists and we are on its thread, as in `Gl::context`; the driver gives a text that ends with a zero and lives
        // as long as the context does, or nothing.
        unsafe {
            let name = gl::glGetString(GL_RENDERER);
            (!name.is_null()).then(|| CStr::from_ptr(name.cast()).to_string_lossy().into_owned())
        }
    }

    /// Whether pictures are to be [copied](Gl::copy) to the window, which is a twentieth of the time in which Mesa's processors draw them as
    /// rectangles: of each pixel of these they reckon the place in the texture. A graphics card does that in no time.
    pub fn copies(&mut self) -> bool {
        let known = self.copies;
        let copies = known.unwrap_or_else(|| self.renderer().is_some_and(|name| copies(&name)));
        self.copies = Some(copies);
        copies
    }

    /// Gives a texture of this width and height the layout of the window's own pixels, where a copy is one of bytes. What it held is gone.
    pub fn lay_out_as_window(&mut self, texture: TextureId, [width, height]: [u16; 2]) {
        let Some(name) = self.name_of(texture) else {
            return;
        };
        let (width, height) = (i32::from(width), i32::from(height));
        // SAFETY: the context exists and we are on its thread, as in `Gl::context`; the texture is one of its own, and there are no bytes
        // to be read. What was bound before is bound again, as miniquad believes.
        unsafe {
            let mut bound = 0;
            gl::glGetIntegerv(GL_TEXTURE_BINDING_2D, &mut bound);
            gl::glBindTexture(gl::GL_TEXTURE_2D, name);
            gl::glTexImage2D(
                gl::GL_TEXTURE_2D,
                0,
                gl::GL_RGBA as i32,
                width,
                height,
                0,
                GL_BGRA,
                gl::GL_UNSIGNED_BYTE,
                std::ptr::null(),
            );
            gl::glBindTexture(gl::GL_TEXTURE_2D, bound as u32);
        }
    }

    /// Copies a texture to the window, over everything drawn so far, with its upper left corner at this pixel, as far as it lies inside of a
    /// rectangle: left, top, right and bottom, in pixels from above of a window so many pixels high.
    pub fn copy(
        &mut self,
        texture: TextureId,
        [left, top]: [i32; 2],
        [first, upper, end, lower]: [i32; 4],
        height: i32,
    ) {
        if first >= end || upper >= lower {
            return;
        }
        self.flush();
        let Some(name) = self.name_of(texture) else {
            return;
        };
        let known = self.copied_from;
        // SAFETY: the context exists and we are on its thread, as in `Gl::context`; the texture is one of its own, and the rectangle lies
        // inside of it and of the window. What is drawn to is what was drawn to before.
        let from = unsafe {
            let mut before = 0;
            gl::glGetIntegerv(gl::GL_FRAMEBUFFER_BINDING, &mut before);
            let from = known.unwrap_or_else(|| {
                let mut from = 0;
                gl::glGenFramebuffers(1, &mut from);
                from
            });
            gl::glBindFramebuffer(gl::GL_READ_FRAMEBUFFER, from);
            gl::glFramebufferTexture2D(
                gl::GL_READ_FRAMEBUFFER,
                gl::GL_COLOR_ATTACHMENT0,
                gl::GL_TEXTURE_2D,
                name,
                0,
            );
            // OpenGL counts the rows of a window from below, and those of a texture from the first one on.
            gl::glBlitFramebuffer(
                first - left,
                upper - top,
                end - left,
                lower - top,
                first,
                height - upper,
                end,
                height - lower,
                gl::GL_COLOR_BUFFER_BIT,
                gl::GL_NEAREST,
            );
            gl::glBindFramebuffer(gl::GL_FRAMEBUFFER, before as u32);
            from
        };
        self.copied_from = Some(from);
    }

    /// What OpenGL calls a texture; `None` where something else draws.
    fn name_of(&mut self, texture: TextureId) -> Option<u32> {
        // SAFETY: the texture is one of this context, which says by what name it knows it.
        match unsafe { self.backend().texture_raw_id(texture) } {
            RawId::OpenGl(name) => Some(name),
            #[allow(unreachable_patterns, reason = "Apple's systems have one more")]
            _ => None,
        }
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
        assert!(software[..2].iter().all(|name| copies(name)));
        assert!(!software[2..].iter().any(|name| copies(name)));
        assert!(!cards.iter().any(|name| is_software(name) || copies(name)));
    }
}
