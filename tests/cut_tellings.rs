//! A telling that is cut says nothing of counts, of turns and of who looks at whom that is other than in the whole one.

use skirmish::built_in;
use skirmish::measure::trace::{self, AnyOperation, Options, Report};
use skirmish::partition::Kind;
use skirmish::probe::Cancel;
use skirmish::scene::{Scene, StructureChoice, StructureChoice3, file};
use skirmish::story::space::Operation3;
use skirmish::story::{Operation, Step, Story};
use skirmish::volume::Kind3;
use std::path::Path;

/// What is said where something is not known any more.
const OPEN: &str = "behind the cut";

/// The longest telling that is cut, in events.
const MOST: usize = 40;

const PLANE: &[&str] = &[
    "pairs",
    "radius 30,30,12",
    "range 5,5,30,30",
    "nearest 30,30,5",
    "segment 0,0,60,60",
    "near 3,9",
    "insert 30,30",
    "remove 3",
    "move 3,60,60",
    "rebuild",
];

const SPACE: &[&str] = &[
    "pairs",
    "sphere 30,30,30,60",
    "nearest 30,30,30,5",
    "insert 30,30,30",
    "remove 3",
    "move 3,60,60,60",
    "rebuild",
];

fn scene(name: &str) -> Scene {
    file::read(&built_in::find_scene(Path::new(name))).expect("a scene that ships")
}

fn tell(scene: &Scene, operation: &AnyOperation, cap: usize) -> Report {
    let options = Options {
        tick: 0,
        operation: operation.clone(),
        cap,
    };
    trace::run(scene, &options, &Cancel::default()).expect("an operation")
}

/// How many tests are said to be made, and how many of them to be in reach; and whether they are those of a region's own units.
fn sums(sentence: &str) -> Vec<([&str; 2], bool)> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_sum = |at: &usize| {
        let words = &words[*at..];
        let is_count = words.len() >= 5 && matches!(words[1], "test," | "tests,");
        is_count && words[3] == "in" && words[4].starts_with("reach")
    };
    let sum = |at: usize| {
        let before = words[..at].join(" ");
        let is_own = before
            .trim_end_matches(':')
            .ends_with("compared with each other");
        ([words[at].trim_start_matches('('), words[at + 2]], is_own)
    };
    (0..words.len()).filter(is_sum).map(sum).collect()
}

/// In whose turn two units are said to be compared.
fn turn_named(sentence: &str) -> Option<&str> {
    let (_, turn) = sentence.split_once("in the turn of ")?;
    turn.split_once(':').map(|(turn, _)| turn)
}

/// Who is said to look at the region of which it is told.
fn looker_named(sentence: &str) -> Option<&str> {
    let [comma, colon] = [" looks at it,", " looks at it:"].map(|it| sentence.split_once(it));
    comma.or(colon).map(|(looker, _)| looker)
}

/// The numbers of a sentence.
fn numbers(sentence: &str) -> Vec<&str> {
    let is_none = |it: char| !it.is_ascii_digit() && it != '.' && it != ',';
    let numbers = sentence.split(is_none);
    let numbers = numbers.map(|number| number.trim_matches(['.', ',']));
    numbers.filter(|number| !number.is_empty()).collect()
}

