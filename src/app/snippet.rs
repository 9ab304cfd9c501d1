//! A structure with its knobs as Rust: lines that make the same index with the library, to be pasted into a function.
//!
//! `tests/snippets.rs` holds them for every structure; a test here compares them, so what is copied is what is compiled.

use skirmish::geometry::Aabb;
use skirmish::geometry3::Aabb3;
use skirmish::partition::Info;
use skirmish::structure::StructureKind;
use std::fmt::Write;

/// What an index is made for.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The field; of a plane only its first two axes count.
    pub field: Aabb3,
    /// How far pairs are apart at the most, in metres.
    pub reach: f32,
    /// How far apart units try to keep, in metres; in space nobody does.
    pub keep_apart: f32,
    /// Whether units have a size, and are no points.
    pub sized: bool,
}

impl Place {
    /// On a plane.
    pub fn plane(field: Aabb, [reach, keep_apart]: [f32; 2], sized: bool) -> Self {
        Self {
            field: Aabb3::new(field.min.extend(0.0), field.max.extend(0.0)),
            reach,
            keep_apart,
            sized,
        }
    }
}

/// What the knobs of a structure come to.
#[derive(Clone, Copy, Debug)]
pub struct Set<'k> {
    /// What they are set to.
    pub knobs: &'k [f64],
    /// With what is reckoned: it is another value where the structure is left to choose.
    pub in_effect: &'k [f64],
}

