//! The worker's own end: heeds messages, lets time pass, answers asks.

use super::*;
use crate::app::widgets::with_commas;
use skirmish::tick::STEP_SECONDS;

/// Figures are shown anew every so many ticks: five times a second.
const SHOWN_EVERY: u64 = 12;

/// Ticks slower than this are few: each is worth being read.
const SLOW_TICK: Duration = Duration::from_millis(100);

/// Times the phases of the first lane.
struct Clock {
    last: Instant,
    update: Duration,
    query: Duration,
}

impl LaneWatch for Clock {
    fn begin(&mut self, _: usize) {
        self.last = Instant::now();
    }

    fn lap(&mut self, lane: usize, phase: Phase) {
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.last, now);
        if lane == 0 {
            match phase {
                Phase::Think | Phase::Pairs => self.query += took,
                Phase::Update => self.update += took,
                Phase::Integrate => {}
            }
        }
    }
}

/// A session that was left for another scene, to which undo returns.
struct Left {
    session: Session,
    path: Option<PathBuf>,
    name: Option<String>,
}

/// What was opened.
struct Opened {
    session: Session,
    /// What could not be opened of it.
    complaint: Option<String>,
    is_recording: bool,
}

/// The session, and what is known of it beyond itself: time and figures.
pub(super) struct Run {
    session: Session,
    path: Option<PathBuf>,
    /// What is shown as its name.
    name: Option<String>,
    /// The scenes that were open before and after this one.
    left: [Option<Box<Left>>; 2],
    shared: Arc<Shared>,
    fixed: bool,
    mode: RunMode,
    pace: f32,
    owed_seconds: f64,
    last: Instant,
    steps_counted: (Instant, u32),
    steps_per_second: f32,
    gear: Gear,
    cost: Cost,
    shown_cost: Cost,
    history: History,
    tour_history: TourHistory,
    flashes: Vec<(Aabb, bool, u64)>,
    /// The boxes that were shown last, so that what was split or merged can flash where it was.
    boxes: Vec<(RegionId, Aabb)>,
    /// What takes long to gather.
    details: Frame,
    stale: bool,
    heeded: u64,
    ask: Option<(u64, Box<Ask>)>,
    /// The tick to which somebody wants to go.
    sought: Option<u64>,
}

