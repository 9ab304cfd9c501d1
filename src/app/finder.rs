//! What can be called by its name, and what is found of it by a few letters: commands, structures, layers, scenes, figures, values that
//! can be typed or chosen, words that are explained, and the objects of a world that is shown.
//!
//! Invariant: it draws nothing. The page that shows what is found is `pages/finder.rs`.

use super::commands::{Command, Menu, View, table};
use super::common_values::CommonValue;
use super::state::{App, FoundObjects, Probed, SIDES};
use super::widgets::{Slider, Track, Value, kindred, with_commas};
use super::{glossary, knob_words};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use skirmish::partition::KnobRange;
use skirmish::streaming::Index;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

mod tick;

pub use tick::tick_item;

/// What is done with what was chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// It is run.
    Command(Command),
    /// It is asked, or done to a copy, and told step by step.
    Probe(Probed),
    /// It is opened.
    Scene(PathBuf),
    /// The value of the control of this name is typed, or the control is given the keyboard.
    Value(String),
    /// The control of this name takes this number.
    Number(String, String),
    /// A value whose control is not shown takes this number.
    Common(CommonValue, String),
    /// The width (0) or the height (1) of the rectangle that is asked in steps takes this number.
    Side(usize, String),
    /// The knob of a lane, by the places of both, takes this number.
    Knob(usize, usize, String),
    /// The knob of a lane, by the places of both, takes this one of the values between which it is a choice.
    Choice(usize, usize, f64),
    /// The character is sent along the path of this name, or told to stand.
    Follow(Option<String>),
    /// The camera follows the character, or stays where it is if it did.
    CameraFollows,
    /// Streaming decides by it.
    Index(Index),
    /// It is explained.
    Word(&'static str),
    /// It is selected, and brought into view.
    Object(u32),
    /// Time goes there, and stops.
    Tick(u64),
}

/// Something that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name.
    pub title: String,
    /// What it is, in a word.
    pub kind: &'static str,
    /// The key that does the same, or, of the last of several objects, how many more there are; empty for none.
    pub keys: String,
    /// A sentence about it.
    pub help: String,
    /// Words that mean it though they are not in its title, in small letters.
    pub also: &'static [&'static str],
    /// What is done with it.
    pub target: Target,
    /// Whether it is on, where it can be.
    pub on: Option<bool>,
    /// Why it means nothing at present.
    pub refusal: Option<&'static str>,
}

impl Item {
    /// Whether it is there for a number that was typed: it is found by that, and is another one for another number.
    pub fn takes_number(&self) -> bool {
        matches!(
            self.target,
            Target::Number(..)
                | Target::Common(..)
                | Target::Side(..)
                | Target::Knob(..)
                | Target::Tick(_)
        )
    }
}

/// An item that was found, and by which letters of its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its place among the items.
    pub item: usize,
    /// The letters of its title that were typed, in order.
    pub letters: Vec<u32>,
}

