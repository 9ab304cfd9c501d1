//! What the window holds: the scene, the battle that runs from it, the structure that indexes it, and where the user stands.
//! It knows no widget; panels read it and call its methods.

use super::camera::Camera;
use super::commands::{Command, Layer, View};
use super::history::History;
use super::stream::Stream;
use egui_macroquad::egui::Rect;
use skirmish::battle::{Battle, Phase, Stopwatch, Template};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::observe::{Ask, Frame};
use skirmish::partition::{AnyPartition, Kind, RegionId, UnitId};
use skirmish::probe::{Counter, Event, Probe};
use skirmish::scene::{Army, Formation, Order, Scene, Side};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whether time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// Ticks follow each other at the chosen pace.
    Running,
    /// Nothing moves.
    Paused,
    /// One more tick, then [`RunMode::Paused`].
    Step,
}

impl RunMode {
    /// The word for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Step => "step",
        }
    }
}

/// What a click on the field does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Places blue units.
    Blue,
    /// Places orange units.
    Orange,
    /// Takes units away.
    Erase,
    /// Only asks who is near.
    Look,
}

impl Tool {
    /// In the order of the panel.
    pub const ALL: [Self; 4] = [Self::Blue, Self::Orange, Self::Erase, Self::Look];

    /// The word in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "Blue",
            Self::Orange => "Orange",
            Self::Erase => "Erase",
            Self::Look => "Look",
        }
    }

    /// A sentence for the tooltip.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Blue => "A click or a drag places blue units.",
            Self::Orange => "A click or a drag places orange units.",
            Self::Erase => {
                "A click or a drag takes away the units in the circle, until the scene starts again."
            }
            Self::Look => "Only the query under the cursor; a click changes nothing.",
        }
    }
}

/// What a click on the field places or takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// What it does.
    pub tool: Tool,
    /// The radius of the circle, in metres.
    pub radius: f32,
    /// How many units a click places.
    pub count: u32,
}

/// One sentence for the user, shown until it is closed or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Whether something failed.
    pub failed: bool,
}

/// What one tick cost, under the probes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The structure's upkeep.
    pub update: Counter,
    /// The queries of the tick: who is nearest, and the pairs.
    pub query: Counter,
    /// Pairs within reach.
    pub pairs: u64,
    /// The tests that all pairs would have made.
    pub all_pairs: u64,
}

/// A state of the document to which undo returns.
#[derive(Clone)]
struct Snapshot {
    scene: Scene,
    battle: Battle,
}

/// The states before and after the present one.
#[derive(Default)]
struct UndoStack {
    before: Vec<Snapshot>,
    after: Vec<Snapshot>,
}

impl UndoStack {
    /// A snapshot of a million units takes some fifty megabytes; this many are kept.
    const DEPTH: usize = 24;

    fn push(&mut self, snapshot: Snapshot) {
        self.after.clear();
        if self.before.len() == Self::DEPTH {
            self.before.remove(0);
        }
        self.before.push(snapshot);
    }
}

/// Which pages lie over the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// The help page.
    pub help: bool,
    /// The list of all commands, with what was typed into it.
    pub palette: Option<String>,
}

/// The layers of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Layers([bool; Layer::COUNT]);

impl Layers {
    /// Whether a layer is shown.
    pub fn shows(self, layer: Layer) -> bool {
        self.0[layer as usize]
    }

    /// Shows or hides a layer.
    pub fn toggle(&mut self, layer: Layer) {
        self.0[layer as usize] ^= true;
    }
}

impl Default for Layers {
    fn default() -> Self {
        let mut shown = [true; Layer::COUNT];
        shown[Layer::Tests as usize] = false;
        Self(shown)
    }
}

/// How the window was started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The scene, every override applied.
    pub scene: Scene,
    /// Its file; `None` for the one that comes with the program.
    pub path: Option<PathBuf>,
    /// Whether each frame is one tick and no clock is shown, so that two runs give the same pictures.
    pub fixed: bool,
    /// Whether a script has the pointer.
    pub scripted: bool,
}