/// Of pairs whose turn it is may be known of the whole alone, so that they are told in other words.
fn check_pairs(cut: &Step, whole: &Step, what: &str) {
    let all = sums(&whole.reason);
    for sum in sums(&cut.reason) {
        assert!(all.contains(&sum), "{what}\n{}", whole.reason);
    }
    if let Some(turn) = turn_named(&cut.reason) {
        // Of a search that is one strip the whole telling says it nowhere.
        let is_same = match turn_named(&whole.reason) {
            Some(of_whole) => turn == of_whole,
            None => turn.starts_with("strip"),
        };
        assert!(is_same, "{what}\n{}", whole.reason);
    }
    if let Some(looker) = looker_named(&cut.reason) {
        let said = whole.reason.to_lowercase();
        let is_said = said.contains(&looker.to_lowercase());
        assert!(is_said, "{what}\n{}", whole.reason);
    }
    for words in [
        "all neighbours",
        "have not looked",
        "have looked",
        "need not look",
        "'s turn:",
        "compared with nobody",
    ] {
        let is_said = cut.reason.contains(words);
        assert!(
            !is_said || whole.reason.contains(words),
            "{what}\n{}",
            whole.reason
        );
    }
    if cut.reason.contains("nobody") {
        let is_none = all.iter().all(|([many, _], _)| *many == "0");
        let is_none = is_none || whole.reason.contains("nobody");
        assert!(is_none, "{what}\n{}", whole.reason);
    }
}

fn check_others(cut: &Step, whole: &Step, what: &str) {
    if cut.reason.contains(OPEN) {
        return;
    }
    // In their order, and no number for two.
    let mut all = numbers(&whole.reason).into_iter();
    for number in numbers(&cut.reason) {
        let is_said = all.any(|it| it == number);
        assert!(is_said, "{what}\n{}", whole.reason);
    }
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    /// How many tellings were cut,
    cuts: usize,
    /// how many steps of these were compared,
    steps: usize,
    /// and how often one of all says that something lies behind the cut.
    open: usize,
}

impl Compared {
    fn add(&mut self, other: Self) {
        self.cuts += other.cuts;
        self.steps += other.steps;
        self.open += other.open;
    }

    /// Where any was cut, something was compared.
    fn expect_steps(self, what: &str) {
        assert!(self.cuts == 0 || self.steps > 0, "{what}: {self:?}");
    }
}

/// Compares all cut tellings of an operation with the whole one.
fn check(scene: &Scene, operation: &AnyOperation) -> Compared {
    let is_pairs = matches!(
        operation,
        AnyOperation::Plane(Operation::Pairs { .. })
            | AnyOperation::Space(Operation3::Pairs { .. })
    );
    let is_plane = matches!(operation, AnyOperation::Plane(_));
    let whole = tell(scene, operation, usize::MAX);
    let steps = |story: &Story| story.steps.len();
    let turn = |story: &Story, step: &Step| step.turn.map(|place| story.places[place].region);
    let mut all = Compared::default();
    for cap in 1..=MOST.min(steps(&whole.story)) {
        let cut = tell(scene, operation, cap);
        assert_eq!(steps(&cut.story), cap);
        let is_whole = cap == steps(&whole.story);
        all.cuts += usize::from(!is_whole);
        let both = [&cut.story, &whole.story];
        for (at, (cut, whole)) in cut.story.steps.iter().zip(&whole.story.steps).enumerate() {
            // An edit that is cut may be told in another order.
            if cut.event != whole.event {
                continue;
            }
            let what = format!(
                "{}, {}, {operation}, cap {cap}, step {}:\n{}",
                scene.name,
                scene.structure_kind().info().key,
                at + 1,
                cut.reason
            );
            match is_pairs {
                true => check_pairs(cut, whole, &what),
                false => check_others(cut, whole, &what),
            }
            let turns = (turn(both[0], cut), turn(both[1], whole));
            if let (true, (Some(turn), Some(of_whole))) = (is_plane, turns) {
                assert_eq!(turn, of_whole, "{what}\n{}", whole.reason);
            }
            all.steps += usize::from(!is_whole);
            all.open += usize::from(cut.reason.contains(OPEN));
        }
        assert!(
            !is_whole
                || cut
                    .story
                    .steps
                    .iter()
                    .all(|step| !step.reason.contains(OPEN))
        );
    }
    all
}

