//! Every word that the program can put beside a number is in the table, and every sentence of the table is one.

use super::*;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind, Knob, KnobRange, RegionQuery};
use skirmish::probe::{Event, Work};
use skirmish::story::{Concerned, InTurn, Step};
use skirmish::streaming::State;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_table_is_in_order_and_says_each_word_once_a_place() {
    for pair in TABLE.windows(2) {
        let [a, b] = pair else { unreachable!() };
        let order = lowered(a.name).cmp(lowered(b.name)).then(a.of.cmp(b.of));
        assert!(order.is_lt(), "{a:?} stands before {b:?}");
    }
}

#[test]
fn every_sentence_is_one_and_short() {
    for word in TABLE {
        let said = word.means;
        assert!(!word.name.is_empty() && !said.is_empty(), "{word:?}");
        assert!(said.ends_with('.') && !said.contains(". "), "{word:?}");
        assert!(said.starts_with(char::is_uppercase), "{word:?}");
        let length = said.chars().count();
        assert!(length <= 160, "{length} characters: {word:?}");
    }
}

/// A word of a place, or of everywhere.
fn is_known(place: &str, name: &str) -> bool {
    row(place, name).or_else(|| row("", name)).is_some()
}

#[test]
fn what_a_reader_of_the_pictures_and_of_the_sources_looks_up_is_a_word() {
    for name in [
        "bounding volume hierarchy",
        "done before",
        "Hilbert curve",
        "home",
        "icicle",
        "k dimensions",
        "Morton code",
        "load tree",
        "unload tree",
        "radix tree",
        "sector",
        "to visit",
        "turn of",
    ] {
        assert!(row("", name).is_some(), "{name}");
    }
    for part in ["BVH", "k-d tree", "QuadTreeA", "QuadTreeB"] {
        assert!(TABLE.iter().any(|word| word.means.contains(part)), "{part}");
    }
}

#[test]
fn captions_that_the_panels_of_a_world_draw_have_a_sentence() {
    /// Below these stand settings alone, each of which says what it is.
    const OF_SETTINGS: [&str; 4] = ["index", "rectangles", "character", "new object"];
    let panels = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/view/streaming");
    let calls = [
        "section(ui, palette, \"",
        "section_in_short(ui, palette, \"",
        "first_section(ui, palette, (\"",
    ];
    let mut drawn = Vec::new();
    literals(&panels, &calls, &mut drawn);
    for known in OF_SETTINGS
        .iter()
        .chain(&["disk and budgets", "the run before"])
    {
        assert!(drawn.iter().any(|it| it == known), "{known}: {drawn:?}");
    }
    let figures = drawn
        .iter()
        .filter(|it| !OF_SETTINGS.contains(&it.as_str()));
    for name in figures {
        assert!(caption(name).is_some(), "{name}");
    }
    // The name of a figure that is drawn while some of those who were late are of the start.
    assert!(!means("streaming", "late at the start").is_empty());
}

#[test]
fn what_is_looked_up_is_found_whatever_its_place() {
    for word in TABLE {
        assert_eq!(of(word.of, word.name).means, word.means);
    }
    let counted = Named::from("nodes").means;
    assert!(counted.starts_with("Nodes"), "{counted}");
    assert!(means("memory", "nodes").starts_with("Bytes"));
    assert_eq!(means("memory", "climbs"), Named::from("climbs").means);
    assert_eq!(Named::from("no such thing").means, "");
    assert!(missed::take().contains("no such thing"));
}

#[test]
fn every_kind_of_event_and_of_upkeep_and_every_state_is_a_word() {
    let events = [
        Event::Visit(0),
        Event::Prune(0),
        Event::Accept(0),
        Event::Test(0),
        Event::TestPair(0, 1),
        Event::Hit(0),
        Event::HitPair(0, 1),
        Event::Split(0),
        Event::Merge(0),
        Event::Refit(0),
    ];
    let work = Work::ALL.map(Event::Work);
    for event in events.into_iter().chain(work) {
        let step = Step {
            event,
            region: None,
            place: None,
            turn: None,
            in_turn: InTurn::Apart,
            units: Concerned::Nobody,
            reason: String::new(),
            more: 0,
            own: 0,
        };
        assert!(is_known("", step.kind()), "{}", step.kind());
    }
    for state in State::ALL {
        assert!(row("state", state.name()).is_some(), "{}", state.name());
    }
}

