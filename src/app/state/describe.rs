//! What is typed on the page of the scene, and what it means.

use super::App;
use skirmish::chance::pareto_at;
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene::file::check_title;
use skirmish::scene::limits::{MAX_KEEP_APART, MAX_UNITS};
use skirmish::scene::{Formation, Scene};
use skirmish::session::{Action, Beginning, BodySize, Places, hit_points, reach, sight, speed};

/// How bodies can be sized, with what each means; by [`DescribePage::bodies`].
pub const BODY_WORDS: [(&str, &str); 4] = [
    ("Points", "Nobody has a size."),
    ("Alike", "All have the same size."),
    ("Between", "Sizes are spread evenly between two."),
    (
        "Pareto",
        "Many small ones and a few giants, by Pareto's law: the smaller its exponent, the more giants.",
    ),
];

/// How units can be spread when the scene begins, with what each means; by [`DescribePage::places`].
pub const PLACE_WORDS: [(&str, &str); 3] = [
    (
        "As placed",
        "Each army as the file has it, with whoever was placed, moved or erased; on an empty field two blocks that face each other.",
    ),
    (
        "At random",
        "All armies over the whole field, evenly at random.",
    ),
    (
        "Clusters",
        "All armies over the whole field, each in blobs: a few large ones and many small ones.",
    ),
];

/// What stands in the fields of clusters at first.
const CLUSTERS: [&str; 2] = ["5", "20"];

/// What stands in the fields of sizes at first.
const SIZES: [&str; 3] = ["1", "16", "1.7"];

/// What the scene is called, and with what it begins, as it is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribePage {
    /// What it is called.
    pub name: String,
    /// What it says of itself.
    pub caption: String,
    /// How wide its field is, in metres.
    pub width: String,
    /// How high.
    pub height: String,
    /// How many units it begins with.
    pub units: String,
    /// What each unit can bear; empty where armies differ.
    pub hit_points: String,
    /// How far each unit strikes, in metres; empty where armies differ.
    pub reach: String,
    /// How far apart units keep, in metres; of a plane alone.
    pub keep_apart: String,
    /// How far each unit sees an enemy, in metres; empty where armies differ.
    pub sight: String,
    /// The top speed of each unit, in m/s; empty where armies differ.
    pub speed: String,
    /// Which of [`PLACE_WORDS`] its units are.
    pub places: usize,
    /// How many clusters, and the standard deviation of each in metres.
    pub clusters: [String; 2],
    /// With what chance begins.
    pub seed: String,
    /// Which of [`BODY_WORDS`] its bodies are; none where armies differ.
    pub bodies: Option<usize>,
    /// The width of the least, of the greatest, and the exponent.
    pub sizes: [String; 3],
}

/// What a page asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    title: Option<(String, String)>,
    /// With what it is to begin otherwise, the title left out.
    beginning: Option<Beginning>,
}

impl App {
    /// How far apart two units may be to be found as a pair, from edge to edge, in metres, and whether that is as far as all keep apart
    /// anyway, whatever their reach.
    pub fn pair_reach(&self) -> (f32, bool) {
        match &self.flight {
            // In space none keep apart whatever their reach.
            Some(flight) => (flight.pair_reach(), false),
            None => {
                let (reach, apart) = (self.battle.pair_reach(), self.battle.keep_apart());
                (reach, apart > 0.0 && reach <= apart)
            }
        }
    }
}

impl Wanted {
    /// Whether the scene starts again with it.
    pub fn begins(&self) -> bool {
        self.beginning.is_some()
    }

    /// Whether everything is as it was.
    pub fn is_nothing(&self) -> bool {
        self.title.is_none() && self.beginning.is_none()
    }

    /// What is to be done for it: one edit.
    pub fn action(self) -> Option<Action> {
        match (self.title, self.beginning) {
            (title, Some(beginning)) => Some(Action::Begin(Beginning { title, ..beginning })),
            (Some((name, caption)), None) => Some(Action::Describe(name, caption)),
            (None, None) => None,
        }
    }
}

/// How many clusters an army stands in, and how wide, where one does: whoever wants them otherwise begins with what they are.
fn clusters(scene: &Scene) -> Option<[String; 2]> {
    let armies = scene.armies.iter().filter(|army| army.count > 0);
    let mut formations = armies.map(|army| &army.formation);
    formations.find_map(|formation| match formation {
        Formation::Clusters { count, spread, .. } => Some([count.to_string(), spread.to_string()]),
        _ => None,
    })
}

