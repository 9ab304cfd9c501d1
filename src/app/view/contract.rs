//! What a view is: what it puts into the panels, what it draws, and what pointer and keys do on its field.

use crate::app::input::Modifiers;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::App;
use crate::app::widgets::SECTION;
use crate::app::worker::Ask;
use egui_macroquad::egui::{Context, Pos2, Rect, Ui, Vec2};
use egui_macroquad::macroquad::miniquad::KeyCode;

/// A press of the left button on the field.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    /// Where, in points of the window.
    pub at: Pos2,
    /// The modifiers at that moment.
    pub modifiers: Modifiers,
}

/// What the left button holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// Nothing: the press is over and done with.
    Nothing,
    /// Something of the view's own.
    Held,
}

/// One of the ways to look at a scene. It keeps what drawing and dragging need from frame to frame, and nothing that another
/// view would need.
pub trait View {
    /// Fills the left panel below the scene.
    fn left(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette);

    /// Whether a part of the left panel stays in sight at its bottom.
    fn has_left_pinned(&self, _app: &App) -> bool {
        false
    }

    /// Fills that part of the left panel.
    fn left_pinned(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    /// Fills the right panel.
    fn right(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette);

    /// How much of the right panel, which is `whole` points high, stays in sight at its bottom.
    fn right_pinned_height(&self, context: &Context, app: &App, whole: f32) -> f32;

    /// Fills the head of that part, which stays where the rest of it scrolls.
    fn right_pinned_head(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    /// Fills the rest of that part of the right panel.
    fn right_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette);

    /// Whether there is a panel at each side of the field, and plots below it.
    fn has_side_panels(&self) -> bool {
        true
    }

    /// The rectangle through which the camera looks, of all that the panels leave: `field`. Where there are several pictures of the
    /// same size it is the first one's.
    fn screen(&mut self, _app: &App, field: Rect) -> Rect {
        field
    }

    /// How large a picture of the field is that shows it as the window does, in points: that rectangle, or all pictures together.
    fn pictured(&self, app: &App) -> Vec2 {
        app.camera.screen.size()
    }

    /// The same as [`screen`](Self::screen) where a picture of the field is all that there is: nothing but that has room in it.
    fn screen_of_picture(&mut self, app: &App, whole: Rect) -> Rect {
        self.screen(app, whole)
    }

    /// Where on the camera's rectangle a point of the window lies: in another picture than the first, the same place of that one.
    /// `None` where there is no picture.
    fn fold(&self, app: &App, at: Pos2) -> Option<Pos2> {
        app.camera.screen.shrink(1.0).contains(at).then_some(at)
    }

    /// How high what the view puts in the place of the plots is, in a window of this size in points; `None` where it puts nothing
    /// there.
    fn strip_height(&self, _app: &App, _window: Vec2) -> Option<f32> {
        None
    }

    /// How high the tree is that stands in it, where one does: its edge can be dragged.
    fn tree_height(&self, _app: &App, _window: Vec2) -> Option<f32> {
        None
    }

    /// Fills that.
    fn strip(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    /// Draws the two plots.
    fn plots(&self, ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect);

    /// What the status bar says, which begins with whether time passes: `time`.
    fn status(&self, app: &App, time: &str) -> String;

    /// The keys that matter here and what they do, the last one leftmost in the status bar: where that is narrow the last ones are left out.
    fn hints(&self, app: &App) -> &'static [(&'static str, &'static str)];

    /// Draws all of the field that lies under egui.
    fn draw(&mut self, app: &App, palette: &Palette, canvas: &mut Canvas<'_>);

    /// Draws what egui draws over the field, the chips included; their switches act.
    fn overlay(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette);

    /// What is to be asked of the session for this view; `ask` holds what every view asks for.
    fn ask(&self, app: &App, ask: Ask) -> Ask;

    /// Takes what the session has answered, before anything is drawn of it.
    fn answered(&mut self, _app: &mut App) {}

    /// Does what is due in every frame, whether the view is shown or not.
    fn serve(&mut self, _app: &mut App) {}

    /// Takes a press of the left button on the field, and says what it holds from then on.
    fn pressed(&mut self, app: &mut App, press: Press) -> Grip;

    /// Takes a move of what is held, and says what is held now.
    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip;

    /// Takes the end of what is held.
    fn released(&mut self, app: &mut App, at: Pos2);

    /// Takes a turn of the wheel that would zoom by `factor`; whether it meant something else here.
    fn wheel(&mut self, _app: &mut App, _factor: f32, _modifiers: Modifiers) -> bool {
        false
    }

    /// Takes a key that nothing over the field wants; whether it was one of the view's own and is no command.
    fn key_down(&mut self, _app: &mut App, _key: KeyCode) -> bool {
        false
    }

    /// Takes the release of a key, also while another view is shown: it may have been pressed in this one.
    fn key_up(&mut self, _app: &mut App, _key: KeyCode, _shown: bool) {}

    /// Forgets what keys and buttons hold, as if all of them were up and nothing had been meant.
    fn cancel(&mut self, app: &mut App);
}

/// How much of a panel, which is `whole` points high, its lower part takes: the sections that stand there, each with what it needs
/// below its caption. It does not depend on what they show at the moment, so that nothing jumps when the cursor enters the field.
pub fn lower_part(app: &App, whole: f32, sections: &[(&str, f32)]) -> f32 {
    /// The figures above have no less than the rest, unless somebody has dragged the edge.
    const PART: f32 = 0.54;
    lower_part_up_to(app, whole, sections, PART)
}

/// The same where the lower part takes another part of the panel at the most.
pub fn lower_part_up_to(app: &App, whole: f32, sections: &[(&str, f32)], part: f32) -> f32 {
    /// Below the last of them.
    const SPACE: f32 = 12.0;
    let open = sections
        .iter()
        .filter(|(name, _)| !app.settings.layout.is_collapsed(name));
    let count = open.clone().count();
    let needed =
        SECTION * sections.len() as f32 + open.map(|(_, needed)| needed).sum::<f32>() + SPACE;
    let most = whole * app.settings.layout.inspector.unwrap_or(part);
    // An edge that was dragged is where it was dragged to; what is collapsed has no use for the room.
    match app.settings.layout.inspector {
        Some(_) if count == sections.len() => most,
        _ => needed.min(most),
    }
}
