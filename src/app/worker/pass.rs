//! How a tick passes, and how time is gone back in. What is measured while it stands still is in `rest`.

use super::readings::{AtRest, LEAST_TICKS, Timed};
use super::run::{Run, Shown};
use super::*;
use crate::app::sentences::and;
use crate::app::widgets::with_commas;

/// Figures are shown anew every so many ticks: five times a second.
const SHOWN_EVERY: u64 = 12;

/// Ticks slower than this are few: each is worth being read.
const SLOW_TICK: Duration = Duration::from_millis(100);

impl Run {
    /// Lets one tick pass.
    pub(super) fn tick(&mut self) {
        let begun = Instant::now();
        self.clock.start();
        let alive = self.session.alive();
        self.shared.begin(
            Errand::Tick,
            format!(
                "A tick of {} units under {}",
                with_commas(alive),
                self.structures()
            ),
        );
        self.session.set_threads(self.gear.threads());
        let shared = Arc::clone(&self.shared);
        let result = self
            .session
            .tick_until_stop(&shared.cancel, &mut self.clock);
        self.shared.end();
        let took = begun.elapsed();
        let stopped = match result {
            Ok(stopped) => stopped,
            Err(refusal) => return self.tick_failed(refusal, took),
        };
        // Time stands behind it: what is gathered now and then is to be of this tick. Where one more step is wanted by now, it is of that one.
        self.stale |= stopped.is_some() || self.mode == RunMode::Step && !self.has_step_to_come();
        if let Some(stopped) = stopped {
            self.mode = RunMode::Paused;
            self.shared.tell(News::StoppedAt(stopped));
        }
        self.gear.note(alive, took.as_secs_f64());
        // A slow scene has few ticks: each is worth being read. Where two runs are to look alike, no clock decides.
        let slow = took > SLOW_TICK && !self.fixed;
        let tick = match self.session.flight() {
            Some(flight) => flight.tick(),
            None => self.session.battle().tick(),
        };
        self.show_costs(slow || self.mode != RunMode::Running || tick.is_multiple_of(SHOWN_EVERY));
        self.steps_counted.1 += 1;
        self.hand_over_pictures();
    }

    /// Whether somebody who holds the key of a step has asked for one more meanwhile.
    fn has_step_to_come(&mut self) -> bool {
        self.posts.extend(self.inbox.try_iter());
        let is_step = |post: &Post| matches!(post, Post::Message(Message::Mode(RunMode::Step)));
        self.posts.iter().any(is_step)
    }

    /// A tick was not made: time stands still, and it is said why.
    fn tick_failed(&mut self, refusal: Refusal, took: Duration) {
        self.mode = RunMode::Paused;
        self.stale = true;
        self.shared.tell(News::Stopped);
        match refusal {
            Refusal::Sentence(sentence) => self.tell_refusal(sentence),
            Refusal::Abandoned(_) => self.shared.tell_cancelled(format!(
                "The tick was cancelled after {:.1} s; the battle stands as it was before it.",
                took.as_secs_f32()
            )),
        }
    }

    /// Passes on what the window has to do to the pictures of the world.
    fn hand_over_pictures(&mut self) {
        if let Some(world) = self.session.world_mut() {
            world.take_texture_jobs(&mut lock(&self.shared.jobs));
        }
    }

    /// The structures of all lanes in words.
    fn structures(&self) -> String {
        match self.session.lane_count() {
            1 => self.name_of_lane(0).to_owned(),
            count => format!("{count} structures"),
        }
    }

