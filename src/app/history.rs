//! The last ten seconds of every figure that is plotted.

use skirmish::session::{Figures, Ledger};
use skirmish::streaming::Figures as WorldFigures;
use skirmish::structure::StructureKind;
use std::ops::Range;

/// How many samples are kept: ten seconds of ticks.
pub const LENGTH: usize = 600;

/// The last values of one figure. What is not known of a tick is not a number, and is left out of every sum.
#[derive(Clone, Debug, Default)]
pub struct Series {
    values: Vec<f32>,
}

impl Series {
    /// Takes one more value and forgets the oldest.
    pub fn push(&mut self, value: f32) {
        if self.values.len() >= LENGTH {
            self.values.remove(0);
        }
        self.values.push(value);
    }

    fn clear(&mut self) {
        self.values.clear();
    }

    /// Whether no value is known yet.
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(|value| value.is_nan())
    }

    /// The values, oldest first.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The value below which this part of the last `count` values lies.
    pub fn percentile(&self, part: f32, count: usize) -> f32 {
        percentile(
            &self.values[self.values.len().saturating_sub(count)..],
            part,
        )
    }

    /// The last values thinned to about `count`, for a small line.
    pub fn thinned(&self, count: usize) -> Vec<f32> {
        self.thinned_from(0, count)
    }

    /// The values from this place on thinned to about `count`.
    pub fn thinned_from(&self, from: usize, count: usize) -> Vec<f32> {
        let values = self.values.get(from..).unwrap_or_default();
        let step = (values.len() / count.max(1)).max(1);
        values
            .iter()
            .copied()
            .skip(values.len() % step)
            .step_by(step)
            .filter(|value| !value.is_nan())
            .collect()
    }
}

/// The value below which this part of `values` lies; 0 where none is known.
pub fn percentile(values: &[f32], part: f32) -> f32 {
    let mut known: Vec<f32> = values.iter().copied().filter(|it| !it.is_nan()).collect();
    if known.is_empty() {
        return 0.0;
    }
    let place = ((known.len() - 1) as f32 * part.clamp(0.0, 1.0)).round() as usize;
    *known.select_nth_unstable_by(place, f32::total_cmp).1
}

/// The time of frames, which is the window's own.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// Milliseconds between frames.
    pub frame_ms: Series,
    /// Milliseconds of work in a frame: all but the wait for the next one.
    pub work_ms: Series,
    /// How many were drawn since somebody touched something.
    pub untouched: u64,
}

/// A stretch of ticks in which a lane had one structure with the same knobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The place of its first tick among the values.
    pub from: usize,
    /// The structure.
    pub kind: StructureKind,
    /// The value of each of its knobs.
    pub knobs: Vec<f64>,
}

/// The figures of one lane. All series have the same length, that of the first lane's.
#[derive(Clone, Debug, Default)]
pub struct LanePast {
    /// Tests of a tick.
    pub tests: Series,
    /// Pairs found in a tick.
    pub pairs: Series,
    /// Regions visited in a tick.
    pub visits: Series,
    /// The bytes of the index.
    pub bytes: Series,
    /// Microseconds of upkeep of the structure.
    pub update_us: Series,
    /// Microseconds of queries.
    pub query_us: Series,
    /// Microseconds of both.
    pub cost_us: Series,
    /// Microseconds of the whole step.
    pub step_us: Series,
    /// Which structure it was when, oldest first; the last one is the present one.
    pub stretches: Vec<Stretch>,
}

impl LanePast {
    /// The place of the first value that is of the structure which the lane has now, set as it is now; behind the last one where none is
    /// yet.
    pub fn since(&self, kind: StructureKind) -> usize {
        let last = self.stretches.last();
        last.filter(|stretch| stretch.kind == kind)
            .map_or(self.visits.values().len(), |stretch| stretch.from)
    }
}

/// Every figure of the last ticks up to the present one, wherever in time that is.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The tick of the newest value.
    pub tick: u64,
    /// A lane each, which keeps its values when another one is closed or changes places with it.
    pub lanes: Vec<LanePast>,
    /// Those of the world.
    pub tour: TourHistory,
}

/// The structure of a lane, and the value of each of its knobs; none where these are not known.
pub type Present<'a> = (StructureKind, &'a [f64]);

/// At which place of a row each of the present lanes stood; nowhere, where it was not there yet.
type Places = Vec<Option<usize>>;

