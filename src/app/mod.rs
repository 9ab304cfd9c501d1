//! The window: the only importer of macroquad and egui.
//!
//! A frame goes one way: input → commands → time → observation → panels → field. The state does not know the panels, the
//! panels do not know the structures, and what is drawn is what [`skirmish::observe`] was told. Unsafe code is in `gl.rs`,
//! `display` and `memory.rs` alone.

#![deny(unsafe_code)]

mod album;
mod camera;
mod commands;
mod common_values;
mod control;
mod desk;
mod dialogs;
mod display;
mod drawing;
mod ending;
mod export;
mod eye;
mod finder;
mod gallery;
#[allow(unsafe_code)]
mod gl;
mod glossary;
mod history;
mod icon;
mod idle;
mod input;
mod knob_words;
mod late;
mod layout;
mod library;
#[allow(unsafe_code)]
mod memory;
mod pages;
mod palette;
mod panels;
mod pins;
mod png;
mod portrait;
mod processors;
mod recover;
mod render;
mod report;
mod run_before;
mod scenes;
mod script;
mod selection;
mod sentences;
mod set_words;
mod settings;
mod silhouette;
mod snippet;
mod state;
mod stream;
mod theme;
mod thumbnail;
mod toasts;
mod unsaved;
mod versions;
mod view;
mod wake;
mod watch;
mod widgets;
mod worker;

use crate::command::{Source, WindowOptions, complain};
use album::Album;
use commands::Command;
use control::Control;
use desk::Desk;
use dialogs::{Dialogs, Kind};
use egui_macroquad::egui::{CentralPanel, Frame as PanelFrame, Rect, vec2};
use egui_macroquad::macroquad::miniquad::conf::Platform;
use egui_macroquad::macroquad::prelude::{
    Conf, is_quit_requested, next_frame, prevent_quit, set_fullscreen,
};
use egui_macroquad::macroquad::{Window, miniquad};
use gallery::Gallery;
use gl::Gl;
use idle::Idle;
use input::Input;
use palette::Palette;
use recover::Recover;
use render::Renderer;
use script::Script;
use sentences::{and, warned};
use settings::Settings;
use skirmish::session::Session;
use state::{App, Start};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};
use view::Views;
use watch::InFile;
use widgets::Audit;
use worker::{Keeping, Message};

/// The window at first, in points, unless somebody says otherwise.
const SIZE: (u32, u32) = (1440, 900);
/// How the window ended.
enum End {
    /// As it should.
    Well,
    /// Something that was asked for could not be done.
    Badly(String),
}

/// Opens the window and returns when it is closed.
pub fn run(options: WindowOptions) -> ExitCode {
    let script = match options.script.as_deref().map(Script::read).transpose() {
        Ok(script) => script,
        Err(sentence) => {
            complain(&sentence);
            return ExitCode::from(2);
        }
    };
    if let Err(sentence) = display::check() {
        complain(&sentence);
        return ExitCode::FAILURE;
    }
    memory::keep_what_frames_free();
    display::take_complaints(false);
    ending::heed_signals();
    let end = Rc::new(RefCell::new(None));
    let result = Rc::clone(&end);
    // Where frames are counted or a script plays, what somebody chose once is no part of the picture; and a picture is as large as it is
    // asked for.
    let is_picture = options.frames.is_some() || script.is_some();
    let kept = settings::Store::open(is_picture);
    let asked = options.size.or(kept.settings.window);
    let screen = display::screen().filter(|_| !(is_picture && options.size.is_some()));
    let (width, height) = display::fitted(asked, SIZE, screen);
    let conf = Conf {
        window_title: "Skirmish".to_owned(),
        window_width: width as i32,
        window_height: height as i32,
        high_dpi: true,
        sample_count: 1,
        icon: icon::of_window(),
        platform: Platform {
            linux_wm_class: "skirmish",
            ..Platform::default()
        },
        ..Conf::default()
    };
    processors::take();
    // Without usable graphics miniquad panics; that is one clear line here, and not a backtrace.
    let hook = std::panic::take_hook();
    let opened = Rc::new(std::cell::Cell::new(false));
    let mark = Rc::clone(&opened);
    std::panic::set_hook(Box::new(|_| {}));
    let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Window::from_config(conf, async move {
            mark.set(true);
            std::panic::set_hook(hook);
            *result.borrow_mut() = Some(window(options, script, kept).await);
        });
    }));
    let outcome = end.borrow_mut().take();
    match (attempt, outcome) {
        (_, Some(End::Well)) => ExitCode::SUCCESS,
        (_, Some(End::Badly(sentence))) => {
            complain(&sentence);
            ExitCode::FAILURE
        }
        (Err(panic), None) if opened.get() => std::panic::resume_unwind(panic),
        _ => {
            complain(&display::no_graphics());
            ExitCode::FAILURE
        }
    }
}

