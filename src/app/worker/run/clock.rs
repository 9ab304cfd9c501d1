//! How long each lane takes, phase by phase.

use skirmish::battle::Phase;
use skirmish::session::{LaneWatch, Times};
use std::time::{Duration, Instant};

/// Times the phases of every lane.
pub(in super::super) struct Clock {
    /// Where two runs must look alike, no time is told.
    is_blind: bool,
    last: Option<Instant>,
    lanes: Vec<LaneTime>,
}

/// How long the tick under way has taken a lane.
#[derive(Clone, Copy, Default)]
struct LaneTime {
    update: Duration,
    query: Duration,
    whole: Duration,
}

impl Clock {
    pub(super) fn new(is_blind: bool) -> Self {
        Self {
            is_blind,
            last: None,
            lanes: Vec::new(),
        }
    }
}

impl LaneWatch for Clock {
    fn start(&mut self) {
        self.lanes.clear();
    }

    fn begin(&mut self, lane: usize) {
        if self.lanes.len() <= lane {
            self.lanes.resize(lane + 1, LaneTime::default());
        }
        self.last = Some(Instant::now());
    }

    fn lap(&mut self, lane: usize, phase: Phase) {
        let now = Instant::now();
        let took = self
            .last
            .replace(now)
            .map_or(Duration::ZERO, |last| now - last);
        let Some(time) = self.lanes.get_mut(lane) else {
            return;
        };
        time.whole += took;
        match phase {
            Phase::Think | Phase::Pairs => time.query += took,
            Phase::Update => time.update += took,
            Phase::Integrate => {}
        }
    }

    fn times(&self, lane: usize) -> Times {
        let micros = |time: Duration| time.as_secs_f32() * 1.0e6;
        let lane = self.lanes.get(lane).filter(|_| !self.is_blind);
        lane.map_or(Times::UNKNOWN, |time| Times {
            update_us: micros(time.update),
            query_us: micros(time.query),
            step_us: micros(time.whole),
        })
    }
}
