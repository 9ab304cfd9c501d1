//! Who is quickest of the rows, found out when something by which that is said has become another, and not in every frame.
//!
//! Invariant: all that [`winner`](super::winner) asks the window is among what is compared here. Builds with debug assertions reckon it in
//! every frame and say where that is not so.

use super::winner;
use crate::app::state::{App, RunMode};
use crate::app::view::compare::winner::Said;
use crate::app::worker::{Structure, Subject, SurveyRow};

/// What was said last, and of what.
#[derive(Debug, Default)]
pub struct Kept {
    /// The table, and the lane whose settings it offers; `None` before anything was said.
    subject: Option<(Subject, usize)>,
    /// Whether time stands, whether two runs must look alike, and with how many rectangles a tick is reckoned.
    set: (bool, bool, u32),
    rows: Vec<SurveyRow>,
    /// How the lanes are set.
    lanes: Vec<Structure>,
    said: Option<Said>,
}

impl Kept {
    /// Who is quickest; `None` where there is no table, or no time is shown.
    pub fn of(&mut self, app: &App) -> Option<&Said> {
        let subject = app.subject().map(|subject| (subject, app.swept_lane()));
        let stands = app.mode != RunMode::Running;
        let set = (stands, app.fixed, app.rectangles());
        let lanes = || app.lanes.iter().map(|lane| &lane.structure);
        let is_known = (self.subject, self.set) == (subject, set)
            && self.rows == app.survey
            && self.lanes.len() == app.lanes.len()
            && self
                .lanes
                .iter()
                .zip(lanes())
                .all(|(one, other)| one.is_set_as(other));
        if !is_known {
            (self.subject, self.set) = (subject, set);
            self.rows.clone_from(&app.survey);
            self.lanes = lanes().cloned().collect();
            self.said = winner(app);
        } else {
            debug_assert_eq!(self.said, winner(app), "what is asked is compared");
        }
        self.said.as_ref()
    }
}
