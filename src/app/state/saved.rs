//! What of the window is written into a scene that is saved: all that was switched since it was opened, and nothing of what was not.

use super::posed::{self, layer_of};
use super::{App, Layers};
use crate::app::camera::Camera;
use crate::app::commands::View;
use crate::app::eye::{Eye, Slice};
use crate::app::worker::Looks;
use skirmish::geometry::Aabb;
use skirmish::measure::questions::Asked;
use skirmish::scene::{self, Scene, ViewKind, ViewLayer};
use std::time::{Duration, Instant};

/// How a scene was looked at when it was opened, or saved last.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    /// What the scene said of it then: ticks from before it was saved have not heard of that.
    pub(super) own: scene::View,
    view: View,
    layers: Layers,
    tree: bool,
    follows: bool,
    slice: Option<Slice>,
    depths: (u16, u16),
    questions: Asked,
    rectangles: u32,
    /// The radius of the brush, and the width of what it places.
    pub(super) brush: (f32, Option<(f32, f32)>),
    /// To which radius a smaller field has narrowed it since then, and from which.
    pub(super) narrowed: Option<(f32, f32)>,
    /// Whether somebody has chosen a pace since then.
    pub(super) paced: bool,
}

impl Looked {
    /// Before any scene is open.
    pub(super) fn nothing() -> Self {
        Self {
            own: scene::View::default(),
            view: View::Battle,
            layers: Layers::default(),
            tree: false,
            follows: false,
            slice: None,
            depths: super::Space::default().depths,
            questions: Asked::default(),
            rectangles: 0,
            brush: (0.0, None),
            narrowed: None,
            paced: false,
        }
    }
}

/// What of the way in which an unsaved scene is looked at was told last to whoever keeps it, and when.
#[derive(Debug, Default)]
pub(super) struct ToldLooks(Option<(Seen, Instant)>);

/// All by which that is told.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    session: u64,
    camera: Camera,
    framed: bool,
    eye: Option<Eye>,
    framed_in_space: bool,
    view: View,
    layers: Layers,
    tree: bool,
    follows: bool,
    slice: Option<Slice>,
    depths: (u16, u16),
    questions: Asked,
    rectangles: u32,
    brush: (f32, Option<(f32, f32)>),
    pace: f32,
}

impl App {
    /// Tells whoever keeps what is unsaved how it is looked at, where that has changed: it comes back so after a crash. Gives
    /// when it is to be told, where that is later.
    pub fn tell_looks(&mut self) -> Option<Duration> {
        /// It is told no more often than this: who pans changes it in every frame.
        const APART: Duration = Duration::from_millis(500);
        // Where two runs must look alike nothing is kept.
        if self.fixed || !self.dirty {
            return None;
        }
        let seen = Seen {
            session: self.files.session,
            camera: self.camera,
            framed: self.framed,
            eye: self.space.eye,
            framed_in_space: self.space.framed,
            view: self.view,
            layers: self.layers,
            tree: self.diagram.is_some(),
            follows: self.follows(),
            slice: self.space.slice,
            depths: self.space.depths,
            questions: self.questions,
            rectangles: self.rectangles,
            brush: (self.brush.radius, self.brush.width),
            pace: self.pace,
        };
        match &self.told_looks.0 {
            Some((told, _)) if *told == seen => return None,
            Some((_, when)) if when.elapsed() < APART => return Some(APART - when.elapsed()),
            _ => {}
        }
        self.told_looks.0 = Some((seen, Instant::now()));
        let looks = Looks::of(self.scene_to_save());
        self.worker.tell_looks(self.files.session, looks);
        None
    }

    /// Takes down how the scene is looked at now, which says `own` of it: what differs from it later has been switched.
    pub(super) fn note_looks(&mut self, own: scene::View) {
        self.looked = self.looks(own);
    }

    /// Takes down what will be saved of that by the wish of this number.
    pub(super) fn note_looks_to_save(&mut self, number: u64, own: scene::View) {
        let looked = self.looks(own);
        self.saved_looks.push((number, looked, self.pace));
    }

    /// The wish of this number came true: what differs from what was saved has been switched since.
    pub(super) fn note_saved_looks(&mut self, number: u64) {
        let at = self.saved_looks.iter().position(|(of, ..)| *of == number);
        if let Some((_, looked, pace)) = at.and_then(|at| self.saved_looks.drain(..=at).next_back())
        {
            self.looked = Looked {
                // Of what the field has done to the brush a file says nothing.
                narrowed: self.looked.narrowed,
                paced: self.pace != pace,
                ..looked
            };
        }
    }

    fn looks(&self, own: scene::View) -> Looked {
        Looked {
            own,
            view: self.view,
            layers: self.layers,
            tree: self.diagram.is_some(),
            follows: self.follows(),
            slice: self.space.slice,
            depths: self.space.depths,
            questions: self.questions,
            rectangles: self.rectangles,
            brush: (self.brush.radius, self.brush.width),
            narrowed: None,
            paced: false,
        }
    }

    /// The radius of the brush with which a scene is opened, and the width of what it places.
    fn brush_of_scene(&self) -> (f32, Option<(f32, f32)>) {
        let view = &self.scene.view;
        let radius = view.brush_radius.unwrap_or_else(|| {
            // A brush that is easy to see, whatever the size of the field.
            let height = match self.scene.volume {
                Some(_) => self.scene.field3().size().max_element() * 1.6,
                None => self.usual_height(),
            };
            (height / 24.0).clamp(1.0, 200.0)
        });
        // A width of before was meant for other bodies.
        (radius, view.brush_width)
    }

