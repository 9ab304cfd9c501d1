//! What each lane cost, all at the same moment, so that the figures can be compared with each other.

use crate::app::set_words::{PANES, knobs_in_words, values_in_words};
use crate::app::state::{App, RunMode, settings};
use crate::app::widgets::with_commas;
use crate::app::worker::{LEAST_TICKS, LaneView, Middle, Structure};
use skirmish::measure::ALIKE_TIMES;
use skirmish::structure::StructureKind;

/// Figures are shown anew every so many ticks: what changes sixty times a second cannot be read.
const SHOWN_EVERY: u64 = 12;

/// The figures of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Its structure.
    pub kind: StructureKind,
    /// What it is called here: by name, and by the knob in which it differs from another lane of its structure.
    label: String,
    /// The same where there is little room.
    short: String,
    /// How it is set.
    knobs: Vec<f64>,
    /// The settings with which it works, those that it has chosen itself as well, but for what changes the picture alone.
    in_effect: Vec<f64>,
    /// Whether it chooses a setting itself when it is built.
    pub chooses: bool,
    /// Tests and regions entered in a tick, and the pairs found; `None` until a tick has been measured.
    pub counted: Option<[u64; 3]>,
    /// Microseconds of upkeep and of queries, where a clock is shown.
    pub times: Option<(f32, f32)>,
    /// The least readings of these, where what is shown of them is doubtful, as the table marks it.
    pub doubtful_from: [Option<f32>; 2],
    /// Between which times the middle half of the last ticks lies; `None` at rest.
    pub middle: Option<Middle>,
    /// Whether it was measured on a tick that stands: its upkeep is then its build.
    pub at_rest: bool,
    /// Whether so few ticks have been measured that the next may say otherwise.
    pub are_times_new: bool,
    /// The bytes that the structure takes.
    pub bytes: u64,
    /// Whether it stands still because it answered otherwise.
    pub stands: bool,
}

impl Figures {
    fn of(lane: &LaneView, [label, short]: [String; 2], fixed: bool) -> Self {
        let (cost, is_measured) = (&lane.cost, lane.is_measured);
        Self {
            kind: lane.structure.kind,
            label,
            short,
            knobs: lane.structure.knobs.clone(),
            in_effect: settings(lane.structure.info())
                .map(|(at, _)| lane.structure.in_effect(at))
                .collect(),
            chooses: lane.structure.chooses(),
            counted: is_measured.then_some([cost.query.tests, cost.query.visits, cost.pairs]),
            times: times(lane).filter(|_| !fixed && is_measured),
            doubtful_from: lane.doubtful_from,
            middle: lane.middle,
            at_rest: cost.at_rest,
            are_times_new: !cost.at_rest && lane.timed < LEAST_TICKS,
            // At rest its build is that of an index built anew, and so is its memory: the living one, of which queries are asked, may have
            // room from its past, or none where time was turned back to it.
            bytes: cost.built_bytes.unwrap_or(lane.structure.bytes) as u64,
            stands: lane.difference.is_some(),
        }
    }

    /// What it is called here.
    pub fn name(&self) -> &str {
        &self.label
    }

    /// Whether both are of one structure, set alike.
    pub fn is_set_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.knobs == other.knobs
    }

    /// Whether both are of one structure that works with the same settings, whoever chose them, and came to the same work.
    fn works_like(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.in_effect == other.in_effect
            && self.counted.is_some()
            && self.counted == other.counted
    }

    /// Whether they are of what a lane is by now, but for what was measured of it since.
    fn is_of(&self, lane: &LaneView) -> bool {
        self.kind == lane.structure.kind
            && self.knobs == lane.structure.knobs
            && self.at_rest == lane.cost.at_rest
            && self.counted.is_some() == lane.is_measured
            && self.stands == lane.difference.is_some()
    }
}

/// How many regions were visited, in words. Who has no regions visits none of them, which is no feat.
pub fn regions_in_words(count: u64) -> String {
    match count {
        0 => "none".to_owned(),
        count => with_commas(count),
    }
}

/// Microseconds of upkeep and of queries, the median of the last ticks.
fn times(lane: &LaneView) -> Option<(f32, f32)> {
    let times = lane.times?;
    Some((times.update_us, times.query_us))
}