/// The values of a knob at which a structure may say other things.
fn values(knob: &Knob) -> Vec<f64> {
    match knob.range {
        KnobRange::Choice(words) => (0..words.len()).map(|index| index as f64).collect(),
        KnobRange::Switch => vec![0.0, 1.0],
        KnobRange::Number { min, max, .. } => vec![min, max, knob.default],
    }
}

/// What a structure says of itself and of each of its regions, a place and a name each.
fn said(index: &AnyPartition, bodies: Bodies<'_>) -> BTreeSet<(&'static str, &'static str)> {
    let mut said = BTreeSet::new();
    index.quality(&mut |fact| said.extend([("", fact.name)]));
    index.memory(&mut |part, _| said.extend([("memory", part)]));
    let mut regions = Vec::new();
    let everything = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    index.regions(everything, &mut |region| regions.push(region.id));
    for region in regions.into_iter().take(3_000) {
        index.facts(bodies, region, &mut |fact| said.extend([("", fact.name)]));
    }
    said
}

#[test]
fn every_name_that_a_structure_says_is_a_word() {
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
    // A crowd, some on one spot, one far outside; and their bodies, one of them large.
    let mut centers: Vec<Vec2> = (0..300)
        .map(|unit| Vec2::new((unit * 37 % 101) as f32, (unit * 53 % 97) as f32))
        .collect();
    centers.extend([Vec2::splat(12.5); 60]);
    centers.push(Vec2::new(4_000.0, -50.0));
    let mut sizes = vec![Vec2::splat(0.4); centers.len()];
    sizes[7] = Vec2::splat(30.0);
    let points = Bodies::points(&centers);
    let sized = Bodies {
        half_extents: &sizes,
        ..points
    };
    let mut names = BTreeSet::new();
    for kind in Kind::ALL {
        for bodies in [points, sized] {
            for (knob, of_knob) in kind.info().knobs.iter().enumerate() {
                for value in values(of_knob) {
                    let mut index = AnyPartition::new(*kind, field);
                    index.set_knob(knob, value);
                    index.rebuild(bodies, &mut ());
                    index.apply(bodies, &[Change::Move(3)], &mut ());
                    names.extend(said(&index, bodies));
                }
            }
            let mut index = AnyPartition::new(*kind, field);
            index.rebuild(bodies, &mut ());
            names.extend(said(&index, bodies));
        }
    }
    assert!(names.len() > 60, "only {} names", names.len());
    let unknown: Vec<_> = names
        .iter()
        .filter(|(place, name)| !is_known(place, name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    // A part of the memory is said in bytes, which is never what its name means elsewhere.
    let parts = names.iter().filter(|(place, _)| *place == "memory");
    for (place, name) in parts {
        assert!(row(place, name).is_some(), "{name} has no row as a part");
    }
}

/// The literals that follow one of these calls, at any place of the files below a folder; `sought` is what comes before
/// the literal.
fn literals(folder: &Path, sought: &[&str], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("the source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            literals(&path, sought, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("a file");
            // Layout is of no meaning.
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = text.replace("( ", "(");
            for call in sought {
                let after = text.split(call).skip(1);
                found.extend(after.filter_map(|it| it.split('"').next().map(str::to_owned)));
            }
        }
    }
}

#[test]
fn every_name_that_a_structure_may_say_is_a_word() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (place, calls) in [("", &["Fact::new(\""]), ("memory", &["say(\""])] {
        let mut names = Vec::new();
        for dimension in ["partition", "volume"] {
            literals(&source.join(dimension), calls, &mut names);
        }
        assert!(names.len() > 40, "{calls:?} {names:?}");
        for name in names {
            assert!(is_known(place, &name), "{name} ({place})");
        }
    }
}

#[test]
fn every_name_that_stands_beside_a_number_is_a_word() {
    let window = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/view");
    let rows = ["stat", "stat_with_history", "bar"];
    let calls = rows.map(|row| format!(" {row}(ui, palette, \""));
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    let mut names = Vec::new();
    literals(&window, &calls, &mut names);
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        assert!(is_known("", &name), "{name}");
    }
}