/// All that can be called by its name at present.
pub fn items(app: &App, values: &[Value]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for row in table() {
        let Some(title) = app.title_of(row) else {
            continue;
        };
        items.push(Item {
            title,
            kind: kind_of(row.command, row.menu),
            keys: row
                .shortcuts
                .first()
                .map(|key| key.label())
                .unwrap_or_default(),
            help: row.help.clone(),
            also: also(row.command),
            target: Target::Command(row.command),
            on: app.is_on(row.command),
            refusal: app.may(row.command).err(),
        });
    }
    let plain = |title: &str, kind, help: &str, target| Item {
        title: title.to_owned(),
        kind,
        keys: String::new(),
        help: help.to_owned(),
        also: &[],
        target,
        on: None,
        refusal: None,
    };
    let help = "Behind it stands which: tick 2664. Chosen as it is, the figure beside the buttons of time is typed.";
    items.push(plain(
        "Go to tick\u{2026}",
        "tick",
        help,
        Target::Value("tick".to_owned()),
    ));
    // What the plane can be asked; of a world and of space there is one question each, or a row of tools beside the field.
    if matches!(app.view, View::Battle | View::Compare) && app.flight.is_none() {
        for tool in Probed::ASK.into_iter().chain(Probed::EDIT) {
            let title = format!("Step through: {}", tool.name());
            let target = Target::Probe(tool);
            items.push(Item {
                refusal: app.may(Command::LookInto).err(),
                ..plain(&title, "question", tool.help(), target)
            });
        }
    }
    if let Some(stream) = app.stream.as_ref().filter(|_| app.view == View::Streaming) {
        for path in stream.paths() {
            let target = Target::Follow(Some(path.name.clone()));
            let title = format!("Path: {}", path.name);
            items.push(plain(
                &title,
                "path",
                "Sends the character along this path.",
                target,
            ));
        }
        let help = "The character stays where it is.";
        items.push(plain("Stand", "path", help, Target::Follow(None)));
        let help = "The character stays in the middle of the view; chosen again, the camera is free and stays where it is.";
        items.push(Item {
            also: &[
                "camera free",
                "camera is free",
                "free camera",
                "camera lock",
                "lock camera",
                "the camera follows",
                "follow the character",
                "follow character",
            ],
            on: Some(stream.camera_follows),
            ..plain("Camera follows", "setting", help, Target::CameraFollows)
        });
        for index in Index::ALL {
            let help = "By which structure it is decided what to load and unload.";
            items.push(plain(index.name(), "index", help, Target::Index(index)));
        }
    }
    for value in values {
        let target = Target::Value(value.id.clone());
        items.push(Item {
            also: also_of_value(&value.id),
            ..plain(&value.name, "value", &value.help, target)
        });
    }
    items.extend(choice_items(app));
    let listing = app.library.listing();
    for entry in listing.entries.iter().chain(&listing.elsewhere) {
        let kind = if entry.is_figure() { "figure" } else { "scene" };
        let target = Target::Scene(entry.path.clone());
        let title = match entry.file_name() {
            Some(file) => format!("{} \u{b7} {file}", entry.title),
            None => entry.title.clone(),
        };
        // Of a figure one wants to know what it explains, as far as there is room for that.
        let help = match entry.is_figure() && !entry.caption.is_empty() {
            true => format!("{}\n{}", entry.topic, entry.caption),
            false => entry.topic.clone(),
        };
        items.push(plain(&title, kind, &help, target));
    }
    // One word may mean something else in each of several places, and the page of words says all of it: once is enough.
    let mut words = std::collections::BTreeSet::new();
    // What a knob is called is said by the knob.
    let of_knobs: std::collections::BTreeSet<_> =
        knob_words::all().iter().map(|it| it.name).collect();
    let is_new = |it: &&glossary::Word| !of_knobs.contains(it.name) && words.insert(it.name);
    for word in glossary::TABLE.iter().filter(is_new) {
        let target = Target::Word(word.name);
        items.push(Item {
            also: also_of_word(word.name),
            ..plain(word.name, "word", word.means, target)
        });
    }
    // Those of the structures that are not shown too; the page of words says whose each is.
    let mut names = std::collections::BTreeSet::new();
    // What is shown is listed as the value that it is, with the same sentence: once is enough.
    let is_knob = |value: &Value| value.id.starts_with("knob.") || value.id.starts_with("lane.");
    let shown = |name: &str| values.iter().any(|it| is_knob(it) && it.name == name);
    for knob in knob_words::all() {
        if names.insert(knob.name) && !shown(knob.name) {
            let target = Target::Word(knob.name);
            items.push(plain(knob.name, "knob", knob.help, target));
        }
    }
    items
}

/// So many objects are listed, however many have a name.
const MOST_OBJECTS: usize = 12;

