//! The dialogs that open and save scenes, in the window itself, and the question whether changes may be lost.

pub mod leaving;
mod names;

use super::export;
use super::late;
use super::pages::{page_frame, page_width};
use super::palette::{Palette, mixed};
use super::report;
use super::state::{App, SaveLook};
use super::theme::size;
use super::watch::Became;
use super::widgets::{place, with_commas};
use super::worker::Message;
use egui_file_dialog::{DialogState, FileDialog, KeyBinding};
use egui_macroquad::egui::panel::PanelState;
use egui_macroquad::egui::text_edit::TextEditState;
use egui_macroquad::egui::{
    Align2, Area, Button, Context, Event, Frame, Id, Key, Label, Modal, Modifiers, Order, RichText,
    TextEdit, Vec2, vec2,
};
use egui_macroquad::macroquad::miniquad::window;
pub use names::first_title;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So long a save waits for a look at its file, or for what the battle tells between two ticks: one disk that does not answer must not keep what
/// lies on another from being written, nor a long tick what is known.
const PATIENCE: Duration = Duration::from_secs(1);
/// How soon one sees whether that look is over.
const AGAIN: Duration = Duration::from_millis(50);

/// What happens once changes may be lost.
#[derive(Clone, Debug, PartialEq)]
enum Leaving {
    /// The window closes.
    Quit,
    /// Another scene opens.
    Open(PathBuf),
    /// A new scene begins.
    New,
}

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The scene.
    Scene,
    /// What was done.
    Recording,
    /// A picture of the window.
    Window,
    /// A picture of the field alone, of this size in pixels.
    Field(u32, u32),
    /// The plotted figures.
    Plots,
    /// The table of all structures, or of a setting.
    Table,
    /// The late loads.
    Late,
    /// The counters of the present tick.
    Counters,
}

impl Kind {
    /// The title of its dialog, what such files are called, and their ending.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Scene => ("Save scene as", "Scene", "ron"),
            Self::Recording => ("Save recording as", "Recording", "ron"),
            Self::Window => ("Save a picture of the window as", "Picture", "png"),
            Self::Field(..) => ("Save a picture of the field as", "Picture", "png"),
            Self::Plots => ("Save the plots as", "Table", "csv"),
            Self::Table => ("Save the table as", "Table", "csv"),
            Self::Late => ("Save the late loads as", "Table", "csv"),
            Self::Counters => ("Save the counters as", "Counters", "json"),
        }
    }

    /// How a file of a scene of this name is called at first; `table` is of what a table is.
    fn first_name(self, title: &str, table: &str) -> String {
        let stem = title.trim_end_matches(".ron");
        match self {
            Self::Scene => title.to_owned(),
            Self::Recording => format!("{stem}.rec.ron"),
            Self::Window => format!("{stem}.png"),
            Self::Field(..) => format!("{stem}-field.png"),
            Self::Plots => format!("{stem}-plots.csv"),
            Self::Table => format!("{stem}-{table}.csv"),
            Self::Late => format!("{stem}-late.csv"),
            Self::Counters => format!("{stem}-counters.json"),
        }
    }
}

/// Of what the table of Compare is, in a word for a file's name.
fn of_table(app: &App) -> String {
    match app.swept_knob() {
        Some((_, knob)) => format!("{}-{}", app.swept_structure().info().key, knob.key),
        None => "structures".to_owned(),
    }
}

/// Draws a dialog. It writes the name of the selected file in the colour that lies behind what is selected in its list and in the field of the
/// name: that has to be seen as words, and words on it.
fn update(ctx: &Context, palette: &Palette, dialog: &mut FileDialog) {
    let usual = ctx.style();
    let mut style = (*usual).clone();
    let share = if style.visuals.dark_mode { 0.5 } else { 0.7 };
    style.visuals.selection.bg_fill = mixed(palette.panel, palette.accent, share);
    style.visuals.override_text_color = Some(palette.text);
    // As high as a row with its margins: the parts of a line stand in its middle then, and the list knows how high its rows are.
    style.spacing.interact_size.y = ROW - style.spacing.item_spacing.y;
    ctx.set_style(style);
    dialog.update(ctx);
    ctx.set_style(usual);
}