/// What a lane is called beside the others.
pub fn label(lanes: &[LaneView], place: usize) -> String {
    let all = structures(lanes);
    told_apart(all.len(), place, |place| own_label(&all, place))
}

/// What a lane is called by its structure and by all in which that is set otherwise than in others, whoever else is beside it.
pub fn set_name(lanes: &[LaneView], place: usize) -> String {
    label_with(&structures(lanes), place, usize::MAX, knobs_in_words)
}

/// The same with the values of these settings alone, where there is little room.
pub fn short_set_name(lanes: &[LaneView], place: usize) -> String {
    label_with(&structures(lanes), place, usize::MAX, values_in_words)
}

/// The same where there is little room: where all are of one structure, that in which they differ.
pub fn short_label(lanes: &[LaneView], place: usize) -> String {
    short_names(&structures(lanes)).swap_remove(place)
}

/// What lanes of these structures are called where there is little room.
pub fn short_names(all: &[&Structure]) -> Vec<String> {
    let name = |place| told_apart(all.len(), place, |place| own_short_label(all, place));
    (0..all.len()).map(name).collect()
}

/// How many bytes the words have with which the names of all lanes begin, where these are of one structure: a name that is cut behind
/// them says of every lane the same.
pub fn common_words<'n>(
    mut lanes: impl Iterator<Item = (StructureKind, &'n str)> + Clone,
) -> usize {
    let all = lanes.clone();
    let (Some((kind, first)), Some(_)) = (lanes.next(), lanes.next()) else {
        return 0;
    };
    let all_begin = |end: &usize| {
        let mut all = all.clone();
        all.all(|(of, name)| of == kind && name.starts_with(&first[..*end]))
    };
    let mut ends = first.match_indices(' ').map(|(at, _)| at + 1).rev();
    ends.find(all_begin).unwrap_or(0)
}

fn structures(lanes: &[LaneView]) -> Vec<&Structure> {
    lanes.iter().map(|lane| &lane.structure).collect()
}

/// What one of so many is called: by its place as well where another is called the same, as nobody would know which is meant.
fn told_apart(count: usize, place: usize, name_of: impl Fn(usize) -> String) -> String {
    let name = name_of(place);
    let mut others = (0..count).filter(|other| *other != place);
    match others.any(|other| name_of(other) == name) {
        true => format!("{name}, {}", PANES[place]),
        false => name,
    }
}

fn own_label(all: &[&Structure], place: usize) -> String {
    label_with(all, place, 1, knobs_in_words)
}

/// What says some of the knobs of a structure, those first in which it differs from others.
type Words = fn(&Structure, &[&Structure], usize) -> String;

/// Its name, and at most so many of the knobs in which it differs from others of its kind, in these words.
fn label_with(all: &[&Structure], place: usize, most: usize, words: Words) -> String {
    let structure = all[place];
    let mut others = beside(all, place);
    others.retain(|other| other.kind == structure.kind);
    let name = structure.info().name;
    let differs = |knob: &usize| {
        let mut others = others.iter();
        others.any(|other| other.knob(*knob) != structure.knob(*knob))
    };
    let count = (0..structure.knobs.len()).filter(differs).count();
    if count > 0 {
        let knobs = words(structure, &others, count.min(most));
        format!("{name}, {knobs}")
    } else {
        name.to_owned()
    }
}

fn own_short_label(all: &[&Structure], place: usize) -> String {
    let structure = all[place];
    let others = beside(all, place);
    let are_all_of_it = others.iter().all(|other| other.kind == structure.kind);
    let differs = others.iter().any(|other| other.knobs != structure.knobs);
    match are_all_of_it && differs {
        true => knobs_in_words(structure, &others, 1),
        false => own_label(all, place),
    }
}

/// All of them but the one at a place.
fn beside<'s>(all: &[&'s Structure], place: usize) -> Vec<&'s Structure> {
    let others = all.iter().enumerate();
    let others = others.filter(|(other, _)| *other != place);
    others.map(|(_, structure)| *structure).collect()
}

