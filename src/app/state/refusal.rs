//! Whether a command means something at present, and is on: for menus, the palette of commands and whoever else dims what does
//! nothing.

use super::App;
use super::objects::NO_OBJECT;
use crate::app::commands::{Command, Layer, View};
use crate::app::theme::layout;
use skirmish::session::MarkKind;

impl App {
    /// Whether a command means something where one is, or why it does not: a sentence that says what would help.
    pub fn may(&self, command: Command) -> Result<(), &'static str> {
        let known = |is_so: bool, why| if is_so { Ok(()) } else { Err(why) };
        if command == Command::Tree && self.view == View::Streaming {
            return Err(
                "In Streaming the trees stand below a decision that is stepped through: F7 takes the next one apart.",
            );
        }
        // It comes with the steps, and goes with them: the switch is for the one beside a battle.
        if command == Command::Tree && self.is_stepping() {
            return Err(match self.diagram.is_some() {
                true => {
                    "While an operation is stepped through its tree stands above the steps, where time stands still, the window is high enough and panels are shown: F7 leaves the steps, and the tree that was there before stays."
                }
                false => {
                    "While an operation is stepped through its tree stands above the steps, where time stands still, the window is high enough and panels are shown: F7 leaves the steps, then F8 shows it."
                }
            });
        }
        if command.is_of_battle() && !self.view.row().shows_battle {
            return Err("Streaming does not show the battle: change to Battle (F2) first.");
        }
        match command {
            Command::DeleteSelection | Command::Copy | Command::Cut | Command::Duplicate
                if self.view == View::Streaming =>
            {
                let stream = self.stream.as_ref();
                known(
                    stream.is_some_and(|stream| !stream.selection.is_empty()),
                    NO_OBJECT,
                )
            }
            Command::ExportField => known(
                !self.hides_panes(),
                "What is shown instead of the panes hides the field: Escape brings them back.",
            ),
            Command::ExportLate => known(
                self.place
                    .marks
                    .iter()
                    .any(|mark| mark.kind == MarkKind::Late),
                "Nothing has come late.",
            ),
            Command::ExportTable | Command::MeasureAgain => known(
                self.surveys().is_some() && !self.survey.is_empty(),
                "No table is shown: “All structures” in Compare shows one.",
            ),
            Command::Reload => known(
                self.file().is_some(),
                "This scene has no file of its own yet: Save as makes one.",
            ),
            Command::AddObject | Command::DrawPath | Command::RecordPath => {
                known(self.stream.is_some(), NO_WORLD)
            }
            Command::StreamDefaults if self.stream.is_none() => Err(NO_WORLD),
            Command::StreamDefaults => known(
                self.place.is_tuned,
                "All settings of Streaming are as they were when the scene was opened.",
            ),
            Command::DeleteSelection | Command::Copy | Command::Cut | Command::Duplicate => known(
                !self.selection.is_empty(),
                "No unit is selected: Shift+click selects one, Shift+drag a box of them.",
            ),
            Command::Caption => known(
                !self.scene.caption.is_empty(),
                "This scene says nothing of itself.",
            ),
            // Where this scene has nothing for them, they show the scenes that have.
            Command::View(View::Streaming | View::Volume) => Ok(()),
            Command::View(view) => known((view.row().suits)(&self.scene), OF_SPACE),
            Command::Layer(layer) => known(
                self.shown_layers().contains(&layer),
                "This layer is not in the present view.",
            ),
            Command::Pin => known(
                self.view != View::Streaming,
                "What is pinned are the figures of a structure, which Streaming does not show: change to Battle (F2) first.",
            ),
            Command::StepBack | Command::GoToStart => {
                known(self.place.tick > 0, "This is the first tick.")
            }
            Command::GoToHeaviest => known(self.place.heaviest.is_some(), NO_TESTS),
            Command::GoToEnd => known(
                self.place.tick < self.place.end,
                "This is the last tick that is known.",
            ),
            Command::ToGround => known(
                self.flight.is_some() && !self.selection.is_empty(),
                "This is for units that are selected in space, in a scene with a volume.",
            ),
            Command::OtherFuture => known(
                self.place.other_future.is_some(),
                "No future is put aside: an edit in the past would do that.",
            ),
            Command::Undo if self.place.has_edits_ahead => known(
                self.undo_names[0].is_some(),
                "There is nothing to undo at this tick: what was changed lies after it (End goes there).",
            ),
            Command::Redo if self.place.has_edits_ahead => known(
                self.undo_names[1].is_some(),
                "There is nothing to redo at this tick: what was changed lies after it (End goes there).",
            ),
            Command::Redo if self.place.other_has_edits => known(
                self.undo_names[1].is_some(),
                "There is nothing to redo here: what the other future has is done again by 'Other future' in the menu Run.",
            ),
            Command::Undo => known(self.undo_names[0].is_some(), "There is nothing to undo."),
            Command::Redo => known(self.undo_names[1].is_some(), "There is nothing to redo."),
            Command::Tree => known(
                matches!(self.view, View::Battle | View::Volume),
                "The tree stands beside one structure: change to Battle (F2).",
            ),
            _ => Ok(()),
        }
    }

    /// What is to be said of the tree that is in sight with the steps, in a window so high; nothing where none is.
    pub fn tree_of_steps(&self, window: f32) -> Option<String> {
        if !(self.is_stepping() && self.panels && window >= layout::LOW) {
            return None;
        }
        // While time passes, and until something is told of where it stopped, there is none.
        let stepping = self.stepping.as_ref().filter(|it| it.shown().is_some())?;
        let drawn = stepping.told.as_ref()?.diagram(stepping.is_after());
        if drawn.nodes.is_empty() {
            return Some("This structure has no regions, and so no tree.".to_owned());
        }
        let what = match drawn.is_flat {
            true => "row of cells",
            false => "tree",
        };
        let then = match (self.view, self.diagram.is_some()) {
            (View::Streaming, _) => "",
            (_, true) => ", and the tree that was there before stays",
            (_, false) => ", then F8 shows it alone",
        };
        Some(format!(
            "The {what} in sight goes with the steps: drag its upper edge to make it lower. F7 leaves the steps{then}."
        ))
    }

    /// Whether a command that switches something is on; nothing of one that switches nothing.
    pub fn is_on(&self, command: Command) -> Option<bool> {
        match command {
            Command::Layer(layer) => Some(self.layers.shows(layer)),
            Command::View(view) => Some(self.view == view),
            Command::TogglePanels => Some(self.panels),
            Command::Caption => Some(self.shows_caption()),
            Command::Tree => Some(self.diagram.is_some()),
            Command::LightTheme => Some(self.light),
            Command::DrawPath => Some(self.draws_path()),
            Command::RecordPath => Some(self.stream.as_ref().is_some_and(|it| it.is_recording())),
            Command::ReducedMotion => Some(self.settings.reduced_motion),
            Command::Structure(index) => {
                let present = self.lane().structure.kind;
                Some(present.siblings().get(index) == Some(&present))
            }
            _ => None,
        }
    }

    /// The field in words, for who does not see it.
    pub fn told_field(&self) -> String {
        let view = self.view.row().name;
        let units = self.alive();
        match self.cursor.filter(|_| !self.shows_space()) {
            Some(at) => format!(
                "Field, {view}: {units} units, cursor at {:.1}, {:.1}",
                at.x, at.y
            ),
            None => format!("Field, {view}: {units} units"),
        }
    }

    /// The layers that the present view draws.
    fn shown_layers(&self) -> &'static [Layer] {
        match self.view {
            View::Streaming => &Layer::STREAMING,
            _ if self.shows_space() => &Layer::VOLUME,
            _ if self.has_steps() => &Layer::STEPS,
            _ => &Layer::BATTLE,
        }
    }
}