/// What somebody wants of a dialog that opens a file.
enum Picked {
    /// Nothing yet.
    Nothing,
    /// This file.
    File(PathBuf),
    /// What has been typed in the search, which finds nothing.
    NotFound,
}

/// Draws a dialog that opens a file, and gives the one that is picked.
fn pick(ctx: &Context, palette: &Palette, dialog: &mut FileDialog) -> Picked {
    let entered = entered(ctx);
    let is_typed = entered.as_ref().is_some_and(is_behind_letters);
    update(ctx, palette, dialog);
    // The search lets the keyboard go at Return. The way to a folder does not: it is taken away before it hears of the key.
    let ends_search = entered.is_some() && ctx.memory(|memory| memory.focused()).is_none();
    match (dialog.take_picked(), ends_search) {
        (Some(path), _) => Picked::File(path),
        // The first that a search finds is highlighted.
        (None, true) if is_typed && is_open(dialog) && dialog.selected_entry().is_none() => {
            Picked::NotFound
        }
        (None, true) => highlighted(dialog).map_or(Picked::Nothing, Picked::File),
        (None, false) => Picked::Nothing,
    }
}

fn is_open(dialog: &FileDialog) -> bool {
    matches!(dialog.state(), DialogState::Open)
}

/// Whether the name of a file has the keyboard, which is typed at the foot of a dialog that saves.
fn is_naming(ctx: &Context, dialog: &FileDialog) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    let typed = focused.filter(|id| TextEdit::load_state(ctx, *id).is_some());
    let typed = typed.and_then(|id| ctx.read_response(id));
    let foot = PanelState::load(ctx, dialog.get_window_id().with("bottom_panel"));
    let both = typed.zip(foot);
    both.is_some_and(|(typed, foot)| foot.rect.intersects(typed.rect))
}

/// Where somebody types who presses Return. Of a dialog that opens a file that is the search, or the way to a folder.
fn entered(ctx: &Context) -> Option<TextEditState> {
    let focused = ctx.memory(|memory| memory.focused())?;
    let types = TextEdit::load_state(ctx, focused);
    types.filter(|_| ctx.input(|input| input.key_pressed(Key::Enter)))
}

/// Whether the cursor stands behind something that was typed: the dialog tells nobody what stands in its search.
fn is_behind_letters(state: &TextEditState) -> bool {
    let range = state.cursor.char_range();
    range.is_some_and(|range| range.primary.index.max(range.secondary.index) > 0)
}

/// Says over the list of a dialog, which is empty then, that its search finds nothing.
fn say_not_found(ctx: &Context, palette: &Palette, dialog: &FileDialog) {
    let window = ctx.memory(|memory| memory.area_rect(dialog.get_window_id()));
    let Some(window) = window else { return };
    Area::new(Id::new("nothing is called so"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(window.center())
        .interactable(false)
        .show(ctx, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                let words = RichText::new(NOT_FOUND).size(size::SECOND);
                ui.add(Label::new(words.color(palette.text)).extend());
            });
        });
}

/// Other files of that name may lie there: the dialog shows scenes alone.
const NOT_FOUND: &str = "No scene here is called so.";

/// Whether somebody goes on to something else than what was said of his search.
fn goes_on(ctx: &Context) -> bool {
    let is_more = |event: &Event| {
        matches!(
            event,
            Event::Text(_)
                | Event::Paste(_)
                | Event::PointerButton { pressed: true, .. }
                | Event::Key {
                    pressed: true,
                    repeat: false,
                    ..
                }
        )
    };
    ctx.input(|input| input.events.iter().any(is_more))
}

