//! Every colour of the window, in its dark and its light form, and in hues for other eyes. Nothing else in the program names a
//! colour.
//!
//! The two sides, the structure and the depths keep their hues in all of them: blue and orange, and one hue in steps of lightness,
//! are told apart by every eye. What changes is what else stands beside them. No colour is the only thing that tells anything:
//! what looks like what else without it is in `marks`, in the drawing of units and in that of states.

use super::settings::Colors;
use egui_macroquad::egui::Color32;
use skirmish::scene::Side;

/// The roles that a colour plays.
#[derive(Clone, Debug)]
pub struct Palette {
    /// Whether the surfaces are dark.
    pub dark: bool,
    /// Behind the battle.
    pub field: Color32,
    /// Behind panels.
    pub panel: Color32,
    /// Cards and inputs.
    pub raised: Color32,
    /// What is pointed at; the track of a bar.
    pub hover: Color32,
    /// Between sections.
    pub line: Color32,
    /// Borders of cards and of the field.
    pub strong_line: Color32,
    /// What is read first.
    pub text: Color32,
    /// What is read second.
    pub text_second: Color32,
    /// Captions and units of numbers.
    pub text_third: Color32,
    /// The structure, and nothing else.
    pub accent: Color32,
    /// The second of two structures; unloading; a body that is held elsewhere than others.
    pub second: Color32,
    /// Caution, and the flash of a split.
    pub warning: Color32,
    /// Failure.
    pub error: Color32,
    /// The sides, by [`Side`].
    pub sides: [Color32; 2],
    /// The sides where a query found them.
    pub side_hits: [Color32; 2],
    /// What was tested and found too far.
    pub tested: Color32,
    /// Where on the ground a unit in space would fall.
    pub foot: Color32,
    /// The query's circle, the selection, the hovered unit.
    pub mark: Color32,
    /// Lines by depth, 0 to 7.
    pub depth: [Color32; 8],
    /// Streaming states, in the order of their discriminants.
    pub states: [Color32; 7],
    /// Whether orange units have a tail with a notch.
    pub mark_sides: bool,
}

/// How opaque the line is around what a search leaves out, in the third colour of words: it can be seen on the field.
pub const PRUNED_LINE: f32 = 0.72;

/// How opaque the bar of it is in an icicle, in the same colour.
pub const PRUNED_BAR: f32 = 0.76;

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const fn ramp(hex: [u32; 8]) -> [Color32; 8] {
    let mut colors = [Color32::BLACK; 8];
    let mut index = 0;
    while index < 8 {
        colors[index] = rgb(hex[index]);
        index += 1;
    }
    colors
}

impl Palette {
    /// Light marks on dark surfaces.
    pub const DARK: Self = Self {
        dark: true,
        field: rgb(0x0C0F14),
        panel: rgb(0x14181E),
        raised: rgb(0x1B2028),
        hover: rgb(0x252C36),
        line: rgb(0x232A33),
        strong_line: rgb(0x36404C),
        text: rgb(0xE8ECF1),
        text_second: rgb(0xA9B4C1),
        text_third: rgb(0x8995A3),
        accent: rgb(0x5FD3BC),
        second: rgb(0xD98FCB),
        warning: rgb(0xF2C14E),
        error: rgb(0xF26B4E),
        sides: [rgb(0x58A6FF), rgb(0xFFA047)],
        side_hits: [rgb(0xC4E0FF), rgb(0xFFDDB8)],
        tested: rgb(0x8C96A3),
        foot: rgb(0x4A5663),
        mark: rgb(0xFFFFFF),
        depth: ramp([
            0x2F4654, 0x305562, 0x326770, 0x377A7D, 0x418D88, 0x55A294, 0x76B8A2, 0xA2CFB5,
        ]),
        states: [
            rgb(0x66727F),
            rgb(0xF2C14E),
            rgb(0x58A6FF),
            rgb(0x8FD3FF),
            rgb(0x5FD3BC),
            rgb(0xD98FCB),
            rgb(0xF26B4E),
        ],
        mark_sides: false,
    };

    /// Dark marks on light surfaces.
    pub const LIGHT: Self = Self {
        dark: false,
        field: rgb(0xFAFBFC),
        panel: rgb(0xF1F3F6),
        raised: rgb(0xFFFFFF),
        hover: rgb(0xE3E8EE),
        line: rgb(0xD9DFE6),
        strong_line: rgb(0xB9C3CE),
        text: rgb(0x1A2129),
        text_second: rgb(0x4A5663),
        text_third: rgb(0x586470),
        accent: rgb(0x0B7566),
        second: rgb(0xA8438C),
        warning: rgb(0x8F6300),
        error: rgb(0xC23B1E),
        sides: [rgb(0x1F6FD0), rgb(0xB85200)],
        side_hits: [rgb(0x0B3E80), rgb(0x6B2F00)],
        tested: rgb(0x7C8896),
        foot: rgb(0xA3AEBA),
        mark: rgb(0x1A2129),
        depth: ramp([
            0xB4C8CF, 0x9CBCC2, 0x82AEB2, 0x689F9F, 0x4F8F8B, 0x387D77, 0x226A64, 0x0E5650,
        ]),
        states: [
            rgb(0x8A95A1),
            rgb(0x8F6300),
            rgb(0x1F6FD0),
            rgb(0x2F93C4),
            rgb(0x0B7566),
            rgb(0xA8438C),
            rgb(0xC23B1E),
        ],
        mark_sides: false,
    };

