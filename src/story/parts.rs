//! In which order a search for units goes through the parts of a node, read off its events.

use super::atlas::Place;
use super::scenery::Scenery;
use crate::partition::RegionId;
use crate::probe::Event;

/// Says why a part of a node comes before the others of it: of the first node at which it is seen, once of a part that is left out and once of
/// one that is entered.
///
/// Invariant: of a search whose events are not all kept it says nothing that those which are not could make untrue.
pub struct Order {
    /// Whether there were more events than are told.
    is_cut: bool,
    says_left_out: bool,
    says_entered: bool,
}

impl Order {
    /// Of fewer parts than this one is the first, and the other comes after it.
    const LEAST: usize = 3;

    /// Before the first event of a search, which has more of them than are told, or not.
    pub fn new(is_cut: bool) -> Self {
        Self {
            is_cut,
            says_left_out: false,
            says_entered: false,
        }
    }

    /// Why this part has its event now, as a search for who is in an `area` goes; nothing where that has been said, or the events do not bear
    /// it out.
    pub fn why(
        &mut self,
        (before, area): (&Scenery<'_>, &str),
        (events, at): (&[Event], usize),
        place: &Place,
    ) -> String {
        let above = place.parent.and_then(|above| before.place(above));
        let Some(above) = above.filter(|above| above.parts().len() >= Self::LEAST) else {
            return String::new();
        };
        let is_part = |region: &RegionId| above.parts().contains(region);
        let left_out = |event: &Event| match event {
            Event::Prune(region) => Some(*region).filter(is_part),
            _ => None,
        };
        let entered = |event: &Event| match event {
            Event::Visit(region) | Event::Accept(region) => Some(*region).filter(is_part),
            _ => None,
        };
        let is_entry_before = |at: usize| {
            let before = at.checked_sub(1).map(|before| events[before]);
            before == Some(Event::Visit(above.region))
        };
        // Once each part has had its event, none that is not kept is of another one.
        let is_whole = |is_cut: bool| {
            let has_event = |part: &RegionId| {
                let mut all = events.iter();
                all.any(|it| left_out(it).or_else(|| entered(it)) == Some(*part))
            };
            !is_cut || above.parts().iter().all(has_event)
        };
        match events[at] {
            Event::Prune(_) if !self.says_left_out && is_entry_before(at) => {
                self.says_left_out = true;
                let run: Vec<RegionId> = events[at..].iter().map_while(left_out).collect();
                let mut rest = events[at + run.len()..].iter();
                if rest.any(|event| left_out(event).is_some()) || !is_whole(self.is_cut) {
                    return String::new();
                }
                let way = way_of(&run).map_or_else(String::new, |way| format!(", {way}"));
                format!(
                    " All parts of {} are held against the {area} before any of them is entered{way}: so those that are left out come first.",
                    above.name()
                )
            }
            Event::Visit(_) if !self.says_entered => {
                let run = events[..at].iter().rev();
                let run = run.take_while(|event| left_out(event).is_some()).count();
                if !is_entry_before(at - run) {
                    return String::new();
                }
                self.says_entered = true;
                if !is_whole(self.is_cut) {
                    return String::new();
                }
                let all: Vec<RegionId> = events[at..].iter().filter_map(entered).collect();
                match (&all[..], way_of(&all)) {
                    ([_], _) => {
                        format!(" It is the only part of {} that is entered.", above.name())
                    }
                    (_, Some(way)) => format!(
                        " {} parts of {} are entered, {way}: it is the first of them.",
                        all.len(),
                        above.name()
                    ),
                    (_, None) => String::new(),
                }
            }
            _ => String::new(),
        }
    }
}

/// Which way regions follow each other by their numbers; nothing of fewer than two, or where they go back and forth.
fn way_of(regions: &[RegionId]) -> Option<&'static str> {
    let all = |is_so: fn(&[RegionId]) -> bool| regions.windows(2).all(is_so);
    match regions.len() {
        0 | 1 => None,
        _ if all(|pair| pair[0] < pair[1]) => Some("from the lowest number to the highest"),
        _ if all(|pair| pair[0] > pair[1]) => Some("from the highest number to the lowest"),
        _ => None,
    }
}
