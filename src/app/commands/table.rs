//! The one table of commands: menus, shortcuts, tooltips, the palette and the help page are all read from it.

use super::command::Command;
use super::layer::Layer;
use super::shortcut::{Shortcut, ctrl, ctrl_shift, plain};
use super::views::VIEWS;
use egui_macroquad::macroquad::miniquad::KeyCode;
use skirmish::partition::Kind;
use std::sync::OnceLock;

/// Under which word of the menu bar a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Scenes and pictures.
    File,
    /// Changes to the battle.
    Edit,
    /// The registry.
    Structure,
    /// Camera, layers, panels.
    View,
    /// Time.
    Run,
    /// This page.
    Help,
    /// In no menu.
    None,
}

impl Menu {
    /// The words of the menu bar, in order.
    pub const BAR: [Self; 6] = [
        Self::File,
        Self::Edit,
        Self::Structure,
        Self::View,
        Self::Run,
        Self::Help,
    ];

    /// The word on the bar.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Structure => "Structure",
            Self::View => "View",
            Self::Run => "Run",
            Self::Help => "Help",
            Self::None => "",
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it does.
    pub command: Command,
    /// What a menu calls it.
    pub title: String,
    /// Where it stands.
    pub menu: Menu,
    /// The keys that mean it; the first is shown.
    pub shortcuts: Vec<Shortcut>,
    /// A sentence for tooltips and help.
    pub help: String,
}

/// The keys that choose structures, in the order of the registry.
pub const STRUCTURE_KEYS: [KeyCode; 12] = [
    KeyCode::Key1,
    KeyCode::Key2,
    KeyCode::Key3,
    KeyCode::Key4,
    KeyCode::Key5,
    KeyCode::Key6,
    KeyCode::Key7,
    KeyCode::Key8,
    KeyCode::Key9,
    KeyCode::Key0,
    KeyCode::Minus,
    KeyCode::Equal,
];

/// The whole table.
pub fn table() -> &'static [Row] {
    static TABLE: OnceLock<Vec<Row>> = OnceLock::new();
    TABLE.get_or_init(build)
}

/// The row of a command.
pub fn row(command: Command) -> Option<&'static Row> {
    table().iter().find(|row| row.command == command)
}

/// The key of a command, as a tooltip adds it.
pub fn keys_of(command: Command) -> String {
    row(command)
        .and_then(|row| row.shortcuts.first())
        .map(|key| key.label())
        .unwrap_or_default()
}

/// The command that a key press means.
pub fn of_key(key: KeyCode, ctrl: bool, shift: bool) -> Option<Command> {
    table()
        .iter()
        .find(|row| {
            row.shortcuts
                .iter()
                .any(|shortcut| shortcut.matches(key, ctrl, shift))
        })
        .map(|row| row.command)
}