    /// The palette of a theme for these eyes.
    pub fn of(light: bool, colors: Colors, mark_sides: bool) -> Self {
        let base = if light { Self::LIGHT } else { Self::DARK };
        let plain = Self { mark_sides, ..base };
        match (light, colors) {
            (_, Colors::Standard) => plain,
            // A pink that is seen as such beside blue, teal and grey; an error that is darker than a warning where hue says nothing.
            (false, Colors::RedGreen) => plain.with_second(0xD96BBE),
            (true, Colors::RedGreen) => plain
                .with_second(0x983686)
                .with_warning(0x8E6100)
                .with_error(0x8A0000),
            // Pictures that wait are paler, or deeper, than what is loading and than what is there.
            (false, Colors::BlueYellow) => plain.with_decoded(0xAAD6FF),
            (true, Colors::BlueYellow) => plain.with_decoded(0x123F6B).with_second(0x9A2D7E),
        }
    }

    fn with_second(mut self, hex: u32) -> Self {
        self.second = rgb(hex);
        self.states[5] = self.second;
        self
    }

    fn with_warning(mut self, hex: u32) -> Self {
        self.warning = rgb(hex);
        self.states[1] = self.warning;
        self
    }

    fn with_error(mut self, hex: u32) -> Self {
        self.error = rgb(hex);
        self.states[6] = self.error;
        self
    }

    fn with_decoded(mut self, hex: u32) -> Self {
        self.states[3] = rgb(hex);
        self
    }

    /// The colour of a side.
    pub fn side(&self, side: Side) -> Color32 {
        self.sides[side as usize]
    }

    /// The colour of a side where nothing happens to its units: as quiet as it can still be seen on the field.
    pub fn quiet(&self, side: Side) -> Color32 {
        faded(self.side(side), if self.dark { 0.6 } else { 0.78 })
    }

    /// The line around the body of a unit to which nothing has happened: weaker than that around who is found.
    pub fn quiet_body(&self, side: Side) -> Color32 {
        faded(self.side(side), 0.4)
    }

    /// The line around the body of a unit that is tested or found.
    pub fn told_body(&self) -> Color32 {
        faded(self.mark, 0.4)
    }

    /// The border of a swatch that may be as good as empty: a step of the depths that is seen on a chip.
    pub fn swatch_line(&self) -> Color32 {
        self.depth[4]
    }

    /// A line of a tree or of an icicle to which nothing has happened: quieter than what has, and seen on a panel.
    pub fn tree_line(&self) -> Color32 {
        mixed(self.strong_line, self.text_third, 0.65)
    }

    /// A number below a step of the depths that nothing has reached: paler than the others, and still read.
    pub fn unlit_number(&self) -> Color32 {
        mixed(self.panel, self.text_third, 0.8)
    }

    /// A mark of the timeline that lies after the present tick: paler than one that has been, and still seen beside it.
    pub fn to_come(&self, ink: Color32) -> Color32 {
        faded(ink, if self.dark { 0.66 } else { 0.8 })
    }

    /// The colour of a leaf of a tree of which such a part is full.
    pub fn filled(&self, part: f32) -> Color32 {
        // Colours say how deep one is, so that this is no more than a hint: most leaves are wide, and half full.
        let part = part.min(1.0);
        faded(self.depth[7], 0.01 + 0.07 * part * part)
    }

    /// The colour of a line at this depth; deeper than the ramp is its last step.
    pub fn at_depth(&self, depth: u16) -> Color32 {
        self.depth[usize::from(depth).min(7)]
    }
}

/// A colour at this opacity. Blended as the targets were drawn: on the values themselves, not on light.
pub fn faded(color: Color32, opacity: f32) -> Color32 {
    color.gamma_multiply(opacity.clamp(0.0, 1.0))
}

/// A colour part of the way to another.
pub fn mixed(from: Color32, to: Color32, part: f32) -> Color32 {
    let part = part.clamp(0.0, 1.0);
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
    Color32::from_rgb(
        mix(from.r(), to.r()),
        mix(from.g(), to.g()),
        mix(from.b(), to.b()),
    )
}

#[cfg(test)]
mod tests;