/// The objects whose number, or the name of whose picture's file, was typed: those nearest to the character, where there are many. All
/// objects are looked at, so this is asked for when something is typed, and not in every frame. None where no world is shown.
pub fn objects(app: &App, typed: &str) -> FoundObjects {
    let typed = typed.to_lowercase();
    // "object 642" is what other places call it.
    let words = typed.split_whitespace();
    let words: Vec<&str> = words.filter(|word| *word != "object").collect();
    let Some(stream) = &app.stream else {
        return FoundObjects::default();
    };
    if app.view != View::Streaming || words.is_empty() {
        return FoundObjects::default();
    }
    let (numbers, letters): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.parse::<u32>().is_ok());
    // Of each file it is found out once whether it is meant: many objects have the same.
    let mut is_called: BTreeMap<u32, bool> = BTreeMap::new();
    let mut is_meant = |number: u32, asset: u32| {
        let has_letters = is_called.entry(asset).or_insert_with(|| {
            let lowered = stream.picture_name(asset).to_lowercase();
            letters.iter().all(|word| lowered.contains(word))
        });
        *has_letters && numbers.iter().all(|word| word.parse() == Ok(number))
    };
    let here = stream.character();
    let mut found: Vec<(f32, u32)> = (0..)
        .zip(stream.objects())
        .filter(|(number, object)| is_meant(*number, object.asset))
        .map(|(number, object)| (object.center.distance(here), number))
        .collect();
    let all = found.len();
    if all > MOST_OBJECTS {
        found.select_nth_unstable_by(MOST_OBJECTS, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.truncate(MOST_OBJECTS);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let more = all - found.len();
    FoundObjects {
        nearest: found,
        more,
    }
}

/// Objects that were found, as they are listed.
pub fn object_items(app: &App, found: &FoundObjects) -> Vec<Item> {
    let Some(stream) = &app.stream else {
        return Vec::new();
    };
    let FoundObjects { nearest, more } = found;
    let last = nearest.len().saturating_sub(1);
    let item = |(place, (metres, number)): (usize, &(f32, u32))| {
        // The world may be another one by now.
        stream.objects().get(*number as usize)?;
        Some(Item {
            title: stream.called(*number),
            kind: "object",
            keys: match more {
                1.. if place == last => format!("and {} more", with_commas(*more as u64)),
                _ => String::new(),
            },
            help: format!(
                "{metres:.0} m from the character: it is selected and brought into view."
            ),
            target: Target::Object(*number),
            also: &[],
            on: None,
            refusal: None,
        })
    };
    nearest.iter().enumerate().filter_map(item).collect()
}

/// A text with a space for each underscore or dash behind a letter: who writes need_max or need-max, as files and command lines do, means
/// what the window calls need max. The sign of a number stays.
pub fn spaced(text: &str) -> Cow<'_, str> {
    if !text.contains(['_', '-']) {
        return Cow::Borrowed(text);
    }
    let mut spaced = String::with_capacity(text.len());
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_sign = letters.peek().is_some_and(|next| !next.is_alphabetic());
        let is_space = match letter {
            '_' => before.is_some_and(char::is_alphanumeric),
            '-' => before.is_some_and(char::is_alphabetic) && !is_sign,
            _ => false,
        };
        spaced.push(if is_space { ' ' } else { letter });
        before = Some(letter);
    }
    Cow::Owned(spaced)
}

/// A number that was typed, and the words before and behind it.
struct TypedNumber {
    number: String,
    before: Vec<String>,
    after: Vec<String>,
    /// Whether the first word behind it stood in one with it: then it is a unit and begins no name.
    is_glued: bool,
}

impl TypedNumber {
    /// The first number of what was typed; which lane is meant is no number.
    fn of(typed: &str) -> Option<Self> {
        let lowered = spaced(typed).to_lowercase();
        let is_number = |word: &str| {
            let number = word.replace(',', "").parse::<f64>();
            number.is_ok_and(f64::is_finite)
        };
        // A number and its unit may stand in one: "5ms".
        let apart = |word: &str| {
            let is_of_unit = |it: char| it.is_alphabetic() || matches!(it, '/' | '×' | '%');
            let (number, unit) = word.split_at(word.trim_end_matches(is_of_unit).len());
            match is_number(number) && !is_number(word) {
                true => [(number.to_owned(), false), (unit.to_owned(), true)],
                false => [(word.to_owned(), false), (String::new(), false)],
            }
        };
        let words = lowered.split_whitespace();
        let words: Vec<(String, bool)> = words
            .flat_map(|it| apart(it.trim_end_matches([',', ':'])))
            // Every name would begin with nothing.
            .filter(|(it, _)| !it.is_empty())
            .collect();
        let is_of_lane = |place: usize| {
            let before = place.checked_sub(1).map(|before| words[before].0.as_str());
            matches!(before, Some("lane" | "pane"))
        };
        let mut places = 0..words.len();
        let place = places.find(|at| is_number(&words[*at].0) && !is_of_lane(*at))?;
        let (before, after) = (&words[..place], &words[place + 1..]);
        let alone = |words: &[(String, bool)]| words.iter().map(|(it, _)| it.clone()).collect();
        Some(Self {
            number: words[place].0.clone(),
            before: alone(before),
            after: alone(after),
            is_glued: after.first().is_some_and(|(_, is_glued)| *is_glued),
        })
    }

    /// The number as a control of this unit takes it, and as it is told: with its unit where another one of that kind was typed.
    fn with_unit(&self, unit: &str) -> [String; 2] {
        let mut after = self.after.iter();
        match after.find_map(|word| kindred(word, unit)) {
            Some(other) => {
                let both = format!("{} {other}", self.number);
                [both.clone(), both]
            }
            None => {
                let told = format!("{} {unit}", self.number);
                [self.number.clone(), told.trim_end().to_owned()]
            }
        }
    }

