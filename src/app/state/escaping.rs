//! What Escape ends.

use super::App;
use crate::app::commands::View;

impl App {
    /// Ends the topmost of what is open.
    ///
    /// What takes so long that the window says so ends as well. But where time passes slowly a tick is under way again and again: what is
    /// let go goes at every press, whether one is or not.
    pub(super) fn escape(&mut self) {
        if self.menu_open || self.pages.close_topmost() || self.worker.cancel_long(false) {
            return;
        }
        if !self.has_what_is_let_go() && self.worker.cancel_long(true) {
            return;
        }
        if std::mem::take(&mut self.drawers) == [false; 2] && self.notice.take().is_none() {
            if self.view == View::Compare && self.all_structures {
                return self.show_panes();
            }
            if self.view == View::Compare && std::mem::take(&mut self.race_alone) {
                return;
            }
            self.let_go();
            self.deselect();
        }
    }

    /// Whether something else is shown in the place of all panes of Compare.
    pub fn hides_panes(&self) -> bool {
        self.view == View::Compare && (self.all_structures || self.race_alone)
    }

    /// Whether anything of the view is open, pinned or selected that Escape lets go.
    pub fn has_what_is_let_go(&self) -> bool {
        let is_selected = match &self.stream {
            Some(stream) if self.view == View::Streaming => !stream.selection.is_empty(),
            _ => !self.selection.is_empty(),
        };
        let is_open = self.drawers != [false; 2] || self.hides_panes();
        is_open || is_selected || self.held.is_some()
    }

    /// Ends the selection that is seen: that of an object in Streaming, elsewhere that of a unit.
    fn deselect(&mut self) {
        match &mut self.stream {
            Some(stream) if self.view == View::Streaming => stream.selection.clear(),
            _ => self.selection.clear(),
        }
    }
}