impl Run {
    pub fn new(session: Session, path: Option<PathBuf>, fixed: bool, shared: Arc<Shared>) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            session,
            name: path
                .as_deref()
                .and_then(Path::file_name)
                .map(|name| name.to_string_lossy().into_owned()),
            path,
            left: [None, None],
            shared,
            fixed,
            mode: RunMode::Running,
            pace: 1.0,
            owed_seconds: 0.0,
            last: Instant::now(),
            steps_counted: (Instant::now(), 0),
            steps_per_second: 0.0,
            // More threads would take the cores from the one that draws; and where two runs must look alike, each thread's own
            // visits must not be counted.
            gear: Gear::new(if fixed { 1 } else { threads.min(2) }),
            cost: Cost::default(),
            shown_cost: Cost::default(),
            history: History::default(),
            tour_history: TourHistory::default(),
            flashes: Vec::new(),
            boxes: Vec::new(),
            details: Frame::default(),
            stale: true,
            heeded: 0,
            ask: None,
            sought: None,
        }
    }

    /// Goes on until the window is gone.
    pub fn run(&mut self, inbox: &Receiver<Post>) {
        loop {
            match inbox.recv_timeout(self.rest()) {
                Ok(post) => {
                    self.heed(post);
                    // What has come meanwhile is heeded at once, so that a stroke of the brush is not a frame a dab.
                    while let Ok(post) = inbox.try_recv() {
                        self.heed(post);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if let Some(tick) = self.sought.take() {
                self.seek(tick);
            }
            if !self.fixed {
                self.let_time_pass();
            }
            self.answer();
        }
    }

    /// How long there is nothing to do unless somebody says something.
    fn rest(&self) -> Duration {
        const LONG: Duration = Duration::from_secs(3600);
        let runs = !self.fixed && self.mode != RunMode::Paused;
        if !runs {
            return if self.drags_while_paused() {
                Duration::from_secs_f64(STEP_SECONDS)
            } else {
                LONG
            };
        }
        if self.mode == RunMode::Step {
            return Duration::ZERO;
        }
        let owed = self.owed_seconds + self.last.elapsed().as_secs_f64();
        Duration::try_from_secs_f64(self.tick_seconds() - owed).unwrap_or(Duration::ZERO)
    }

    /// The seconds that a tick lasts at this pace.
    fn tick_seconds(&self) -> f64 {
        STEP_SECONDS / f64::from(self.pace)
    }

    /// Who drags the character while time stands still wants to see what it does.
    fn drags_while_paused(&self) -> bool {
        let world = self.session.world();
        !self.fixed && self.mode == RunMode::Paused && world.is_some_and(|world| world.is_grabbed())
    }

    fn heed(&mut self, post: Post) {
        match post {
            Post::Ask(number, ask) => {
                self.stale |= ask.observe.refresh;
                if self.fixed {
                    if ask.ticks {
                        self.fixed_tick();
                    }
                    self.ask = Some((number, ask));
                    self.answer();
                } else {
                    self.ask = Some((number, ask));
                }
            }
            Post::Message(message) => {
                self.heeded += 1;
                self.do_message(message);
            }
        }
    }

    fn do_message(&mut self, message: Message) {
        match message {
            Message::Act(action, more) => self.act(action, more),
            Message::Mode(mode) => {
                self.mode = mode;
                self.owed_seconds = 0.0;
                self.last = Instant::now();
            }
            Message::Pace(pace) => self.pace = pace,
            // Where a drag went by on its way is nothing that anybody wants to see.
            Message::Seek(tick) => self.sought = Some(tick),
            Message::Open(path) => self.open(path),
            Message::Saved(path, scene) => {
                self.session.note_saved(scene);
                self.shared.tell(News::Saved(path.clone()));
                self.name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                self.path = Some(path);
            }
            Message::Record(path, answer) => {
                let recording = self.session.recording();
                let result = recording.write(&path).map_err(|error| error.to_string());
                match (answer, result) {
                    (Some(answer), result) => {
                        let _ = answer.send(result);
                    }
                    (None, Ok(())) => self.shared.tell(News::Done(format!(
                        "The recording is in {}.",
                        path.display()
                    ))),
                    (None, Err(sentence)) => self.shared.tell(News::Failed(sentence)),
                }
            }
            Message::Refused(object, sentence) => {
                if let Some(world) = self.session.world_mut() {
                    world.upload_refused(object, &sentence);
                }
            }
        }
    }

    fn act(&mut self, action: Action, more: bool) {
        let redo = action == Action::Redo;
        if matches!(action, Action::Undo | Action::Redo)
            && self.session.undo_name(redo).is_none()
            && self.left[usize::from(redo)].is_some()
        {
            return self.change_sessions(redo);
        }
        // What remakes the structure makes its figures anew.
        let remakes = matches!(
            action,
            Action::Structure(_)
                | Action::Set(..)
                | Action::Defaults
                | Action::Units(_)
                | Action::Restart
                | Action::Undo
                | Action::Redo
                | Action::SetLane(..)
        );
        let kept = action == Action::KeepPath;
        self.shared.begin(name_of(&action, &self.session));
        let shared = Arc::clone(&self.shared);
        let result = self.session.apply(action, more, &shared.cancel);
        self.shared.end();
        match result {
            Ok(()) if remakes => self.start_figures(),
            Ok(()) => {
                self.stale = true;
                self.tell_kept(kept);
            }
            Err(Refusal::Sentence(sentence)) => self.shared.tell(News::Failed(sentence)),
            Err(Refusal::Abandoned(_)) => self
                .shared
                .tell(News::Done("Cancelled; nothing has changed.".to_owned())),
        }
    }

    /// Says under which name a path that was recorded is kept.
    fn tell_kept(&self, kept: bool) {
        let character = self.session.scene().character.as_ref();
        if let Some(path) = character.and_then(|it| it.paths.last()).filter(|_| kept) {
            self.shared.tell(News::Done(format!(
                "The path is in the scene as '{}'; save the scene to keep it.",
                path.name
            )));
        }
    }

    /// Forgets the figures of a structure that is no more.
    fn start_figures(&mut self) {
        self.stale = true;
        self.gear.reset();
        self.flashes.clear();
        self.history.clear_structure();
        self.cost = Cost::default();
        if self.mode != RunMode::Running {
            self.measure_pairs();
        }
        self.shown_cost = self.cost;
    }

    /// Counts what the pairs of this moment cost, for who compares structures while time stands still.
    fn measure_pairs(&mut self) {
        /// More than this, and a structure that knows no better would keep everybody waiting.
        const MOST: u64 = 20_000;
        let alive = self.session.alive();
        if alive > MOST {
            return;
        }
        let mut pairs = 0;
        let battle = self.session.battle();
        self.session.lanes()[0].index().pairs(
            battle.bodies(),
            battle.pair_reach(),
            &mut self.cost.query,
            |batch| pairs += batch.len() as u64,
        );
        self.cost.pairs = pairs;
        self.cost.all_pairs = alive * alive.saturating_sub(1) / 2;
    }

    fn open(&mut self, path: PathBuf) {
        let words = path.file_name().unwrap_or(path.as_os_str());
        self.shared
            .begin(format!("Opening {}", words.to_string_lossy()));
        let opened = open_path(&path);
        let cancelled = self.shared.cancel.is_cancelled();
        self.shared.end();
        match opened {
            _ if cancelled => self.shared.tell(News::Done(
                "Cancelled; the scene that was open goes on.".to_owned(),
            )),
            Ok(Opened {
                session,
                complaint,
                is_recording,
            }) => {
                let session = std::mem::replace(&mut self.session, session);
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                // A scene that is saved must not take a recording's place.
                let path = std::mem::replace(&mut self.path, (!is_recording).then_some(path));
                let name = std::mem::replace(&mut self.name, name);
                self.left = [
                    Some(Box::new(Left {
                        session,
                        path,
                        name,
                    })),
                    None,
                ];
                self.enter(complaint);
                if is_recording {
                    self.play();
                }
            }
            Err(sentence) => self.shared.tell(News::Failed(sentence)),
        }
    }

    /// A recording that was opened plays.
    fn play(&mut self) {
        self.mode = RunMode::Running;
        let timeline = self.session.timeline();
        self.shared.tell(News::Done(format!(
            "A recording of {} ticks and {} actions: it plays to its end, and goes on from there.",
            with_commas(timeline.end()),
            timeline.acts().len()
        )));
    }

    /// Goes back to the scene that was open before, or on to the one after.
    fn change_sessions(&mut self, on: bool) {
        let Some(left) = self.left[usize::from(on)].take() else {
            return;
        };
        let session = std::mem::replace(&mut self.session, left.session);
        let path = std::mem::replace(&mut self.path, left.path);
        let name = std::mem::replace(&mut self.name, left.name);
        self.left[usize::from(!on)] = Some(Box::new(Left {
            session,
            path,
            name,
        }));
        self.enter(None);
        // The view must have the pictures of this world, and none of the other's.
        if let Some(world) = self.session.world() {
            *lock(&self.shared.jobs) = world.resident_pictures();
        }
    }

    /// Another session is here.
    fn enter(&mut self, complaint: Option<String>) {
        self.history = History::default();
        self.tour_history = TourHistory::default();
        lock(&self.shared.jobs).clear();
        lock(&self.shared.jobs).push(TextureJob::Clear);
        self.start_figures();
        self.steps_counted = (Instant::now(), 0);
        self.last = Instant::now();
        self.shared.tell(News::Opened {
            path: self.path.clone(),
            name: self.name.clone(),
            scene: Arc::clone(self.session.scene()),
            has_world: self.session.world().is_some(),
        });
        if let Some(sentence) = complaint {
            self.shared.tell(News::Failed(sentence));
        }
    }

    fn seek(&mut self, tick: u64) {
        self.shared.begin(format!("Going to tick {tick}"));
        let shared = Arc::clone(&self.shared);
        let journey = self.session.set_out(tick);
        // The keyframe is shown at once; the rest of the way may take its time.
        self.mode = RunMode::Paused;
        self.answer();
        let result = self.session.arrive(journey, &shared.cancel);
        self.shared.end();
        match result {
            Ok(()) => {}
            Err(Refusal::Abandoned(_)) => {}
            Err(Refusal::Sentence(sentence)) => self.shared.tell(News::Failed(sentence)),
        }
        self.mode = RunMode::Paused;
        self.shared.tell(News::Stopped);
        self.start_figures();
    }

    fn fixed_tick(&mut self) {
        match self.mode {
            RunMode::Running => self.tick(),
            RunMode::Step => {
                self.tick();
                self.mode = RunMode::Paused;
            }
            RunMode::Paused => {}
        }
    }

    /// Lets pass as much time as has passed, but never runs after itself: a tick at most between two looks at the inbox.
    fn let_time_pass(&mut self) {
        let now = Instant::now();
        let elapsed = (now - std::mem::replace(&mut self.last, now)).as_secs_f64();
        match self.mode {
            RunMode::Step => {
                self.tick();
                self.mode = RunMode::Paused;
            }
            RunMode::Running => {
                self.owed_seconds += elapsed.min(0.25);
                if self.owed_seconds >= self.tick_seconds() {
                    self.owed_seconds -= self.tick_seconds();
                    self.tick();
                    // What could not be done in time is dropped: a heavy battle runs slower.
                    let most = 4.0 * self.tick_seconds();
                    self.owed_seconds = self.owed_seconds.min(most.max(0.05));
                }
            }
            RunMode::Paused => {
                if self.drags_while_paused() {
                    self.drag(elapsed);
                }
            }
        }
        let (since, count) = self.steps_counted;
        let passed = since.elapsed().as_secs_f32();
        if passed >= 1.0 {
            self.steps_per_second = count as f32 / passed;
            self.steps_counted = (Instant::now(), 0);
        }
    }

    /// Lets the world go on around a character that is dragged while the battle stands.
    fn drag(&mut self, elapsed: f64) {
        self.owed_seconds += elapsed.min(0.25);
        if self.owed_seconds >= STEP_SECONDS {
            self.owed_seconds = 0.0;
            self.tick();
        }
    }

    fn tick(&mut self) {
        let begun = Instant::now();
        let mut clock = Clock {
            last: begun,
            update: Duration::ZERO,
            query: Duration::ZERO,
        };
        let structure = self.session.lanes()[0].index().info().name;
        let alive = self.session.alive();
        self.shared.begin(format!(
            "A tick of {} units under {structure}",
            with_commas(alive)
        ));
        self.session.set_threads(self.gear.threads());
        let shared = Arc::clone(&self.shared);
        let result = self.session.tick(&shared.cancel, &mut clock);
        self.shared.end();
        let took = begun.elapsed();
        let summary = match result {
            Ok(summary) => summary,
            Err(refusal) => {
                self.mode = RunMode::Paused;
                self.shared.tell(News::Stopped);
                self.shared.tell(match refusal {
                    Refusal::Sentence(sentence) => News::Failed(sentence),
                    Refusal::Abandoned(_) => News::Done(format!(
                        "The tick was cancelled after {:.1} s; the battle stands as it was before it.",
                        took.as_secs_f32()
                    )),
                });
                return;
            }
        };
        self.gear.note(alive, took.as_secs_f64());
        let lane = &self.session.lanes()[0];
        self.cost = lane.cost;
        // A slow scene has few ticks: each is worth being read. Where two runs are to look alike, no clock decides.
        let slow = took > SLOW_TICK && !self.fixed;
        let fresh = self.shown_cost.all_pairs == 0 || slow;
        let tick = self.session.battle().tick();
        if fresh || self.mode != RunMode::Running || tick.is_multiple_of(SHOWN_EVERY) {
            self.shown_cost = self.cost;
        }
        self.steps_counted.1 += 1;
        let micros = |time: Duration| time.as_secs_f32() * 1.0e6;
        self.history.tests.push(self.cost.query.tests as f32);
        self.history.pairs.push(summary.pairs as f32);
        self.history.visits.push(self.cost.query.visits as f32);
        self.history.update_us.push(micros(clock.update));
        self.history.query_us.push(micros(clock.query));
        self.history.step_us.push(micros(took));
        self.remember_flashes(tick);
        if let Some(world) = self.session.world_mut() {
            self.tour_history.push(world.figures());
            world.take_texture_jobs(&mut lock(&self.shared.jobs));
        }
    }

    /// Notes where the nodes are that the tick split or merged, so that they flash.
    fn remember_flashes(&mut self, now: u64) {
        /// Long enough to be seen: 300 ms at 60 ticks a second.
        const TICKS: u64 = 18;
        self.flashes
            .retain(|(_, _, born)| now.saturating_sub(*born) < TICKS);
        let regions = &self.session.lanes()[0].flashes.regions;
        if regions.is_empty() {
            return;
        }
        for (region, area) in &self.boxes {
            if let Some((_, split)) = regions.iter().find(|(id, _)| id == region) {
                self.flashes.push((*area, *split, now));
            }
        }
    }

    /// Answers the ask, once the last answer has been taken.
    fn answer(&mut self) {
        if lock(&self.shared.latest).is_some() && !self.fixed {
            return;
        }
        let Some((number, ask)) = self.ask.take() else {
            return;
        };
        let spare = lock(&self.shared.spare).pop();
        let mut snapshot = spare.unwrap_or_else(|| Box::new(self.blank()));
        self.fill(&mut snapshot, &ask);
        snapshot.ask = number;
        *lock(&self.shared.latest) = Some(snapshot);
        self.shared.answered.notify_all();
    }

    fn blank(&self) -> Snapshot {
        Snapshot {
            ask: 0,
            heeded: 0,
            battle: self.session.battle().clone(),
            scene: Arc::clone(self.session.scene()),
            unsaved: false,
            lanes: Vec::new(),
            culled: Culled::default(),
            history: History::default(),
            mode: self.mode,
            pace: self.pace,
            steps_per_second: 0.0,
            threads: 1,
            undo: [None, None],
            place: Place::default(),
            tour: None,
            tour_history: TourHistory::default(),
        }
    }

    fn fill(&mut self, to: &mut Snapshot, ask: &Ask) {
        let session = &self.session;
        let index = session.lanes()[0].index();
        let bodies = session.battle().bodies();
        session.battle().mirror(&mut to.battle);
        to.scene = Arc::clone(session.scene());
        to.unsaved = session.is_unsaved();
        // A look between two frames of a script is none that anybody sees.
        let seen = ask.ticks || !self.fixed;
        let refresh = seen && std::mem::take(&mut self.stale);
        let observe = observe::Ask {
            refresh,
            ..ask.observe
        };
        let lanes = session.lanes();
        to.lanes.truncate(lanes.len());
        for (place, lane) in lanes.iter().enumerate() {
            if place == to.lanes.len() {
                to.lanes.push(LaneView::of(lane));
            }
            let view = &mut to.lanes[place];
            view.structure.take(lane);
            (view.cost, view.shown_cost) = (lane.cost, lane.cost);
            view.difference = lane.difference;
            if place == 0 || ask.lanes {
                view.frame.observe(lane.index(), bodies, &observe);
            } else {
                view.frame.clear();
            }
        }
        let first = &mut to.lanes[0];
        (first.cost, first.shown_cost) = (self.cost, self.shown_cost);
        first.flashes.clone_from(&self.flashes);
        if refresh {
            self.details.take_details(&first.frame);
        } else {
            first.frame.take_details(&self.details);
        }
        if seen {
            self.boxes.clear();
            let regions = first.frame.regions.list.iter();
            self.boxes
                .extend(regions.filter_map(|region| match region.outline {
                    Outline::Rect(area) => Some((region.id, area)),
                    _ => None,
                }));
        }

        to.culled.units.clear();
        to.culled.area = ask.cull;
        to.culled.counter = Counter::default();
        if let Some(area) = ask.cull {
            to.culled.counter = observe::cull(index, bodies, area, &mut to.culled.units);
            // The same order under every structure, so that overlapping units do not flicker when it is switched.
            to.culled.units.sort_unstable();
        }

        to.heeded = self.heeded;
        to.history.copy_ticks(&self.history);
        (to.mode, to.pace) = (self.mode, self.pace);
        to.steps_per_second = self.steps_per_second;
        to.threads = self.gear.threads();
        to.undo = [false, true].map(|redo| {
            let left = self.left[usize::from(redo)].as_ref();
            session
                .undo_name(redo)
                .or_else(|| left.map(|_| "open scene".to_owned()))
        });
        to.place = Place {
            tick: session.tick_count(),
            end: session.timeline().end(),
            diverged_at: session.timeline().diverged_at(),
        };
        match (session.world(), &ask.tour) {
            (Some(world), Some(ask)) => {
                let picture = to.tour.get_or_insert_default();
                world.picture(ask, picture);
            }
            (Some(world), None) => {
                let picture = to.tour.get_or_insert_default();
                world.picture(&TourAsk::default(), picture);
            }
            (None, _) => to.tour = None,
        }
        to.tour_history.clone_from(&self.tour_history);
    }
}

/// What an action is called while it takes its time.
fn name_of(action: &Action, session: &Session) -> String {
    match action {
        Action::Structure(key) => format!("Building {key}"),
        Action::Set(key, _) => format!("Building anew with another {}", key.replace('_', " ")),
        Action::Units(count) => format!("Placing {} units", with_commas(u64::from(*count))),
        Action::Restart => "Starting again".to_owned(),
        Action::Undo | Action::Redo => {
            let redo = *action == Action::Redo;
            let word = if redo { "Doing again" } else { "Taking back" };
            format!("{word}: {}", session.undo_name(redo).unwrap_or_default())
        }
        Action::Tune(..) | Action::TuneDefaults => "Setting the world anew".to_owned(),
        _ => "Changing the battle".to_owned(),
    }
}

/// Opens a scene or a recording.
fn open_path(path: &Path) -> Result<Opened, String> {
    let name = path.display().to_string();
    let bytes = file::read_bytes(path).map_err(|error| error.to_string())?;
    let is_recording = Recording::is_meant(&bytes);
    let (session, complaint) = if is_recording {
        drop(bytes);
        let recording = Recording::read(path).map_err(|error| error.to_string())?;
        Session::of_recording(recording).map_err(|refusal| format!("{name}: {refusal}"))?
    } else {
        let scene = file::parse(&bytes, &name).map_err(|error| error.to_string())?;
        Session::new(scene, path.parent().unwrap_or(Path::new("")))
    };
    Ok(Opened {
        session,
        complaint,
        is_recording,
    })
}
