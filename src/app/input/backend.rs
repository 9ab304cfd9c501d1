//! egui's connection to the window: what it is told, what it asks for in return, and who draws it.
//!
//! It does what egui-miniquad does, and hands out what that drops: the tree of all controls, for assistive technology.

use super::event::{KeyCode, Modifiers, MouseButton};
use super::keys::egui_key_of;
use super::painter::Painter;
use super::paste::pasted_text;
use super::raw::RawEvent;
use super::shield::Shield;
use egui_macroquad::egui::{
    self, Context, CursorIcon, Event, FullOutput, MouseWheelUnit, Order, OutputCommand,
    PlatformOutput, PointerButton, RawInput, Rect, TexturesDelta, vec2,
};
use egui_macroquad::macroquad::miniquad::{self, RenderingBackend, window};
use glam::Vec2;

/// egui, connected to the window.
pub struct Backend {
    context: Context,
    input: RawInput,
    painter: Painter,
    shapes: Vec<egui::epaint::ClippedShape>,
    textures: TexturesDelta,
    scale: f32,
    cursor: Option<CursorIcon>,
    /// Where the pointer went last, and how many frames ago.
    moved: (egui::Pos2, u32),
    /// When the last frame was, to egui.
    time: f64,
    menu_open: bool,
    shield: Shield,
    #[cfg(feature = "accessibility")]
    access: super::access::Access,
}

impl Backend {
    /// Connects egui to the window. An error is what the graphics driver says of the shader.
    pub fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let context = Context::default();
        // A disc cut from a texture would have to be one of its size, for nothing there is smoothed.
        context.tessellation_options_mut(|options| options.prerasterized_discs = false);
        Ok(Self {
            context,
            input: RawInput::default(),
            painter: Painter::new(gl)?,
            shapes: Vec::new(),
            textures: TexturesDelta::default(),
            scale: 1.0,
            cursor: None,
            moved: (egui::Pos2::ZERO, u32::MAX),
            time: 0.0,
            menu_open: false,
            shield: Shield::default(),
            #[cfg(feature = "accessibility")]
            access: super::access::Access::new(),
        })
    }

    /// egui's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Tells egui of an event.
    pub fn tell(&mut self, event: RawEvent) {
        let scale = self.context.pixels_per_point();
        let pos = |at: Vec2| egui::pos2(at.x / scale, at.y / scale);
        match event {
            RawEvent::Motion(at) => {
                self.moved = (pos(at), 0);
                self.input.events.push(Event::PointerMoved(pos(at)));
            }
            RawEvent::Wheel(notches) => self.input.events.push(Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                delta: vec2(notches.x, notches.y),
                modifiers: self.input.modifiers,
            }),
            RawEvent::ButtonDown(button, at) => self.button(button, pos(at), true),
            RawEvent::ButtonUp(button, at) => self.button(button, pos(at), false),
            RawEvent::Char(character, modifiers) => {
                let modifiers = egui_modifiers(modifiers);
                if is_printable(character) && !modifiers.ctrl && !modifiers.mac_cmd {
                    self.input.events.push(Event::Text(character.to_string()));
                }
            }
            RawEvent::KeyDown(key, modifiers) => self.key(key, modifiers, true),
            RawEvent::KeyUp(key, modifiers) => self.key(key, modifiers, false),
            RawEvent::FocusLost => {}
        }
    }

    fn button(&mut self, button: MouseButton, pos: egui::Pos2, pressed: bool) {
        let button = match button {
            MouseButton::Right => PointerButton::Secondary,
            MouseButton::Middle => PointerButton::Middle,
            MouseButton::Left | MouseButton::Unknown => PointerButton::Primary,
        };
        // Menus and lists that unfold lie over everything else.
        let is_of_menu = || {
            let layer = self.context.layer_id_at(pos);
            layer.is_some_and(|layer| layer.order >= Order::Foreground)
        };
        let is_shielded = self.menu_open && button == PointerButton::Primary && !is_of_menu();
        self.shield.button(
            &self.context,
            (button, pressed),
            (pos, is_shielded),
            self.input.modifiers,
            &mut self.input.events,
        );
    }

    /// Says whether a menu, or a list that has been unfolded, is open: a press beside it is for closing it.
    pub fn set_menu_open(&mut self, is_open: bool) {
        self.menu_open = is_open;
    }

    fn key(&mut self, key: KeyCode, modifiers: Modifiers, pressed: bool) {
        let modifiers = egui_modifiers(modifiers);
        self.input.modifiers = modifiers;
        let event = match key {
            KeyCode::X if pressed && modifiers.command => Some(Event::Cut),
            KeyCode::C if pressed && modifiers.command => Some(Event::Copy),
            KeyCode::V if pressed && modifiers.command => {
                window::clipboard_get().map(|text| Event::Paste(pasted_text(&text).to_owned()))
            }
            _ => egui_key_of(key).map(|key| Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false, // egui finds that out by itself
                modifiers,
            }),
        };
        self.input.events.extend(event);
    }

    /// Whether the window has the keyboard.
    pub fn set_focused(&mut self, is_focused: bool) {
        self.input.focused = is_focused;
        #[cfg(feature = "accessibility")]
        self.access.set_focused(is_focused);
    }

    /// Lets egui notice that the pointer has moved. It goes by where that was in three frames of the last tenth of a second; while nothing
    /// is drawn there are none, so one that jumped out of rest would stand still to it. After a click it then showed no tooltip any more.
    fn settle(&mut self) {
        /// Nobody sees so much, in points.
        const NUDGE: f32 = 0.01;
        let (at, frames) = &mut self.moved;
        *frames = frames.saturating_add(1);
        if *frames == 3 {
            let there = *at + vec2(NUDGE, 0.0);
            self.input.events.push(Event::PointerMoved(there));
        }
    }

    /// When a frame is, to egui. The second and the third after a move follow soon, however long they took: of slow ones no three would be
    /// within its tenth of a second.
    fn time_of_frame(&self, now: f64) -> f64 {
        const SOON: f64 = 0.04;
        let (_, frames) = self.moved;
        match (2..=3).contains(&frames) {
            true => now.min(self.time + SOON),
            false => now,
        }
    }

    /// Runs the interface for a frame.
    pub fn run(&mut self, run_ui: impl FnMut(&Context)) {
        let (width, height) = window::screen_size();
        let size = vec2(width, height) / self.context.pixels_per_point();
        self.input.screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, size));
        self.settle();
        self.time = self.time_of_frame(miniquad::date::now());
        self.input.time = Some(self.time);
        #[cfg(feature = "accessibility")]
        self.access
            .begin(&self.context, &mut self.input, (width, height));
        let output = self.context.run(self.input.take(), run_ui);
        self.shield.turn(&mut self.input.events);
        // The pointer stays at its pixel where the interface becomes larger or smaller, which is another point.
        if let Some(at) = rescaled(&mut self.moved, self.scale / output.pixels_per_point) {
            self.input.events.push(Event::PointerMoved(at));
        }
        if !self.input.events.is_empty() {
            self.context.request_repaint();
        }
        let FullOutput {
            platform_output,
            textures_delta,
            shapes,
            pixels_per_point,
            ..
        } = output;
        self.shapes = shapes;
        self.scale = pixels_per_point;
        self.textures.append(textures_delta);
        self.heed(platform_output);
    }

    /// Does what egui asks for.
    fn heed(&mut self, output: PlatformOutput) {
        for command in output.commands {
            if let OutputCommand::CopyText(text) = command {
                window::clipboard_set(&text);
            }
        }
        if self.cursor != Some(output.cursor_icon) {
            self.cursor = Some(output.cursor_icon);
            window::show_mouse(output.cursor_icon != CursorIcon::None);
            window::set_mouse_cursor(cursor_of(output.cursor_icon));
        }
        #[cfg(feature = "accessibility")]
        if let Some(update) = output.accesskit_update {
            self.access.update(update);
        }
    }

    /// Draws what the last run has laid out.
    pub fn draw(&mut self, gl: &mut dyn RenderingBackend) {
        let shapes = std::mem::take(&mut self.shapes);
        let meshes = self.context.tessellate(shapes, self.scale);
        let textures = std::mem::take(&mut self.textures);
        self.painter.paint(gl, meshes, &textures, self.scale);
    }
}

