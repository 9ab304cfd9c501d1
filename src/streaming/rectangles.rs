//! The three rectangles of an object, and the box through which the character is about to go.
//!
//! Invariant: `need`, `load` and `unload` are strictly nested in `f32`, at any coordinate: where an addition is lost to
//! rounding, the side moves to the next number that there is.
//!
//! Invariant: what the way ahead asks for, the position does not throw out. If [`way_ahead`] overlaps the load rectangle,
//! the unload rectangle contains the position, in `f32` arithmetic and not just on paper, so an object is never loaded
//! and unloaded by turns.

use super::{Remedy, Settings, WorldObject};
use crate::geometry::{Aabb, Vec2};

/// Where the character has to be for an object to be needed, to be loaded, and to be unloaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangles {
    /// Within this the object must be there. It grows with the object's size.
    pub need: Aabb,
    /// Within this the object is asked for: `need` and the lead.
    pub load: Aabb,
    /// Outside of this the object is given up: `load` and the margin.
    pub unload: Aabb,
}

/// How far a need rectangle reaches beyond the box of its object, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeedReach {
    /// So far it would reach by the size of the object alone.
    pub by_size: f32,
    /// So far it does, which is between the limits of the settings.
    pub metres: f32,
}

impl NeedReach {
    /// That of `object`.
    pub fn of(object: &WorldObject, settings: &Settings) -> Self {
        let by_size = settings.need_factor * object.half_extent.max_element();
        Self {
            by_size,
            metres: by_size.clamp(settings.need_min, settings.need_max),
        }
    }
}

impl Rectangles {
    /// The rectangles of `object`.
    pub fn of(object: &WorldObject, settings: &Settings) -> Self {
        let reach = NeedReach::of(object, settings).metres;
        let need = object.aabb().grown(Vec2::splat(reach));
        let load = strictly_around(need, settings.lead);
        Self {
            need,
            load,
            unload: strictly_around(load, settings.margin),
        }
    }
}

/// `inner` moved outwards by `by`, and at least to the next number on each side.
fn strictly_around(inner: Aabb, by: f32) -> Aabb {
    let below = |side: f32| (side - by).min(side.next_down());
    let above = |side: f32| (side + by).max(side.next_up());
    Aabb::new(
        Vec2::new(below(inner.min.x), below(inner.min.y)),
        Vec2::new(above(inner.max.x), above(inner.max.y)),
    )
}

/// How much of the margin the prediction may use. The rest is for going to and fro: a character that looks ahead by half the
/// margin and turns around within the other half still changes nothing.
const PREDICTED_SHARE_OF_MARGIN: f32 = 0.5;

/// How far ahead the character's way is looked at where half the margin is less than what is wished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutAhead {
    /// So far it goes in [`Settings::predict_seconds`], in metres.
    pub wished: f32,
    /// So far it is looked at, in metres.
    pub looked: f32,
    /// A margin with which all of it would be, in metres.
    pub margin: f32,
    /// So many seconds would be looked ahead whole with the margin that there is.
    pub seconds: f32,
}

impl CutAhead {
    /// The margin that would be enough; `None` where none that can be set is.
    pub fn enough(&self) -> Option<Remedy> {
        let margin = (f64::from(self.margin) * 10.0).ceil() / 10.0;
        let is_settable = margin <= f64::from(Settings::WIDEST_MARGIN);
        is_settable.then_some(Remedy::Margin(margin as f32))
    }

    /// What it is, and what would be enough, in two sentences: a margin, or fewer seconds where none that can be set is.
    pub fn words(&self, settings: &Settings) -> String {
        // With what is written it is enough: a margin is rounded up, and seconds down.
        let enough = if let Some(margin) = self.enough() {
            format!(
                "A margin of {:.1} m would do for all of it.",
                margin.value()
            )
        } else {
            let seconds = (f64::from(self.seconds) * 100.0).floor() / 100.0;
            format!("With this margin {seconds:.2} s would be looked ahead whole.")
        };
        format!(
            "The way ahead is looked at for {:.1} m and not for the {:.1} m of {:.2} s: no farther than half of the margin of {:.1} m along an axis. {enough}",
            self.looked, self.wished, settings.predict_seconds, settings.margin
        )
    }
}

impl Settings {
    /// The widest margin that the window offers to set, in metres. A scene may have a wider one.
    pub const WIDEST_MARGIN: f32 = 200.0;

    /// Whether, and by how much, the way ahead of a character of this velocity is cut at half the margin.
    pub fn cut_ahead(&self, velocity: Vec2) -> Option<CutAhead> {
        let ahead = velocity * self.predict_seconds;
        let longest = ahead.abs().max_element();
        let limit = self.margin * PREDICTED_SHARE_OF_MARGIN;
        (longest > limit).then(|| CutAhead {
            wished: ahead.length(),
            looked: ahead.length() * (limit / longest),
            margin: longest / PREDICTED_SHARE_OF_MARGIN,
            seconds: self.predict_seconds * (limit / longest),
        })
    }
}