    /// The structure of a lane in words.
    pub(super) fn name_of_lane(&self, place: usize) -> &'static str {
        let standing = self.session.standing(place);
        standing.map_or("", |standing| standing.kind.info().name)
    }

    /// Takes over what each lane's last tick cost into what is shown: now, or only where another structure is there.
    pub(super) fn show_costs(&mut self, now: bool) {
        let lanes = 0..self.session.lane_count();
        self.shown.resize_with(lanes.len(), Shown::default);
        let lanes = lanes.filter_map(|place| self.session.standing(place));
        for (shown, lane) in self.shown.iter_mut().zip(lanes) {
            if lane.is_measured && (now || shown.kind != Some(lane.kind)) {
                *shown = Shown {
                    cost: lane.cost,
                    kind: Some(lane.kind),
                    at_rest: match lane.cost.at_rest {
                        true => std::mem::take(&mut shown.at_rest),
                        false => AtRest::default(),
                    },
                };
            }
        }
    }

    /// Goes to a tick that is known, and stops there. Whoever drags has gone elsewhere before it is reached: then it heads for
    /// that at once.
    pub(super) fn seek(&mut self, tick: u64) {
        // What is recorded up to here is no more there.
        if tick < self.session.tick_count() {
            self.keep_recorded_path();
        }
        let mut journey = match self.session.set_out(tick) {
            Ok(journey) => journey,
            Err(refusal) => return self.tell_refusal(refusal.to_string()),
        };
        self.mode = RunMode::Paused;
        self.placed = None;
        // Whoever leads it there is the hand of then. One that holds it now leads it again as soon as it moves.
        self.is_led = false;
        self.shared.tell(News::Stopped);
        let shared = Arc::clone(&self.shared);
        let mut tick = tick;
        loop {
            self.heading = Some(tick);
            // It has been heeded, and nothing behind it but other seeks.
            let errand = Errand::Seek(self.heeded);
            self.shared
                .begin(errand, format!("Going to tick {}", with_commas(tick)));
            // The keyframe is shown at once, with the pictures of its world; the rest of the way may take its time.
            self.hand_over_pictures();
            self.answer();
            self.clock.start();
            let result = self
                .session
                .arrive(&journey, &shared.cancel, &mut self.clock);
            self.shared.end();
            let Err(refusal) = result else {
                self.tell_done();
                break;
            };
            let elsewhere = self.next_seek();
            match (refusal, elsewhere) {
                (Refusal::Abandoned(_), Some(other)) => {
                    tick = other;
                    if let Err(refusal) = self.session.head_for(&mut journey, tick) {
                        self.tell_refusal(refusal.to_string());
                        self.session.turn_back(&journey);
                        break;
                    }
                }
                (refusal, _) => {
                    self.session.turn_back(&journey);
                    if let Refusal::Sentence(sentence) = refusal {
                        self.tell_refusal(sentence);
                    }
                    break;
                }
            }
        }
        self.heading = None;
        self.hand_over_pictures();
        self.stale = true;
        self.gave_up_measuring = false;
        self.gear.reset();
        self.show_costs(true);
    }

    /// Says that an edit in the past has begun another future, or that one was `undone` there; and that the future that was aside until
    /// then is gone. What else is to be said of what was done, and would be hidden by that, is said with it.
    pub(super) fn tell_cut(
        &mut self,
        cut: Cut,
        undone: Option<String>,
        (aside, beside): (Option<FutureGone>, Option<String>),
    ) {
        if cut.ticks == 0 {
            return;
        }
        let what = undone.as_ref();
        let what = what.map_or_else(String::new, |name| format!("Undone: {name}. "));
        let beside = beside.map_or_else(String::new, |words| format!(" {words}"));
        let redo = undone.is_some();
        let sentences = words_of_cut(self.session.tick_count(), cut, aside, redo)
            .map(|words| format!("{what}{words}{beside}"));
        let name = self.session.undo_name(redo);
        let name = name.unwrap_or_else(|| ENDED_FUTURE.to_owned());
        let from = self.session.tick_count();
        self.shared.tell(News::FutureBegins(from));
        self.shared.tell(News::FutureAside {
            sentences,
            name,
            redo,
        });
    }

    /// Brings back what came after a tick before an edit there ended it. Whoever compares two futures stands at one tick of both: time goes
    /// to where it was, also before that edit, or to the end of what comes back. Gives whether it is back.
    pub(super) fn turn_to_other_future(&mut self) -> bool {
        let stood = self.session.tick_count();
        let armies = self.session.armies();
        self.shared
            .begin(Errand::Asked, "Bringing the other future back".to_owned());
        let shared = Arc::clone(&self.shared);
        self.clock.start();
        let result = self
            .session
            .turn_to_other_future(&shared.cancel, &mut self.clock);
        self.shared.end();
        self.mode = RunMode::Paused;
        self.is_led = false;
        self.shared.tell(News::Stopped);
        self.hand_over_pictures();
        self.changes += 1;
        self.crowds += 1;
        self.placed = None;
        self.start_figures();
        self.show_costs(true);
        let is_back = result.is_ok();
        match result {
            Ok(()) => {
                let (from, end) = (self.session.tick_count(), self.session.timeline().end());
                let to = stood.min(end);
                let goes = match to == from {
                    true => String::new(),
                    false => format!(", and time goes to tick {}", with_commas(to)),
                };
                let words = format!(
                    "What was known after tick {}, up to {}, is back{goes}; 'Other future' once more leads to what was here.",
                    with_commas(from),
                    with_commas(end)
                );
                // Of the tick at which one stays: where time goes on from here others may stand.
                let crowding = (to == from).then(|| self.crowding_since(armies));
                let words = and(words, crowding.flatten().as_deref());
                // Before it goes there: where that fails, it is said last.
                self.shared.tell(News::Done(words));
                self.shared.tell(News::FutureBegins(from));
                if to != from {
                    self.seek(to);
                }
            }
            Err(Refusal::Sentence(sentence)) => self.tell_refusal(sentence),
            Err(Refusal::Abandoned(_)) => self.shared.tell_cancelled(NOTHING_CHANGED),
        }
        is_back
    }

    /// Where to go instead, when that is the next thing that somebody has said: what lies before it is meant for the tick that was
    /// sought first.
    fn next_seek(&mut self) -> Option<u64> {
        self.posts.extend(self.inbox.try_iter());
        let mut sought = None;
        while let Some(post) = self.posts.pop_front() {
            match post {
                Post::Ask(number, ask) if !self.fixed => self.ask = Some((number, ask)),
                Post::Beside(Message::Looks(session, looks)) => self.hear_looks(session, looks),
                Post::Message(Message::Seek(tick)) => {
                    self.heeded += 1;
                    sought = Some(tick);
                }
                other => {
                    self.posts.push_front(other);
                    break;
                }
            }
        }
        sought
    }

    /// Pins the present moment of the first lane.
    pub(super) fn pin(&mut self) {
        let times = self.times_of(0).map_or(Times::UNKNOWN, |timed| timed.times);
        match self.session.pin(0, times) {
            Ok(()) => self.shared.tell(News::Done(format!(
                "Pinned: tick {} under {}; the counters are compared with it.",
                with_commas(self.session.tick_count()),
                self.name_of_lane(0)
            ))),
            Err(refusal) => self.tell_refusal(refusal.to_string()),
        }
    }

    /// How long a tick takes a lane: at rest what was measured then, else by the ticks of the last second, and by as many as are enough
    /// where ticks take long.
    pub(super) fn times_of(&self, lane: usize) -> Option<Timed> {
        const TICKS: u64 = 60;
        const LONG_US: f32 = 1.0e6;
        let is_at_rest = self.session.standing(lane)?.cost.at_rest;
        if is_at_rest {
            return self.shown.get(lane)?.at_rest.times();
        }
        let timeline = self.session.timeline();
        let ledger = timeline.ledger();
        let now = self.session.tick_count();
        let present = ledger.row(now).get(lane)?.run;
        // Those of another crowd say nothing of this one.
        let rows = (timeline.crowd_since(now, TICKS)..=now).rev();
        let times: Vec<Times> = rows
            .map_while(|tick| ledger.row(tick).get(lane).filter(|it| it.run == present))
            .map(|figures| figures.times)
            .filter(|times| times.step_us.is_finite())
            .collect();
        let mut took = 0.0;
        let lately = times.iter().take_while(|times| {
            took += times.step_us;
            took < LONG_US
        });
        let lately = lately.count().max(LEAST_TICKS.min(times.len()));
        Timed::of_ticks(&times[..lately])
    }
}