/// The file that is highlighted in a dialog that is still open. The dialog itself would have the same Return end the search, and another one
/// open what that has found.
fn highlighted(dialog: &mut FileDialog) -> Option<PathBuf> {
    if !is_open(dialog) {
        return None;
    }
    // Whoever has gone to another folder sees nothing of what was highlighted in the one before.
    let shown = dialog.storage_mut().last_visited_dir.clone();
    let entry = dialog.selected_entry().filter(|entry| entry.is_file())?;
    let path = entry.to_path_buf();
    (path.parent() == shown.as_deref()).then_some(path)
}

/// What is about to be saved over what stands in the file, which another program may have written.
#[derive(Clone, Debug)]
struct Overwriting {
    path: PathBuf,
    /// Of which session.
    session: u64,
    /// Where somebody wanted to go then.
    then: Option<Leaving>,
}

impl Overwriting {
    /// Whether its scene is still here, in the same file. Of one that has gone meanwhile nothing is to be saved.
    fn is_here(&self, app: &App) -> bool {
        self.session == app.session() && app.file() == Some(&self.path)
    }
}

/// What is saved once the window knows all that stands in it.
struct Gathering {
    path: PathBuf,
    kind: Kind,
    /// Of which session.
    session: u64,
    /// Since when it waits for that.
    since: Instant,
}

/// The dialogs, open or not.
#[derive(Default)]
pub struct Dialogs {
    open: Option<FileDialog>,
    /// Whether its search was entered and has found nothing, and nobody has gone on since.
    is_not_found: bool,
    save: Option<(FileDialog, Kind)>,
    /// Whether its name has the keyboard.
    is_naming: bool,
    /// Where somebody wants to go once the dialog that is open has saved the scene.
    save_then: Option<Leaving>,
    leaving: Option<Leaving>,
    /// What is about to be saved over a file that the dialog did not ask about.
    replacing: Option<(PathBuf, Kind)>,
    /// What is saved once it is known what stands in its file by now, and since when it waits for that.
    looking: Option<(Overwriting, Instant)>,
    /// What is about to be saved over what another program has written.
    overwriting: Option<Overwriting>,
    gathering: Vec<Gathering>,
    /// What happens once the wish to save of this number is done.
    saving: Option<(Leaving, u64)>,
    /// Whether whoever quits was told of what was left for other scenes: once is enough.
    is_told_of_left: bool,
    /// Whether he is asked of nothing else, as the scene that is here is saved.
    is_of_left: bool,
    /// Whether that was seen since: behind a save the window hears of it before it sees it. What differs from its file from then on has
    /// come with the time that has passed, or with a tick that was on its way.
    is_seen_saved: bool,
    leave: bool,
}

impl Dialogs {
    /// Whether one of them has the keyboard.
    pub fn are_open(&self) -> bool {
        self.open.is_some()
            || self.save.is_some()
            || self.leaving.is_some()
            || self.overwriting.is_some()
            || self.replacing.is_some()
    }

    /// Whether something is about to be saved, which may be a table of all that is known.
    pub fn are_saving(&self) -> bool {
        self.save.is_some()
            || self.looking.is_some()
            || self.overwriting.is_some()
            || self.replacing.is_some()
            || !self.gathering.is_empty()
    }

    /// Shows the dialog that opens a scene.
    pub fn open(&mut self, app: &App) {
        let mut dialog = dialog(app, "Open scene", ("Scene", "ron"), true);
        dialog.pick_file();
        self.open = Some(dialog);
    }

    /// Opens a scene, and asks first whether the changes to this one may be lost.
    pub fn open_path(&mut self, app: &mut App, path: PathBuf) {
        self.leave_for(app, Leaving::Open(path));
    }

    /// Starts a new scene, and asks first whether the changes to this one may be lost.
    pub fn begin_new(&mut self, app: &mut App) {
        self.leave_for(app, Leaving::New);
    }

    fn leave_for(&mut self, app: &mut App, leaving: Leaving) {
        if self.goes_behind_a_save(app, &leaving) {
            return;
        }
        let is_missed = match &leaving {
            Leaving::Open(path) => app.would_be_missed_for(path),
            Leaving::Quit | Leaving::New => app.would_be_missed(),
        };
        if is_missed {
            self.leaving = Some(leaving);
        } else {
            self.go(app, leaving);
        }
    }

