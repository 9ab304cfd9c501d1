//! What the window holds: how things stood when the session was last asked, and where the user stands. What happens is the
//! session's own, on another thread. It knows no widget; panels read it and call its methods, which post actions.

mod describe;
mod edit;
mod escaping;
mod files;
mod framing;
mod glide;
mod holding;
mod lanes;
mod layers;
mod left_views;
mod menu_keys;
mod notices;
mod objects;
mod own_values;
mod pages;
mod posed;
mod refusal;
mod running;
mod saved;
mod selection;
mod space;
mod space_units;
mod stepping;
mod stopping;
mod time;
mod tool;

use super::camera::Camera;
use super::commands::{Command, Row, View};
use super::history::{Frames, Past};
use super::library::Library;
use super::run_before::LeftRuns;
pub use super::selection::Selection;
use super::settings::Settings;
use super::stream::Stream;
use super::watch::InFile;
pub use super::worker::RunMode;
use super::worker::{
    Ask, Asked, Busy, Culled, LaneView, LeftWork, Message, Place, SurveyRow, Worker, is_missed,
};
pub use describe::{BODY_WORDS, DescribePage, PLACE_WORDS, Wanted};
use egui_macroquad::egui::{Rangef, Rect, Vec2 as ScreenVec2, vec2};
pub use files::{Files, SaveLook};
use glide::Glide;
pub use holding::Held;
pub use lanes::{is_row_of, is_with_value, settings};
pub use layers::Layers;
use left_views::LeftViews;
pub use menu_keys::{Further, MenuKeys, MenuWay};
pub use notices::Notice;
use own_values::OwnValues;
pub use pages::{FinderPage, FoundObjects, GalleryPage, HelpPage, Pages};
pub use selection::MOST_LIVE;
use skirmish::battle::Battle;
use skirmish::built_in;
use skirmish::flight::Flight;
use skirmish::geometry::Aabb;
use skirmish::geometry::Vec2;
use skirmish::scene::{AnyChoice, Scene, Side};
use skirmish::session::{Pin, Session, Shape, Shape3, Spread, Unsaved, hash_of};
use skirmish::streaming::TextureJob;
use skirmish::structure::StructureKind;
pub use space::{DEEPEST, Space};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use stepping::{BeforeSteps, SetSizes};
pub use stepping::{COUNTS, PACES, Pointed, Probed, RADII, SIDES, Stepping};
pub use stopping::{StopKind, Stopping};
pub use tool::Tool;

/// What a click on the field places or takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// What it does.
    pub tool: Tool,
    /// The radius of the circle, in metres.
    pub radius: f32,
    /// How many units a click places.
    pub count: u32,
    /// What they fill.
    pub shape: Shape,
    /// What they fill in space.
    pub shape3: Shape3,
    /// How they are spread over it.
    pub spread: Spread,
    /// How wide they are, at the least and at the most, in metres; `None` for as the scene says.
    pub width: Option<(f32, f32)>,
}

/// How the window was started.
#[derive(Debug)]
pub struct Start {
    /// What happens.
    pub session: Session,
    /// What was opened; `None` for the scene that comes with the program.
    pub path: Option<PathBuf>,
    /// How it stands to that file.
    pub in_file: InFile,
    /// Whether that is a recording, which no scene is saved over.
    pub is_recording: bool,
    /// Whether each frame is one tick and no clock is shown, so that two runs give the same pictures.
    pub fixed: bool,
    /// Whether a script has the pointer.
    pub scripted: bool,
}