/// What lives as long as the window.
struct Screen {
    app: App,
    gl: Gl,
    input: Input,
    control: Control,
    dialogs: Dialogs,
    gallery: Gallery,
    album: Album,
    recover: Recover,
    renderer: Renderer,
    views: Views,
    desk: Desk,
    frame_count: u64,
    /// Whether a page or a dialog lay over the field in the last frame.
    covered: bool,
    /// Goes over all that is written, where a report is wanted of frames that are counted.
    audit: Option<Audit>,
    full_screen: bool,
    /// Where the picture of the window goes that is taken once this frame is drawn, and whether the program has named it.
    window_picture: Option<(PathBuf, bool)>,
    idle: Idle,
    quit: bool,
}

async fn window(
    mut options: WindowOptions,
    mut script: Option<Script>,
    opened: settings::Opened,
) -> End {
    prevent_quit();
    let Some(mut gl) = Gl::take() else {
        return End::Badly("the program has a window already".to_owned());
    };
    let installed = Input::install(&mut gl);
    let both = installed.and_then(|input| {
        let renderer = Renderer::new(&mut gl).map_err(|error| error.to_string())?;
        Ok((input, renderer))
    });
    let (input, renderer) = match both {
        Ok(both) => both,
        Err(error) => {
            return End::Badly(format!(
                "the graphics driver refused the program's shader: {error}"
            ));
        }
    };
    let idle = Idle::new(input.context(), gl.draws_in_software());
    let fixed = options.frames.is_some() || script.is_some();
    let is_recording = matches!(options.source, Source::Recording(_));
    let (happening, complaint) = match begin(options.source, options.path.as_deref()) {
        Ok(opened) => opened,
        Err(sentence) => return End::Badly(sentence),
    };
    let crowding = happening.crowding();
    let opened_first = options.path.clone();
    let bytes = options.bytes.take();
    let in_file = bytes.map_or(InFile::AsBefore, |bytes| InFile::read(&bytes));
    let start = Start {
        session: happening,
        path: options.path,
        in_file,
        is_recording,
        fixed,
        scripted: script.is_some(),
    };
    let mut app = match App::new(start, field_rect(&input, true)) {
        Ok(app) => app,
        Err(sentence) => return End::Badly(sentence),
    };
    let (desk, settings, notice) = Desk::new(opened);
    app.settings = settings;
    app.note_start(opened_first.as_deref());
    let mut failures = complaint.into_iter().chain(notice).peekable();
    let has_failed = failures.peek().is_some();
    // There is room for one notice.
    let said = failures
        .chain(crowding.as_ref().map(warned))
        .reduce(|said, more| and(said, Some(&more)));
    match said {
        Some(said) if has_failed => app.fail(said),
        Some(said) => app.say(said),
        None => {}
    }
    let mut screen = Screen {
        app,
        gl,
        input,
        control: Control::default(),
        dialogs: Dialogs::default(),
        gallery: Gallery::default(),
        album: Album::open(fixed),
        // Nobody is there to answer a question where frames are counted or a script plays.
        recover: if fixed {
            Recover::default()
        } else {
            Recover::look()
        },
        renderer,
        views: Views::new(),
        desk,
        frame_count: 0,
        covered: false,
        audit: (fixed && options.report.is_some()).then(Audit::default),
        full_screen: false,
        window_picture: None,
        idle,
        quit: false,
    };
    display::take_complaints(true);
    display::give_icon(&icon::of_x11());
    let last_word = screen.app.worker.last_word();
    display::at_loss(move || match last_word() {
        Keeping::All => "; what was not saved is kept and offered at the next start",
        Keeping::Part => "; a part of what was not saved is kept and offered at the next start",
        Keeping::Nothing => "",
    });
    let mut last = Instant::now();
    let mut due = last;
    let mut end = End::Well;
    loop {
        let begun = Instant::now();
        let elapsed = begun - last;
        last = begun;
        screen.frame(elapsed);
        if screen.app.worker.has_ended() {
            end = End::Badly("the battle ended by a fault of the program, not yours".to_owned());
            break;
        }
        // A script acts on what has just been drawn, so that it takes pictures of that.
        let played;
        match script
            .as_mut()
            .map(|script| script.play(&mut screen.app))
            .transpose()
        {
            Ok(more) => played = more == Some(false),
            Err(sentence) => {
                end = End::Badly(sentence);
                played = true;
            }
        }
        if played {
            break;
        }
        screen
            .app
            .frames
            .work_ms
            .push(begun.elapsed().as_secs_f32() * 1000.0);
        let ended = options
            .frames
            .is_some_and(|frames| screen.frame_count >= frames.max(1));
        if ended
            && let Some(path) = &options.screenshot
            && let Err(error) = report::save_picture(path)
        {
            end = End::Badly(error);
        }
        // Who is told to end from outside is not asked whether changes may be lost: they are kept.
        let is_told = ending::is_told();
        if ended || screen.quit || is_told {
            break;
        }
        // The driver draws after this, so the time that it takes counts: from one wait's end to the next.
        due = screen.wait(due);
        if screen.idle.has_slept() {
            last = due;
        }
        next_frame().await;
    }
    // Whoever closes the window has been asked; a fault has asked nobody.
    let keep = !screen.quit || matches!(end, End::Badly(_));
    screen.dialogs.save_at_once(&mut screen.app);
    screen.app.worker.leave(keep);
    screen.app.settle();
    screen.desk.close(&screen.app.settings);
    // What nobody has saved yet is kept before that.
    if let Err(error) = screen.app.finish_writing()
        && matches!(end, End::Well)
    {
        end = End::Badly(error);
    }
    if let Some(path) = &options.record
        && let looks = screen.app.looks_to_record()
        && let Err(error) = screen.app.worker.write_recording(path, looks)
    {
        end = End::Badly(error);
    }
    if let Some(path) = &options.report {
        let places = widgets::places(screen.input.context());
        if let Err(error) = report::write(
            path,
            &screen.app,
            (&places, screen.audit.as_ref()),
            screen.input.context().pixels_per_point(),
        ) {
            end = End::Badly(error);
        }
    }
    end
}

