//! Structures side by side: a pane a lane, one battle, one camera and one cursor, and below them what each costs.

mod figures;
mod header;
mod lane;
mod layout;
mod overlay;
mod plots;
mod race;
mod table;
mod verdict;
mod why;
mod winner;

use super::contract::{Grip, Press, View};
use super::field::{
    self, BrushStroke, Density, Look, MOST_ARROWS, MOST_OUTLINES, RegionsPicture, Units,
    draw_marked, draw_selected, guide_lines,
};
use super::space::{self, Hand, Scenery};
use crate::app::commands::Layer;
use crate::app::input::Modifiers;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::App;
use crate::app::view::caption::Caption;
use crate::app::worker::Ask;
use egui_macroquad::egui::{Context, Pos2, Rect, Ui, Vec2};
use figures::Shown;
use layout::Layout;
use plots::Chosen;
use skirmish::observe;
use table::{Kept, Orders, table};

/// The view of several structures.
#[derive(Default)]
pub struct Compare {
    /// One a pane.
    regions: Vec<RegionsPicture>,
    layout: Layout,
    units: Units,
    density: Density,
    stroke: BrushStroke,
    /// The same in space: one a pane.
    scenery: Vec<Scenery>,
    hand: Hand,
    shown: Shown,
    plotted: Chosen,
    verdict: Kept,
    orders: Orders,
    caption: Caption,
}

/// How many units are drawn one by one in each of so many panes: together no more than in one.
fn most_arrows(panes: usize) -> usize {
    MOST_ARROWS / panes.max(1)
}

/// The narrowest region that has an outline in each of so many panes, in points: more panes are smaller ones.
fn least_outline(panes: usize) -> f32 {
    if panes > 2 { 6.0 } else { 4.0 }
}

