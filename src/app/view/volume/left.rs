//! The flocks and how they move, the slice and the depths that are shown, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::{App, DEEPEST};
use crate::app::view::panel::{choices_of_side, gauges, is_unfolded};
use crate::app::view::space::draw::Painted;
use crate::app::widgets::{Slider, Track, section, segments, slider, span, with_commas};
use egui_macroquad::egui::Ui;
use skirmish::scene::{Motion, Side};

/// The motions that can be chosen, with what each means.
const MOTIONS: [(Motion, &str, &str); 6] = [
    (Motion::Hold, "Hold", "Stay where they are."),
    (
        Motion::Drift,
        "Drift",
        "Straight ahead, each in a direction of its own, and back where the field ends.",
    ),
    (
        Motion::Flock,
        "Flock",
        "Together with those around, and apart from whoever is too close: asks for pairs.",
    ),
    (
        Motion::Chase,
        "Chase",
        "At the nearest enemy in sight, and strike who is within reach: asks for the nearest.",
    ),
    (
        Motion::Flee,
        "Flee",
        "Away from the nearest enemy in sight.",
    ),
    (
        Motion::Orbit,
        "Orbit",
        "In circles around the middle, all at the same speed.",
    ),
];

/// How many there are, how far they notice each other, and how they move.
pub fn flocks(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !is_unfolded(ui, app, palette, "flocks") {
        return;
    }
    let Some(flight) = &app.flight else {
        return;
    };
    let help = "How far units notice each other, as a multiple of what the scene says: the reach of the pair search.";
    let sides = [(Side::Blue, "blue"), (Side::Orange, "orange")];
    let counts = sides.map(|(side, _)| flight.count(side));
    let motions = sides.map(|(side, _)| flight.motion(side));
    let scale = flight.reach_scale();
    gauges(ui, app, palette, help, scale);
    let most = counts.into_iter().max().unwrap_or(0).into();
    let words = MOTIONS.map(|(_, name, help)| (name, help));
    for ((side, count), motion) in sides.into_iter().zip(counts).zip(motions) {
        let chosen = MOTIONS.iter().position(|(it, ..)| *it == motion);
        let told = choices_of_side(ui, palette, side, (count, most), &words, chosen);
        if let Some(told) = told {
            app.set_motion(side.0, MOTIONS[told].0);
        }
    }
}

/// What is cut away.
pub fn slice(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !section(ui, palette, "slice", "drag its handle") {
        return;
    }
    let words = [
        ("Off", "Nothing is cut away."),
        ("x", "Cut across x."),
        ("y", "Cut across y."),
        ("z", "Cut across z: a floor plan."),
    ];
    let chosen = app.space.slice.map_or(0, |slice| slice.axis + 1);
    if let Some(axis) = segments(ui, palette, "slice", &words, Some(chosen), palette.accent) {
        app.set_slice(axis.checked_sub(1));
    }
    if let Some(slice) = app.space.slice {
        let field = app.scene.field3();
        let what = Slider {
            id: "slice.at",
            name: "hides before",
            help: "Where the slice crosses its axis: what lies between it and the eye is hidden.",
            unit: "m",
            track: Track {
                min: f64::from(field.min[slice.axis]),
                max: f64::from(field.max[slice.axis]),
                logarithmic: false,
                whole: false,
            },
        };
        if let Some(at) = slider(ui, palette, &what, f64::from(slice.at)) {
            app.move_slice(at as f32);
        }
    }
}

/// Boxes of which depths are drawn.
pub fn depths(ui: &mut Ui, app: &mut App, palette: &Palette, painted: Painted) {
    let all = painted.boxes + painted.boxes_left_out;
    let note = match painted.boxes_left_out {
        0 => "by their depth".to_owned(),
        _ => format!(
            "largest {} of {}",
            with_commas(painted.boxes as u64),
            with_commas(all as u64)
        ),
    };
    if !section(ui, palette, "boxes", &note) {
        return;
    }
    let (first, last) = app.space.depths;
    let what = Slider {
        id: "depths",
        name: "depths shown",
        help: "Boxes at other depths are not drawn; the deepest stands for all below it.",
        unit: "",
        track: Track {
            min: 0.0,
            max: f64::from(DEEPEST),
            logarithmic: false,
            whole: true,
        },
    };
    let words = if last == DEEPEST {
        format!("{first} and deeper")
    } else {
        format!("{first} to {last}")
    };
    let ends = (f64::from(first), f64::from(last));
    if let Some((first, last)) = span(ui, palette, &what, &words, ends) {
        app.space.depths = (first as u16, last as u16);
    }
}