/// The session of a scene or a recording, and what could not be opened of it.
fn begin(source: Source, path: Option<&Path>) -> Result<(Session, Option<String>), String> {
    match source {
        Source::Scene(scene) => {
            let folder = path.map_or(Some(Path::new("scenes")), Path::parent);
            Ok(Session::new(*scene, folder.unwrap_or(Path::new(""))))
        }
        Source::Recording(recording) => {
            Session::of_recording(*recording).map_err(|refusal| refusal.to_string())
        }
    }
}

/// The rectangle that the panels leave to the field, before the panels have been laid out for the first time.
fn field_rect(input: &Input, panels: bool) -> Rect {
    let (width, height) = miniquad::window::screen_size();
    let size = vec2(width, height) / input.context().pixels_per_point();
    let whole = Rect::from_min_size(Default::default(), size).with_min_y(theme::layout::MENU);
    if !panels {
        return whole;
    }
    let docked = layout::docked(size.x);
    let width = |side: usize, width: f32| if docked[side] { width } else { 0.0 };
    let left = width(0, layout::LEFT);
    let right = width(1, layout::RIGHT);
    let bottom = if size.y < theme::layout::LOW {
        theme::layout::TRANSPORT
    } else {
        theme::layout::BOTTOM + theme::layout::TIMELINE
    };
    camera::rect(
        left,
        theme::layout::MENU,
        (size.x - right).max(left + 1.0),
        (size.y - theme::layout::STATUS - bottom).max(theme::layout::MENU + 1.0),
    )
}

