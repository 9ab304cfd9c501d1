//! Whether colours are told apart, by full sight and by every kind of colour blindness, as far as it can be reckoned: by the
//! matrices of Machado, Oliveira and Fernandes (2009) for what an eye without one kind of cone sees, and the distance in CIELAB.

use super::*;
use skirmish::streaming::State;

/// Two colours nearer than this are one at a glance.
const APART: f32 = 13.0;

/// A kind of sight: linear red, green and blue as they are seen.
type Sight = [[f32; 3]; 3];

const FULL: Sight = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const PROTAN: Sight = [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
];
const DEUTAN: Sight = [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_820, 0.042_940, 0.968_881],
];
const TRITAN: Sight = [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_900],
];

fn linear(color: Color32) -> [f32; 3] {
    [color.r(), color.g(), color.b()].map(|part| {
        let part = f32::from(part) / 255.0;
        if part <= 0.040_45 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn product(rows: &[[f32; 3]; 3], by: [f32; 3]) -> [f32; 3] {
    rows.map(|row| row[0] * by[0] + row[1] * by[1] + row[2] * by[2])
}

fn lab(color: Color32, sight: &Sight) -> [f32; 3] {
    const XYZ: [[f32; 3]; 3] = [
        [0.412_456_4, 0.357_576_1, 0.180_437_5],
        [0.212_672_9, 0.715_152_2, 0.072_175],
        [0.019_333_9, 0.119_192, 0.950_304_1],
    ];
    let seen = product(sight, linear(color)).map(|part| part.clamp(0.0, 1.0));
    let [x, y, z] = product(&XYZ, seen);
    let root = |part: f32| {
        if part > 0.008_856 {
            part.cbrt()
        } else {
            7.787 * part + 16.0 / 116.0
        }
    };
    let [x, y, z] = [x / 0.950_47, y, z / 1.088_83].map(root);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(one: Color32, other: Color32, sight: &Sight) -> f32 {
    let (one, other) = (lab(one, sight), lab(other, sight));
    let squares = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f32>().sqrt()
}

fn contrast(one: Color32, other: Color32) -> f32 {
    let light = |color| {
        let [red, green, blue] = linear(color);
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (one, other) = (light(one), light(other));
    one.max(other) / one.min(other)
}

/// What is seen where a colour that lets some of its ground through is drawn on that.
fn drawn_on(ground: Color32, ink: Color32) -> Color32 {
    let rest = 1.0 - f32::from(ink.a()) / 255.0;
    let part = |ink: u8, under: u8| ink.saturating_add((f32::from(under) * rest) as u8);
    let [red, green, blue, _] = ink.to_array();
    let [r, g, b, _] = ground.to_array();
    Color32::from_rgb(part(red, r), part(green, g), part(blue, b))
}

/// The eyes that a palette is for, by name.
type Eyes = Vec<(&'static str, Sight)>;

/// All palettes, each with the kinds of sight that it is for.
fn palettes() -> Vec<(String, Palette, Eyes)> {
    let mut all = Vec::new();
    for light in [false, true] {
        for colors in Colors::ALL {
            let mut sights = vec![("full sight", FULL)];
            if colors == Colors::RedGreen {
                sights.extend([("protanopia", PROTAN), ("deuteranopia", DEUTAN)]);
            }
            if colors == Colors::BlueYellow {
                sights.push(("tritanopia", TRITAN));
            }
            let name = format!("{} {colors:?}", if light { "light" } else { "dark" });
            all.push((name, Palette::of(light, colors, false), sights));
        }
    }
    all
}

fn assert_apart(name: &str, what: &str, colors: &[Color32], sights: &[(&str, Sight)]) {
    for (sight, matrix) in sights {
        for (index, one) in colors.iter().enumerate() {
            for other in &colors[index + 1..] {
                let apart = distance(*one, *other, matrix);
                assert!(
                    apart >= APART,
                    "{name}, {what}, {sight}: {one:?} and {other:?} are {apart:.1} apart"
                );
            }
        }
    }
}

#[test]
fn the_matrices_leave_grey_as_it_is() {
    let grey = rgb(0x808080);
    for sight in [PROTAN, DEUTAN, TRITAN] {
        assert!(distance_between_sights(grey, &sight) < 1.0);
    }
}

fn distance_between_sights(color: Color32, sight: &Sight) -> f32 {
    let (full, seen) = (lab(color, &FULL), lab(color, sight));
    let squares = full.iter().zip(seen).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f32>().sqrt()
}

#[test]
fn states_are_told_apart_by_the_eyes_that_a_palette_is_for() {
    for (name, palette, sights) in palettes() {
        assert_eq!(palette.states.len(), State::ALL.len());
        assert_apart(&name, "states", &palette.states, &sights);
    }
}

#[test]
fn what_stands_beside_the_structure_is_told_from_it_and_from_each_other() {
    for (name, palette, sights) in palettes() {
        let roles = [
            palette.accent,
            palette.second,
            palette.warning,
            palette.error,
        ];
        assert_apart(&name, "roles", &roles, &sights);
    }
}

#[test]
fn sides_are_told_apart_by_every_eye_in_every_palette() {
    let every = [
        ("full sight", FULL),
        ("protanopia", PROTAN),
        ("deuteranopia", DEUTAN),
        ("tritanopia", TRITAN),
    ];
    for (name, palette, _) in palettes() {
        assert_apart(&name, "sides", &palette.sides, &every);
        assert_apart(&name, "sides found", &palette.side_hits, &every);
        assert_apart(
            &name,
            "found or not",
            &[palette.tested, palette.side_hits[0]],
            &every,
        );
        assert_apart(
            &name,
            "found or not",
            &[palette.tested, palette.side_hits[1]],
            &every,
        );
    }
}

#[test]
fn what_a_search_leaves_out_is_seen_on_the_field_and_quieter_than_what_it_comes_to() {
    /// As much as a line needs to be seen.
    const LEAST: f32 = 3.0;
    for (name, palette, _) in palettes() {
        let drawn = |ink: Color32| drawn_on(palette.field, ink);
        for side in [Side::Blue, Side::Orange] {
            let of = |ink: Color32| contrast(drawn(ink), palette.field);
            let (quiet, found) = (palette.quiet(side), palette.side_hits[side as usize]);
            assert!(of(quiet) >= LEAST, "{name}: {}", of(quiet));
            assert!(of(quiet) < of(palette.side(side)), "{name}");
            assert!(of(quiet) < of(found), "{name}");
            let bodies = [palette.quiet_body(side), palette.told_body()].map(of);
            assert!(bodies[0] < bodies[1], "{name}: {bodies:?}");
        }
        let pruned = faded(palette.text_third, PRUNED_LINE);
        let seen = contrast(drawn(pruned), palette.field);
        assert!(seen >= LEAST, "{name}: {seen}");
    }
}

#[test]
fn a_state_is_the_colour_of_what_it_is_called_by_elsewhere() {
    for (_, palette, _) in palettes() {
        let of = |state: State| palette.states[state as usize];
        assert_eq!(of(State::Queued), palette.warning);
        assert_eq!(of(State::Loading), palette.sides[0]);
        assert_eq!(of(State::Resident), palette.accent);
        assert_eq!(of(State::Unloading), palette.second);
        assert_eq!(of(State::Failed), palette.error);
    }
}

#[test]
fn text_is_read_on_every_surface() {
    for (name, palette, _) in palettes() {
        // What is pointed at and what is chosen are surfaces, too: words stand on them as they do beside them.
        let chosen = mixed(palette.panel, palette.accent, 0.11);
        let surfaces = [
            palette.field,
            palette.panel,
            palette.raised,
            palette.hover,
            chosen,
        ];
        for ink in [palette.text, palette.text_second, palette.text_third] {
            for surface in surfaces {
                let found = contrast(ink, surface);
                assert!(found >= 4.5, "{name}: {ink:?} on {surface:?} at {found:.2}");
            }
        }
        for ink in [palette.accent, palette.warning, palette.error] {
            let found = contrast(ink, palette.panel);
            assert!(found >= 4.5, "{name}: {ink:?} at {found:.2}");
        }
    }
}

#[test]
fn a_swatch_is_seen_on_its_chip_however_faint_its_colour_is() {
    for (name, palette, _) in palettes() {
        let found = contrast(palette.swatch_line(), palette.panel);
        assert!(found >= 3.0, "{name}: {found:.2}");
    }
}

#[test]
fn a_mark_that_lies_after_the_present_tick_is_paler_than_one_before_it_and_seen() {
    for (name, palette, _) in palettes() {
        for ink in [palette.text, palette.second, palette.warning, palette.error] {
            let whole = contrast(ink, palette.panel);
            let found = contrast(drawn_on(palette.panel, palette.to_come(ink)), palette.panel);
            assert!(found >= 3.0, "{name}: {ink:?} at {found:.2}");
            assert!(found < whole, "{name}: {ink:?} at {found:.2} of {whole:.2}");
        }
    }
}

#[test]
fn a_number_of_a_depth_that_nothing_has_reached_is_read_on_its_chip_and_paler_than_the_others() {
    for (name, palette, _) in palettes() {
        let found = contrast(palette.unlit_number(), palette.panel);
        assert!(found >= 3.0, "{name}: {found:.2}");
        assert!(
            found < contrast(palette.text_third, palette.panel),
            "{name}"
        );
    }
}

#[test]
fn depths_are_steps_of_lightness() {
    for (name, palette, _) in palettes() {
        for sight in [FULL, PROTAN, DEUTAN, TRITAN] {
            let steps = palette.depth.map(|color| lab(color, &sight)[0]);
            let is_rising = steps.windows(2).all(|pair| pair[1] > pair[0]);
            let is_falling = steps.windows(2).all(|pair| pair[1] < pair[0]);
            assert!(is_rising || is_falling, "{name}: {steps:?}");
        }
    }
}

#[test]
fn the_lines_of_a_tree_are_seen_on_a_panel() {
    for (name, palette, _) in palettes() {
        for line in [
            palette.tree_line(),
            palette.swatch_line(),
            palette.text_third,
        ] {
            let seen = contrast(line, palette.panel);
            assert!(seen >= 3.0, "{name}: {line:?} {seen:.2}");
        }
        // What a step has left out is told from what has not come up by more than its line.
        let pruned = mixed(palette.panel, palette.text_third, PRUNED_BAR);
        let seen = contrast(pruned, palette.panel);
        assert!(seen >= 3.0, "{name}: {pruned:?} {seen:.2}");
    }
}
