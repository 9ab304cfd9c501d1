//! A press beside an open menu closes that and does nothing else.
//!
//! egui closes a menu when a button is down beside it, hands the same press on to whatever lies there, and misses one that is over within
//! a frame. So it is told of such a press as of one outside the window, where nothing lies, and of its release in a later frame. A list that
//! has been unfolded would wait for a click, which this is none of as soon as the pointer moves: that is closed here.

use egui_macroquad::egui::{Context, Event, Memory, Modifiers, PointerButton, Pos2, pos2};

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
        context: &Context,
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
            context.memory_mut(Memory::close_popup);
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
    use egui_macroquad::egui::{
        CentralPanel, PopupCloseBehavior, RawInput, Rect, popup_below_widget, vec2,
    };

    fn told(shield: &mut Shield, pressed: bool, is_shielded: bool) -> Vec<Event> {
        let mut out = Vec::new();
        let button = (PointerButton::Primary, pressed);
        let at = (pos2(30.0, 40.0), is_shielded);
        let context = Context::default();
        shield.button(&context, button, at, Modifiers::NONE, &mut out);
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

    /// A list below a button, in a window of its own.
    struct Listed {
        context: Context,
        shield: Shield,
        events: Vec<Event>,
        opener: Rect,
    }

    impl Listed {
        fn new() -> Self {
            let mut listed = Self {
                context: Context::default(),
                shield: Shield::default(),
                events: Vec::new(),
                opener: Rect::NOTHING,
            };
            (0..3).for_each(|_| listed.frame());
            listed
        }

        fn is_open(&self) -> bool {
            self.context.memory(|memory| memory.any_popup_open())
        }

        fn frame(&mut self) {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0))),
                events: std::mem::take(&mut self.events),
                ..RawInput::default()
            };
            let opener = &mut self.opener;
            let _ = self.context.run(input, |context| {
                CentralPanel::default().show(context, |ui| {
                    let list = ui.make_persistent_id("list");
                    let response = ui.button("unfold");
                    *opener = response.rect;
                    if response.clicked() {
                        ui.memory_mut(|memory| memory.toggle_popup(list));
                    }
                    let close = PopupCloseBehavior::CloseOnClickOutside;
                    popup_below_widget(ui, list, &response, close, |ui| ui.label("entry"));
                });
            });
            self.shield.turn(&mut self.events);
        }

        fn button(&mut self, at: Pos2, pressed: bool) {
            self.events.push(Event::PointerMoved(at));
            let is_shielded = pressed && self.is_open();
            self.shield.button(
                &self.context,
                (PointerButton::Primary, pressed),
                (at, is_shielded),
                Modifiers::NONE,
                &mut self.events,
            );
            self.frame();
        }
    }

    #[test]
    fn a_list_that_is_unfolded_is_closed_by_its_own_button_and_by_a_press_from_which_the_pointer_moves_on()
     {
        let mut listed = Listed::new();
        let opener = listed.opener.center();
        let beside = pos2(300.0, 200.0);
        for (from, to) in [(opener, opener), (beside, beside + vec2(20.0, 0.0))] {
            listed.button(opener, true);
            listed.button(opener, false);
            assert!(listed.is_open());
            listed.button(from, true);
            listed.button(to, false);
            (0..3).for_each(|_| listed.frame());
            assert!(!listed.is_open(), "{from:?}");
        }
    }
}
