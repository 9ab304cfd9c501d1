//! The panels around the field, which are the same in every view and leave most of their room to it. They read the state, draw
//! it, and call its methods; the state does not know them.

mod bottom;
mod drawer;
mod menu;
mod recent;
mod scene;
mod status;
mod timeline;

pub use drawer::draw_handles;

use super::layout::Edge;
use super::palette::Palette;
use super::state::App;
use super::theme::layout;
use super::view::Views;
use super::widgets::{
    GUTTER, Pulled, Room, SECTION, SECTION_LINE, edge, know_collapsed, know_room_of_panel,
    scrolled, scrolled_below, take_clicked_sections, take_note,
};
use egui_macroquad::egui::{
    Context, Frame, Id, LayerId, Margin, Rect, SidePanel, Stroke, StrokeKind, TopBottomPanel, Ui,
    UiBuilder, vec2,
};

/// The frame of a panel, whose ground lies there already when it is [painted](crate::app::render::Renderer::begin).
fn frame(margin: Margin) -> Frame {
    Frame::new().inner_margin(margin)
}

/// Between the edge of a panel at a side and what is in it; at its right the bar of what scrolls has room.
const SIDE: Margin = Margin {
    left: layout::PADDING as i8,
    right: 4,
    top: 8,
    bottom: 0,
};

/// An edge that can be dragged.
struct Bound {
    edge: Edge,
    /// Where it is.
    line: Rect,
    /// What it bounds.
    whole: Rect,
}

/// Lays out all panels and returns what they leave to the field.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, views: &mut Views) -> Rect {
    // Whoever is open says so anew.
    (app.menu_open, app.menu_sets) = (false, false);
    app.menu_keys.begin_frame();
    app.drawn_out = [None; 2];
    know_collapsed(ctx, &app.settings.layout.collapsed);
    TopBottomPanel::top("menu")
        .exact_height(layout::MENU)
        .frame(frame(Margin::symmetric(8, 0)))
        .show_separator_line(false)
        .show(ctx, |ui| menu::show(ui, app, palette));
    let mut bounds = Vec::new();
    if app.panels {
        around(ctx, app, palette, views, &mut bounds);
    }
    if let Some(sentence) = take_note(ctx) {
        app.say_of_value(sentence);
    }
    let field = ctx.available_rect();
    // One line all around says where the field ends and the panels begin.
    ctx.layer_painter(LayerId::background()).rect_stroke(
        field,
        0,
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
    // After the panels, so that an edge has the pointer before what it bounds.
    let builder = UiBuilder::new()
        .layer_id(LayerId::background())
        .max_rect(ctx.screen_rect());
    let ui = Ui::new(ctx.clone(), Id::new("edges"), builder);
    for bound in bounds {
        bound.heed(&ui, app, palette);
    }
    if app.panels && views.of(app.view).has_side_panels() {
        drawer::show(ctx, app, palette, views, field);
    }
    for section in take_clicked_sections(ctx) {
        app.settings.layout.toggle(&section);
    }
    field
}

impl Bound {
    /// Does what somebody does with it.
    fn heed(&self, ui: &Ui, app: &mut App, palette: &Palette) {
        let present = match self.edge {
            Edge::Left | Edge::Right => self.whole.width(),
            Edge::Inspector => (self.whole.bottom() - self.line.center().y) / self.whole.height(),
            Edge::Plots | Edge::Tree | Edge::Compare => self.whole.height(),
        };
        let size = match edge(ui, palette, self.edge, (self.line, present)) {
            None => return,
            Some(Pulled::Back) => None,
            Some(Pulled::By(steps)) => Some(present + steps * self.edge.step()),
            Some(Pulled::To(at)) => Some(match self.edge {
                Edge::Left => at - self.whole.left(),
                Edge::Right => self.whole.right() - at,
                Edge::Inspector => (self.whole.bottom() - at) / self.whole.height().max(1.0),
                Edge::Plots | Edge::Tree | Edge::Compare => self.whole.bottom() - at,
            }),
        };
        app.settings.layout.set(self.edge, size);
    }
}

/// Whether a window is high enough for a status bar.
fn has_status(ctx: &Context) -> bool {
    ctx.screen_rect().height() >= layout::LOWEST
}

/// The lowest bar of the window, for what is said in passing: the status bar, or in a window that has none the transport. Without panels
/// there is none.
pub fn lowest_bar(ctx: &Context, app: &App) -> Option<Rect> {
    let screen = ctx.screen_rect();
    let height = match has_status(ctx) {
        true => layout::STATUS,
        false => layout::TRANSPORT,
    };
    let bar = screen.with_min_y(screen.bottom() - height);
    app.panels.then_some(bar)
}

