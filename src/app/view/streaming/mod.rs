//! The streaming: the world around the character, which loads ahead of it and unloads behind it.

mod atlas;
mod before;
mod boxes;
mod drawn;
mod follow;
mod late;
mod left;
mod objects;
mod overlay;
mod paths;
mod pictures;
mod plots;
mod pointer;
mod right;
mod selected;
mod shape;
mod states;

use super::contract::{Grip, Press, View};
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::App;
use crate::app::view::caption::Caption;
use crate::app::view::field::Look;
use crate::app::view::step::Step;
use crate::app::widgets::with_commas;
use crate::app::worker::{Ask, Message};
use atlas::Atlas;
use egui_macroquad::egui::{Context, Pos2, Rect, Ui, Vec2};
use egui_macroquad::macroquad::miniquad::KeyCode;
use follow::Follow;
use pictures::Pictures;
use pointer::{Hand, Walk};
use skirmish::streaming::{LateAsk, TourAsk};

/// The view of the streaming.
#[derive(Default)]
pub struct Streaming {
    atlas: Atlas,
    hand: Hand,
    walk: Walk,
    follow: Follow,
    caption: Caption,
    step: Step,
    pictures: Pictures,
}

impl View for Streaming {
    fn left(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        left::show(ui, app, palette);
        if app.stream.is_some() {
            self.pictures.show(ui, app, palette);
        }
    }

    fn right(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if app.is_stepping() {
            return self.step.right(ui, app, palette);
        }
        right::show(ui, app, palette);
    }

    fn right_pinned_height(&self, context: &Context, app: &App, whole: f32) -> f32 {
        if app.is_stepping() {
            return self.step.right_pinned_height(app, whole);
        }
        right::pinned_height(context, app, whole)
    }

    fn right_pinned_head(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if !app.is_stepping() {
            right::show_head(ui, app, palette);
        }
    }

    fn right_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if app.is_stepping() {
            return self.step.right_pinned(ui, app, palette);
        }
        right::show_pinned(ui, app, palette);
    }

    fn strip_height(&self, app: &App, window: Vec2) -> Option<f32> {
        app.is_stepping().then(|| self.step.height(app, window))
    }

    fn tree_height(&self, app: &App, window: Vec2) -> Option<f32> {
        self.step.tree_part(app, window)
    }

    fn strip(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        self.step.strip(ui, app, palette);
    }

    fn plots(&self, ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
        plots::plots(ui, app, palette, left, right);
    }

    fn status(&self, app: &App, time: &str) -> String {
        // Before the first tick nothing is known to be needed.
        let Some(stream) = app.stream.as_ref().filter(|stream| stream.ticks() > 0) else {
            return time.to_owned();
        };
        match (stream.missing_count(), stream.failure_count()) {
            (0, 0) => format!("{time} · all that is needed is there"),
            (0, failed) => format!("{time} · could not be read: {}", with_commas(failed as u64)),
            (1, _) => format!("{time} · 1 object is needed and not there"),
            (many, _) => format!(
                "{time} · {} objects are needed and not there",
                with_commas(u64::from(many))
            ),
        }
    }

    fn hints(&self, app: &App) -> &'static [(&'static str, &'static str)] {
        if app.has_steps() {
            return &[
                ("F1", "all keys"),
                ("Esc", "leave"),
                ("Space", "play"),
                ("← →", "step"),
                ("Shift+click", "its steps alone"),
                ("Home", "first step"),
            ];
        }
        if app.draws_path() {
            return &[
                ("F1", "all keys"),
                ("Esc", "done"),
                ("Click", "place a point"),
                ("Drag", "move a point"),
                ("Delete", "take out"),
                ("Ctrl+click", "take out"),
            ];
        }
        &[
            ("F1", "all keys"),
            ("Space", "pause"),
            ("Click", "why?"),
            ("Drag", "select, move"),
            ("F7", "step through"),
            ("2× click", "teleport"),
            ("Home", "frame all"),
        ]
    }

    fn draw(&mut self, app: &App, palette: &Palette, canvas: &mut Canvas<'_>) {
        objects::draw_under(canvas.mesh, app, palette);
        canvas.flush();
        objects::draw_pictures(&self.atlas, app);
        objects::draw_over(canvas.mesh, app, palette);
        selected::draw(canvas.mesh, app, palette);
        let stepping = app.stepping.as_ref().filter(|_| app.has_steps());
        if stepping.is_some_and(|it| it.shown().is_some()) {
            let look = Look::first(app);
            self.step.draw_regions(canvas, &look, palette, app);
        }
    }

    fn overlay(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        overlay::show(ui, app, palette, &mut self.caption, &self.step);
    }

    /// Uploads and releases pictures, within the budget of a frame.
    fn serve(&mut self, app: &mut App) {
        let refused = self.atlas.serve(&mut app.texture_jobs, app.fixed);
        for (object, sentence) in refused {
            app.worker.post(Message::Refused(object, sentence));
        }
    }

    fn ask(&self, app: &App, ask: Ask) -> Ask {
        Ask {
            tour: Some(TourAsk {
                view: ask.observe.view,
                cursor: app.cursor,
                selection: app
                    .stream
                    .as_ref()
                    .and_then(|stream| stream.selection.one()),
                late: (app.stream.as_ref())
                    .and_then(|stream| stream.late_at.as_ref())
                    .map_or(LateAsk::Nobody, |(_, who)| who.clone()),
                pending: (app.stream.as_ref()).is_none_or(|stream| stream.has_late_rows),
                refresh: ask.observe.refresh,
                ..TourAsk::default()
            }),
            story: app.to_be_told(),
            ..ask
        }
    }

    /// The camera goes with the character, where it is to follow.
    fn answered(&mut self, app: &mut App) {
        if let Some(stream) = &mut app.stream {
            stream.has_late_rows = false;
        }
        self.follow.go(app, self.hand.holds_character());
        app.glide();
        self.hand.lead(app);
        if app.is_stepping() {
            let stream = app.stream.as_ref();
            let object = stream.zip(app.cursor).and_then(|(it, at)| it.object_at(at));
            self.step.point_at(app, object);
        }
    }

    fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        if app.has_steps() && press.modifiers.shift {
            self.step.focus(app);
            return Grip::Nothing;
        }
        self.hand.pressed(app, press)
    }

    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        self.hand.dragged(app, at)
    }

    fn released(&mut self, app: &mut App, at: Pos2) {
        self.hand.released(app, at);
    }

    fn key_down(&mut self, app: &mut App, key: KeyCode) -> bool {
        if self.hand.key_down(app, key) {
            return true;
        }
        // Where a decision is gone through, the arrows go from step to step.
        !app.has_steps() && self.walk.key_down(app, key)
    }

    fn key_up(&mut self, app: &mut App, key: KeyCode, shown: bool) {
        self.walk.key_up(app, key, shown);
    }

    fn cancel(&mut self, app: &mut App) {
        self.walk.cancel(app);
        self.hand.cancel(app);
    }
}
