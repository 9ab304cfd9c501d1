//! What is said when a battle is over: who stands, since when, and what one may want to do next.

use crate::app::commands::{Command, row};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{layout, size, text};
use crate::app::view::chips::chip;
use crate::app::widgets::{button_in, button_width, cover, place, with_commas};
use egui_macroquad::egui::{Rect, Ui, pos2, vec2};
use skirmish::tick::STEP_SECONDS;

/// Since when a side has stood alone.
#[derive(Debug, Default)]
pub struct Won {
    /// The tick that was seen last.
    last: u64,
    /// The tick of the victory; `None` within where it was not seen, because time was gone through in leaps.
    at: Option<Option<u64>>,
}

impl Won {
    /// Takes note of whether a side stands alone at this tick.
    pub fn note(&mut self, is_won: bool, tick: u64) {
        /// Ticks that lie further apart than this leave open when it was.
        const LEAP: u64 = 60;
        let last = std::mem::replace(&mut self.last, tick);
        if !is_won {
            self.at = None;
        } else if self.at.is_none() {
            let is_seen = last <= tick && tick - last <= LEAP;
            self.at = Some(is_seen.then_some(tick));
        }
    }

    /// Draws the chip, whose buttons act.
    pub fn show(&self, ui: &mut Ui, app: &mut App, palette: &Palette, winner: Option<&str>) {
        let (Some(side), Some(at)) = (winner, self.at) else {
            return;
        };
        let mut letters = side.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let when = match at {
            Some(tick) => format!(" in {:.0} s", tick as f64 * STEP_SECONDS),
            None => String::new(),
        };
        let left = with_commas(app.alive());
        let words = format!("{first}{} won{when} with {left} left", letters.as_str());
        let words = ui
            .painter()
            .layout_no_wrap(words, text(size::NAME), palette.text);
        let buttons = [
            ("Again", Command::Restart),
            ("Next scene", Command::NextScene),
            ("Swap sides", Command::SwapSides),
        ];
        let field = app.free_field();
        let width_with = |buttons: &[(&str, Command)]| {
            let widths = buttons.iter().map(|(word, _)| button_width(ui, word) + 6.0);
            14.0 + words.size().x + 14.0 + widths.sum::<f32>() + 2.0
        };
        let fits = |buttons: &&[(&str, Command)]| {
            width_with(buttons) <= field.width() - 2.0 * layout::CHIP
        };
        // Where there is not room for all, the first ones are what one wants most.
        let fewer = (1..=buttons.len()).rev().map(|many| &buttons[..many]);
        let Some(buttons) = fewer.into_iter().find(fits) else {
            return;
        };
        let width = width_with(buttons);
        let rect = Rect::from_center_size(
            pos2(
                field.center().x,
                field.top() + layout::CHIP + 30.0 + 8.0 + 18.0,
            ),
            vec2(width, 36.0),
        );
        chip(ui.painter(), palette, rect);
        cover(ui.ctx(), rect);
        place(ui.ctx(), "chip.won", rect);
        let mut x = rect.left() + 14.0;
        let at = pos2(x, rect.center().y - words.size().y / 2.0);
        x += words.size().x + 14.0;
        ui.painter().galley(at, words, palette.text);
        for &(word, command) in buttons {
            let width = button_width(ui, word);
            let button = Rect::from_min_size(pos2(x, rect.top() + 6.0), vec2(width, 24.0));
            let id = format!("won.{}", word.to_lowercase());
            let help = row(command).map_or(String::new(), |row| match row.shortcuts.first() {
                Some(key) => format!("{} ({})", row.help, key.label()),
                None => row.help.to_owned(),
            });
            if button_in(ui, palette, &id, button, (word, &help), true) {
                app.run(command);
            }
            x += width + 6.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_victory_is_dated_where_it_was_seen_and_forgotten_before_it() {
        let mut won = Won::default();
        won.note(false, 100);
        won.note(true, 101);
        won.note(true, 400);
        assert_eq!(won.at, Some(Some(101)));
        won.note(false, 50);
        assert_eq!(won.at, None);
        won.note(true, 5_000);
        assert_eq!(won.at, Some(None), "nobody saw it");
    }
}
