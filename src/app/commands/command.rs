//! What the user can tell the program to do.

use super::layer::Layer;
use super::views::View;

/// Something that the user can tell the program to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Starts an empty field with two sides.
    New,
    /// Shows the dialog that opens a scene.
    Open,
    /// Opens the file of the scene again, as it is on the disk by now.
    Reload,
    /// Saves to the scene's own file.
    Save,
    /// Shows the dialog that saves to another file.
    SaveAs,
    /// Shows the dialog that saves what was done as a recording.
    SaveRecording,
    /// Shows the page on which the scene gets a name and a caption.
    Describe,
    /// Writes a picture of the window.
    Screenshot,
    /// Shows the dialog that saves a picture of the window.
    ExportWindow,
    /// Shows the page that saves a picture of the field alone.
    ExportField,
    /// Shows the dialog that saves the plots as CSV.
    ExportPlots,
    /// Shows the dialog that saves the table of all structures, or of a setting, as CSV.
    ExportTable,
    /// Shows the dialog that saves the late loads as CSV.
    ExportLate,
    /// Shows the dialog that saves the counters as JSON.
    ExportCounters,
    /// Shows or hides what the user chooses for good.
    Settings,
    /// Shows every structure on one moment, in a table.
    Rank,
    /// Shows the structure with every value of one of its settings, in a table.
    Sweep,
    /// Reads every row of the table that is shown anew.
    MeasureAgain,
    /// Copies the structure and its knobs as Rust.
    CopyRust,
    /// Makes the interface larger.
    Larger,
    /// Makes the interface smaller.
    Smaller,
    /// Makes the interface as large as it comes.
    PlainScale,
    /// Ends the program.
    Quit,
    /// Takes the last edit back.
    Undo,
    /// Takes the last undo back.
    Redo,
    /// Copies who is selected to the clipboard.
    Copy,
    /// The same, and removes them.
    Cut,
    /// Places what the clipboard holds.
    Paste,
    /// Places copies of who is selected beside them.
    Duplicate,
    /// Removes who is selected.
    DeleteSelection,
    /// Puts who is selected in space on the ground.
    ToGround,
    /// Selects everybody.
    SelectAll,
    /// Adds an object to the world that streams.
    AddObject,
    /// Draws a path of the character point by point, or ends that.
    DrawPath,
    /// Records the way of the character as a path, or ends that.
    RecordPath,
    /// Sets streaming as it was when the scene was opened.
    StreamDefaults,
    /// Ends what is under way: a drag, a dialog, a selection.
    Escape,
    /// Runs, or stops at the present tick.
    TogglePause,
    /// Goes one tick on.
    Step,
    /// Goes one tick back.
    StepBack,
    /// Goes back to the tick at which something happened last.
    PreviousMark,
    /// Goes on to the tick at which something happens next, as far as that is known.
    NextMark,
    /// Goes to the tick with the most tests.
    GoToHeaviest,
    /// Goes to the last tick that is known.
    GoToEnd,
    /// Goes to the first tick.
    GoToStart,
    /// Brings back the future that an edit in the past has ended.
    OtherFuture,
    /// Shows what time can be made to stop for.
    StopWhen,
    /// Looks into one operation step by step, or leaves it.
    LookInto,
    /// Shows the tree of the structure beside the battle, or hides it.
    Tree,
    /// Keeps the figures of the present moment beside those to come.
    Pin,
    /// Starts the scene again.
    Restart,
    /// Gives every army to the other side, and starts again.
    SwapSides,
    /// Halves the pace.
    Slower,
    /// Doubles the pace.
    Faster,
    /// Chooses the structure at this place of the registry.
    Structure(usize),
    /// Chooses the structure before.
    PreviousStructure,
    /// Chooses the structure after.
    NextStructure,
    /// Shows all of the field.
    FrameAll,
    /// Comes nearer.
    ZoomIn,
    /// Goes farther away.
    ZoomOut,
    /// Moves the view by this many tenths of its size, right and down.
    Pan(i8, i8),
    /// Shows or hides a layer.
    Layer(Layer),
    /// Switches between the views of the scene.
    View(View),
    /// Shows or hides the panels.
    TogglePanels,
    /// Shows or hides what the scene says of itself.
    Caption,
    /// Shows or hides the scenes in pictures.
    Gallery,
    /// Shows those of them that explain one thing each.
    Figures,
    /// Opens the scene before this one in the list.
    PreviousScene,
    /// Opens the scene after this one.
    NextScene,
    /// Fills the screen, or returns to a window.
    FullScreen,
    /// Switches between dark and light.
    LightTheme,
    /// Lets nothing move but what happens, or lets it.
    ReducedMotion,
    /// Gives the arrow keys a cursor on the field, and Enter its click.
    FieldCursor,
    /// Opens the first menu of the bar, or closes the one that is open.
    MenuBar,
    /// Shows or hides the help page.
    Help,
    /// Shows what the words beside numbers mean.
    Words,
    /// Shows or hides the list of all commands.
    Palette,
}

impl Command {
    /// Whether it changes what happens.
    pub const fn is_edit(self) -> bool {
        matches!(
            self,
            Self::Undo
                | Self::Redo
                | Self::OtherFuture
                | Self::DeleteSelection
                | Self::Cut
                | Self::Paste
                | Self::Duplicate
                | Self::ToGround
                | Self::AddObject
                | Self::RecordPath
                | Self::StreamDefaults
                | Self::Restart
                | Self::SwapSides
                | Self::Structure(_)
                | Self::PreviousStructure
                | Self::NextStructure
        )
    }

    /// Whether it opens a page or a dialog in which one types at once, or may open one: scenes to choose from, where this one has nothing
    /// to show in a view.
    pub const fn opens_field(self) -> bool {
        matches!(
            self,
            Self::View(View::Streaming | View::Volume)
                | Self::Open
                | Self::Save
                | Self::SaveAs
                | Self::SaveRecording
                | Self::Describe
                | Self::ExportWindow
                | Self::ExportPlots
                | Self::ExportTable
                | Self::ExportLate
                | Self::ExportCounters
                | Self::Gallery
                | Self::Figures
                | Self::Words
                | Self::Palette
        )
    }

    /// Whether it is about the armies and their structure, and means nothing where neither is seen.
    pub const fn is_of_battle(self) -> bool {
        matches!(
            self,
            Self::SwapSides
                | Self::Tree
                | Self::CopyRust
                | Self::Structure(_)
                | Self::PreviousStructure
                | Self::NextStructure
                | Self::Rank
                | Self::Sweep
        )
    }
}