impl DescribePage {
    /// The page of a scene as it is.
    pub fn of(scene: &Scene) -> Self {
        let size = scene.field.size();
        let known = |value: Option<f32>| value.map_or_else(String::new, |value| value.to_string());
        let mut page = Self {
            name: scene.name.clone(),
            caption: scene.caption.clone(),
            width: size.x.to_string(),
            height: size.y.to_string(),
            units: scene.unit_count().to_string(),
            hit_points: hit_points(scene).map_or_else(String::new, |points| points.to_string()),
            reach: known(reach(scene)),
            keep_apart: scene.keep_apart.to_string(),
            sight: known(sight(scene)),
            speed: known(speed(scene)),
            places: 0,
            clusters: clusters(scene).unwrap_or_else(|| CLUSTERS.map(str::to_owned)),
            seed: scene.seed.to_string(),
            bodies: None,
            sizes: SIZES.map(str::to_owned),
        };
        let (kind, sizes): (_, &[f32]) = match BodySize::of(scene) {
            None => return page,
            Some(BodySize::Point) => (0, &[]),
            Some(BodySize::Alike(half)) => (1, &[half]),
            Some(BodySize::Between(least, greatest)) => (2, &[least, greatest]),
            Some(BodySize::Pareto(least, greatest, exponent)) => (3, &[least, greatest, exponent]),
        };
        page.bodies = Some(kind);
        // A body is as wide as two halves; the exponent is no length.
        let widths = [2.0, 2.0, 1.0];
        for ((typed, size), factor) in page.sizes.iter_mut().zip(sizes).zip(widths) {
            *typed = (size * factor).to_string();
        }
        page
    }

    /// Bodies are to be sized in this way.
    pub fn choose_bodies(&mut self, kind: usize) {
        self.bodies = Some(kind);
    }