    /// Takes the brush of the scene that has come, and gives it. Where its file was open already, in a field that was another one `before`,
    /// somebody may have set radius or width since then, or since he saved: he goes on with what he has set, and has it saved.
    pub(super) fn take_brush(&mut self, before: Option<Aabb>) -> (f32, Option<(f32, f32)>) {
        let (radius, width) = self.brush_of_scene();
        let (old_radius, old_width) = self.looked.brush;
        match before {
            Some(field) if self.brush.radius != old_radius => self.fit_brush(field),
            _ => self.brush.radius = radius,
        }
        if before.is_none() || self.brush.width == old_width {
            self.brush.width = width;
        }
        (radius, width)
    }

    pub(super) fn follows(&self) -> bool {
        let stream = self.stream.as_ref();
        stream.map_or(self.scene.view.follow, |stream| stream.camera_follows)
    }

    /// Writes what can be seen of the present state into the scene: the camera, when it was moved, and whatever else was switched.
    pub fn scene_to_save(&self) -> Scene {
        let mut scene = Scene::clone(&self.scene);
        self.write_view(&mut scene);
        // A camera that nobody touched is not a change to the scene.
        if let (Some(volume), Some(eye)) = (&mut scene.volume, &self.space.eye) {
            let is_posed = volume.camera.is_some_and(|camera| {
                let posed = Eye::of_scene(&camera, self.scene.field3(), eye.screen);
                posed.to_scene() == eye.to_scene()
            });
            if self.space.framed {
                volume.camera = None;
            } else if !is_posed {
                volume.camera = Some(eye.to_scene());
            }
            return scene;
        }
        let untouched = match &scene.camera {
            None => self.framed,
            Some(_) => self.is_posed(),
        };
        if !untouched {
            scene.camera = Some(self.camera.to_scene(self.free_of_saved(self.camera.screen)));
        }
        scene
    }

    /// How a recording shows the scene, and which one that is; where two runs must look alike it is as the scene says.
    pub fn looks_to_record(&self) -> Option<(u64, Looks)> {
        let looks = || Looks::of(self.scene_to_save());
        (!self.fixed).then(|| (self.files.session, looks()))
    }

    fn write_view(&self, scene: &mut Scene) {
        let was = &self.looked;
        let in_space = scene.volume.is_some();
        scene.view.clone_from(&was.own);
        if self.view != was.view {
            scene.view.show = match self.view {
                View::Volume => Some(ViewKind::Volume),
                // A volume with lanes is shown in Compare without a word.
                _ if in_space => None,
                View::Compare => Some(ViewKind::Compare),
                View::Streaming if scene.world.is_some() => Some(ViewKind::Streaming),
                View::Battle => Some(ViewKind::Battle),
                View::Streaming => scene.view.show,
            };
        }
        // It is shown again as it is shown now, also where lanes came since it was opened.
        let differs = posed::view_of(scene, self.stream.is_some()) != self.view;
        if differs && (!in_space || self.view == View::Volume) {
            scene.view.show = match self.view {
                View::Battle => Some(ViewKind::Battle),
                View::Compare => Some(ViewKind::Compare),
                View::Streaming => Some(ViewKind::Streaming),
                View::Volume => Some(ViewKind::Volume),
            };
        }
        let is_switched = |layer| self.layers.shows(layer) != was.layers.shows(layer);
        let view = &mut scene.view;
        for layer in ViewLayer::ALL {
            let shown = layer_of(layer);
            if is_switched(shown) && (layer.is_of_space() || !in_space) {
                view.layers.retain(|(other, _)| *other != layer);
                view.layers.push((layer, self.layers.shows(shown)));
            }
        }
        view.layers.sort_unstable();
        if was.paced {
            // The pace of every other scene need not be said.
            view.pace = (self.pace != 1.0 || view.pace.is_some()).then_some(self.pace);
        }
        if self.questions != was.questions {
            let usual = Asked::default();
            view.rectangle = self.questions.rectangle;
            view.rectangle_height = self.questions.height;
            view.nearest = Some(self.questions.nearest).filter(|count| *count != usual.nearest);
        }
        if self.rectangles != was.rectangles {
            view.rectangles_a_tick = Some(self.rectangles).filter(|count| *count > 0);
        }
        if self.brush.radius != was.brush.0 {
            let (least, greatest) = scene::limits::BRUSH_RADIUS;
            view.brush_radius = Some(self.brush.radius.clamp(least, greatest));
        }
        if self.brush.width != was.brush.1 {
            let most = scene::limits::MAX_BRUSH_WIDTH;
            let within = |width: f32| width.clamp(0.0, most);
            view.brush_width = (self.brush.width)
                .map(|(least, greatest)| (within(least.min(greatest)), within(greatest)));
        }
        if in_space {
            if self.space.slice != was.slice {
                view.slice = self.space.slice.map(|slice| (slice.axis, slice.at));
            }
            if self.space.depths != was.depths {
                let all = super::Space::default().depths;
                view.depths = Some(self.space.depths).filter(|depths| *depths != all);
            }
            return;
        }
        if self.diagram.is_some() != was.tree {
            view.tree = self.diagram.is_some();
        }
        if scene.world.is_some() && self.follows() != was.follows {
            view.follow = self.follows();
        }
    }
}
