//! Every control of every view, as assistive technology is told of them: each has a name, each is pressed once, and each has an effect
//! or is known to have none.

use super::*;
use crate::app::commands::{Menu, View};
use crate::app::scenes::Subject;
use crate::app::state::{GalleryPage, HelpPage, RunMode};
use egui_macroquad::egui::accesskit::{Action, ActionRequest, Node, NodeId, Role};
use std::collections::BTreeMap;

/// A flight with a slice through it.
const VOLUME: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/swarm.ron"));

/// Controls that do nothing where they are pressed here, and why.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("knobs: reset", "every knob stands at its default"),
    ("One step back", "it is the first tick"),
    ("Restart", "it is the first tick"),
    ("Delete the selected unit", "nothing is selected"),
    ("Scene before", "the test's scene lies in no folder"),
    ("Scene after", "the test's scene lies in no folder"),
    ("Frame all", "all is in sight"),
    ("One step back (Shift+.).", "no step has been taken"),
    ("To the beginning (Home).", "no step has been taken"),
    ("Mark before", "nothing has happened"),
    ("Mark after", "nothing has happened"),
    ("Slower", "said by the pace, which nobody is told in words"),
    ("One step on (.).", "all steps have been taken"),
    ("To the end (End).", "all steps have been taken"),
    ("Show again", "no hint has been seen"),
    ("Count anew", "nothing has been counted"),
    ("Order by Structure", "it is ordered so"),
    ("disc", "a disc is asked about, and is as large as it was"),
    (
        "Measure again",
        "where no time is shown it comes out as it was",
    ),
];

/// Places of which every control is pressed; of the others those that nobody sees without what was opened.
const WHOLE: [&str; 3] = ["battle", "streaming", "volume"];

/// How a place with controls is come to.
struct Scene {
    name: &'static str,
    text: &'static str,
    open: fn(&mut Window),
}

const SCENES: &[Scene] = &[
    Scene {
        name: "battle",
        text: BATTLE,
        open: |_| {},
    },
    Scene {
        name: "streaming",
        text: WORLD,
        open: |window| window.app.view = View::Streaming,
    },
    Scene {
        name: "volume",
        text: VOLUME,
        open: |window| window.app.set_slice(Some(0)),
    },
    Scene {
        name: "compare",
        text: BATTLE,
        open: |window| window.app.run(Command::View(View::Compare)),
    },
    Scene {
        name: "table of all structures",
        text: BATTLE,
        open: |window| {
            window.app.run(Command::View(View::Compare));
            window.app.all_structures = true;
        },
    },
    Scene {
        name: "table of the values of a setting",
        text: BATTLE,
        open: |window| window.app.run(Command::Sweep),
    },
    Scene {
        name: "stepping",
        text: BATTLE,
        open: |window| window.app.run(Command::LookInto),
    },
    Scene {
        name: "tree",
        text: BATTLE,
        open: |window| window.app.run(Command::Tree),
    },
    Scene {
        name: "list of commands",
        text: BATTLE,
        open: |window| window.app.run(Command::Palette),
    },
    Scene {
        name: "guide",
        text: BATTLE,
        open: |window| window.app.pages.help = Some(HelpPage::Guide),
    },
    Scene {
        name: "words",
        text: BATTLE,
        open: |window| window.app.pages.help = Some(HelpPage::Words(String::new())),
    },
    Scene {
        name: "scenes in pictures",
        text: BATTLE,
        open: |window| {
            window.app.pages.gallery = Some(GalleryPage {
                only: Some(Subject::World),
                ..GalleryPage::default()
            });
        },
    },
    Scene {
        name: "settings",
        text: BATTLE,
        open: |window| window.app.run(Command::Settings),
    },
    Scene {
        name: "name and caption",
        text: BATTLE,
        open: |window| window.app.run(Command::Describe),
    },
    Scene {
        name: "picture of the field",
        text: BATTLE,
        open: |window| window.app.run(Command::ExportField),
    },
    Scene {
        name: "notice",
        text: BATTLE,
        open: |window| window.app.fail("Something failed."),
    },
    Scene {
        name: "stop list",
        text: BATTLE,
        open: |window| window.press_named("Stop when\u{2026}"),
    },
    Scene {
        name: "list of scenes",
        text: BATTLE,
        open: |window| window.press_named("Scene: Calm"),
    },
];

impl Window {
    fn open_told(scene: &Scene) -> Self {
        let mut window = Self::open(scene.text);
        window.ctx.enable_accesskit();
        window.size = vec2(1440.0, 1400.0);
        window.app.set_mode(RunMode::Paused);
        window.app.serve_library();
        for _ in 0..3 {
            window.frame(&[]);
        }
        (scene.open)(&mut window);
        for _ in 0..4 {
            window.frame(&[]);
        }
        window
    }

