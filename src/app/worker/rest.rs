//! What is measured while time stands still: the lanes, in turns.
//!
//! Whoever compares two lanes compares what was read of them in the same span of time. So where one is measured for the first time, the
//! others are read again, and each of them as often.

use super::readings::{AtRest, MOST_READINGS, READINGS};
use super::run::Run;
use super::*;

/// So long nobody waits to be shown what has been read.
const TURN: Duration = Duration::from_millis(60);

impl Run {
    /// While time stands still: measures each lane that has just been built, and each after an edit, for who compares structures on
    /// one moment. Whatever is said meanwhile ends it, and it begins anew after that. It makes a few readings at once, so that they are
    /// shown as they come.
    pub(super) fn measure_at_rest(&mut self) {
        let begun = Instant::now();
        let shared = Arc::clone(&self.shared);
        while self.fixed || begun.elapsed() < TURN {
            let Some((place, is_first)) = self.next_at_rest() else {
                return;
            };
            let name = self.name_of_lane(place);
            self.shared
                .begin(Errand::Idle, format!("Measuring {name} at rest"));
            self.clock.start();
            let result = self
                .session
                .measure_at_rest(place, &shared.cancel, &mut self.clock);
            self.shared.end();
            if result.is_err() {
                self.posts.extend(self.inbox.try_iter());
                // Nobody has said anything else, so it is this that somebody does not want to wait for.
                self.gave_up_measuring = !self.has_messages();
                return;
            }
            let times = self.clock.times(place);
            self.show_costs(true);
            if is_first {
                self.begin_readings(place);
            }
            self.shown[place].at_rest.take(times);
            self.stale = true;
        }
    }

    /// What was read of the other lanes was read in another span of time: all of them are read anew. Where several are measured for the
    /// first time, one after the other, they have but this one reading.
    fn begin_readings(&mut self, first: usize) {
        for (place, shown) in self.shown.iter_mut().enumerate() {
            if place == first || shown.at_rest.taken > 1 {
                shown.at_rest.begin_anew();
            }
        }
    }

    /// Whether there is anything left to measure at rest.
    pub(super) fn is_measuring(&self) -> bool {
        self.next_at_rest().is_some()
    }

    /// The lane that is to be measured at rest next, and whether for the first time: one that has just been built or whose units were
    /// edited, one beside it, so that all show the same, and each some times more where that takes no time.
    fn next_at_rest(&self) -> Option<(usize, bool)> {
        if self.mode != RunMode::Paused || self.gave_up_measuring || self.is_leaving {
            return None;
        }
        let standing = |place: usize| {
            let lane = self.session.standing(place);
            lane.filter(|lane| lane.difference.is_none())
        };
        let lanes = 0..self.session.lane_count();
        let rests = |place: usize| standing(place).is_some_and(|lane| lane.cost.at_rest);
        let any_rests = lanes.clone().any(rests);
        let is_new = |place: &usize| {
            standing(*place).is_some_and(|lane| {
                !lane.is_measured || lane.is_edited || (any_rests && !lane.cost.at_rest)
            })
        };
        if let Some(place) = lanes.clone().find(is_new) {
            return Some((place, true));
        }
        let readings =
            |place: usize| Some(&self.shown.get(place)?.at_rest).filter(|_| rests(place));
        let is_doubtful = |place: usize| readings(place).is_some_and(AtRest::is_doubtful);
        let all = match self.fixed {
            // Nobody sees a time there.
            true => 1,
            false if lanes.clone().any(is_doubtful) => MOST_READINGS,
            false => READINGS,
        };
        let wants_more = |place: &usize| readings(*place).is_some_and(|it| it.wants_more(all));
        let next = lanes.filter(wants_more);
        let next = next.min_by_key(|place| readings(*place).map(|it| it.taken));
        next.map(|place| (place, false))
    }

    fn has_messages(&self) -> bool {
        let mut posts = self.posts.iter();
        posts.any(|post| !matches!(post, Post::Ask(..) | Post::Beside(Message::Looks(..))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;
    use skirmish::scene::StructureChoice;
    use skirmish::session::{Order, SideWord};

    /// The built-in scene with 200 units under these structures, on a tick that stands, with the end of its inbox that posts.
    fn standing(kinds: [Kind; 3]) -> (Run, Sender<Post>) {
        let mut scene = file::built_in();
        scene.scale_units(200);
        let [first, others @ ..] = kinds.map(StructureChoice::new);
        (scene.structure, scene.lanes) = (first, others.into());
        scene.view.paused = true;
        let (session, _) = Session::new(scene, Path::new(""));
        let (posts, inbox) = channel();
        (
            Run::new(session, (None, None), false, Arc::default(), inbox),
            posts,
        )
    }

    fn measure(run: &mut Run) {
        while run.is_measuring() {
            run.measure_at_rest();
        }
    }

    #[test]
    fn who_is_measured_anew_is_compared_with_what_is_read_of_the_others_then() {
        let (mut run, _posts) = standing([Kind::Bvh, Kind::LinkedGrid, Kind::KdTree]);
        measure(&mut run);
        let all =
            |run: &Run| -> Vec<usize> { run.shown.iter().map(|it| it.at_rest.taken).collect() };
        let taken = all(&run);
        assert!(
            taken
                .iter()
                .all(|count| (READINGS..=MOST_READINGS).contains(count))
        );
        // In turns: nobody is ahead by more than one.
        assert!(taken.iter().max() <= taken.iter().min().map(|least| least + 1).as_ref());
        let old = Times {
            update_us: 1.0e6,
            query_us: 1.0e6,
            step_us: 2.0e6,
        };
        let make_old = |run: &mut Run| {
            for shown in &mut run.shown {
                shown.at_rest.last.iter_mut().for_each(|it| *it = old);
            }
        };
        make_old(&mut run);
        let before: Vec<Cost> = run.session.lanes().iter().map(|lane| lane.cost).collect();
        run.act(Action::Set("leaf_size".to_owned(), "3".to_owned()), false);
        measure(&mut run);
        let is_old = |run: &Run| run.shown.iter().any(|it| it.at_rest.last.contains(&old));
        assert!(!is_old(&run), "{:?}", run.shown[1].at_rest);
        assert!(all(&run).iter().all(|count| *count >= READINGS));
        // What is counted of those that were not touched is as it was.
        let lanes = run.session.lanes().iter().zip(&before);
        let are_alike: Vec<bool> = lanes.map(|(lane, before)| lane.cost == *before).collect();
        assert_eq!(are_alike, [false, true, true]);
        make_old(&mut run);
        run.act(Action::Order(SideWord::Blue, Order::Brawl), false);
        measure(&mut run);
        assert!(!is_old(&run));
        for (shown, lane) in run.shown.iter().zip(run.session.lanes()) {
            assert_eq!(shown.cost, lane.cost);
            assert!(lane.is_measured && !lane.is_edited);
        }
    }
}