impl View for Compare {
    fn left(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    fn right(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    fn right_pinned_height(&self, _context: &Context, _app: &App, _whole: f32) -> f32 {
        0.0
    }

    fn right_pinned(&mut self, _ui: &mut Ui, _app: &mut App, _palette: &Palette) {}

    fn has_side_panels(&self) -> bool {
        false
    }

    fn screen(&mut self, app: &App, field: Rect) -> Rect {
        let strip = app.panels.then_some(app.settings.layout.compare);
        self.layout = Layout::new(field, app.lanes.len(), strip);
        self.layout.panes[0].body
    }

    fn pictured(&self, _app: &App) -> Vec2 {
        self.layout.size_of_picture()
    }

    fn screen_of_picture(&mut self, app: &App, whole: Rect) -> Rect {
        self.layout = Layout::of_picture(whole, app.lanes.len());
        self.layout.panes[0].body
    }

    fn fold(&self, app: &App, at: Pos2) -> Option<Pos2> {
        self.layout.fold(at).filter(|_| !app.hides_panes())
    }

    fn plots(&self, _ui: &mut Ui, _app: &App, _palette: &Palette, _left: Rect, _right: Rect) {}

    fn status(&self, app: &App, time: &str) -> String {
        let stopped = app.lanes.iter().find(|lane| lane.difference.is_some());
        match (stopped, app.lanes.len()) {
            (Some(lane), _) => {
                let name = lane.structure.info().name;
                format!("{time} · {name} has answered otherwise and stands still")
            }
            (None, 1) => format!("{time} · one structure alone"),
            (None, 2) => format!("{time} · both structures give the same answers, every tick"),
            (None, lanes) => {
                format!("{time} · all {lanes} structures give the same answers, every tick")
            }
        }
    }

    fn hints(&self, app: &App) -> &'static [(&'static str, &'static str)] {
        if app.hides_panes() {
            return &[
                ("F1", "all keys"),
                ("Esc", "back to the panes"),
                ("Space", "pause"),
                (".", "step"),
            ];
        }
        if app.shows_space() {
            return &[
                ("F1", "all keys"),
                ("Space", "pause"),
                ("Drag", "orbit"),
                (".", "step"),
                ("1-4", "first pane"),
                ("Wheel", "zoom"),
                ("Shift+drag", "select"),
                ("Right drag", "pan"),
            ];
        }
        &[
            ("F1", "all keys"),
            ("Space", "pause"),
            (".", "step"),
            ("[ ]", "first pane"),
            ("Wheel", "zoom"),
            ("Shift+drag", "move a unit"),
        ]
    }

    fn draw(&mut self, app: &App, palette: &Palette, canvas: &mut Canvas<'_>) {
        if app.hides_panes() {
            return;
        }
        self.draw_gaps(palette, canvas);
        let screens: Vec<Rect> = self.layout.panes.iter().map(|pane| pane.body).collect();
        if app.space.eye.is_some() {
            return self.draw_space(app, &screens, palette, canvas);
        }
        let looks: Vec<Look<'_>> = app
            .lanes
            .iter()
            .zip(&screens)
            .map(|(lane, screen)| Look {
                is_pane: true,
                least_outline: least_outline(screens.len()),
                most_outlines: MOST_OUTLINES / 2 / screens.len(),
                ..Look::at(app, lane, *screen)
            })
            .collect();
        let Some(first) = looks.first() else { return };
        self.regions
            .resize_with(looks.len(), RegionsPicture::default);
        for (look, regions) in looks.iter().zip(&mut self.regions) {
            regions.draw(canvas, look, palette);
            guide_lines(canvas.mesh, look, palette);
            canvas.flush_in(look.camera.screen);
        }
        // The units are the same in every pane: they are found once, and printed as often as there are panes.
        let screens = &screens[..looks.len()];
        if self.units.choose(first, most_arrows(looks.len())) {
            self.density.draw(first, palette, screens);
        } else {
            self.units.draw(canvas.mesh, first, palette);
            canvas.flush_copies(first.camera.screen, screens);
        }
        for look in &looks {
            draw_marked(canvas.mesh, look, palette);
            draw_selected(canvas.mesh, look, palette);
            canvas.flush_in(look.camera.screen);
        }
    }

    fn overlay(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        // Where there is room for both, and over the table, it stands where it always does.
        let has_room = self.layout.has_room_for_race();
        app.race_alone &= !has_room && !app.all_structures;
        if app.all_structures {
            table(ui, app, palette, self.layout.all_panes(), &mut self.orders);
        } else if !app.race_alone {
            let parts = (&self.shown, &mut self.caption);
            overlay::show(ui, app, palette, &self.layout, parts);
        }
        if let Some(strip) = self.layout.strip {
            let strip = match app.race_alone {
                true => (self.layout.field, has_room),
                false => (strip, has_room),
            };
            let parts = (&self.shown, &mut self.plotted, &mut self.verdict);
            overlay::strip(ui, app, palette, strip, parts);
        }
    }

    fn ask(&self, app: &App, ask: Ask) -> Ask {
        if app.shows_space() {
            let ask = app.space_ask(ask);
            return Ask {
                lanes: !app.all_structures,
                survey: app.subject(),
                ..ask
            };
        }
        let regions = app.layers.shows(Layer::Nodes) || app.layers.shows(Layer::Load);
        Ask {
            observe: observe::Ask {
                cursor: app.looked_at(),
                regions,
                ..ask.observe
            },
            lanes: !app.all_structures,
            survey: app.subject(),
            cull: field::area(&Look::first(app), most_arrows(app.lanes.len())),
            ..ask
        }
    }

    fn answered(&mut self, app: &mut App) {
        if let Some(modifiers) = app.take_click() {
            space::click(app, modifiers);
        }
        self.shown.take(app);
    }

    fn serve(&mut self, app: &mut App) {
        self.stroke.serve(app);
    }

    fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        if app.shows_space() {
            return self.hand.pressed(press, None);
        }
        self.stroke.pressed(app, press)
    }

    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        if app.shows_space() {
            return self.hand.dragged(app, at);
        }
        self.stroke.dragged(app, at)
    }

    fn released(&mut self, app: &mut App, at: Pos2) {
        if app.shows_space() {
            if let Some(modifiers) = self.hand.end(app) {
                // In another pane it is meant where the same place is in the first one.
                let at = self.layout.fold(at).unwrap_or(at);
                app.click_space(at, modifiers);
            }
            return;
        }
        self.stroke.end(app);
    }

    fn wheel(&mut self, app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
        if app.shows_space() {
            return space::wheel(app, factor, modifiers);
        }
        field::wheel(app, factor, modifiers)
    }

    fn cancel(&mut self, app: &mut App) {
        app.drop_click();
        self.hand.cancel(app);
        self.stroke.cancel(app);
    }
}

impl Compare {
    /// Draws lines between the panes, a pixel wide at least in a picture that is smaller than the window.
    fn draw_gaps(&self, palette: &Palette, canvas: &mut Canvas<'_>) {
        let least = 1.0 / canvas.pixels_per_point;
        for gap in self.layout.gaps() {
            let missing = (Vec2::splat(least) - gap.size()).max(Vec2::ZERO) / 2.0;
            canvas.mesh.fill(gap.expand2(missing), palette.strong_line);
        }
        canvas.flush();
    }

    /// Draws space as each lane parts it: one eye, a pane a lane.
    fn draw_space(
        &mut self,
        app: &App,
        screens: &[Rect],
        palette: &Palette,
        canvas: &mut Canvas<'_>,
    ) {
        self.scenery.resize_with(app.lanes.len(), Scenery::default);
        let lanes = app.lanes.iter().zip(screens);
        for ((lane, screen), scenery) in lanes.zip(&mut self.scenery) {
            let Some(eye) = app.eye_of_pane(*screen) else {
                return;
            };
            scenery.draw(app, lane, &eye, palette, canvas);
            canvas.flush_in(*screen);
        }
    }
}