    /// The controls, by what assistive technology calls them.
    fn tree(&self) -> BTreeMap<u64, Node> {
        let update = self.output.accesskit_update.as_ref().expect("a tree");
        update
            .nodes
            .iter()
            .map(|(id, node)| (id.0, node.clone()))
            .collect()
    }

    fn ask(&mut self, id: u64, action: Action) {
        self.asked
            .push(Event::AccessKitActionRequest(ActionRequest {
                action,
                target: NodeId(id),
                data: None,
            }));
        for _ in 0..3 {
            self.frame(&[]);
        }
    }

    fn press_named(&mut self, name: &str) {
        let tree = self.tree();
        let found = tree.iter().find(|(_, node)| node.label() == Some(name));
        let (id, _) = found.unwrap_or_else(|| panic!("no control is called {name}"));
        self.ask(*id, Action::Click);
    }

    /// All that a press could change, in words.
    fn all(&self) -> String {
        use std::fmt::Write;
        let app = &self.app;
        let mut all = String::new();
        for (id, node) in self.tree() {
            let (label, value) = (node.label(), node.value());
            let number = node.numeric_value();
            let _ = writeln!(
                all,
                "{id} {label:?} {value:?} {number:?} {:?}",
                node.toggled()
            );
        }
        let camera = (app.camera, app.space.eye, app.space.slice);
        let _ = writeln!(
            all,
            "{:?} {:?} {:?} {:?}",
            app.pages, app.requests, app.picked, camera
        );
        let _ = writeln!(all, "{:?} {:?} {}", app.layers, app.brush, app.pace);
        let _ = writeln!(all, "{:?} {:?} {:?}", app.view, app.mode, app.undo_names);
        let _ = writeln!(all, "{:?} {:?}", app.place.tick, app.pins.len());
        let notice = app.notice.as_ref().map(|notice| &notice.text);
        let _ = writeln!(
            all,
            "{notice:?} {:?}",
            self.ctx.memory(|memory| memory.focused())
        );
        let popup = self.ctx.memory(|memory| memory.any_popup_open());
        let _ = writeln!(all, "{:?} {} {}", app.settings, app.light, app.panels);
        let _ = writeln!(all, "{popup} {} {}", app.menu_open, app.scene.name);
        let stepping = app
            .stepping
            .as_ref()
            .map(|it| (it.at(), it.pace, it.plays, it.tool));
        let _ = writeln!(all, "{stepping:?} {}", app.lanes.len());
        all
    }
}

/// What is to be asked of a control, if it is one that does something.
fn action_of(node: &Node) -> Option<Action> {
    if node.is_disabled() {
        return None;
    }
    match node.role() {
        Role::Slider => Some(Action::Increment),
        Role::TextInput | Role::MultilineTextInput => Some(Action::Focus),
        _ if node.supports_action(Action::Click) => Some(Action::Click),
        _ => None,
    }
}

/// Whether pressing a control is choosing what is chosen already.
fn is_chosen(node: &Node) -> bool {
    use egui_macroquad::egui::accesskit::Toggled;
    let one_of_many = matches!(node.role(), Role::RadioButton | Role::Button);
    // The line in which one types has the keyboard from the first.
    let is_line = matches!(node.role(), Role::TextInput | Role::MultilineTextInput);
    is_line || (node.toggled() == Some(Toggled::True) && one_of_many)
}

/// Bars that scroll and the ground under a page are egui's own: it gives them no names.
fn is_of_egui(node: &Node, size: Vec2) -> bool {
    let Some(bounds) = node.bounds() else {
        return true;
    };
    let (width, height) = (bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
    let is_bar = width.min(height) <= 12.0;
    // The ground of a popup takes the clicks between its controls.
    let is_ground = node.role() == Role::Unknown && width.min(height) > 100.0;
    is_bar || is_ground || (width >= f64::from(size.x) && height >= f64::from(size.y))
}

fn press_all(name: &str) {
    let scene = SCENES
        .iter()
        .find(|scene| scene.name == name)
        .expect("a scene");
    // What lies under a page, or beside something that was opened, is pressed where nothing is open.
    let closed = Scene {
        open: |_| {},
        ..*scene
    };
    let known = match WHOLE.contains(&name) {
        true => BTreeMap::new(),
        false => Window::open_told(&closed).tree(),
    };
    let window = Window::open_told(scene);
    let before = window.all();
    let mut idle = Vec::new();
    let mut pressed = 0;
    for (id, node) in window.tree() {
        let Some(action) = action_of(&node) else {
            continue;
        };
        if known.contains_key(&id) {
            continue;
        }
        let name = node.label().or(node.value()).unwrap_or_default().to_owned();
        if name.is_empty() && is_of_egui(&node, window.size) {
            continue;
        }
        let (role, bounds) = (node.role(), node.bounds());
        if name.is_empty() {
            idle.push(format!("no name of {role:?}, {bounds:?}"));
        }
        let mut window = Window::open_told(scene);
        assert_eq!(
            before,
            window.all(),
            "nothing differs from one time to the next"
        );
        window.ask(id, action);
        let mut after = window.all();
        if before == after && action == Action::Increment {
            window.ask(id, Action::Decrement);
            after = window.all();
        }
        assert!(!window.app.worker.has_ended(), "{name} ends the session");
        let is_known = WITHOUT_EFFECT.iter().any(|(known, _)| *known == name);
        if before == after && !is_known && !is_chosen(&node) {
            idle.push(format!("{name} ({role:?}, {bounds:?})"));
        }
        pressed += 1;
    }
    assert!(
        idle.is_empty(),
        "no effect, or no name:\n  {}",
        idle.join("\n  ")
    );
    assert!(pressed >= 1, "{pressed} controls");
}

/// A test for each place with controls, so that they run side by side.
macro_rules! pressed {
    ($($test:ident => $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            press_all($name);
        })*

        #[test]
        fn every_place_has_a_test() {
            let tested = [$($name),*];
            let scenes: Vec<_> = SCENES.iter().map(|scene| scene.name).collect();
            assert_eq!(scenes, tested);
        }
    };
}

