//! The exchange with the worker: what the window asks for once a frame, and what it takes from the answer.

use super::{App, RunMode};
use crate::app::commands::Layer;
use crate::app::run_before::Stands;
use crate::app::stream::Stream;
use crate::app::watch::InFile;
use crate::app::widgets::with_commas;
use crate::app::worker::{Ask, News, Snapshot};
use skirmish::observe;
use skirmish::session::Unsaved;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Into how many columns the curve of the timeline is cut: as fine as anybody sees.
const TIMELINE_COLUMNS: usize = 1024;

/// So often the same is asked once nothing moves: the answer after the one that has heeded everything holds what was measured
/// meanwhile; one more that nothing is new.
const AGAIN: u32 = 3;

/// A tap of an arrow key up to so many ticks after the one before it goes on with it: a second.
const SERIES_OF_TAPS: u64 = 60;

/// How far units are said to stand apart who do so far, in metres: their marks are not to grow and shrink with every tick, and of one moment
/// it is the same by whichever way that is reached.
fn settled(apart: f32) -> f32 {
    /// It goes in steps of so many times.
    const STEP: f32 = 1.12;
    STEP.powf(apart.log(STEP).round())
}

impl App {
    /// Tells the worker what was done and asks how things stand, unless that is known; takes the latest answer. Whether there was one,
    /// or any news.
    pub fn exchange(&mut self, ask: Ask) -> bool {
        self.post_stream_acts();
        let ask = self.is_curious(&ask).then_some(ask);
        if let (Some(ask), false) = (&ask, self.worker.is_open() && !self.fixed) {
            self.asked = Some(ask.clone());
            self.asked_after = self.worker.posted();
        }
        let mut is_new = false;
        if let Some(mut snapshot) = self.worker.exchange(ask) {
            is_new = true;
            self.goes_on = snapshot.goes_on;
            self.take(&mut snapshot);
            self.worker.give_back(snapshot);
        }
        self.worker.take_jobs(&mut self.texture_jobs);
        self.busy = self.worker.busy();
        let is_told = self.hear_news();
        self.look_beside_again();
        is_told || is_new
    }

    /// Hears what the session has to say of itself. Whether that was anything.
    pub fn hear_news(&mut self) -> bool {
        let news = self.worker.news();
        let is_any = !news.is_empty();
        for news in news {
            self.hear(news);
        }
        if is_any {
            // What is told has changed something that nobody here asked for, such as what is saved.
            self.again = AGAIN;
        }
        is_any
    }

    /// Whether an ask may be answered in another way than the one before it.
    fn is_curious(&mut self, ask: &Ask) -> bool {
        let is_same = self.asked.as_ref().is_some_and(|last| last.is_like(ask));
        let is_told = self.asked_after == self.worker.posted();
        let stands = self.mode == RunMode::Paused && !self.is_dragging();
        if self.fixed || !stands || self.goes_on || !is_same || !is_told {
            self.again = AGAIN;
            return true;
        }
        let is_again = self.again > 0;
        if is_again && !self.worker.is_open() {
            self.again -= 1;
        }
        is_again
    }

    /// Whether something has been asked that was not answered yet, or will soon be answered in another way.
    pub fn awaits_answer(&self) -> bool {
        self.worker.is_open() || self.goes_on || !self.has_heeded(self.worker.posted())
    }

    /// Whether what is shown comes of the first so many messages, or of more.
    pub fn has_heeded(&self, messages: u64) -> bool {
        self.heeded >= messages
    }

    /// Whether the character is being dragged: the world goes on around it.
    pub fn is_dragging(&self) -> bool {
        self.stream.as_ref().is_some_and(|stream| stream.is_held)
    }

    /// Whether ticks take so long that there are fewer of them than frames.
    pub fn is_too_heavy(&self) -> bool {
        const FRAMES: f32 = 30.0;
        // At a slow pace they are few because somebody wants it so.
        let wanted = self.pace / skirmish::tick::STEP_SECONDS as f32;
        self.steps_per_second > 0.0 && self.steps_per_second < (0.9 * wanted).min(FRAMES)
    }

