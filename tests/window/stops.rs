//! Time stops by itself: the list is clicked, and where it stopped is said, framed and marked.

use super::harness::{Report, with_display};
use std::time::Duration;

/// Whether a mark of a stop lies at the tick where time stopped, in the same words.
fn is_marked(report: &Report) -> bool {
    let (tick, words) = (
        report.number("/stopped/tick"),
        report.text("/stopped/words"),
    );
    (0..report.count("/marks")).any(|place| {
        report.text(&format!("/marks/{place}/kind")) == "stop"
            && report.number(&format!("/marks/{place}/tick")) == tick
            && report.text(&format!("/marks/{place}/words")) == words
    })
}

/// Whether the camera sees all of the box where time stopped.
fn is_framed(report: &Report) -> bool {
    let at = |place: &str| report.number(place);
    let (x, y) = (at("/camera/x"), at("/camera/y"));
    let half = at("/camera/height") / 2.0;
    let [left, low, right, high] = [0, 1, 2, 3].map(|side| at(&format!("/stopped/area/{side}")));
    // The field is wider than it is high.
    low >= y - half && high <= y + half && left >= x - 2.0 * half && right <= x + 2.0 * half
}

#[test]
fn a_click_in_the_list_stops_the_battle_at_the_next_split() {
    with_display(|display| {
        let layout = display.play("skirmish", "[Wait(3)]");
        let program = display.open("skirmish", &["--structure", "quadtree"]);
        program.click(layout.middle("stops"));
        program.wait(Duration::from_millis(300));
        // The rows stand above the button, each 26 points high below a head of 24.
        let (x, y) = layout.middle("stops");
        let first_row = y - 12.0 - 6.0 - 8.0 * 26.0 + 10.0;
        program.click((x + 60.0, first_row));
        program.wait(Duration::from_secs(6));
        let report = program.close();
        assert_eq!(report.text("/mode"), "paused");
        let words = report.text("/stopped/words");
        assert!(words.contains("was split"), "{words}");
        assert_eq!(
            report.number("/stopped/tick"),
            report.number("/session_tick")
        );
        assert!(is_marked(&report) && is_framed(&report));
    });
}

#[test]
fn every_kind_stops_at_its_tick_and_leaves_its_mark() {
    with_display(|display| {
        // Each waits somewhat longer than until it happens, which no frame is drawn for in vain.
        for (scene, script, part) in [
            (
                "skirmish",
                "[Structure(\"quadtree\"), StopWhen(\"merge\", true), Wait(160)]",
                "was merged",
            ),
            (
                "skirmish",
                "[Structure(\"linked-grid\"), StopWhen(\"crowded\", true), Wait(420)]",
                "holds",
            ),
            (
                "skirmish",
                "[Structure(\"linked-grid\"), StopWhen(\"tests\", true), Wait(80)]",
                "tests, more than 10,000",
            ),
            (
                "open-world",
                "[Follow(\"ride\"), Speed(60.0), Disk(0.1), StopWhen(\"late\", true), Wait(80)]",
                "needed and not there",
            ),
        ] {
            let report = display.play(scene, script);
            let words = report.text("/stopped/words");
            assert!(words.contains(part), "{scene}: {words}");
            assert_eq!(report.text("/mode"), "paused");
            assert_eq!(
                report.number("/stopped/tick"),
                report.number("/session_tick")
            );
            assert!(is_marked(&report), "{words}");
            if !report.get("/stopped/area").is_null() {
                assert!(is_framed(&report), "{words}");
            }
        }
    });
}

#[test]
fn a_unit_is_selected_before_it_is_waited_for() {
    with_display(|display| {
        let report = display.play("skirmish", "[StopWhen(\"leaves\", true), Wait(30)]");
        assert!(report.text("/notice").contains("Select a unit first"));
        assert!(report.get("/stopped").is_null());
    });
}