/// The box between `position` and where the character will be in [`Settings::predict_seconds`], never further ahead than
/// half the margin along either axis.
///
/// Why that is enough for the second invariant: let the way reach from `p` back to `q`, and `q <= load.max`. As
/// `p - q < margin` holds exactly, `p < load.max + margin`, and since rounding keeps order and `p` is a number that there
/// is, `p <= round(load.max + margin) <= unload.max`. The other sides follow by symmetry.
pub fn way_ahead(position: Vec2, velocity: Vec2, settings: &Settings) -> Aabb {
    let mut ahead = velocity * settings.predict_seconds;
    let longest = ahead.abs().max_element();
    let limit = settings.margin * PREDICTED_SHARE_OF_MARGIN;
    if longest > limit {
        ahead *= limit / longest;
    }
    let predicted = position + ahead;
    let axis = |from: f32, to: f32| {
        // Strictly less after rounding to f64 is strictly less in truth. What is no number fails here too.
        if (f64::from(to) - f64::from(from)).abs() < f64::from(settings.margin) {
            to
        } else {
            from
        }
    };
    let predicted = Vec2::new(axis(position.x, predicted.x), axis(position.y, predicted.y));
    Aabb::new(position.min(predicted), position.max(predicted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(center: Vec2, half_extent: f32) -> WorldObject {
        WorldObject {
            center,
            half_extent: Vec2::splat(half_extent),
            bytes: 1,
            asset: 0,
        }
    }

    fn strictly_inside(inner: Aabb, outer: Aabb) -> bool {
        outer.min.cmplt(inner.min).all() && inner.max.cmplt(outer.max).all()
    }

    #[test]
    fn need_grows_with_size_between_its_limits() {
        let settings = Settings {
            need_factor: 4.0,
            need_min: 10.0,
            need_max: 100.0,
            ..Settings::default()
        };
        let reach = |half_extent: f32| {
            Rectangles::of(&object(Vec2::ZERO, half_extent), &settings)
                .need
                .max
                .x
                - half_extent
        };
        assert_eq!(reach(1.0), 10.0);
        assert_eq!(reach(5.0), 20.0);
        assert_eq!(reach(50.0), 100.0);
        let told = |half_extent: f32| {
            let reach = NeedReach::of(&object(Vec2::ZERO, half_extent), &settings);
            (reach.by_size, reach.metres)
        };
        assert_eq!(told(1.0), (4.0, 10.0));
        assert_eq!(told(5.0), (20.0, 20.0));
        assert_eq!(told(50.0), (200.0, 100.0));
    }

    #[test]
    fn the_rectangles_are_strictly_nested_at_any_coordinate() {
        let settings = Settings {
            need_factor: 0.0,
            need_min: 0.0,
            need_max: 0.0,
            lead: 1.0e-3,
            margin: 1.0e-3,
            ..Settings::default()
        };
        for coordinate in [0.0, 1.0, -1.0e4, 1.0e6, -1.0e9, 1.0e9] {
            let rectangles = Rectangles::of(&object(Vec2::splat(coordinate), 0.0), &settings);
            assert!(strictly_inside(rectangles.need, rectangles.load));
            assert!(strictly_inside(rectangles.load, rectangles.unload));
        }
    }

    #[test]
    fn a_way_ahead_that_is_cut_at_half_the_margin_says_what_margin_would_be_enough() {
        let settings = Settings {
            margin: 40.0,
            predict_seconds: 0.5,
            ..Settings::default()
        };
        let fast = Vec2::new(0.0, -120.0);
        let cut = settings.cut_ahead(fast).expect("it is cut");
        assert_eq!((cut.wished, cut.looked, cut.margin), (60.0, 20.0, 120.0));
        let words = cut.words(&settings);
        assert!(words.contains("looked at for 20.0 m and not for the 60.0 m of 0.50 s:"));
        assert!(words.contains("the margin of 40.0 m") && words.contains("A margin of 120.0 m"));
        let way = way_ahead(Vec2::ZERO, fast, &settings);
        assert_eq!(way.size().y, cut.looked);
        let enough = Settings {
            margin: cut.margin,
            ..settings
        };
        assert_eq!(enough.cut_ahead(fast), None);
        assert_eq!(settings.cut_ahead(Vec2::new(40.0, 40.0)), None);
        // What is written is enough: it is rounded up.
        let said = |speed: f32| {
            let cut = settings.cut_ahead(Vec2::new(speed, 0.0));
            cut.expect("it is cut").words(&settings)
        };
        assert!(said(120.02).contains("A margin of 120.1 m"));
        assert!(said(200.0).contains("A margin of 200.0 m"));
        // No wider one can be set.
        assert!(said(240.0).ends_with(" With this margin 0.08 s would be looked ahead whole."));
    }

    #[test]
    fn what_the_way_ahead_asks_for_the_position_keeps() {
        let settings = Settings {
            need_factor: 0.0,
            need_min: 3.0,
            need_max: 3.0,
            lead: 7.0,
            margin: 20.0,
            predict_seconds: 10.0,
            ..Settings::default()
        };
        for coordinate in [0.0_f32, 1.0e3, -1.0e6, 1.0e8, 1.0e9] {
            let rectangles = Rectangles::of(&object(Vec2::splat(coordinate), 1.0), &settings);
            let mut met = 0;
            for step in -400..=400 {
                let offset = step as f32 * 0.17;
                for velocity in [
                    -1.0e9,
                    -300.0,
                    -2.0,
                    0.0,
                    1.0,
                    40.0,
                    f32::INFINITY,
                    f32::NAN,
                ] {
                    let position = Vec2::new(coordinate + offset, coordinate - offset * 0.5);
                    let way = way_ahead(position, Vec2::new(velocity, -velocity), &settings);
                    assert!(way.contains(position));
                    if rectangles.load.overlaps(way) {
                        met += 1;
                        assert!(rectangles.unload.contains(position));
                    }
                }
            }
            assert!(met > 0);
        }
    }
}