fn build() -> Vec<Row> {
    use Command as C;
    use KeyCode as K;
    let mut rows = Vec::new();
    let mut add = |command, menu, title: &str, shortcuts: &[Shortcut], help: &str| {
        rows.push(Row {
            command,
            title: title.to_owned(),
            menu,
            shortcuts: shortcuts.to_vec(),
            help: help.to_owned(),
        });
    };
    add(
        C::New,
        Menu::File,
        "New scene",
        &[ctrl(K::N)],
        "Start an empty field with two sides, under a quadtree as it comes; click to place units.",
    );
    add(
        C::Open,
        Menu::File,
        "Open scene…",
        &[ctrl(K::O)],
        "Open a scene or a recording (.ron).",
    );
    add(
        C::Reload,
        Menu::File,
        "Reload",
        &[],
        "Open the file of this scene again, as it is on the disk by now. Undo brings back what was here.",
    );
    add(
        C::Gallery,
        Menu::File,
        "All scenes…",
        &[ctrl(K::G)],
        "The scenes in pictures, found by what they are called and about.",
    );
    add(
        C::PreviousScene,
        Menu::File,
        "Scene before",
        &[ctrl(K::PageUp)],
        "Open the scene, or the figure, before this one in the list.",
    );
    add(
        C::NextScene,
        Menu::File,
        "Scene after",
        &[ctrl(K::PageDown)],
        "Open the scene, or the figure, after this one in the list.",
    );
    add(
        C::Save,
        Menu::File,
        "Save",
        &[ctrl(K::S)],
        "Save the scene to its file.",
    );
    add(
        C::SaveAs,
        Menu::File,
        "Save as…",
        &[ctrl_shift(K::S)],
        "Save the scene to another file.",
    );
    add(
        C::Describe,
        Menu::File,
        "Name, field and bodies…",
        &[],
        "Give the scene another name, say what it is about, and set the size of its field and of its bodies, and its seed.",
    );
    add(
        C::SaveRecording,
        Menu::File,
        "Save recording…",
        &[],
        "Save what was done since the scene was opened, tick by tick; opened again, it plays.",
    );
    add(
        C::Screenshot,
        Menu::File,
        "Save a picture",
        &[plain(K::F12)],
        "Write a PNG of the window where the program was started.",
    );
    add(
        C::ExportWindow,
        Menu::File,
        "Picture of the window…",
        &[],
        "Export: save a PNG of the window.",
    );
    add(
        C::ExportField,
        Menu::File,
        "Picture of the field…",
        &[],
        "Export: save a PNG of the field alone, in a size of your choice.",
    );
    add(
        C::ExportPlots,
        Menu::File,
        "Plots as CSV…",
        &[],
        "Export: save the plotted figures of the last ten seconds, a row for each tick and structure.",
    );
    add(
        C::ExportTable,
        Menu::File,
        "Table as CSV…",
        &[],
        "Export: save the table of all structures, or of one with every value of a setting, a row each.",
    );
    add(
        C::ExportLate,
        Menu::File,
        "Late loads as CSV…",
        &[],
        "Export: save the late loads that are known, those of other runs among them, a row for each object that is known.",
    );
    add(
        C::ExportCounters,
        Menu::File,
        "Counters as JSON…",
        &[],
        "Export: save the exact counters of the present tick.",
    );
    add(
        C::Settings,
        Menu::File,
        "Settings…",
        &[ctrl(K::Comma)],
        "Theme, colours for colour-blind eyes, scale of the interface, marked sides, reduced motion, hints.",
    );
    add(
        C::Quit,
        Menu::File,
        "Quit",
        &[ctrl(K::Q)],
        "Close the window.",
    );
    add(
        C::Undo,
        Menu::Edit,
        "Undo",
        &[ctrl(K::Z)],
        "Take the last edit back. Time goes on from where it is; the timeline goes back in it.",
    );
    add(
        C::Redo,
        Menu::Edit,
        "Redo",
        &[ctrl_shift(K::Z), ctrl(K::Y)],
        "Take the last undo back.",
    );
    add(
        C::Cut,
        Menu::Edit,
        "Cut",
        &[ctrl(K::X)],
        "Copy the units, or in Streaming the objects, that are selected to the clipboard, and remove them.",
    );
    add(
        C::Copy,
        Menu::Edit,
        "Copy",
        &[ctrl(K::C)],
        "Copy the units, or in Streaming the objects, that are selected to the clipboard, as text.",
    );
    add(
        C::Paste,
        Menu::Edit,
        "Paste",
        &[ctrl(K::V)],
        "Place the units, or in Streaming the objects, of the clipboard at the cursor.",
    );
    add(
        C::Duplicate,
        Menu::Edit,
        "Duplicate",
        &[ctrl(K::D)],
        "Place copies of the units, or in Streaming of the objects, that are selected beside them.",
    );
    add(
        C::ToGround,
        Menu::Edit,
        "Put on the ground",
        &[],
        "Put the units that are selected in space on the ground below or above them.",
    );
    add(
        C::DeleteSelection,
        Menu::Edit,
        "Delete",
        &[plain(K::Delete)],
        "Remove the units, or in Streaming the objects, that are selected.",
    );
    add(
        C::SelectAll,
        Menu::Edit,
        "Select all",
        &[ctrl(K::A)],
        "Select every unit, or in Streaming every object. Shift+drag draws a box around some; with Look, and in Streaming, a drag alone does.",
    );
    add(
        C::AddObject,
        Menu::Edit,
        "Add an object",
        &[],
        "Add an object to the world that streams, at the cursor: with the picture that is chosen in the list 'new object', the last one in the left panel.",
    );
    add(
        C::DrawPath,
        Menu::Edit,
        "Draw a path",
        &[],
        "Draw a path of the character on the field of Streaming, point by point; Escape ends it.",
    );
    add(
        C::RecordPath,
        Menu::Edit,
        "Record a path",
        &[],
        "Record where the character goes from now on, tick by tick; once more ends it, and the scene has the path.",
    );
    add(
        C::StreamDefaults,
        Menu::Edit,
        "All settings of Streaming back",
        &[],
        "Set index, rectangles, disk, budgets and memory cap as they were when the scene was opened: one edit, which undo takes back.",
    );
    add(
        C::Escape,
        Menu::None,
        "Cancel",
        &[plain(K::Escape)],
        "Cancel what takes long; end a drag, a dialog, a selection.",
    );
    for (index, kind) in Kind::ALL.iter().enumerate() {
        let info = kind.info();
        let keys: Vec<_> = STRUCTURE_KEYS
            .get(index)
            .map(|key| plain(*key))
            .into_iter()
            .collect();
        add(
            C::Structure(index),
            Menu::Structure,
            info.name,
            &keys,
            info.what,
        );
    }
    add(
        C::PreviousStructure,
        Menu::Structure,
        "Structure before",
        &[plain(K::LeftBracket)],
        "Choose the structure before this one; the battle goes on.",
    );
    add(
        C::NextStructure,
        Menu::Structure,
        "Structure after",
        &[plain(K::RightBracket)],
        "Choose the structure after this one; the battle goes on.",
    );
    add(
        C::Rank,
        Menu::Structure,
        "Which is fastest? All in a table",
        &[],
        "Every structure on this very moment, in the order of time, tests or memory (Compare, All structures).",
    );
    add(
        C::Sweep,
        Menu::Structure,
        "Which setting is best? All in a table",
        &[],
        "This structure with every value of a setting, as the cell size, on this very moment (Compare, All structures).",
    );
    add(
        C::MeasureAgain,
        Menu::Structure,
        "Measure again",
        &[],
        "Read every row of the table anew, all of them in turns (Compare, All structures).",
    );
    add(
        C::CopyRust,
        Menu::Structure,
        "Copy as Rust",
        &[],
        "Copy the structure of the first pane, or of the one that is chosen above a table, with its knobs as lines of Rust that make the same index with the library.",
    );
    for row in VIEWS {
        add(
            C::View(row.view),
            Menu::View,
            row.name,
            &[row.shortcut],
            row.help,
        );
    }
    add(
        C::FrameAll,
        Menu::View,
        "Frame all",
        &[plain(K::Home)],
        "Show the whole field, and units that were pushed out of it.",
    );
    add(
        C::ZoomIn,
        Menu::View,
        "Zoom in",
        &[plain(K::PageUp)],
        "Come nearer.",
    );
    add(
        C::ZoomOut,
        Menu::View,
        "Zoom out",
        &[plain(K::PageDown)],
        "Go farther away.",
    );
    add(
        C::Larger,
        Menu::View,
        "Larger interface",
        &[
            // Plus is Shift and this key on many layouts, and a key of its own beside the digits.
            Shortcut {
                key: K::Equal,
                ctrl: true,
                shift: None,
            },
            ctrl(K::KpAdd),
        ],
        "Make text, panels and buttons larger, up to three times.",
    );
    add(
        C::Smaller,
        Menu::View,
        "Smaller interface",
        &[ctrl(K::Minus), ctrl(K::KpSubtract)],
        "Make text, panels and buttons smaller.",
    );
    add(
        C::PlainScale,
        Menu::View,
        "Plain interface scale",
        &[ctrl(K::Key0), ctrl(K::Kp0)],
        "Make text, panels and buttons as large as the display wants them.",
    );
    for (way, name, key) in [
        ((-1, 0), "Pan left", K::Left),
        ((1, 0), "Pan right", K::Right),
        ((0, -1), "Pan up", K::Up),
        ((0, 1), "Pan down", K::Down),
    ] {
        add(
            C::Pan(way.0, way.1),
            Menu::None,
            name,
            &[plain(key)],
            "Move the view by a tenth; with Look, who is selected by 1 m.",
        );
        let far = Shortcut {
            shift: Some(true),
            ..plain(key)
        };
        add(
            C::Pan(way.0 * 5, way.1 * 5),
            Menu::None,
            &format!("{name} by half"),
            &[far],
            "Move the view by half; with Look, who is selected by 10 m.",
        );
    }
    for (layer, key, help) in [
        (Layer::Units, K::U, "Show or hide the units."),
        (
            Layer::Nodes,
            K::N,
            "Show or hide the regions of the structure.",
        ),
        (Layer::Load, K::L, "Show or hide how full the regions are."),
        (
            Layer::Query,
            K::Q,
            "Show or hide the query under the cursor.",
        ),
        (
            Layer::Tests,
            K::T,
            "Show or hide what the query tested in vain and what it pruned.",
        ),
        (
            Layer::Objects,
            K::O,
            "Show or hide the objects of the world.",
        ),
        (
            Layer::Rectangles,
            K::K,
            "Show or hide the need, load and unload rectangles of one object.",
        ),
        (
            Layer::AllRectangles,
            K::E,
            "Show or hide the load and unload rectangles of every object; where there are very many of them in view, of each second, third and so on.",
        ),
        (
            Layer::Unions,
            K::A,
            "Show or hide the boxes of the load tree that the last tick entered.",
        ),
        (
            Layer::Intersections,
            K::B,
            "Show or hide the boxes of the unload tree that the last tick looked at.",
        ),
        (Layer::Path, K::P, "Show or hide the way of the character."),
    ] {
        add(
            C::Layer(layer),
            Menu::View,
            layer.name(),
            &[plain(key)],
            help,
        );
    }
    add(
        C::TogglePanels,
        Menu::View,
        "Panels",
        &[ctrl(K::B)],
        "Show or hide the panels.",
    );
    add(
        C::Caption,
        Menu::View,
        "Caption",
        &[plain(K::F6)],
        "Show or hide what the scene says of itself.",
    );
    add(
        C::Tree,
        Menu::View,
        "Tree",
        &[plain(K::F8)],
        "Show the tree of the structure below the field, or its cells in a row; node and region are pointed at together.",
    );
    add(
        C::FullScreen,
        Menu::View,
        "Full screen",
        &[plain(K::F11)],
        "Fill the screen, or return to a window.",
    );
    add(
        C::LightTheme,
        Menu::View,
        "Light theme",
        &[plain(K::F9)],
        "Dark marks on light surfaces, whatever the desktop has.",
    );
    add(
        C::ReducedMotion,
        Menu::View,
        "Reduced motion",
        &[],
        "Nothing moves but what happens: no flashes at splits, no eased camera, no blinking.",
    );
    add(
        C::FieldCursor,
        Menu::View,
        "Cursor by keys",
        &[plain(K::Enter)],
        "A cursor on the field: the arrows move it (with Shift farther), Enter clicks, Shift+Enter selects, Ctrl+Enter takes hold and lets go, Escape ends. While one steps the key leaves the arrows to the steps, and the menu does not.",
    );
    add(
        C::MenuBar,
        Menu::None,
        "Menus by keys",
        &[plain(K::F10)],
        "Open the first menu: Up and Down walk a menu, Left and Right go on to those beside it, Enter chooses, Escape or the same key closes.",
    );
    add(
        C::TogglePause,
        Menu::Run,
        "Run or pause",
        &[plain(K::Space)],
        "Run, or stop at the present tick.",
    );
    add(
        C::Step,
        Menu::Run,
        "One step",
        &[plain(K::Period)],
        "Go one tick on.",
    );
    add(
        C::StepBack,
        Menu::Run,
        "One step back",
        &[Shortcut {
            key: K::Period,
            ctrl: false,
            shift: Some(true),
        }],
        "Go one tick back.",
    );
    add(
        C::PreviousMark,
        Menu::Run,
        "Mark before",
        &[ctrl(K::Left)],
        "Go back to where something happened last: a switch, an edit, a late load.",
    );
    add(
        C::NextMark,
        Menu::Run,
        "Mark after",
        &[ctrl(K::Right)],
        "Go on to where something happens next.",
    );
    add(
        C::GoToHeaviest,
        Menu::Run,
        "Go to the heaviest tick",
        &[plain(K::W)],
        "Go to the tick with the most tests.",
    );
    add(
        C::GoToStart,
        Menu::Run,
        "Go to the first tick",
        &[],
        "Go back in time to the beginning; nothing is lost, unlike at Restart.",
    );
    add(
        C::GoToEnd,
        Menu::Run,
        "Go to the last tick",
        &[plain(K::End)],
        "Go to the end of what is known.",
    );
    add(
        C::OtherFuture,
        Menu::Run,
        "Other future",
        &[],
        "Bring back what was known before an edit in the past has ended it, at the tick that is shown as far as it reaches; what is here is put aside for it.",
    );
    add(
        C::StopWhen,
        Menu::Run,
        "Stop when…",
        &[],
        "Let time stop by itself when something happens: a split, a heavy tick, a late load and others, behind the ring beside the buttons of time.",
    );
    add(
        C::LookInto,
        Menu::Run,
        "Step through an operation",
        &[plain(K::F7)],
        "Take one query or edit apart, in Streaming the next decision: each event, why it happened, forwards and back.",
    );
    add(
        C::Pin,
        Menu::Run,
        "Pin this moment",
        &[plain(K::I)],
        "Keep the figures of this tick as a column beside the present; saved with the recording.",
    );
    add(
        C::Restart,
        Menu::Run,
        "Restart",
        &[plain(K::R)],
        "Start the scene again, as it has been edited.",
    );
    add(
        C::SwapSides,
        Menu::Run,
        "Swap sides",
        &[],
        "Give every army to the other side, and start again.",
    );
    add(
        C::Slower,
        Menu::Run,
        "Slower",
        &[plain(K::Comma)],
        "Halve the pace.",
    );
    add(
        C::Faster,
        Menu::Run,
        "Faster",
        &[plain(K::M)],
        "Double the pace.",
    );
    add(
        C::Help,
        Menu::Help,
        "Help",
        &[
            plain(K::F1),
            Shortcut {
                key: K::Slash,
                ctrl: false,
                shift: None,
            },
        ],
        "What the window does, and every key.",
    );
    add(
        C::Words,
        Menu::Help,
        "What the numbers mean",
        &[],
        "Every word that stands beside a number, in a sentence each: a glossary.",
    );
    add(
        C::Figures,
        Menu::Help,
        "Figures that explain…",
        &[],
        "Small scenes that show one thing each: half of the neighbours, a split, what the sources get wrong.",
    );
    add(
        C::Palette,
        Menu::Help,
        "All commands…",
        &[ctrl(K::P)],
        "Find a command by its name.",
    );
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_shortcuts_clash() {
        let all: Vec<_> = table()
            .iter()
            .flat_map(|row| row.shortcuts.iter().map(move |key| (row, *key)))
            .collect();
        for (index, (row, key)) in all.iter().enumerate() {
            for (other_row, other) in &all[index + 1..] {
                assert!(
                    !key.clashes(*other),
                    "{} and {} share {}",
                    row.title,
                    other_row.title,
                    key.label()
                );
            }
        }
    }

    #[test]
    fn every_command_says_what_it_does() {
        for row in table() {
            assert!(
                !row.title.is_empty() && row.help.ends_with('.'),
                "{}",
                row.title
            );
        }
    }

    #[test]
    fn every_structure_has_a_row_and_a_key() {
        for index in 0..Kind::ALL.len() {
            let row = row(Command::Structure(index)).expect("a row in the menu");
            assert!(!row.shortcuts.is_empty(), "{} has no key", row.title);
        }
    }
}