/// The window's state.
pub struct App {
    /// What happens, on a thread of its own.
    pub worker: Worker,
    /// The document.
    pub scene: Arc<Scene>,
    /// Its file; `None` for the scene that comes with the program, and for what a recording holds.
    pub path: Option<PathBuf>,
    /// The name of what was opened.
    pub name: Option<String>,
    /// Whether it differs from its file.
    pub dirty: bool,
    /// In what it does.
    unsaved: Unsaved,
    /// In what it does as far as that is known, where its file may hold another scene by now.
    known_unsaved: Unsaved,
    /// What was left for other scenes and somebody would miss: it goes with the window as well.
    pub left_work: Option<Arc<LeftWork>>,
    /// Whether the future that was put aside has what somebody has made and no file has: so does that.
    pub other_work: bool,
    /// Whether somebody has made something after the tick that is shown that no file has.
    pub work_ahead: bool,
    /// Whether what its file holds comes with the program.
    ships: bool,
    /// Whether it asks for the camera that is asked for there.
    is_posed_as_shipped: bool,
    /// Who stands where.
    pub battle: Battle,
    /// Who flies where, in a scene of the third dimension.
    pub flight: Option<Flight>,
    /// How space is looked at.
    pub space: Space,
    /// The lanes that follow the battle; the first one answers it.
    pub lanes: Vec<LaneView>,
    /// The world around the character, when the scene has one.
    pub stream: Option<Stream>,
    /// What has to be done to the pictures of the world.
    pub texture_jobs: Vec<TextureJob>,
    /// What is shown of the scene.
    pub view: View,
    /// Whether time passes.
    pub mode: RunMode,
    /// How fast, as a multiple of 60 ticks a second.
    pub pace: f32,
    /// Where the user looks.
    pub camera: Camera,
    /// Whether the camera still frames the whole field, and follows when the window changes.
    pub framed: bool,
    /// What it frames where that is not the field: units were pushed out of it.
    framed_area: Option<Aabb>,
    /// Where the camera stood in the world, while a battle is shown that is fought elsewhere.
    left_world: Option<Camera>,
    /// What is drawn.
    pub layers: Layers,
    /// What the user had drawn before a scene said itself what is.
    own_layers: Option<Layers>,
    /// What a click does.
    pub brush: Brush,
    /// Who was selected.
    pub selection: Selection,
    /// How wide they are, once that was asked for.
    widths: RefCell<selection::Widths>,
    /// The box that the pointer draws around units, or around objects.
    pub boxed: Option<Aabb>,
    /// By which way the pointer carries those who are selected, before it puts them down.
    pub carried: Option<Vec2>,
    /// How many messages had been posted, and how many units were selected, at the last nudge by an arrow key.
    nudged: Option<(u64, usize)>,
    /// Whether it was said that units outside the field are kept.
    said_outside: bool,
    /// How the scene was looked at when it was opened, or saved last.
    looked: saved::Looked,
    /// The same for each wish to save, by its number, with the pace at that time.
    saved_looks: Vec<(u64, saved::Looked, f32)>,
    told_looks: saved::ToldLooks,
    /// The tool that was held before a figure was opened.
    tool_before: Option<Tool>,
    /// Which paste or duplication has been seen.
    placed: u64,
    /// Where the cursor points, when it is over the field.
    pub cursor: Option<Vec2>,
    /// How far units are from the nearest other one as a rule, in metres, as their marks show it.
    pub apart: f32,
    /// Who was in view.
    pub culled: Culled,
    /// The time of frames.
    pub frames: Frames,
    /// The plotted figures of the last ticks.
    pub past: Past,
    /// Moments that were pinned, and whether each lies in what is known of time.
    pub pins: Vec<(Pin, bool)>,
    /// Which of them the present is compared with.
    pub pin: usize,
    /// Whether a moment is being pinned here,
    pinning: bool,
    /// and whether one has been, and is yet to be shown.
    pub pin_is_new: bool,
    /// Whether Compare shows the table of all structures in place of its panes.
    pub all_structures: bool,
    /// Whether it shows the race in their place, where there is no room for both.
    pub race_alone: bool,
    /// The setting whose values that table shows in place of all structures, while the lane below is of the structure that has it.
    pub swept: Option<(StructureKind, usize)>,
    /// The lane whose settings it offers; where there is no such lane any more, the last one.
    swept_lane: usize,
    /// The values that were set by hand in this scene.
    own_values: OwnValues,
    /// The single questions that the table asks.
    pub questions: skirmish::measure::questions::Asked,
    /// With how many of these rectangles it reckons a tick.
    rectangles: u32,
    /// All structures on one moment, while their table is shown.
    pub survey: Vec<SurveyRow>,
    /// Of what its rows were when they were drawn last, in their order there.
    pub survey_order: Vec<AnyChoice>,
    /// The operation that is looked into.
    pub stepping: Option<Stepping>,
    /// What was looked into last, where that does not depend on where the pointer is.
    pub(super) stepped: Option<Asked>,
    /// How large somebody has made what he asked.
    set_sizes: SetSizes,
    /// How it was before something was looked into, which it is again afterwards.
    before_steps: BeforeSteps,
    /// Who was in the rectangle that the scene asks about.
    pub counted: Culled,
    /// The tree of the structure beside the battle, where it is shown.
    pub diagram: Option<Stepping>,
    /// What time is to stop for.
    pub stopping: Stopping,
    /// What streaming came to in scenes that were left,
    left_runs: LeftRuns,
    /// and how these were looked at.
    left_views: LeftViews,
    /// What undo and redo take next.
    pub undo_names: [Option<String>; 2],
    /// What was undone or done again last, until something else is done, and when and at which tick that was told.
    turned: Option<(String, Instant, u64)>,
    /// Where the present tick lies.
    pub place: Place,
    /// What has been under way for long.
    pub busy: Option<Busy>,
    /// One sentence for the user.
    pub notice: Option<Notice>,
    /// What was refused since a script looked last.
    pub refusals: Vec<String>,
    /// Pages over the field.
    pub pages: Pages,
    /// Whether the panels are shown.
    pub panels: bool,
    /// Which panels are open over the field, where there is no room beside it.
    pub drawers: [bool; 2],
    /// Where those that are open end, in points of the window: what has its place over the field has it between them.
    pub drawn_out: [Option<f32>; 2],
    /// Where query and inspector are pinned.
    held: Option<Held>,
    /// The name of the scene whose caption was closed: that of another one is shown again.
    caption_closed: Option<String>,
    /// So many points at the lower edge of the view are under the caption or under tools, where that matters.
    covered: f32,
    /// What lies over the panes of Compare, from the corner of a pane.
    pane_chips: Vec<Rect>,
    /// The part of the view in which the camera was put last as the scene wants it.
    posed_in: Rect,
    /// What drawers leave of its width.
    beside: Rangef,
    /// How large a picture of the field is that shows it as the window does, in points, as its view says.
    pub pictured: ScreenVec2,
    /// By how much the camera has gone aside for a drawer, in metres.
    shifted: f32,
    /// The way that the camera is on by itself.
    glide: Option<Glide>,
    /// What the user has chosen for good.
    pub settings: Settings,
    /// What is known of files besides the scene.
    pub files: Files,
    /// Whether surfaces are light at present, by choice or because the desktop's are.
    pub light: bool,
    /// Whether each frame is one tick and no clock is shown.
    pub fixed: bool,
    /// Whether a script has the pointer.
    pub scripted: bool,
    /// What the window itself has to do: dialogs, pictures, the end.
    pub requests: Vec<Command>,
    /// A scene that was picked from the list.
    pub picked: Option<PathBuf>,
    /// The scenes that can be picked.
    pub library: Library,
    /// Whether the field is shown without what lies over it: for small pictures of it.
    pub bare: bool,
    /// Ticks a second, measured over the last second.
    pub steps_per_second: f32,
    /// On how many threads ticks run.
    pub threads: usize,
    /// How many answers the worker has given.
    pub moment: u64,
    /// What was asked for last,
    asked: Option<Ask>,
    /// after so many messages,
    asked_after: u64,
    /// and so many times more, though nothing is new.
    again: u32,
    /// Whether the last answer will soon be another one, though time stands still.
    goes_on: bool,
    /// How many messages the worker had heeded when it answered last.
    heeded: u64,
    /// Whether a menu was open in the last frame: Escape closes that, and nothing else.
    pub menu_open: bool,
    /// Whether it is no list, but sets in its place what is seen beside it: undo is seen there as well.
    pub menu_sets: bool,
    /// Which entry of that keys have lit.
    pub menu_keys: MenuKeys,
    /// What the pointer is turning, while a button is held.
    stroke: Option<String>,
    /// At which tick an arrow key was pressed or let go, where nothing else was done to the world since.
    walked: Option<u64>,
    /// Where the pointer has gone to on the timeline, while it is held.
    sought: Option<u64>,
    /// The tick that was asked for last, until the session has heard of it.
    heading: Option<u64>,
}

