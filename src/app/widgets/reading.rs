//! What is read while a value is set: no tooltip of that value lies over it.
//!
//! Invariant: a frame has one such place, beside the values of one section. Of two only the last one would be known.

use egui_macroquad::egui::{Context, Id, Rect, Response};

fn read_id() -> Id {
    Id::new("what is read while a value is set")
}

/// Says that what stands in this rectangle is read while what stands closely above it is set: no tooltip of that lies over it.
pub fn is_read(ctx: &Context, rect: Rect) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(read_id(), (pass, rect)));
}

/// A control whose tooltip lies over nothing that is read while it is set: below all of that, or above the control where that has no room.
pub(super) fn off_what_is_read(response: Response) -> Response {
    /// What is read stands no farther below, in points: under two rows of sliders.
    const CLOSELY: f32 = 80.0;
    let pass = response.ctx.cumulative_pass_nr();
    let read: Option<(u64, Rect)> = response.ctx.data(|data| data.get_temp(read_id()));
    let (own, read) = (response.rect, read.filter(|(of, _)| of + 1 >= pass));
    let is_below = |rect: &Rect| {
        let way = rect.top() - own.bottom();
        (-1.0..CLOSELY).contains(&way) && rect.x_range().intersects(own.x_range())
    };
    match read.map(|(_, rect)| rect).filter(is_below) {
        Some(rect) => response.with_new_rect(own.with_max_y(rect.bottom())),
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{RawInput, Sense, vec2};

    #[test]
    fn a_tooltip_lies_below_what_is_read_while_its_control_is_set() {
        let ctx = Context::default();
        let rect = |top: f32, bottom: f32| Rect::from_x_y_ranges(10.0..=200.0, top..=bottom);
        let read = rect(100.0, 160.0);
        let _ = ctx.run(RawInput::default(), |ctx| {
            egui_macroquad::egui::CentralPanel::default().show(ctx, |ui| {
                is_read(ctx, read);
                let shown = |name: &str, own: Rect| {
                    let response = ui.interact(own, Id::new(name), Sense::click());
                    off_what_is_read(response).rect
                };
                let own = rect(60.0, 96.0);
                assert_eq!(shown("above", own), own.with_max_y(read.bottom()));
                let elsewhere = own.translate(vec2(400.0, 0.0));
                assert_eq!(shown("beside", elsewhere), elsewhere);
                let below = rect(170.0, 206.0);
                assert_eq!(shown("below", below), below);
            });
        });
    }
}
