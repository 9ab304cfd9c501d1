//! Parts of a panel that scroll, and show that there is more: by a bar, and by a fade at the edge where they are cut.

use crate::app::palette::{Palette, faded};
use crate::app::theme::layout;
use egui_macroquad::egui::scroll_area::ScrollAreaOutput;
use egui_macroquad::egui::style::ScrollAnimation;
use egui_macroquad::egui::{
    Color32, Context, Id, Key, Mesh, Modifiers, Painter, Pos2, Rect, Response, ScrollArea, Sense,
    Ui, pos2, vec2,
};
use std::hash::Hash;

/// The bar floats over this much at the right, and not over the numbers.
pub const GUTTER: f32 = 10.0;

/// How much of a row is lit: at the left on to the edge of its panel, at the right up to the bar, however thick that is, and not under it.
pub fn lit(row: Rect) -> Rect {
    const BEFORE: f32 = 8.0;
    let right = row.right() + GUTTER - layout::BAR.1;
    Rect::from_min_max(row.min - vec2(BEFORE, 0.0), pos2(right, row.bottom()))
}

/// Below the last of it, in points; less where all of it has room, but not that.
const SPACE: f32 = 12.0;

/// How far a fade reaches, in points.
pub const FADE: f32 = 22.0;

/// What says nothing, or something else, as long as it is cut below: from where on it stands, and as far down as it has to be seen.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    left: f32,
    from: f32,
    until: f32,
    pass: u64,
}

fn whole_id() -> Id {
    Id::new("what is cut below and says nothing")
}

/// Has what stands from here on seen down to `until`, or not at all, where the part ends that scrolls.
pub fn whole_or_not(ui: &Ui, from: Pos2, until: f32) {
    // What scrolls is drawn a little beyond its area.
    let bottom = ui.clip_rect().bottom() - ui.visuals().clip_rect_margin;
    if from.y < bottom && bottom < until {
        let whole = Whole {
            left: from.x,
            from: from.y,
            until,
            pass: ui.ctx().cumulative_pass_nr(),
        };
        ui.data_mut(|data| data.insert_temp(whole_id(), whole));
    }
}

/// Takes what was to be seen whole in this area, or not at all, where that leaves something to be seen above it.
fn take_whole(ctx: &Context, area: Rect) -> Option<Whole> {
    /// So much stays above it, in points.
    const ABOVE: f32 = 2.0 * FADE;
    let pass = ctx.cumulative_pass_nr();
    let is_here = |it: &Whole| {
        let at = pos2(it.left, it.from);
        it.pass == pass && area.expand(1.0).contains(at) && it.from - area.top() >= ABOVE
    };
    ctx.data_mut(|data| {
        let whole = data.get_temp::<Whole>(whole_id()).filter(is_here)?;
        data.remove_temp::<Whole>(whole_id());
        Some(whole)
    })
}

/// Fills `ui` with what scrolls when it is higher than that, and gives how high it is.
pub fn scrolled(ui: &mut Ui, palette: &Palette, id: &str, add: impl FnOnce(&mut Ui)) -> f32 {
    scrolled_below(ui, palette, (id, 0.0), add)
}

/// The same where the bar begins so many points below the top: below a line that parts what scrolls from what is above it.
pub fn scrolled_below(
    ui: &mut Ui,
    palette: &Palette,
    (id, above_bar): (&str, f32),
    add: impl FnOnce(&mut Ui),
) -> f32 {
    let whole = ui.available_rect_before_wrap();
    let room = whole.height();
    let mut used = 0.0;
    // What can be dragged would be a stop on the way of Tab that nobody sees.
    let scrolling = ScrollArea::vertical()
        .drag_to_scroll(false)
        .id_salt(id)
        .scroll_bar_rect(whole.with_min_y(whole.top() + above_bar))
        .auto_shrink(false);
    let output = scrolling.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.set_max_width(ui.available_width() - GUTTER);
        let top = ui.cursor().top();
        add(ui);
        used = ui.cursor().top() - top;
        // Nothing scrolls for the sake of empty space.
        let left = room - used;
        ui.add_space(if left >= 0.0 { left.min(SPACE) } else { SPACE });
    });
    show_cut(ui, palette, &output);
    used + SPACE
}