    /// Whether something of this name is meant; its unit may stand behind the number, and words that tell it from others anywhere.
    fn means(&self, name: &str, unit: Option<&str>, aside: &str) -> bool {
        let [name, aside] = [name, aside].map(|it| spaced(it).to_lowercase());
        let is_of = |words: &str, word: &str| {
            let mut words = words.split_whitespace();
            words.any(|it| it.starts_with(word))
        };
        let is_called = |word: &String| is_of(&name, word) || is_of(&aside, word);
        let is_unit = |word: &str| {
            let is_of = |unit: &str| {
                let mut words = unit.split_whitespace();
                words.any(|it| it.eq_ignore_ascii_case(word)) || kindred(word, unit).is_some()
            };
            unit.is_some_and(is_of)
        };
        let glued = usize::from(self.is_glued);
        let (glued, after) = self.after.split_at(glued.min(self.after.len()));
        let mut all = self.before.iter().chain(after);
        all.any(|word| is_of(&name, word))
            && self.before.iter().all(is_called)
            && glued.iter().all(|it| is_unit(it))
            && after.iter().all(|it| is_unit(it) || is_called(it))
    }
}

/// The values that take a number at once, where one was typed behind or before their name: "reach 30", "5,000 units",
/// "memory cap 1 GB".
pub fn number_items(values: &[Value], typed: &str) -> Vec<Item> {
    let Some(typed) = TypedNumber::of(typed) else {
        return Vec::new();
    };
    // Lanes name their own below, with which lane it is, whether or not one of them shows its knobs.
    let is_of_lane = |value: &Value| value.id.starts_with("lane.");
    let item = |value: &Value| {
        let [number, told] = typed.with_unit(unit_of(value)?);
        let whose = whose(&value.id, &value.name, values);
        Some(Item {
            title: format!("{} {told}{whose}", value.name),
            kind: "value",
            keys: String::new(),
            help: format!("Sets it. {}", value.help),
            also: &[],
            target: Target::Number(value.id.clone(), number),
            on: None,
            refusal: None,
        })
    };
    // Who asks something means that, before a brush.
    let (asked, others): (Vec<_>, Vec<_>) = values.iter().partition(|it| is_asked(&it.id));
    let values = asked.into_iter().chain(others);
    let values = values.filter(|value| !is_of_lane(value));
    // "disk throughput 20" means that of the disk.
    let aside = |it: &Value| format!("{} {}", it.section, whose(&it.id, &it.name, &[]));
    let meant = values.filter(|it| typed.means(&it.name, unit_of(it), &aside(it)));
    meant.filter_map(item).collect()
}

/// Whether a value is the size of what is asked in steps.
fn is_asked(id: &str) -> bool {
    matches!(id, "step.measure" | "step.height")
}

/// Whose a value is, behind its name: that of what is asked in steps, and that of the brush where both are called alike.
fn whose(id: &str, name: &str, values: &[Value]) -> &'static str {
    let is_both = || values.iter().any(|it| is_asked(&it.id) && it.name == name);
    match name {
        "width" | "height" if is_asked(id) => " of the rectangle",
        _ if is_asked(id) => " of what is asked",
        _ if id.starts_with("brush.") && is_both() => " of the brush",
        _ => "",
    }
}

/// The width (0) or the height (1) of the rectangle that is asked in steps, as a control that is not shown.
pub fn side_slider(side: usize) -> Slider<'static> {
    let (min, max) = SIDES;
    let (id, name, help) = match side {
        0 => (
            "step.measure",
            "width",
            "How wide the rectangle is, around the same middle.",
        ),
        _ => (
            "step.height",
            "height",
            "How high the rectangle is, around the same middle.",
        ),
    };
    Slider {
        id,
        name,
        help,
        unit: "m",
        track: Track {
            min: min.into(),
            max: max.into(),
            logarithmic: true,
            whole: false,
        },
    }
}

