//! An hour of a user's life, shortened: what one does in a row in one window, with and without a window manager. What came of each
//! step is read in the files that are saved and in the report at the end.

use super::harness::{Display, Program, Report, with_display};
use super::{OPENING, Scenes, await_saved, calm_layout, open_by_dialog, window_at};
use skirmish::geometry::Vec2;
use skirmish::partition::Kind;
use skirmish::scene::{self, Army, Formation, Scene};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The keys of the structures, in their order.
const KEYS: [&str; 12] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus", "equal",
];

/// A window manager that ends with the test.
struct Manager(Child);

impl Manager {
    /// openbox on a display; nothing where it is not installed and need not be.
    fn start(display: &Display) -> Option<Self> {
        let started = Command::new("openbox")
            .env("DISPLAY", display.name())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(child) => {
                std::thread::sleep(Duration::from_secs(1));
                Some(Self(child))
            }
            Err(error) => {
                let required = std::env::var_os("SKIRMISH_REQUIRE_WINDOW").is_some();
                assert!(!required, "openbox is needed: {error}");
                None
            }
        }
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Where on the screen the window's own corner is: a manager puts a frame around it.
fn corner(display: &Display) -> (f32, f32) {
    let said = Command::new("xdotool")
        .env("DISPLAY", display.name())
        .args([
            "search",
            "--name",
            "Skirmish",
            "getwindowgeometry",
            "--shell",
        ])
        .output()
        .expect("xdotool");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let number = |name: &str| {
        let mut lines = said.lines();
        let line = lines.find_map(|line| line.strip_prefix(name));
        line.and_then(|it| it.parse().ok()).unwrap_or(0.0)
    };
    (number("X="), number("Y="))
}

/// The window, and where things are in it.
struct Life<'a> {
    program: Program<'a>,
    layout: &'a Report,
    corner: (f32, f32),
    file: PathBuf,
}

impl Life<'_> {
    fn on_screen(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (x + self.corner.0, y + self.corner.1)
    }

    /// Where a place of the world is on the screen.
    fn at(&self, x: f64, y: f64) -> (f32, f32) {
        self.on_screen(window_at(self.layout, (x, y)))
    }

    fn press(&self, widget: &str) {
        self.program
            .click(self.on_screen(self.layout.middle(widget)));
    }

    fn drag(&self, from: (f32, f32), to: (f32, f32)) {
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        self.program.drag(1, &[from, half, to]);
    }

    /// Saves, and waits until the file is so.
    fn saved(&self, what: &str, is_so: impl Fn(&Scene) -> bool) -> Scene {
        self.program.key("ctrl+s");
        await_saved(&self.file, what, is_so)
    }
}

/// Where the units of an army that were moved stand.
fn moved(army: &Army) -> Vec<Vec2> {
    army.moved.iter().map(|(_, place)| *place).collect()
}