/// What scrolls where it is higher than `most`, and is as low as it is otherwise: on a page, which is as high as it has to be.
pub fn scrolled_up_to(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    most: f32,
    add: impl FnOnce(&mut Ui),
) {
    /// What scrolls is no lower than this, in points, unless it is to be.
    const LEAST: f32 = 64.0;
    let output = ScrollArea::vertical()
        .drag_to_scroll(false)
        .id_salt(id)
        .max_height(most)
        .min_scrolled_height(most.min(LEAST))
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.set_max_width(ui.available_width() - GUTTER);
            add(ui);
        });
    scroll_by_keys(ui, &output, false);
    // No row is lit beyond it, and beside the bar the page may end.
    show_cut_aside(ui, palette, &output, ui.visuals().clip_rect_margin);
}

/// Shows where a part is cut that scrolls.
pub fn show_cut<R>(ui: &Ui, palette: &Palette, output: &ScrollAreaOutput<R>) {
    show_cut_aside(ui, palette, output, layout::PADDING);
}

/// The same where so many points of what scrolls are drawn beside its area.
fn show_cut_aside<R>(ui: &Ui, palette: &Palette, output: &ScrollAreaOutput<R>, aside: f32) {
    let area = output.inner_rect;
    super::audit::scrolls(ui.ctx(), area);
    // What scrolls is drawn a little beyond its area, and a row that is lit to the edge of its panel, where a fade that ended before
    // would let it appear once more.
    let margin = ui.visuals().clip_rect_margin;
    let drawn = area.expand2(vec2(aside, margin));
    let drawn = drawn.intersect(ui.clip_rect());
    if !drawn.is_positive() {
        return;
    }
    let below = output.content_size.y - output.state.offset.y - area.height();
    let hidden = [output.state.offset.y, below];
    if let Some(whole) = take_whole(ui.ctx(), area) {
        // It comes little by little as well.
        const WITHIN: f32 = 12.0;
        let lacks = (whole.until - area.bottom()).min(below);
        let ground = faded(palette.panel, (lacks / WITHIN).clamp(0.0, 1.0));
        // What stands above it is whole, and would seem to be out of use if it faded: that of the edge reaches it where little is free.
        let own = drawn.with_min_y(whole.from);
        ui.painter().add(gradient(own, [ground; 2]));
        if lacks >= WITHIN {
            // What nobody sees nobody clicks; beside it the bar is seen.
            let unseen = own.with_max_x(area.right() - GUTTER);
            let id = output.id.with("unseen");
            ui.interact(unseen, id, Sense::CLICK | Sense::DRAG);
        }
    }
    fade(ui.painter(), palette.panel, drawn, hidden);
}

/// Lets what stands in `area` fade into its ground where it goes on beyond it: by so many points above and below.
fn fade(painter: &Painter, ground: Color32, area: Rect, [above, below]: [f32; 2]) {
    let clear = Color32::from_rgba_premultiplied(0, 0, 0, 0);
    let most = (area.height() / 3.0).min(FADE);
    // It grows with what is hidden, so that nothing appears all at once.
    let (upper, lower) = (above.clamp(0.0, most), below.clamp(0.0, most));
    let parts = [
        (upper, area.with_max_y(area.top() + upper), [ground, clear]),
        (
            lower,
            area.with_min_y(area.bottom() - lower),
            [clear, ground],
        ),
    ];
    for (size, rect, colors) in parts {
        if size > 0.5 {
            painter.add(gradient(rect, colors));
        }
    }
}

/// So far an arrow scrolls, in points.
const LINE: f32 = 40.0;