/// The panels below the field and at its sides.
fn around(
    ctx: &Context,
    app: &mut App,
    palette: &Palette,
    views: &mut Views,
    bounds: &mut Vec<Bound>,
) {
    let screen = ctx.screen_rect();
    let low = screen.height() < layout::LOW;
    if has_status(ctx) {
        TopBottomPanel::bottom("status")
            .exact_height(layout::STATUS)
            .frame(frame(Margin::symmetric(12, 0)))
            .show_separator_line(false)
            .show(ctx, |ui| status::show(ui, app, palette, views.of(app.view)));
    }
    TopBottomPanel::bottom("timeline")
        .exact_height(if low {
            layout::TRANSPORT
        } else {
            layout::TIMELINE
        })
        .frame(frame(Margin::symmetric(layout::PADDING as i8, 0)))
        .show_separator_line(false)
        .show(ctx, |ui| timeline::show(ui, app, palette));
    let has_sides = views.of(app.view).has_side_panels();
    let [left, right] = app.settings.layout.sides(screen.width());
    if let Some(width) = left.filter(|_| has_sides) {
        let shown = SidePanel::left("left")
            .exact_width(width)
            .resizable(false)
            .frame(frame(SIDE))
            .show_separator_line(false)
            .show(ctx, |ui| left_panel(ui, app, palette, views));
        let whole = shown.response.rect;
        bounds.push(Bound {
            edge: Edge::Left,
            line: whole.with_min_x(whole.right()),
            whole,
        });
    }
    if let Some(width) = right.filter(|_| has_sides) {
        let shown = SidePanel::right("right")
            .exact_width(width)
            .resizable(false)
            .frame(frame(SIDE))
            .show_separator_line(false)
            .show(ctx, |ui| right_panel(ui, app, palette, views));
        let whole = shown.response.rect;
        bounds.push(Bound {
            edge: Edge::Right,
            line: whole.with_max_x(whole.left()),
            whole,
        });
        bounds.extend(shown.inner);
    }
    below(ctx, app, palette, views, bounds);
}

/// The tree and the steps, or the plots.
fn below(
    ctx: &Context,
    app: &mut App,
    palette: &Palette,
    views: &mut Views,
    bounds: &mut Vec<Bound>,
) {
    let screen = ctx.screen_rect();
    let view = views.of(app.view);
    if let Some(height) = view.strip_height(app, screen.size()) {
        let shown = TopBottomPanel::bottom("strip")
            .exact_height(height)
            .frame(frame(Margin::symmetric(layout::PADDING as i8, 0)))
            .show_separator_line(false)
            .show(ctx, |ui| view.strip(ui, app, palette));
        let whole = shown.response.rect;
        if let Some(tree) = view.tree_height(app, screen.size()) {
            // What stands above the tree moves with its edge.
            bounds.push(Bound {
                edge: Edge::Tree,
                line: whole.with_max_y(whole.top()),
                whole: whole.with_max_y(whole.top() + tree),
            });
        }
    } else if screen.height() >= layout::LOW && view.has_side_panels() {
        let most = screen.height() * 0.4;
        let height = app
            .settings
            .layout
            .plots
            .unwrap_or(layout::BOTTOM)
            .min(most);
        let shown = TopBottomPanel::bottom("plots")
            .exact_height(height.round())
            .frame(frame(Margin::symmetric(layout::PADDING as i8, 8)))
            .show_separator_line(false)
            .show(ctx, |ui| bottom::show(ui, app, palette, &*view));
        let whole = shown.response.rect;
        bounds.push(Bound {
            edge: Edge::Plots,
            line: whole.with_max_y(whole.top()),
            whole,
        });
    }
}

/// What the left panel holds, wherever it stands.
fn left_panel(ui: &mut Ui, app: &mut App, palette: &Palette, views: &mut Views) {
    // What stays in sight there is as high as it was in the last frame: it does not change with what is under the cursor.
    let needed = Id::new("brush needed");
    // In a window that is not high the brush scrolls to its last row, so that the armies above it stay in sight.
    const LOW: f32 = 904.0;
    /// It keeps so much there all the same.
    const LEAST: f32 = 130.0;
    let is_low = ui.max_rect().height() < LOW;
    let (height, above): (f32, f32) = ui
        .data(|data| data.get_temp(needed))
        .unwrap_or((178.0, f32::INFINITY));
    // What these leave is the brush's all the same.
    let most = match is_low {
        true => (ui.max_rect().height() - above).max(LEAST),
        false => f32::INFINITY,
    };
    let has_pinned = views.of(app.view).has_left_pinned(app);
    let pinned: f32 = match has_pinned {
        true => height.min(most),
        false => 0.0,
    };
    let whole = ui.max_rect().height();
    let (needs, keeps) = match (has_pinned, is_low) {
        (true, true) => (height, height.min(LEAST)),
        (true, false) => (height, height),
        (false, _) => (0.0, 0.0),
    };
    let room = Room {
        beside: whole - needs,
        most: whole - keeps,
    };
    know_room_of_panel(ui.ctx(), room);
    let ids = ["left scroll", "brush scroll"];
    let mut above = 0.0;
    let (_, height) = parted(ui, palette, pinned, ids, |ui, part| match part {
        Part::Upper => {
            let top = ui.cursor().top();
            scene::show(ui, app, palette);
            views.of(app.view).left(ui, app, palette);
            above = ui.cursor().top() - top;
        }
        Part::Head => {}
        Part::Lower => views.of(app.view).left_pinned(ui, app, palette),
    });
    if pinned > 0.0 {
        ui.data_mut(|data| data.insert_temp(needed, (height, above)));
    }
}