/// Where each of the present lanes stood before: one that was closed, or has changed places, moves others. `is_alike` says whether two are
/// alike in structure and knobs, and `is_kind` whether they are of one structure at all. A lane is the one that was alike, at its own place
/// first, else one that had its structure. One that has another structure is who stood at its place. Where fewer lanes are left, that may
/// be the one that was closed: nothing is known of a lane then, rather than what another one did.
fn stood<T: Copy>(
    before: &[T],
    now: &[T],
    (is_alike, is_kind): (impl Fn(T, T) -> bool, impl Fn(T, T) -> bool),
) -> Places {
    let is_shorter = now.len() < before.len();
    let mut places: Places = vec![None; now.len()];
    for (needs_alike, may_guess) in [(true, true), (false, !is_shorter)] {
        let is_it = |then: T, now: T| match needs_alike {
            true => is_alike(then, now),
            false => is_kind(then, now),
        };
        for is_at_own in [true, false] {
            for place in 0..now.len() {
                if places[place].is_some() {
                    continue;
                }
                let is_free = |then: &usize| {
                    !places.contains(&Some(*then)) && is_it(before[*then], now[place])
                };
                let free: Vec<usize> = (0..before.len()).filter(is_free).collect();
                let seeks = |at: &usize| places[*at].is_none() && is_it(now[*at], now[place]);
                let seeking = (0..now.len()).filter(seeks).count();
                if may_guess || free.len() <= seeking {
                    places[place] = match is_at_own {
                        true => free.contains(&place).then_some(place),
                        false => free.first().copied(),
                    };
                }
            }
        }
    }
    // Before a lane that stands where it stood none was closed.
    let is_in_place = |place: &usize| places[*place] == Some(*place);
    let last_in_place = (0..now.len()).rev().find(is_in_place);
    let certain = match is_shorter {
        true => last_in_place.unwrap_or(0),
        false => before.len(),
    };
    for place in 0..certain {
        if places[place].is_none() && !places.contains(&Some(place)) {
            places[place] = Some(place);
        }
    }
    // Of as many lanes as there were each was one of these, unless the others have all moved up: then one before them was closed, and a new
    // one came behind them.
    let moved = |way: fn(&usize, &usize) -> bool| {
        let mut all = places.iter().enumerate();
        all.any(|(place, then)| then.is_some_and(|then| way(&then, &place)))
    };
    let has_new = moved(usize::gt) && !moved(usize::lt);
    if now.len() == before.len() && !has_new {
        for place in 0..now.len() {
            if places[place].is_none() {
                let left = (0..before.len()).find(|then| !places.contains(&Some(*then)));
                places[place] = left;
            }
        }
    }
    places
}

/// Whether both are of one structure, with the same knobs where these are known.
fn is_alike(one: Present<'_>, other: Present<'_>) -> bool {
    is_kind(one, other) && (one.1.is_empty() || other.1.is_empty() || one.1 == other.1)
}

/// Whether both are of one structure.
fn is_kind(one: Present<'_>, other: Present<'_>) -> bool {
    one.0 == other.0
}

