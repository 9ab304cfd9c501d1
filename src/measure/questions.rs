//! What one question costs: who stands in this rectangle, and who are the nearest to this place?
//!
//! A tick asks for everybody at once; the code of a game also asks now and then for one. What that costs cannot be read from the
//! time of a tick, so it is measured apart: the same questions, at the same places, of every structure.
//!
//! # Algorithm
//!
//! 1. A few units are taken at even steps from all of them and shuffled: their places are those of the questions, so crowded places are
//!    asked about as often as there are units to ask.
//! 2. Each question is asked once under a counter: how much work it was, and a fingerprint of who was found.
//! 3. They are timed with nobody counting, in batches, each a little further on among more places of the same kind: whoever asked for
//!    the same few again and again would have all of them in the caches, which a game has not. The time is the median of the batches.
//!
//! Invariant: what is asked and what is counted depends on the units and on what was wanted, never on the time; only how many batches
//! are timed does, and one of each question always is.
//!
//! Invariant: this is no second way to ask. It calls [`Partition::range`](crate::partition::Partition::range) and
//! [`Partition::nearest`](crate::partition::Partition::nearest), or those of space, as everybody does.

use super::times::{micros, quantile};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Bodies, NearestQuery, Neighbor, UnitId};
use crate::probe::{Cancel, Counter, Patient, Probe};
use crate::scene::limits;
use crate::session::AnyIndex;
use crate::volume::{Aabb3, AnyPartition3, Bodies3, NearestQuery3, Vec3};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many are usually asked for who are nearest.
pub const NEAREST: usize = 8;

/// And at the most: what a scene may say.
pub const MOST_NEAREST: usize = limits::MAX_NEAREST;

/// At how many places it is counted at the most.
const MOST_COUNTED: usize = 256;

/// And timed.
const MOST_TIMED: usize = 4096;

/// The questions of one kind that are counted may look at so many units together under a structure that looks at everybody: a
/// moment's work. Where that is not enough for all places, there are fewer.
const MOST_LOOKS: usize = 1 << 25;

/// So many points stand in a rectangle that no reach and no body says the width of, on average where they stand evenly: about as many as
/// in most scenes with a reach.
const POINTS_WITHIN: f64 = 40.0;

/// A rectangle that goes by the reach is no narrower than this, in metres: as its width is told, to the millimetre, it would be none.
const LEAST_WIDTH: f32 = 1.0e-3;

/// What a unit that is found among the nearest is reckoned with, in looks: it has to be put in order.
const LOOKS_A_NEAREST: usize = 16;

/// So many batches of a kind are timed in a turn.
const BATCHES: usize = 8;

/// Before so many are timed, a turn may take four times as long as it should.
const LEAST: usize = 3;

/// So many questions are a batch: enough that no clock is too coarse for it.
const BATCH: usize = 32;

/// A structure that takes no longer than this for a part of a batch gets whole ones.
const SHORT: Duration = Duration::from_micros(100);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// How wide the rectangle is, in space the box, in metres: above zero and finite. `None` is so many times the reach of
    /// pairs as [`Asking::REACHES`] says: in most scenes some tens of units are in it. Where pairs have no reach, or one below a
    /// millimetre or so, it is as many times the mean width of a body, and at the least as wide as holds some tens of points where they stand
    /// evenly.
    pub rectangle: Option<f32>,
    /// How high it is, in metres: above zero and finite. `None` is as high as it is wide. In space it is as deep as it is wide, and so
    /// high.
    pub height: Option<f32>,
    /// How many of the nearest, from 1 to [`MOST_NEAREST`].
    pub nearest: usize,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            rectangle: None,
            height: None,
            nearest: NEAREST,
        }
    }
}

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Question {
    /// Who stands in this rectangle? In space, in this box.
    Rectangle,
    /// Who are the nearest to this place, in order?
    Nearest,
}

impl Question {
    /// Both of them, in the order of their discriminants.
    pub const ALL: [Self; 2] = [Self::Rectangle, Self::Nearest];

    /// One word for headings and keys.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rectangle => "rectangle",
            Self::Nearest => "nearest",
        }
    }
}

