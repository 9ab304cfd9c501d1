//! The structure and its knobs, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::structures::{knob_rows, knob_section, knobs_height, structure_list};
use crate::app::widgets::{
    GUTTER, LOW_ROW, has_low_rows, is_low, room_of_panel, scrolled, section,
};
use egui_macroquad::egui::{Id, Rect, Sense, Ui, UiBuilder, vec2};

/// As much room for knobs there is where the window is low: for all of every structure, the Morton tree with its six included. Both
/// armies are in sight below them in a window of this height.
const LOW_KNOBS: f32 = 108.0 + BELOW;
const LOW_HEIGHT: f32 = 900.0;
/// Where a title bar takes of that height, the knobs give it: two rows of them stay, and the armies are in sight still.
const LEAST_KNOBS: f32 = 72.0 + BELOW;
/// The same where the window is not low; then the Morton tree alone does without a row.
const MOST_KNOBS: f32 = 150.0 + BELOW;
const HEIGHT: f32 = 1212.0;
const FEWER_KNOBS: f32 = 134.0 + BELOW;
/// That room is reckoned for so many structures above; where there are fewer, the knobs have theirs too.
const STRUCTURES: usize = 12;
/// Below the last of them.
const BELOW: f32 = 4.0;

/// The list of structures.
pub fn structures(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !section(ui, palette, "structure", "[ ] to cycle") {
        return;
    }
    let (chosen, rows) = (app.lane().structure.kind(), (true, has_low_rows(ui)));
    let list = (&chosen.siblings()[..], Some(chosen));
    if let Some(kind) = structure_list(ui, palette, "structure", list, rows) {
        app.choose_structure(kind);
    }
}

/// The knobs of the structure that is chosen, and what stands `below` them.
pub fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette, below: impl FnOnce(&mut Ui, &mut App)) {
    // It was as high in the last frame.
    let known = Id::new("below the knobs");
    let needed: Option<f32> = ui.data(|data| data.get_temp(known));
    own(ui, app, palette, needed);
    let top = ui.cursor().top();
    below(ui, app);
    let height = ui.cursor().top() - top;
    if needed.is_none_or(|it| (it - height).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(known, height));
        ui.ctx().request_repaint();
    }
}

/// The knobs alone, where what is below them needs so much, as far as that is known.
fn own(ui: &mut Ui, app: &mut App, palette: &Palette, below: Option<f32>) {
    let (is_open, reset) = knob_section(ui, palette, "knob", &app.lane().structure);
    if reset {
        app.reset_knobs();
    }
    if !is_open {
        return;
    }
    // As high under every structure where there is room for that, so that what is below keeps its place. Where there is not, room that stood
    // empty would be taken from what is below: then they are no higher than they have to be, and scroll where a structure has more of them.
    let siblings = app.lane().structure.kind().siblings();
    let heights = siblings.iter().map(|kind| knobs_height(ui, kind.info()));
    let highest = heights.fold(0.0, f32::max);
    let window = ui.ctx().screen_rect().height();
    let most = match is_low(ui) {
        true => (LOW_KNOBS - (LOW_HEIGHT - window).max(0.0)).max(LEAST_KNOBS),
        false => (MOST_KNOBS - (HEIGHT - window).max(0.0)).max(FEWER_KNOBS),
    };
    // The brush is not there then, and leaves its room: the lowest window has what a higher one has.
    let most = if app.has_steps() {
        most.max(LOW_KNOBS)
    } else {
        most
    };
    let fewer = STRUCTURES.saturating_sub(siblings.len());
    let most = most + LOW_ROW * fewer as f32;
    let top = ui.available_rect_before_wrap().min;
    let spare = room_of_panel(ui.ctx()).zip(below).map(|(room, below)| {
        let others = top.y - ui.min_rect().top() + below;
        [room.beside - others, room.most - others]
    });
    let needed = knobs_height(ui, app.lane().structure.info());
    let height = height([needed, highest].map(|it| it + BELOW), most, spare);
    // The bar of the panel and theirs stand one over the other.
    let size = vec2(ui.available_width(), height);
    ui.allocate_exact_size(size, Sense::hover());
    let rect = Rect::from_min_size(top, size + vec2(GUTTER, 0.0));
    let mut turned = None;
    // A child of its own: it is wider than what it stands in, which goes on as wide as it was.
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    if needed <= height {
        child.set_max_width(size.x);
        turned = knob_rows(&mut child, palette, "knob", app.lane());
    } else {
        scrolled(&mut child, palette, "knob scroll", |ui| {
            turned = knob_rows(ui, palette, "knob", app.lane());
        });
    }
    if let Some((knob, value)) = turned {
        app.set_knob(knob, value);
    }
}

/// How high the knobs of a structure are that need so much, where those of another one need the `highest`: all of what is to `spare` beside the
/// rest of the panel, but no more than that, and no less than their own, of which in a full panel there are no more than `most`. Until what is
/// to spare is known, as much as they have under every structure.
///
/// Where the panel scrolls even so, because that is more than its second `spare`, they do not scroll by themselves within it.
fn height([needed, highest]: [f32; 2], most: f32, spare: Option<[f32; 2]>) -> f32 {
    match spare {
        None => highest.min(most),
        Some([_, at_most]) if at_most < needed.min(most) => needed,
        Some([spare, _]) => spare.clamp(needed.min(most), highest).floor(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_leave_what_they_do_not_need_to_what_is_cut_below_them() {
        // There is room for those of every structure: what is below keeps its place.
        let spare = |points: f32| Some([points, 150.0]);
        assert_eq!(height([4.0, 150.0], 112.0, spare(400.0)), 150.0);
        assert_eq!(height([112.0, 150.0], 112.0, spare(400.0)), 150.0);
        // There is room for some of that, or for none.
        assert_eq!(height([4.0, 150.0], 112.0, spare(60.0)), 60.0);
        assert_eq!(height([4.0, 150.0], 112.0, spare(-80.0)), 4.0);
        // Of the knobs that there are as many stay in sight as ever.
        assert_eq!(height([76.0, 150.0], 112.0, spare(-80.0)), 76.0);
        assert_eq!(height([150.0, 150.0], 112.0, spare(-80.0)), 112.0);
        assert_eq!(height([4.0, 150.0], 112.0, None), 112.0);
    }

    #[test]
    fn knobs_have_no_bar_of_their_own_in_a_panel_that_scrolls() {
        let scrolls = Some([-130.0, -80.0]);
        assert_eq!(height([150.0, 150.0], 84.0, scrolls), 150.0);
        assert_eq!(height([90.0, 150.0], 84.0, scrolls), 90.0);
        assert_eq!(height([18.0, 150.0], 84.0, scrolls), 18.0);
    }
}
