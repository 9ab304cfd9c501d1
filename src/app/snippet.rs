//! A structure with its knobs as Rust: lines that make the same index with the library, to be pasted into a function.
//!
//! `tests/snippets.rs` holds them for every structure; a test here compares them, so what is copied is what is compiled.

use skirmish::geometry::Aabb;
use skirmish::geometry3::Aabb3;
use skirmish::partition::Info;
use skirmish::structure::StructureKind;

/// What an index is made for.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The field; of a plane only its first two axes count.
    pub field: Aabb3,
    /// How far pairs are apart at the most, in metres.
    pub reach: f32,
}

impl Place {
    /// On a plane.
    pub fn plane(field: Aabb, reach: f32) -> Self {
        Self {
            field: Aabb3::new(field.min.extend(0.0), field.max.extend(0.0)),
            reach,
        }
    }
}

/// The lines for a structure whose knobs have these values.
pub fn snippet(kind: StructureKind, knobs: &[f64], place: Place) -> String {
    let info = kind.info();
    let Place { field, reach } = place;
    let mut lines = Vec::new();
    let corners = match kind {
        StructureKind::Plane(_) => {
            lines.push("use skirmish::geometry::{Aabb, Vec2};".to_owned());
            lines.push("use skirmish::partition::{AnyPartition, Bodies, Kind};".to_owned());
            [field.min, field.max].map(|at| format!("Vec2::new({:?}, {:?})", at.x, at.y))
        }
        StructureKind::Space(_) => {
            let names = "AnyPartition3, Bodies3, Kind3, Vec3";
            lines.push("use skirmish::geometry3::Aabb3;".to_owned());
            lines.push(format!("use skirmish::volume::{{{names}}};"));
            [field.min, field.max]
                .map(|at| format!("Vec3::new({:?}, {:?}, {:?})", at.x, at.y, at.z))
        }
    };
    let [min, max] = corners;
    lines.push(String::new());
    lines.push(format!("// {}: {}", info.name, info.what));
    let (area, index, kind) = match kind {
        StructureKind::Plane(kind) => ("Aabb", "AnyPartition", format!("Kind::{kind:?}")),
        StructureKind::Space(kind) => ("Aabb3", "AnyPartition3", format!("Kind3::{kind:?}")),
    };
    lines.push(format!("let field = {area}::new({min}, {max});"));
    lines.push(format!("let mut index = {index}::new({kind}, field);"));
    knob_lines(info, knobs, &mut lines);
    lines.push("// How far pairs are apart at the most, in metres.".to_owned());
    lines.push(format!("index.expect({reach:?});"));
    lines.push(String::new());
    let is_plane = area == "Aabb";
    lines.push("// Each frame: tell it who is where, then ask who is near whom.".to_owned());
    let (vector, bodies, near) = if is_plane {
        ("Vec2", "Bodies", "radius")
    } else {
        ("Vec3", "Bodies3", "sphere")
    };
    lines.push(format!("let positions = [{vector}::ZERO, {vector}::ONE];"));
    lines.push(format!("let bodies = {bodies}::points(&positions);"));
    lines.push("index.rebuild(bodies, &mut ());".to_owned());
    lines.push("let mut near = Vec::new();".to_owned());
    lines.push(format!(
        "index.{near}(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));"
    ));
    lines.push("near.sort_unstable();".to_owned());
    lines.push("assert_eq!(near, [0, 1]);".to_owned());
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// A line for each knob, also for those at their defaults: a snippet says what was chosen, whatever the defaults become.
fn knob_lines(info: &Info, knobs: &[f64], lines: &mut Vec<String>) {
    for (knob, value) in info.knobs.iter().zip(knobs) {
        let text = knob.format(*value);
        lines.push(format!(
            "index.set_knob_text({:?}, {text:?}).expect(\"a value of the knob\");",
            knob.key
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
                2.0,
            ),
            StructureKind::Space(_) => Place {
                field: Aabb3::new(Vec3::ZERO, Vec3::new(240.0, 240.0, 120.25)),
                reach: 6.5,
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

    fn expected() -> String {
        let mut text = String::from(
            "//! What \"Copy as Rust\" gives for each structure, at the defaults and with other knobs, compiled and run. Made by a test in\n\
             //! `src/app/snippet.rs`; `SKIRMISH_REMAKE=1` writes it anew.\n",
        );
        for &kind in StructureKind::ALL {
            let info = kind.info();
            let defaults: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
            for (knobs, name) in [
                (defaults, "as_it_comes"),
                (unlike_default(info), "set_otherwise"),
            ] {
                let key = info.key.replace('-', "_");
                text.push_str(&format!(
                    "\n#[test]\n#[rustfmt::skip]\nfn {key}_{name}() {{\n"
                ));
                for line in snippet(kind, &knobs, place(kind)).lines() {
                    let indent = if line.is_empty() { "" } else { "    " };
                    text.push_str(&format!("{indent}{line}\n"));
                }
                text.push_str("}\n");
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
        let text = snippet(kind, &values, place(kind));
        assert!(
            text.contains("set_knob_text(\"capacity\", \"5\")"),
            "{text}"
        );
        assert!(
            text.contains("AnyPartition::new(Kind::Quadtree, field)"),
            "{text}"
        );
        assert!(text.contains("Vec2::new(480.5, 300.0)"), "{text}");
    }
}