impl Screen {
    fn frame(&mut self, elapsed: Duration) {
        self.frame_count += 1;
        self.idle.begin();
        let (width, height) = miniquad::window::screen_size();
        if width < 1.0 || height < 1.0 {
            // A window of no size has nothing to draw, and egui cannot lay out in it.
            let ask = self.app.plain_ask(false);
            self.app.exchange(ask);
            return;
        }
        if is_quit_requested() {
            self.app.run(Command::Quit);
        }
        if self.idle.is_hidden() {
            // What cannot be seen is not drawn. What comes meanwhile, a wish to close the window too, is seen to.
            self.input.collect(self.app.menu_open);
            self.app.hear_news();
            self.desk.tend_file(&mut self.app, self.input.context());
            self.carry_out_requests();
            self.dialogs.go_on_unseen(&mut self.app);
            self.quit |= self.dialogs.take_leave();
            return;
        }
        if !self.idle.has_slept() {
            self.app
                .frames
                .frame_ms
                .push(elapsed.as_secs_f32() * 1000.0);
        }
        let events = self.input.collect(self.app.menu_open).to_vec();
        if !events.is_empty() {
            self.idle.touch();
            self.app.frames.untouched = 0;
        }
        self.app.frames.untouched += 1;
        self.input.apply_scale(self.app.settings.scale);
        self.control.handle(
            &mut self.app,
            &mut self.views,
            self.input.context(),
            &events,
            self.dialogs.are_open() || self.recover.is_open(),
        );
        if !self.input.context().input(|input| input.pointer.any_down()) {
            self.app.end_stroke();
        }
        // Where two runs must look alike a frame lasts as long as a tick.
        let passed = if self.app.fixed {
            skirmish::tick::STEP_SECONDS as f32
        } else {
            elapsed.as_secs_f32()
        };
        self.app.advance_steps(passed);
        let ask = self.app.plain_ask(self.frame_count % 15 == 1);
        let view = self.views.of(self.app.view);
        let mut ask = view.ask(&self.app, ask);
        if self.dialogs.are_saving() {
            ask.tour.get_or_insert_default().pending = true;
        }
        if self.app.exchange(ask) {
            self.idle.owe();
        }
        view.answered(&mut self.app);
        if let Some(later) = self.app.tell_looks() {
            self.input.context().request_repaint_after(later);
        }
        self.app.serve_library();
        self.carry_out_requests();

        let ctx = self.input.context();
        self.desk.tend(&mut self.app, ctx, self.full_screen);
        let palette = self.desk.dress(&mut self.app, ctx);
        theme::still(ctx, self.app.settings.reduced_motion);
        let (app, dialogs, views) = (&mut self.app, &mut self.dialogs, &mut self.views);
        let (recover, gallery) = (&mut self.recover, &mut self.gallery);
        let audit = &mut self.audit;
        let asks = dialogs.are_open() || recover.is_open() || app.pages.are_open();
        let mut field = Rect::NOTHING;
        self.input.ui(|ctx| {
            widgets::clear_covers(ctx);
            field = panels::show(ctx, app, &palette, views);
            let screen = views.of(app.view).screen(app, field);
            app.resize(screen);
            app.pictured = views.of(app.view).pictured(app);
            widgets::place(ctx, "field", screen);
            CentralPanel::default()
                .frame(PanelFrame::NONE)
                .show(ctx, |ui| {
                    widgets::field(ui, &palette, screen, &app.told_field());
                    views.of(app.view).overlay(ui, app, &palette);
                    panels::draw_handles(ctx, &palette);
                    toasts::show(ui, app, &palette, (field, asks));
                });
            if asks || pages::pointer_rests(ctx) {
                toasts::hide_tooltips(ctx);
            }
            pages::show(ctx, app, &palette, (field, asks));
            gallery.show(ctx, app, &palette);
            dialogs.show(ctx, app, &palette);
            recover.show(ctx, app, &palette);
            if let Some(audit) = audit {
                audit.look(ctx, app.view.row().key);
            }
        });
        // The question of work that is brought back holds time itself.
        let covered = dialogs.are_open() || app.pages.cover_field();
        if std::mem::replace(&mut self.covered, covered) != covered {
            app.worker.post(Message::Covered(covered));
        }
        let scale = self.input.context().pixels_per_point();
        let mut canvas = self.renderer.begin(&mut self.gl, &palette, field, scale);
        let view = self.views.of(self.app.view);
        view.draw(&self.app, &palette, &mut canvas);
        canvas.finish();
        for (_, view) in self.views.each() {
            view.serve(&mut self.app);
        }
        self.input.draw(&mut self.gl);
        self.take_window();
        self.tend_album(field);
    }

