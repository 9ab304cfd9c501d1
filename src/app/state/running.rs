//! What each command does.

use super::lanes::settings;
use super::pages::{FinderPage, GalleryPage, HelpPage};
use super::refusal::NO_TESTS;
use super::{App, DescribePage};
use crate::app::commands::{Command, View};
use crate::app::scenes::Subject;
use crate::app::worker::{Message, OPEN_SCENE, RunMode};
use skirmish::session::Action;

impl App {
    /// Does what a command says; what only the window can do is left in `requests`.
    pub fn run(&mut self, command: Command) {
        match command {
            Command::Open
            | Command::Reload
            | Command::Save
            | Command::SaveAs
            | Command::SaveRecording
            | Command::Screenshot
            | Command::ExportWindow
            | Command::ExportPlots
            | Command::ExportTable
            | Command::ExportLate
            | Command::ExportCounters
            | Command::Quit
            | Command::New
            | Command::Copy
            | Command::Cut
            | Command::Paste
            | Command::FieldCursor
            | Command::FullScreen => self.requests.push(command),
            Command::Describe => {
                let is_closed = self.pages.describe.is_none();
                self.pages.describe = is_closed.then(|| DescribePage::of(&self.scene));
            }
            Command::ExportField => self.pages.picture = self.pages.picture.is_none().then_some(0),
            // No lane is added for it: to look is no change of the scene.
            Command::Rank => self.survey(None),
            Command::Sweep => {
                // Elsewhere the first lane alone is seen.
                if self.view != View::Compare {
                    self.swept_lane = 0;
                }
                let info = self.swept_structure().info();
                match settings(info).next() {
                    Some((knob, _)) => self.survey(Some(knob)),
                    None => self.say(format!("{} has no settings to try.", info.name)),
                }
            }
            Command::MenuBar => self.menu_keys.turn(),
            Command::MeasureAgain => self.worker.post(Message::MeasureAgain),
            Command::CopyRust => self.copy_as_rust(),
            Command::Settings => self.pages.settings ^= true,
            Command::Larger => self.scale_interface(Some(true)),
            Command::Smaller => self.scale_interface(Some(false)),
            Command::PlainScale => self.scale_interface(None),
            Command::Undo => {
                self.unsay_edit();
                self.keep_what_undo_leaves(false);
                self.act(Action::Undo);
            }
            Command::Redo => {
                self.keep_what_undo_leaves(true);
                self.act(Action::Redo);
            }
            Command::DeleteSelection => self.delete_selection(),
            Command::Escape => self.escape(),
            Command::TogglePause => {
                self.set_mode(if self.mode == RunMode::Running {
                    RunMode::Paused
                } else {
                    RunMode::Running
                });
            }
            Command::Step => self.set_mode(RunMode::Step),
            Command::StepBack => self.seek(self.heading().saturating_sub(1)),
            Command::PreviousMark => self.go_to_mark(false),
            Command::NextMark => self.go_to_mark(true),
            Command::GoToHeaviest => match self.place.heaviest {
                Some((tick, _)) => self.seek(tick),
                None => self.say(NO_TESTS),
            },
            Command::StopWhen => self.stopping.is_wanted = true,
            Command::OtherFuture => {
                self.before_steps.ran = false;
                self.walked = None;
                self.turned = None;
                self.worker.post(Message::OtherFuture);
            }
            Command::GoToStart => self.seek(0),
            Command::GoToEnd => {
                self.before_steps.ran = false;
                self.walked = None;
                self.turned = None;
                self.worker.post(Message::SeekEnd);
            }
            Command::LookInto => self.toggle_stepping(),
            Command::Tree => self.show_tree(self.diagram.is_none()),
            Command::Pin => {
                self.pinning = true;
                self.worker.post(Message::Pin);
            }
            Command::Restart => self.restart(),
            Command::SwapSides => self.swap_sides(),
            Command::Slower => self.set_pace(self.pace / 2.0),
            Command::Faster => self.set_pace(self.pace * 2.0),
            Command::Structure(index) => {
                if let Some(kind) = self.lane().structure.kind.siblings().get(index) {
                    self.choose_structure(*kind);
                }
            }
            Command::PreviousStructure => self.cycle_structure(false),
            Command::NextStructure => self.cycle_structure(true),
            Command::FrameAll => {
                self.leave_character();
                self.frame_field_and_units();
            }
            Command::ZoomIn => self.zoom(1.25),
            Command::ZoomOut => self.zoom(0.8),
            Command::AddObject => self.add_object(),
            Command::DrawPath => self.draw_path(),
            Command::RecordPath => self.record_path(),
            Command::StreamDefaults => self.act(Action::TuneDefaults),
            Command::SelectAll => self.select_all(),
            Command::Duplicate => self.duplicate_selection(),
            Command::ToGround => self.put_on_ground(),
            Command::Pan(x, y) if self.nudge(x, y) => {}
            Command::Pan(x, y) => {
                let size = self.camera.screen.size() * 0.1;
                self.pan(-f32::from(x) * size.x, -f32::from(y) * size.y);
            }
            Command::Layer(layer) => self.layers.toggle(layer),
            Command::View(View::Streaming) if self.stream.is_none() => {
                self.show_scenes_with(Subject::World);
            }
            Command::View(View::Volume) if self.flight.is_none() => {
                self.show_scenes_with(Subject::Volume);
            }
            Command::View(View::Compare) if self.shows_space() => {
                self.all_structures = false;
                self.view = View::Compare;
                self.look_beside();
            }
            Command::View(view) if !(view.row().suits)(&self.scene) => self.say(format!(
                "This scene lies in space: {} is for scenes on a plane.",
                view.row().name
            )),
            Command::View(view) => {
                // Who goes elsewhere by himself is not sent back.
                self.before_steps.is_compare = false;
                let before = std::mem::replace(&mut self.view, view);
                self.look_where_somebody_is(before);
                // The table has its rows, whoever follows; whoever goes on to the panes has two there.
                if view == View::Compare && !self.all_structures {
                    self.look_beside();
                }
            }
            Command::TogglePanels => self.panels ^= true,
            Command::Caption => {
                let name = self.scene.name.clone();
                self.caption_closed = self.shows_caption().then_some(name);
            }
            Command::PreviousScene => self.library.want_neighbour(0),
            Command::NextScene => self.library.want_neighbour(1),
            Command::Gallery => {
                self.pages.gallery = match self.pages.gallery {
                    Some(_) => None,
                    None => Some(GalleryPage::default()),
                };
            }
            Command::Figures => {
                self.pages.gallery = Some(GalleryPage {
                    typed: "figure".to_owned(),
                    gives_way: true,
                    ..GalleryPage::default()
                });
            }
            Command::LightTheme => self.turn_theme(),
            Command::ReducedMotion => self.settings.reduced_motion ^= true,
            Command::Help => self.pages.turn_help(HelpPage::Guide),
            Command::Words => self.pages.turn_help(HelpPage::Words(String::new())),
            Command::Palette => {
                self.pages.palette = match self.pages.palette {
                    Some(_) => None,
                    None => Some(FinderPage::default()),
                };
                // What is chosen in it would be shown under them, and their keys are its own.
                (self.pages.gallery, self.pages.help) = (None, None);
            }
        }
    }

    /// Undo (or redo) comes: where it leaves the scene for another one, this is kept as it is when another one is opened.
    fn keep_what_undo_leaves(&mut self, redo: bool) {
        let next = self.undo_names[usize::from(redo)].as_deref();
        if next == Some(OPEN_SCENE) {
            self.keep_what_is_gone();
        }
    }

    fn cycle_structure(&mut self, on: bool) {
        let present = self.lane().structure.kind;
        let all = present.siblings();
        let at = all.iter().position(|kind| *kind == present).unwrap_or(0);
        let by = if on { 1 } else { all.len() - 1 };
        self.choose_structure(all[(at + by) % all.len()]);
    }
}
