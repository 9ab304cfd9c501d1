//! What a scene has at first, whatever was seen before it.

use super::*;
use crate::app::commands::Command;

#[test]
fn the_brush_of_a_scene_is_as_large_whatever_was_seen_before_and_in_which_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&path, BATTLE).expect("a scene");
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    let first = window.app.brush.radius;
    let open = |window: &mut Window, path: &Path| {
        window.app.open(path.to_path_buf());
        window.wait("the scene", |window| {
            window.app.path.as_deref() == Some(path)
        });
    };
    for (size, view) in [
        (vec2(1280.0, 800.0), View::Compare),
        (vec2(1000.0, 620.0), View::Battle),
        (vec2(1600.0, 1000.0), View::Compare),
    ] {
        window.size = size;
        open(&mut window, &other);
        window.app.run(Command::View(view));
        for _ in 0..4 {
            window.frame(&[]);
        }
        open(&mut window, &path);
        assert_eq!(window.app.brush.radius, first, "{size}");
    }
}