    /// Draws a small picture of a scene that has come from a file or gone to one, for the page that shows all scenes.
    fn tend_album(&mut self, field: Rect) {
        // A table is no picture, nor is the race, and steps are of a moment: the picture waits.
        let app = &self.app;
        if app.all_structures || app.race_alone || app.is_stepping() {
            return;
        }
        // Whoever stands before what the file has sees less than that.
        let is_here = !self.app.is_unsaved() && !self.app.place.has_scene_ahead;
        let is_file = self.app.file().is_some() && is_here;
        let (arrivals, moment) = (self.app.files.arrivals, self.app.moment);
        if !self.album.is_due(arrivals, moment, is_file) {
            return;
        }
        let Some(path) = self.app.file().map(Path::to_path_buf) else {
            return;
        };
        // Those that come with the program are dark, and the page turns them where its surfaces are light.
        let Settings {
            colors, mark_sides, ..
        } = self.app.settings;
        let dark = Palette::of(false, colors, mark_sides);
        let view = self.views.of(self.app.view);
        let with = (&mut self.renderer, &mut self.gl);
        if let Some(picture) = portrait::as_it_is(&self.app, view, with, &dark, field) {
            self.album.keep(path, picture);
        }
    }

    /// Does what only the window can do.
    fn carry_out_requests(&mut self) {
        for command in std::mem::take(&mut self.app.requests) {
            match command {
                Command::New => self.dialogs.begin_new(&mut self.app),
                Command::Open => self.dialogs.open(&self.app),
                Command::Reload => {
                    if let Some(path) = self.app.file().map(Path::to_path_buf) {
                        self.dialogs.open_path(&mut self.app, path);
                    }
                }
                Command::Copy => {
                    self.copy();
                }
                Command::Cut => self.cut(),
                Command::Paste => match miniquad::window::clipboard_get() {
                    Some(text) => self.app.paste(&text),
                    None => self.app.say("The clipboard holds no text."),
                },
                Command::Save => match self.app.file().map(Path::to_path_buf) {
                    Some(path) => self.dialogs.save(&mut self.app, path),
                    None => self.dialogs.save_as(&self.app),
                },
                Command::SaveAs => self.dialogs.save_as(&self.app),
                Command::SaveRecording => self.save_kind_as(Kind::Recording),
                Command::ExportWindow => self.save_kind_as(Kind::Window),
                Command::ExportPlots => self.save_kind_as(Kind::Plots),
                Command::ExportTable => self.save_kind_as(Kind::Table),
                Command::ExportLate => self.save_kind_as(Kind::Late),
                Command::ExportCounters => self.save_kind_as(Kind::Counters),
                Command::Screenshot => self.screenshot(),
                Command::FullScreen => {
                    self.full_screen ^= true;
                    set_fullscreen(self.full_screen);
                }
                Command::FieldCursor => widgets::focus_field(self.input.context()),
                Command::Quit => self.quit |= self.dialogs.quit(&self.app),
                _ => {}
            }
        }
        if let Some((width, height)) = self.app.files.field_picture.take() {
            self.save_kind_as(Kind::Field(width, height));
        }
        if let Some(wanted) = self.app.due_picture() {
            match wanted.size {
                Some(size) => self.take_field(&wanted.path, size),
                None => self.window_picture = Some((wanted.path, false)),
            }
        }
        if let Some(path) = self.app.picked.take() {
            self.dialogs.open_path(&mut self.app, path);
        }
        self.quit |= self.dialogs.take_leave();
    }