    /// Whether a save waits, behind which this happens now: who saves and leaves at once does not leave without what he has saved.
    fn goes_behind_a_save(&mut self, app: &App, leaving: &Leaving) -> bool {
        let waiting = self.looking.as_mut().filter(|(wish, _)| wish.is_here(app));
        // A path that is being recorded would not be in it.
        let waiting = waiting.filter(|_| !app.is_recording_path());
        let Some((wish, _)) = waiting else {
            return false;
        };
        wish.then = Some(leaving.clone());
        true
    }

    /// Saves the scene to its file, and asks first where that holds by now what another program has written.
    pub fn save(&mut self, app: &mut App, path: PathBuf) {
        self.save_and(app, path, None);
    }

    fn save_and(&mut self, app: &mut App, path: PathBuf, then: Option<Leaving>) {
        let waiting = self.take_waiting(app);
        if waiting.is_some() && then.is_none() {
            // It is on its way, and is saved as it is by then.
            self.looking = waiting;
            return;
        }
        let session = app.session();
        let wish = Overwriting {
            path,
            session,
            then,
        };
        // Who watches the file looks but once a second.
        if app.want_save_look() {
            self.looking = Some((wish, Instant::now()));
        } else {
            self.write_or_ask(app, wish);
        }
    }

    /// Saves what waits for a look at its file, once that is over. Where the disk does not answer, what the last look has found has to do.
    fn save_what_was_looked_at(&mut self, ctx: &Context, app: &mut App) {
        let Some((wish, since)) = self.take_waiting(app) else {
            return;
        };
        let is_known = app.files.save_look == SaveLook::Done;
        if !is_known && since.elapsed() < PATIENCE {
            self.looking = Some((wish, since));
            return ctx.request_repaint_after(AGAIN);
        }
        self.write_or_ask(app, wish);
        if !is_known && self.overwriting.is_none() && app.busy.is_none() {
            let name = app.title();
            app.say(format!("{name} is being saved; the disk takes its time."));
        }
    }

    /// Goes on while nothing of the window can be seen: nothing wakes it for a look that is never over, so a save does not wait for one, nor
    /// for what only a window that is seen asks for. What is to be asked is asked once somebody sees it.
    pub fn go_on_unseen(&mut self, app: &mut App) {
        self.save_gathered(app, true);
        self.save_looked_at(app);
        self.leave_what_is_saved(app);
    }

    /// Saves at once what waits for a look at its file, or to be known whole: the program ends behind this.
    pub fn save_at_once(&mut self, app: &mut App) {
        self.save_gathered(app, true);
        self.save_looked_at(app);
    }

    fn save_looked_at(&mut self, app: &mut App) {
        if let Some((wish, _)) = self.take_waiting(app) {
            self.write_or_ask(app, wish);
        }
    }

    /// Takes what waits for a look at its file. Of a scene that has gone meanwhile nothing is saved any more, and that is said.
    fn take_waiting(&mut self, app: &mut App) -> Option<(Overwriting, Instant)> {
        let (wish, since) = self.looking.take()?;
        if wish.is_here(app) {
            return Some((wish, since));
        }
        let reason = match wish.session == app.session() {
            true => "the scene has another file by now",
            false => "another scene was opened before that was done",
        };
        app.fail(format!("{}: not saved: {reason}", wish.path.display()));
        None
    }

    fn write_or_ask(&mut self, app: &mut App, wish: Overwriting) {
        match app.files.on_disk {
            Some(Became::Changed | Became::Unreadable) => self.overwriting = Some(wish),
            _ => self.write_and(app, wish.path, wish.then),
        }
    }

    fn write_and(&mut self, app: &mut App, path: PathBuf, then: Option<Leaving>) {
        app.notice = None;
        let number = app.save(path);
        if let Some(leaving) = then {
            self.saving = Some((leaving, number));
        }
    }