/// An index that can be asked, on a plane or in space.
pub trait Asking: AnyIndex {
    /// What a rectangle with equal sides is called, and any other.
    const SHAPES: [&'static str; 2];

    /// Which of width and height, 0 and 1, the rectangle has along each axis.
    const SIDES: &'static [usize];

    /// How many reaches wide it usually is, or mean widths of a body where pairs have no reach. In space, where more is around anybody,
    /// fewer.
    const REACHES: f32;

    /// The units alive, by ascending id.
    fn ids(bodies: Self::Bodies<'_>) -> Vec<UnitId>;

    /// How much room these units take.
    fn room(bodies: Self::Bodies<'_>, ids: &[UnitId]) -> Room;

    /// Visits those who are in the rectangle around a unit's middle that is so wide and so high.
    fn rectangle<P: Probe>(
        &self,
        bodies: Self::Bodies<'_>,
        around: (UnitId, Vec2),
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Fills `out` with those who are nearest to a unit's middle, itself among them.
    fn nearest<P: Probe>(
        &self,
        bodies: Self::Bodies<'_>,
        around: (UnitId, usize),
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    );
}

macro_rules! asking {
    ($index:ty, $bodies:ident, $vector:ident, $aabb:ident, $query:ident, $shapes:expr, $sides:expr, $reaches:literal) => {
        impl Asking for $index {
            const SHAPES: [&'static str; 2] = $shapes;
            const SIDES: &'static [usize] = &$sides;
            const REACHES: f32 = $reaches;

            fn ids(bodies: $bodies<'_>) -> Vec<UnitId> {
                bodies.ids().collect()
            }

            fn room(bodies: $bodies<'_>, ids: &[UnitId]) -> Room {
                let mut room = Room::default();
                let Some(first) = ids.first() else {
                    return room;
                };
                let (mut min, mut max) = (bodies.center(*first), bodies.center(*first));
                let mut widths = 0.0;
                for unit in ids {
                    let center = bodies.center(*unit);
                    (min, max) = (min.min(center), max.max(center));
                    let sides = bodies.half_extent(*unit).to_array();
                    let sum: f64 = sides.iter().map(|half| 2.0 * f64::from(*half)).sum();
                    widths += sum / sides.len() as f64;
                }
                room.mean_width = widths / ids.len() as f64;
                let sides = (max - min).to_array();
                room.sides.extend(sides.map(f64::from));
                room
            }

            fn rectangle<P: Probe>(
                &self,
                bodies: $bodies<'_>,
                (unit, size): (UnitId, Vec2),
                probe: &mut P,
                visit: impl FnMut(UnitId),
            ) {
                let half = $vector::from_array($sides.map(|side: usize| size[side] / 2.0));
                let area = $aabb::around(bodies.center(unit), half);
                <$index>::range(self, bodies, area, probe, visit);
            }

            fn nearest<P: Probe>(
                &self,
                bodies: $bodies<'_>,
                (unit, count): (UnitId, usize),
                probe: &mut P,
                out: &mut Vec<Neighbor>,
            ) {
                let query = $query {
                    point: bodies.center(unit),
                    count,
                    within: f32::INFINITY,
                };
                <$index>::nearest(self, bodies, query, |_| true, probe, out);
            }
        }
    };
}

asking!(
    AnyPartition,
    Bodies,
    Vec2,
    Aabb,
    NearestQuery,
    ["square", "rectangle"],
    [0, 1],
    10.0
);
asking!(
    AnyPartition3,
    Bodies3,
    Vec3,
    Aabb3,
    NearestQuery3,
    ["cube", "box"],
    [0, 0, 1],
    5.0
);

/// How much room units take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Room {
    /// The mean width of a body over all axes, in metres; 0 of points.
    mean_width: f64,
    /// The sides of the box around all middles, in metres; none where nobody is.
    sides: Vec<f64>,
}

impl Room {
    /// How wide a rectangle among these units is that says something, so many `times` as wide as a body, but as wide as says something of
    /// points at the least: bodies may be few or tiny. In metres with two digits.
    fn width(&self, times: f32, count: usize) -> f32 {
        let width = (f64::from(times) * self.mean_width).max(self.width_of_points(count));
        let digit = 10.0_f64.powf(width.log10().floor() - 1.0);
        ((width / digit).round() * digit) as f32
    }

    /// How wide a rectangle is that holds [`POINTS_WITHIN`] of so many points that stand evenly: along all axes, or along the longest ones
    /// alone, of those the widest. Points nearly in a row, or in a layer, stand evenly along it, and a rectangle that is as narrow as they
    /// scatter beside it finds nobody. Where all stand on one spot any width is as good as another.
    fn width_of_points(&self, count: usize) -> f64 {
        let share = POINTS_WITHIN / count.max(1) as f64;
        let mut sides: Vec<f64> = self.sides.clone();
        sides.retain(|side| *side > 0.0);
        sides.sort_by(|a, b| b.total_cmp(a));
        let axes = sides.len().max(1);
        let mut room = 1.0;
        let of_longest = (1..axes).zip(&sides).map(|(longest, side)| {
            room *= side;
            // As wide as all of them: of a few points more are not to be had.
            (room * share.min(1.0)).powf(1.0 / longest as f64)
        });
        let of_longest = of_longest.fold(0.0, f64::max);
        let of_all = sides.iter().product::<f64>() * share;
        of_all.powf(1.0 / axes as f64).max(of_longest)
    }
}

/// Questions of both kinds over the units of one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Questions {
    /// Around whom, in the order in which they are asked; nobody where there are no units.
    places: Vec<UnitId>,
    /// At how many of them, from the first on, it is counted.
    counted: usize,
    /// How wide and how high the rectangle is.
    size: Vec2,
    nearest: usize,
    /// [`Asking::SHAPES`] and [`Asking::SIDES`].
    shapes: [&'static str; 2],
    sides: &'static [usize],
}

impl Questions {
    /// What is asked of an index over these units, whose pairs are asked for within `reach`. Cost: O(units).
    pub fn over<I: Asking>(bodies: I::Bodies<'_>, reach: f32, asked: &Asked) -> Self {
        let all = I::ids(bodies);
        let looks = all.len() + LOOKS_A_NEAREST * asked.nearest.min(all.len());
        let most = (MOST_LOOKS / looks.max(1)).clamp(1, MOST_COUNTED);
        let count = MOST_TIMED.min(all.len());
        let mut places: Vec<UnitId> = (0..count)
            .map(|place| all[place * all.len() / count])
            .collect();
        // Units are often numbered side by side: shuffled, each batch is of the whole scene.
        places.sort_by_key(|unit| (chance::mix(u64::from(*unit) + 1), *unit));
        let usual = || match I::REACHES * reach {
            width if width >= LEAST_WIDTH => width,
            // A square without any width would find whoever lies on one point.
            width => I::room(bodies, &all)
                .width(I::REACHES, all.len())
                .max(width),
        };
        let width = asked.rectangle.unwrap_or_else(usual);
        Self {
            counted: most.min(places.len()),
            places,
            size: Vec2::new(width, asked.height.unwrap_or(width)),
            nearest: asked.nearest,
            shapes: I::SHAPES,
            sides: I::SIDES,
        }
    }

    /// How wide and how high the rectangle is, in metres, to the millimetre.
    pub fn size(&self) -> [f64; 2] {
        let size = self.size.to_array();
        size.map(|side| (f64::from(side) * 1.0e3).round() / 1.0e3)
    }

    /// How many of the nearest are asked for.
    pub fn nearest(&self) -> usize {
        self.nearest
    }

    /// How many questions of each kind are counted.
    pub fn count(&self) -> usize {
        self.counted
    }

    /// What is asked, as in "a square of 3 m", "a rectangle of 3 × 5 m" and "the 8 nearest".
    pub fn words(&self, question: Question) -> String {
        match question {
            Question::Rectangle => {
                let (size, [even, other]) = (self.size(), self.shapes);
                if size[0] == size[1] {
                    return format!("a {even} of {} m", size[0]);
                }
                let sides = self.sides.iter().map(|side| size[*side].to_string());
                let sides: Vec<_> = sides.collect();
                format!("a {other} of {} m", sides.join(" \u{d7} "))
            }
            Question::Nearest if self.nearest == 1 => "the nearest".to_owned(),
            Question::Nearest => format!("the {} nearest", self.nearest),
        }
    }

    /// Asks one question, and gives a fingerprint of those who were found, with how many they are.
    #[inline]
    fn ask<I: Asking, P: Probe>(
        &self,
        question: Question,
        unit: UnitId,
        (index, bodies): (&I, I::Bodies<'_>),
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) -> (u64, u64) {
        match question {
            // A set has no order, so sums stand for it: cheap beside what finding somebody costs.
            Question::Rectangle => {
                let (mut found, mut sum, mut squares) = (0_u64, 0_u64, 0_u64);
                index.rectangle(bodies, (unit, self.size), probe, |who| {
                    let who = u64::from(who);
                    found += 1;
                    sum += who;
                    squares = squares.wrapping_add(who * who);
                });
                let print = chance::hash(found, sum, squares);
                (print, found)
            }
            Question::Nearest => {
                index.nearest(bodies, (unit, self.nearest), probe, out);
                let print = out.iter().fold(0_u64, |print, it| {
                    let key = u64::from(it.distance_sq.to_bits()) << 32 | u64::from(it.unit);
                    print.wrapping_mul(FACTOR).wrapping_add(key)
                });
                (print, out.len() as u64)
            }
        }
    }

    /// Asks every question that is counted once. Unwinds when it is cancelled, as a [`Patient`] does.
    pub fn count_in<I: Asking>(
        &self,
        index: &I,
        bodies: I::Bodies<'_>,
        cancel: &Cancel,
    ) -> Answers {
        let mut out = Vec::new();
        Answers(Question::ALL.map(|question| {
            let mut probe = Patient::new(Counter::default(), cancel);
            let mut found = 0;
            let prints = self.places[..self.counted].iter().map(|unit| {
                let of = (index, bodies);
                let (print, count) = self.ask(question, *unit, of, &mut probe, &mut out);
                found += count;
                print
            });
            let prints = prints.collect();
            Counted {
                prints,
                found,
                work: probe.probe,
            }
        }))
    }

    /// Times a turn: some batches of each kind, or as many as fit into `limit`, and at least one. The first of several finds the caches
    /// full of something else and is not counted. `batches` goes on where it was.
    pub fn time_in<I: Asking>(
        &self,
        index: &I,
        bodies: I::Bodies<'_>,
        limit: Duration,
        batches: &mut Batches,
    ) {
        let begun = Instant::now();
        let mut out = Vec::new();
        for question in Question::ALL {
            let (clock, mut turn) = (Instant::now(), Vec::new());
            let at = &mut batches.at[question as usize];
            // Of a structure that is slow a whole batch may be more than anybody waits for.
            let mut length = self.counted.div_ceil(BATCHES);
            while turn.len() < BATCHES && length > 0 {
                let first = if *at < self.places.len() { *at } else { 0 };
                let batch = &self.places[first..self.places.len().min(first + length)];
                *at = first + batch.len();
                let lap = Instant::now();
                for unit in batch {
                    black_box(self.ask(question, *unit, (index, bodies), &mut (), &mut out));
                }
                let lap = lap.elapsed();
                turn.push(micros(lap) / batch.len() as f64);
                // Another program may have had the processor: then the other batches say so.
                let patience = if turn.len() < LEAST { 4 } else { 1 };
                if clock.elapsed() > limit / 2 * patience {
                    break;
                }
                if lap < SHORT {
                    length = BATCH;
                }
            }
            let cold = usize::from(turn.len() > 1);
            batches.us[question as usize].extend(&turn[cold..]);
        }
        batches.spent += begun.elapsed();
    }

    /// Which question it is of which two structures do not give the same answer, in words.
    pub fn tell(&self, wrong: Wrong) -> String {
        let unit = self.places.get(wrong.place).copied().unwrap_or_default();
        let words = self.words(wrong.question);
        match wrong.question {
            Question::Rectangle => format!("{words} around unit {unit}"),
            Question::Nearest => format!("{words} to unit {unit}"),
        }
    }
}

/// Odd, and with bits all over: the factor of Knuth's linear congruential generator.
const FACTOR: u64 = 6_364_136_223_846_793_005;

/// Where the answers of two structures to the same questions part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which kind it is.
    pub question: Question,
    /// Which one of its kind, in the order in which they are asked.
    pub place: usize,
}

/// What came of asking every question once, in the order of [`Question::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers([Counted; Question::ALL.len()]);

/// What was counted of the questions of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counted {
    /// A fingerprint of each answer; of a rectangle's whatever the order in which they were found.
    prints: Vec<u64>,
    found: u64,
    work: Counter,
}

impl Answers {
    /// The first question to which the answer is not the same.
    pub fn compare(&self, right: &Self) -> Option<Wrong> {
        Question::ALL.into_iter().find_map(|question| {
            let [own, right] = [self, right].map(|it| &it.0[question as usize].prints);
            let place = own.iter().zip(right).position(|(a, b)| a != b)?;
            Some(Wrong { question, place })
        })
    }

    /// What one question of each kind costs, in the order of [`Question::ALL`].
    pub fn prices(&self, mut batches: Batches) -> [Price; Question::ALL.len()] {
        Question::ALL.map(|question| {
            let counted = &self.0[question as usize];
            let each = |sum: u64| sum as f64 / counted.prints.len().max(1) as f64;
            Price {
                us: quantile(&mut batches.us[question as usize], 0.5),
                tests: each(counted.work.tests),
                visits: each(counted.work.visits),
                found: each(counted.found),
            }
        })
    }
}

/// The times of batches, in the order of [`Question::ALL`], in microseconds a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batches {
    us: [Vec<f64>; Question::ALL.len()],
    /// Which place is next.
    at: [usize; Question::ALL.len()],
    /// How long all of it took.
    pub spent: Duration,
}

/// What one question costs; zero where nobody was there to be asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// The time, in microseconds: the median of the batches.
    pub us: f64,
    /// Units compared, on average.
    pub tests: f64,
    /// Nodes or cells entered, on average.
    pub visits: f64,
    /// Units found, on average.
    pub found: f64,
}

#[cfg(test)]
mod tests;