/// The figures of all lanes, as they are shown.
#[derive(Debug, Default)]
pub struct Shown {
    /// A lane each, in order.
    pub lanes: Vec<Figures>,
    /// How many units stand.
    pub units: u64,
    /// Whether they were measured on a tick that stands: the upkeep is then the build.
    pub at_rest: bool,
    /// The tick of whose questions they are: the last one that was made, and at rest the one that comes next. The table says the same
    /// of its rows, so that two figures of one tick are alike, and others are not compared.
    pub tick: u64,
    period: u64,
    /// Of which scene they are.
    scene: String,
}

impl Shown {
    /// Which builds take longer for a choice that others have not to make, in a sentence with a space before it; nothing where builds are not
    /// shown, or all or none of them choose.
    pub fn who_chooses(&self) -> String {
        let all = || self.lanes.iter();
        let shows_builds = self.at_rest && all().any(|lane| lane.times.is_some());
        if !shows_builds || all().all(|lane| lane.chooses) {
            return String::new();
        }
        let names: Vec<&str> = all().filter(|it| it.chooses).map(Figures::name).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(
                " To choose what is set to auto is a part of the build of {}, and of no other one here.",
                names.join(" and of ")
            ),
        }
    }

    /// Takes the figures of now, when it is time to.
    pub fn take(&mut self, app: &App) {
        let period = app.place.tick / SHOWN_EVERY;
        let alike = self.lanes.len() == app.lanes.len()
            && self
                .lanes
                .iter()
                .zip(&app.lanes)
                .all(|(old, lane)| old.is_of(lane));
        // Another scene may stand at the same tick.
        let is_other = self.scene != app.scene.name;
        if !alike || is_other || app.mode != RunMode::Running || period != self.period {
            let lanes = app.lanes.iter().enumerate();
            let now = lanes.map(|(place, lane)| {
                let names = [label, short_label].map(|name| name(&app.lanes, place));
                Figures::of(lane, names, app.fixed)
            });
            let now: Vec<Figures> = now.collect();
            self.scene.clone_from(&app.scene.name);
            (self.lanes, self.units, self.period) = (now, app.alive(), period);
            self.at_rest = app.lanes.iter().any(|lane| lane.cost.at_rest);
            self.tick = app.place.tick + u64::from(self.at_rest);
        }
    }

    /// What a lane is called where there is little room, and where there is less still: without what [`common_words`] says.
    pub fn short_names(&self, place: usize) -> [&str; 2] {
        let short = &self.lanes[place].short;
        let lanes = self.lanes.iter();
        let end = common_words(lanes.map(|lane| (lane.kind, lane.short.as_str())));
        [short, &short[end..]]
    }

    /// A figure of every lane as it is shown, the least first, with its lane: among those that have it and have not been stopped.
    pub fn ranked(&self, figure: &Figure) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> = self
            .lanes
            .iter()
            .enumerate()
            .filter(|(_, lane)| !lane.stands)
            .filter_map(|(place, lane)| (figure.of)(lane).map(|value| (place, value)))
            .collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all
    }

    /// Who has the least of a figure, and how many times more the next one has; `None` where nobody leads. The same structure, set
    /// alike, leads at nothing over itself: what it has in store of its memory comes from its past, and its times differ by chance; nor does
    /// it answer faster than others where one that does the same work does not.
    /// Nobody leads by what is doubtful, or over it, or where what is doubtful may be the next one, or where ticks of both take about as
    /// long, or by memory that comes from the past.
    pub fn leader(&self, figure: &Figure) -> Option<(usize, f64)> {
        let ranked = self.ranked(figure);
        let (&(place, least), &(other, next)) = (ranked.first()?, ranked.get(1)?);
        let is_same = self.lanes[other].is_set_like(&self.lanes[place]);
        let works_alike = |(lane, _): &(usize, f64)| self.works_alike(figure, place, *lane);
        let overlaps = |(lane, _): &(usize, f64)| self.overlap(figure, place, *lane);
        let of_its_past = |(lane, _): &(usize, f64)| figure.is_of_its_past(&self.lanes[*lane]);
        if self.is_in_doubt(figure, &ranked)
            || ranked.iter().any(of_its_past)
            || ranked[1..].iter().any(overlaps)
            || ranked[1..].iter().any(works_alike)
        {
            return None;
        }
        let ratio = figure.ahead(least, next).filter(|_| !is_same)?;
        Some((place, ratio))
    }

    /// Who has the least of a figure that comes from the past, and how many times more the next one has, though nobody leads by it; `None` where
    /// they are about alike, or set alike.
    pub fn least_of_past(&self, figure: &Figure) -> Option<(usize, f64)> {
        let ranked = self.ranked(figure);
        let (&(place, least), &(other, next)) = (ranked.first()?, ranked.get(1)?);
        let mut all = ranked.iter();
        let is_of_past = all.any(|(lane, _)| figure.is_of_its_past(&self.lanes[*lane]));
        let is_same = self.lanes[other].is_set_like(&self.lanes[place]);
        let ratio = figure.ahead(least, next)?;
        (is_of_past && !is_same).then_some((place, ratio))
    }

    /// Whether it is not known who has the least of a figure, or who is next, of all of them as [`Shown::ranked`] has them: one of both is
    /// doubtful, or one that is may come before the next.
    pub fn is_in_doubt(&self, figure: &Figure, ranked: &[(usize, f64)]) -> bool {
        let Some(&(_, next)) = ranked.get(1) else {
            return false;
        };
        let mut all = ranked.iter().enumerate();
        all.any(|(rank, (place, _))| {
            let least = figure.doubtful_from(&self.lanes[*place]);
            least.is_some_and(|least| rank < 2 || least < next)
        })
    }

    /// Whether the middle halves of the ticks of two lanes have a time in common: which of them has the lesser median is chance then.
    pub fn overlap(&self, figure: &Figure, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|lane| figure.middle(&self.lanes[lane]));
        one.zip(other)
            .is_some_and(|([from, to], [low, high])| from <= high && low <= to)
    }

    /// Whether two lanes differ in a figure by chance, as both answer with the same work. A build that chooses is another one than that
    /// which is told.
    pub fn works_alike(&self, figure: &Figure, one: usize, other: usize) -> bool {
        figure.key == "query" && self.lanes[one].works_like(&self.lanes[other])
    }

    /// Whether two lanes that are set alike have this much of a figure and that much.
    pub fn differ_though_alike(&self, figure: &Figure) -> bool {
        let ranked = self.ranked(figure);
        let differ = |one: &(usize, f64), other: &(usize, f64)| {
            let [a, b] = [one, other].map(|it| &self.lanes[it.0]);
            a.is_set_like(b) && figure.ahead(one.1, other.1).is_some()
        };
        let mut each = ranked.iter().enumerate();
        each.any(|(place, one)| ranked[place + 1..].iter().any(|other| differ(one, other)))
    }
}