/// Where the present lanes stood from which tick on, the newest first.
fn followed(ledger: &Ledger, ticks: &Range<u64>, lanes: &[Present<'_>]) -> Vec<(u64, Places)> {
    let run = |figures: &Figures| {
        let run = &ledger.runs()[figures.run as usize];
        (run.kind, run.knobs.as_slice())
    };
    let row = |tick: u64| -> Vec<Present<'_>> { ledger.row(tick).iter().map(run).collect() };
    let newest = row(ticks.end.saturating_sub(1));
    let present = stood(&newest, lanes, (is_alike, is_kind));
    // Which structure each of them had when it was seen last.
    let mut whom = lanes.to_vec();
    let mut all = vec![(ticks.start, present)];
    for tick in (ticks.start + 1..ticks.end).rev() {
        let (before, now) = (ledger.row(tick - 1), ledger.row(tick));
        let are_alike = before.len() == now.len()
            && before
                .iter()
                .zip(now)
                .all(|(then, now)| then.run == now.run);
        if are_alike {
            continue;
        }
        let [before, now] = [row(tick - 1), row(tick)];
        let of = stood(&before, &now, (is_alike, is_kind));
        let Some((from, places)) = all.last_mut() else {
            break;
        };
        let mut then: Places = Vec::with_capacity(places.len());
        for (place, whom) in places.iter().zip(&mut whom) {
            if let Some(place) = *place {
                *whom = now[place];
            }
            then.push(place.and_then(|place| of[place]));
        }
        // One that was closed meanwhile, and is there again, is the one that was just so.
        for (lane, whom) in whom.iter().enumerate() {
            if then[lane].is_none() {
                let is_it = |place: &usize| {
                    !then.contains(&Some(*place)) && is_alike(before[*place], *whom)
                };
                let found = (0..before.len()).find(is_it);
                then[lane] = found;
            }
        }
        if then != *places {
            *from = tick;
            all.push((ticks.start, then));
        }
    }
    all
}

impl Past {
    /// Becomes that of a tick of the scene that `began` at another one, with these structures, a lane each.
    pub fn take(&mut self, ledger: &Ledger, (tick, began): (u64, u64), lanes: &[Present<'_>]) {
        self.tick = tick;
        self.lanes.resize_with(lanes.len(), LanePast::default);
        self.tour.clear();
        let known = ledger.first().max(1)..(tick + 1).min(ledger.end());
        let from = known.start.max(known.end.saturating_sub(LENGTH as u64));
        let places = followed(ledger, &(from..known.end), lanes);
        for (place, lane) in self.lanes.iter_mut().enumerate() {
            lane.clear();
            let mut run = None;
            for tick in from..known.end {
                let row = ledger.row(tick);
                let mut all = places.iter();
                let then = all.find(|(since, _)| *since <= tick);
                let then = then.and_then(|(_, places)| places[place]);
                let figures = then.and_then(|then| row.get(then));
                lane.push(figures, row.get(place));
                let now = figures.map(|figures| figures.run);
                if now != run
                    && let Some(now) = now
                {
                    let stretch = &ledger.runs()[now as usize];
                    let goes_on =
                        |last: &Stretch| last.kind == stretch.kind && last.knobs == stretch.knobs;
                    // A lane that has changed places is another run of the same.
                    if !lane.stretches.last().is_some_and(goes_on) {
                        lane.stretches.push(Stretch {
                            from: (tick - from) as usize,
                            kind: stretch.kind,
                            knobs: stretch.knobs.clone(),
                        });
                    }
                }
                run = now;
            }
            // What was chosen on a tick that stands has answered none yet: all that is known is of others.
            let (present, _) = lanes[place];
            let last = lane.stretches.last();
            if last.is_some_and(|last| last.kind != present) {
                lane.stretches.push(Stretch {
                    from: lane.tests.values.len(),
                    kind: present,
                    knobs: Vec::new(),
                });
            }
        }
        for tick in from..known.end {
            if let Some(figures) = ledger.world(tick) {
                let run = ledger.began(tick).unwrap_or_default();
                self.tour.push(figures, run, run == began);
            }
        }
    }
}

impl LanePast {
    fn series(&mut self) -> [&mut Series; 8] {
        [
            &mut self.tests,
            &mut self.pairs,
            &mut self.visits,
            &mut self.bytes,
            &mut self.update_us,
            &mut self.query_us,
            &mut self.cost_us,
            &mut self.step_us,
        ]
    }

    fn clear(&mut self) {
        self.series().into_iter().for_each(Series::clear);
        self.stretches.clear();
    }

    /// Takes what a tick cost the lane, and what it cost whoever stood at its place: the whole of a tick is of the first place, whoever has
    /// it.
    fn push(&mut self, figures: Option<&Figures>, at_place: Option<&Figures>) {
        let mut values = figures.map_or([f32::NAN; 8], |figures| {
            let times = figures.times;
            [
                figures.tests,
                figures.pairs,
                figures.visits,
                figures.bytes,
                times.update_us,
                times.query_us,
                times.update_us + times.query_us,
                f32::NAN,
            ]
        });
        values[7] = at_place.map_or(f32::NAN, |figures| figures.times.step_us);
        for (series, value) in self.series().into_iter().zip(values) {
            series.values.push(value);
        }
    }
}

/// Every figure of the streaming that is plotted, of the run of now alone: what is of others is not a number in the series.
#[derive(Clone, Debug, Default)]
pub struct TourHistory {
    /// The figures of each tick, those of other runs as well, with the tick at which its run had begun.
    pub rows: Vec<(u64, WorldFigures)>,
    /// Rectangle tests of the unload tree, an update each.
    pub unload_tests: Series,
    /// Rectangle tests of both.
    pub tests: Series,
    /// What brute force would have tested.
    pub brute_force: Series,
    /// Megabytes read a second.
    pub read: Series,
    /// Late loads since the start.
    pub late: Series,
    /// Objects that are needed and not there.
    pub missing: Series,
    /// Objects given up on their way since the start.
    pub cancelled: Series,
    /// Bytes read for nothing since the start.
    pub wasted: Series,
}

impl TourHistory {
    fn series(&mut self) -> [&mut Series; 8] {
        [
            &mut self.unload_tests,
            &mut self.tests,
            &mut self.brute_force,
            &mut self.read,
            &mut self.late,
            &mut self.missing,
            &mut self.cancelled,
            &mut self.wasted,
        ]
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.series().into_iter().for_each(Series::clear);
    }

    /// Takes the figures of one more tick, of the run that had begun at a tick, which is that of now or another one.
    fn push(&mut self, figures: &WorldFigures, run: u64, is_of_now: bool) {
        self.rows.push((run, *figures));
        let tests = figures.tests;
        let values = [
            tests.unload as f32,
            (tests.load + tests.unload) as f32,
            tests.brute_force as f32,
            figures.read_mbps(),
            figures.late as f32,
            figures.missing as f32,
            figures.cancelled as f32,
            figures.wasted_bytes as f32,
        ];
        for (series, value) in self.series().into_iter().zip(values) {
            series.push(if is_of_now { value } else { f32::NAN });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::session::Times;

    #[test]
    fn a_lane_is_followed_when_another_is_closed_added_or_changes_places_with_it() {
        // A letter is a structure, and the number behind it is how it is set.
        fn is_same(one: &str, other: &str) -> bool {
            one == other
        }
        fn is_kind(one: &str, other: &str) -> bool {
            one.get(..1) == other.get(..1)
        }
        let of = |before: &str, now: &str| {
            let [then, at]: [Vec<&str>; 2] =
                [before, now].map(|all| all.split_whitespace().collect());
            let places = stood(&then, &at, (is_same, is_kind)).into_iter();
            let names: Vec<&str> = places
                .map(|place| place.map_or("-", |place| then[place]))
                .collect();
            names.join(" ")
        };
        for (before, now, found) in [
            ("a b c", "a b c", "a b c"),
            ("a b c", "a c", "a c"),
            ("a b c", "b c", "b c"),
            ("a b c", "c", "c"),
            ("a b", "b a", "b a"),
            ("a", "a d", "a -"),
            ("a a c", "a c", "a c"),
            // Of another structure at its place it is known whose place that is.
            ("a b", "a d", "a b"),
            ("a b", "b b", "a b"),
            ("", "a b", "- -"),
            // A lane is closed and another one set: that has its own values, or none.
            ("a b c1", "a c2", "a c1"),
            ("a b c", "a d", "a -"),
            ("a b c", "d c", "- c"),
            ("a b c", "d b", "a b"),
            ("a b1 b2", "a b3", "a -"),
            ("a b1 b2 c", "a b3 b4", "a b1 b2"),
            // Of as many as there were none has lost its own.
            ("a b1 b2", "a b2 b3", "a b2 b1"),
            ("a b1 b2", "a b3 b4", "a b1 b2"),
            ("a b", "d a", "b a"),
            // Where all others have moved up, one was closed and another one is new: it has nothing of the closed one.
            ("a b c", "a c d", "a c -"),
            ("a b c", "b c d", "b c -"),
            ("a b", "b d", "b -"),
            ("a b c", "d b a", "c b a"),
            ("a b c", "b a d", "b a c"),
        ] {
            assert_eq!(of(before, now), found, "{before} to {now}");
        }
    }

    #[test]
    fn the_time_of_a_tick_is_known_of_the_first_place_whoever_stood_there() {
        let times = Times {
            step_us: 7.0,
            ..Times::UNKNOWN
        };
        let figures = Figures {
            run: 0,
            tests: 1.0,
            visits: 1.0,
            pairs: 1.0,
            bytes: 1.0,
            times,
        };
        let mut past = LanePast::default();
        past.push(None, Some(&figures));
        assert_eq!(past.step_us.values(), [7.0]);
        assert!(past.tests.is_empty());
    }

    #[test]
    fn of_the_figures_of_a_world_those_of_other_runs_are_in_no_curve() {
        let mut tour = TourHistory::default();
        for (late, run) in [(4, 0), (5, 0), (0, 60), (1, 60)] {
            let figures = WorldFigures {
                late,
                ..WorldFigures::default()
            };
            tour.push(&figures, run, run == 60);
        }
        assert_eq!(tour.late.thinned(60), [0.0, 1.0]);
        assert_eq!(tour.late.values().len(), 4);
        let rows = tour.rows.iter().map(|(run, figures)| (*run, figures.late));
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows, [(0, 4), (0, 5), (60, 0), (60, 1)]);
    }

    #[test]
    fn a_series_forgets_the_oldest() {
        let mut series = Series::default();
        for value in 0..LENGTH + 5 {
            series.push(value as f32);
        }
        assert_eq!(series.values().len(), LENGTH);
        assert_eq!(series.values()[0], 5.0);
        series.push(f32::NAN);
        assert_eq!(series.percentile(1.0, 10), (LENGTH + 4) as f32);
        assert!(series.thinned(40).len() <= 41);
    }
}