    /// Asks whether what another program has written, or what it lets nobody read any more, may be replaced.
    fn ask_to_overwrite(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let wish = self.overwriting.clone().filter(|it| it.is_here(app));
        let Some(Overwriting { path, then, .. }) = wish else {
            self.overwriting = None;
            return;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Replace {name}?");
        let words = super::versions::to_replace(app);
        let answers: &[&str] = match app.files.on_disk {
            Some(Became::Unreadable) => &["Replace", "Cancel"],
            _ => &["Replace", "Reload", "Cancel"],
        };
        let answer = asked(ctx, palette, "overwriting", (&title, &words), answers);
        let Some(answer) = answer else {
            return;
        };
        self.overwriting = None;
        match answers[answer] {
            "Replace" => self.write_and(app, path, then),
            "Reload" => {
                self.save_gathered(app, true);
                app.reload();
            }
            _ => {}
        }
    }

    /// Shows the dialog that saves the scene under another name.
    pub fn save_as(&mut self, app: &App) {
        self.save_kind_as(app, Kind::Scene);
    }

    /// Shows the dialog that saves something.
    pub fn save_kind_as(&mut self, app: &App, kind: Kind) {
        self.save_then = None;
        let (title, name, ending) = kind.words();
        let mut dialog = dialog(app, title, (name, ending), false)
            .default_file_name(&kind.first_name(&first_title(app), &of_table(app)));
        dialog.save_file();
        self.save = Some((dialog, kind));
    }

    /// Somebody wants to close the window. Whether it may close at once: what would be lost is asked for once, and asking again is an
    /// answer.
    pub fn quit(&mut self, app: &App) -> bool {
        if self.goes_behind_a_save(app, &Leaving::Quit) {
            return false;
        }
        let is_answer = self.leaving == Some(Leaving::Quit);
        if is_answer {
            return true;
        }
        self.is_told_of_left = false;
        self.is_of_left = !app.would_be_missed();
        self.is_seen_saved = self.is_of_left;
        self.leaving = Some(Leaving::Quit);
        self.is_of_left && !app.has_work_aside()
    }

    /// Whether the window may close now.
    pub fn take_leave(&mut self) -> bool {
        std::mem::take(&mut self.leave)
    }

    /// Draws whichever is open and does what was chosen.
    pub fn show(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        // What lies below a question hears of no key: Escape ends the question alone.
        let is_asked =
            self.leaving.is_some() || self.replacing.is_some() || self.overwriting.is_some();
        let heard = is_asked.then(|| ctx.input_mut(|input| std::mem::take(&mut input.events)));
        self.show_files(ctx, app, palette);
        if let Some(events) = heard {
            ctx.input_mut(|input| input.events = events);
        }
        self.ask(ctx, app, palette);
        self.ask_to_replace(ctx, app, palette);
        self.save_what_is_known(ctx, app);
        self.save_what_was_looked_at(ctx, app);
        self.ask_to_overwrite(ctx, app, palette);
        self.leave_what_is_saved(app);
    }

    /// Draws a dialog that opens or saves a file, and does what was chosen there.
    fn show_files(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        if let Some(dialog) = &mut self.open {
            self.is_not_found &= !goes_on(ctx);
            let picked = pick(ctx, palette, dialog);
            self.is_not_found |= matches!(picked, Picked::NotFound);
            if self.is_not_found && is_open(dialog) {
                say_not_found(ctx, palette, dialog);
            }
            let is_ended = matches!(dialog.state(), DialogState::Cancelled | DialogState::Closed);
            match picked {
                Picked::File(path) => {
                    self.open = None;
                    app.settings.note_folder(&path);
                    self.open_path(app, path);
                }
                Picked::Nothing | Picked::NotFound if is_ended => self.open = None,
                Picked::Nothing | Picked::NotFound => {}
            }
            self.is_not_found &= self.open.is_some();
        }
        if let Some((dialog, kind)) = &mut self.save {
            let kind = *kind;
            // The dialog itself would take the name's keyboard away at first. Elsewhere it ends with this key what is asked over its list.
            let is_given_up = self.is_naming && ctx.input(|input| input.key_pressed(Key::Escape));
            update(ctx, palette, dialog);
            // egui takes the keyboard away before anybody hears of the key.
            self.is_naming = is_naming(ctx, dialog);
            if let Some(path) = dialog.take_picked() {
                self.save = None;
                app.settings.note_folder(&path);
                self.picked(app, path, kind);
            } else if is_given_up
                || matches!(dialog.state(), DialogState::Cancelled | DialogState::Closed)
            {
                (self.save, self.save_then) = (None, None);
            }
            self.is_naming &= self.save.is_some();
        }
    }

    /// Goes on to where somebody wanted to leave for once it is saved. What could not be saved is not left behind, and of what was edited
    /// while it was written is asked as before.
    fn leave_what_is_saved(&mut self, app: &mut App) {
        let ended = app.take_ended_saves();
        let Some((leaving, number)) = self.saving.take() else {
            return;
        };
        let end = ended.into_iter().find(|(of, _)| *of == number);
        match end {
            Some((_, true)) if app.worker.has_acts_after(number) => {
                self.is_of_left = false;
                self.leaving = Some(leaving);
            }
            // Who has quit behind a save was asked nothing.
            Some((_, true))
                if leaving == Leaving::Quit && !self.is_told_of_left && app.has_work_aside() =>
            {
                (self.is_of_left, self.is_seen_saved) = (true, false);
                self.leaving = Some(leaving);
            }
            Some((_, true)) => self.go(app, leaving),
            Some((_, false)) => self.is_told_of_left = false,
            None => self.saving = Some((leaving, number)),
        }
    }

    /// Saves under the name that was picked, with its ending: without it the dialogs would not show the file again. A file that
    /// has the whole name is not replaced before that was asked; the dialog has asked about the name as it was typed. A folder cannot be
    /// replaced, and whoever saves says so.
    fn picked(&mut self, app: &mut App, typed: PathBuf, kind: Kind) {
        let path = with_ending(&typed, kind.words().2);
        if path != typed && path.symlink_metadata().is_ok() && !path.is_dir() {
            self.replacing = Some((path, kind));
        } else {
            self.save_picked(app, path, kind);
        }
    }

    /// Saves what was picked, and goes on to where somebody wanted to leave for once that is done.
    fn save_picked(&mut self, app: &mut App, path: PathBuf, kind: Kind) {
        let then = self.save_then.take();
        match kind {
            Kind::Scene => self.write_and(app, path, then),
            _ if is_whole(app, kind) => save_kind(app, path, kind),
            _ => self.gathering.push(Gathering {
                path,
                kind,
                session: app.session(),
                since: Instant::now(),
            }),
        }
    }

    /// Saves what waited to be known whole, once it is.
    fn save_what_is_known(&mut self, ctx: &Context, app: &mut App) {
        self.save_gathered(app, false);
        if !self.gathering.is_empty() {
            ctx.request_repaint_after(AGAIN);
        }
    }

    /// The same, and as far as it is known what has waited for long, or all of it where nobody waits. Of a scene that has gone meanwhile nothing
    /// is saved any more, and that is said.
    fn save_gathered(&mut self, app: &mut App, at_once: bool) {
        for wish in std::mem::take(&mut self.gathering) {
            if wish.session != app.session() {
                let path = wish.path.display();
                app.fail(format!(
                    "{path}: not saved: another scene was opened before that was done"
                ));
            } else if at_once || wish.since.elapsed() >= PATIENCE || is_whole(app, wish.kind) {
                save_kind(app, wish.path, wish.kind);
            } else {
                self.gathering.push(wish);
            }
        }
    }

    /// Asks whether a file may be replaced.
    fn ask_to_replace(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let Some((path, kind)) = self.replacing.clone() else {
            return;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Replace {name}?");
        let words = "There is a file of this name already; what is in it would be lost.";
        match asked(
            ctx,
            palette,
            "replacing",
            (&title, words),
            &["Replace", "Cancel"],
        ) {
            Some(0) => {
                self.replacing = None;
                self.save_picked(app, path, kind);
            }
            Some(_) => (self.replacing, self.save_then) = (None, None),
            None => {}
        }
    }

    fn go(&mut self, app: &mut App, leaving: Leaving) {
        if leaving != Leaving::Quit {
            // Of the scene that comes it is not.
            self.save_gathered(app, true);
        }
        match leaving {
            Leaving::Quit => self.leave = true,
            Leaving::Open(path) => app.open(path),
            Leaving::New => app.begin_new(),
        }
    }
}

/// Asks a question, and gives the place of the answer that was chosen; the last one is what closing the question means. The
/// report calls the answers by `id` and their words.
fn asked(
    ctx: &Context,
    palette: &Palette,
    id: &str,
    (title, words): (&str, &str),
    answers: &[&str],
) -> Option<usize> {
    let shown = Modal::new(Id::new(id))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(page_width(ui, 380.0));
            ui.label(RichText::new(title).size(size::NAME + 1.5));
            ui.add_space(6.0);
            ui.label(RichText::new(words).size(size::SECOND));
            ui.add_space(12.0);
            ui.horizontal_wrapped(|ui| {
                let mut answer = None;
                for (index, word) in answers.iter().enumerate() {
                    let button = Button::new(*word).min_size(vec2(96.0, 26.0));
                    let response = ui.add(button);
                    let name = format!("{id}.{}", word.to_lowercase());
                    place(ui.ctx(), &name, response.rect);
                    if response.clicked() {
                        answer = Some(index);
                    }
                }
                answer
            })
            .inner
        });
    if shown.should_close() {
        Some(answers.len() - 1)
    } else {
        shown.inner
    }
}

