//! What the user has chosen for good: theme, colours, scale, recent scenes. Kept in the platform's folder by [`Store`].
//!
//! The file is RON with a version. What it says is checked by hand, so that a value out of its range is never met further in:
//! a wrong number becomes the nearest right one, and only a file that cannot be read at all is set aside.

mod store;
mod system;

use super::layout::Layout;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use store::{Opened, Store, are_not_kept};
pub use system::System;

/// The version of the file.
const VERSION: u32 = 1;
/// So many recent scenes are kept.
pub const MOST_RECENT: usize = 12;
/// A longer path is kept by nobody, in bytes.
const LONGEST_PATH: usize = 4096;
/// The scales of the interface that Ctrl + and Ctrl − go through; 1 is that of the display.
pub const SCALES: [f32; 11] = [0.75, 0.85, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0];
/// The least and the greatest size of a window that is remembered, in pixels.
const WINDOW: [u32; 2] = [400, 16_384];

/// Whether surfaces are dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// Always.
    #[default]
    Dark,
    /// Never.
    Light,
    /// As the desktop says.
    System,
}

impl Theme {
    /// In the order of the page.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::System];
    /// The words on the page, and what they mean.
    pub const WORDS: [(&str, &str); 3] = [
        ("Dark", "Light marks on dark surfaces."),
        ("Light", "Dark marks on light surfaces."),
        ("System", "As the desktop says; dark where it says nothing."),
    ];
}

/// Which hues tell things apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colors {
    /// Those of the house.
    #[default]
    Standard,
    /// For who sees red and green alike: protanopia, deuteranopia and what is between them and full sight.
    RedGreen,
    /// For who sees blue and green, or yellow and violet, alike: tritanopia.
    BlueYellow,
}

impl Colors {
    /// In the order of the page.
    pub const ALL: [Self; 3] = [Self::Standard, Self::RedGreen, Self::BlueYellow];
    /// The words on the page, and what they mean.
    pub const WORDS: [(&str, &str); 3] = [
        ("Standard", "The colours of the house."),
        (
            "Red-green",
            "For eyes that see red and green alike (protanopia, deuteranopia).",
        ),
        (
            "Blue-yellow",
            "For eyes that see blue and yellow alike (tritanopia).",
        ),
    ];
}

/// How many pictures a second the window draws at the most, while anything moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrameRate {
    /// What moves is smooth.
    #[default]
    Sixty,
    /// Half the work of drawing, for a battery.
    Thirty,
    /// A quarter of it, for a screen far away, or a processor that draws by itself.
    Fifteen,
}

impl FrameRate {
    /// In the order of the page.
    pub const ALL: [Self; 3] = [Self::Sixty, Self::Thirty, Self::Fifteen];
    /// The words on the page, and what they mean.
    pub const WORDS: [(&str, &str); 3] = [
        ("60 a second", "What moves is smooth."),
        ("30 a second", "Half the work of drawing."),
        (
            "15 a second",
            "A quarter of it: for a screen far away, or a processor that draws by itself.",
        ),
    ];

    /// The shortest time between two frames, whatever the driver makes of vertical synchronisation.
    pub const fn frame(self) -> Duration {
        match self {
            Self::Sixty => Duration::from_micros(16_600),
            Self::Thirty => Duration::from_micros(33_200),
            Self::Fifteen => Duration::from_micros(66_600),
        }
    }
}

/// A hint that is shown once, in the order of showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hint {
    /// That a click places units.
    Place,
    /// That digits choose the structure.
    Structure,
    /// That the timeline leads back.
    Timeline,
}

impl Hint {
    /// In the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Place, Self::Structure, Self::Timeline];
}

