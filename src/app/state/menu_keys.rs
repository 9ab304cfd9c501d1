//! The keys of the menus of the bar: arrows walk the entries of the one that is open, unfold and fold what leads further, and go on to the
//! menus beside it; Return chooses the entry that is lit.

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

/// An entry that leads further: where it leads to opens beside it under the pointer, and by keys below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// What can be saved besides the scene.
    Export,
    /// The scenes that were open last.
    Recent,
}

/// How many of these there are.
const FURTHER: usize = 2;

/// What a key asks of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    /// Unfold the one that is lit.
    Open,
    /// Fold this one.
    Shut(Further),
}

/// Which entry of the menu that is open keys have lit.
///
/// Entries are counted as they are drawn, those that can be chosen alone: a walk passes over the others, but for those of which that may change
/// while it is open.
#[derive(Clone, Copy, Debug, Default)]
pub struct MenuKeys {
    menu: Option<Menu>,
    at: Option<usize>,
    is_chosen: bool,
    /// Whether the entry that is lit is chosen in the frame that is laid out.
    is_due: bool,
    is_drawn: bool,
    /// Whether it stands in the one for all menus of the bar: then none is beside it.
    is_in_one: bool,
    /// The menu that stands in that one alone, in place of the names of all.
    alone: Option<Menu>,
    entries: usize,
    /// The places of the entries that lead further, as they were drawn last.
    leading: [Option<usize>; FURTHER],
    /// Of each entry that leads further and is unfolded its place and that of the last one to which it leads, as they were drawn last.
    unfolded: [Option<[usize; 2]>; FURTHER],
    /// What a key asks for, and what is due of that in the frame that is laid out; whether something was unfolded in that.
    asked: Option<Fold>,
    due: Option<Fold>,
    has_opened: bool,
    /// The menu to which a key leads, and the one to which it does in the frame that is laid out.
    to: Option<Menu>,
    due_to: Option<Menu>,
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

    /// Opens the first menu, or closes the one that is open.
    pub fn turn(&mut self) {
        self.to = self.menu.filter(|_| self.is_drawn).or(Some(Menu::BAR[0]));
    }

    /// Unfolds where the entry that is lit leads to, if it leads further; else it goes on to the next menu.
    pub fn right(&mut self) {
        match self.at {
            Some(at) if self.leading.contains(&Some(at)) => self.asked = Some(Fold::Open),
            _ => self.go_beside(1),
        }
    }

    /// Folds that in which the entry is that is lit, if it is in such; else it goes back to the menu before.
    pub fn left(&mut self) {
        let is_in = |of: &Further| {
            let places = self.unfolded[*of as usize].zip(self.at);
            places.is_some_and(|([first, last], at)| (first..=last).contains(&at))
        };
        let mut all = [Further::Export, Further::Recent].into_iter();
        match all.find(is_in) {
            Some(of) => self.asked = Some(Fold::Shut(of)),
            None => self.go_beside(Menu::BAR.len() - 1),
        }
    }

    /// Goes to the menu that stands so many places further on in the bar, behind the last one to the first.
    fn go_beside(&mut self, places: usize) {
        let place = Menu::BAR.iter().position(|it| Some(*it) == self.menu);
        self.to = place
            .filter(|_| !self.is_in_one)
            .map(|place| Menu::BAR[(place + places) % Menu::BAR.len()]);
    }

    /// Whether a key leads to this menu, in the frame that is laid out.
    pub fn leads_to(&self, menu: Menu) -> bool {
        self.due_to == Some(menu)
    }

    /// Whether a key leads to a menu, or closes the one that is open, in the frame that comes.
    pub fn lead(&self) -> bool {
        self.to.is_some()
    }

    /// Whether a key opens or closes the one that stands for all menus of the bar, in the frame that is laid out: what is open there is closed
    /// by the key that leads to it.
    pub fn turn_all(&self) -> bool {
        self.due_to.is_some() && self.due_to == self.menu.or(Some(Menu::BAR[0]))
    }

