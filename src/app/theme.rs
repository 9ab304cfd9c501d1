//! The look of egui's own widgets: sizes of type, spacing, and the palette's colours in egui's terms.

use super::palette::Palette;
use egui_macroquad::egui::{
    Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Visuals,
    vec2,
};

/// Type sizes, in points, by their role.
pub mod size {
    /// The one big number of a panel.
    pub const BIG: f32 = 42.0;
    /// Ratios.
    pub const RATIO: f32 = 18.0;
    /// Names in lists.
    pub const NAME: f32 = 13.5;
    /// Labels.
    pub const LABEL: f32 = 13.0;
    /// Secondary text.
    pub const SECOND: f32 = 12.0;
    /// Descriptions.
    pub const DESCRIPTION: f32 = 11.5;
    /// Captions, units, ticks.
    pub const CAPTION: f32 = 10.5;
}

/// Sizes of the parts of the window, in points.
pub mod layout {
    /// The menu bar.
    pub const MENU: f32 = 32.0;
    /// The status bar.
    pub const STATUS: f32 = 24.0;
    /// The plots.
    pub const BOTTOM: f32 = 136.0;
    /// The timeline with its marks.
    pub const TIMELINE: f32 = 68.0;
    /// The timeline in a low window.
    pub const TRANSPORT: f32 = 46.0;
    /// From button to button of a transport, where its way begins at the earliest, how wide what sets its pace is, and what is free between
    /// both: alike in that of time and in that of steps, which stand below each other in a narrow window.
    pub const BUTTONS: f32 = 34.0;
    pub const WAY: f32 = 264.0;
    pub const PACE: f32 = 112.0;
    pub const BEFORE_PACE: f32 = 14.0;
    /// A lower window has no status bar.
    pub const LOWEST: f32 = 320.0;
    /// A lower window has no tools for the operation that is looked into: steps and field need the room.
    pub const STEP_TOOLS: f32 = 400.0;
    /// A lower window has no plots.
    pub const LOW: f32 = 640.0;
    /// From a panel's edge to its content.
    pub const PADDING: f32 = 14.0;
    /// From the field's edge to a chip.
    pub const CHIP: f32 = 14.0;
    /// How thick the bar of what scrolls is, and how thick under the pointer.
    pub const BAR: (f32, f32) = (4.0, 7.0);
}

/// Text in the proportional face.
pub fn text(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// Numbers, in the face whose digits are equally wide.
pub fn number(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

/// Lets the text cursor blink, or lets nothing move.
pub fn still(ctx: &Context, is_still: bool) {
    if ctx.style().visuals.text_cursor.blink == is_still {
        ctx.style_mut(|style| style.visuals.text_cursor.blink = !is_still);
    }
}

/// Gives egui the palette.
pub fn apply(ctx: &Context, palette: &Palette) {
    let mut visuals = if palette.dark {
        Visuals::dark()
    } else {
        Visuals::light()
    };
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.strong_line);
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow = Shadow::NONE;
    visuals.window_corner_radius = CornerRadius::same(5);
    visuals.menu_corner_radius = CornerRadius::same(4);
    visuals.extreme_bg_color = palette.raised;
    visuals.faint_bg_color = palette.raised;
    visuals.code_bg_color = palette.raised;
    visuals.override_text_color = None;
    visuals.selection.bg_fill = super::palette::mixed(palette.panel, palette.accent, 0.28);
    visuals.selection.stroke = Stroke::new(1.0, palette.text);
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.striped = false;
    visuals.handle_shape = egui_macroquad::egui::style::HandleShape::Circle;
    let widgets = &mut visuals.widgets;
    let radius = CornerRadius::same(4);
    for (widget, fill, stroke, text) in [
        (
            &mut widgets.noninteractive,
            palette.panel,
            palette.line,
            palette.text_second,
        ),
        (
            &mut widgets.inactive,
            palette.raised,
            palette.line,
            palette.text_second,
        ),
        (
            &mut widgets.hovered,
            palette.hover,
            palette.strong_line,
            palette.text,
        ),
        (
            &mut widgets.active,
            palette.hover,
            palette.accent,
            palette.text,
        ),
        (
            &mut widgets.open,
            palette.hover,
            palette.strong_line,
            palette.text,
        ),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, stroke);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    let style = Style {
        visuals,
        animation_time: 0.0,
        text_styles: [
            (TextStyle::Heading, text(size::RATIO)),
            (TextStyle::Body, text(size::LABEL)),
            (TextStyle::Button, text(size::LABEL)),
            (TextStyle::Small, text(size::CAPTION)),
            (TextStyle::Monospace, number(size::SECOND)),
        ]
        .into(),
        ..Style::default()
    };
    ctx.set_style(style);
    ctx.style_mut(|style| {
        style.spacing.item_spacing = vec2(8.0, 4.0);
        style.spacing.button_padding = vec2(8.0, 4.0);
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.window_margin = Margin::same(14);
        style.spacing.scroll = egui_macroquad::egui::style::ScrollStyle {
            bar_width: layout::BAR.1,
            floating_width: layout::BAR.0,
            foreground_color: true,
            // Where there is more than can be seen, the bar says so, touched or not.
            dormant_handle_opacity: 0.32,
            active_handle_opacity: 0.45,
            interact_handle_opacity: 0.7,
            dormant_background_opacity: 0.0,
            active_background_opacity: 0.0,
            interact_background_opacity: 0.3,
            ..egui_macroquad::egui::style::ScrollStyle::floating()
        };
        style.interaction.tooltip_delay = 0.35;
        style.interaction.selectable_labels = false;
        style.url_in_tooltip = false;
    });
}
