//! A press beside an open menu closes that and does nothing else.
//!
//! egui closes a menu when a button is down beside it, hands the same press on to whatever lies there, and misses one that is over within
//! a frame. So it is told of such a press as of one outside the window, where nothing lies, and of its release in a later frame.

use egui_macroquad::egui::{Event, Modifiers, PointerButton, Pos2, pos2};

/// Outside the window.
const BESIDE: Pos2 = pos2(-1.0, -1.0);

/// Keeps presses beside an open menu from what lies there.
#[derive(Debug, Default)]
pub struct Shield {
    /// The button whose press was turned away, until it is released.
    turned: Option<PointerButton>,
    /// Whether that was in this frame.
    is_new: bool,
    /// What egui is told in the next frame.
    later: Vec<Event>,
}

impl Shield {
    /// Tells egui of a button: a press at a point that `is_shielded` is turned away, with its release.
    pub fn button(
        &mut self,
        (button, pressed): (PointerButton, bool),
        (pos, is_shielded): (Pos2, bool),
        modifiers: Modifiers,
        out: &mut Vec<Event>,
    ) {
        let event = |pos| Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        };
        if pressed && is_shielded && self.turned.is_none() {
            self.turned = Some(button);
            self.is_new = true;
            out.push(event(BESIDE));
        } else if !pressed && self.turned == Some(button) {
            self.turned = None;
            let out = if self.is_new { &mut self.later } else { out };
            out.extend([event(BESIDE), Event::PointerMoved(pos)]);
        } else {
            out.push(event(pos));
        }
    }

    /// A frame has been drawn: hands out what was kept for the next one.
    pub fn turn(&mut self, out: &mut Vec<Event>) {
        self.is_new = false;
        out.append(&mut self.later);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(shield: &mut Shield, pressed: bool, is_shielded: bool) -> Vec<Event> {
        let mut out = Vec::new();
        let button = (PointerButton::Primary, pressed);
        let at = (pos2(30.0, 40.0), is_shielded);
        shield.button(button, at, Modifiers::NONE, &mut out);
        out
    }

    fn places(events: &[Event]) -> Vec<(Pos2, Option<bool>)> {
        let place = |event: &Event| match event {
            Event::PointerButton { pos, pressed, .. } => (*pos, Some(*pressed)),
            Event::PointerMoved(pos) => (*pos, None),
            other => panic!("{other:?}"),
        };
        events.iter().map(place).collect()
    }

    #[test]
    fn a_press_beside_a_menu_is_told_as_one_outside_the_window() {
        let mut shield = Shield::default();
        let there = pos2(30.0, 40.0);
        assert_eq!(
            places(&told(&mut shield, true, true)),
            [(BESIDE, Some(true))]
        );
        shield.turn(&mut Vec::new());
        // By now the menu is closed.
        assert_eq!(
            places(&told(&mut shield, false, false)),
            [(BESIDE, Some(false)), (there, None)]
        );
        assert_eq!(
            places(&told(&mut shield, true, false)),
            [(there, Some(true))]
        );
    }

    #[test]
    fn a_click_within_a_frame_is_told_in_two() {
        let mut shield = Shield::default();
        assert_eq!(told(&mut shield, true, true).len(), 1);
        assert!(told(&mut shield, false, true).is_empty());
        let mut next = Vec::new();
        shield.turn(&mut next);
        let there = pos2(30.0, 40.0);
        assert_eq!(places(&next), [(BESIDE, Some(false)), (there, None)]);
    }
}
