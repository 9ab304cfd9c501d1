//! Which pages lie over the field, and the scenes that can be chosen on them.

use super::{App, DescribePage};
use crate::app::scenes::Subject;

/// Which pages lie over the field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pages {
    /// The help, and which of its pages.
    pub help: Option<HelpPage>,
    /// The list of all commands, with what was typed into it.
    pub palette: Option<FinderPage>,
    /// What was chosen in it, the latest first, each by its title: these stand first while nothing is typed.
    pub recent: Vec<String>,
    /// The scenes in pictures.
    pub gallery: Option<GalleryPage>,
    /// What the user has chosen for good.
    pub settings: bool,
    /// The picture of the field, and which size is chosen for it.
    pub picture: Option<usize>,
    /// What the scene is called and says of itself.
    pub describe: Option<DescribePage>,
}

/// The list of all commands, and of whatever else can be called by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinderPage {
    /// What was typed into it.
    pub typed: String,
    /// Which of those that are shown is lit: keys and pointer share it.
    pub chosen: usize,
    /// The objects of the world that have such a name or number.
    pub objects: FoundObjects,
}

/// A page of the help.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HelpPage {
    /// What the window does: mouse, keys, structures, sources.
    #[default]
    Guide,
    /// What the words beside numbers mean, with what was typed to find some of them.
    Words(String),
}

/// The page of the scenes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GalleryPage {
    /// What was typed into it.
    pub typed: String,
    /// Whether what is typed next comes in its place, for nobody has typed it.
    pub gives_way: bool,
    /// Which of those that are shown the keys have reached.
    pub chosen: usize,
    /// Of which only those are shown that have it; `None` for all.
    pub only: Option<Subject>,
}

impl Pages {
    /// Closes the page that lies over the others. Whether there was one.
    pub fn close_topmost(&mut self) -> bool {
        self.palette.take().is_some()
            || self.picture.take().is_some()
            || self.describe.take().is_some()
            || std::mem::take(&mut self.settings)
            || self.gallery.take().is_some()
            || self.help.take().is_some()
    }

    /// Opens the help at a page, or closes it where it is open.
    pub fn turn_help(&mut self, page: HelpPage) {
        self.help = self.help.is_none().then_some(page);
    }

    /// Whether one of them has the keyboard.
    pub fn are_open(&self) -> bool {
        self.palette.is_some() || self.cover_field()
    }

    /// Whether one of them is read while nobody looks at the field. Whoever calls a command by its name looks at both.
    pub fn cover_field(&self) -> bool {
        self.help.is_some()
            || self.gallery.is_some()
            || self.settings
            || self.picture.is_some()
            || self.describe.is_some()
    }
}

/// Objects of a world that were looked for by name or number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundObjects {
    /// The nearest few, with how far they are from the character, in metres.
    pub nearest: Vec<(f32, u32)>,
    /// How many there are beside them.
    pub more: usize,
}

impl App {
    /// Opens the page of the scenes with those that have something, which this one has not.
    pub(super) fn show_scenes_with(&mut self, subject: Subject) {
        self.pages.gallery = Some(GalleryPage {
            only: Some(subject),
            ..GalleryPage::default()
        });
    }

    /// Looks after the list of scenes, and opens the one before or after this one where that was wanted.
    pub fn serve_library(&mut self) {
        // What was open lately is another list tomorrow: where two runs must look alike it is in none.
        let recent: &[String] = if self.fixed {
            &[]
        } else {
            &self.settings.recent
        };
        self.library.serve(self.path.as_deref(), recent, self.fixed);
        match self.library.take_neighbour(self.path.as_deref()) {
            Some(Some(path)) => self.picked = Some(path),
            Some(None) => {
                self.say("This scene is in no list: open one of those beside it (Ctrl+O).");
            }
            None => {}
        }
    }
}