/// The window's state.
pub struct App {
    /// The document.
    pub scene: Scene,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Whether it differs from its file.
    pub dirty: bool,
    /// Who stands where.
    pub battle: Battle,
    /// The structure.
    pub index: AnyPartition,
    /// The world around the character, when the scene has one.
    pub stream: Option<Stream>,
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
    /// What is drawn.
    pub layers: Layers,
    /// What a click does.
    pub brush: Brush,
    /// Who was selected.
    pub selection: Option<UnitId>,
    /// Where the cursor points, when it is over the field.
    pub cursor: Option<Vec2>,
    /// What lies over the field and takes clicks itself: the chips.
    pub covers: Vec<Rect>,
    /// What the structure showed of itself.
    pub frame: Frame,
    /// What the last tick cost.
    pub cost: Cost,
    /// What one tick in twelve cost: figures that change sixty times a second cannot be read.
    pub shown_cost: Cost,
    /// The plotted figures.
    pub history: History,
    /// Regions that were split or merged lately: where, whether split, and when.
    pub flashes: Vec<(Aabb, bool, u64)>,
    /// One sentence for the user.
    pub notice: Option<Notice>,
    /// Pages over the field.
    pub pages: Pages,
    /// Whether the panels are shown.
    pub panels: bool,
    /// Whether surfaces are light.
    pub light: bool,
    /// Whether each frame is one tick and no clock is shown.
    pub fixed: bool,
    /// Whether a script has the pointer.
    pub scripted: bool,
    /// What the window itself has to do: dialogs, pictures, the end.
    pub requests: Vec<Command>,
    /// Ticks a second, measured over the last second.
    pub steps_per_second: f32,
    knobs: HashMap<Kind, Vec<f64>>,
    /// The armies before their number was changed, while nothing else was.
    unscaled: Option<Vec<Army>>,
    /// Whether what takes long to gather is out of date.
    stale: bool,
    undo: UndoStack,
    owed_seconds: f64,
    steps_counted: (Instant, u32),
}

/// Times the phases of a step.
struct Clock {
    last: Instant,
    update: Duration,
    query: Duration,
}

impl Stopwatch for Clock {
    fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        match phase {
            Phase::Think | Phase::Pairs => self.query += took,
            Phase::Update => self.update += took,
            Phase::Integrate => {}
        }
    }
}

/// Figures are shown anew every so many ticks: five times a second.
const SHOWN_EVERY: u64 = 12;

/// No frame spends longer than this on ticks: a scene too heavy for 60 ticks a second runs slower and stays in hand.
const STEP_BUDGET: Duration = Duration::from_millis(40);

impl App {
    /// Opens a scene in a window whose field is `screen`.
    pub fn new(start: Start, screen: Rect) -> Self {
        let Start {
            scene,
            path,
            fixed,
            scripted,
        } = start;
        let camera = Camera::framing(scene.field, screen);
        let battle = Battle::new(&scene);
        let index = AnyPartition::new(scene.structure.kind, scene.field);
        let mut app = Self {
            battle,
            index,
            stream: None,
            view: View::Battle,
            mode: RunMode::Running,
            pace: 1.0,
            camera,
            framed: true,
            layers: Layers::default(),
            brush: Brush {
                tool: Tool::Blue,
                radius: 12.0,
                count: 12,
            },
            selection: None,
            cursor: None,
            covers: Vec::new(),
            frame: Frame::default(),
            cost: Cost::default(),
            shown_cost: Cost::default(),
            history: History::default(),
            flashes: Vec::new(),
            notice: None,
            pages: Pages::default(),
            panels: true,
            light: false,
            fixed,
            scripted,
            requests: Vec::new(),
            steps_per_second: 0.0,
            knobs: HashMap::new(),
            unscaled: None,
            stale: true,
            undo: UndoStack::default(),
            owed_seconds: 0.0,
            steps_counted: (Instant::now(), 0),
            dirty: false,
            scene,
            path,
        };
        app.enter_scene();
        app
    }