/// The path with the ending by which the dialogs know scenes and recordings, once: whoever types a whole name over what is selected of the
/// first one, which is all before its ending, has it twice.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    match path.extension() {
        Some(end) if end == ending => {
            let mut path = path.to_path_buf();
            while let Some(stem) = path.file_stem().map(Path::new)
                && stem.extension().is_some_and(|end| end == ending)
            {
                let stem = stem.to_path_buf();
                path.set_file_name(stem);
            }
            path
        }
        // A dot at the end is the beginning of an ending.
        Some(end) if end.is_empty() => path.with_extension(ending),
        _ => {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(ending);
            name.into()
        }
    }
}

/// By these keys the way to a folder can be typed, as in other programs: the slash does not reach egui here.
const EDIT_PATH: KeyBinding = KeyBinding::keyboard_shortcut(Modifiers::CTRL, Key::L);

/// A dialog for files of one ending. One that opens begins where a dialog was used last, one that saves beside the scene's file.
fn dialog(app: &App, title: &str, (name, ending): (&str, &'static str), opens: bool) -> FileDialog {
    let beside = app
        .file()
        .and_then(Path::parent)
        .filter(|folder| !folder.as_os_str().is_empty());
    let last = app.settings.last_folder().filter(|folder| folder.is_dir());
    let beside = beside.map(Path::to_path_buf);
    let wanted = if opens {
        last.or(beside)
    } else {
        beside.or(last)
    };
    let folder = wanted.unwrap_or_else(|| {
        let scenes = PathBuf::from("scenes");
        if scenes.is_dir() {
            scenes
        } else {
            PathBuf::from(".")
        }
    });
    let folder = folder.canonicalize().unwrap_or(folder);
    let mut dialog = FileDialog::new();
    let (width, height) = window::screen_size();
    let scale = window::dpi_scale() * app.settings.scale;
    if opens {
        // Nobody opens a scene from a folder that is made for it.
        dialog = dialog.show_new_folder_button(false);
        dialog.config_mut().keybindings.new_folder.clear();
    }
    dialog.config_mut().keybindings.edit_path.push(EDIT_PATH);
    let filter = format!("{name}s (*.{ending})").replace("ss (", "s (");
    let dialog = dialog
        .title(title)
        .initial_directory(folder)
        .add_file_filter_extensions(&filter, vec![ending])
        .default_file_filter(&filter)
        .add_save_extension(name, ending)
        .default_save_extension(name);
    fitted(dialog, vec2(width, height) / scale)
}

/// In the middle of a window of this size, in points, and as large as its frame and its title leave room.
fn fitted(dialog: FileDialog, window: Vec2) -> FileDialog {
    let room = (window - AROUND).max(vec2(200.0, 120.0));
    // As high as its list shows whole rows, and no higher: one that is cut in the middle would seem to be the last.
    let most = 480.0_f32.min(room.y);
    let rows = ((most - BESIDE_ROWS) / ROW).floor().max(0.0);
    let height = match rows > 0.0 {
        true => BESIDE_ROWS + ROW * rows,
        false => most,
    };
    let size = vec2(720.0_f32.min(room.x), height);
    dialog
        .default_size(size)
        .min_size(vec2(340.0, 170.0).min(size))
        .max_size(size)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .resizable(false)
        .movable(false)
}

/// The frame and the title of a dialog, and a little of the window around it, in points.
const AROUND: Vec2 = vec2(46.0, 132.0);

/// What is above and below the list of a dialog, and a row of that, in points.
const BESIDE_ROWS: f32 = 119.0;
const ROW: f32 = 27.0;

/// Saves what was done as a recording, which shows it as it is looked at now.
fn save_recording(app: &mut App, path: PathBuf) {
    let looks = app.looks_to_record();
    app.worker.post(Message::Record(path, looks, None));
}

/// Whether the window knows all that stands in it: who is on their way is asked for only while somebody saves or sees it.
fn is_whole(app: &App, kind: Kind) -> bool {
    let has_pending = matches!(kind, Kind::Late | Kind::Counters);
    let stream = app.stream.as_ref().filter(|_| has_pending);
    stream.is_none_or(|stream| stream.has_pending_needs())
}

/// What is said of a file of this kind, which begins with what it lacks.
fn as_far_as_known(app: &App, kind: Kind, what: &str) -> String {
    match is_whole(app, kind) {
        true => what.to_owned(),
        false => format!("Of objects on their way it is not known yet how late they are. {what}"),
    }
}

/// Saves the scene or what was done.
fn save_kind(app: &mut App, path: PathBuf, kind: Kind) {
    match kind {
        Kind::Scene => {
            app.save(path);
        }
        Kind::Recording => save_recording(app, path),
        Kind::Window => app.want_picture(path, None),
        Kind::Field(width, height) => app.want_picture(path, Some((width, height))),
        Kind::Plots => {
            let text = export::plots_csv(app);
            let what = match export::ticks_in(&text) {
                Some((first, last)) => format!(
                    "The plots of ticks {} to {}, which are those that are kept, are",
                    with_commas(first),
                    with_commas(last)
                ),
                None => "The plots are".to_owned(),
            };
            app.write_beside(path, move |path: &Path| {
                report::put_said(path, text.as_bytes(), &what)
            });
        }
        Kind::Table => {
            let text = export::table_csv(&app.scene.name, app.survey_rows_as_shown().into_iter());
            // It is another number than the reach that the window shows beside the table.
            let what = "The table, whose reach_m is how far pairs are looked for, is";
            app.write_beside(path, move |path: &Path| {
                report::put_said(path, text.as_bytes(), what)
            });
        }
        Kind::Late => {
            let text = export::late_csv(app);
            let what = late::saved(&app.place.marks, app.place.world_made);
            let what = as_far_as_known(app, kind, what);
            app.write_beside(path, move |path: &Path| {
                report::put_said(path, text.as_bytes(), &what)
            });
        }
        Kind::Counters => {
            let text = format!("{:#}\n", export::counters_json(app));
            let what = as_far_as_known(app, kind, "The counters are");
            app.write_beside(path, move |path: &Path| {
                report::put_said(path, text.as_bytes(), &what)
            });
        }
    }
}

#[cfg(test)]
mod tests;