/// The point at which the pointer is where each is so many times as long as before; `None` where they are as long, or it has not come yet.
fn rescaled((at, frames): &mut (egui::Pos2, u32), by: f32) -> Option<egui::Pos2> {
    if by == 1.0 {
        return None;
    }
    *at = (at.to_vec2() * by).to_pos2();
    if *frames == u32::MAX {
        return None;
    }
    // It has moved, and settles again.
    *frames = 0;
    Some(*at)
}

/// Special keys come as characters too, of a private area.
fn is_printable(character: char) -> bool {
    let is_private = matches!(character,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    !is_private && !character.is_ascii_control()
}

fn egui_modifiers(modifiers: Modifiers) -> egui::Modifiers {
    egui::Modifiers {
        alt: modifiers.alt,
        ctrl: modifiers.ctrl,
        shift: modifiers.shift,
        mac_cmd: modifiers.logo && cfg!(target_os = "macos"),
        command: modifiers.command(),
    }
}

fn cursor_of(icon: CursorIcon) -> miniquad::CursorIcon {
    use miniquad::CursorIcon as To;
    match icon {
        CursorIcon::PointingHand => To::Pointer,
        CursorIcon::Text => To::Text,
        CursorIcon::ResizeHorizontal => To::EWResize,
        CursorIcon::ResizeVertical => To::NSResize,
        CursorIcon::ResizeNeSw => To::NESWResize,
        CursorIcon::ResizeNwSe => To::NWSEResize,
        CursorIcon::Help => To::Help,
        CursorIcon::Wait | CursorIcon::Progress => To::Wait,
        CursorIcon::Crosshair => To::Crosshair,
        CursorIcon::Move | CursorIcon::AllScroll => To::Move,
        CursorIcon::NotAllowed => To::NotAllowed,
        _ => To::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn the_pointer_is_told_to_be_at_its_pixel_where_points_become_larger() {
        let mut moved = (pos2(100.0, 60.0), 7);
        assert_eq!(rescaled(&mut moved, 1.0), None);
        assert_eq!(moved, (pos2(100.0, 60.0), 7));
        assert_eq!(rescaled(&mut moved, 1.0 / 1.25), Some(pos2(80.0, 48.0)));
        assert_eq!(moved, (pos2(80.0, 48.0), 0));
        // One that has not come yet is nowhere.
        let mut unknown = (egui::Pos2::ZERO, u32::MAX);
        assert_eq!(rescaled(&mut unknown, 0.5), None);
        assert_eq!(unknown.1, u32::MAX);
    }
}
