//! A scene says how it is looked at, and takes back what it said when another one comes.

use super::harness::{Program, Report, with_display};
use std::time::Duration;

/// Another scene is read and built by then.
const OPENING: Duration = Duration::from_millis(700);

/// Nothing happens here, and it is looked at in a way of its own.
const LOOKED_AT: &str = r#"(
    version: 1,
    name: "Looked at",
    field: ((0, 0), (200, 120)),
    structure: (kind: "quadtree"),
    view: (
        layers: {"nodes": false, "tests": true},
        labels: Names(["A", "B"]),
        query: "range 20,20,40,40",
        beside: "basic-quadtree",
        paused: true,
    ),
    armies: [(side: Blue, formation: Explicit([(30, 30), (150, 90)]), order: Hold)],
)
"#;

/// Nothing is said of how this is looked at.
const OPEN: &str = r#"(
    version: 1,
    name: "Open",
    field: ((0, 0), (200, 120)),
    structure: (kind: "quadtree"),
    armies: [(side: Blue, formation: Explicit([(30, 30), (150, 90)]), order: Hold)],
)
"#;

fn layers(report: &Report) -> Vec<String> {
    let layers = report.get("/layers").as_array().expect("a list").clone();
    let words = layers.iter().filter_map(|layer| layer.as_str());
    words.map(str::to_owned).collect()
}

fn has(report: &Report, layer: &str) -> bool {
    layers(report).iter().any(|name| name == layer)
}

fn press(program: &Program<'_>, key: &str) {
    program.key(key);
    program.wait(OPENING);
}

#[test]
fn a_scene_shows_its_layers_and_stands_still_and_gives_both_back() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a folder");
        let first = folder.path().join("a-looked-at.ron");
        std::fs::write(&first, LOOKED_AT).expect("a file");
        std::fs::write(folder.path().join("b-open.ron"), OPEN).expect("a file");

        let shown = display.layout(&first, &[]);
        assert!(has(&shown, "Tests") && !has(&shown, "Nodes"));
        assert_eq!(shown.text("/mode"), "paused");
        assert_eq!(shown.number("/tick"), 0.0);
        // What the source would return is said on a chip.
        shown.middle("chip.beside");

        // The user hides the load here, and has it again there.
        let program = display.open(&first, &[]);
        press(&program, "l");
        press(&program, "ctrl+Next");
        let after = program.close();
        assert_eq!(after.text("/name"), "Open");
        assert!(has(&after, "Nodes") && has(&after, "Load") && !has(&after, "Tests"));
        assert_eq!(after.text("/mode"), "running");

        // What was chosen before such a scene comes back after it.
        let program = display.open(folder.path().join("b-open.ron"), &[]);
        press(&program, "u");
        press(&program, "ctrl+Prior");
        press(&program, "ctrl+Next");
        let back = program.close();
        assert_eq!(back.text("/name"), "Open");
        assert!(has(&back, "Nodes") && !has(&back, "Units") && !has(&back, "Tests"));
    });
}

#[test]
fn figures_show_the_boxes_that_their_titles_name() {
    with_display(|display| {
        for (figure, shown, hidden) in [
            ("figures/load-union", "Union A", "Intersection B"),
            ("figures/unload-intersection", "Intersection B", "Union A"),
        ] {
            let report = display.layout(figure, &[]);
            assert!(has(&report, shown) && has(&report, "All"), "{figure}");
            assert!(!has(&report, hidden), "{figure}");
        }
    });
}