/// The structure as it is usually, and such that few units are many regions, or that two look at each other.
fn choices(kind: Kind) -> Vec<StructureChoice> {
    let mut choices = vec![StructureChoice::new(kind)];
    for (knob, value) in [
        ("capacity", "2"),
        ("leaf_size", "2"),
        ("bucket", "2"),
        ("neighbourhood", "full"),
    ] {
        let mut choice = StructureChoice::new(kind);
        if choice.set(knob, value).is_ok() {
            choices.push(choice);
        }
    }
    choices
}

#[test]
fn with_many_regions_a_cut_telling_on_a_plane_names_no_other_turn_and_no_other_counts() {
    /// Those that change nothing.
    const ASKED: &[&str] = PLANE.split_at(6).0;
    let mut variants = 0;
    for kind in Kind::ALL {
        for choice in choices(*kind).into_iter().skip(1) {
            variants += 1;
            for name in ["figures/half-neighbourhood", "figures/double-attack"] {
                let mut scene = scene(name);
                scene.structure = choice.clone();
                for text in ASKED {
                    let operation = Operation::read(text).expect("an operation");
                    let compared = check(&scene, &AnyOperation::Plane(operation));
                    compared.expect_steps(&format!("{}, {choice:?}, {text}", scene.name));
                }
            }
        }
    }
    assert!(variants > 5, "{variants}");
}

#[test]
fn on_a_plane_no_count_of_a_cut_telling_is_other_than_in_the_whole_one() {
    for kind in Kind::ALL {
        let mut open = 0;
        for text in PLANE {
            let operation = Operation::read(text).expect("an operation");
            let operation = AnyOperation::Plane(operation);
            let mut compared = Compared::default();
            for name in [
                "figures/half-neighbourhood",
                "figures/double-attack",
                "figures/merges",
            ] {
                let mut scene = scene(name);
                scene.structure = StructureChoice::new(*kind);
                compared.add(check(&scene, &operation));
            }
            compared.expect_steps(&format!("{kind:?}, {text}"));
            open += compared.open;
        }
        // All pairs are tested in no region.
        let has_regions = kind.info().key != "all-pairs";
        assert!(!has_regions || open > 0, "{kind:?}");
    }
}

#[test]
fn in_space_no_count_of_a_cut_telling_is_other_than_in_the_whole_one() {
    let mut crowd = scene("volume-mixed-sizes");
    crowd.scale_units(240);
    for kind in Kind3::ALL {
        let mut open = 0;
        for mut scene in [scene("figures/octree-octants"), crowd.clone()] {
            let volume = scene.volume.as_mut().expect("a volume");
            volume.structure = StructureChoice3::new(*kind);
            for text in SPACE {
                let operation = Operation3::read(text).expect("an operation");
                open += check(&scene, &AnyOperation::Space(operation)).open;
            }
        }
        let has_regions = kind.info().key != "all-pairs-3d";
        assert!(!has_regions || open > 0, "{kind:?}");
    }
}

#[test]
fn of_those_who_are_tested_a_longer_telling_says_no_less() {
    let mut scene = scene("mixed-sizes");
    scene.structure = StructureChoice::new(Kind::from_key("linked-grid").expect("a structure"));
    scene.structure.set("cell_size", "1").expect("a knob");
    let operation = Operation::read("radius 100,60,14").expect("an operation");
    let operation = AnyOperation::Plane(operation);
    let whole = tell(&scene, &operation, usize::MAX).story.steps;
    let behind = |step: &Step| step.reason.contains(" too large for any cell.");
    let last = whole.iter().position(behind).expect("they are tested");
    let own = "its 1 unit is tested";
    assert!(whole[last].reason.contains(own), "{}", whole[last].reason);
    // The first test behind the visit is that of its own unit.
    for cap in last + 2..whole.len() {
        let said = &tell(&scene, &operation, cap).story.steps[last].reason;
        let end = match cap - last - 1 {
            1 => ".",
            _ => ", and behind it some that are too large for any cell.",
        };
        assert!(said.ends_with(&format!("{own}{end}")), "{cap}: {said}");
    }
}