    /// Why units are not spread anew here, where they are not.
    pub const fn why_places_are_fixed(scene: &Scene) -> Option<&'static str> {
        if scene.volume.is_some() {
            Some("Where flocks begin is set in the file of a scene in space.")
        } else {
            None
        }
    }

    /// How far apart units are to keep, as it is typed, or as they do where that is none that a scene may have; 0 in space, where none do.
    fn apart(&self, scene: &Scene) -> f32 {
        match scene.volume {
            Some(_) => 0.0,
            None => {
                let typed = read(APART, &self.keep_apart).ok();
                let typed = typed.filter(|apart| (0.0..=MAX_KEEP_APART).contains(apart));
                typed.unwrap_or(scene.keep_apart)
            }
        }
    }

    /// What the reach of units is, for the tooltip of its field.
    pub fn help_of_reach(&self, scene: &Scene) -> String {
        if scene.volume.is_some() {
            return "Up to so far apart, from edge to edge, pairs are looked for.".to_owned();
        }
        let least = match self.apart(scene) {
            0.0 => String::new(),
            apart => format!(", and up to {apart} m at the least: units keep so far apart"),
        };
        format!(
            "How far units strike, from edge to edge. Pairs are looked for up to the longest reach of all{least}."
        )
    }

    /// Up to where pairs are looked for at the least; nothing where nothing is the least.
    pub fn least_reach(&self, scene: &Scene) -> Option<String> {
        let apart = self.apart(scene);
        (apart > 0.0).then(|| {
            format!("Pairs are looked for up to {apart} m at the least: units keep so far apart.")
        })
    }

    /// What there is to say of a reach below the one up to which pairs are looked for anyway; nothing of a longer one, or of what is none.
    pub fn why_reach_is_short(&self, scene: &Scene) -> Option<String> {
        let reach = read("the reach", &self.reach).ok()?;
        let apart = self.apart(scene);
        let is_short = (0.0..apart).contains(&(reach * scene.reach_scale));
        is_short.then(|| {
            format!("Pairs are looked for up to {apart} m all the same: units keep so far apart.")
        })
    }

    /// Takes out what no file could keep: a caption is one line, which is broken where it is shown.
    pub fn tidy(&mut self) {
        for text in [&mut self.name, &mut self.caption] {
            text.retain(|character| character == '\n' || !character.is_control());
            *text = text.replace('\n', " ");
        }
    }

    /// Why the size of a scene's field is not set here, where it is not.
    pub const fn why_field_is_fixed(scene: &Scene) -> Option<&'static str> {
        if scene.volume.is_some() {
            Some("The field of a scene in space is set in its file, with its height and its hills.")
        } else if scene.world.is_some() {
            Some("The field of a world is set in its file, with the objects that stand on it.")
        } else {
            None
        }
    }

    /// What is asked for, beside what the scene has already; or what is wrong with it.
    pub fn wanted(&self, scene: &Scene) -> Result<Wanted, String> {
        check_title(&self.name, &self.caption)?;
        let is_same = (&self.name, &self.caption) == (&scene.name, &scene.caption);
        let title = (!is_same).then(|| (self.name.clone(), self.caption.clone()));
        let before = Self::of(scene);
        let mut beginning = Beginning::default();
        if (&self.width, &self.height) != (&before.width, &before.height) {
            let width = read("the field's width", &self.width)?;
            beginning.field = Some((width, read("the field's height", &self.height)?));
        }
        if self.seed != before.seed {
            let seed = self.seed.trim().parse::<u64>();
            let flaw = || {
                format!(
                    "the seed must be a whole number from 0 to {} (found {})",
                    u64::MAX,
                    self.seed
                )
            };
            beginning.seed = Some(seed.map_err(|_| flaw())?);
        }
        if self.units != before.units {
            let digits = self.units.replace([',', ' '], "");
            let flaw = || {
                format!(
                    "the number of units must be a whole number from 0 to {MAX_UNITS} (found '{}')",
                    self.units
                )
            };
            let units = digits.parse::<u32>().ok();
            let units = units.filter(|units| *units <= MAX_UNITS);
            beginning.units = Some(units.ok_or_else(flaw)?);
        }
        if self.hit_points != before.hit_points {
            let digits = self.hit_points.replace([',', ' '], "");
            let points = digits.parse::<u16>().ok().filter(|points| *points > 0);
            let flaw = || {
                format!(
                    "hit points must be a whole number from 1 to {} (found '{}')",
                    u16::MAX,
                    self.hit_points
                )
            };
            beginning.hit_points = Some(points.ok_or_else(flaw)?);
        }
        for (what, typed, known, wanted) in [
            (
                "the reach",
                &self.reach,
                &before.reach,
                &mut beginning.reach,
            ),
            (
                APART,
                &self.keep_apart,
                &before.keep_apart,
                &mut beginning.keep_apart,
            ),
            (
                "the sight",
                &self.sight,
                &before.sight,
                &mut beginning.sight,
            ),
            (
                "the speed",
                &self.speed,
                &before.speed,
                &mut beginning.speed,
            ),
        ] {
            if typed != known {
                *wanted = Some(read(what, typed)?);
            }
        }
        if self.places != before.places {
            beginning.places = Some(self.spread()?);
        }
        if (self.bodies, &self.sizes) != (before.bodies, &before.sizes) {
            beginning.bodies = self.body_size()?;
        }
        let begins = !beginning.is_that_of(scene);
        let beginning = begins.then_some(beginning);
        if let Some(beginning) = &beginning {
            Action::Begin(beginning.clone()).check()?;
        }
        Ok(Wanted { title, beginning })
    }

    /// How wide bodies come out that follow Pareto's law as it is typed, in words; nothing where that is no law.
    pub fn widths_in_words(&self) -> Option<String> {
        let Some(BodySize::Pareto(least, greatest, exponent)) = self.body_size().ok()? else {
            return None;
        };
        let begun = Beginning {
            bodies: self.body_size().ok()?,
            ..Beginning::default()
        };
        Action::Begin(begun).check().ok()?;
        let width = |below: f64| {
            let width = 2.0 * pareto_at(below, least, greatest, exponent);
            let digits = (2 - width.log10().floor() as i32).clamp(0, 4) as usize;
            format!("{width:.digits$} m")
        };
        Some(format!(
            "Half of them are narrower than {}, one in 10 is wider than {}, one in 100 than {}.",
            width(0.5),
            width(0.9),
            width(0.99)
        ))
    }

    fn spread(&self) -> Result<Places, String> {
        let [count, spread] = &self.clusters;
        if self.places == 1 {
            return Ok(Places::Random);
        }
        let digits = count.replace([',', ' '], "");
        let flaw = || format!("the number of clusters must be a whole number (found '{count}')");
        let count = digits.parse::<u32>().map_err(|_| flaw())?;
        Ok(Places::Clusters(
            count,
            read("the spread of a cluster", spread)?,
        ))
    }

    /// What is wrong with the widths, in the numbers that were typed: who checks an action speaks of halves, as it holds them.
    fn check_widths(&self) -> Result<(), String> {
        let count = match self.bodies {
            Some(1) => 1,
            Some(2 | 3) => 2,
            _ => 0,
        };
        let is_pareto = self.bodies == Some(3);
        let most = 2.0 * COORDINATE_LIMIT;
        let mut least = 0.0;
        for typed in &self.sizes[..count] {
            let width = read(WIDTH, typed)?;
            if is_pareto && width == 0.0 {
                return Err(format!("{WIDTH} must be more than 0 by Pareto's law"));
            }
            if !(0.0..=most).contains(&width) {
                return Err(format!("{WIDTH} must be from 0 to {most} (found {width})"));
            }
            if width < least {
                return Err(format!(
                    "the greatest width must be at least as large as the least, {least} (found {width})"
                ));
            }
            least = width;
        }
        Ok(())
    }

    fn body_size(&self) -> Result<Option<BodySize>, String> {
        let [first, second, third] = &self.sizes;
        self.check_widths()?;
        let half = |typed: &str| read(WIDTH, typed).map(|width| width / 2.0);
        Ok(match self.bodies {
            None => None,
            Some(1) => Some(BodySize::Alike(half(first)?)),
            Some(2) => Some(BodySize::Between(half(first)?, half(second)?)),
            Some(3) => Some(BodySize::Pareto(
                half(first)?,
                half(second)?,
                read("the exponent", third)?,
            )),
            Some(_) => Some(BodySize::Point),
        })
    }
}

