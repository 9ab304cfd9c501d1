//! What a scene says of itself stands on the field, and leads to the scenes beside it.

use super::harness::{Program, Report, with_display};
use std::time::Duration;

/// Another scene is read and built by then.
const OPENING: Duration = Duration::from_millis(700);

/// The corners of a widget, in points.
fn corners(report: &Report, widget: &str) -> [(f32, f32); 2] {
    [report.at(widget, (0.0, 0.0)), report.at(widget, (1.0, 1.0))]
}

/// Whether two widgets have no point in common.
fn are_apart(report: &Report, one: &str, other: &str) -> bool {
    let [a, b] = [one, other].map(|widget| corners(report, widget));
    a[1].0 <= b[0].0 || b[1].0 <= a[0].0 || a[1].1 <= b[0].1 || b[1].1 <= a[0].1
}

fn press(program: &Program<'_>, key: &str) {
    program.key(key);
    program.wait(OPENING);
}

#[test]
fn the_lesson_of_a_figure_stands_on_its_field_whatever_the_view() {
    with_display(|display| {
        for (figure, chip) in [
            ("figures/merges", "chip.scale"),
            ("figures/half-neighbourhood", "chip.tools"),
            ("figures/load-union", "chip.scale"),
        ] {
            let report = display.layout(figure, &[]);
            assert_eq!(report.get("/caption"), true, "{figure}");
            assert!(are_apart(&report, "caption", chip), "{figure}");
        }
    });
}

#[test]
fn a_caption_is_closed_by_its_cross_and_shown_by_its_key_and_a_click_on_it_places_nobody() {
    with_display(|display| {
        let layout = display.layout("figures/merges", &[]);
        let program = display.open("figures/merges", &[]);
        program.click(layout.middle("caption"));
        program.click(layout.middle("caption.close"));
        let closed = program.close();
        assert_eq!(closed.get("/caption"), false);
        assert_eq!(closed.number("/units"), layout.number("/units"));

        let program = display.open("figures/merges", &[]);
        program.click(layout.middle("caption.close"));
        press(&program, "F6");
        assert_eq!(program.close().get("/caption"), true);
    });
}

#[test]
fn the_arrows_of_a_caption_go_through_the_figures() {
    with_display(|display| {
        let layout = display.layout("figures/merges", &[]);
        let program = display.open("figures/merges", &[]);
        program.click(layout.middle("caption.after"));
        program.wait(OPENING);
        let after = program.close();
        assert_eq!(after.text("/scene"), "figures/across-the-origin.ron");

        let program = display.open("figures/merges", &[]);
        press(&program, "ctrl+Prior");
        press(&program, "ctrl+Prior");
        press(&program, "ctrl+Next");
        let before = program.close();
        assert_eq!(before.text("/scene"), "figures/address-merges.ron");
    });
}