impl App {
    /// Opens a session in a window whose field is `screen`.
    pub fn new(start: Start, screen: Rect) -> Result<Self, String> {
        let Start {
            session,
            path: opened,
            in_file,
            is_recording,
            fixed,
            scripted,
        } = start;
        let name = opened
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned());
        let path = opened.filter(|_| !is_recording);
        let scene = Arc::clone(session.scene());
        let lanes = match session.flight() {
            Some(_) => session.lanes3().iter().map(LaneView::of).collect(),
            None => session.lanes().iter().map(LaneView::of).collect(),
        };
        let has_world = session.world().is_some();
        let mut app = Self {
            camera: Camera::framing(scene.field, screen),
            battle: session.battle().clone(),
            flight: session.flight().cloned(),
            space: Space::default(),
            lanes,
            worker: Worker::start(session, (path.clone(), name.clone()), fixed)?,
            name,
            menu_open: false,
            menu_sets: false,
            menu_keys: MenuKeys::default(),
            stream: has_world.then(Stream::default),
            texture_jobs: Vec::new(),
            view: View::Battle,
            mode: RunMode::Running,
            pace: 1.0,
            framed: true,
            framed_area: None,
            left_world: None,
            layers: Layers::default(),
            own_layers: None,
            brush: Brush {
                tool: Tool::Blue,
                radius: 12.0,
                count: 12,
                shape: Shape::default(),
                shape3: Shape3::default(),
                spread: Spread::default(),
                width: None,
            },
            selection: Selection::default(),
            widths: RefCell::default(),
            boxed: None,
            carried: None,
            nudged: None,
            said_outside: false,
            looked: saved::Looked::nothing(),
            saved_looks: Vec::new(),
            told_looks: saved::ToldLooks::default(),
            tool_before: None,
            placed: 0,
            cursor: None,
            apart: f32::INFINITY,
            culled: Culled::default(),
            frames: Frames::default(),
            past: Past::default(),
            pins: Vec::new(),
            all_structures: false,
            race_alone: false,
            swept: None,
            swept_lane: 0,
            own_values: OwnValues::default(),
            questions: Default::default(),
            rectangles: 0,
            survey: Vec::new(),
            survey_order: Vec::new(),
            stepping: None,
            stepped: None,
            set_sizes: SetSizes::default(),
            before_steps: BeforeSteps::default(),
            counted: Culled::default(),
            diagram: None,
            stopping: Stopping::default(),
            left_runs: LeftRuns::default(),
            left_views: LeftViews::default(),
            pin: 0,
            pinning: false,
            pin_is_new: false,
            undo_names: [None, None],
            turned: None,
            place: Place::default(),
            busy: None,
            notice: None,
            refusals: Vec::new(),
            pages: Pages::default(),
            panels: true,
            drawers: [false; 2],
            drawn_out: [None; 2],
            held: None,
            caption_closed: None,
            covered: 0.0,
            pane_chips: Vec::new(),
            posed_in: Rect::NOTHING,
            beside: Rangef::EVERYTHING,
            pictured: screen.size(),
            shifted: 0.0,
            glide: None,
            settings: Settings::default(),
            files: Files::beginning(in_file),
            light: false,
            fixed,
            scripted,
            requests: Vec::new(),
            picked: None,
            library: Library::default(),
            bare: false,
            steps_per_second: 0.0,
            threads: 1,
            moment: 0,
            asked: None,
            asked_after: 0,
            again: 0,
            goes_on: false,
            heeded: 0,
            stroke: None,
            walked: None,
            sought: None,
            heading: None,
            dirty: false,
            unsaved: Unsaved::Nothing,
            known_unsaved: Unsaved::Nothing,
            left_work: None,
            other_work: false,
            work_ahead: false,
            ships: false,
            is_posed_as_shipped: false,
            scene,
            path,
        };
        app.take_tool();
        app.enter_scene(has_world, None);
        Ok(app)
    }

    /// Opens a scene or a recording; `scene` is what it holds, where that was read already. Where it cannot be opened, the one
    /// that is open goes on and a notice says why.
    pub fn open(&mut self, path: PathBuf) {
        self.notice = None;
        if !self.is_reload(&path) {
            self.keep_what_is_gone();
        }
        self.note_opening(&path);
        self.worker.post(Message::Open(path));
    }

    /// Starts an empty field; what was open is a step of undo away.
    pub fn begin_new(&mut self) {
        self.notice = None;
        self.keep_what_is_gone();
        if self.brush.tool == Tool::Look || self.brush.tool == Tool::Erase {
            self.brush.tool = Tool::Blue;
        }
        self.worker.post(Message::New);
    }

    /// Sets up what of the window follows from the scene. Of the same file, opened again, the field was another one `before`.
    fn enter_scene(&mut self, has_world: bool, before: Option<Aabb>) {
        self.framed = self.scene.camera.is_none();
        (self.framed_area, self.left_world) = (None, None);
        (self.stepping, self.stepped) = (None, None);
        self.set_sizes = SetSizes::default();
        self.before_steps = BeforeSteps::default();
        self.shifted = 0.0;
        self.held = None;
        self.counted = Culled::default();
        // Whoever opens a scene wants to see it, and how long the frames of the one before took is not said of this one.
        (self.all_structures, self.race_alone) = (false, false);
        self.swept_lane = 0;
        self.frames = Frames::default();
        if let Some(diagram) = &mut self.diagram {
            diagram.forget();
        }
        self.covered = 0.0;
        self.pane_chips.clear();
        self.own_values.clear();
        let screen = self.camera.screen;
        let plain = match &self.scene.camera {
            Some(camera) => Camera::of_scene(camera, screen),
            None => Camera::framing(self.scene.field, screen),
        };
        // What is free of a view depends on which it is.
        self.view = posed::view_of(&self.scene, has_world);
        // Where it keeps off the chips it goes on doing so, whatever becomes of the window.
        self.camera = self.pose(screen).unwrap_or(plain);
        self.space = Space::of_scene(&self.scene, self.camera.screen);
        let brush_of_scene = self.take_brush(before);
        self.questions = posed::questions_of(&self.scene.view);
        self.reckon_with(self.scene.view.rectangles_a_tick.unwrap_or_default());
        self.pose_layers();
        if self.scene.view.tree {
            self.show_tree(true);
        }
        if let Some(stream) = &mut self.stream {
            stream.camera_follows = self.scene.view.follow;
        }
        self.note_looks(self.scene.view.clone());
        self.looked.brush = brush_of_scene;
    }

    /// What a command is called here: structures of a plane and of space have the same keys. Nothing where it means nothing.
    pub fn title_of(&self, row: &Row) -> Option<String> {
        match row.command {
            Command::Structure(index) => {
                let siblings = self.lane().structure.kind.siblings();
                siblings.get(index).map(|kind| kind.info().name.to_owned())
            }
            _ => Some(row.title.clone()),
        }
    }

    /// The first lane: the structure that answers the battle.
    pub fn lane(&self) -> &LaneView {
        &self.lanes[0]
    }

    /// How many units stand.
    pub fn alive(&self) -> u64 {
        let count = |side| match &self.flight {
            Some(flight) => u64::from(flight.count(side)),
            None => u64::from(self.battle.count(side)),
        };
        count(Side::Blue) + count(Side::Orange)
    }

    /// The fingerprint of all that is there, of battle and world, as a recording holds it of each tick.
    pub fn hash(&self) -> u64 {
        let world = self.stream.as_ref().map(|stream| stream.hash());
        match &self.flight {
            Some(flight) => flight.hash(),
            None => hash_of(self.battle.hash(), world),
        }
    }

    /// The fingerprint of the battle, or of the flight, alone.
    pub fn battle_hash(&self) -> u64 {
        match &self.flight {
            Some(flight) => flight.hash(),
            None => self.battle.hash(),
        }
    }

    /// The name of the file that was opened.
    pub fn title(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| "skirmish.ron".to_owned())
    }

    /// The file to which the scene is saved: its own, unless it is built in.
    pub fn file(&self) -> Option<&Path> {
        self.path
            .as_deref()
            .filter(|path| !built_in::contains(path))
    }

    /// Whether the scene differs from its file.
    pub fn is_unsaved(&self) -> bool {
        self.dirty || self.has_unheard_changes()
    }

    /// Whether the name of the scene bears the mark of what is not saved: where its file has not what saving would write, also where that is
    /// only looked at and whoever quits is not asked; and where somebody has changed something after the tick that is shown.
    pub fn bears_mark(&self) -> bool {
        self.files.is_gone() || self.dirty || self.work_ahead
    }

    /// Whether the session has not heard yet of all that makes it unsaved.
    fn has_unheard_changes(&self) -> bool {
        self.worker.has_acts_after(self.heeded) || self.worker.has_kept_after(self.heeded)
    }

    /// Whether somebody would miss what would be lost of the scene with the window.
    pub fn would_be_missed(&self) -> bool {
        self.files.is_gone() || self.has_missed_changes(self.unsaved)
    }

    /// The same where this file is opened: who takes the version that was told of knows that it comes in the place of this one. Who chooses
    /// the scene that is open already may mean that nothing happens, so that all that its file has not is asked for.
    pub fn would_be_missed_for(&self, path: &Path) -> bool {
        if self.is_reload(path) {
            return self.has_missed_changes(self.known_unsaved);
        }
        self.would_be_missed() || (self.is_unsaved() && self.is_of(path))
    }

    /// Whether this is the path of the scene that is open, as it stands there or from the root on. No disk is asked.
    fn is_of(&self, path: &Path) -> bool {
        let whole = |path: &Path| std::path::absolute(path).ok();
        self.path.as_deref().is_some_and(|own| {
            own == path || whole(own).is_some_and(|own| whole(path).as_deref() == Some(&*own))
        })
    }

    /// Whether something goes with the window that no file has and that is not the scene as it is here: another scene, the other future, or
    /// what comes after the tick that is shown.
    pub fn has_work_aside(&self) -> bool {
        self.left_work.is_some() || self.other_work || self.work_ahead
    }

    fn has_missed_changes(&self, unsaved: Unsaved) -> bool {
        self.misses(unsaved) || self.has_unheard_changes() || self.is_recording_path()
    }

    /// Whether somebody would miss this of the scene.
    fn misses(&self, unsaved: Unsaved) -> bool {
        is_missed(unsaved, self.path.is_some(), self.ships)
    }

    /// Whether the scene explains one thing.
    pub(super) fn is_figure(&self) -> bool {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.is_some_and(|folder| folder.ends_with("figures"))
    }

    /// In a figure one points at things, and a click that adds units to it spoils it: it opens with the tool that looks. Whoever goes on to
    /// another scene has the tool of before again.
    fn take_tool(&mut self) {
        if self.fixed {
            return;
        }
        if self.is_figure() {
            self.tool_before.get_or_insert(self.brush.tool);
            self.brush.tool = Tool::Look;
        } else if let Some(tool) = self.tool_before.take()
            && self.brush.tool == Tool::Look
        {
            self.brush.tool = tool;
        }
    }

    /// Whether the caption belongs to the picture: where few stand each of them matters, and what a figure shows is read there.
    pub fn is_lesson(&self) -> bool {
        /// So many are few.
        const FEW: u64 = 100;
        self.is_figure() || self.scene.unit_count() + self.scene.object_count() <= FEW
    }

    /// Whether the scene says something of itself, and that is shown.
    pub fn shows_caption(&self) -> bool {
        let scene = &self.scene;
        !scene.caption.is_empty() && self.caption_closed.as_ref() != Some(&scene.name)
    }

    /// Moves the view so that the world follows the pointer by this way on the screen.
    pub fn pan(&mut self, x: f32, y: f32) {
        if self.shows_space() {
            return self.move_eye(|eye| eye.pan(vec2(x, y)));
        }
        self.leave_character();
        self.framed = false;
        self.camera.pan(x, y);
    }

    /// Who looks elsewhere does not want the camera to go back to the character at once.
    fn leave_character(&mut self) {
        if self.view == View::Streaming
            && let Some(stream) = &mut self.stream
        {
            stream.camera_follows = false;
        }
    }

    fn zoom(&mut self, factor: f32) {
        if self.shows_space() {
            return self.move_eye(|eye| eye.zoom_at(eye.middle(), factor));
        }
        self.framed = false;
        self.camera.zoom_at(self.camera.screen.center(), factor);
    }
}

#[cfg(test)]
impl App {
    /// What a window shows at first: the scene that comes with the program, which has no file.
    pub fn at_first() -> Self {
        let start = Start {
            session: Session::new(skirmish::scene::file::built_in(), Path::new("")).0,
            path: None,
            in_file: InFile::default(),
            is_recording: false,
            fixed: true,
            scripted: false,
        };
        let screen = Rect::from_min_max(Default::default(), [900.0, 600.0].into());
        Self::new(start, screen).expect("a window")
    }
}