/// What the distance is called that units keep.
const APART: &str = "how far units keep apart";

/// What the width of a body is called.
const WIDTH: &str = "the width of a body";

/// The number that was typed; commas and blanks part its digits.
fn read(what: &str, typed: &str) -> Result<f32, String> {
    let digits = typed.replace([',', ' '], "");
    let number = digits
        .parse::<f32>()
        .ok()
        .filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{what} must be a number (found '{typed}')"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::battle::Battle;
    use skirmish::scene::file;

    #[test]
    fn a_page_that_is_left_as_it_is_asks_for_nothing() {
        let scene = file::built_in();
        let page = DescribePage::of(&scene);
        assert!(
            page.wanted(&scene)
                .expect("what a scene has is right")
                .is_nothing()
        );
    }

    #[test]
    fn a_reach_below_the_one_at_which_pairs_are_looked_for_says_so() {
        let mut scene = file::built_in();
        let mut page = DescribePage::of(&scene);
        let says = |page: &mut DescribePage, scene: &Scene, reach: &str| {
            page.reach = reach.to_owned();
            let (said, least) = (page.why_reach_is_short(scene), page.least_reach(scene));
            // One stands in the place of the other, and nothing moves.
            assert!(said.is_none() || least.is_some());
            said.is_some()
        };
        for (reach, is_said) in [
            ("0", true),
            ("1.9", true),
            ("2", false),
            ("", false),
            ("-1", false),
        ] {
            assert_eq!(says(&mut page, &scene, reach), is_said, "'{reach}'");
        }
        // And those at that reach find as many as those without any.
        let pairs = |reach: f32| {
            let mut scene = file::built_in();
            scene.armies.iter_mut().for_each(|army| army.reach = reach);
            Battle::new(&scene).pair_reach()
        };
        assert_eq!([0.0, 1.9, 2.0].map(pairs), [scene.keep_apart; 3]);
        assert!(pairs(2.5) > scene.keep_apart);
        scene.reach_scale = 0.5;
        assert!(says(&mut page, &scene, "3"));
        // It goes by what is typed beside it, as soon as that is a number.
        for (apart, is_said) in [("3.1", true), ("0.5", false), ("", false), ("x", false)] {
            page.keep_apart = apart.to_owned();
            assert_eq!(says(&mut page, &scene, "6"), is_said, "'{apart}'");
        }
        // Where units may touch, no reach is too short for that.
        page.keep_apart = "0".to_owned();
        assert!(!says(&mut page, &scene, "0"));
        assert_eq!(page.least_reach(&scene), None);
        assert!(
            page.help_of_reach(&scene)
                .ends_with("longest reach of all.")
        );
        let wanted = page.wanted(&scene).expect("a distance").action();
        let Some(Action::Begin(begun)) = wanted else {
            panic!("the scene begins otherwise");
        };
        assert_eq!(begun.keep_apart, Some(0.0));
        // By what Apply refuses nothing goes.
        let own = DescribePage::of(&scene).least_reach(&scene);
        for apart in ["-1", "1e38", "100.1"] {
            page.keep_apart = apart.to_owned();
            assert!(page.wanted(&scene).is_err(), "'{apart}'");
            assert_eq!(page.least_reach(&scene), own, "'{apart}'");
        }
        page.keep_apart = "-1".to_owned();
        let flaw = page.wanted(&scene).expect_err("less than nothing");
        assert!(flaw.contains("how far units keep apart"), "{flaw}");
        // In space units look as far as they are told.
        let swarm = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/swarm.ron"));
        let swarm = file::parse(swarm, "swarm.ron").expect("a scene");
        assert!(!says(&mut page, &swarm, "0"));
    }

    #[test]
    fn what_is_typed_is_asked_for_and_what_means_nothing_is_said() {
        let scene = file::built_in();
        let mut page = DescribePage::of(&scene);
        page.width = "1,200".to_owned();
        page.choose_bodies(3);
        let wanted = page.wanted(&scene).expect("a field and bodies");
        assert!(wanted.begins());
        let beginning = Beginning {
            field: Some((1200.0, scene.field.size().y)),
            bodies: Some(BodySize::Pareto(0.5, 8.0, 1.7)),
            ..Beginning::default()
        };
        assert_eq!(wanted.action(), Some(Action::Begin(beginning)));
        let widths = page.widths_in_words().expect("a law");
        assert_eq!(
            widths,
            "Half of them are narrower than 1.50 m, one in 10 is wider than 3.70 m, one in 100 than 10.3 m."
        );
        page.sizes[1] = "0.1".to_owned();
        assert_eq!(page.widths_in_words(), None);
        let flaw = page
            .wanted(&scene)
            .expect_err("the greatest is less than the least");
        assert!(flaw.contains("at least as large as the least"), "{flaw}");
        // In widths, as they were typed.
        page.sizes = ["200", "150", "1.7"].map(str::to_owned);
        for bodies in [2, 3] {
            page.choose_bodies(bodies);
            let flaw = page.wanted(&scene).expect_err("the wrong way round");
            assert!(flaw.ends_with("the least, 200 (found 150)"), "{flaw}");
        }
        page.sizes[0] = "-3".to_owned();
        let flaw = page.wanted(&scene).expect_err("less than nothing");
        assert!(flaw.ends_with("(found -3)"), "{flaw}");
        page.sizes[0] = "0".to_owned();
        assert!(page.wanted(&scene).is_err(), "no law has that");
        page.sizes = ["1", "16", "1.7"].map(str::to_owned);
        page.reach = "10".to_owned();
        page.places = 2;
        let wanted = page.wanted(&scene).expect("a reach and clusters");
        let Some(Action::Begin(begun)) = wanted.action() else {
            panic!("the scene begins otherwise");
        };
        assert_eq!(begun.reach, Some(10.0));
        assert_eq!(
            (begun.sight, begun.places),
            (None, Some(Places::Clusters(5, 20.0)))
        );
        page.clusters[0] = "many".to_owned();
        let flaw = page.wanted(&scene).expect_err("no number");
        assert!(flaw.contains("the number of clusters"), "{flaw}");
        page.places = 0;
        page.reach = "-3".to_owned();
        let flaw = page.wanted(&scene).expect_err("less than nothing");
        assert!(flaw.contains("the reach of a unit"), "{flaw}");
        page.reach = DescribePage::of(&scene).reach;
        page.hit_points = "0".to_owned();
        let flaw = page.wanted(&scene).expect_err("nobody bears nothing");
        assert!(flaw.contains("from 1 to 65535 (found '0')"), "{flaw}");
        page.hit_points = "65,535".to_owned();
        page.sizes[1] = "wide".to_owned();
        let flaw = page.wanted(&scene).expect_err("no number");
        assert_eq!(flaw, "the width of a body must be a number (found 'wide')");
    }
}
