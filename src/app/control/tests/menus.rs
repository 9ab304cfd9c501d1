//! What is chosen in the menus, by the mouse and by keys.

use super::*;

impl Window {
    fn open_menu(&mut self, menu: &str) {
        self.click_on(&format!("menu.{menu}"));
        // It is as wide as its lines from the second frame on.
        (0..3).for_each(|_| self.frame(&[]));
        assert!(self.app.menu_open, "{menu}");
    }

    fn stop_list_is_open(&self) -> bool {
        let list = egui::Id::new("stop list");
        self.ctx.memory(|memory| memory.is_popup_open(list))
    }
}

#[test]
fn the_list_of_what_time_stops_for_stays_open_that_was_chosen_in_the_menu() {
    for (text, view) in [
        (WORLD, View::Streaming),
        (WORLD, View::Battle),
        (BATTLE, View::Battle),
        (BATTLE, View::Compare),
    ] {
        let mut window = Window::open(text);
        window.size = vec2(1280.0, 1400.0);
        window.app.run(Command::View(view));
        window.frame(&[]);
        window.open_menu("Run");
        window.click_on("entry.Stop when\u{2026}");
        (0..3).for_each(|_| window.frame(&[]));
        assert!(window.stop_list_is_open(), "{view:?}");
        assert!(widgets::places(&window.ctx).contains_key("stop.elapsed"));
        // And its own button closes it.
        window.click_on("stops");
        (0..2).for_each(|_| window.frame(&[]));
        assert!(!window.stop_list_is_open(), "{view:?}");
    }
}
