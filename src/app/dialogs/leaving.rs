//! The questions that are asked of whoever leaves: of the scene that is here, and of what goes with the window beside it.

use super::{Dialogs, Leaving, asked};
use crate::app::commands::Command;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::watch::Became;
use crate::app::widgets::with_commas;
use crate::app::worker::{self, LeftWork, Message};
use egui_macroquad::egui::Context;
use std::path::Path;

/// What Save leaves out where somebody stands before other edits: the file may have them by now, and would have them no more.
pub fn of_past(app: &App) -> String {
    match app.place.has_scene_ahead {
        true => format!(
            " Save writes the scene as of tick {}, at which you stand: the file then lacks what was changed after that, where any of it is left. To save that as well, cancel and go to the last tick.",
            with_commas(app.place.tick)
        ),
        false => String::new(),
    }
}

impl Dialogs {
    pub(super) fn ask(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let Some(leaving) = self.leaving.clone() else {
            return;
        };
        if leaving == Leaving::Quit && self.is_of_left_still(app) {
            return self.ask_of_left(ctx, app, palette);
        }
        let name = app.title();
        // Nobody needs to have changed anything.
        let is_in_no_file = app.is_in_no_file();
        let title = match is_in_no_file {
            true => format!("Save {name}?"),
            false => format!("Save the changes to {name}?"),
        };
        let words = match leaving {
            Leaving::Quit => {
                let lost = match is_in_no_file {
                    true if app.files.news_of_disk() == Some(Became::Changed) => {
                        "Its file holds another version; this one is lost otherwise."
                    }
                    true => "No file holds it; it is lost otherwise.",
                    false => "They are lost otherwise.",
                };
                let left = app.left_work.as_ref();
                self.is_told_of_left |= left.is_some();
                let left = left.map(|work| {
                    format!(
                        " What no file has of {} is lost either way: to keep it, cancel and go back there by undo or redo.",
                        of_in_words(work)
                    )
                });
                let left = left.unwrap_or_default();
                self.is_told_of_left |= app.other_work || app.work_ahead;
                let ahead = match app.work_ahead {
                    true => format!(
                        " What was changed after tick {}, at which you stand, is in no file either, and Save does not write it: to keep it, cancel and go to the last tick.",
                        with_commas(app.place.tick)
                    ),
                    false => of_past(app),
                };
                let other = match app.other_work {
                    true => {
                        " The other future has edits that no file has; they are lost either way: to keep them, cancel and take 'Other future' in the menu Run."
                    }
                    false => "",
                };
                format!("{lost}{ahead}{left}{other} Ctrl+Q again leaves without saving.")
            }
            Leaving::Open(_) | Leaving::New => {
                let what = match is_in_no_file {
                    true => "it",
                    false => "them",
                };
                worker::kept_by_undo(what) + &of_past(app)
            }
        };
        let answers = ["Save", "Do not save", "Cancel"];
        let answer = asked(ctx, palette, "leave", (&title, &words), &answers);
        match answer {
            Some(0) => {
                self.leaving = None;
                app.keep_recorded_path();
                match app.file().map(Path::to_path_buf) {
                    Some(path) => self.save_and(app, path, Some(leaving)),
                    None => {
                        self.save_as(app);
                        self.save_then = Some(leaving);
                    }
                }
            }
            Some(1) => {
                self.leaving = None;
                if leaving != Leaving::Quit {
                    app.worker.post(Message::GiveUp);
                }
                self.go(app, leaving);
            }
            Some(_) => self.stay(),
            None => {}
        }
    }

    /// Whether it is asked of nothing but what goes with the window beside the scene. What has become of the scene or its file meanwhile
    /// is asked for first: a tick that was on its way may have an edit.
    fn is_of_left_still(&mut self, app: &App) -> bool {
        let is_missed = app.would_be_missed();
        let is_other = self.is_seen_saved || !app.has_work_aside() || app.files.is_gone();
        self.is_of_left &= !(is_missed && is_other);
        self.is_seen_saved |= !is_missed;
        self.is_of_left
    }