pressed! {
    every_control_of_the_battle_does_something => "battle",
    every_control_of_streaming_does_something => "streaming",
    every_control_of_the_volume_does_something => "volume",
    every_control_of_compare_does_something => "compare",
    every_control_of_the_table_does_something => "table of all structures",
    every_control_of_the_table_of_values_does_something => "table of the values of a setting",
    every_control_of_stepping_does_something => "stepping",
    every_control_of_the_tree_does_something => "tree",
    every_control_of_the_list_of_commands_does_something => "list of commands",
    every_control_of_the_guide_does_something => "guide",
    every_control_of_the_words_does_something => "words",
    every_control_of_the_gallery_does_something => "scenes in pictures",
    every_control_of_the_settings_does_something => "settings",
    every_control_of_the_names_does_something => "name and caption",
    every_control_of_the_picture_does_something => "picture of the field",
    every_control_of_a_notice_does_something => "notice",
    every_control_of_the_stops_does_something => "stop list",
    every_control_of_the_list_of_scenes_does_something => "list of scenes",
}

#[test]
fn the_switch_of_the_steps_on_the_card_of_a_figure_is_pressed_by_its_name() {
    let scene = Scene {
        name: "figure",
        text: include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/scenes/figures/half-neighbourhood.ron"
        )),
        open: |window| window.app.run(Command::View(View::Compare)),
    };
    let mut window = Window::open_told(&scene);
    assert!(!window.app.is_stepping());
    window.press_named("Step through");
    assert!(window.app.is_stepping());
}

#[test]
fn every_entry_of_every_menu_is_chosen_once() {
    let mut idle = Vec::new();
    for menu in Menu::BAR {
        let scene = Scene {
            name: menu.name(),
            text: BATTLE,
            open: |_| {},
        };
        let open = |window: &mut Window| window.press_named(menu.name());
        let mut window = Window::open_told(&scene);
        let closed = window.tree();
        open(&mut window);
        let opened = window.tree();
        let entries: Vec<_> = opened
            .iter()
            .filter(|(id, _)| !closed.contains_key(id))
            .collect();
        assert!(entries.len() >= 2, "{} holds nothing", menu.name());
        for (id, node) in entries {
            let Some(action) = action_of(node) else {
                continue;
            };
            let name = node.label().unwrap_or_default();
            let mut window = Window::open_told(&scene);
            let before = window.all();
            open(&mut window);
            window.ask(*id, action);
            let after = window.all();
            let is_known = WITHOUT_EFFECT.iter().any(|(known, _)| *known == name);
            if before == after && !is_known && !is_chosen(node) {
                idle.push(name.to_owned());
            }
            assert!(!window.app.worker.has_ended(), "{name} ends the session");
        }
    }
    assert!(idle.is_empty(), "they do nothing: {idle:?}");
}

#[test]
fn the_tree_holds_menus_structures_knobs_and_the_field_by_their_names() {
    let window = Window::open_told(&SCENES[0]);
    let tree = window.tree();
    let labels: Vec<_> = tree.values().filter_map(Node::label).collect();
    for name in [
        "File",
        "Run",
        "quadtree",
        "linked grid",
        "capacity",
        "Run or pause",
        "Commands",
    ] {
        assert!(labels.contains(&name), "{name} is not among {labels:?}");
    }
    assert!(
        labels
            .iter()
            .any(|label| label.starts_with("Field, Battle: 20 units"))
    );
    let slider = tree
        .values()
        .find(|node| node.label() == Some("capacity"))
        .expect("a knob");
    assert_eq!(slider.role(), Role::Slider);
    assert_eq!(slider.numeric_value(), Some(24.0));
    assert!(slider.min_numeric_value().is_some());
}
