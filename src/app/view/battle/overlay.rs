//! What lies over the units: the query's circle and its tag, what is hovered and selected, and the chips at the edges.

use crate::app::commands::{Command, Layer};
use crate::app::palette::Palette;
use crate::app::set_words::knobs_in_words;
use crate::app::state::{App, Stepping};
use crate::app::theme::layout;
use crate::app::view::caption::{Caption, above_legend};
use crate::app::view::chips::{layer_chip, look_chip, scale_chip, scale_rect, title_chip};
use crate::app::view::field::Crowd;
use crate::app::view::field::selection_box;
use crate::app::view::field::{
    Corner, Length, Look, Tag, addresses, asked, hovered_region, labels, legend, legend_rect,
    mark_words, marks, nobody, query, reach, rings,
};
use crate::app::view::marks::{border, out_of_sight, stopped};
use crate::app::view::step::Step;
use crate::app::widgets::occupied;
use egui_macroquad::egui::{Rect, Ui};

/// The width of the switches of the battle's layers, in points.
const LAYER_CHIP: f32 = 300.0;

/// The width of those that mean something while an operation is looked into.
const STEPS_CHIP: f32 = 128.0;

/// What may be looked at beside the field.
const LOOKS: [Command; 2] = [Command::LookInto, Command::Tree];

/// The caption stands above the legend, in points, whether that is shown or not: it does not jump.
const ABOVE_LEGEND: f32 = 38.0;

/// Draws all of it; the switches in the chips act.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, caption: &mut Caption, step: &mut Step) {
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    // Chips stand beside open drawers, as words do.
    let field = app.free_field();
    let bare = Look::first(app);
    let whole_legend = match app.has_steps() {
        true => step.legend_rect(ui, app, palette, field.shrink(layout::CHIP)),
        false => legend_rect(&bare, Corner::Lower),
    };
    // It may have several rows, whether it is shown or not.
    let more = whole_legend.map_or(0.0, |legend| (legend.height() - 30.0).max(0.0));
    let shows_legend = app.has_steps() || app.layers.shows(Layer::Nodes);
    let raised = above_legend(field, ABOVE_LEGEND + more);
    let said = caption.rect(ui, app, palette, app.camera.screen, raised);
    // In a low field the caption has its place; its cross gives that to the legend.
    let is_covered = |legend: Rect| said.is_some_and(|said| said.intersects(legend));
    let gives_way = whole_legend.is_some_and(is_covered);
    let legend_at = whole_legend.filter(|_| shows_legend && !gives_way);
    // The chips at the top, from edge to edge.
    let chips = field.with_max_y(field.top() + layout::CHIP + 30.0);
    let mut taken = occupied(ui.ctx());
    let own = [Some(chips), Some(scale_rect(field)), legend_at, said];
    taken.extend(own.into_iter().flatten());
    let look = Look {
        taken: &taken,
        ..bare
    };
    border(&painter, look.camera, look.field, palette);
    // While one steps, Home goes to the first step.
    if !app.has_steps() {
        out_of_sight(&painter, look.camera, look.field, field, palette);
    }
    stopped(&painter, look.camera, app, palette);
    if app.has_steps() {
        let gone = app.stepping.as_ref().and_then(Stepping::gone);
        labels(&painter, &look, palette, (app.unit_labels(), gone));
        // Below all that happens.
        if look.lane.structure.info().knob_index("addresses").is_ok() {
            addresses(&painter, &look, palette, &Crowd::of(&look));
        }
        step.overlay(ui, &look, app, palette);
        let layers = layer_chip(
            ui,
            app,
            palette,
            &Layer::STEPS,
            (STEPS_CHIP, &LOOKS[..1], ("", "")),
        );
        let chips = look_chip(ui, app, palette, layers, &LOOKS[..1]);
        structure_chip(ui, app, palette, chips);
        if !gives_way {
            step.legend(ui, app, palette, field.shrink(layout::CHIP));
        }
        let whole = app.camera.screen;
        let legend = legend_at.map_or(0.0, |legend| whole.bottom() - legend.top());
        caption.show_beside(ui, app, palette, (whole, raised), legend);
        scale_chip(ui, app.camera, field, palette);
        return;
    }
    // Under the names, through which its border would go.
    hovered_region(&painter, &look, palette);
    // Names have their places; other words keep off them.
    labels(&painter, &look, palette, (app.unit_labels(), None));
    let reach = reach(&look);
    let right = match look.held {
        Some(_) => format!("pinned · {reach}"),
        None => reach,
    };
    let crowd = Crowd::of(&look);
    let tag = Tag::of(&painter, &look, palette, (&right, &crowd), Length::Two);
    let tag_at = tag.as_ref().map_or(Vec::new(), Tag::taken);
    marks(&painter, &look, palette);
    if !app.holds_units() {
        query(&painter, &look, palette);
    }
    rings(&painter, &look, palette);
    let says_depth = mark_words(&painter, &look, palette, (&tag_at, &crowd));
    let boxed = (app.boxed, app.selection.len());
    selection_box(&painter, &look.camera, boxed, palette);
    step.tree_marks(ui, &look, app, (palette, &crowd));
    asked(ui, app, &look, palette);
    if let Some(tag) = tag.filter(|_| !app.holds_units()) {
        tag.draw(&painter, palette);
    }
    if app.alive() == 0 {
        nobody(&painter, &look, palette);
    }
    if app.bare {
        return;
    }
    // Whoever steps through something sees the tree with it.
    let looks = &LOOKS[..if app.is_stepping() { 1 } else { 2 }];
    // The longest name of all structures has room beside them: they stand still whichever is chosen.
    let kinds = app.lane().structure.kind().siblings();
    let names = kinds.iter().map(|kind| kind.info().name);
    let longest = names.max_by_key(|name| name.len()).unwrap_or_default();
    let layers = layer_chip(
        ui,
        app,
        palette,
        &Layer::BATTLE,
        (LAYER_CHIP, looks, (longest, "")),
    );
    let chips = look_chip(ui, app, palette, layers, looks);
    structure_chip(ui, app, palette, chips);
    if app.layers.shows(Layer::Nodes) && !gives_way {
        legend(ui, &Look::first(app), palette, (Corner::Lower, says_depth));
    }
    caption.show(ui, app, palette, app.camera.screen, raised);
    scale_chip(ui, app.camera, field, palette);
}

fn structure_chip(ui: &Ui, app: &App, palette: &Palette, taken: f32) {
    let info = app.lane().structure.info();
    let knobs = knobs_in_words(&app.lane().structure, &[], usize::MAX);
    title_chip(ui, app, palette, (info.name, &knobs), taken);
}