/// Scrolls what fills the topmost page by keys. Page up and down mean nothing else there; arrows, Home and End are whoever's who has the
/// keyboard, but that a line of text without others above and below it, `is_line`, has no use for up and down.
pub fn scroll_by_keys<R>(ui: &Ui, output: &ScrollAreaOutput<R>, is_line: bool) {
    let (is_on_top, is_free) = ui.memory(|memory| {
        let is_on_top = memory.top_modal_layer() == Some(ui.layer_id());
        (is_on_top, memory.focused().is_none())
    });
    if !is_on_top {
        return;
    }
    let (room, whole) = (output.inner_rect.height(), output.content_size.y);
    let by = ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as f32;
        // Of the page before a little stays in sight.
        let mut by = (room - LINE).max(LINE) * (count(Key::PageDown) - count(Key::PageUp));
        if is_free || is_line {
            by += LINE * (count(Key::ArrowDown) - count(Key::ArrowUp));
        }
        if is_free {
            by += whole * (count(Key::End) - count(Key::Home));
        }
        by
    });
    if by != 0.0 {
        let mut state = output.state;
        // Beyond the end nothing would be drawn for a frame.
        state.offset.y = (state.offset.y + by).clamp(0.0, (whole - room).max(0.0));
        state.store(ui.ctx(), output.id);
        ui.ctx().request_repaint();
    }
}

/// A rectangle whose colour goes from one above to one below.
fn gradient(rect: Rect, [above, below]: [Color32; 2]) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.colored_vertex(rect.left_top(), above);
    mesh.colored_vertex(rect.right_top(), above);
    mesh.colored_vertex(rect.left_bottom(), below);
    mesh.colored_vertex(rect.right_bottom(), below);
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(1, 3, 2);
    mesh
}

/// Keeps a row in sight that was clicked, where what the click brings makes the part lower in which the row stands. `key` is what
/// the row is about: it may stand elsewhere by then.
pub fn keep_in_sight(ui: &Ui, key: impl Hash, row: &Response) {
    let clicked = Id::new("row that was clicked");
    let (key, height) = (Id::new(key).value(), ui.clip_rect().height());
    if row.clicked() {
        ui.data_mut(|data| data.insert_temp(clicked, (key, height)));
        return;
    }
    let known = ui.data(|data| data.get_temp::<(u64, f32)>(clicked));
    let Some((_, before)) = known.filter(|(id, _)| *id == key) else {
        return;
    };
    if height < before {
        ui.scroll_to_rect_animation(row.rect.expand(FADE), None, ScrollAnimation::none());
    }
    if height != before {
        ui.data_mut(|data| data.remove_temp::<(u64, f32)>(clicked));
    }
}

fn room_id() -> Id {
    Id::new("room of a panel")
}

/// How high what is in a panel can be without being cut, in points.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Beside all of what stays in sight at the bottom of the panel.
    pub beside: f32,
    /// Beside as little of that as is ever left to it: what is higher is scrolled.
    pub most: f32,
}

/// Tells the parts of a panel that are drawn next how high they can be together.
pub fn know_room_of_panel(ctx: &Context, room: Room) {
    ctx.data_mut(|data| data.insert_temp(room_id(), room));
}