    /// Nobody leaves, behind a save either.
    fn stay(&mut self) {
        (self.leaving, self.saving) = (None, None);
    }

    /// Asks whether the window may close though what was left for other scenes goes with it.
    fn ask_of_left(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        self.is_told_of_left = true;
        if app.work_ahead {
            return self.ask_of_what_comes(ctx, app, palette);
        }
        if app.other_work {
            return self.ask_of_other_future(ctx, app, palette);
        }
        let Some(work) = &app.left_work else {
            self.leaving = None;
            return self.go(app, Leaving::Quit);
        };
        let scenes = in_words(work);
        let title = format!("Quit without {scenes}?");
        let words = format!(
            "What no file has of {} is lost with the window. Ctrl+Q again leaves without saving.",
            of_in_words(work)
        );
        let answers = ["Go back to it", "Quit all the same", "Cancel"];
        let answer = asked(ctx, palette, "quit", (&title, &words), &answers);
        if answer.is_some() {
            self.stay();
        }
        match answer {
            Some(0) => {
                // Of the scene that comes it is not.
                self.save_gathered(app, true);
                app.go_to_left_work();
            }
            Some(1) => self.go(app, Leaving::Quit),
            _ => {}
        }
    }

    /// Asks whether the window may close though what comes after the tick that is shown goes with it.
    fn ask_of_what_comes(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let tick = with_commas(app.place.tick);
        let other = match app.other_work {
            true => " So are the edits of the other future.",
            false => "",
        };
        let left = as_well(app);
        let words = format!(
            "You stand at tick {tick}: what was changed after it is in no file, and is lost with the window.{other}{left} Ctrl+Q again leaves without saving."
        );
        let title = format!("Quit without what comes after tick {tick}?");
        let answers = ["Go to the last tick", "Quit all the same", "Cancel"];
        let answer = asked(ctx, palette, "ahead", (&title, &words), &answers);
        if answer.is_some() {
            self.stay();
        }
        match answer {
            Some(0) => app.worker.post(Message::SeekEnd),
            Some(1) => self.go(app, Leaving::Quit),
            _ => {}
        }
    }

    /// Asks whether the window may close though the future that was put aside goes with it.
    fn ask_of_other_future(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let left = as_well(app);
        let words = format!(
            "The other future has edits that no file has: they are lost with the window.{left} Ctrl+Q again leaves without saving."
        );
        let title = "Quit without the other future?";
        let answers = ["Go to it", "Quit all the same", "Cancel"];
        let answer = asked(ctx, palette, "other-future", (title, &words), &answers);
        if answer.is_some() {
            self.stay();
        }
        match answer {
            Some(0) => {
                app.run(Command::OtherFuture);
                // What no file has of it lies behind where both part: whoever quits there would lose that unasked.
                app.worker.post(Message::SeekEnd);
            }
            Some(1) => self.go(app, Leaving::Quit),
            _ => {}
        }
    }
}

/// That what was left for other scenes goes with the window, too, where there is any.
fn as_well(app: &App) -> String {
    let left = app.left_work.as_ref().map(|work| {
        format!(
            " What no file has of {} is lost as well.",
            of_in_words(work)
        )
    });
    left.unwrap_or_default()
}

/// Which scenes these are.
fn in_words(work: &LeftWork) -> String {
    let name = match work.is_version {
        // Which of both is the earlier one the way of undo does not say.
        true => format!("the other version of {}", work.name),
        false => work.name.clone(),
    };
    match work.others {
        0 => name,
        1 => format!("{name} and another scene"),
        others => format!("{name} and {others} other scenes"),
    }
}

/// The same, and what they were left for: another version was left for that of its file.
fn of_in_words(work: &LeftWork) -> String {
    let scenes = in_words(work);
    match work.is_version {
        true => scenes,
        false => format!("{scenes}, left for another scene,"),
    }
}