/// Both of them, where a number was typed and no control of theirs is shown: panels are hidden, or the window is low.
pub fn side_items(app: &App, values: &[Value], typed: &str) -> Vec<Item> {
    let is_shown = values.iter().any(|value| is_asked(&value.id));
    let typed = TypedNumber::of(typed).filter(|_| app.asked_sides().is_some() && !is_shown);
    let Some(typed) = typed else {
        return Vec::new();
    };
    let item = |side: usize| {
        let what = side_slider(side);
        let whose = whose(what.id, what.name, values);
        let [number, told] = typed.with_unit(what.unit);
        typed
            .means(what.name, Some(what.unit), whose)
            .then(|| Item {
                title: format!("{} {told}{whose}", what.name),
                kind: "value",
                keys: String::new(),
                help: format!("Sets it. {}", what.help),
                also: &[],
                target: Target::Side(side, number),
                on: None,
                refusal: None,
            })
    };
    [0, 1].into_iter().filter_map(item).collect()
}

/// What the number of a value is of. What stands behind a comma is told of the present number, and not of one that is typed.
fn unit_of(value: &Value) -> Option<&str> {
    value.unit.as_deref()?.split(',').next()
}

/// The values of the scene and of the brush that take a number at once where no panel shows them, as in Compare, and that of its table
/// where the window is too low or too narrow for it.
pub fn common_items(app: &App, values: &[Value], typed: &str) -> Vec<Item> {
    let typed = TypedNumber::of(typed).filter(|_| app.view.row().shows_battle);
    let Some(typed) = typed else {
        return Vec::new();
    };
    let item = |value: CommonValue| {
        let what = value.slider();
        let is_shown = values.iter().any(|shown| shown.id == what.id);
        let is_meant =
            value.is_there(app) && !is_shown && typed.means(what.name, Some(what.unit), "");
        let [number, told] = typed.with_unit(what.unit);
        let whose = match value {
            CommonValue::Width if app.asked_sides().is_some() => " of the brush",
            _ => whose(what.id, what.name, values),
        };
        is_meant.then(|| Item {
            title: format!("{} {told}{whose}", what.name),
            kind: "value",
            keys: String::new(),
            help: format!("Sets it. {}", what.help),
            also: &[],
            target: Target::Common(value, number),
            on: None,
            refusal: None,
        })
    };
    CommonValue::ALL.into_iter().filter_map(item).collect()
}

/// The knobs of lanes that take a number at once, as the values do: "cell size 25" is offered for each lane that has such a knob, and
/// "cell size 25 lane 2" for that one. Where one lane is shown a panel shows its knobs, unless the panels are hidden.
pub fn lane_items(app: &App, typed: &str) -> Vec<Item> {
    let lanes = match app.view {
        View::Compare => app.lanes.len(),
        view => usize::from(view.row().shows_battle && !app.panels),
    };
    let Some(typed) = TypedNumber::of(typed).filter(|_| lanes > 0) else {
        return Vec::new();
    };
    let mut items = Vec::new();
    for (place, lane) in app.lanes.iter().take(lanes).enumerate() {
        let info = lane.structure.info();
        let whose = format!("lane {} {}", place + 1, info.name);
        let numbers = info.knobs.iter().enumerate();
        let numbers = numbers.filter(|(_, knob)| Track::of(knob.range).is_some());
        let aside = format!("{whose} pane");
        let meant = numbers.filter(|(_, knob)| typed.means(knob.name, Some(knob.unit), &aside));
        items.extend(meant.map(|(at, knob)| {
            let [number, told] = typed.with_unit(knob.unit);
            Item {
                title: format!("{} {told}, {whose}", knob.name),
                kind: "value",
                keys: String::new(),
                help: format!("Sets it in this lane. {}", knob.help),
                also: &[],
                target: Target::Knob(place, at, number),
                on: None,
                refusal: None,
            }
        }));
    }
    items
}

/// The words of the knobs that are a choice between some, of each lane that is shown: "neighbourhood full".
fn choice_items(app: &App) -> Vec<Item> {
    let lanes = match app.view {
        View::Compare => app.lanes.len(),
        view => usize::from(view.row().shows_battle),
    };
    let mut items = Vec::new();
    for (place, lane) in app.lanes.iter().take(lanes).enumerate() {
        let structure = &lane.structure;
        let info = structure.info();
        let whose = match lanes {
            1 => String::new(),
            _ => format!(", lane {} {}", place + 1, info.name),
        };
        for (at, knob) in info.knobs.iter().enumerate() {
            if matches!(knob.range, KnobRange::Number { .. }) {
                continue;
            }
            items.extend(knob.range.spread().into_iter().map(|value| Item {
                title: format!(
                    "{} {}{whose}",
                    knob.name,
                    knob.format(value).replace('_', " ")
                ),
                kind: "value",
                keys: String::new(),
                help: format!("Sets it. {}", knob.help),
                also: &[],
                target: Target::Choice(place, at, value),
                on: Some(structure.knob(at) == value),
                refusal: None,
            }));
        }
    }
    items
}

