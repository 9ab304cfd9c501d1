//! Where each widget is: for the report, and for who asks whether the field is covered there.

use egui_macroquad::egui::{Context, Id, Pos2, Rect, Vec2};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Where each named widget was in the last frame, in points. A test clicks where this says.
#[derive(Clone, Default)]
pub struct Places(pub BTreeMap<String, Rect>);

fn places_id() -> Id {
    Id::new("widget places")
}

/// Notes where a widget is.
pub fn place(ctx: &Context, name: &str, rect: Rect) {
    ctx.data_mut(|data| {
        let places = data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id());
        if let Ok(mut places) = places.lock() {
            places.0.insert(name.to_owned(), rect);
        }
    });
}

/// Forgets them, so that those of the next frames are all there are.
#[cfg(test)]
pub fn forget_places(ctx: &Context) {
    ctx.data_mut(|data| data.remove_temp::<Arc<Mutex<Places>>>(places_id()));
}

/// All places noted so far.
pub fn places(ctx: &Context) -> BTreeMap<String, Rect> {
    let places = ctx.data_mut(|data| {
        Arc::clone(data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id()))
    });
    places
        .lock()
        .map(|places| places.0.clone())
        .unwrap_or_default()
}

/// What lies over the field.
#[derive(Clone, Default)]
struct Lying {
    /// What has its place there and takes the clicks: chips and handles.
    covers: Vec<Rect>,
    /// The same of the last frame, for who is laid out before them.
    before: Vec<Rect>,
    /// What gives way to those and takes clicks all the same.
    floating: Vec<Rect>,
    /// Words that give way to all of these.
    labels: Vec<Rect>,
    /// What one looks at there.
    looked_at: Vec<Rect>,
    /// The pictures beside each other that it is parted into.
    panes: Vec<Rect>,
    /// What is said there or in a bar, since the last frame.
    toasts: Vec<Rect>,
}

fn lying<R>(ctx: &Context, with: impl FnOnce(&mut Lying) -> R) -> R {
    ctx.data_mut(|data| {
        with(data.get_temp_mut_or_default::<Lying>(Id::new("what lies over the field")))
    })
}

/// Notes that something has its place over the field and takes the clicks there. Others keep off it.
pub fn cover(ctx: &Context, rect: Rect) {
    lying(ctx, |lying| lying.covers.push(rect));
}

/// Notes that something takes the clicks where it lies over the field, which is elsewhere when something else needs the place.
pub fn float(ctx: &Context, rect: Rect) {
    lying(ctx, |lying| lying.floating.push(rect));
}

/// Notes what one looks at in the field: what is asked, or what happens. What is said there keeps off it.
pub fn look_at(ctx: &Context, rect: Rect) {
    lying(ctx, |lying| lying.looked_at.push(rect));
}

/// What one looks at in the field, as far as it has been laid out.
pub fn looked_at(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| lying.looked_at.clone())
}

/// Notes that the field is parted into pictures beside each other, and where one of them is.
pub fn note_pane(ctx: &Context, rect: Rect) {
    lying(ctx, |lying| lying.panes.push(rect));
}

/// The pictures beside each other that the field is parted into; none where it is one.
pub fn panes(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| lying.panes.clone())
}

/// Notes where something is said, over the field or in a bar: others keep off it from the next frame on.
pub fn set_toasts(ctx: &Context, toasts: Vec<Rect>) {
    lying(ctx, |lying| lying.toasts = toasts);
}

/// Where something was said in the last frame.
pub fn toasts(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| lying.toasts.clone())
}

/// Begins a frame: what lay over the field in the last one is known, and nothing of this one. Before anything is laid out.
pub fn clear_covers(ctx: &Context) {
    lying(ctx, |lying| {
        lying.before = std::mem::take(&mut lying.covers);
        lying.floating.clear();
        lying.labels.clear();
        lying.looked_at.clear();
        lying.panes.clear();
    });
}

/// Whether something lies over the field here, and takes clicks.
pub fn is_covered(ctx: &Context, at: Pos2) -> bool {
    lying(ctx, |lying| {
        let fixed = lying.covers.iter().chain(&lying.toasts);
        fixed.chain(&lying.floating).any(|rect| rect.contains(at))
    })
}