    /// The menu that stands in the one for all menus of the bar in place of their names, which no key walks: the one to which a key has led
    /// last, as long as it is open.
    pub fn alone(&mut self) -> Option<Menu> {
        self.alone = self.due_to.or(self.alone);
        self.alone
    }

    /// Whether keys have lit an entry, or lead to a menu: then a pointer that lies on the bar opens none.
    pub fn have_it(&self) -> bool {
        self.at.is_some() || self.due_to.is_some()
    }

    /// Whoever moves the pointer lights by that; where a key leads before that in the same frame it leads all the same.
    pub fn let_go(&mut self) {
        (self.at, self.is_chosen, self.asked) = (None, false, None);
    }

    /// Whoever walks to a control has the keyboard there, and in no menu.
    pub fn leave(&mut self) {
        self.let_go();
        self.to = None;
    }

    /// A frame is laid out: without a menu in the last one nothing is lit, and nothing that was not in that.
    pub fn begin_frame(&mut self) {
        if !self.is_open() {
            *self = Self {
                to: self.to,
                ..Self::default()
            };
        }
        let last = self.entries.checked_sub(1);
        self.at = self.at.zip(last).map(|(at, last)| at.min(last));
        self.is_due = std::mem::take(&mut self.is_chosen);
        self.due = self.asked.take();
        self.due_to = self.to.take();
        (self.is_drawn, self.is_in_one, self.entries) = (false, false, 0);
        self.leading = [None; FURTHER];
    }

    /// The one that stands for all menus of the bar is drawn: it has no entries of its own.
    pub fn begin_all(&mut self) {
        (self.is_drawn, self.is_in_one) = (true, true);
    }

    /// The entries of this menu are drawn. Of one to which a key has led the first is lit.
    pub fn begin(&mut self, menu: Menu) {
        if self.menu != Some(menu) {
            *self = Self {
                menu: Some(menu),
                at: self.leads_to(menu).then_some(0),
                is_in_one: self.is_in_one,
                alone: self.alone,
                ..Self::default()
            };
        }
        self.is_drawn = true;
    }

    /// The next entry is drawn of those that are walked: whether keys have lit it, and whether they choose it.
    pub fn entry(&mut self) -> (bool, bool) {
        let is_lit = self.at == Some(self.entries);
        self.entries += 1;
        (is_lit, is_lit && std::mem::take(&mut self.is_due))
    }

    /// An entry is drawn that leads further: whether keys have lit it, and whether what it leads to stands below it: that is drawn next, and then
    /// it is [told](Self::led) to be. Whoever has just unfolded it stands on the first of those.
    pub fn leads(&mut self, further: Further) -> (bool, bool) {
        let place = self.entries;
        self.leading[further as usize] = Some(place);
        let (is_lit, is_chosen) = self.entry();
        let was = self.unfolded[further as usize].is_some();
        let is_asked = match self.due {
            Some(Fold::Open) => is_lit && !was,
            Some(Fold::Shut(of)) => of == further && was,
            None => false,
        };
        let turns = is_chosen || is_asked;
        let is_unfolded = was != turns;
        self.unfolded[further as usize] = is_unfolded.then_some([place; 2]);
        if turns {
            self.due = None;
            self.has_opened = is_unfolded;
            self.at = Some(place + usize::from(is_unfolded));
        }
        (self.at == Some(place), is_unfolded)
    }

    /// All is drawn to which one leads that is unfolded.
    pub fn led(&mut self, further: Further) {
        let last = self.entries.saturating_sub(1);
        if let Some([place, end]) = &mut self.unfolded[further as usize] {
            *end = last;
            // Where it leads to nothing that could be chosen it is lit itself.
            if std::mem::take(&mut self.has_opened) && last == *place {
                self.at = Some(last);
            }
        }
    }

