//! What is said beside the pointer of the unit under it, while an operation is gone through: the same as on a plane.

use crate::app::palette::Palette;
use crate::app::state::{App, Pointed};
use crate::app::theme::{size, text};
use crate::app::view::chips::chip;
use crate::app::view::step::fate;
use egui_macroquad::egui::{Rect, Ui, pos2, vec2};

/// How far the words stand from the pointer, and how long their lines are, in points.
const BESIDE: f32 = 18.0;
const LINE: f32 = 300.0;

/// Says what has become of the unit under the pointer by the present step, off what is `taken`. Where there is no room for the sentence
/// there is its title, and where there is none for that there is nothing: the panel has it.
pub fn say(ui: &Ui, app: &App, palette: &Palette, taken: &[Rect]) {
    let stepping = app.stepping.as_ref().filter(|_| app.has_steps());
    let told = stepping.and_then(|stepping| Some((stepping, stepping.shown()?)));
    let (Some(told), Some(unit), Some(at)) = (told, app.lane().frame3.unit, app.pointer()) else {
        return;
    };
    let Some((title, sentence)) = fate(app, told, Pointed::Unit(unit)) else {
        return;
    };
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    let title = painter.layout_no_wrap(title, text(size::SECOND), palette.text);
    let sentence = painter.layout(
        sentence,
        text(size::DESCRIPTION),
        palette.text_second,
        LINE.max(title.size().x),
    );
    let below = title.size().y + 2.0;
    let wide = title.size().x.max(sentence.size().x);
    let forms = [
        (vec2(wide, below + sentence.size().y), true),
        (title.size(), false),
    ];
    let room = app.free_field().shrink(8.0);
    let place = forms.into_iter().find_map(|(words, is_whole)| {
        let whole = words + vec2(20.0, 12.0);
        let (right, left) = (at.x + BESIDE, at.x - BESIDE - whole.x);
        let (below, above) = (at.y + BESIDE, at.y - BESIDE - whole.y);
        let corners = [(right, below), (right, above), (left, below), (left, above)];
        let mut places = corners
            .map(|(x, y)| Rect::from_min_size(pos2(x, y), whole))
            .into_iter();
        let is_free = |rect: &Rect| {
            room.contains_rect(*rect) && !taken.iter().any(|other| other.intersects(*rect))
        };
        places.find(is_free).map(|rect| (rect, is_whole))
    });
    let Some((rect, is_whole)) = place else {
        return;
    };
    chip(&painter, palette, rect);
    let corner = rect.min + vec2(10.0, 6.0);
    painter.galley(corner, title, palette.text);
    if is_whole {
        painter.galley(corner + vec2(0.0, below), sentence, palette.text_second);
    }
}
