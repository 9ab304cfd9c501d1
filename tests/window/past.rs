//! The past, seen through the window: marks, steps back, pins, and what is measured while time stands still.

use super::harness::{Display, Report, with_display};
use super::{Scenes, act_on_calm};
use skirmish::partition::Kind;
use std::ffi::OsStr;
use std::fs;
use std::time::Duration;

/// The keys of the structures, in the order of the registry.
const KEYS: [&str; 12] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus", "equal",
];

/// Plays a script over the built-in battle, and gives the report and what the program said when it ended.
fn play(display: &Display, script: &str) -> (Report, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, report) = (folder.path().join("s.ron"), folder.path().join("r.json"));
    fs::write(&file, script).expect("a script is written");
    let arguments = [
        OsStr::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/skirmish.ron")),
        OsStr::new("--script"),
        file.as_os_str(),
        OsStr::new("--report"),
        report.as_os_str(),
    ];
    let ended = display.run(&arguments);
    (Report::read(&report), ended.stderr)
}

/// The marks of a kind.
fn marks(report: &Report, kind: &str) -> Vec<f64> {
    let all = 0..report.count("/marks");
    all.filter(|place| report.text(&format!("/marks/{place}/kind")) == kind)
        .map(|place| report.number(&format!("/marks/{place}/tick")))
        .collect()
}

#[test]
fn twelve_switches_leave_twelve_marks_and_no_gap_in_the_plots() {
    with_display(|display| {
        assert_eq!(KEYS.len(), Kind::ALL.len());
        let (_, report) = act_on_calm(display, |program, _| {
            program.wait(Duration::from_millis(300));
            for key in KEYS {
                program.key(key);
                program.wait(Duration::from_millis(120));
            }
            // The scene's own structure was chosen over, so its key was no switch.
            program.key("3");
            program.wait(Duration::from_millis(400));
            program.key("space");
            program.wait(Duration::from_millis(200));
        });
        let switches = marks(&report, "switch");
        assert_eq!(switches.len(), 12 + 1, "{switches:?}");
        assert!(switches.is_sorted());
        assert_eq!(report.number("/past/gaps/tests"), 0.0);
        assert_eq!(report.number("/past/gaps/visits"), 0.0);
        assert_eq!(report.number("/past/gaps/times"), 0.0);
        let ticks = report.number("/past/ticks");
        assert_eq!(ticks, report.number("/session_tick").min(600.0));
        assert_eq!(report.count("/past/structures"), switches.len() + 1);
    });
}

#[test]
fn a_pinned_column_differs_by_what_the_reports_differ() {
    with_display(|display| {
        let (then, _) = play(display, "[Wait(90), Pause, Wait(1)]");
        let script = r#"[
            Wait(90), Pause, Wait(1), Pin, Run, Structure("bvh"), Wait(60),
            Spawn(Blue, (240, 150), 20, 80), Wait(30), Pause, Wait(1),
        ]"#;
        let (now, _) = play(display, script);
        assert_eq!(now.number("/pins/0/tick"), then.number("/session_tick"));
        assert_eq!(now.text("/pins/0/structure"), then.text("/structure"));
        for (name, figure) in [
            ("tests", "/counters/tests"),
            ("visited", "/counters/visits"),
            ("pairs", "/counters/pairs"),
            ("memory", "/bytes"),
            ("units", "/alive"),
        ] {
            let pinned = now.number(&format!("/pins/0/pinned/{name}"));
            let present = now.number(&format!("/pins/0/now/{name}"));
            assert_eq!(pinned, then.number(figure), "{name} when it was pinned");
            assert_eq!(present, now.number(figure), "{name} now");
            let expected = (present - pinned) / pinned * 100.0;
            let said = now.number(&format!("/pins/0/differences/{name}"));
            assert!(
                (said - expected).abs() < 1.0e-9,
                "{name}: {said}, {expected}"
            );
        }
    });
}

