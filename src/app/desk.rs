//! What lies around the scene: the settings that are kept, the theme of the desktop, the title of the window, and what becomes of
//! the file on the disk. Tended once a frame; nothing here waits.

use super::display::Title;
use super::palette::Palette;
use super::settings::{Colors, Opened, Settings, Store, System, Theme};
use super::state::{App, SaveLook};
use super::theme;
use super::watch::Watch;
use egui_macroquad::egui::Context;
use egui_macroquad::macroquad::miniquad::window::{clipboard_set, screen_size};
use std::path::Path;
use std::time::Duration;

/// How soon somebody looks again what the desktop wants.
const AGAIN: Duration = Duration::from_secs(4);

/// What a palette is made of: whether it is light, for which eyes, and whether sides are marked.
type Dress = (bool, Colors, bool);

/// What lies around the scene.
pub struct Desk {
    store: Store,
    system: System,
    title: Title,
    titled: Option<(String, bool)>,
    watch: Watch,
    /// The last of [`Files::arrivals`](super::state::Files) that was heeded.
    arrivals: Option<u32>,
    dressed: Option<Dress>,
    palette: Palette,
    /// The size with which the window opened, which nobody chose.
    first_size: Option<(u32, u32)>,
    is_resized: bool,
}

impl Desk {
    /// With what was kept; gives what it says of the user's choices.
    pub fn new(opened: Opened) -> (Self, Settings, Option<String>) {
        let desk = Self {
            store: opened.store,
            system: System::default(),
            title: Title::default(),
            titled: None,
            watch: Watch::default(),
            arrivals: None,
            dressed: None,
            palette: Palette::DARK,
            first_size: None,
            is_resized: false,
        };
        (desk, opened.settings, opened.notice)
    }

    /// Looks after everything but colours. Before the panels.
    pub fn tend(&mut self, app: &mut App, ctx: &Context, full_screen: bool) {
        if !full_screen && !app.fixed {
            self.note_size(app);
        }
        if let Some(sentence) = self.store.tend(&app.settings) {
            app.say(sentence);
        }
        // Whoever redraws only when something changes comes back when there is something to write.
        if let Some(due) = self.store.due() {
            ctx.request_repaint_after(due);
        }
        self.tend_title(app);
        self.tend_file(app, ctx);
        // A picture takes a few frames.
        if app.files.picture.is_some() {
            ctx.request_repaint();
        }
        app.serve_writers();
        if app.settings.theme == Theme::System {
            ctx.request_repaint_after(AGAIN);
        }
        if let Some(text) = app.files.copied.take() {
            clipboard_set(&text);
        }
    }

    /// The colours, which egui is told when they are others.
    pub fn dress(&mut self, app: &mut App, ctx: &Context) -> Palette {
        app.light = match app.settings.theme {
            Theme::Dark => false,
            Theme::Light => true,
            Theme::System => self.system.is_light(),
        };
        let dress = (app.light, app.settings.colors, app.settings.mark_sides);
        if self.dressed != Some(dress) {
            self.palette = Palette::of(dress.0, dress.1, dress.2);
            theme::apply(ctx, &self.palette);
            self.dressed = Some(dress);
        }
        self.palette.clone()
    }

    /// The window closes.
    pub fn close(&mut self, settings: &Settings) {
        self.store.close(settings);
    }

    fn note_size(&mut self, app: &mut App) {
        let (width, height) = screen_size();
        let size = (width as u32, height as u32);
        // As it opened it says nothing; whoever has changed it once, and comes back to that, wants it so.
        let first = *self.first_size.get_or_insert(size);
        self.is_resized |= size != first;
        if self.is_resized && app.settings.window != Some(size) {
            app.settings.window = Some(size);
        }
    }

    fn tend_title(&mut self, app: &App) {
        let is_shown = self.titled.as_ref().is_some_and(|(name, dirty)| {
            *dirty == app.bears_mark() && app.name.as_deref().unwrap_or(DEFAULT_NAME) == name
        });
        if is_shown {
            return;
        }
        let name = app.title();
        let mark = if app.bears_mark() { "\u{2022} " } else { "" };
        self.title.set(&format!("{mark}{name} \u{2014} Skirmish"));
        self.titled = Some((name, app.bears_mark()));
    }

    /// Looks after the file of the scene. Also while nothing of the window can be seen: who closes it then, or ends the program, loses what
    /// its file does not hold any more.
    pub fn tend_file(&mut self, app: &mut App, ctx: &Context) {
        // Where two runs must look alike nobody watches.
        if app.fixed {
            return;
        }
        for path in app.files.just_written.drain(..) {
            self.watch.note_written(path);
        }
        if self.arrivals != Some(app.files.arrivals) {
            self.arrivals = Some(app.files.arrivals);
            let wake = {
                let ctx = ctx.clone();
                move || ctx.request_repaint()
            };
            let path = app.file().map(Path::to_path_buf);
            self.watch.begin(path, app.files.in_file, wake);
        }
        if std::mem::take(&mut app.files.is_heard) {
            self.watch.hear();
        }
        // Behind what has come and what was written: of these it is known by then.
        if app.files.save_look == SaveLook::Wanted {
            app.files.save_look = SaveLook::UnderWay;
            self.watch.look();
        }
        if app.files.save_look == SaveLook::UnderWay && self.watch.has_looked() {
            app.files.save_look = SaveLook::Done;
        }
        app.note_found(self.watch.found(), self.watch.version());
        app.worker
            .note_gone(app.files.is_gone().then_some(app.session()));
    }
}

/// What [`App::title`] says of what has no name.
const DEFAULT_NAME: &str = "skirmish.ron";