    /// Folds one by the pointer.
    pub fn shut(&mut self, further: Further) {
        self.unfolded[further as usize] = None;
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
    fn arrows_unfold_what_leads_further_walk_it_and_fold_it() {
        // One entry, one that leads to so many more, and another one: which is lit, and what is chosen.
        let draw = |keys: &mut MenuKeys, leads_to: usize| {
            keys.begin_frame();
            keys.begin(Menu::BAR[0]);
            let mut drawn = vec![("first", keys.entry())];
            let (is_lit, is_unfolded) = keys.leads(Further::Export);
            drawn.push(("further", (is_lit, false)));
            if is_unfolded {
                drawn.extend((0..leads_to).map(|_| ("inner", keys.entry())));
                keys.led(Further::Export);
            }
            drawn.push(("last", keys.entry()));
            let lit = drawn.iter().position(|(_, (is_lit, _))| *is_lit);
            let chosen = drawn.iter().find(|(_, (_, is_chosen))| *is_chosen);
            (drawn.len(), lit, chosen.map(|(name, _)| *name))
        };
        let mut keys = MenuKeys::default();
        assert_eq!(draw(&mut keys, 2), (3, None, None));
        // Nothing is lit that could be unfolded, and then it leads nowhere.
        keys.right();
        assert_eq!(draw(&mut keys, 2), (3, None, None));
        keys.walk(MenuWay::Down);
        keys.right();
        assert_eq!(draw(&mut keys, 2), (3, Some(0), None));
        keys.walk(MenuWay::Down);
        assert_eq!(draw(&mut keys, 2), (3, Some(1), None));
        keys.right();
        assert_eq!(draw(&mut keys, 2), (5, Some(2), None));
        keys.walk(MenuWay::Down);
        assert_eq!(draw(&mut keys, 2), (5, Some(3), None));
        keys.choose();
        assert_eq!(draw(&mut keys, 2), (5, Some(3), Some("inner")));
        // From within, the arrow leads back to what leads there; from elsewhere nowhere.
        keys.left();
        assert_eq!(draw(&mut keys, 2), (3, Some(1), None));
        keys.choose();
        assert_eq!(draw(&mut keys, 2), (5, Some(2), None));
        keys.walk(MenuWay::First);
        keys.left();
        assert_eq!(draw(&mut keys, 2), (5, Some(0), None));
        keys.walk(MenuWay::Down);
        keys.choose();
        assert_eq!(draw(&mut keys, 2), (3, Some(1), None));
        // What leads to nothing that can be chosen is lit again once that is known, and is walked past.
        keys.right();
        draw(&mut keys, 0);
        assert_eq!(draw(&mut keys, 0), (3, Some(1), None));
        keys.walk(MenuWay::Down);
        assert_eq!(draw(&mut keys, 0), (3, Some(2), None));
    }

    #[test]
    fn arrows_lead_to_the_menus_beside_and_around_the_bar() {
        let bar = Menu::BAR;
        let mut keys = MenuKeys::default();
        // The bar opens the one to which a key leads; another one is open as long as none is.
        let step = |keys: &mut MenuKeys, open: Option<Menu>| {
            keys.begin_frame();
            let led = bar.into_iter().find(|menu| keys.leads_to(*menu));
            let open = match led == open {
                true => open.filter(|_| led.is_none()),
                false => led.or(open),
            };
            if let Some(menu) = open {
                keys.begin(menu);
                keys.entry();
            }
            open
        };
        keys.turn();
        let mut open = step(&mut keys, None);
        assert_eq!(open, Some(bar[0]));
        let last = bar[bar.len() - 1];
        for (goes_right, expected) in [
            (true, bar[1]),
            (true, bar[2]),
            (false, bar[1]),
            (false, bar[0]),
            (false, last),
            (true, bar[0]),
        ] {
            match goes_right {
                true => keys.right(),
                false => keys.left(),
            }
            open = step(&mut keys, open);
            assert_eq!(open, Some(expected));
            assert!(keys.have_it(), "its first entry is lit");
            assert_eq!(step(&mut keys, open), open, "it stays");
        }
        keys.turn();
        assert_eq!(step(&mut keys, open), None, "closed by the same key");
        // In the one that stands for all there is none beside.
        keys.begin_frame();
        keys.begin_all();
        keys.begin(bar[1]);
        keys.right();
        keys.begin_frame();
        assert!(!bar.into_iter().any(|menu| keys.leads_to(menu)));
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
