//! What mouse and keys do that are no commands: lines of the page of help.

/// A line of the help: what the hand does, and what that does.
pub type HelpLine = (&'static str, &'static str);

/// What the mouse does, for the help page: this has no key and no row in a menu.
pub const MOUSE: [HelpLine; 20] = [
    (
        "Click, drag on the field",
        "place units with the brush, or erase them",
    ),
    (
        "Shift+click, Shift+drag",
        "select the unit under the cursor, move it; with the tool Look a click selects, and a drag draws a box, or moves who is selected",
    ),
    ("Drag the character", "the world streams around it"),
    ("Double-click", "the character teleports there (Streaming)"),
    ("Wheel", "zoom at the cursor"),
    (
        "Drag, right drag (Volume)",
        "turn the eye, move it aside; the ring of a slice moves that",
    ),
    (
        "Shift+drag (Volume)",
        "a box around units; from one who is selected it moves all, with Look without Shift",
    ),
    ("Click on an axis (Volume)", "look along it"),
    ("Click (Volume)", "place, erase or select in space"),
    ("Middle or right drag", "pan"),
    (
        "Click on an object",
        "why it is, or is not, loaded (Streaming)",
    ),
    (
        "Drag, Shift+drag (Streaming)",
        "a box around objects, more of them; with Ctrl it may begin on one of them",
    ),
    (
        "Drag what is selected (Streaming)",
        "move those objects; Delete, Ctrl+C, X, V and D are about them too",
    ),
    (
        "Click, drag while a path is drawn",
        "place a point of it, on its line too, and move one; Ctrl+click takes it out",
    ),
    ("Ctrl+wheel on the field", "the radius of the brush"),
    (
        "Drag on the field, stepping",
        "draw what is asked for; drag its handles",
    ),
    (
        "Shift+click, stepping",
        "go to the step of the unit under the cursor",
    ),
    (
        "Click in the tree, stepping",
        "go to the next step of that node",
    ),
    (
        "Press, drag on the timeline",
        "go to a tick, back or ahead on what is known",
    ),
    (
        "Marks of the timeline",
        "a cross: late loads; a dot: time stopped there; a diamond: edits; a triangle down: another structure, and up: the heaviest tick",
    ),
];

/// What keys do that have no row of their own in the table: those that many share, and those of whatever has the keyboard.
pub const KEYS: [HelpLine; 10] = [
    (
        "1 \u{2026} 9, 0, -, =",
        "the structures, in the order of their list",
    ),
    (
        "Arrows",
        "pan; in Streaming they walk the character; with Look they move who is selected, in Volume along the axes",
    ),
    (
        "Tab, Shift+Tab",
        "from one control to the next, or back; a line around it shows where one is",
    ),
    ("Space or Enter on a control", "press it"),
    (
        "Arrows on a slider",
        "a hundredth of its track; Tab goes on to its value, which digits or Enter type anew",
    ),
    (
        "Enter on nothing",
        "a cursor on the field; the arrows move it, with Shift farther",
    ),
    (
        "Enter on the field's cursor",
        "what a click does; with Shift it selects, with Ctrl it takes hold, and lets go",
    ),
    (
        "Arrows in a list",
        "up and down; Page up, Page down, Home and End too in the list of commands, among the scenes in pictures, and on a page",
    ),
    ("Escape in a dialog", "close it, and change nothing"),
    (
        "Space, → and ←, stepping",
        "play the steps, one on, one back (so do . and Shift+.); Home and End jump",
    ),
];