    /// Looks again in the same way, without a tick.
    fn look_again(&mut self) {
        if let Some(ask) = self.asked.clone() {
            self.exchange(Ask {
                ticks: false,
                ..ask
            });
        }
    }

    /// Waits until everything that was posted has been done, where two runs must look alike.
    pub fn flush(&mut self) {
        if self.fixed {
            self.look_again();
        }
    }

    /// Waits a moment for what was posted last, so that a report on closing holds it; work that takes long is not waited for.
    pub fn settle(&mut self) {
        const PATIENCE: Duration = Duration::from_millis(300);
        let begun = Instant::now();
        self.look_again();
        while self.heeded < self.worker.posted() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
            self.look_again();
        }
    }

    fn post_stream_acts(&mut self) {
        let Some(stream) = &mut self.stream else {
            return;
        };
        for action in stream.take_acts() {
            let name = match &action {
                skirmish::session::Action::Tune(key, _) => Some(key.clone()),
                skirmish::session::Action::Speed(_) => Some("speed".to_owned()),
                _ => None,
            };
            let is_walk = matches!(action, skirmish::session::Action::Walk(..));
            let tick = self.place.tick;
            let walked = self.walked.take().filter(|_| is_walk);
            // Taps of the arrow keys that follow each other are one edit; while time stands all of them do.
            let goes_on = walked.is_some_and(|at| tick.abs_diff(at) <= SERIES_OF_TAPS);
            let more = goes_on || (name.is_some() && name == self.stroke);
            self.post_act(action, more);
            self.walked = is_walk.then_some(tick);
            self.stroke = name.or(self.stroke.take());
        }
    }

    /// What every view asks for: nothing of structure and world, where it looks, and a tick.
    pub fn plain_ask(&self, refresh: bool) -> Ask {
        Ask {
            observe: observe::Ask {
                view: self.camera.view(),
                metres_per_pixel: 1.0 / self.camera.zoom,
                cursor: None,
                query_radius: self.layers.shows(Layer::Query).then_some(self.brush.radius),
                query_is_square: self.brush.asks_square(),
                reach: 0.0,
                regions: false,
                refresh,
            },
            lanes: false,
            survey: None,
            rectangles: self.rectangles,
            story: None,
            cull: None,
            counted: None,
            space: None,
            tour: None,
            timeline_columns: TIMELINE_COLUMNS,
            ticks: true,
        }
    }

    /// Shows what the worker has said.
    fn take(&mut self, snapshot: &mut Snapshot) {
        self.moment += 1;
        if snapshot.place.session != self.place.session {
            self.leave_view(self.place.session);
        }
        std::mem::swap(&mut self.battle, &mut snapshot.battle);
        std::mem::swap(&mut self.flight, &mut snapshot.flight);
        std::mem::swap(&mut self.lanes, &mut snapshot.lanes);
        if self.settings.reduced_motion {
            for lane in &mut self.lanes {
                lane.flashes.clear();
                lane.flashes3.clear();
            }
        }
        self.apart = settled(snapshot.apart);
        std::mem::swap(&mut self.culled, &mut snapshot.culled);
        std::mem::swap(&mut self.counted, &mut snapshot.counted);
        std::mem::swap(&mut self.past, &mut snapshot.past);
        std::mem::swap(&mut self.pins, &mut snapshot.pins);
        // The newest pin is the one that somebody wants to compare with.
        if self.pins.len() > snapshot.pins.len() {
            self.pin = self.pins.len() - 1;
            self.pin_is_new |= std::mem::take(&mut self.pinning);
        }
        self.pin = self.pin.min(self.pins.len().saturating_sub(1));
        std::mem::swap(&mut self.survey, &mut snapshot.survey);
        // What is in a pane, or which table is shown, may have become another since it was asked for.
        if self.surveys() != Some(snapshot.survey_of) {
            self.survey.clear();
        }
        // What was asked for before they were set is reckoned without them.
        self.reckon_with(self.rectangles);
        self.take_story(snapshot.told.take(), snapshot.moment);
        std::mem::swap(&mut self.place, &mut snapshot.place);
        self.steps_per_second = snapshot.steps_per_second;
        self.threads = snapshot.threads;
        self.undo_names = std::mem::take(&mut snapshot.undo);
        self.tidy_notice();
        self.heeded = snapshot.heeded;
        if !self.worker.has_acts_after(self.heeded) {
            self.dirty = snapshot.unsaved != Unsaved::Nothing;
            (self.unsaved, self.known_unsaved) = (snapshot.unsaved, snapshot.known_unsaved);
            self.left_work = snapshot.left_work.take();
            (self.other_work, self.work_ahead) = (snapshot.other_work, snapshot.work_ahead);
            self.ships = snapshot.ships;
            self.note_posed(snapshot.is_posed_as_shipped);
        }
        // What was set here and has not arrived there yet is shown as it was set.
        if snapshot.heeded >= self.worker.posted() {
            let field = self.scene.field;
            self.scene = snapshot.scene.clone();
            if field != self.scene.field {
                self.frame_other_field();
                // Of another scene that is done once it is heard of.
                if self.place.session == self.files.session {
                    self.fit_brush(field);
                }
            }
            self.heading = None;
            (self.mode, self.pace) = (snapshot.mode, snapshot.pace);
        } else {
            for (lane, before) in self.lanes.iter_mut().zip(&snapshot.lanes) {
                lane.structure.kind = before.structure.kind;
                lane.structure.knobs.clone_from(&before.structure.knobs);
                lane.structure.effects.clone_from(&before.structure.effects);
            }
        }
        match (&mut self.stream, &mut snapshot.tour) {
            (_, None) => {
                // A scene without a world may be seen before anything is heard of it.
                if let Some(stream) = self.stream.take() {
                    self.left_runs.hold(stream.runs);
                }
            }
            (stream, Some(picture)) => {
                let stream = stream.get_or_insert_with(|| {
                    let follows = self.left_views.follows.take();
                    let follows = follows.unwrap_or(self.scene.view.follow);
                    let mut stream = Stream::looking(follows);
                    stream.runs = self.left_runs.take();
                    stream
                });
                stream.show(picture);
                let stands = Stands {
                    tick: self.place.tick,
                    end: self.place.end,
                    made: self.place.world_made,
                };
                // A picture may be of a scene of which nobody here has heard yet, or of the one before.
                if self.place.session == self.files.session {
                    stream.note_run(stands, picture);
                }
                std::mem::swap(&mut stream.figures, &mut self.past.tour);
                let is_there = |tick: &mut u64| *tick == self.place.tick;
                let is_before_decision = stream.before_decision.take_if(is_there).is_some();
                // A journey that has ended elsewhere leads there no more.
                if !self.place.is_on_way && self.heeded >= self.worker.posted() {
                    stream.before_decision = None;
                }
                if (stream.late_at.as_ref()).is_some_and(|(tick, _)| *tick == self.place.tick)
                    && !stream.late().is_empty()
                {
                    let late = stream.late().to_vec();
                    stream.selection.replace(late.iter().copied());
                    stream.of_mark.clear();
                    if stream.goes_along {
                        stream.of_mark.extend_from_slice(&late);
                    }
                    stream.late_at = None;
                    self.bring_into_sight(&late);
                }
                if is_before_decision {
                    self.say("This is the tick before that: F7 steps through the decision that brings it about.");
                }
            }
        }
        if let Some((number, placed)) = &snapshot.placed
            && *number != self.placed
        {
            self.placed = *number;
            let placed = Arc::clone(placed);
            self.select_placed(&placed);
        }
        let (flight, bodies) = (&self.flight, self.battle.bodies());
        self.selection.retain(|unit| match flight {
            Some(flight) => flight.is_alive(unit),
            None => bodies.is_alive(unit),
        });
        self.follow_held();
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Opened {
                path,
                name,
                scene,
                has_world,
                session,
                was,
                stops_kept,
                in_file,
            } => {
                // The same file again, as by Reload.
                let is_same_file = path.is_some() && path == self.path;
                self.leave_view(self.files.session);
                // What is shown may be the next one by now.
                let left = self.left_field(self.files.session);
                let field = left.unwrap_or(self.scene.field);
                self.path = path;
                self.name = name;
                let runs = self.stream.take().map(|stream| stream.runs);
                let before = std::mem::replace(&mut self.files.session, session);
                self.left_runs.leave(before, runs, was);
                self.saved_looks.clear();
                self.scene = scene;
                self.notice = None;
                self.turned = None;
                self.selection.clear();
                (self.boxed, self.carried) = (None, None);
                self.note_opened(in_file);
                self.take_tool();
                self.enter_scene(has_world, is_same_file.then_some(field));
                self.return_to_view(was);
                self.keep_stops(stops_kept);
            }
            News::Failed(sentence) => {
                self.refusals.push(sentence.clone());
                self.fail(sentence);
            }
            News::Refused(sentence) => {
                self.refuse(&sentence);
                self.refusals.push(sentence);
            }
            News::EditedSince => self.unsay_refusal(),
            News::Done(sentence) => self.say(sentence),
            News::DoneByEdit(sentence, edit) => self.say_of_edit(sentence, edit),
            News::Turned(words) => self.say_turned(words),
            News::FutureAside {
                sentences,
                name,
                redo,
            } => self.say_of_future(sentences, name, redo),
            News::FutureBegins(tick) => self.stopping.forget_after(tick),
            News::Saved(number, path, aside, of) => {
                let names: Vec<&str> = aside.iter().map(|kind| kind.info().name).collect();
                let aside = match names.as_slice() {
                    [] => String::new(),
                    names => format!(
                        " A scene keeps the knobs of structures that are shown: those of {} are not in it.",
                        names.join(", ")
                    ),
                };
                let is_past = of.has_scene_ahead;
                // Once is enough.
                let is_later = of.tick > 0 && !is_past && !self.files.told_moment;
                self.files.told_moment |= is_later;
                let moment = match is_later {
                    // Whoever looks back may have meant the scene as it is at the end.
                    _ if is_past => format!(
                        " It is the scene as of tick {}: what was changed after it, where any of that is left, is not in it. At the end (End) Save writes that as well.",
                        with_commas(of.tick)
                    ),
                    true => {
                        " It is the scene as it begins, with your edits; File, Save recording keeps the way from there to here.".to_owned()
                    }
                    false => String::new(),
                };
                // Of two files lists tell the names of their scenes first.
                let called = of.still_called.map(|name| format!(
                    " The scene in it is still called '{name}'; 'Name, field and bodies…' in the menu File gives it another name."
                ));
                let called = called.unwrap_or_default();
                self.say(format!(
                    "Saved to {}.{moment}{called}{aside}",
                    path.display()
                ));
                self.name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                self.path = Some(path);
                self.note_saved_looks(number);
                self.files.just_written.extend(self.path.clone());
                self.note_arrival(InFile::Same);
            }
            News::SavedAside(path, in_file) => {
                self.say(format!("Saved to {}.", path.display()));
                self.files.just_written.push(path);
                if let Some(in_file) = in_file {
                    self.note_arrival(in_file);
                }
            }
            News::Held(held) => {
                let held = held.filter(|(session, _)| *session == self.files.session);
                if let Some((_, in_file)) = held {
                    self.files.in_file = in_file;
                }
            }
            News::SaveEnded(number, is_saved) => self.note_ended_save(number, is_saved),
            News::Stopped => {
                self.before_steps.ran = false;
                self.mode = RunMode::Paused;
            }
            News::StoppedAt(stopped) => self.stopped_at(stopped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_units_change_their_size_only_where_these_come_clearly_closer_or_part() {
        assert_eq!(settled(4.0), settled(4.02));
        assert!(settled(3.0) < settled(4.0));
        for tenths in 1..1_000 {
            let apart = tenths as f32 / 10.0;
            assert!((settled(apart) / apart - 1.0).abs() < 0.06, "{apart}");
        }
        assert_eq!(settled(f32::INFINITY), f32::INFINITY);
        assert_eq!(settled(0.0), 0.0);
    }
}
