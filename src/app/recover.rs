//! The question what becomes of work that a program left behind: asked once, when the window opens.

use super::pages::{page_frame, page_width};
use super::palette::Palette;
use super::state::{App, RunMode};
use super::theme::size;
use super::unsaved::{self, Left};
use super::widgets::{place, with_commas};
use super::worker::Message;
use egui_macroquad::egui::{Align, Button, Context, Id, Layout, Modal, RichText, vec2};
use skirmish::built_in;
use std::time::SystemTime;

/// How many are shown at once; the others come at the next start.
const SHOWN: usize = 5;

/// The question, while it is open.
#[derive(Debug, Default)]
pub struct Recover {
    left: Vec<Left>,
    /// Whether time stands still for the question, and goes on after it.
    holds_time: bool,
}

/// What somebody chose.
enum Choice {
    Restore(usize),
    Discard(usize),
    Later,
}

impl Recover {
    /// Looks what was left behind.
    pub fn look() -> Self {
        let mut left = unsaved::folder()
            .map(|folder| unsaved::left_behind(&folder))
            .unwrap_or_default();
        left.truncate(SHOWN);
        Self {
            left,
            holds_time: false,
        }
    }

    /// Whether it waits for an answer.
    pub fn is_open(&self) -> bool {
        !self.left.is_empty()
    }

    /// Asks, and does what was chosen.
    pub fn show(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        if !self.is_open() {
            return;
        }
        // Nobody watches a battle behind a question.
        if app.mode == RunMode::Running {
            app.set_mode(RunMode::Paused);
            // A scene that begins paused may not have said so yet.
            self.holds_time = !app.scene.view.paused;
        }
        let shown = Modal::new(Id::new("recover"))
            .frame(page_frame(palette))
            .show(ctx, |ui| {
                let has_future = self.left.iter().any(|left| left.of_future().is_some());
                // Of another future there is more to say in a row.
                let width = if has_future { 580.0 } else { 460.0 };
                ui.set_width(page_width(ui, width));
                ui.label(RichText::new("Unsaved work was left behind").size(size::NAME + 1.5));
                ui.add_space(6.0);
                ui.label(RichText::new(words_above(self.left.len())).size(size::SECOND));
                ui.add_space(10.0);
                let mut choice = None;
                for (index, left) in self.left.iter().enumerate() {
                    ui.horizontal(|ui| {
                        ui.set_height(30.0);
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            let mut button = |name: &str| {
                                let button = Button::new(name).min_size(vec2(80.0, 26.0));
                                let response = ui.add(button);
                                let name = format!("recover.{}.{index}", name.to_lowercase());
                                place(ui.ctx(), &name, response.rect);
                                response.clicked()
                            };
                            if button("Discard") {
                                choice = Some(Choice::Discard(index));
                            }
                            if button("Restore") {
                                choice = Some(Choice::Restore(index));
                            }
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                let title = RichText::new(called(left)).color(palette.text);
                                let label =
                                    ui.add(egui_macroquad::egui::Label::new(title).truncate());
                                if let Some(path) = &left.of.path {
                                    label.on_hover_text(built_in::shown(path));
                                }
                                let ago = RichText::new(format!("kept {}", ago(left.when)))
                                    .size(size::SECOND)
                                    .color(palette.text_third);
                                ui.add(egui_macroquad::egui::Label::new(ago).truncate());
                            });
                        });
                    });
                }
                ui.add_space(10.0);
                let later =
                    ui.add(Button::new("Ask again at the next start").min_size(vec2(96.0, 26.0)));
                place(ui.ctx(), "recover.later", later.rect);
                if later.clicked() {
                    choice = Some(Choice::Later);
                }
                choice
            });
        let choice = if shown.should_close() {
            Some(Choice::Later)
        } else {
            shown.inner
        };
        let is_restored = matches!(choice, Some(Choice::Restore(_)));
        match choice {
            Some(Choice::Restore(index)) => {
                let left = self.left.remove(index);
                app.keep_what_is_gone();
                app.worker.post(Message::Restore(Box::new(left)));
                // One after the other: what comes back takes the place of what is open.
                self.left.clear();
            }
            Some(Choice::Discard(index)) => self.left.remove(index).discard(),
            Some(Choice::Later) => self.left.clear(),
            None => {}
        }
        if !self.is_open() && std::mem::take(&mut self.holds_time) && !is_restored {
            app.set_mode(RunMode::Running);
        }
    }
}

/// What is said above so many rows. Another future in which nothing was made is not kept, and one with work is a row of its own.
fn words_above(count: usize) -> String {
    let others = match count {
        0 | 1 => "",
        _ => " One comes back at a time: the others are offered again at the next start.",
    };
    format!(
        "Skirmish ended before it was saved. It comes back as it was a few seconds before, with all that can be undone and gone back to, but \
         without its other future: where you had made something in that, it is offered by itself. No file of yours has been changed.{others}"
    )
}

/// What the work of a row is called.
fn called(left: &Left) -> String {
    left.of_future().map_or_else(
        || left.title(),
        |(scene, at)| format!("The other future of {scene}, from tick {}", with_commas(at)),
    )
}

/// How long ago something was, in a few words.
pub(super) fn ago(when: SystemTime) -> String {
    let seconds = when.elapsed().unwrap_or_default().as_secs();
    let (count, unit) = match seconds {
        0..60 => return "a moment ago".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn another_future_is_a_row_that_says_what_it_is_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut left = Left {
            slot: unsaved::Slot::take(folder.path()).expect("a place"),
            of: unsaved::Of::default(),
            when: SystemTime::now(),
        };
        assert_eq!(called(&left), "skirmish.ron");
        left.of.name = Some(unsaved::name_of_future("swarm.ron", 1_340));
        assert_eq!(
            called(&left),
            "The other future of swarm.ron, from tick 1,340"
        );
        assert!(words_above(2).ends_with("at the next start."));
        assert!(words_above(1).ends_with("has been changed."));
    }

    #[test]
    fn how_long_ago_is_said_in_words() {
        let ago_of = |seconds| ago(SystemTime::now() - Duration::from_secs(seconds));
        assert_eq!(ago_of(3), "a moment ago");
        assert_eq!(ago_of(60), "1 minute ago");
        assert_eq!(ago_of(7_300), "2 hours ago");
        assert_eq!(ago_of(200_000), "2 days ago");
        // A clock that was set back.
        assert_eq!(
            ago(SystemTime::now() + Duration::from_secs(900)),
            "a moment ago"
        );
    }
}