/// Why none of the ticks so far is the heaviest.
pub(super) const NO_TESTS: &str = "No tick has had any tests yet.";

/// Why a view of the plane cannot show a scene.
const OF_SPACE: &str = "This scene lies in space: Volume (F5) shows it.";

/// Why nothing of a world can be done in a scene.
const NO_WORLD: &str = "This scene has no world to stream: F4 shows those that have one.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redo_is_refused_with_what_lies_ahead_before_what_lies_in_another_future() {
        let mut app = App::at_first();
        let why = |app: &App| app.may(Command::Redo).expect_err("nothing to redo");
        assert_eq!(why(&app), "There is nothing to redo.");
        app.place.other_has_edits = true;
        assert!(why(&app).contains("'Other future'"));
        app.place.has_edits_ahead = true;
        assert!(why(&app).contains("End goes there"));
    }

    #[test]
    fn after_many_ticks_without_tests_it_is_said_of_these_that_none_is_the_heaviest() {
        let mut app = App::at_first();
        (app.place.tick, app.place.end) = (400, 400);
        app.place.heaviest = None;
        assert_eq!(app.may(Command::GoToHeaviest), Err(NO_TESTS));
        app.run(Command::GoToHeaviest);
        let notice = app.notice.as_ref().expect("a sentence");
        assert_eq!(notice.text, NO_TESTS);
        app.place.heaviest = Some((3, 7.0));
        assert_eq!(app.may(Command::GoToHeaviest), Ok(()));
    }
}