/// How high that is, where it is known.
pub fn room_of_panel(ctx: &Context) -> Option<Room> {
    ctx.data(|data| data.get_temp(room_id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::theme;
    use egui_macroquad::egui::RawInput;

    #[test]
    fn the_fade_of_what_scrolls_on_a_page_ends_where_the_page_does() {
        use egui_macroquad::egui::{Shape, UiBuilder};
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let area = Rect::from_min_size(pos2(40.0, 40.0), vec2(240.0, 90.0));
        let output = ctx.run(RawInput::default(), |ctx| {
            let builder = UiBuilder::new().max_rect(area);
            let mut ui = Ui::new(ctx.clone(), Id::new("page"), builder);
            scrolled_up_to(&mut ui, &Palette::DARK, "rows", 90.0, |ui| {
                ui.allocate_space(vec2(100.0, 900.0));
            });
        });
        let fades = output.shapes.iter().filter_map(|it| match &it.shape {
            Shape::Mesh(mesh) => Some(mesh.calc_bounds()),
            _ => None,
        });
        let fades: Vec<Rect> = fades.collect();
        assert!(!fades.is_empty());
        for fade in fades {
            // The frame of a page leaves that much free beside it.
            assert!(area.expand(GUTTER).contains_rect(fade), "{fade:?}");
        }
    }

    #[test]
    fn the_caption_of_a_section_of_which_no_row_is_seen_lies_under_the_fade() {
        use super::super::section::{SECTION, section};
        use egui_macroquad::egui::{Shape, UiBuilder};
        const HIGH: f32 = 200.0;
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let area = Rect::from_min_size(pos2(40.0, 40.0), vec2(240.0, HIGH));
        // Whether something as opaque lies over the caption behind so much, where so much follows it.
        let is_covered = |before: f32, behind: f32, alpha: u8| {
            let mut caption = 0.0;
            let output = ctx.run(RawInput::default(), |ctx| {
                let builder = UiBuilder::new().max_rect(area);
                let mut ui = Ui::new(ctx.clone(), Id::new("panel"), builder);
                scrolled(&mut ui, &Palette::DARK, "rows", |ui| {
                    ui.allocate_space(vec2(100.0, before));
                    caption = ui.cursor().top() + SECTION / 2.0;
                    assert!(section(ui, &Palette::DARK, "quality", ""));
                    ui.allocate_space(vec2(100.0, behind));
                });
            });
            let covers = |shape: &Shape| match shape {
                Shape::Mesh(mesh) => {
                    let bounds = mesh.calc_bounds();
                    let is_opaque = mesh.vertices.iter().all(|it| it.color.a() >= alpha);
                    is_opaque && bounds.y_range().contains(caption)
                }
                _ => false,
            };
            output.shapes.iter().any(|it| covers(&it.shape))
        };
        // It begins to show before all of its first row does.
        for before in [130.0, 150.0, 160.0, 170.0] {
            let is_cut = before + SECTION + 20.0 - HIGH;
            assert_eq!(is_covered(before, 300.0, 255), is_cut >= 12.0, "{before}");
            assert_eq!(is_covered(before, 300.0, 1), is_cut > 0.0, "{before}");
        }
        // Of a section without a row nothing is cut.
        assert!(!is_covered(150.0, 0.0, 1));
    }

    #[test]
    fn a_row_before_a_section_of_which_nothing_is_seen_does_not_fade() {
        use super::super::section::section;
        use egui_macroquad::egui::{Shape, UiBuilder};
        const HIGH: f32 = 200.0;
        let area = Rect::from_min_size(pos2(40.0, 40.0), vec2(240.0, HIGH));
        // Whether something lies over the end of what is so high and has a section behind it.
        let fades = |before: f32| {
            let ctx = Context::default();
            theme::apply(&ctx, &Palette::DARK);
            let output = ctx.run(RawInput::default(), |ctx| {
                let builder = UiBuilder::new().max_rect(area);
                let mut ui = Ui::new(ctx.clone(), Id::new("panel"), builder);
                scrolled(&mut ui, &Palette::DARK, "rows", |ui| {
                    ui.allocate_space(vec2(100.0, before));
                    assert!(section(ui, &Palette::DARK, "quality", ""));
                    ui.allocate_space(vec2(100.0, 300.0));
                });
            });
            let end = area.top() + before - 1.0;
            output.shapes.iter().any(|it| match &it.shape {
                Shape::Mesh(mesh) => mesh.calc_bounds().y_range().contains(end),
                _ => false,
            })
        };
        for before in [155.0, 165.0, 175.0] {
            assert!(!fades(before), "{before}");
        }
        // At the very end of its panel it does, as everything there.
        assert!(fades(195.0));
    }

    #[test]
    fn a_caption_that_lies_wholly_under_the_fade_is_not_clicked() {
        use super::super::section::{SECTION, section, take_clicked_sections};
        use egui_macroquad::egui::{Event, PointerButton, UiBuilder};
        const HIGH: f32 = 200.0;
        let area = Rect::from_min_size(pos2(40.0, 40.0), vec2(240.0, HIGH));
        let is_clicked = |before: f32| {
            let ctx = Context::default();
            theme::apply(&ctx, &Palette::DARK);
            let mut caption = Pos2::ZERO;
            let mut frame = |events: Vec<Event>| {
                let input = RawInput {
                    events,
                    ..RawInput::default()
                };
                let _ = ctx.run(input, |ctx| {
                    let builder = UiBuilder::new().max_rect(area);
                    let mut ui = Ui::new(ctx.clone(), Id::new("panel"), builder);
                    scrolled(&mut ui, &Palette::DARK, "rows", |ui| {
                        ui.allocate_space(vec2(100.0, before));
                        caption = ui.cursor().min + vec2(20.0, SECTION / 2.0);
                        assert!(section(ui, &Palette::DARK, "quality", ""));
                        ui.allocate_space(vec2(100.0, 300.0));
                    });
                });
                caption
            };
            frame(Vec::new());
            let at = frame(Vec::new());
            let button = |pressed| Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            };
            frame(vec![Event::PointerMoved(at)]);
            frame(vec![button(true)]);
            frame(vec![button(false)]);
            !take_clicked_sections(&ctx).is_empty()
        };
        // Its first row is seen, a part of that, and so little that none of the section is.
        assert!(is_clicked(100.0));
        assert!(is_clicked(152.0));
        assert!(!is_clicked(165.0));
    }

    #[test]
    fn a_bar_begins_below_the_line_above_what_scrolls() {
        use egui_macroquad::egui::{Shape, UiBuilder};
        let area = Rect::from_min_size(pos2(10.0, 10.0), vec2(240.0, 200.0));
        let bar_top = |above_bar: f32| {
            let ctx = Context::default();
            theme::apply(&ctx, &Palette::DARK);
            let frame = || {
                ctx.run(RawInput::default(), |ctx| {
                    let builder = UiBuilder::new().max_rect(area);
                    let mut ui = Ui::new(ctx.clone(), Id::new("panel"), builder);
                    scrolled_below(&mut ui, &Palette::DARK, ("rows", above_bar), |ui| {
                        ui.allocate_space(vec2(100.0, 900.0));
                    });
                })
            };
            frame();
            let shapes = frame().shapes.into_iter();
            let bars = shapes.filter_map(|it| match it.shape {
                Shape::Rect(bar) if bar.fill.a() > 0 => Some(bar.rect.top()),
                _ => None,
            });
            bars.fold(f32::INFINITY, f32::min)
        };
        assert_eq!(bar_top(0.0), area.top());
        assert_eq!(bar_top(6.0), area.top() + 6.0);
    }

    #[test]
    fn a_row_is_lit_up_to_the_bar_beside_it_and_not_under_it() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let area = Rect::from_min_size(pos2(10.0, 10.0), vec2(240.0, 90.0));
        let mut row = Rect::NOTHING;
        let _ = ctx.run(RawInput::default(), |ctx| {
            let builder = egui_macroquad::egui::UiBuilder::new().max_rect(area);
            let mut ui = Ui::new(ctx.clone(), Id::new("panel"), builder);
            scrolled(&mut ui, &Palette::DARK, "rows", |ui| {
                let size = vec2(ui.available_width(), 900.0);
                row = ui.allocate_space(size).1;
            });
        });
        // It floats at the right edge.
        let bar = ctx.style().spacing.scroll.bar_width;
        let lit = lit(row);
        assert!(lit.contains_rect(row));
        assert!(lit.right() <= area.right() - bar, "{lit:?} {area:?}");
    }
}
