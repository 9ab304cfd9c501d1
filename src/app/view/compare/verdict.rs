//! What the figures come to, in one line, and what can be done to the lanes as a whole.

use super::figures::{Figures, RACE, Shown, time, times_more};
use super::lane;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{button_in, button_width, elided};
use egui_macroquad::egui::{Align2, Color32, Rect, Ui, pos2};
use skirmish::scene::limits::MAX_LANES;

/// A lane that leads, and what is said of it.
#[derive(Clone, Debug, PartialEq)]
struct Claim {
    lane: usize,
    words: String,
}

/// What can be said of who leads, a claim a lane.
fn claims(shown: &Shown) -> Vec<Claim> {
    type Said = (&'static str, fn(&Figures) -> Option<f64>, &'static str);
    let than = if shown.lanes.len() > 2 {
        " than the next"
    } else {
        ""
    };
    // On a tick that stands nothing is kept up to date: what is built there would be counted as if each tick did it.
    let query = RACE[3].of;
    let of_time: Said = match shown.at_rest {
        true => ("answers", query, "faster"),
        false => ("costs", time, "less time"),
    };
    let said: [Said; 3] = [
        of_time,
        ("costs", RACE[4].of, "less memory"),
        ("tests", RACE[0].of, "fewer pairs"),
    ];
    let mut claims: Vec<(Claim, &str)> = Vec::new();
    for (verb, figure, less) in said {
        let Some((lane, ratio)) = shown.leader(figure) else {
            continue;
        };
        let more = times_more(ratio);
        match claims.iter_mut().find(|(claim, _)| claim.lane == lane) {
            Some((claim, last)) => {
                let verb = if *last == verb { "" } else { verb };
                let space = if verb.is_empty() { "" } else { " " };
                claim.words += &format!(" and {verb}{space}{more} {less}");
                *last = verb;
            }
            None => {
                let words = format!("{verb} {more} {less}");
                claims.push((Claim { lane, words }, verb));
            }
        }
    }
    let said = claims.into_iter().map(|(claim, _)| Claim {
        words: claim.words + than,
        ..claim
    });
    said.collect()
}

/// Draws the line; its buttons act.
pub fn verdict(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, shown: &Shown) {
    let lanes = app.lanes.len();
    let mut right = rect.right();
    let full = lanes >= MAX_LANES;
    let help = if full {
        format!("At most {MAX_LANES} structures follow one battle.")
    } else {
        "Let one more structure follow the battle.".to_owned()
    };
    let add = Button {
        id: "lane.add",
        word: "+ lane",
        help: &help,
        enabled: !full,
    };
    if add.show(ui, palette, rect, &mut right) {
        app.add_lane();
    }
    let swap = Button {
        id: "lane.swap",
        word: "Swap panes",
        help: "Let the first two structures change places.",
        enabled: lanes > 1,
    };
    if swap.show(ui, palette, rect, &mut right) {
        app.swap_lanes(0, 1);
    }
    let all = Button {
        id: "compare.all",
        word: if app.all_structures {
            "Panes"
        } else {
            "All structures"
        },
        help: if app.all_structures {
            "Back to the panes."
        } else {
            "Every structure on one moment, in a table."
        },
        enabled: true,
    };
    if all.show(ui, palette, rect, &mut right) {
        app.all_structures ^= true;
    }
    sentence(ui, palette, rect.with_max_x(right - 8.0), shown);
}

fn sentence(ui: &Ui, palette: &Palette, rect: Rect, shown: &Shown) {
    let middle = rect.center().y;
    let caption = ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        "verdict for this scene",
        text(size::DESCRIPTION),
        palette.text_third,
    );
    let mut left = caption.right() + 18.0;
    let mut say = |words: &str, color: Color32, mark: Option<usize>| {
        let start = left + if mark.is_some() { 16.0 } else { 0.0 };
        let room = rect.right() - start;
        if room < 30.0 {
            return;
        }
        if let Some(at) = mark {
            lane::mark(ui.painter(), palette, at, pos2(left + 5.0, middle), 4.2);
        }
        let words = elided(ui, words, text(size::SECOND), color, room);
        let at = pos2(start, middle - words.size().y / 2.0);
        left = start + words.size().x + 5.0;
        ui.painter().galley(at, words, color);
    };
    let claims = claims(shown);
    if claims.is_empty() {
        let words = if shown.lanes.len() > 1 {
            "nobody is ahead"
        } else {
            "one structure alone; add a lane to compare it with another"
        };
        say(words, palette.text_second, None);
    }
    for (index, claim) in claims.iter().enumerate() {
        let color = lane::color(palette, claim.lane);
        say(shown.lanes[claim.lane].name(), color, Some(claim.lane));
        let end = if index + 1 < claims.len() { ";" } else { "" };
        say(&format!("{}{end}", claim.words), palette.text, None);
    }
}

/// A push button at the right end of the line.
struct Button<'a> {
    id: &'a str,
    word: &'a str,
    help: &'a str,
    enabled: bool,
}

impl Button<'_> {
    /// Draws it left of `right`, which moves to its left; whether it was clicked.
    fn show(&self, ui: &mut Ui, palette: &Palette, line: Rect, right: &mut f32) -> bool {
        let width = button_width(ui, self.word);
        let middle = line.center().y;
        let rect = Rect::from_x_y_ranges(*right - width..=*right, middle - 12.0..=middle + 12.0);
        *right = rect.left() - 8.0;
        let words = (self.word, self.help);
        button_in(ui, palette, self.id, rect, words, self.enabled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    #[test]
    fn the_verdict_names_who_leads_at_what_and_nobody_where_all_are_alike() {
        let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
        let tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
        let mut shown = Shown::default();
        shown.lanes = vec![grid.clone(), tree];
        let words: Vec<_> = claims(&shown)
            .into_iter()
            .map(|claim| (claim.lane, claim.words))
            .collect();
        let expected = [
            (0, "costs 14× less time and 3.1× less memory".to_owned()),
            (1, "tests 1.8× fewer pairs".to_owned()),
        ];
        assert_eq!(words, expected);
        shown.lanes[1] = grid;
        assert!(claims(&shown).is_empty());
    }
}