/// What the right panel holds, and the edge between its two parts.
fn right_panel(ui: &mut Ui, app: &mut App, palette: &Palette, views: &mut Views) -> Option<Bound> {
    // What is under the cursor stays in sight, and at its place, however long the figures above it are.
    let view = views.of(app.view);
    let whole = ui.max_rect();
    let pinned = view.right_pinned_height(ui.ctx(), app, whole.height());
    // Each view of a scene, and what is stepped through, is scrolled for itself: who comes to another one finds it at its head.
    let of = format!("{} {:?} {}", app.scene.name, app.view, app.is_stepping());
    let ids = [
        &*format!("right scroll {of}"),
        &*format!("pinned scroll {of}"),
    ];
    let (at, _) = parted(ui, palette, pinned, ids, |ui, part| match part {
        Part::Upper => view.right(ui, app, palette),
        Part::Head => view.right_pinned_head(ui, app, palette),
        Part::Lower => view.right_pinned(ui, app, palette),
    });
    // A part whose sections are collapsed is as low as their captions.
    (at < whole.bottom() && pinned > 3.0 * SECTION).then(|| {
        let line = Rect::from_x_y_ranges(whole.x_range(), at..=at);
        let line = line
            .expand2(vec2(layout::PADDING, 0.0))
            .translate(vec2(0.0, SECTION_LINE));
        Bound {
            edge: Edge::Inspector,
            line: line.intersect(ui.clip_rect()),
            whole,
        }
    })
}

/// What of a panel is filled.
#[derive(Clone, Copy)]
enum Part {
    /// What scrolls above.
    Upper,
    /// What stays at the head of the pinned part.
    Head,
    /// What scrolls below that.
    Lower,
}

/// A panel in two parts that scroll apart: `pinned` points at the bottom, and the rest above. `add` is told which part it fills. Gives
/// where the lower one begins, and how high what is in it is.
///
/// Where neither would show more than a line or two they follow each other in one: the lower one begins at the bottom then.
fn parted(
    ui: &mut Ui,
    palette: &Palette,
    pinned: f32,
    ids: [&str; 2],
    mut add: impl FnMut(&mut Ui, Part),
) -> (f32, f32) {
    /// The height from which on there are two parts, in points.
    const LEAST: f32 = 260.0;
    /// From the line above a section to a bar below that, in points.
    const BELOW_LINE: f32 = 2.0;
    let whole = ui.max_rect();
    let mut content = 0.0;
    if whole.height() < LEAST {
        scrolled(ui, palette, ids[0], |ui| {
            add(ui, Part::Upper);
            let upper = ui.min_rect().height();
            if pinned > 0.0 {
                add(ui, Part::Head);
                add(ui, Part::Lower);
            }
            content = ui.min_rect().height() - upper;
        });
        return (whole.bottom(), content);
    }
    let lower_height = pinned.min(whole.height() * 0.8).round();
    let at = whole.bottom() - lower_height;
    let (upper, lower) = whole.split_top_bottom_at_y(at);
    if upper.height() > 0.0 {
        ui.scope_builder(UiBuilder::new().max_rect(upper), |ui| {
            scrolled(ui, palette, ids[0], |ui| add(ui, Part::Upper));
        });
    }
    if lower.height() > 0.0 {
        ui.scope_builder(UiBuilder::new().max_rect(lower), |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            // As wide as what scrolls below it.
            ui.scope(|ui| {
                ui.set_max_width(ui.available_width() - GUTTER);
                add(ui, Part::Head);
            });
            let head = ui.min_rect().height();
            // A head is at least a caption. Without one it begins with the line that parts it from the upper one, which its bar would cross.
            let has_head = head >= SECTION;
            let above_bar = match has_head {
                true => 0.0,
                false => SECTION_LINE + BELOW_LINE,
            };
            let bar = (ids[1], above_bar);
            content = head + scrolled_below(ui, palette, bar, |ui| add(ui, Part::Lower));
        });
    }
    (at, content)
}