#[test]
fn time_is_gone_back_in_by_keys_and_by_marks() {
    with_display(|display| {
        let (_, report) = act_on_calm(display, |program, _| {
            program.wait(Duration::from_millis(600));
            program.key("9");
            program.wait(Duration::from_millis(600));
            program.key("space");
            program.wait(Duration::from_millis(200));
            // Back to the last mark, and three ticks before it.
            program.key("ctrl+Left");
            program.wait(Duration::from_millis(200));
            for _ in 0..3 {
                program.key("shift+period");
                program.wait(Duration::from_millis(100));
            }
        });
        let switched = marks(&report, "switch")[0];
        let last = switched.max(report.number("/heaviest/tick"));
        assert_eq!(report.number("/session_tick"), last - 3.0);
        assert_eq!(report.text("/structure"), "linked-grid");
        assert!(report.number("/end") > switched + 10.0);
        assert_eq!(report.text("/mode"), "paused");

        // What is done there begins another future, and says so; the mark of the switch is no more.
        let (_, report) = act_on_calm(display, |program, layout| {
            program.wait(Duration::from_millis(600));
            program.key("9");
            program.wait(Duration::from_millis(600));
            program.key("ctrl+Left");
            program.wait(Duration::from_millis(200));
            for _ in 0..4 {
                program.key("shift+period");
                program.wait(Duration::from_millis(100));
            }
            program.click(layout.middle("field"));
            program.wait(Duration::from_millis(300));
        });
        assert!(marks(&report, "switch").is_empty());
        assert_eq!(marks(&report, "edit").len(), 1);
        assert_eq!(report.number("/end"), report.number("/session_tick"));
        let notice = report.text("/notice");
        assert!(notice.contains("A new future begins at tick"), "{notice}");
    });
}

#[test]
fn a_structure_that_is_chosen_while_time_stands_still_is_measured_there() {
    with_display(|display| {
        let (_, report) = act_on_calm(display, |program, _| {
            program.wait(Duration::from_millis(500));
            program.key("space");
            program.wait(Duration::from_millis(200));
            program.key("1");
            program.wait(Duration::from_millis(400));
        });
        assert_eq!(report.text("/structure"), "all-pairs");
        // 80 units stand: each pair is tested.
        assert_eq!(report.number("/counters/tests"), 80.0 * 79.0 / 2.0);
        assert!(report.number("/lanes/0/update_us") > 0.0);
        assert!(report.number("/lanes/0/query_us") > 0.0);
    });
}

#[test]
fn a_seek_beyond_the_end_is_refused_and_a_look_back_shows_what_was_seen() {
    with_display(|display| {
        let (report, said) = play(display, "[Wait(30), Pause, Seek(500)]");
        assert!(
            said.contains("beyond the last tick that is known"),
            "{said}"
        );
        assert_eq!(report.number("/session_tick"), report.number("/end"));

        let (first, _) = play(
            display,
            r#"[Wait(40), Structure("bvh"), Wait(20), Pause, Wait(1)]"#,
        );
        let tick = first.number("/session_tick");
        let script = r#"[
            Wait(40), Structure("bvh"), Wait(50), Structure("kd-tree"), Wait(10), Seek(TICK), Wait(2),
        ]"#;
        let (again, _) = play(display, &script.replace("TICK", &tick.to_string()));
        for what in ["/session_tick", "/hash", "/structure", "/counters", "/past"] {
            assert_eq!(first.get(what), again.get(what), "{what}");
        }
    });
}

#[test]
fn every_structure_is_measured_in_turns_and_the_table_is_ordered_by_a_click() {
    with_display(|display| {
        let scenes = Scenes::new();
        let compare = |acts: &dyn Fn(&super::Program)| {
            let program = display.open(scenes.calm(), &[]);
            program.key("F3");
            program.wait(Duration::from_millis(400));
            acts(&program);
            program.close()
        };
        let layout = compare(&|_| {});
        let all = layout.middle("compare.all");
        let table = compare(&|program| {
            program.click(all);
            program.wait(Duration::from_millis(900));
        });
        assert_eq!(table.count("/survey"), Kind::ALL.len());
        assert_eq!(table.text("/mode"), "running");
        assert!(table.number("/tick") > 20.0);
        // The registry's first row is the table's first; ordered by tests it is its last.
        let (first, last) = (
            table.middle("table.row.all-pairs"),
            table.middle("table.row.hierarchical-grid"),
        );
        assert!(first.1 < last.1);
        let ordered = compare(&|program| {
            program.click(all);
            program.wait(Duration::from_millis(900));
            program.click(table.middle("table.tests"));
            program.wait(Duration::from_millis(300));
        });
        let of_all_pairs = ordered.middle("table.row.all-pairs");
        assert!(of_all_pairs.1 > ordered.middle("table.row.quadtree").1);
        // A click on a row puts its structure into the first pane.
        let chosen = compare(&|program| {
            program.click(all);
            program.wait(Duration::from_millis(900));
            program.click(table.middle("table.row.bvh"));
            program.wait(Duration::from_millis(400));
        });
        assert_eq!(chosen.text("/structure"), "bvh");
    });
}