    /// Takes another scene in place of this one.
    pub fn open(&mut self, scene: Scene, path: PathBuf) {
        self.scene = scene;
        self.path = Some(path);
        self.battle = Battle::new(&self.scene);
        self.undo = UndoStack::default();
        self.dirty = false;
        self.selection = None;
        self.enter_scene();
    }

    /// Sets up all that follows from the scene.
    fn enter_scene(&mut self) {
        self.knobs.clear();
        self.unscaled = None;
        self.index = AnyPartition::new(self.scene.structure.kind, self.scene.field);
        for &(knob, value) in &self.scene.structure.knobs {
            self.index.set_knob(knob, value);
        }
        self.rebuild_index();
        self.framed = self.scene.camera.is_none();
        self.camera = match &self.scene.camera {
            Some(camera) => Camera::of_scene(camera, self.camera.screen),
            None => Camera::framing(self.scene.field, self.camera.screen),
        };
        // A brush that is easy to see, whatever the size of the field.
        let height = self.camera.screen.height() / self.camera.zoom;
        self.brush.radius = (height / 24.0).clamp(1.0, 200.0);
        self.restart_stream();
        self.view = if self.stream.is_some() {
            View::Streaming
        } else {
            View::Battle
        };
        self.steps_counted = (Instant::now(), 0);
    }