/// What is said of a new future that begins at a tick, and of the one `gone` that was aside until then: as long as undo, or `redo`, brings
/// back what it ends, and once that does not any more.
fn words_of_cut(tick: u64, cut: Cut, gone: Option<FutureGone>, redo: bool) -> [String; 2] {
    let count_of = |count: u64, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {what}{plural}", with_commas(count))
    };
    let mut ended = count_of(cut.ticks, "tick");
    if cut.edits > 0 {
        ended = format!("{ended} and {}", count_of(cut.edits as u64, "edit"));
    }
    let (are, them) = match cut.ticks == 1 && cut.edits == 0 {
        true => ("is", "it"),
        false => ("are", "them"),
    };
    let tick = with_commas(tick);
    let words = format!("A new future begins at tick {tick}: {ended} {are} put aside.");
    let gone = gone.map_or_else(String::new, |gone| {
        let work = match gone.has_work {
            true => ", edits that no file has",
            false => "",
        };
        let ticks = count_of(gone.ticks, "tick");
        format!(" The one before ({ticks}{work}) is not kept any more.")
    });
    // It does so only until time goes on.
    let (by, small) = if redo {
        ("Redo", "redo")
    } else {
        ("Undo", "undo")
    };
    [
        format!(
            "{words} {by} brings {them} back until time goes on, then 'Other future' (menu Run).{gone}"
        ),
        format!(
            "{words} 'Other future' in the menu Run brings {them} back; {small} does not.{gone}"
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Abandoned;
    use skirmish::scene::Scene;
    use skirmish::session::Units;

    /// A scene whose units stand on one spot.
    fn on_one_spot(units: u32) -> Scene {
        let mut scene = file::read(Path::new("scenes/one-spot.ron")).expect("a scene that ships");
        scene.scale_units(units);
        scene
    }

    /// The last of what was said since this was asked before.
    fn said(run: &Run) -> Option<String> {
        let news = std::mem::take(&mut *lock(&run.shared.news));
        let mut said = news.into_iter().rev().filter_map(|news| match news {
            News::FutureAside { sentences, .. } => Some(sentences[0].clone()),
            News::DoneByEdit(words, edit) => {
                assert_eq!(edit, run.session.undo_name(false), "it goes with the undo");
                Some(words)
            }
            News::Done(words) => Some(words),
            _ => None,
        });
        said.next()
    }

    #[test]
    fn that_a_tick_takes_long_is_said_behind_what_else_is_said_of_an_undo() {
        const WARNING: &str = "Warning: a tick finds ";
        let [few, many] = [1_000, 150_000];
        let of = |session: Session| {
            let (_posts, inbox) = channel();
            Run::new(session, (None, None), true, Arc::default(), inbox)
        };
        let is_warning = |run: &Run| said(run).is_some_and(|it| it.starts_with(WARNING));
        let mut run = of(Session::new(on_one_spot(many), Path::new("")).0);
        run.act(Action::Units(few), false);
        assert!(!is_warning(&run));
        run.act(Action::Undo, false);
        assert!(is_warning(&run));
        run.act(Action::Redo, false);
        assert!(!is_warning(&run));
        run.act(Action::Units(many), false);
        assert!(is_warning(&run));
        // The same where a future is known after it, of which nobody waits for a tick: it is of fewer, and told of more.
        let parted = || {
            let mut session = Session::new(on_one_spot(few), Path::new("")).0;
            let ticked = session.tick(&Cancel::default(), &mut ());
            ticked.expect("nobody cancels it");
            let mut recording = session.recording();
            recording.scene.scale_units(many);
            let (session, _) = Session::of_recording(recording).expect("a recording");
            let mut run = of(session);
            run.act(Action::Units(few), false);
            run
        };
        for (goes_on, begin) in [
            (true, "That is undone from here on."),
            (false, "What was known"),
        ] {
            let mut run = parted();
            if goes_on {
                run.tick();
            }
            run.act(Action::Undo, false);
            let said = said(&run).expect("a sentence");
            assert!(said.starts_with(begin) && said.contains(WARNING), "{said}");
        }
    }

    #[test]
    fn what_is_cancelled_as_the_program_ends_is_told_to_nobody() {
        for is_leaving in [false, true] {
            let (session, _) = Session::new(file::built_in(), Path::new(""));
            let (_posts, inbox) = channel();
            let mut run = Run::new(session, (None, None), true, Arc::default(), inbox);
            run.shared.is_leaving.store(is_leaving, Ordering::Relaxed);
            run.tick_failed(Refusal::Abandoned(Abandoned), Duration::ZERO);
            assert_eq!(said(&run).is_none(), is_leaving);
            run.shared.tell_cancelled(NOTHING_CHANGED);
            assert_eq!(said(&run).is_none(), is_leaving);
        }
    }

    #[test]
    fn ticks_of_another_crowd_say_nothing_of_this_one() {
        let mut scene = file::built_in();
        scene.scale_units(200);
        let (session, _) = Session::new(scene, Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), false, Arc::default(), inbox);
        let count = |run: &Run| run.times_of(0).map(|it| it.count);
        for _ in 0..15 {
            run.tick();
        }
        assert_eq!(count(&run), Some(15));
        run.act(Action::Units(50), false);
        run.tick();
        assert_eq!(count(&run), Some(1));
        run.act(Action::Restart, false);
        for _ in 0..3 {
            run.tick();
        }
        assert_eq!(count(&run), Some(3));
    }

    #[test]
    fn that_an_edit_ends_a_future_that_was_aside_is_said_and_whether_it_had_work() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), true, Arc::default(), inbox);
        let mut said = |at: Option<u64>, action: Action| {
            if let Some(tick) = at {
                (0..3).for_each(|_| run.tick());
                run.seek(tick);
            }
            run.act(action, false);
            let news = std::mem::take(&mut *lock(&run.shared.news));
            news.into_iter().find_map(|news| match news {
                News::FutureAside { sentences, .. } => Some(sentences),
                _ => None,
            })
        };
        // Behind what brings the one back that was put aside: that does not bring this one back.
        let is_gone =
            |words: &[String; 2]| words.iter().all(|it| it.ends_with("is not kept any more."));
        let structure = || Action::Structure("quadtree".to_owned());
        assert_eq!(said(None, Action::Reach(2.0)), None);
        assert_eq!(said(None, Action::Reach(1.0)), None);
        // No edit lies in what is put aside first, and one in what is put aside next.
        let has_work =
            |words: &[String; 2]| words.iter().all(|it| it.contains("edits that no file has"));
        let first = said(Some(2), Action::Reach(2.0)).expect("another future");
        assert!(!is_gone(&first), "{first:?}");
        let second = said(Some(1), structure()).expect("another future");
        assert!(is_gone(&second) && !has_work(&second), "{second:?}");
        assert!(second[0].contains("(1 tick) is not kept"), "{second:?}");
        let third = said(Some(1), Action::Reach(3.0)).expect("another future");
        assert!(is_gone(&third) && has_work(&third), "{third:?}");
    }

    #[test]
    fn what_is_said_of_a_new_future_is_short_however_long_the_one_was_that_it_ends() {
        let cut = Cut {
            ticks: 123_456,
            edits: 123_456,
        };
        let gone = || FutureGone {
            ticks: 123_456,
            has_work: true,
        };
        // Two lines of a message over the field of a window that is 1,280 points wide, and three with what is gone.
        for redo in [false, true] {
            for (gone, lines) in [(None, 2), (Some(gone()), 3)] {
                let words = words_of_cut(1_234_567, cut, gone, redo);
                let is_short = |it: &String| it.chars().count() <= 80 * lines;
                assert!(words.iter().all(is_short), "{words:?}");
            }
        }
        let said = |ticks, edits| {
            let both = words_of_cut(7, Cut { ticks, edits }, None, false);
            let is_one = ticks == 1 && edits == 0;
            let back = if is_one {
                "brings it back"
            } else {
                "brings them back"
            };
            assert!(both.iter().all(|words| words.contains(back)), "{both:?}");
            let [words, _] = both;
            words
        };
        assert!(said(1, 0).starts_with("A new future begins at tick 7: 1 tick is put aside. "));
        assert!(said(1, 1).contains(": 1 tick and 1 edit are put aside. "));
        assert!(said(2, 0).contains(": 2 ticks are put aside. "));
    }

    #[test]
    fn what_is_gathered_now_and_then_is_of_the_tick_at_which_time_stands() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), true, Arc::default(), inbox);
        let mut is_gathered_after = |of: &mut dyn FnMut(&mut Run)| {
            run.stale = false;
            of(&mut run);
            run.stale
        };
        let in_mode = |mode: RunMode| {
            move |run: &mut Run| {
                run.mode = mode;
                run.tick();
            }
        };
        assert!(!is_gathered_after(&mut in_mode(RunMode::Running)));
        assert!(is_gathered_after(&mut in_mode(RunMode::Step)));
        // While a key is held only the last of its steps has it.
        let step = Post::Message(Message::Mode(RunMode::Step));
        assert!(posts.send(step).is_ok());
        assert!(!is_gathered_after(&mut in_mode(RunMode::Step)));
        assert!(is_gathered_after(&mut |run| {
            assert_eq!(run.posts.len(), 1, "it has yet to be heeded");
            run.posts.clear();
            run.tick_failed(Refusal::Sentence("no".to_owned()), Duration::ZERO);
        }));
        assert!(is_gathered_after(&mut |run| {
            run.session.set_stops(&[StopWhen::Elapsed(4)]);
            run.mode = RunMode::Running;
            run.tick();
            assert_eq!(run.mode, RunMode::Paused);
        }));
    }

    #[test]
    fn what_was_placed_is_not_told_any_more_once_others_may_have_its_numbers() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), true, Arc::default(), inbox);
        let placed = |run: &Run| run.placed.as_ref().map(|(number, _)| *number);
        let copy = || Action::Copy(Units::new(vec![1, 2]), (4.0, 4.0));
        run.act(copy(), false);
        assert_eq!(placed(&run), Some(1));
        run.act(Action::Reach(2.0), false);
        assert_eq!(placed(&run), Some(1), "all have their numbers");
        run.act(Action::Undo, false);
        assert_eq!(placed(&run), None);
        run.act(copy(), false);
        assert_eq!(placed(&run), Some(2), "no number comes twice");
        run.act(Action::Restart, false);
        assert_eq!(placed(&run), None);
        run.act(copy(), false);
        run.tick();
        run.seek(0);
        assert_eq!(placed(&run), None);
    }

    #[test]
    fn what_the_session_refuses_is_told_as_a_refusal_so_that_the_window_begins_it_as_a_sentence() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), true, Arc::default(), inbox);
        let refused = |run: &Run| {
            let news = std::mem::take(&mut *lock(&run.shared.news));
            let is_refusal = |it: &News| matches!(it, News::Refused(_));
            let is_failure = |it: &News| matches!(it, News::Failed(_));
            news.iter().any(is_refusal) && !news.iter().any(is_failure)
        };
        run.turn_to_other_future();
        assert!(refused(&run));
        run.seek(9);
        assert!(refused(&run), "no tick is known that far");
        run.tick_failed(Refusal::Sentence("no".to_owned()), Duration::ZERO);
        assert!(refused(&run));
        // It goes with the next way there.
        run.tick();
        run.seek(0);
        let news = std::mem::take(&mut *lock(&run.shared.news));
        assert!(news.iter().any(|it| matches!(it, News::EditedSince)));
    }
}