    /// Hands who is selected to the clipboard. Whether that was not refused.
    fn copy(&mut self) -> bool {
        let text = self.app.copy_selection();
        if let Some(text) = &text {
            miniquad::window::clipboard_set(text);
        }
        text.is_some()
    }

    /// The same, and removes them.
    fn cut(&mut self) {
        if self.copy() {
            self.app.run(Command::DeleteSelection);
        }
    }

    fn save_kind_as(&mut self, kind: Kind) {
        self.dialogs.save_kind_as(&self.app, kind);
    }

    /// Draws a picture of the field alone.
    fn take_field(&mut self, path: &Path, size: (u32, u32)) {
        let palette = self.desk.dress(&mut self.app, self.input.context());
        let view = self.views.of(self.app.view);
        let with = (&mut self.renderer, &mut self.gl);
        match portrait::take(&mut self.app, view, with, &palette, size) {
            Ok(picture) => {
                let write = report::put_picture(picture);
                self.app.write_beside(path.to_owned(), write);
            }
            Err(reason) => self
                .app
                .fail(format!("{}: not saved: {reason}", path.display())),
        }
    }

    /// Takes the picture of the window that is due. The frame has just been drawn and not yet been handed to the screen: what is read
    /// afterwards is whatever the driver leaves behind, black for one.
    fn take_window(&mut self) {
        let Some((path, is_named_here)) = self.window_picture.take() else {
            return;
        };
        if !is_named_here {
            return self.app.write_beside(path, report::take_picture());
        }
        match report::save_picture(&path) {
            Ok(()) => {
                let path = path.canonicalize().unwrap_or(path);
                self.app
                    .say(format!("The picture is in {}.", path.display()));
            }
            Err(error) => self.app.fail(error),
        }
    }

    /// Wants a picture in the folder where the user works, under a name that is free.
    fn screenshot(&mut self) {
        let stem = self.app.title().trim_end_matches(".ron").to_owned();
        let path = (1..10_000)
            .map(|number| PathBuf::from(format!("skirmish-{stem}-{number}.png")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| PathBuf::from("skirmish.png"));
        self.window_picture = Some((path, true));
    }

    /// Waits until it is time for the next frame, after the last wait had ended at `due`, and gives when this one did.
    fn wait(&mut self, due: Instant) -> Instant {
        // Folders are read by a thread that does not ring.
        let waits = self.dialogs.are_open();
        let was_hidden = self.idle.is_hidden();
        let due = self.idle.wait(&self.app, due, waits);
        if self.idle.is_hidden() != was_hidden {
            self.app.worker.post(Message::Hidden(!was_hidden));
        }
        due
    }
}