/// The lines for a structure whose knobs have these values.
pub fn snippet(kind: StructureKind, knobs: Set<'_>, place: Place) -> String {
    let is_plane = matches!(kind, StructureKind::Plane(_));
    let mut lines = vec![
        // It lies in no registry.
        "// Cargo.toml, with the folder of its source: skirmish = { path = \"../skirmish\", default-features = false }".to_owned(),
    ];
    lines.extend(uses(is_plane));
    lines.push(String::new());
    lines.extend(made(kind, knobs, place));
    lines.push(String::new());
    lines.extend(used(is_plane, place.sized));
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// What it is written with.
fn uses(is_plane: bool) -> [String; 2] {
    let lines = if is_plane {
        [
            "use skirmish::geometry::{Aabb, Vec2};",
            "use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};",
        ]
    } else {
        [
            "use skirmish::{geometry3::Aabb3, partition::Change};",
            "use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};",
        ]
    };
    lines.map(str::to_owned)
}

/// The index, as it was chosen.
fn made(kind: StructureKind, knobs: Set<'_>, place: Place) -> Vec<String> {
    let info = kind.info();
    let is_of_space = kind.is_of_space();
    let Place {
        field,
        reach,
        keep_apart,
        ..
    } = place;
    let ends = [field.min, field.max];
    let ([min, max], area, index, kind) = match kind {
        StructureKind::Plane(kind) => (
            ends.map(|at| format!("Vec2::new({:?}, {:?})", at.x, at.y)),
            "Aabb",
            "AnyPartition",
            format!("Kind::{kind:?}"),
        ),
        StructureKind::Space(kind) => (
            ends.map(|at| format!("Vec3::new({:?}, {:?}, {:?})", at.x, at.y, at.z)),
            "Aabb3",
            "AnyPartition3",
            format!("Kind3::{kind:?}"),
        ),
    };
    let mut lines = vec![
        format!("// {}: {}", info.name, info.what),
        format!("let field = {area}::new({min}, {max});"),
        format!("let mut index = {index}::new({kind}, field);"),
    ];
    knob_lines(info, knobs, &mut lines);
    let mut told = "// How far pairs are apart at the most, in metres".to_owned();
    if !is_of_space {
        told += ": in the scene the longest reach of any unit";
        if keep_apart > 0.0 {
            let _ = write!(
                told,
                ", and at least the {keep_apart} m that they keep apart"
            );
        }
    }
    lines.push(told + ".");
    lines.push(format!("let reach = {reach:?};"));
    lines.push("index.expect(reach);".to_owned());
    lines
}

/// What a game does with it, whichever it is.
fn used(is_plane: bool, is_sized: bool) -> Vec<String> {
    let (vector, bodies, near) = if is_plane {
        ("Vec2", "Bodies", "radius")
    } else {
        ("Vec3", "Bodies3", "sphere")
    };
    let mut lines = vec![
        "// Once: where everybody is. The columns are yours, and the index is told of them."
            .to_owned(),
        format!("let mut positions = vec![{vector}::ZERO, {vector}::ONE];"),
    ];
    let lent = if is_sized {
        lines.push("// Half of each unit's size.".to_owned());
        lines.push(format!(
            "let half_extents = vec![{vector}::splat(0.5), {vector}::splat(4.0)];"
        ));
        format!(
            "let bodies = {bodies} {{ half_extents: &half_extents, ..{bodies}::points(&positions) }};"
        )
    } else {
        format!("let bodies = {bodies}::points(&positions);")
    };
    lines.push(lent.clone());
    lines.push("index.rebuild(bodies, &mut ());".to_owned());
    lines.push(String::new());
    let each_frame = [
        "// Each frame: say who moved (Change::Move), came (Change::Add) and went (Change::Remove) ...",
        "positions[1] *= 0.5;",
        &lent,
        "index.apply(bodies, &[Change::Move(1)], &mut ());",
        "// ... then ask which pairs are in reach of each other, and who is near a point.",
        "let mut pairs = Vec::new();",
        "index.pairs(bodies, reach, &mut (), |found| pairs.extend_from_slice(found));",
        "assert_eq!(pairs, [(0, 1)]);",
        "let mut near = Vec::new();",
    ];
    lines.extend(each_frame.map(str::to_owned));
    lines.push(format!(
        "index.{near}(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));"
    ));
    lines.push("near.sort_unstable();".to_owned());
    lines.push("assert_eq!(near, [0, 1]);".to_owned());
    let (area, query) = if is_plane {
        (
            "Aabb::new(Vec2::splat(-0.25), Vec2::splat(0.25))",
            "NearestQuery",
        )
    } else {
        (
            "Aabb3::new(Vec3::splat(-0.25), Vec3::splat(0.25))",
            "NearestQuery3",
        )
    };
    lines.push(
        "// ... who is in a box, and who are the nearest, the unit itself left out.".to_owned(),
    );
    lines.push("let mut inside = Vec::new();".to_owned());
    lines.push(format!(
        "index.range(bodies, {area}, &mut (), |unit| inside.push(unit));"
    ));
    lines.push("assert!(inside.contains(&0));".to_owned());
    lines.push("let mut nearest = Vec::new();".to_owned());
    lines.push(format!(
        "let query = {query} {{ point: positions[0], count: 8, within: f32::INFINITY }};"
    ));
    lines.push("index.nearest(bodies, query, |unit| unit != 0, &mut (), &mut nearest);".to_owned());
    lines.push("assert_eq!(nearest[0].unit, 1);".to_owned());
    lines
}

/// A line for each knob, also for those at their defaults: a snippet says what was chosen, whatever the defaults become. Where the structure
/// is left to choose, it says beside that what it has chosen here, with which the figures came out that somebody has seen.
fn knob_lines(info: &Info, set: Set<'_>, lines: &mut Vec<String>) {
    for (place, (knob, value)) in info.knobs.iter().zip(set.knobs).enumerate() {
        let text = knob.format(*value);
        // Before anybody was there nothing is chosen.
        let chosen = set.in_effect.get(place).copied();
        let chosen = chosen.filter(|chosen| knob.is_auto(*value) && !knob.is_auto(*chosen));
        let at_present = chosen.map(|chosen| match knob.unit {
            "" => format!(" // {} at present", knob.format(chosen)),
            unit => format!(" // {} {unit} at present", knob.format(chosen)),
        });
        lines.push(format!(
            "index.set_knob_text({:?}, {text:?}).expect(\"a value of the knob\");{}",
            knob.key,
            at_present.unwrap_or_default()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::Vec2;
    use skirmish::structure::AnyKind;
    use skirmish::volume::Vec3;
    use std::path::Path;

    fn place(kind: StructureKind) -> Place {
        match kind {
            StructureKind::Plane(_) => Place::plane(
                Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0)),
                [2.0, 2.0],
                false,
            ),
            StructureKind::Space(_) => Place {
                field: Aabb3::new(Vec3::ZERO, Vec3::new(240.0, 240.0, 120.25)),
                reach: 6.5,
                keep_apart: 0.0,
                sized: false,
            },
        }
    }

    /// Of each knob another value than its default, where it takes one.
    fn unlike_default(info: &Info) -> Vec<f64> {
        let other = |knob: &skirmish::partition::Knob| {
            let tried = [knob.default * 2.0, 3.0, 1.0, 0.0, 0.5, 8.0];
            let other = tried
                .into_iter()
                .find(|it| *it != knob.default && knob.accepts(*it));
            other.unwrap_or(knob.default)
        };
        info.knobs.iter().map(other).collect()
    }

    /// What these come to, where 32 is chosen of whatever is left to be.
    fn in_effect(info: &Info, knobs: &[f64]) -> Vec<f64> {
        let of = |(knob, value): (&skirmish::partition::Knob, &f64)| match knob.is_auto(*value) {
            true => 32.0,
            false => *value,
        };
        info.knobs.iter().zip(knobs).map(of).collect()
    }

    /// A function that holds these lines.
    fn function(head: &str, lines: impl IntoIterator<Item = String>) -> String {
        let mut text = format!("\n#[rustfmt::skip]\n#[allow(unused_imports)]\n{head} {{\n");
        for line in lines {
            let indent = if line.is_empty() { "" } else { "    " };
            text.push_str(&format!("{indent}{line}\n"));
        }
        text + "}\n"
    }

    /// What is done with an index is the same whichever it is, and is compiled once.
    fn expected() -> String {
        let mut text = String::from(
            "//! What \"Copy as Rust\" gives for each structure, at the defaults and with other knobs, compiled and run. Made by a test in\n\
             //! `src/app/snippet.rs`; `SKIRMISH_REMAKE=1` writes it anew.\n\n\
             use skirmish::partition::AnyPartition;\nuse skirmish::volume::AnyPartition3;\n",
        );
        for (space, index, is_plane) in [
            ("plane", "AnyPartition", true),
            ("space", "AnyPartition3", false),
        ] {
            for (bodies, is_sized) in [("points", false), ("sized", true)] {
                let head = format!("fn {bodies}_on_a_{space}(mut index: {index}, reach: f32)");
                let lines = uses(is_plane).into_iter().chain(used(is_plane, is_sized));
                text += &function(&head.replace("on_a_space", "in_space"), lines);
            }
        }
        for &kind in StructureKind::ALL {
            let info = kind.info();
            let is_plane = matches!(kind, StructureKind::Plane(_));
            let space = if is_plane { "on_a_plane" } else { "in_space" };
            let defaults: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
            for (knobs, name, bodies) in [
                (defaults, "as_it_comes", "points"),
                (unlike_default(info), "set_otherwise", "sized"),
            ] {
                let in_effect = in_effect(info, &knobs);
                let knobs = Set {
                    knobs: &knobs,
                    in_effect: &in_effect,
                };
                let key = info.key.replace('-', "_");
                let lines = uses(is_plane)
                    .into_iter()
                    .chain(made(kind, knobs, place(kind)));
                let then = format!("{bodies}_{space}(index, reach);");
                let head = format!("#[test]\nfn {key}_{name}()");
                text += &function(&head, lines.chain([then]));
            }
        }
        text
    }

    #[test]
    fn what_is_copied_is_what_is_compiled() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets.rs");
        let expected = expected();
        if std::env::var_os("SKIRMISH_REMAKE").is_some_and(|value| value == "1") {
            std::fs::write(&path, &expected).expect("the file is written");
        }
        let found = std::fs::read_to_string(&path).expect("tests/snippets.rs");
        assert!(
            found == expected,
            "tests/snippets.rs is not what is copied: SKIRMISH_REMAKE=1 writes it anew"
        );
    }

    #[test]
    fn a_snippet_says_what_was_chosen() {
        let kind = StructureKind::from_key("quadtree").expect("a quadtree");
        let knobs = kind.info().knobs;
        let at = knobs.iter().position(|knob| knob.key == "capacity");
        let mut values: Vec<f64> = knobs.iter().map(|knob| knob.default).collect();
        values[at.expect("a capacity")] = 5.0;
        let knobs = Set {
            knobs: &values,
            in_effect: &values,
        };
        let text = snippet(kind, knobs, place(kind));
        assert!(
            text.contains("set_knob_text(\"capacity\", \"5\")"),
            "{text}"
        );
        assert!(
            text.contains("AnyPartition::new(Kind::Quadtree, field)"),
            "{text}"
        );
        assert!(text.contains("Vec2::new(480.5, 300.0)"), "{text}");
        assert!(text.contains("Bodies::points(&positions)"), "{text}");
        let sized = Place {
            sized: true,
            ..place(kind)
        };
        let text = snippet(kind, knobs, sized);
        assert!(text.contains("half_extents: &half_extents"), "{text}");
        assert!(text.contains("at least the 2 m"), "{text}");
        let touching = Place {
            keep_apart: 0.0,
            ..place(kind)
        };
        let text = snippet(kind, knobs, touching);
        assert!(text.contains("the longest reach of any unit.\n"), "{text}");
    }

    #[test]
    fn a_snippet_says_what_is_chosen_at_present_where_the_structure_is_left_to_choose() {
        let kind = StructureKind::from_key("linked-grid").expect("a grid");
        let knobs = kind.info().knobs;
        let values: Vec<f64> = knobs.iter().map(|knob| knob.default).collect();
        let lines_of = |in_effect: &[f64]| {
            let set = Set {
                knobs: &values,
                in_effect,
            };
            snippet(kind, set, place(kind))
        };
        let line = "set_knob_text(\"cell_size\", \"auto\").expect(\"a value of the knob\");";
        let text = lines_of(&in_effect(kind.info(), &values));
        assert!(
            text.contains(&format!("{line} // 32 m at present\n")),
            "{text}"
        );
        // Nothing is chosen yet.
        let text = lines_of(&values);
        assert!(text.contains(&format!("{line}\n")), "{text}");
    }
}