    fn restart_stream(&mut self) {
        let folder = self
            .path
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new("scenes"));
        self.stream = None;
        match Stream::of_scene(&self.scene, folder, self.fixed) {
            Ok(stream) => self.stream = stream,
            Err(error) => self.fail(error),
        }
    }

    /// The seconds that a tick lasts at this pace.
    fn tick_seconds(&self) -> f64 {
        f64::from(skirmish::battle::STEP_SECONDS) / f64::from(self.pace)
    }

    /// Lets time pass: as many ticks as `elapsed` asks for and the budget allows.
    pub fn advance(&mut self, elapsed: f64) {
        if self.mode == RunMode::Step {
            self.tick();
            self.mode = RunMode::Paused;
        } else if self.mode == RunMode::Running {
            if self.fixed {
                self.tick();
            } else {
                self.owed_seconds += elapsed.min(0.25);
                let begun = Instant::now();
                while self.owed_seconds >= self.tick_seconds() {
                    self.owed_seconds -= self.tick_seconds();
                    self.tick();
                    if begun.elapsed() > STEP_BUDGET {
                        // What could not be done in time is dropped: the battle runs slower, it never runs after itself.
                        self.owed_seconds = self.owed_seconds.min(self.tick_seconds());
                        break;
                    }
                }
            }
        }
        let (since, count) = self.steps_counted;
        let passed = since.elapsed().as_secs_f32();
        if passed >= 1.0 {
            self.steps_per_second = count as f32 / passed;
            self.steps_counted = (Instant::now(), 0);
        }
        // Who drags the character while time stands still wants to see what it does.
        if self.mode == RunMode::Paused
            && let Some(stream) = self.stream.as_mut().filter(|stream| stream.is_grabbed())
        {
            stream.tick(elapsed);
        }
    }

    fn tick(&mut self) {
        let begun = Instant::now();
        let mut clock = Clock {
            last: begun,
            update: Duration::ZERO,
            query: Duration::ZERO,
        };
        let mut update = (Counter::default(), Flashes::default());
        let mut query = Counter::default();
        let summary = self
            .battle
            .step(&mut self.index, 1, &mut update, &mut query, &mut clock);
        let alive = self.alive();
        self.cost = Cost {
            update: update.0,
            query,
            pairs: summary.pairs,
            // Without a structure, each search for the nearest enemy would look at everybody as well.
            all_pairs: alive * alive.saturating_sub(1) / 2 + u64::from(summary.lookups) * alive,
        };
        let fresh = self.shown_cost.all_pairs == 0;
        if fresh || self.mode != RunMode::Running || self.battle.tick().is_multiple_of(SHOWN_EVERY)
        {
            self.shown_cost = self.cost;
        }
        self.steps_counted.1 += 1;
        let micros = |time: Duration| time.as_secs_f32() * 1.0e6;
        self.history.tests.push(query.tests as f32);
        self.history.pairs.push(summary.pairs as f32);
        self.history.visits.push(query.visits as f32);
        self.history.update_us.push(micros(clock.update));
        self.history.query_us.push(micros(clock.query));
        self.history.step_us.push(micros(begun.elapsed()));
        self.remember_flashes(&update.1);
        if self
            .selection
            .is_some_and(|unit| !self.battle.bodies().is_alive(unit))
        {
            self.selection = None;
        }
        if let Some(stream) = &mut self.stream {
            stream.tick(f64::from(skirmish::battle::STEP_SECONDS));
        }
    }

    /// Notes where the nodes are that the tick split or merged, so that they flash.
    fn remember_flashes(&mut self, flashes: &Flashes) {
        /// Long enough to be seen: 300 ms at 60 ticks a second.
        const TICKS: u64 = 18;
        let now = self.battle.tick();
        self.flashes
            .retain(|(_, _, born)| now.saturating_sub(*born) < TICKS);
        if flashes.regions.is_empty() {
            return;
        }
        for region in &self.frame.regions.list {
            if let skirmish::observe::Outline::Rect(area) = region.outline
                && let Some((_, split)) = flashes.regions.iter().find(|(id, _)| *id == region.id)
            {
                self.flashes.push((area, *split, now));
            }
        }
    }

    /// How many units stand.
    pub fn alive(&self) -> u64 {
        u64::from(self.battle.count(Side::Blue)) + u64::from(self.battle.count(Side::Orange))
    }

    /// Asks the structure for all that will be shown.
    pub fn observe(&mut self, refresh: bool) {
        let refresh = std::mem::take(&mut self.stale) || refresh;
        let ask = Ask {
            view: self.camera.view(),
            metres_per_pixel: 1.0 / self.camera.zoom,
            cursor: self.cursor.filter(|_| self.view == View::Battle),
            query_radius: self.layers.shows(Layer::Query).then_some(self.brush.radius),
            regions: self.view == View::Battle
                && (self.layers.shows(Layer::Nodes) || self.layers.shows(Layer::Load)),
            refresh,
        };
        self.frame.observe(&self.index, self.battle.bodies(), &ask);
    }

    /// Remembers the present state, to which undo will return.
    fn remember(&mut self) {
        self.undo.push(Snapshot {
            scene: self.scene.clone(),
            battle: self.battle.clone(),
        });
    }

    /// Remembers the present state, then lets `change` have the document.
    fn edit(&mut self, change: impl FnOnce(&mut Self)) {
        self.remember();
        self.unscaled = None;
        change(self);
        self.dirty = true;
    }

    fn swap_snapshot(&mut self, snapshot: Snapshot) -> Snapshot {
        // The structure is how one looks at the battle, not a part of it: undo leaves it as it is.
        let structure = self.scene.structure.clone();
        let scene = std::mem::replace(&mut self.scene, snapshot.scene);
        self.scene.structure = structure;
        let battle = std::mem::replace(&mut self.battle, snapshot.battle);
        self.unscaled = None;
        self.rebuild_index();
        self.dirty = true;
        Snapshot { scene, battle }
    }

    /// Whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.before.is_empty()
    }

    /// Whether there is an undo to take back.
    pub fn can_redo(&self) -> bool {
        !self.undo.after.is_empty()
    }

    fn rebuild_index(&mut self) {
        self.index.rebuild(self.battle.bodies(), &mut ());
        self.stale = true;
        self.flashes.clear();
        self.history.clear_structure();
        self.cost = Cost::default();
        self.shown_cost = Cost::default();
    }

    /// Chooses a structure; the battle goes on.
    pub fn choose_structure(&mut self, kind: Kind) {
        if kind == self.index.kind() {
            return;
        }
        let values = |index: &AnyPartition| {
            (0..index.info().knobs.len())
                .map(|knob| index.knob(knob))
                .collect()
        };
        self.knobs.insert(self.index.kind(), values(&self.index));
        self.index = AnyPartition::new(kind, self.scene.field);
        if let Some(values) = self.knobs.get(&kind) {
            for (knob, value) in values.iter().enumerate() {
                self.index.set_knob(knob, *value);
            }
        }
        self.rebuild_index();
        self.note_structure();
        self.dirty = true;
    }

    /// Sets a knob of the structure.
    pub fn set_knob(&mut self, knob: usize, value: f64) {
        self.index.set_knob(knob, value);
        if !self.index.info().knobs[knob].picture_only {
            self.rebuild_index();
        }
        self.note_structure();
        self.dirty = true;
    }

    /// Sets every knob to its default.
    pub fn reset_knobs(&mut self) {
        for (index, knob) in self.index.info().knobs.iter().enumerate() {
            self.index.set_knob(index, knob.default);
        }
        self.rebuild_index();
        self.note_structure();
        self.dirty = true;
    }

    /// Writes the structure and the knobs that differ from their defaults into the scene.
    fn note_structure(&mut self) {
        let knobs = self.index.info().knobs.iter().enumerate();
        self.scene.structure.kind = self.index.kind();
        self.scene.structure.knobs = knobs
            .map(|(index, knob)| (index, knob.default, self.index.knob(index)))
            .filter(|(_, default, value)| default != value)
            .map(|(index, _, value)| (index, value))
            .collect();
    }

    /// Gives the armies together this many units and starts again.
    pub fn set_unit_count(&mut self, count: u32) {
        // A slider that is dragged is one change, and each army keeps the share that it had before the drag.
        let unscaled = match self.unscaled.take() {
            Some(armies) => armies,
            None => {
                self.remember();
                self.scene.armies.clone()
            }
        };
        self.scene.armies.clone_from(&unscaled);
        self.scene.scale_units(count);
        self.unscaled = Some(unscaled);
        self.dirty = true;
        self.restart();
    }

    /// Starts the scene again.
    pub fn restart(&mut self) {
        self.battle = Battle::new(&self.scene);
        self.selection = None;
        self.rebuild_index();
        self.restart_stream();
    }

    /// Gives a side an order.
    pub fn set_order(&mut self, side: Side, order: Order) {
        self.edit(|app| {
            for army in app.scene.armies.iter_mut().filter(|army| army.side == side) {
                army.order = order;
            }
            app.battle.set_order(side, order);
        });
    }

    /// What a unit placed by the brush is like: as the last army of its side, or of the other, or a plain soldier.
    fn template(&self, side: Side) -> Army {
        let of_side = self
            .scene
            .armies
            .iter()
            .rev()
            .find(|army| army.side == side);
        let mut army = of_side
            .or(self.scene.armies.last())
            .cloned()
            .unwrap_or_else(|| Army::new(side, 0, Formation::Explicit(Vec::new())));
        army.side = side;
        army.order = self.battle.order(side);
        army.formation = Formation::Explicit(Vec::new());
        army.count = 0;
        army
    }

    /// Does what the brush does at this point of the world. `first` begins a new change, for undo.
    pub fn brush_at(&mut self, at: Vec2, first: bool) {
        let side = match self.brush.tool {
            Tool::Blue => Side::Blue,
            Tool::Orange => Side::Orange,
            Tool::Erase => return self.erase_at(at, first),
            Tool::Look => return,
        };
        if first {
            self.edit(|_| {});
        }
        let army = self.template(side);
        let positions: Vec<Vec2> = (0..self.brush.count)
            .map(|index| at + sunflower(index, self.brush.count) * self.brush.radius)
            .collect();
        match self
            .battle
            .spawn(&mut self.index, side, &Template::from(&army), &positions)
        {
            Ok(_) => self.note_spawn(army, positions),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Writes placed units into the scene, so that they are there after a restart and in the file.
    fn note_spawn(&mut self, template: Army, mut positions: Vec<Vec2>) {
        let same = |army: &Army| {
            matches!(army.formation, Formation::Explicit(_))
                && Army {
                    formation: template.formation.clone(),
                    count: 0,
                    ..army.clone()
                } == template
        };
        if let Some(army) = self.scene.armies.last_mut().filter(|army| same(army))
            && let Formation::Explicit(all) = &mut army.formation
        {
            all.append(&mut positions);
            army.count = all.len() as u32;
        } else {
            let count = positions.len() as u32;
            self.scene.armies.push(Army {
                formation: Formation::Explicit(positions),
                count,
                ..template
            });
        }
        self.dirty = true;
    }

    /// Takes units off the field. The scene keeps them: they are there again when it starts again.
    fn erase_at(&mut self, at: Vec2, first: bool) {
        let mut units = Vec::new();
        self.index.radius(
            self.battle.bodies(),
            at,
            self.brush.radius,
            &mut (),
            |unit| units.push(unit),
        );
        if first {
            self.remember();
        }
        units.sort_unstable();
        self.battle.remove(&mut self.index, &units);
    }

    /// Removes the selected unit, until the scene starts again.
    fn delete_selection(&mut self) {
        if let Some(unit) = self.selection.take() {
            self.remember();
            self.battle.remove(&mut self.index, &[unit]);
        }
    }

    /// Says that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: true,
        });
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: false,
        });
    }

    /// The name of the scene's file, or of the scene.
    pub fn title(&self) -> String {
        let name = self
            .path
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "skirmish.ron".to_owned())
    }

    /// Writes what can be seen of the present state into the scene: the camera, when it was moved, and the character.
    pub fn scene_to_save(&self) -> Scene {
        let mut scene = self.scene.clone();
        // A camera that nobody touched is not a change to the scene.
        let untouched = match &scene.camera {
            None => self.framed,
            Some(camera) => Camera::of_scene(camera, self.camera.screen) == self.camera,
        };
        if !untouched {
            scene.camera = Some(self.camera.to_scene());
        }
        scene
    }

    /// Shows the whole field.
    pub fn frame_all(&mut self) {
        self.framed = true;
        self.camera = Camera::framing(self.scene.field, self.camera.screen);
    }

    /// Fits the camera into another rectangle of the window.
    pub fn resize(&mut self, screen: Rect) {
        if screen == self.camera.screen {
            return;
        }
        self.camera.resize(screen);
        if self.framed {
            self.frame_all();
        }
    }

    /// Does what a command says; what only the window can do is left in `requests`.
    pub fn run(&mut self, command: Command) {
        match command {
            Command::Open
            | Command::Save
            | Command::SaveAs
            | Command::Screenshot
            | Command::Quit
            | Command::FullScreen => self.requests.push(command),
            Command::Undo => {
                if let Some(snapshot) = self.undo.before.pop() {
                    let present = self.swap_snapshot(snapshot);
                    self.undo.after.push(present);
                } else {
                    self.say("There is nothing to undo.");
                }
            }
            Command::Redo => {
                if let Some(snapshot) = self.undo.after.pop() {
                    let present = self.swap_snapshot(snapshot);
                    self.undo.before.push(present);
                } else {
                    self.say("There is nothing to redo.");
                }
            }
            Command::DeleteSelection => self.delete_selection(),
            Command::Escape => self.escape(),
            Command::TogglePause => {
                self.mode = if self.mode == RunMode::Running {
                    RunMode::Paused
                } else {
                    RunMode::Running
                };
            }
            Command::Step => self.mode = RunMode::Step,
            Command::Restart => self.restart(),
            Command::Slower => self.pace = (self.pace / 2.0).max(1.0 / 16.0),
            Command::Faster => self.pace = (self.pace * 2.0).min(16.0),
            Command::Structure(index) => {
                if let Some(kind) = Kind::ALL.get(index) {
                    self.choose_structure(*kind);
                }
            }
            Command::PreviousStructure => self.cycle_structure(Kind::ALL.len() - 1),
            Command::NextStructure => self.cycle_structure(1),
            Command::FrameAll => self.frame_all(),
            Command::ZoomIn => self.zoom(1.25),
            Command::ZoomOut => self.zoom(0.8),
            Command::Pan(x, y) => {
                self.framed = false;
                let size = self.camera.screen.size() * 0.1;
                self.camera
                    .pan(-f32::from(x) * size.x, -f32::from(y) * size.y);
            }
            Command::Layer(layer) => self.layers.toggle(layer),
            Command::View(View::Streaming) if self.stream.is_none() => {
                self.say("This scene has no world that streams; open-world.ron has one.");
            }
            Command::View(view) => self.view = view,
            Command::TogglePanels => self.panels ^= true,
            Command::LightTheme => self.light ^= true,
            Command::Help => self.pages.help ^= true,
            Command::Palette => {
                self.pages.palette = if self.pages.palette.is_some() {
                    None
                } else {
                    Some(String::new())
                };
            }
        }
    }

    /// Ends the topmost of what is open.
    fn escape(&mut self) {
        if self.pages.palette.take().is_some() {
        } else if self.pages.help {
            self.pages.help = false;
        } else if self.notice.take().is_none() {
            self.selection = None;
        }
    }

    fn zoom(&mut self, factor: f32) {
        self.framed = false;
        self.camera.zoom_at(self.camera.screen.center(), factor);
    }

    fn cycle_structure(&mut self, by: usize) {
        let at = Kind::ALL
            .iter()
            .position(|kind| *kind == self.index.kind())
            .unwrap_or(0);
        self.choose_structure(Kind::ALL[(at + by) % Kind::ALL.len()]);
    }
}