/// From where on two values are told apart: what is nearer is alike to anybody who looks, in what is said of it and in its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// By how many times the least the next one must be more ...
    pub times: f64,
    /// ... and by how much.
    pub by: f64,
}

impl Apart {
    /// Of times of a tick, in microseconds: looking at the clock takes so many, and they come out otherwise an instant later.
    pub const OF_TICK: Self = Self {
        times: ALIKE_TIMES,
        by: 3.0,
    };
    /// Of times of a single question, which is the mean of many between two looks at the clock.
    pub const OF_QUESTION: Self = Self {
        times: ALIKE_TIMES,
        by: 0.0,
    };
    /// Of counts and bytes, which come out the same each time.
    pub const OF_COUNT: Self = Self {
        times: 1.05,
        by: 0.0,
    };

    /// How many times as much the next one has as the least; `None` where they are too near to each other for the least to lead.
    pub fn ahead(self, least: f64, next: f64) -> Option<f64> {
        (least > 0.0 && self.are_apart(least, next)).then(|| next / least)
    }

    /// Whether two are told apart, of which this is the least.
    pub fn are_apart(self, least: f64, next: f64) -> bool {
        next >= self.times * least && next - least >= self.by
    }

    /// The share within which two are alike, in words.
    pub fn share(self) -> String {
        format!("{} %", ((self.times - 1.0) * 100.0).round())
    }
}

/// A figure of the race: what it is called, what it counts, and what is said of who has the least of it.
pub struct Figure {
    /// For the report.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// A few words more.
    pub hint: &'static str,
    /// What its leader does.
    pub leads: &'static str,
    /// What it is of a lane.
    pub of: fn(&Figures) -> Option<f64>,
    /// From where on one leads.
    pub apart: Apart,
}

