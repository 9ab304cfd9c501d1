//! What the dialogs show in windows of several sizes, and the names that they give.

use super::*;
use crate::app::theme;
use egui_macroquad::egui::epaint::ClippedShape;
use egui_macroquad::egui::{Pos2, RawInput, Rect, Shape};

#[test]
fn a_name_gets_the_ending_that_the_dialogs_show() {
    for (typed, name) in [
        ("charge", "charge.ron"),
        ("charge.ron", "charge.ron"),
        ("charge.v2", "charge.v2.ron"),
        ("charge.", "charge.ron"),
        ("charge.RON", "charge.RON.ron"),
        ("my.rec.ron", "my.rec.ron"),
        ("a.ron/b", "a.ron/b.ron"),
    ] {
        assert_eq!(
            with_ending(Path::new(typed), "ron"),
            Path::new(name),
            "{typed}"
        );
    }
}

#[test]
fn the_title_and_the_buttons_of_a_dialog_lie_in_the_window() {
    for (width, height) in [
        (640.0, 400.0),
        (640.0, 480.0),
        (720.0, 450.0),
        (1280.0, 800.0),
    ] {
        let window = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let dialog = FileDialog::new().title("Save scene as");
        let dialog = dialog.add_save_extension("Scene", "ron");
        let mut dialog = fitted(dialog.default_save_extension("Scene"), window.size());
        dialog.save_file();
        let mut drawn = Vec::new();
        for _ in 0..4 {
            let input = RawInput {
                screen_rect: Some(window),
                ..RawInput::default()
            };
            let output = ctx.run(input, |ctx| {
                update(ctx, &Palette::DARK, &mut dialog);
            });
            drawn = output.shapes;
        }
        for words in ["Save scene as", "Cancel", "Save"] {
            let mut all = drawn.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text().ends_with(words) => {
                    Some(text.visual_bounding_rect())
                }
                _ => None,
            });
            let found = all.next().expect(words);
            assert!(
                window.contains_rect(found),
                "{words} at {found:?} in {window:?}"
            );
        }
        // The name of the file and its ending are one line.
        let [name, ending] = ["File name:", "Scene (.ron)"].map(|words| {
            let mut all = drawn.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text() == words => {
                    Some(text.galley.rect.translate(text.pos.to_vec2()).center().y)
                }
                _ => None,
            });
            all.next().expect(words)
        });
        assert!((name - ending).abs() <= 1.0, "{name} {ending}");
    }
}

#[test]
fn the_last_row_of_a_dialog_is_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        let path = folder.path().join(format!("row-{number:02}.ron"));
        std::fs::write(path, "").expect("a file");
    }
    for (window, saves) in [
        vec2(640.0, 400.0),
        vec2(640.0, 480.0),
        vec2(720.0, 450.0),
        vec2(1280.0, 800.0),
    ]
    .into_iter()
    .flat_map(|window| [(window, true), (window, false)])
    {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let dialog = FileDialog::new()
            .initial_directory(folder.path().to_path_buf())
            .add_file_filter_extensions("Scenes (*.ron)", vec!["ron"])
            .default_file_filter("Scenes (*.ron)")
            .add_save_extension("Scene", "ron")
            .default_save_extension("Scene");
        let mut dialog = fitted(dialog, window);
        match saves {
            true => dialog.save_file(),
            false => dialog.pick_file(),
        }
        // Each row that is drawn, and the rectangle beyond which nothing of it is seen.
        let mut rows: Vec<(Rect, Rect)> = Vec::new();
        // The folder is read beside the window, and the first frames settle the layout.
        let mut settled = 0;
        for _ in 0..2000 {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, window)),
                ..RawInput::default()
            };
            let output = ctx.run(input, |ctx| update(ctx, &Palette::DARK, &mut dialog));
            let of_row = |clipped: &ClippedShape| match &clipped.shape {
                Shape::Text(text) if text.galley.text().contains("row-") => {
                    let words = text.galley.rect.translate(text.pos.to_vec2());
                    Some((words, clipped.clip_rect))
                }
                _ => None,
            };
            rows = output.shapes.iter().filter_map(of_row).collect();
            rows.retain(|(words, clip)| words.y_range().intersects(clip.y_range()));
            settled += usize::from(!rows.is_empty());
            if settled > 4 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let words = format!("{window} {saves}: {rows:?}");
        assert!((2..40).contains(&rows.len()), "{words}");
        for (row, clip) in rows {
            assert!(row.bottom() <= clip.bottom(), "{words}");
        }
    }
}