fn live(display: &Display) {
    let scenes = Scenes::new();
    let layout = calm_layout(display);
    // A world is open; the battle is opened as a user does.
    let program = display.open(scenes.path("world.ron"), &[]);
    let corner = corner(display);
    open_by_dialog(&program, "calm");
    program.wait(Duration::from_secs(1));
    let mut life = Life {
        program,
        layout,
        corner,
        file: scenes.calm(),
    };

    // Time stands still, and somebody comes.
    life.program.key("space");
    life.program.click(life.at(240.0, 150.0));
    life.saved("12 have come", |scene| scene.unit_count() == 92);

    // A box around one side; all of it is moved by hand, and a little more by keys.
    life.press("brush.look");
    life.drag(life.at(8.0, 88.0), life.at(92.0, 212.0));
    life.drag(life.at(50.0, 150.0), life.at(130.0, 160.0));
    let scene = life.saved("40 were moved", |scene| scene.armies[0].moved.len() == 40);
    let by_hand = moved(&scene.armies[0]);
    assert!(by_hand.iter().all(|at| at.x > 90.0), "{by_hand:?}");
    life.program.key("Right");
    life.program.key("shift+Down");
    let nudged: Vec<Vec2> = by_hand
        .iter()
        .map(|at| *at + Vec2::new(1.0, 10.0))
        .collect();
    let near = |army: &Army, places: &[Vec2]| {
        let moved = moved(army);
        moved.len() == places.len() && moved.iter().zip(places).all(|(a, b)| a.distance(*b) < 0.01)
    };
    life.saved("the keys moved them", |scene| {
        near(&scene.armies[0], &nudged)
    });

    // All of that is taken back: the keys' part in one, then the hand's.
    life.program.key("ctrl+z");
    life.saved("the keys are undone", |scene| {
        near(&scene.armies[0], &by_hand)
    });
    life.program.key("ctrl+z");
    life.saved("the hand is undone", |scene| {
        scene.armies[0].moved.is_empty()
    });
    life.program.key("ctrl+y");
    life.saved("and done again", |scene| near(&scene.armies[0], &by_hand));

    // Twice as many, three times as many, and the last ones go again.
    life.program.key("ctrl+d");
    life.saved("duplicated", |scene| scene.unit_count() == 132);
    life.program.key("ctrl+c");
    life.program.move_to(life.at(250.0, 60.0));
    life.program.key("ctrl+v");
    life.saved("pasted", |scene| scene.unit_count() == 172);
    life.program.key("Delete");
    life.saved("the pasted are deleted", |scene| scene.unit_count() == 132);

    // Every structure once.
    for (key, kind) in KEYS.iter().zip(Kind::ALL) {
        life.program.key(key);
        life.saved(kind.info().name, |scene| scene.structure.kind == *kind);
    }

    // Saved under a name of one's own; the file that was open stays as it is.
    life.program.key("ctrl+shift+s");
    life.program.wait(OPENING);
    life.program.key("ctrl+a");
    life.program.type_text("mine.ron");
    life.program.key("Return");
    let before = scene::file::read(&scenes.calm()).expect("the file that was open");
    life.file = scenes.path("mine.ron");
    await_saved(&life.file, "saved as mine", |scene| *scene == before);

    // Who wants to quit with changes is asked, thinks again, and goes on.
    life.program.key("ctrl+a");
    life.program.key("Delete");
    life.program.wait(Duration::from_millis(300));
    life.program.key("ctrl+q");
    life.program.wait(Duration::from_millis(500));
    life.program.key("Escape");
    life.program.wait(Duration::from_millis(500));
    let mine = scene::file::read(&life.file).expect("it is there");
    assert_eq!(mine, before, "nothing is saved by asking");
    life.program.key("ctrl+z");
    life.press("brush.orange");
    life.program.click(life.at(300.0, 60.0));
    life.saved("it goes on", |scene| scene.unit_count() == 144);
    let report = life.program.close();
    assert!(report.text("/scene").ends_with("/mine.ron"));
    assert_eq!(report.get("/dirty"), &serde_json::Value::Bool(false));
    assert_eq!(report.text("/structure"), Kind::ALL[11].info().key);
    assert_eq!(report.text("/undo"), "place 12 orange");
}

#[test]
fn an_hour_without_a_window_manager() {
    with_display(live);
}

#[test]
fn an_hour_with_a_window_manager() {
    with_display(|_| {
        let display = Display::another();
        if Manager::start(&display).is_some() {
            live(&display);
        }
    });
}

#[test]
fn a_new_scene_asks_about_changes_is_filled_by_clicks_and_asks_for_a_name() {
    with_display(|display| {
        let scenes = Scenes::new();
        let layout = calm_layout(display);
        let home = tempfile::tempdir().expect("a temporary folder");
        // A scene that has no file yet is saved where the program works.
        let fresh = home.path().join("fresh.ron");
        let program = display.open_at(home, scenes.calm(), (1280, 800), &[]);
        program.click(layout.middle("field"));
        program.key("ctrl+n");
        program.wait(Duration::from_millis(500));
        // Cancelled: the scene that was open goes on.
        program.key("Escape");
        program.key("ctrl+s");
        await_saved(&scenes.calm(), "it goes on", |scene| {
            scene.unit_count() == 92
        });
        // The window hears a moment later that the file is written.
        program.wait(Duration::from_millis(500));
        program.key("ctrl+n");
        program.wait(Duration::from_secs(1));
        program.click(layout.at("field", (0.3, 0.5)));
        program.click(layout.middle("brush.orange"));
        program.click(layout.at("field", (0.7, 0.5)));
        program.key("ctrl+s");
        program.wait(OPENING);
        program.key("ctrl+a");
        program.type_text("fresh");
        program.key("Return");
        let saved = await_saved(&fresh, "saved under its name", |_| true);
        let counts: Vec<u32> = saved.armies.iter().map(|army| army.count).collect();
        assert_eq!(counts, [12, 12]);
        assert!(matches!(saved.armies[0].formation, Formation::Explicit(_)));
        assert!(saved.view.paused);
        let report = program.close();
        // Nobody has given it a name, but its file.
        assert_eq!(saved.name, "Fresh");
        assert_eq!(report.text("/name"), "Fresh");
    });
}