/// What the user has chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The version of the file.
    version: u32,
    /// Whether surfaces are dark.
    pub theme: Theme,
    /// Which hues tell things apart.
    pub colors: Colors,
    /// Whether orange units have a tail with a notch, so that sides differ in shape too.
    pub mark_sides: bool,
    /// Whether nothing flashes and no camera glides.
    pub reduced_motion: bool,
    /// How many pictures a second are drawn at the most.
    pub frame_rate: FrameRate,
    /// How large the interface is, as a multiple of what the display wants.
    pub scale: f32,
    /// The scenes and recordings that were opened or saved last, the latest first.
    pub recent: Vec<String>,
    /// The folder in which a dialog was used last.
    pub folder: Option<String>,
    /// The size of the window, in pixels.
    pub window: Option<(u32, u32)>,
    /// The hints that need not be shown any more.
    pub hints_seen: Vec<Hint>,
    /// How large panels are, and what of them is collapsed.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            theme: Theme::default(),
            colors: Colors::default(),
            mark_sides: false,
            reduced_motion: false,
            frame_rate: FrameRate::default(),
            scale: 1.0,
            recent: Vec::new(),
            folder: None,
            window: None,
            hints_seen: Vec::new(),
            layout: Layout::default(),
        }
    }
}

/// Why a file holds no settings.
#[derive(Clone, Debug, PartialEq)]
enum Unreadable {
    /// A later program wrote it.
    Later(u32),
    /// It is wrong, for this reason.
    Wrong(String),
}

