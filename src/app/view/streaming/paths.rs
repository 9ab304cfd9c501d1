//! The list of paths: the character is sent along one, and each can be drawn otherwise, renamed and deleted.

use crate::app::palette::{Palette, faded};
use crate::app::stream::Stream;
use crate::app::theme::{size, text};
use crate::app::widgets::{
    LOW_ROW, ListRow, cell_button, elided, list_row, place, select_typed, show_cut,
};
use egui_macroquad::egui::{
    Align, CornerRadius, Key, Margin, Rect, ScrollArea, Sense, Shape, Stroke, TextEdit, Ui,
    UiBuilder, pos2, vec2,
};
use skirmish::scene::PathKind;
use skirmish::streaming::Mover;
use skirmish::tick::STEP_SECONDS;

/// So many are in sight at once, which a window of 1,080 points has room for; more are scrolled.
const IN_SIGHT: usize = 7;
/// How wide the place of a button behind a name is, in points.
const BUTTON: f32 = 22.0;

/// Draws it.
pub fn list(ui: &mut Ui, stream: &mut Stream, palette: &Palette) {
    let stands = ListRow {
        id: "mover.stand",
        key: "",
        name: "Stand",
        line: "drag it, or walk it with the arrows",
        low: true,
    };
    let chosen = stream.mover() == Mover::Nobody;
    if list_row(ui, palette, stands, chosen, |ui| {
        ui.label("The character stays where it is; drag it with the mouse.");
    }) && !chosen
    {
        stream.follow(Mover::Nobody);
    }
    let count = stream.paths().len();
    // Of one that has just come it is to be seen that it is there.
    let id = ui.id().with("paths so far");
    let before: usize = ui.data_mut(|data| data.get_temp(id)).unwrap_or(count);
    ui.data_mut(|data| data.insert_temp(id, count));
    if count <= IN_SIGHT {
        rows(ui, stream, palette, 0..count);
        if count < IN_SIGHT {
            to_come(ui, stream, palette);
        }
        return;
    }
    let room = LOW_ROW * IN_SIGHT as f32;
    let mut area = ScrollArea::vertical()
        .id_salt("paths")
        .max_height(room)
        .auto_shrink([false, true]);
    if count == before + 1 {
        area = area.vertical_scroll_offset(LOW_ROW * count as f32 - room);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let output = area.show_rows(ui, LOW_ROW, count, |ui, range| {
        rows(ui, stream, palette, range);
    });
    show_cut(ui, palette, &output);
}

/// The row of a path that is drawn and has no point yet: what stands below it stays where it is when its first point comes.
fn to_come(ui: &mut Ui, stream: &Stream, palette: &Palette) {
    let Some(drawing) = &stream.drawing else {
        return;
    };
    if stream.paths().iter().any(|path| path.name == drawing.name) {
        return;
    }
    let row = ListRow {
        id: "mover.to_come",
        key: "",
        name: &drawing.name,
        line: "no point yet",
        low: true,
    };
    ui.add_enabled_ui(false, |ui| {
        list_row(ui, palette, row, false, |ui| {
            ui.label("It comes with its first point.");
        })
    });
}

fn rows(ui: &mut Ui, stream: &mut Stream, palette: &Palette, range: std::ops::Range<usize>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for path in range {
        row(ui, stream, palette, path);
    }
}

fn row(ui: &mut Ui, stream: &mut Stream, palette: &Palette, path: usize) {
    let Some(way) = stream.paths().get(path).cloned() else {
        return;
    };
    let is_renamed = stream
        .renaming
        .as_ref()
        .is_some_and(|(name, _)| *name == way.name);
    if is_renamed {
        return field(ui, stream, palette);
    }
    let top = ui.cursor().min;
    let whole = Rect::from_min_size(top, vec2(ui.available_width(), LOW_ROW));
    // Buttons come with the pointer, and leave the words in peace otherwise.
    let is_hot = ui.rect_contains_pointer(whole);
    const COUNT: usize = 3;
    let room = if is_hot { COUNT as f32 * BUTTON } else { 0.0 };
    let name = elided(
        ui,
        &way.name,
        text(size::NAME),
        palette.text,
        whole.width() - 3.0 * BUTTON - 50.0,
    );
    let kind = match way.kind {
        PathKind::Walk => "walked",
        PathKind::Jump(_) => "jumped",
        PathKind::Recorded => "recorded",
    };
    // Nearly all are walked; of those it says nothing that is not said of all.
    let line = match way.kind {
        PathKind::Walk if way.points.len() == 1 => "1 point".to_owned(),
        PathKind::Walk => format!("{} points", way.points.len()),
        // A tick from each point to the next.
        PathKind::Recorded => {
            let seconds = way.points.len().saturating_sub(1) as f64 * STEP_SECONDS;
            format!("{seconds:.1} s, {kind}")
        }
        PathKind::Jump(_) => kind.to_owned(),
    };
    let id = format!("mover.{}", way.name.to_lowercase());
    let shown = ListRow {
        id: &id,
        key: "",
        name: name.text(),
        line: if is_hot { "" } else { &line },
        low: true,
    };
    let chosen = stream.mover() == Mover::Path(path);
    let help = format!(
        "{}: the character goes along this path, round and round ({kind}, {} points).",
        way.name,
        way.points.len()
    );
    let picked = list_row(ui, palette, shown, chosen, |ui| {
        ui.label(help);
    });
    let cells = Rect::from_min_max(
        pos2(whole.right() - room, whole.top()),
        whole.right_bottom(),
    );
    let cell = |place: usize| {
        let left = cells.left() + BUTTON * place as f32;
        Rect::from_min_size(pos2(left, cells.top() + 1.0), vec2(BUTTON, LOW_ROW - 2.0))
    };
    let (mut draws, mut renames, mut drops) = (false, false, false);
    if is_hot {
        let id = format!("path.points.{}", way.name.to_lowercase());
        let help = match way.kind {
            PathKind::Walk | PathKind::Jump(_) => "Edit the points of this path on the field.",
            PathKind::Recorded => {
                "Turn this recording into corners, which are walked at the speed on a path, and edit them on the field. Its own speed, rests and leaps are lost; undo brings it back."
            }
        };
        draws = cell_button(ui, palette, &id, cell(0), ("", help));
        three_points(ui, palette, cell(0));
        let id = format!("path.rename.{}", way.name.to_lowercase());
        let at = cell(COUNT - 2);
        renames = cell_button(ui, palette, &id, at, ("✏", "Rename this path."));
        let id = format!("path.delete.{}", way.name.to_lowercase());
        drops = cell_button(
            ui,
            palette,
            &id,
            cell(COUNT - 1),
            ("×", "Delete this path from the scene; undo brings it back."),
        );
    }
    if draws && way.kind == PathKind::Recorded {
        stream.straighten_path(way.name.clone());
    } else if draws {
        stream.draw_path(Some(way.name.clone()));
    } else if renames {
        stream.renaming = Some((way.name.clone(), way.name.clone()));
    } else if drops {
        stream.drop_path(way.name.clone());
    } else if picked && !chosen {
        stream.follow(Mover::Path(path));
    }
}

/// The picture on the button that edits points: a line with three of them.
fn three_points(ui: &Ui, palette: &Palette, cell: Rect) {
    let ink = match ui.rect_contains_pointer(cell) {
        true => palette.text,
        false => palette.text_third,
    };
    let places = [vec2(-6.0, 4.0), vec2(0.0, -4.0), vec2(6.0, 2.0)];
    let places = places.map(|way| cell.center() + way);
    let painter = ui.painter();
    painter.add(Shape::line(places.to_vec(), Stroke::new(1.1, ink)));
    for at in places {
        let point = Rect::from_center_size(at, vec2(3.6, 3.6));
        painter.rect_filled(point, CornerRadius::ZERO, ink);
    }
}

/// The field in which a path gets another name: Return takes it, Escape leaves the old one.
fn field(ui: &mut Ui, stream: &mut Stream, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LOW_ROW), Sense::hover());
    let Some((name, mut typed)) = stream.renaming.take() else {
        return;
    };
    ui.painter()
        .rect_filled(rect, CornerRadius::same(3), faded(palette.accent, 0.11));
    place(ui.ctx(), "path.name", rect);
    let edit = TextEdit::singleline(&mut typed)
        .id(ui.id().with("path name"))
        .char_limit(skirmish::scene::limits::MAX_NAME_CHARS)
        .font(text(size::NAME))
        .text_color(palette.text)
        .vertical_align(Align::Center)
        .margin(Margin::symmetric(4, 2));
    let response = ui
        .new_child(UiBuilder::new().max_rect(rect))
        .add_sized(rect.size(), edit);
    if !response.lost_focus() {
        // Whoever types gives it another name, and changes the old one only after a click into it.
        if !response.has_focus() {
            select_typed(ui, response.id, &typed);
        }
        response.request_focus();
        stream.renaming = Some((name, typed));
        return;
    }
    let given_up = ui.input(|input| input.key_pressed(Key::Escape));
    let typed = typed.trim();
    if !given_up && !typed.is_empty() && typed != name {
        stream.rename_path(name, typed.to_owned());
    }
}