/// Upkeep and queries together, of which the verdict is.
pub const TIME: Figure = Figure {
    key: "time",
    name: "time",
    hint: "update and query",
    leads: "is faster",
    of: |lane| {
        let (update, query) = lane.times?;
        Some(f64::from(update) + f64::from(query))
    },
    apart: Apart::OF_TICK,
};

/// The figures of the race, from above.
pub const RACE: [Figure; 5] = [
    Figure {
        key: "tests",
        name: "tests",
        hint: "distances",
        leads: "tests fewer",
        of: |lane| lane.counted.map(|[tests, ..]| tests as f64),
        apart: Apart::OF_COUNT,
    },
    Figure {
        key: "visited",
        name: "visited",
        hint: "nodes, cells",
        leads: "visits fewer",
        of: |lane| lane.counted.map(|[_, visits, _]| visits as f64),
        apart: Apart::OF_COUNT,
    },
    Figure {
        key: "update",
        name: "update",
        hint: "rebuild or move",
        leads: "updates faster",
        of: |lane| lane.times.map(|(update, _)| f64::from(update)),
        apart: Apart::OF_TICK,
    },
    Figure {
        key: "query",
        name: "query",
        hint: "all that is asked",
        leads: "answers faster",
        of: |lane| lane.times.map(|(_, query)| f64::from(query)),
        apart: Apart::OF_TICK,
    },
    Figure {
        key: "memory",
        name: "memory",
        hint: "index alone",
        leads: "is smaller",
        of: |lane| Some(lane.bytes as f64),
        apart: Apart::OF_COUNT,
    },
];

impl Figure {
    /// How many times as much the next one has as the least, of the numbers as they are shown, since who reads it divides them; `None`
    /// where they are too near to each other for the least to lead.
    pub fn ahead(&self, least: f64, next: f64) -> Option<f64> {
        self.apart.ahead(least, next)
    }

    /// Whether what is shown of it comes from the lane's past: an index that has run keeps room for what may come, and a copy of it, as a
    /// step back in time shows, keeps none. Built anew, bytes are counts like others.
    fn is_of_its_past(&self, lane: &Figures) -> bool {
        self.key == "memory" && !lane.at_rest
    }

    /// The least reading of it, where what is shown of it is doubtful.
    pub fn doubtful_from(&self, lane: &Figures) -> Option<f64> {
        let [update, query] = lane.doubtful_from.map(|least| least.map(f64::from));
        let shown = lane.times?;
        match (self.key, update, query) {
            ("update", least, _) | ("query", _, least) => least,
            ("time", ..) => {
                let parts = [(update, shown.0), (query, shown.1)];
                let sure = parts.iter().filter(|(least, _)| least.is_none());
                let sure: f64 = sure.map(|(_, us)| f64::from(*us)).sum();
                let whole: f64 = parts.iter().map(|(_, us)| f64::from(*us)).sum();
                let least = parts
                    .iter()
                    .map(|(least, us)| least.unwrap_or(f64::from(*us)));
                // A part so small, whatever it is, changes the sum by less than times are told apart by.
                (whole >= ALIKE_TIMES * sure && sure < whole).then(|| least.sum())
            }
            _ => None,
        }
    }

    /// Between which values of it the middle half of a lane's last ticks lies, if it is a time of ticks. What is shown is between them:
    /// of update and queries together that is the sum of two medians.
    fn middle(&self, lane: &Figures) -> Option<[f64; 2]> {
        let [update, query, both] = lane.middle?;
        let [from, to] = match self.key {
            "update" => update,
            "query" => query,
            "time" => both,
            _ => return None,
        };
        let shown = (self.of)(lane)?;
        Some([from.min(shown), to.max(shown)])
    }

    /// What it is called, a few words more, and what its leader does.
    pub fn words(&self, at_rest: bool) -> [&'static str; 3] {
        match self.key {
            // The others are asked of the lane as it stands.
            "update" if at_rest => ["build", "from nothing", "is built faster"],
            "memory" if at_rest => [self.name, "built anew", self.leads],
            "tests" | "visited" if at_rest => [self.name, "as it stands", self.leads],
            _ => [self.name, self.hint, self.leads],
        }
    }
}