/// The version alone, whatever else a file says.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Settings {
    /// Reads the text of a file.
    fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Unreadable::Wrong("the text is not UTF-8".to_owned()))?;
        let wrong = |error: ron::error::SpannedError| {
            let at = error.span.start;
            Unreadable::Wrong(format!(
                "line {}, column {}: {}",
                at.line, at.col, error.code
            ))
        };
        let Versioned { version } = ron::from_str(text).map_err(wrong)?;
        if version > VERSION {
            return Err(Unreadable::Later(version));
        }
        if version != VERSION {
            return Err(Unreadable::Wrong(format!(
                "version must be {VERSION} (found {version})"
            )));
        }
        let settings: Self = ron::from_str(text).map_err(wrong)?;
        Ok(settings.checked())
    }

    /// The text of the file.
    fn text(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().depth_limit(2);
        // Plain fields cannot fail to be written.
        let text = ron::ser::to_string_pretty(self, pretty).unwrap_or_default();
        format!(
            "// What was chosen in Skirmish. It is written anew when something changes.\n{text}\n"
        )
    }

    /// With every value in its range.
    fn checked(mut self) -> Self {
        self.version = VERSION;
        let [least, most] = [SCALES[0], SCALES[SCALES.len() - 1]];
        self.scale = if self.scale.is_finite() {
            self.scale.clamp(least, most)
        } else {
            1.0
        };
        let is_path = |path: &String| {
            !path.is_empty() && path.len() <= LONGEST_PATH && !path.contains(['\0', '\n'])
        };
        let mut recent: Vec<String> = Vec::new();
        for path in std::mem::take(&mut self.recent) {
            if is_path(&path) && !recent.contains(&path) && recent.len() < MOST_RECENT {
                recent.push(path);
            }
        }
        self.recent = recent;
        self.folder = self.folder.filter(is_path);
        self.window = self
            .window
            .map(|(width, height)| [width, height].map(|side| side.clamp(WINDOW[0], WINDOW[1])))
            .map(|[width, height]| (width, height));
        let seen = std::mem::take(&mut self.hints_seen);
        self.hints_seen = Hint::ALL
            .into_iter()
            .filter(|it| seen.contains(it))
            .collect();
        self.layout = self.layout.sanitised();
        self
    }

    /// What two windows have changed, taken together: what this one changed since `base`, and of all else what the file says by
    /// now.
    fn merged(&self, base: &Self, theirs: Self) -> Self {
        let mut all = theirs;
        macro_rules! take {
            ($($field:ident),+) => { $(if self.$field != base.$field {
                all.$field.clone_from(&self.$field);
            })+ };
        }
        take!(
            theme,
            colors,
            mark_sides,
            reduced_motion,
            frame_rate,
            scale,
            folder,
            window,
            layout
        );
        if self.recent != base.recent {
            // What was opened in both; where it was emptied here, it is empty.
            let theirs = std::mem::take(&mut all.recent);
            let news = theirs
                .into_iter()
                .filter(|path| !base.recent.contains(path));
            all.recent = self.recent.clone();
            if !self.recent.is_empty() {
                all.recent.extend(news);
            }
        }
        all.hints_seen.extend(&self.hints_seen);
        all.checked()
    }

    /// A scene or recording was opened or saved: it is the latest. One that has no name in text is kept by nobody.
    pub fn note_recent(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else {
            return;
        };
        let Some(text) = path.to_str() else { return };
        if self.recent.first().is_some_and(|first| first == text) {
            return;
        }
        self.recent.retain(|other| other != text);
        self.recent.insert(0, text.to_owned());
        self.recent.truncate(MOST_RECENT);
    }

    /// A dialog was used in this folder.
    pub fn note_folder(&mut self, file: &Path) {
        let folder = std::path::absolute(file).ok();
        let folder = folder.as_deref().and_then(Path::parent);
        if let Some(text) = folder.and_then(Path::to_str) {
            self.folder = Some(text.to_owned());
        }
    }

    /// The folder in which a dialog was used last.
    pub fn last_folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(PathBuf::from)
    }

    /// Whether a hint has been seen.
    pub fn has_seen(&self, hint: Hint) -> bool {
        self.hints_seen.contains(&hint)
    }

    /// A hint need not be shown any more.
    pub fn note_seen(&mut self, hint: Hint) {
        if !self.has_seen(hint) {
            self.hints_seen.push(hint);
        }
    }

    /// The scale after this one, larger or smaller.
    pub fn next_scale(&self, larger: bool) -> f32 {
        let next = if larger {
            SCALES.iter().find(|scale| **scale > self.scale + 1e-3)
        } else {
            SCALES
                .iter()
                .rev()
                .find(|scale| **scale < self.scale - 1e-3)
        };
        next.copied().unwrap_or(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Settings {
        Settings {
            theme: Theme::Light,
            colors: Colors::BlueYellow,
            mark_sides: true,
            reduced_motion: true,
            frame_rate: FrameRate::Thirty,
            scale: 1.25,
            recent: vec!["/a/charge.ron".to_owned(), "/b/\"quoted\".ron".to_owned()],
            folder: Some("/a".to_owned()),
            window: Some((1280, 800)),
            hints_seen: vec![Hint::Place, Hint::Timeline],
            layout: Layout {
                left: Some(300.0),
                collapsed: ["knobs".to_owned()].into(),
                ..Layout::default()
            },
            ..Settings::default()
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for settings in [Settings::default(), full()] {
            assert_eq!(Settings::parse(settings.text().as_bytes()), Ok(settings));
        }
    }

    #[test]
    fn a_file_that_says_little_leaves_the_rest_at_its_default() {
        let settings = Settings::parse(b"(version: 1, scale: 2.0)").unwrap();
        assert_eq!(
            settings,
            Settings {
                scale: 2.0,
                ..Settings::default()
            }
        );
        // What a program of the same version knows and this one does not is passed over.
        assert!(Settings::parse(b"(version: 1, garden: (roses: 300))").is_ok());
    }

    #[test]
    fn values_out_of_range_become_the_nearest_right_ones() {
        let text = r#"(version: 1, scale: 1e30, window: Some((1, 4000000000)),
            recent: ["", "a\u{0}b", "x", "x", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
            folder: Some(""), hints_seen: [Timeline, Place, Place])"#;
        let settings = Settings::parse(text.as_bytes()).unwrap();
        assert_eq!(settings.scale, 3.0);
        assert_eq!(settings.window, Some((400, 16_384)));
        assert_eq!(settings.recent.len(), MOST_RECENT);
        assert_eq!(settings.recent[..2], ["x", "1"]);
        assert_eq!(settings.folder, None);
        assert_eq!(settings.hints_seen, [Hint::Place, Hint::Timeline]);
        for scale in ["NaN", "inf", "-inf", "-4.0", "0.0"] {
            let text = format!("(version: 1, scale: {scale})");
            let scale = Settings::parse(text.as_bytes()).unwrap().scale;
            assert!((0.75..=3.0).contains(&scale), "{text} gave {scale}");
        }
    }

    #[test]
    fn hostile_files_are_refused_in_words_and_break_nothing() {
        let deep = format!("(version: 1, recent: {}", "[".repeat(50_000));
        for text in [
            "",
            "(",
            "version: 1",
            "(version: 1",
            "(version: -1)",
            "(version: 1.5)",
            "(version: \"1\")",
            "(version: 99999999999)",
            "(version: 0)",
            "(scale: 1.0)",
            "(version: 1, theme: Purple)",
            "(version: 1, scale: \"large\")",
            "(version: 1, recent: \"one\")",
            "(version: 1, window: Some((-1, 5)))",
            "[1, 2, 3]",
            "{\"version\": 1}",
            deep.as_str(),
        ] {
            match Settings::parse(text.as_bytes()) {
                Err(Unreadable::Wrong(words)) => assert!(!words.is_empty() && words.len() < 300),
                other => panic!("{:.40}: {other:?}", text),
            }
        }
        assert_eq!(
            Settings::parse(b"(version: 2, theme: Purple)"),
            Err(Unreadable::Later(2))
        );
        assert!(Settings::parse(b"\xff\xfe(version: 1)").is_err());
    }

    /// Cuts, flips and repeats bytes of a right file, some thousand times: it is read or refused, and what is read is in range.
    #[test]
    fn files_that_were_damaged_anywhere_are_read_or_refused() {
        let right = full().text().into_bytes();
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below.max(1)
        };
        let mut read = 0;
        for _ in 0..5_000 {
            let mut bytes = right.clone();
            for _ in 0..=random(3) {
                if bytes.is_empty() {
                    break;
                }
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = random(256) as u8,
                    1 => bytes.truncate(at),
                    2 => {
                        bytes.remove(at);
                    }
                    _ => {
                        let piece = bytes[at..].to_vec();
                        bytes.extend(piece);
                    }
                }
            }
            if let Ok(settings) = Settings::parse(&bytes) {
                read += 1;
                assert_eq!(settings.clone().checked(), settings);
                assert!((0.75..=3.0).contains(&settings.scale));
            }
        }
        assert!(read > 0, "no damage was harmless");
    }

    #[test]
    fn two_windows_keep_what_each_of_them_changed() {
        let base = Settings::default();
        let mine = Settings {
            scale: 2.0,
            recent: vec!["mine".to_owned()],
            hints_seen: vec![Hint::Structure],
            ..base.clone()
        };
        let theirs = Settings {
            theme: Theme::Light,
            recent: vec!["theirs".to_owned()],
            hints_seen: vec![Hint::Place],
            ..base.clone()
        };
        let both = mine.merged(&base, theirs);
        assert_eq!((both.theme, both.scale), (Theme::Light, 2.0));
        assert_eq!(both.recent, ["mine", "theirs"]);
        assert_eq!(both.hints_seen, [Hint::Place, Hint::Structure]);
        // Emptied is empty.
        let before = Settings {
            recent: vec!["old".to_owned()],
            ..Settings::default()
        };
        let both = Settings::default().merged(&before, before.clone());
        assert!(both.recent.is_empty());
    }

    #[test]
    fn the_latest_scene_is_the_first_and_stands_once() {
        let mut settings = Settings::default();
        for name in ["/a", "/b", "/a", "/a"] {
            settings.note_recent(Path::new(name));
        }
        assert_eq!(settings.recent, ["/a", "/b"]);
        for number in 0..40 {
            settings.note_recent(Path::new(&format!("/{number}")));
        }
        assert_eq!(settings.recent.len(), MOST_RECENT);
        assert_eq!(settings.recent[0], "/39");
    }

    #[test]
    fn the_scale_goes_by_steps_and_stops_at_its_ends() {
        let mut settings = Settings::default();
        for _ in 0..20 {
            settings.scale = settings.next_scale(true);
        }
        assert_eq!(settings.scale, 3.0);
        for _ in 0..20 {
            settings.scale = settings.next_scale(false);
        }
        assert_eq!(settings.scale, 0.75);
        settings.scale = 1.37;
        assert_eq!(
            (settings.next_scale(true), settings.next_scale(false)),
            (1.5, 1.25)
        );
    }
}