/// A point of the unit disc such that `count` of them cover it evenly: the pattern of a sunflower's seeds.
fn sunflower(index: u32, count: u32) -> Vec2 {
    /// The golden angle, in radians.
    const TURN: f32 = 2.399_963_2;
    if count <= 1 {
        return Vec2::ZERO;
    }
    let radius = ((index as f32 + 0.5) / count as f32).sqrt();
    Vec2::from_angle(index as f32 * TURN) * radius
}

/// Hears which regions were split and merged: all of them, or every second, fourth, … of very many.
#[derive(Default)]
struct Flashes {
    regions: Vec<(RegionId, bool)>,
    heard: usize,
    /// Of how many one is kept, as a power of two.
    thinning: u32,
}

impl Probe for Flashes {
    const DETAILED: bool = false;

    fn on(&mut self, event: Event) {
        /// More flashes than this a tick are a blur, not a picture.
        const MOST: usize = 64;
        let (region, split) = match event {
            Event::Split(region) => (region, true),
            Event::Merge(region) => (region, false),
            _ => return,
        };
        if self.heard.trailing_zeros() >= self.thinning {
            if self.regions.len() == MOST {
                let mut place = 0;
                self.regions.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.thinning += 1;
            }
            self.regions.push((region, split));
        }
        self.heard += 1;
    }

    fn tests(&mut self, _: u64) {}

    fn hits(&mut self, _: u64) {}
}