/// What else somebody may call a command, what it is called rather than another one first.
const fn also(command: Command) -> &'static [&'static str] {
    match command {
        Command::Rank => &[
            "fastest",
            "quickest",
            "best",
            "tune",
            "optimize",
            "best structure",
            // What its button in Compare says, and the beginning of that.
            "all structures",
            "all struct",
            "compare all",
        ],
        Command::Sweep => &["tune", "optimize", "fastest", "quickest", "best"],
        Command::MeasureAgain => &["remeasure", "rerun", "refresh"],
        // What other programs call it.
        Command::Reload => &["revert", "read again", "open again"],
        Command::Screenshot => &["screenshot", "screen shot", "capture"],
        Command::LightTheme => &["dark mode", "dark theme", "light mode"],
        Command::CopyRust => &["code", "snippet", "export code", "clipboard code"],
        Command::Help => &["hotkeys", "keyboard shortcuts", "key bindings", "manual"],
        Command::Quit => &["exit", "close"],
        Command::Faster => &["speed up", "fast forward"],
        Command::Slower => &["slow down", "slow motion"],
        // What stands on the scene's page.
        Command::Describe => &[
            "edit the scene",
            "edit scene",
            "scene settings",
            "scene properties",
            "army",
            "armies",
            "hit points",
            "health",
            "counts",
            "sizes",
            "widths",
            "pareto",
            "exponent",
            "field size",
            "seed",
            "clusters",
            "caption",
        ],
        Command::LookInto => &["explain", "debug", "rectangle query", "area of effect"],
        Command::Restart => &["reset", "rewind"],
        Command::Gallery => &["examples", "samples", "demos"],
        Command::Figures => &["tutorial", "lessons", "learn"],
        Command::FrameAll => &["fit", "zoom to fit", "reset view"],
        _ => &[],
    }
}

/// What else somebody may call the values that say who is a pair.
fn also_of_value(id: &str) -> &'static [&'static str] {
    const PAIRS: &[&str] = &[
        "touch",
        "touching",
        "touching only",
        "overlap",
        "overlapping",
        "collide",
        "collision",
    ];
    let values = [CommonValue::Reach, CommonValue::KeepApart];
    match values.iter().any(|value| value.slider().id == id) {
        true => PAIRS,
        false => &[],
    }
}

/// The same of a word.
fn also_of_word(name: &str) -> &'static [&'static str] {
    match name {
        "queue by time to need" => &[
            "order",
            "loading order",
            "load order",
            "order of loading",
            "priority",
            "priorities",
        ],
        "the run before" => &["run before", "previous run", "last run"],
        _ => &[],
    }
}

/// What a command is called that is more than a command.
const fn kind_of(command: Command, menu: Menu) -> &'static str {
    match command {
        Command::Structure(_) => "structure",
        Command::Layer(_) => "layer",
        Command::View(_) => "view",
        Command::LightTheme
        | Command::ReducedMotion
        | Command::Settings
        | Command::Larger
        | Command::Smaller
        | Command::PlainScale => "setting",
        _ => match menu {
            Menu::None => "command",
            menu => menu.name(),
        },
    }
}

/// Words come last: there are many of them, and they do nothing.
fn rank(item: &Item) -> u32 {
    match item.target {
        Target::Command(_) | Target::Tick(_) => 0,
        Target::Value(_)
        | Target::Number(..)
        | Target::Common(..)
        | Target::Side(..)
        | Target::Knob(..)
        | Target::Choice(..)
        | Target::CameraFollows
        | Target::Probe(_) => 1,
        Target::Scene(_) | Target::Follow(_) | Target::Index(_) => 2,
        Target::Object(_) => 3,
        Target::Word(_) => 4,
    }
}