/// How many times, in as many digits as can be meant.
pub fn times_more(ratio: f64) -> String {
    match ratio {
        r if r >= 99.5 => format!("{}×", with_commas(r.round() as u64)),
        r if r >= 9.95 => format!("{r:.0}×"),
        r if r >= 1.095 => format!("{r:.1}×"),
        r => format!("{r:.2}×"),
    }
}

#[cfg(test)]
impl Figures {
    /// Figures of a lane that nobody has measured.
    pub fn example(
        kind: impl Into<StructureKind>,
        tests: u64,
        times: Option<(f32, f32)>,
        bytes: u64,
    ) -> Self {
        let kind = kind.into();
        Self {
            kind,
            label: kind.info().name.to_owned(),
            short: kind.info().name.to_owned(),
            knobs: Vec::new(),
            in_effect: Vec::new(),
            chooses: false,
            counted: Some([tests, 1, 1]),
            times,
            doubtful_from: [None; 2],
            middle: None,
            at_rest: false,
            are_times_new: false,
            bytes,
            stands: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    fn figures(tests: u64, stands: bool) -> Figures {
        Figures {
            stands,
            ..Figures::example(Kind::Quadtree, tests, None, 100)
        }
    }

    #[test]
    fn what_is_measured_at_rest_is_the_build() {
        let words = |key: &str, at_rest| {
            let figure = RACE.iter().find(|figure| figure.key == key);
            figure.map(|figure| figure.words(at_rest)[0])
        };
        assert_eq!(words("update", true), Some("build"));
        assert_eq!(words("update", false), Some("update"));
        assert_eq!(words("query", true), Some("query"));
        let hint = |key: &str| {
            let figure = RACE.iter().find(|figure| figure.key == key);
            figure.map(|figure| figure.words(true)[1])
        };
        assert_eq!(hint("tests"), Some("as it stands"));
        assert_eq!(hint("memory"), Some("built anew"));
    }

    #[test]
    fn a_short_name_without_what_all_begin_with_says_what_differs() {
        let named = |short: &str| Figures {
            short: short.to_owned(),
            ..figures(1, false)
        };
        let names = |shorts: &[&str]| -> Vec<String> {
            let shown = Shown {
                lanes: shorts.iter().map(|short| named(short)).collect(),
                ..Shown::default()
            };
            let all = 0..shorts.len();
            all.map(|at| shown.short_names(at)[1].to_owned()).collect()
        };
        assert_eq!(
            names(&["neighbourhood half", "neighbourhood full"]),
            ["half", "full"]
        );
        assert_eq!(
            names(&["cell size 10 m", "cell size 12 m"]),
            ["10 m", "12 m"]
        );
        assert_eq!(
            names(&["capacity 8, first pane", "capacity 8, second pane"]),
            ["first pane", "second pane"]
        );
        assert_eq!(names(&["capacity 8", "depth 8"]), ["capacity 8", "depth 8"]);
        assert_eq!(names(&["linked grid"]), ["linked grid"]);
    }

    #[test]
    fn where_there_is_little_room_the_values_alone_are_said_of_what_differs_and_of_nothing_else() {
        let info = Kind::Quadtree.info();
        let with = |set: &[(&str, f64)]| {
            let mut knobs: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
            for (key, value) in set {
                let mut all = info.knobs.iter();
                let place = all.position(|knob| knob.key == *key);
                knobs[place.expect("a knob")] = *value;
            }
            Structure {
                kind: Kind::Quadtree.into(),
                effects: knobs.clone(),
                knobs,
                bytes: 0,
            }
        };
        // Both are set otherwise than by default in their depth, which tells neither from the other.
        let of = |capacity| with(&[("capacity", capacity), ("max_depth", 6.0)]);
        let (few, many) = (of(3.0), of(12.0));
        let name = |words| label_with(&[&few, &many], 0, usize::MAX, words);
        assert_eq!(name(knobs_in_words), "quadtree, capacity 3 units");
        assert_eq!(name(values_in_words), "quadtree, 3 units");
    }

    #[test]
    fn who_divides_the_numbers_of_two_lanes_gets_the_factor_beside_them() {
        let lane = |kind, build, query| Figures::example(kind, 1, Some((build, query)), 100);
        let (one, other) = (Kind::Quadtree, Kind::KdTree);
        let shown = Shown {
            lanes: vec![lane(one, 5.0, 12.5), lane(other, 27.5, 25.0)],
            ..Shown::default()
        };
        assert_eq!(shown.leader(&RACE[2]), Some((0, 5.5)));
        assert_eq!(shown.leader(&RACE[3]), Some((0, 2.0)));
        // They part by less than a look at the clock takes.
        let shown = Shown {
            lanes: vec![lane(one, 10.0, 0.1), lane(other, 12.5, 2.0)],
            ..Shown::default()
        };
        assert_eq!(shown.leader(&RACE[2]), None);
        assert_eq!(shown.leader(&RACE[3]), None);
    }

    #[test]
    fn nobody_leads_by_what_is_doubtful_nor_over_it_nor_where_it_may_come_before_the_next() {
        let lane = |kind, query| Figures::example(kind, 1, Some((5.0, query)), 100);
        let mut shown = Shown {
            lanes: vec![
                lane(Kind::Bvh, 350.0),
                lane(Kind::LinkedGrid, 1_120.0),
                lane(Kind::KdTree, 9_000.0),
            ],
            ..Shown::default()
        };
        let leader = |shown: &Shown| shown.leader(&RACE[3]).map(|(lane, _)| lane);
        assert_eq!(leader(&shown), Some(0));
        for (place, least) in [(0, 340.0), (1, 850.0), (2, 300.0)] {
            shown.lanes[place].doubtful_from = [None, Some(least)];
            assert_eq!(leader(&shown), None, "{place}");
            shown.lanes[place].doubtful_from = [None; 2];
        }
        // However doubtful it is, it comes after these two; and its build is another thing.
        shown.lanes[2].doubtful_from = [Some(1.0), Some(4_000.0)];
        assert_eq!(leader(&shown), Some(0));
        assert_eq!(shown.leader(&RACE[2]), None);
        // What is doubtful of a part is doubtful of the sum, where that part counts for anything.
        let of = |lane: usize| TIME.doubtful_from(&shown.lanes[lane]);
        assert_eq!([of(0), of(2)], [None, Some(4_001.0)]);
        shown.lanes[2].doubtful_from = [Some(1.0), None];
        assert_eq!(TIME.doubtful_from(&shown.lanes[2]), None);
        shown.lanes[2].times = Some((5_000.0, 9_000.0));
        assert_eq!(TIME.doubtful_from(&shown.lanes[2]), Some(9_001.0));
    }

    #[test]
    fn nobody_answers_faster_than_others_where_one_that_does_the_same_work_does_not() {
        let lane = |cells: f64, is_auto: bool, query: f32| {
            let mut lane = Figures::example(Kind::LinkedGrid, 100, Some((5.0, query)), 100);
            lane.knobs = vec![if is_auto { 0.0 } else { cells }];
            lane.in_effect = vec![cells];
            lane
        };
        let mut shown = Shown {
            lanes: vec![lane(20.0, false, 500.0), lane(20.0, true, 650.0)],
            ..Shown::default()
        };
        let leader = |shown: &Shown| shown.leader(&RACE[3]).map(|(lane, _)| lane);
        assert_eq!(leader(&shown), None);
        // With another one between them, too.
        shown.lanes.push(lane(25.0, false, 600.0));
        assert_eq!(leader(&shown), None);
        shown.lanes[1].counted = Some([90, 1, 1]);
        assert_eq!(leader(&shown), Some(0));
        // How long a choice takes is a difference.
        shown.lanes.truncate(2);
        shown.lanes[1] = lane(20.0, true, 500.0);
        shown.lanes[1].times = Some((50.0, 500.0));
        assert_eq!(shown.leader(&RACE[2]), Some((0, 10.0)));
    }

    #[test]
    fn nobody_leads_where_the_ticks_of_both_take_about_as_long() {
        let lane = |kind, query| Figures::example(kind, 1, Some((5.0, query)), 100);
        let mut shown = Shown {
            lanes: vec![lane(Kind::Bvh, 1_000.0), lane(Kind::LinkedGrid, 1_400.0)],
            ..Shown::default()
        };
        let leader = |shown: &Shown| shown.leader(&RACE[3]).map(|(lane, _)| lane);
        let ticks = |from: f64, to: f64| Some([[5.0, 5.0], [from, to], [from + 5.0, to + 5.0]]);
        shown.lanes[0].middle = ticks(900.0, 1_200.0);
        shown.lanes[1].middle = ticks(1_300.0, 1_600.0);
        assert_eq!(leader(&shown), Some(0));
        shown.lanes[1].middle = ticks(1_150.0, 1_900.0);
        assert_eq!(leader(&shown), None);
        assert!(shown.overlap(&TIME, 0, 1) && !shown.overlap(&RACE[0], 0, 1));
    }

    #[test]
    fn a_structure_leads_at_nothing_over_itself() {
        let lane = |bytes| Figures::example(Kind::LinkedGrid, 20, Some((3.0, bytes as f32)), bytes);
        let mut shown = Shown {
            lanes: vec![lane(19_200), lane(36_600)],
            ..Shown::default()
        };
        assert!(RACE.iter().all(|figure| shown.leader(figure).is_none()));
        assert!(shown.differ_though_alike(&RACE[4]) && !shown.differ_though_alike(&RACE[0]));
        shown.lanes[1].knobs.push(1.0);
        shown.lanes.iter_mut().for_each(|lane| lane.at_rest = true);
        assert_eq!(shown.leader(&RACE[4]).map(|(lane, _)| lane), Some(0));
        assert!(!shown.differ_though_alike(&RACE[4]));
    }

    #[test]
    fn nobody_leads_by_memory_but_that_of_what_is_built_anew() {
        let lane = |kind, bytes| Figures::example(kind, 1, None, bytes);
        let mut shown = Shown {
            lanes: vec![
                lane(Kind::HierarchicalGrid, 130),
                lane(Kind::LinkedGrid, 159),
            ],
            ..Shown::default()
        };
        // However much more it is: undo copies an index without the room that it has kept.
        shown.lanes[1].bytes = 390;
        assert_eq!(shown.leader(&RACE[4]), None);
        // How much more it is just now is said all the same.
        assert_eq!(shown.least_of_past(&RACE[4]), Some((0, 3.0)));
        assert_eq!(shown.least_of_past(&RACE[0]), None);
        shown.lanes[0].at_rest = true;
        assert_eq!(shown.leader(&RACE[4]), None, "only one of them is");
        shown.lanes[1].bytes = 159;
        shown.lanes.iter_mut().for_each(|lane| lane.at_rest = true);
        assert_eq!(shown.leader(&RACE[4]).map(|(lane, _)| lane), Some(0));
        assert_eq!(shown.least_of_past(&RACE[4]), None, "it leads");
        shown.lanes[1].bytes = 136;
        assert_eq!(shown.leader(&RACE[4]), None);
    }

    #[test]
    fn who_is_called_as_another_is_called_by_its_place_as_well() {
        let names = |names: &[&str]| -> Vec<String> {
            let all = 0..names.len();
            let name = |place| told_apart(names.len(), place, |at| names[at].to_owned());
            all.map(name).collect()
        };
        assert_eq!(
            names(&["linked grid", "k-d tree", "linked grid"]),
            [
                "linked grid, first pane",
                "k-d tree",
                "linked grid, third pane"
            ]
        );
        assert_eq!(names(&["half", "full"]), ["half", "full"]);
    }

    #[test]
    fn who_leads_is_compared_with_the_next_and_not_with_who_stands_still() {
        let of = |kind, tests, stands| Figures {
            stands,
            ..Figures::example(kind, tests, None, 100)
        };
        let shown = Shown {
            lanes: vec![
                of(Kind::Quadtree, 300, false),
                of(Kind::KdTree, 100, false),
                of(Kind::Bvh, 10, true),
                of(Kind::SortedGrid, 900, false),
            ],
            ..Shown::default()
        };
        assert_eq!(shown.leader(&RACE[0]), Some((1, 3.0)));
        // All take alike much, and no clock is shown.
        assert_eq!(shown.leader(&RACE[4]), None);
        assert_eq!(shown.leader(&RACE[2]), None);
        assert_eq!(times_more(14.2), "14×");
        assert_eq!(times_more(1.82), "1.8×");
        assert_eq!(times_more(1234.4), "1,234×");
    }
}
