//! A window in which nothing moves draws nothing, and what comes then is seen at once.

use super::CALM;
use super::harness::with_display;
use std::fs;
use std::time::Duration;

/// Twice as many frames as a touch is worth; a window that draws on has as many in half a second.
const FEW: f64 = 30.0;

#[test]
fn a_window_that_is_paused_and_untouched_draws_no_more_frames() {
    with_display(|display| {
        for (scene, keys) in [
            ("skirmish", &[][..]),
            ("open-world", &["F4"][..]),
            ("dogfight", &[][..]),
            ("mixed-sizes", &["F3"][..]),
        ] {
            let program = display.open(scene, &[]);
            for key in keys {
                program.key(key);
            }
            program.move_to((640.0, 400.0));
            program.key("space");
            program.wait(Duration::from_secs(3));
            let report = program.dismiss();
            assert_eq!(report.text("/mode"), "paused", "{scene}");
            let frames = report.number("/frames_untouched");
            assert!(frames < FEW, "{scene}: {frames} frames");
        }
    });
}

#[test]
fn what_is_done_to_a_window_that_sleeps_is_seen() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scene = folder.path().join("calm.ron");
        fs::write(&scene, CALM).expect("a scene");
        let program = display.open(&scene, &[]);
        program.key("space");
        program.wait(Duration::from_millis(800));
        let before = program.picture();
        program.move_to((700.0, 350.0));
        program.wait(Duration::from_millis(300));
        let pointed = program.picture();
        assert_ne!(before, pointed, "the query follows the pointer");
        program.key("h");
        program.key("F1");
        program.wait(Duration::from_millis(300));
        assert_ne!(pointed, program.picture(), "a page opens");
        program.key("Escape");
        program.wait(Duration::from_millis(800));
        program.click((700.0, 350.0));
        program.wait(Duration::from_millis(500));
        let report = program.close();
        assert_eq!(report.number("/alive"), 92.0, "a click places a dozen");
    });
}

#[test]
fn what_is_pointed_at_after_a_click_says_what_it_is_while_time_stands_still() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scene = folder.path().join("calm.ron");
        fs::write(&scene, CALM).expect("a scene");
        let (x, y) = display.layout(&scene, &[]).middle("run.restart");
        let program = display.open(&scene, &[]);
        program.key("space");
        program.click((640.0, 350.0));
        program.wait(Duration::from_secs(1));
        // Where the words stand, beside the button and what shows that the pointer is on it.
        let beside = || {
            let (left, top) = (x as u32 + 20, y as u32 + 16);
            let picture = program.picture();
            image::imageops::crop_imm(&picture, left, top, 60, 16).to_image()
        };
        let before = beside();
        // In one jump, as a hand that comes to rest does in the eyes of who draws nothing meanwhile.
        program.move_to((x, y));
        program.until("what the button does is said", || beside() != before);
        program.dismiss();
    });
}