/// The items that were meant by what was typed, the best first; those that are equally good as they stand. Without anything typed it is
/// all but the words and the values of choices, of which there are many, what was chosen lately first.
pub fn found(items: &[Item], typed: &str, recent: &[String]) -> Vec<Found> {
    let typed = typed.trim();
    if typed.is_empty() {
        return untouched(items, recent);
    }
    let with_spaces = spaced(typed);
    let lowered = with_spaces.to_lowercase();
    let (as_typed, otherwise) = (Pattern::of(typed), Pattern::of(&with_spaces));
    // A name that has the dash itself is found by it.
    let otherwise = Some(otherwise).filter(|_| with_spaces != typed);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut scored: Vec<Scored> = Vec::new();
    // Whether something that can be done now has words that begin as what was typed.
    let mut is_met = false;
    let typed_words: Vec<String> = words_of(&lowered).collect();
    let is_word = |it: &Item| matches!(it.target, Target::Word(_));
    // A word of that very name stands behind what can be done that is called so too.
    let does_something = |it: &Item| it.refusal.is_none() && !is_word(it);
    let is_called = |it: &Item| it.also.contains(&lowered.as_str());
    let can_be_done = items.iter().any(|it| does_something(it) && is_called(it));
    for (item, it) in items.iter().enumerate() {
        let called = called(it, &lowered);
        let has_numbers = has_numbers(it, &lowered);
        let mut matched = Vec::new();
        let title = Utf32Str::new(&it.title, &mut buffer);
        let mut patterns = std::iter::once(&as_typed).chain(&otherwise);
        let score = patterns.find_map(|pattern| {
            matched.clear();
            pattern.score(title, &mut matcher, &mut matched)
        });
        let score = score.filter(|_| has_numbers);
        matched.sort_unstable();
        matched.dedup();
        let title = spaced(&it.title).to_lowercase();
        let score = match score {
            // It is only there where its name and a number were typed; by its whole name it comes before others in whose name that is.
            _ if it.takes_number() && title.starts_with(&lowered) => 2 * EXACTLY,
            // No other words are called like that.
            _ if matches!(it.target, Target::Tick(_)) => 2 * EXACTLY,
            _ if title == lowered && can_be_done && is_word(it) => {
                BEGINNING + as_typed.letters * MOST_A_LETTER
            }
            _ if title == lowered || it.takes_number() => EXACTLY,
            score if called.is_some() => {
                if score.is_none() {
                    matched.clear();
                }
                BEGINNING + as_typed.letters * MOST_A_LETTER - called.unwrap_or(0)
            }
            Some(score) if title.starts_with(&lowered) => BEGINNING + score,
            Some(score) if has_all(&title, &typed_words) => WHOLE_WORDS + score,
            Some(score) => score,
            None if has_numbers && has_words(it, typed) => {
                matched.clear();
                0
            }
            None => continue,
        };
        let letters = matched;
        let begins = begin_all(&title, &typed_words);
        is_met |= begins && does_something(it);
        scored.push(Scored {
            score,
            rank: rank(it),
            is_refused: it.refusal.is_some() && score < EXACTLY,
            begins,
            found: Found { item, letters },
        });
    }
    // What does nothing stands behind what does, unless it was called by its whole name; where nothing else has words that begin as what was
    // typed, it stands before all that merely has the letters.
    scored.sort_by_key(|it| {
        let group = match (it.score < WHOLE_WORDS, it.is_refused) {
            (false, false) => 0,
            (_, true) if it.begins && !is_met => 1,
            (true, false) => 2,
            (_, true) => 3,
        };
        let score = it.score.saturating_sub(it.rank * 8);
        (group, u32::MAX - score, it.rank)
    });
    scored.into_iter().map(|it| it.found).collect()
}

/// An item that may be meant, and how well it fits what was typed.
struct Scored {
    score: u32,
    rank: u32,
    /// Whether it does nothing at present, and was not called by its whole name.
    is_refused: bool,
    /// Whether its title has words that begin as all that was typed.
    begins: bool,
    found: Found,
}

/// What was typed, as it is looked for in titles.
struct Pattern {
    letters: u32,
    pattern: nucleo_matcher::pattern::Pattern,
}

impl Pattern {
    fn of(typed: &str) -> Self {
        let letters = typed.chars().filter(|letter| !letter.is_whitespace());
        Self {
            letters: letters.count() as u32,
            pattern: nucleo_matcher::pattern::Pattern::new(
                typed,
                CaseMatching::Ignore,
                Normalization::Smart,
                AtomKind::Fuzzy,
            ),
        }
    }

    /// How well it fits a title, and which letters of that it has. Letters that lie about in a long name are no sign that it was meant.
    fn score(
        &self,
        title: Utf32Str<'_>,
        matcher: &mut Matcher,
        matched: &mut Vec<u32>,
    ) -> Option<u32> {
        let score = self.pattern.indices(title, matcher, matched);
        score.filter(|score| *score >= self.letters * LEAST_A_LETTER)
    }
}