/// All that has its place over the field, laid out already or not, and what is said there.
pub fn occupied(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| {
        let all = lying.before.iter().chain(&lying.covers);
        all.chain(&lying.toasts).copied().collect()
    })
}

/// Where words stand over the field that have their place there.
pub fn words_there(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| lying.labels.clone())
}

/// What has been laid out over the field so far: for what comes last.
pub fn fixed_places(ctx: &Context) -> Vec<Rect> {
    lying(ctx, |lying| lying.covers.clone())
}

/// [`free_place`], and none where something would be covered all the same.
pub fn clear_place(
    room: Rect,
    size: Vec2,
    corners: impl IntoIterator<Item = Pos2>,
    taken: &[Rect],
) -> Option<Rect> {
    let rect = free_place(room, size, corners, taken)?;
    let is_clear = !taken.iter().any(|other| other.intersects(rect));
    is_clear.then_some(rect)
}

/// Notes where words stand over the field that have their place there.
pub fn mark_words(ctx: &Context, rect: Rect) {
    lying(ctx, |lying| lying.labels.push(rect));
}

/// A place for a few words over the field, at the first of `corners` that is free of all else; nowhere where none is.
pub fn label_place(
    ctx: &Context,
    room: Rect,
    size: Vec2,
    corners: impl IntoIterator<Item = Pos2>,
) -> Option<Rect> {
    let mut taken = occupied(ctx);
    lying(ctx, |lying| {
        taken.extend(&lying.labels);
        let rect = clear_place(room, size, corners, &taken)?;
        lying.labels.push(rect);
        Some(rect)
    })
}

/// The first of `corners` at which a rectangle of this size lies within `room` and off all that is `taken`, by a few points. It is
/// moved into the room first. Where there is no such place, the one that covers least.
pub fn free_place(
    room: Rect,
    size: Vec2,
    corners: impl IntoIterator<Item = Pos2>,
    taken: &[Rect],
) -> Option<Rect> {
    /// Between two things that lie over the field, in points.
    const APART: f32 = 4.0;
    let mut best: Option<(f32, Rect)> = None;
    for corner in corners {
        let x = corner
            .x
            .clamp(room.left(), (room.right() - size.x).max(room.left()));
        let y = corner
            .y
            .clamp(room.top(), (room.bottom() - size.y).max(room.top()));
        let rect = Rect::from_min_size(Pos2::new(x, y), size);
        let covered = |other: &Rect| {
            let common = other.expand(APART).intersect(rect);
            if common.is_positive() {
                common.area()
            } else {
                0.0
            }
        };
        let sum: f32 = taken.iter().map(covered).sum();
        if sum == 0.0 {
            return Some(rect);
        }
        if best.is_none_or(|(least, _)| sum < least) {
            best = Some((sum, rect));
        }
    }
    best.map(|(_, rect)| rect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};

    #[test]
    fn a_place_keeps_off_what_is_taken_and_stays_in_the_room() {
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        let size = vec2(30.0, 20.0);
        let at = |corners: &[(f32, f32)], taken: &[Rect]| {
            let corners = corners.iter().map(|(x, y)| pos2(*x, *y));
            free_place(room, size, corners, taken).map(|rect| (rect.left(), rect.top()))
        };
        assert_eq!(at(&[(95.0, -4.0)], &[]), Some((70.0, 0.0)));
        let left = Rect::from_min_size(pos2(0.0, 0.0), vec2(50.0, 100.0));
        assert_eq!(
            at(&[(10.0, 10.0), (60.0, 10.0)], &[left]),
            Some((60.0, 10.0))
        );
        // Beside each other they do not touch.
        assert_eq!(at(&[(51.0, 0.0), (56.0, 0.0)], &[left]), Some((56.0, 0.0)));
        // Nowhere is free: where the least is covered.
        assert_eq!(
            at(&[(10.0, 10.0), (40.0, 10.0)], &[left]),
            Some((40.0, 10.0))
        );
        assert_eq!(at(&[], &[]), None);
    }
}
