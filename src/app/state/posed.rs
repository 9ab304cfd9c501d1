//! What a scene says of how it is looked at, taken over by the window.

use super::{App, Layers};
use crate::app::commands::{Layer, View};
use crate::app::worker::Culled;
use skirmish::geometry::Aabb;
use skirmish::measure::questions::Asked;
use skirmish::partition::UnitId;
use skirmish::scene::{self, Labels, Scene, ViewBox, ViewKind, ViewLayer};
use skirmish::story::Operation;

/// The layer that a scene means.
pub(super) const fn layer_of(layer: ViewLayer) -> Layer {
    match layer {
        ViewLayer::Units => Layer::Units,
        ViewLayer::Nodes => Layer::Nodes,
        ViewLayer::Load => Layer::Load,
        ViewLayer::Query => Layer::Query,
        ViewLayer::Tests => Layer::Tests,
        ViewLayer::Objects => Layer::Objects,
        ViewLayer::Rectangles => Layer::Rectangles,
        ViewLayer::Path => Layer::Path,
        ViewLayer::AllRectangles => Layer::AllRectangles,
        ViewLayer::Unions => Layer::Unions,
        ViewLayer::Intersections => Layer::Intersections,
    }
}

/// What shows a scene at first.
pub(super) fn view_of(scene: &Scene, has_world: bool) -> View {
    match scene.view.show {
        Some(ViewKind::Battle) => View::Battle,
        Some(ViewKind::Compare) if !scene.lanes.is_empty() => View::Compare,
        Some(ViewKind::Streaming) if has_world => View::Streaming,
        Some(ViewKind::Volume) => View::Volume,
        _ if scene.volume.as_ref().is_some_and(|it| !it.lanes.is_empty()) => View::Compare,
        _ if scene.volume.is_some() => View::Volume,
        // A scene shows itself as what it was made for.
        _ if has_world => View::Streaming,
        _ if !scene.lanes.is_empty() => View::Compare,
        _ => View::Battle,
    }
}

/// What the table of Compare asks of a scene.
pub(super) fn questions_of(view: &scene::View) -> Asked {
    let usual = Asked::default();
    Asked {
        rectangle: view.rectangle,
        height: view.rectangle_height,
        nearest: view.nearest.unwrap_or(usual.nearest),
    }
}

impl Layers {
    fn set(&mut self, layer: Layer, is_shown: bool) {
        if self.shows(layer) != is_shown {
            self.toggle(layer);
        }
    }

    /// These, but for what a scene has to say of them.
    fn posed(mut self, view: &scene::View) -> Self {
        if let Some(boxes) = &view.boxes {
            let all = boxes.iter().any(|it| it.is_of_object());
            self.set(Layer::AllRectangles, all);
            self.set(Layer::Unions, boxes.contains(&ViewBox::Union));
            let intersections = boxes.contains(&ViewBox::Intersection);
            self.set(Layer::Intersections, intersections);
        }
        // What was switched in a scene that is about its boxes is said by its layers.
        for &(layer, is_shown) in &view.layers {
            self.set(layer_of(layer), is_shown);
        }
        self
    }
}

impl App {
    /// Shows the layers that the scene wants shown. The user's own come back with a scene that says nothing of them, whatever was
    /// switched in between.
    pub(super) fn pose_layers(&mut self) {
        let own = self.own_layers.take().unwrap_or(self.layers);
        let view = &self.scene.view;
        self.layers = own.posed(view);
        if !view.layers.is_empty() || view.boxes.is_some() {
            self.own_layers = Some(own);
        }
    }

    /// What objects are called on the field.
    pub fn object_labels(&self) -> Option<&Labels> {
        let labels = self.scene.view.labels.as_ref();
        labels.filter(|_| self.scene.world.is_some())
    }

    /// What units are called on the field.
    pub fn unit_labels(&self) -> Option<&Labels> {
        let labels = self.scene.view.labels.as_ref();
        labels.filter(|_| self.scene.world.is_none())
    }

    /// Whether few enough stand for what the scene asks to be answered in every tick.
    fn are_few(&self) -> bool {
        const MOST: u64 = 10_000;
        self.alive() <= MOST
    }

    /// What the scene asks, where few enough stand for it to be told.
    pub fn asked_operation(&self) -> Option<Operation> {
        let words = self.scene.view.query.as_deref()?;
        Operation::read(words).ok().filter(|_| self.are_few())
    }

    /// The rectangle about which the structure is asked for every picture, where few enough stand for that.
    pub fn counted_area(&self) -> Option<Aabb> {
        self.asked_area().filter(|_| self.are_few())
    }

    /// What came of that: how many units were compared, and how many found. It is of the moment that is drawn.
    pub fn asked_counts(&self) -> Option<(u64, u64)> {
        let counter = &self.counted_now()?.counter;
        Some((counter.tests, counter.hits))
    }

    /// And who was found.
    pub fn asked_found(&self) -> &[UnitId] {
        self.counted_now().map_or(&[], |counted| &counted.units)
    }

    fn counted_now(&self) -> Option<&Culled> {
        let area = self.counted_area()?;
        Some(&self.counted).filter(|counted| counted.area == Some(area))
    }

    /// The rectangle that the scene asks about.
    pub fn asked_area(&self) -> Option<Aabb> {
        match Operation::read(self.scene.view.query.as_deref()?) {
            Ok(Operation::Range(area)) => Some(area),
            _ => None,
        }
    }
}
