//! The keys of an open menu of the bar: arrows walk its entries, Return chooses the one that is lit.

use crate::app::commands::Menu;

/// Where an arrow leads in a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuWay {
    /// To the entry below, behind the last one to the first.
    Down,
    /// To the entry above.
    Up,
    /// To the first entry.
    First,
    /// To the last one.
    Last,
}

/// Which entry of the menu that is open keys have lit.
///
/// Entries are counted as they are drawn, those that can be chosen alone: a walk passes over the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct MenuKeys {
    menu: Option<Menu>,
    at: Option<usize>,
    is_chosen: bool,
    /// Whether the entry that is lit is chosen in the frame that is laid out.
    is_due: bool,
    is_drawn: bool,
    entries: usize,
}

impl MenuKeys {
    /// Whether a menu was open in the last frame, or is in this one as far as that is drawn.
    pub fn is_open(&self) -> bool {
        self.is_drawn
    }

    /// Goes on to another entry, of which none is chosen yet.
    pub fn walk(&mut self, way: MenuWay) {
        self.is_chosen = false;
        let Some(last) = self.entries.checked_sub(1) else {
            return;
        };
        self.at = Some(match (way, self.at) {
            (MenuWay::Down, Some(at)) if at < last => at + 1,
            (MenuWay::Up, Some(at)) if at > 0 => (at - 1).min(last),
            (MenuWay::Down | MenuWay::First, _) => 0,
            (MenuWay::Up | MenuWay::Last, _) => last,
        });
    }

    /// Chooses the entry that is lit, in the next frame and in no later one.
    pub fn choose(&mut self) {
        self.is_chosen = self.at.is_some();
    }

    /// Whoever moves the pointer lights by that.
    pub fn let_go(&mut self) {
        (self.at, self.is_chosen) = (None, false);
    }

    /// A frame is laid out: without a menu in the last one nothing is lit, and nothing that was not in that.
    pub fn begin_frame(&mut self) {
        if !self.is_open() {
            *self = Self::default();
        }
        let last = self.entries.checked_sub(1);
        self.at = self.at.zip(last).map(|(at, last)| at.min(last));
        self.is_due = std::mem::take(&mut self.is_chosen);
        (self.is_drawn, self.entries) = (false, 0);
    }

    /// The one that stands for all menus of the bar is drawn: it has no entries of its own.
    pub fn begin_all(&mut self) {
        self.is_drawn = true;
    }

    /// The entries of this menu are drawn.
    pub fn begin(&mut self, menu: Menu) {
        if self.menu != Some(menu) {
            *self = Self {
                menu: Some(menu),
                ..Self::default()
            };
        }
        self.is_drawn = true;
    }

    /// The next entry that can be chosen is drawn: whether keys have lit it, and whether they choose it.
    pub fn entry(&mut self) -> (bool, bool) {
        let is_lit = self.at == Some(self.entries);
        self.entries += 1;
        (is_lit, is_lit && std::mem::take(&mut self.is_due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(keys: &mut MenuKeys, menu: Menu, count: usize) -> Vec<(bool, bool)> {
        keys.begin_frame();
        keys.begin(menu);
        (0..count).map(|_| keys.entry()).collect()
    }

    #[test]
    fn arrows_go_around_and_return_chooses_once() {
        let [menu, other] = [Menu::BAR[0], Menu::BAR[1]];
        let mut keys = MenuKeys::default();
        keys.walk(MenuWay::Down);
        keys.choose();
        assert!(
            draw(&mut keys, menu, 3)
                .iter()
                .all(|it| *it == (false, false))
        );
        for (way, lit) in [
            (MenuWay::Down, 0),
            (MenuWay::Up, 2),
            (MenuWay::Down, 0),
            (MenuWay::Down, 1),
            (MenuWay::Last, 2),
            (MenuWay::First, 0),
        ] {
            keys.walk(way);
            let drawn = draw(&mut keys, menu, 3);
            let place = drawn.iter().position(|(is_lit, _)| *is_lit);
            assert_eq!(place, Some(lit), "{way:?}");
        }
        keys.choose();
        assert_eq!(draw(&mut keys, menu, 3)[0], (true, true));
        assert_eq!(draw(&mut keys, menu, 3)[0], (true, false));
        // Another menu begins without, and so does one that was closed meanwhile.
        assert!(draw(&mut keys, other, 3).iter().all(|(lit, _)| !lit));
        keys.walk(MenuWay::Last);
        keys.begin_frame();
        keys.begin_frame();
        assert!(draw(&mut keys, other, 3).iter().all(|(lit, _)| !lit));
    }

    #[test]
    fn a_choice_that_is_not_drawn_is_gone_with_its_frame() {
        let menu = Menu::BAR[0];
        let mut keys = MenuKeys::default();
        let is_chosen = |drawn: Vec<(bool, bool)>| drawn.iter().any(|it| it.1);
        draw(&mut keys, menu, 3);
        keys.walk(MenuWay::Last);
        draw(&mut keys, menu, 3);
        keys.choose();
        // The last entry cannot be chosen any more: neither it nor the one that is then the last is.
        assert!(!is_chosen(draw(&mut keys, menu, 2)));
        assert!(!is_chosen(draw(&mut keys, menu, 3)));
        // One is lit that there is.
        draw(&mut keys, menu, 2);
        assert_eq!(draw(&mut keys, menu, 2)[1], (true, false));
        keys.choose();
        keys.walk(MenuWay::Up);
        assert!(!is_chosen(draw(&mut keys, menu, 2)));
        keys.choose();
        keys.let_go();
        assert!(!is_chosen(draw(&mut keys, menu, 2)));
    }
}
