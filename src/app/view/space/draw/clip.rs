//! Lines and flat shapes cut to a rectangle of the screen, so that nothing beyond it is walked through.

use egui_macroquad::egui::{Pos2, Rect, pos2};

/// The part of a straight line that lies in a rectangle (Liang and Barsky, 1984).
pub fn line(rect: Rect, from: Pos2, to: Pos2) -> Option<(Pos2, Pos2)> {
    // Most lines are short and need no cut.
    if rect.contains(from) && rect.contains(to) {
        return Some((from, to));
    }
    let way = to - from;
    if !(way.x.is_finite() && way.y.is_finite()) {
        return None;
    }
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (start, step, low, high) in [
        (from.x, way.x, rect.left(), rect.right()),
        (from.y, way.y, rect.top(), rect.bottom()),
    ] {
        if step == 0.0 {
            if !(low <= start && start <= high) {
                return None;
            }
        } else {
            let (a, b) = ((low - start) / step, (high - start) / step);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    if enter > leave {
        return None;
    }
    let start = if enter > 0.0 {
        from + way * enter
    } else {
        from
    };
    let end = if leave < 1.0 { from + way * leave } else { to };
    // Of a line that is much longer than the screen the cut is only nearly on its border.
    let end = pos2(
        end.x.clamp(rect.left(), rect.right()),
        end.y.clamp(rect.top(), rect.bottom()),
    );
    let start = pos2(
        start.x.clamp(rect.left(), rect.right()),
        start.y.clamp(rect.top(), rect.bottom()),
    );
    Some((start, end))
}

/// Cuts a convex shape to a rectangle (Sutherland and Hodgman, 1974); `spare` is room to work in.
pub fn polygon(rect: Rect, shape: &mut Vec<Pos2>, spare: &mut Vec<Pos2>) {
    let sides: [(bool, f32, f32); 4] = [
        (true, rect.left(), 1.0),
        (true, rect.right(), -1.0),
        (false, rect.top(), 1.0),
        (false, rect.bottom(), -1.0),
    ];
    for (is_across, bound, sign) in sides {
        let inside = |at: Pos2| (if is_across { at.x } else { at.y } - bound) * sign;
        spare.clear();
        let Some(last) = shape.last() else { return };
        let mut before = *last;
        for &here in shape.iter() {
            let (a, b) = (inside(before), inside(here));
            if (a < 0.0) != (b < 0.0) {
                spare.push(before + (here - before) * (a / (a - b)).clamp(0.0, 1.0));
            }
            if b >= 0.0 {
                spare.push(here);
            }
            before = here;
        }
        std::mem::swap(shape, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen() -> Rect {
        Rect::from_min_max(pos2(10.0, 10.0), pos2(110.0, 60.0))
    }

    #[test]
    fn a_line_keeps_what_lies_inside() {
        let cut = line(screen(), pos2(0.0, 30.0), pos2(200.0, 30.0));
        assert_eq!(cut, Some((pos2(10.0, 30.0), pos2(110.0, 30.0))));
        let whole = (pos2(20.0, 20.0), pos2(30.0, 50.0));
        assert_eq!(line(screen(), whole.0, whole.1), Some(whole));
        assert_eq!(line(screen(), pos2(0.0, 0.0), pos2(200.0, 5.0)), None);
        assert_eq!(line(screen(), pos2(0.0, 5.0), pos2(5.0, 0.0)), None);
        assert_eq!(line(screen(), pos2(f32::NAN, 20.0), pos2(50.0, 20.0)), None);
        let (from, to) = line(screen(), pos2(-1.0e9, 12.0), pos2(1.0e9, 58.0)).expect("it crosses");
        assert!(screen().contains(from) && screen().contains(to));
    }

    #[test]
    fn a_shape_keeps_what_lies_inside() {
        let mut spare = Vec::new();
        let mut around = vec![
            pos2(-1.0e6, -1.0e6),
            pos2(1.0e6, -1.0e6),
            pos2(1.0e6, 1.0e6),
            pos2(-1.0e6, 1.0e6),
        ];
        polygon(screen(), &mut around, &mut spare);
        let bounds = Rect::from_points(&around);
        assert!((bounds.min - screen().min).length() < 0.5);
        assert!((bounds.max - screen().max).length() < 0.5);
        let mut beside = vec![pos2(0.0, 0.0), pos2(5.0, 0.0), pos2(0.0, 200.0)];
        polygon(screen(), &mut beside, &mut spare);
        assert!(beside.is_empty());
    }
}