/// A whole title was typed, or its beginning, or whole words of it.
const EXACTLY: u32 = 1 << 20;
const BEGINNING: u32 = 1 << 16;
const WHOLE_WORDS: u32 = 1 << 14;
/// nucleo gives a letter 16, more at the beginning of a word, and takes something for each gap.
const LEAST_A_LETTER: u32 = 13;
/// No letter of a title counts for more.
const MOST_A_LETTER: u32 = 64;

/// Whether one of the other names of an item was typed, but for its last two letters at most: less may be the beginning of a title.
/// Gives its place among them.
fn called(item: &Item, lowered: &str) -> Option<u32> {
    let is_it = |name: &&str| name.starts_with(lowered) && lowered.len() + 2 >= name.len();
    let place = item.also.iter().position(is_it).map(|place| place as u32);
    let is_sweep = item.target == Target::Command(Command::Sweep);
    place.or((is_sweep && asks_for_value(lowered)).then_some(0))
}

/// Whether somebody asks which value of a knob is best, by the knob's name.
fn asks_for_value(lowered: &str) -> bool {
    /// Fewer letters may be the beginning of anything.
    const LEAST: usize = 3;
    let name = lowered.strip_prefix("best ").map(str::trim_start);
    name.filter(|name| name.len() >= LEAST).is_some_and(|name| {
        let mut knobs = knob_words::all().iter();
        knobs.any(|knob| spaced(knob.name).to_lowercase().starts_with(name))
    })
}

/// Whether every number that was typed begins a word of an item's name, or stands as it is in what is said of it: as a part of another
/// number it is no sign that the item was meant. A scene is called by its name alone: who types "units 800" wants so many, and no scene
/// that has as many.
fn has_numbers(item: &Item, lowered: &str) -> bool {
    let title = item.title.to_lowercase();
    let said = format!("{} {}", item.kind, item.help).to_lowercase();
    let begins = |number: &str| words_of(&title).any(|word| word.starts_with(number));
    let is_scene = matches!(item.target, Target::Scene(_));
    let stands = |number: &str| !is_scene && words_of(&said).any(|word| word == number);
    let mut numbers =
        words_of(lowered).filter(|word| word.starts_with(|it: char| it.is_ascii_digit()));
    numbers.all(|number| begins(&number) || stands(&number))
}

/// The words of a text without what stands between them; of a number without its commas.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',');
    let words = text.split(move |letter| !is_of_word(letter));
    let words = words.map(|word| word.trim_matches(['.', ',']).replace(',', ""));
    words.filter(|word| !word.is_empty())
}

/// Whether all of some words, in small letters, are words of a title.
fn has_all(title: &str, words: &[String]) -> bool {
    let title = spaced(title).to_lowercase();
    let is_of_title = |word: &String| words_of(&title).any(|it| it == *word);
    !words.is_empty() && words.iter().all(is_of_title)
}

/// Whether all of some words, in small letters, begin words of a title in small letters.
fn begin_all(title: &str, words: &[String]) -> bool {
    let begins = |word: &String| words_of(title).any(|it| it.starts_with(word.as_str()));
    !words.is_empty() && words.iter().all(begins)
}

fn has_words(item: &Item, typed: &str) -> bool {
    let said = format!("{} {} {}", item.kind, item.title, item.help);
    let said = spaced(&said).to_lowercase();
    let mut words = typed.split_whitespace();
    words.all(|word| said.contains(&spaced(word).to_lowercase()))
}

fn untouched(items: &[Item], recent: &[String]) -> Vec<Found> {
    let place = |title: &String| recent.iter().position(|it| it == title);
    let is_shown = |item: &Item| match item.target {
        Target::Word(_) => false,
        Target::Choice(..) => place(&item.title).is_some(),
        _ => true,
    };
    let mut found: Vec<_> = (0..items.len())
        .filter(|item| is_shown(&items[*item]))
        .map(|item| Found {
            item,
            letters: Vec::new(),
        })
        .collect();
    found.sort_by_key(|it| place(&items[it.item].title).unwrap_or(usize::MAX));
    found
}

/// Puts what was chosen first among what was chosen lately.
pub fn remember(recent: &mut Vec<String>, title: &str) {
    /// So many are remembered.
    const MOST: usize = 8;
    recent.retain(|it| it != title);
    recent.insert(0, title.to_owned());
    recent.truncate(MOST);
}

#[cfg(test)]
mod tests;
