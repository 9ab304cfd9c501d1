//! The figures of the sources, and what the sources get wrong: every scene in `scenes/figures/` says in its caption what is
//! to be seen, and here it is shown to be true, in numbers.

#[path = "common/probes.rs"]
mod probes;

use probes::{counting, heard};
use skirmish::battle::Battle;
use skirmish::flight::Flight;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::measure::simulate::index_for;
use skirmish::partition::{
    AnyPartition, Bodies, Change, Fact, Kind, Pair, Region, RegionId, RegionQuery, Role, Shape,
    UnitId,
};
use skirmish::probe::{Cancel, Counter, Event, Work};
use skirmish::scene::{Scene, SourceRule, StructureChoice, ViewBox, file, generate};
use skirmish::session::{Lane, Session};
use skirmish::sources;
use skirmish::story::Operation;
use skirmish::streaming::{Settings, SimulatedLoader, State, Streaming, WorldObject};
use skirmish::volume::{AnyPartition3, Kind3, RegionQuery3};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A figure, opened as the window opens it.
struct Figure {
    scene: Scene,
    battle: Battle,
    index: AnyPartition,
}

/// A region with its box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    id: RegionId,
    area: Aabb,
    depth: u16,
    load: u32,
    role: Role,
}

impl Figure {
    /// The figure of that name, whose caption must contain each of `words`: what is asserted is also what is said.
    fn open(name: &str, words: &[&str]) -> Self {
        let scene = read(name, words);
        let battle = Battle::new(&scene);
        let index = index_for(&scene, &battle);
        Self {
            scene,
            battle,
            index,
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        self.battle.bodies()
    }

    /// The figure under each of its structures, from the left pane to the right one.
    fn panes(&self) -> Vec<(StructureChoice, AnyPartition)> {
        let choices = std::iter::once(&self.scene.structure).chain(&self.scene.lanes);
        choices
            .map(|choice| {
                let scene = Scene {
                    structure: choice.clone(),
                    ..self.scene.clone()
                };
                (choice.clone(), index_for(&scene, &self.battle))
            })
            .collect()
    }

    /// The same units under another structure.
    fn under(&self, kind: Kind) -> AnyPartition {
        let scene = Scene {
            structure: StructureChoice::new(kind),
            ..self.scene.clone()
        };
        index_for(&scene, &self.battle)
    }

    /// The pairs within the scene's reach, sorted, and what it took to find them.
    fn pairs(&self) -> (Vec<Pair>, Counter) {
        self.pairs_under(&self.index)
    }

    /// The same, found by another index over the same units.
    fn pairs_under(&self, index: &AnyPartition) -> (Vec<Pair>, Counter) {
        let (mut found, mut counting) = (Vec::new(), counting());
        let reach = self.battle.pair_reach();
        index.pairs(self.bodies(), reach, &mut counting, |batch| {
            found.extend_from_slice(batch);
        });
        found.sort_unstable();
        (found, counting.probe)
    }

    fn nodes(&self) -> Vec<Node> {
        nodes_of(&self.index)
    }

    /// What the structure says of a region.
    fn facts(&self, region: RegionId) -> HashMap<&'static str, String> {
        let mut facts = HashMap::new();
        self.index.facts(self.bodies(), region, &mut |fact| {
            facts.insert(fact.name, fact.value);
        });
        facts
    }

    /// What the structure says of how well it is built.
    fn quality(&self, name: &str) -> String {
        quality_of(name, |say| self.index.quality(say))
    }

    /// The addresses of all units under the Morton tree, in the order of the units.
    fn addresses(&self) -> Vec<String> {
        let mut addresses = vec![String::new(); self.bodies().count()];
        for node in self.nodes().iter().filter(|node| node.role == Role::Leaf) {
            let facts = self.facts(node.id);
            let unit: usize = facts["unit"].parse().unwrap();
            addresses[unit] = facts["address"].replace(' ', "");
        }
        addresses
    }
}

/// The scene of the figure of that name, whose caption must contain each of `words`.
fn read(name: &str, words: &[&str]) -> Scene {
    let scene = file::read(&folder().join(format!("{name}.ron"))).unwrap();
    for word in words {
        assert!(scene.caption.contains(word), "{name} does not say {word:?}");
    }
    scene
}

/// What a structure says of itself by this name, of all that `tell` tells.
fn quality_of(name: &str, tell: impl FnOnce(&mut dyn FnMut(Fact))) -> String {
    let mut value = None;
    tell(&mut |fact| {
        if fact.name == name {
            value = Some(fact.value);
        }
    });
    value.unwrap_or_else(|| panic!("nothing is said of {name}"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures")
}

fn nodes_of(index: &AnyPartition) -> Vec<Node> {
    nodes_told_by(|visit| index.regions(EVERYWHERE, visit))
}

/// The regions that `tell` visits, in its order.
fn nodes_told_by(tell: impl FnOnce(&mut dyn FnMut(Region<'_>))) -> Vec<Node> {
    let mut nodes = Vec::new();
    tell(&mut |region| {
        let Shape::Rect(area) = region.shape else {
            return;
        };
        nodes.push(Node {
            id: region.id,
            area,
            depth: region.depth,
            load: region.load,
            role: region.role,
        });
    });
    nodes
}

const EVERYWHERE: RegionQuery = RegionQuery {
    area: Aabb::EVERYTHING,
    min_size: 0.0,
};

fn boxed(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb {
    Aabb::new(Vec2::new(x0, y0), Vec2::new(x1, y1))
}

/// The rectangle that the scene asks about.
fn asked(scene: &Scene) -> Aabb {
    let query = scene.view.query.as_deref().expect("a query");
    match Operation::read(query) {
        Ok(Operation::Range(area)) => area,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_figure_has_a_test_here_and_says_something_short() {
    let source = include_str!("figures.rs");
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ron") {
            continue;
        }
        count += 1;
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(source.contains(&format!("\"{name}\"")), "{name}");
        let caption = file::read(&path).unwrap().caption;
        assert!((40..=300).contains(&caption.chars().count()), "{name}");
    }
    assert!(count >= 20);
}

#[test]
fn the_pictures_of_the_figures_are_those_of_the_other_scenes() {
    for entry in std::fs::read_dir(folder().join("assets")).unwrap() {
        let path = entry.unwrap().path();
        let twin = folder().join("../assets").join(path.file_name().unwrap());
        assert!(
            std::fs::read(&path).unwrap() == std::fs::read(&twin).unwrap(),
            "{}",
            path.display()
        );
    }
}

/// The scenes that name what they compare.
const COMPARISONS: [(&str, &[Kind]); 9] = [
    ("../compare", &[Kind::SortedGrid, Kind::MortonTree]),
    ("quadtree-or-kd-tree", &[Kind::KdTree, Kind::Quadtree]),
    ("refitted-bvh", &[Kind::Bvh, Kind::Bvh]),
    ("half-neighbourhood", &[Kind::LinkedGrid, Kind::LinkedGrid]),
    ("double-attack", &[Kind::LinkedGrid, Kind::LinkedGrid]),
    ("objects-original", &[Kind::RectQuadtree, Kind::MortonTree]),
    (
        "objects-quadtree-a",
        &[Kind::MortonTree, Kind::RectQuadtree],
    ),
    ("truncation", &[Kind::MortonTree, Kind::MortonTree]),
    (
        "measured-not-claimed",
        &[
            Kind::MortonTree,
            Kind::Quadtree,
            Kind::SweepAndPrune,
            Kind::SortedGrid,
        ],
    ),
];

#[test]
fn what_is_compared_stands_side_by_side_and_agrees() {
    for (name, kinds) in COMPARISONS {
        let scene = Figure::open(name, &[]).scene;
        let (mut session, complaint) = Session::new(scene, &folder());
        assert_eq!(complaint, None);
        for tick in 0..90 {
            session.tick(&Cancel::default(), &mut ()).unwrap();
            let lanes = session.lanes();
            assert_eq!(lanes.iter().map(Lane::kind).collect::<Vec<_>>(), kinds);
            for lane in lanes {
                assert_eq!(lane.difference, None, "{name} at tick {tick}");
                assert_eq!(lane.cost.pairs, lanes[0].cost.pairs, "{name}");
                lane.index().validate(session.battle().bodies()).unwrap();
            }
            // No two lanes show the same.
            for (place, lane) in lanes.iter().enumerate() {
                let before = lanes[..place].iter().map(Lane::choice);
                assert!(!before.into_iter().any(|other| other == lane.choice()));
            }
        }
    }
}

// The sources' figures.

#[test]
fn on_the_battlefield_everybody_is_compared_with_everybody() {
    let figure = Figure::open("battlefield", &["Twelve", "66", "6 pairs", "276"]);
    let (pairs, counter) = figure.pairs();
    assert_eq!(figure.bodies().count(), 12);
    assert_eq!((counter.tests, pairs.len()), (66, 6));
    assert_eq!(24 * 23 / 2, 276);
}

#[test]
fn on_the_battle_line_only_those_in_reach_are_compared() {
    let figure = Figure::open("battle-line", &["Twelve", "one pair", "66"]);
    let (pairs, counter) = figure.pairs();
    assert_eq!(figure.bodies().count(), 12);
    assert_eq!(pairs, [(5, 6)]);
    assert_eq!(counter.tests, 1);
}

#[test]
fn half_of_the_neighbours_is_enough() {
    let figure = Figure::open(
        "half-neighbourhood",
        &["Nine", "20 tests", "20 pairs", "none would miss all 20"],
    );
    let (pairs, counter) = figure.pairs();
    let cells = figure.nodes().into_iter().filter(|node| node.load > 0);
    assert_eq!(cells.map(|cell| cell.load).collect::<Vec<_>>(), [1; 9]);
    assert_eq!((counter.tests, pairs.len()), (20, 20));
    // A cell that looked at itself alone would find none of them: each is across a border.
    let nodes = figure.nodes();
    let cell_of = |unit: UnitId| {
        let at = figure.bodies().center(unit);
        nodes.iter().position(|node| node.area.contains(at))
    };
    assert!(pairs.iter().all(|(a, b)| cell_of(*a) != cell_of(*b)));
    // Of the eight neighbours of the middle cell, four are looked at.
    let middle = Vec2::splat(15.0);
    let middle = figure
        .nodes()
        .into_iter()
        .find(|node| node.area.contains(middle))
        .unwrap();
    let facts = figure.facts(middle.id);
    assert_eq!(facts["in half of the next eight"], "4");
    assert_eq!(facts["in all of the next eight"], "8");
}

#[test]
fn a_full_neighbourhood_attacks_double() {
    let half = Figure::open("half-neighbourhood", &[]);
    let full = Figure::open("double-attack", &["40 tests", "20 pairs", "twice"]);
    assert_eq!(full.battle.positions(), half.battle.positions());
    let (pairs, counter) = full.pairs();
    assert_eq!(
        pairs,
        half.pairs().0,
        "each pair is given once all the same"
    );
    assert_eq!(counter.tests, 40);
    assert_eq!(counter.of(Work::DoubleAttack), 20);
    assert_eq!(half.pairs().1.of(Work::DoubleAttack), 0);
    // The panes of the one figure are those of the other, the other way around.
    let tests = |figure: &Figure| {
        let panes = figure.panes().into_iter();
        let counted = panes.map(|(_, index)| figure.pairs_under(&index));
        counted
            .map(|(found, counter)| (found == pairs, counter.tests))
            .collect::<Vec<_>>()
    };
    assert_eq!(tests(&full), [(true, 40), (true, 20)]);
    assert_eq!(tests(&half), [(true, 20), (true, 40)]);
}

#[test]
fn two_units_meet_just_across_a_border() {
    let figure = Figure::open("across-the-border", &["2.4 m", "4 m"]);
    let occupied = figure.nodes().into_iter().filter(|node| node.load > 0);
    assert_eq!(occupied.count(), 2, "a cell each");
    let [a, b] = figure.battle.positions() else {
        panic!("A and B");
    };
    assert!((a.distance(*b) - 2.4).abs() < 1.0e-3);
    assert_eq!(figure.battle.pair_reach(), 4.0);
    assert_eq!(figure.pairs().0, [(0, 1)]);
}

#[test]
fn the_quadtree_splits_one_inside_the_other() {
    let figure = Figure::open("quadtree-splits", &["two", "third", "fifth", "seventh"]);
    let bodies = figure.bodies();
    let mut index = AnyPartition::new(Kind::Quadtree, figure.scene.field);
    for &(knob, value) in &figure.scene.structure.knobs {
        index.set_knob(knob, value);
    }
    index.rebuild(Bodies::points(&[]), &mut ());
    let mut splits = Vec::new();
    for unit in bodies.ids() {
        let trace = heard(100, |probe| {
            index.apply(bodies, &[Change::Add(unit)], probe);
        });
        for event in trace.events() {
            if let Event::Split(region) = *event {
                let node = nodes_of(&index).into_iter().find(|node| node.id == region);
                splits.push((unit + 1, node.unwrap().area));
            }
        }
    }
    let expected = [
        (3, boxed(0.0, 0.0, 64.0, 64.0)),
        (5, boxed(32.0, 32.0, 64.0, 64.0)),
        (7, boxed(32.0, 32.0, 48.0, 48.0)),
    ];
    assert_eq!(splits, expected);
    // What is built in one go is the same tree.
    let areas = |index| {
        let mut areas: Vec<_> = nodes_of(index)
            .into_iter()
            .map(|node| (node.depth, format!("{:?}", node.area)))
            .collect();
        areas.sort();
        areas
    };
    assert_eq!(areas(&index), areas(&figure.index));
}

#[test]
fn in_the_original_quadtree_straddlers_stay_up() {
    let figure = Figure::open("objects-original", &["B lies", "C across", "A and D"]);
    let bodies = figure.bodies();
    // The nodes that hold somebody themselves, from the top down: B's, C's, A's and D's.
    let mut holders: Vec<_> = figure
        .nodes()
        .into_iter()
        .filter(|node| node.load > 0)
        .map(|node| (node.depth, node.load, node.area))
        .collect();
    holders.sort_by(|a, b| a.0.cmp(&b.0).then(a.2.min.x.total_cmp(&b.2.min.x)));
    let expected = [
        (0, 1, boxed(0.0, 0.0, 32.0, 32.0)),
        (1, 1, boxed(16.0, 0.0, 32.0, 16.0)),
        (2, 1, boxed(16.0, 8.0, 24.0, 16.0)),
        (2, 1, boxed(24.0, 8.0, 32.0, 16.0)),
    ];
    assert_eq!(holders, expected);
    let [b, c, a, d] = [1, 2, 0, 3].map(|unit| bodies.aabb(unit));
    for (body, (_, _, area)) in [b, c, a, d].into_iter().zip(expected) {
        assert!(area.contains_box(body));
    }
    let cuts_through = |body: Aabb, x: f32| body.min.x < x && x < body.max.x;
    assert!(cuts_through(b, 16.0) && cuts_through(c, 24.0));
}

#[test]
fn in_quadtree_a_each_object_is_a_leaf() {
    let figure = Figure::open("objects-quadtree-a", &["four", "Three inner nodes"]);
    let original = Figure::open("objects-original", &[]);
    assert_eq!(figure.battle.positions(), original.battle.positions());
    let expected = ["100111", "110100", "101100", "101101"];
    assert_eq!(figure.addresses(), expected);
    let bodies = figure.bodies();
    let [a, b, c, d] = [0, 1, 2, 3].map(|unit| bodies.aabb(unit));
    let of_role = |role| {
        let nodes = figure.nodes().into_iter();
        let boxes = nodes.filter(|node| node.role == role);
        boxes
            .map(|node| (node.depth, node.area))
            .collect::<Vec<_>>()
    };
    let near = c.join(d);
    assert_eq!(
        of_role(Role::Inner),
        [(0, a.join(b).join(near)), (1, a.join(near)), (2, near)]
    );
    assert_eq!(of_role(Role::Leaf), [(2, a), (3, c), (3, d), (1, b)]);
}

#[test]
fn the_address_table_row_by_row() {
    let path = folder().join("../address-table.ron");
    let scene = file::read(&path).unwrap();
    let battle = Battle::new(&scene);
    let index = index_for(&scene, &battle);
    let figure = Figure {
        scene,
        battle,
        index,
    };
    let mut rows = vec![vec![String::new(); 4]; 4];
    for (address, position) in figure
        .addresses()
        .into_iter()
        .zip(figure.battle.positions())
    {
        let cell = (*position / 8.0).floor();
        rows[cell.y as usize][cell.x as usize] = address;
    }
    // Row 1 begins with 0001, where the source prints 1000.
    let expected = [
        ["0000", "0010", "1000", "1010"],
        ["0001", "0011", "1001", "1011"],
        ["0100", "0110", "1100", "1110"],
        ["0101", "0111", "1101", "1111"],
    ];
    assert_eq!(rows, expected);
    // All along its way to a leaf the table is halved along x, y, x, y.
    let sizes = inner_sizes(&figure);
    assert_eq!(sizes.len(), 15);
    for (depth, size) in sizes {
        assert_eq!(size, ["4 × 4", "2 × 4", "2 × 2", "1 × 2"][depth as usize]);
    }
}

/// The depth and nominal size of each inner node of a Morton tree, from the root down.
fn inner_sizes(figure: &Figure) -> Vec<(u16, String)> {
    let nodes = figure.nodes().into_iter();
    let inner = nodes.filter(|node| node.role == Role::Inner);
    let size = |node: Node| figure.facts(node.id)["nominal size"].clone();
    inner.map(|node| (node.depth, size(node))).collect()
}

#[test]
fn nodes_merge_along_y_and_x_in_turn() {
    let words = [
        "Five",
        "0000, 0001, 0010, 0100 and 1000",
        "along y, along x",
    ];
    let figure = Figure::open("address-merges", &words);
    assert_eq!(figure.addresses(), ["0000", "0001", "0010", "0100", "1000"]);
    let sizes = inner_sizes(&figure);
    // From the root down; read upwards: y, x, y, x.
    let expected = [(0, "4 × 4"), (1, "2 × 4"), (2, "2 × 2"), (3, "1 × 2")];
    assert_eq!(
        sizes,
        expected.map(|(depth, size)| (depth, size.to_owned()))
    );
    let branch = |depth: u16| {
        let nodes = figure.nodes().into_iter();
        let node = nodes
            .filter(|node| node.role == Role::Inner)
            .find(|node| node.depth == depth)
            .unwrap();
        figure.facts(node.id)["branch bit"].clone()
    };
    assert_eq!(
        [3, 2, 1, 0].map(branch),
        ["0 (y)", "1 (x)", "2 (y)", "3 (x)"]
    );
}

/// The world of a figure, with a disk whose time is reckoned.
fn world_of(scene: &Scene, change: impl FnOnce(&mut Settings)) -> Streaming<SimulatedLoader> {
    let generated = generate::objects(scene);
    let byte_sizes = vec![20_000; generated.assets.len()];
    let objects = WorldObject::all_of(&generated, &byte_sizes);
    let mut settings = Settings::of_world(scene.world.as_ref().expect("a world"));
    change(&mut settings);
    let assets = generated.assets.iter().map(PathBuf::from);
    Streaming::new(objects, assets, settings, SimulatedLoader::default())
}

/// The depths and boxes of a tree, level by level.
fn from_left_to_right(mut nodes: Vec<Node>) -> Vec<(u16, Aabb)> {
    nodes.sort_by(|a, b| {
        let by_place = a.area.min.x.total_cmp(&b.area.min.x);
        a.depth.cmp(&b.depth).then(by_place)
    });
    nodes
        .into_iter()
        .map(|node| (node.depth, node.area))
        .collect()
}

/// An update and what a window does after it.
fn frame(world: &mut Streaming<SimulatedLoader>, now: f64, position: Vec2, velocity: Vec2) {
    world.update(now, position, velocity);
    while let Some(upload) = world.next_upload() {
        world.uploaded(upload.object);
    }
    while let Some(object) = world.next_unload() {
        world.unloaded(object);
    }
}

#[test]
fn load_rectangles_and_their_union() {
    let figure = Figure::open("load-union", &["Two houses", "one comparison"]);
    let shown = figure.scene.view.boxes.as_deref();
    assert_eq!(shown, Some(&[ViewBox::Load, ViewBox::Union][..]));
    let mut world = world_of(&figure.scene, |_| ());
    let start = figure.scene.character.as_ref().unwrap().position;
    frame(&mut world, 0.0, start, Vec2::ZERO);
    let [a, b] = [0, 1].map(|object| world.object(object).rectangles().load);
    assert_eq!(a, boxed(42.0, 32.0, 98.0, 88.0));
    assert_eq!(b, boxed(80.0, 28.0, 160.0, 104.0));
    let nodes = nodes_told_by(|visit| {
        world
            .trees()
            .load_regions(EVERYWHERE, &mut |region| visit(region));
    });
    let boxes = from_left_to_right(nodes);
    assert_eq!(
        boxes,
        [(0, boxed(42.0, 28.0, 160.0, 104.0)), (1, a), (1, b)]
    );
    // Outside of the union, one comparison.
    assert!(!a.join(b).contains(start));
    assert_eq!(world.tests().load, 1);
    assert!(world.decisions().load.is_empty());
    // Inside, the children are looked at.
    frame(&mut world, 1.0, Vec2::new(50.0, 66.0), Vec2::ZERO);
    assert_eq!(world.tests().load, 3);
    assert_eq!(world.decisions().load, [0]);
}

#[test]
fn unload_rectangles_and_their_intersection() {
    let figure = Figure::open("unload-intersection", &["Two houses", "one comparison"]);
    let shown = figure.scene.view.boxes.as_deref();
    assert_eq!(shown, Some(&[ViewBox::Unload, ViewBox::Intersection][..]));
    let mut world = world_of(&figure.scene, |_| ());
    let start = figure.scene.character.as_ref().unwrap().position;
    for tick in 0..10 {
        frame(&mut world, f64::from(tick) / 60.0, start, Vec2::ZERO);
    }
    assert_eq!(world.states(), [State::Resident; 2], "two houses are there");
    let [a, b] = [0, 1].map(|object| world.object(object).rectangles().unload);
    assert_eq!(a, boxed(34.0, 24.0, 106.0, 96.0));
    assert_eq!(b, boxed(72.0, 20.0, 168.0, 112.0));
    let nodes = nodes_told_by(|visit| {
        world
            .trees()
            .unload_regions(EVERYWHERE, &mut |region| visit(region));
    });
    let boxes = from_left_to_right(nodes);
    assert_eq!(boxes, [(0, boxed(72.0, 24.0, 106.0, 96.0)), (1, a), (1, b)]);
    // Inside of the intersection, one comparison.
    assert!(a.meet(b).contains(start));
    assert_eq!(world.tests().unload, 1);
    assert!(world.decisions().unload.is_empty());
    // Outside, the children are looked at.
    frame(&mut world, 1.0, Vec2::new(120.0, 60.0), Vec2::ZERO);
    assert_eq!(world.tests().unload, 3);
    assert_eq!(world.decisions().unload, [0]);
}

#[test]
fn six_comparisons_against_one() {
    let figure = Figure::open("six-objects", &["one object", "all six"]);
    let (bodies, asked) = (figure.bodies(), asked(&figure.scene));
    let compared = |index: &AnyPartition| {
        let (mut found, mut counter) = (Vec::new(), Counter::default());
        index.range(bodies, asked, &mut counter, |unit| found.push(unit));
        assert_eq!(found, [0]);
        counter.tests
    };
    assert_eq!(compared(&figure.index), 1);
    assert_eq!(compared(&figure.under(Kind::AllPairs)), 6);
}

// The structures that none of the sources has.

#[test]
fn the_kd_tree_halves_the_crowd_and_the_quadtree_the_ground() {
    let words = [
        "Eight",
        "between the two middle units, along x and y in turn",
        "4 and 4, 2 and 2, 1 and 1",
        "4 levels",
        "8 of its 16 leaves are empty",
    ];
    let figure = Figure::open("quadtree-or-kd-tree", &words);
    assert_eq!(figure.bodies().count(), 8);
    let (leaves, inner): (Vec<_>, Vec<_>) = figure
        .nodes()
        .into_iter()
        .partition(|node| node.role == Role::Leaf);
    let held = leaves.iter().map(|leaf| (leaf.depth, leaf.load));
    assert_eq!(held.collect::<Vec<_>>(), [(3, 1); 8]);
    assert_eq!(inner.len(), 7);
    for node in inner {
        let facts = figure.facts(node.id);
        let (axis, sides) =
            [("x", "4 and 4"), ("y", "2 and 2"), ("x", "1 and 1")][node.depth as usize];
        assert!(facts["cut"].starts_with(axis), "{}", facts["cut"]);
        assert_eq!(facts["units on each side"], sides);
        let (_, at) = facts["cut"].split_once(" = ").unwrap();
        let at: f32 = at.parse().unwrap();
        let mut along = figure.battle.positions().iter().map(|position| match axis {
            "x" => position.x,
            _ => position.y,
        });
        assert!(along.all(|place| place != at), "no unit lies on a cut");
    }
    let [_, (_, quadtree)] = &figure.panes()[..] else {
        panic!("two panes");
    };
    let quality = |name| quality_of(name, |say| quadtree.quality(say));
    let said = ["height", "leaves", "empty leaves"].map(quality);
    assert_eq!(said, ["4", "16", "8"]);
}

#[test]
fn a_line_between_slanting_ranks_leaves_one_side_out() {
    let words = [
        "Eight",
        "16 m are clear",
        "the reach of 7 m",
        "6 of 28 pairs",
    ];
    let figure = Figure::open("slanting-ranks", &words);
    assert_eq!(figure.battle.pair_reach(), 7.0);
    let (mut leaves, mut lines) = (Vec::new(), Vec::new());
    figure
        .index
        .regions(EVERYWHERE, &mut |region| match region.role {
            Role::Leaf => leaves.push((region.depth, region.load)),
            _ => lines.push((region.depth, region.id)),
        });
    assert_eq!(leaves, [(2, 2); 4]);
    let told: Vec<_> = lines
        .iter()
        .map(|(depth, line)| {
            let facts = figure.facts(*line);
            let told = ["units on each side", "clear strip"].map(|name| facts[name].clone());
            (*depth, told, facts["line"].clone())
        })
        .collect();
    let between = [
        ["4 and 4", "16.00"],
        ["2 and 2", "6.00"],
        ["2 and 2", "6.00"],
    ];
    let normals = ["0.80 x + -0.60 y", "0.60 x + 0.80 y", "0.60 x + 0.80 y"];
    assert_eq!(told.len(), 3);
    for (place, (depth, told, line)) in told.iter().enumerate() {
        assert_eq!(*depth, u16::from(place > 0));
        assert_eq!(*told, between[place]);
        assert!(line.starts_with(normals[place]), "{line}");
    }
    let (pairs, counter) = figure.pairs();
    assert_eq!((pairs.len(), counter.tests), (6, 6));
    assert!(counter.prunes > 0, "the other rank is left out");
    let (all, without) = figure.pairs_under(&figure.under(Kind::AllPairs));
    assert_eq!((all, without.tests), (pairs, 28));
    // Who goes over to the other rank goes over the line.
    let (mut battle, mut index) = (figure.battle.clone(), figure.index.clone());
    battle.place(&[(0, Vec2::new(27.0, 36.0))]).unwrap();
    let mut update = counting();
    index.apply(battle.bodies(), battle.changes(), &mut update);
    index.validate(battle.bodies()).unwrap();
    assert_eq!(update.probe.of(Work::MoveRelink), 1);
    assert_eq!(update.probe.of(Work::Rebuild), 0);
}

#[test]
fn an_octree_cuts_a_box_into_eight_and_one_of_them_again() {
    let words = ["Nine", "eight octants", "six of its eight parts are empty"];
    let scene = read("octree-octants", &words);
    let flight = Flight::new(&scene);
    let choice = scene.volume.expect("a volume").structure;
    assert_eq!(choice.kind, Kind3::Octree);
    let built = |capacity: Option<&str>| {
        let mut index = AnyPartition3::new(choice.kind, flight.field());
        for &(knob, value) in &choice.knobs {
            index.set_knob(knob, value);
        }
        if let Some(capacity) = capacity {
            index.set_knob_text("capacity", capacity).unwrap();
        }
        index.rebuild(flight.bodies(), &mut ());
        index.validate(flight.bodies()).unwrap();
        // Of each leaf, how deep it is and whom it holds.
        let mut leaves = Vec::new();
        index.regions(RegionQuery3::ALL, &mut |region| {
            if region.role == Role::Leaf {
                leaves.push((region.depth, region.load));
            }
        });
        leaves.sort_unstable();
        leaves
    };
    assert_eq!(flight.bodies().count(), 9);
    let [octants, parts] = [&[(1, 1); 7][..], &[(2, 0); 6]];
    assert_eq!(built(None), [octants, parts, &[(2, 1); 2]].concat());
    // With room for two that cut is gone.
    assert_eq!(built(Some("2")), [octants, &[(1, 2)]].concat());
}

#[test]
fn boxes_that_are_stretched_are_looked_at_more_than_those_that_are_built_anew() {
    let words = [
        "two in each",
        "after 5 seconds, at tick 300",
        "14 tests against 4",
        "turns at the border",
    ];
    let Figure { scene, battle, .. } = Figure::open("refitted-bvh", &words);
    let tests = |choice: &StructureChoice| {
        let scene = Scene {
            structure: choice.clone(),
            ..scene.clone()
        };
        let mut battle = battle.clone();
        let mut index = index_for(&scene, &battle);
        let mut update = counting();
        let mut at = Vec::new();
        for tick in 0..=300 {
            if tick % 300 == 0 {
                let mut counting = counting();
                index.pairs(battle.bodies(), battle.pair_reach(), &mut counting, |_| {});
                at.push((counting.probe.tests, counting.probe.hits));
            }
            battle.step(&index, 1, &mut (), &mut ());
            index.apply(battle.bodies(), battle.changes(), &mut update);
            index.validate(battle.bodies()).unwrap();
        }
        (at, update.probe.of(Work::Rebuild) > 0)
    };
    assert_eq!(tests(&scene.structure), (vec![(4, 0), (14, 0)], false));
    assert_eq!(tests(&scene.lanes[0]), (vec![(4, 0), (4, 0)], true));
}

#[test]
fn a_sweep_compares_those_who_are_abreast() {
    let words = [
        "Six",
        "before it ends, or behind that by no more than the reach: 4 of 15 pairs",
        "D and E are within reach of each other, 3 m",
        "axes to y: it is 6",
    ];
    let figure = Figure::open("sweep-and-prune", &words);
    let bodies = figure.bodies();
    let lefts: Vec<f32> = bodies.ids().map(|unit| bodies.aabb(unit).min.x).collect();
    assert!(lefts.is_sorted(), "A to F, from the left");
    let reach = figure.battle.pair_reach();
    let trace = heard(100, |probe| {
        figure.index.pairs(bodies, reach, probe, |_| {});
    });
    let compared: Vec<Pair> = trace
        .events()
        .iter()
        .filter_map(|event| match *event {
            Event::TestPair(a, b) => Some((a, b)),
            _ => None,
        })
        .collect();
    let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5];
    assert_eq!(compared, [(a, b), (b, c), (d, e), (e, f)]);
    let (pairs, counter) = figure.pairs();
    assert_eq!((pairs, counter.tests), (vec![(d, e)], 4));
    assert_eq!(reach, 3.0);
    let (all, without) = figure.pairs_under(&figure.under(Kind::AllPairs));
    assert_eq!((all, without.tests), (vec![(d, e)], 15));
    let mut along_y = figure.index.clone();
    along_y.set_knob_text("axes", "y").unwrap();
    along_y.rebuild(bodies, &mut ());
    let (all, counter) = figure.pairs_under(&along_y);
    assert_eq!((all, counter.tests), (vec![(d, e)], 6));
    // One of the six begins behind the end of the other, by less than the reach.
    let gap = bodies.aabb(d).min.y - bodies.aabb(e).max.y;
    assert!(gap > 0.0 && gap < reach, "{gap}");
}

// What the sources get wrong or leave open.

#[test]
fn basic_quadtree_misses_what_lies_below_a_straddled_node() {
    let figure = Figure::open("missed-results", &["all four quarters", "other four"]);
    let (bodies, asked) = (figure.bodies(), asked(&figure.scene));
    assert_eq!(figure.scene.view.beside, Some(SourceRule::BasicQuadtree));
    let retrieved = sources::basic_quadtree(figure.scene.field, bodies, asked);
    assert_eq!(retrieved, [0], "four of five are missed");
    for &kind in Kind::ALL {
        let mut found = Vec::new();
        let index = figure.under(kind);
        index.range(bodies, asked, &mut (), |unit| found.push(unit));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3, 4], "{kind:?}");
    }
}

#[test]
fn one_addition_splits_again_and_again() {
    let words = ["Five", "four", "twelve splits"];
    let figure = Figure::open("endless-split", &words);
    let bodies = figure.bodies();
    for kind in [Kind::Quadtree, Kind::RectQuadtree] {
        let mut index = AnyPartition::new(kind, figure.scene.field);
        index.set_knob_text("capacity", "4").unwrap();
        index.set_knob_text("max_depth", "12").unwrap();
        index.rebuild(Bodies::points(&[]), &mut ());
        let mut splits = Vec::new();
        for unit in bodies.ids() {
            let mut counting = counting();
            // A structure sees the units that there are by now.
            let alive: Vec<bool> = bodies.ids().map(|other| other <= unit).collect();
            let bodies = Bodies {
                alive: &alive,
                ..bodies
            };
            index.apply(bodies, &[Change::Add(unit)], &mut counting);
            splits.push(counting.probe.splits);
        }
        assert_eq!(splits, [0, 0, 0, 0, 12], "{kind:?}");
        index.validate(bodies).unwrap();
        let nodes = nodes_of(&index).into_iter();
        let full: Vec<Node> = nodes.filter(|node| node.load > 0).collect();
        assert_eq!(full.len(), 1, "all are still together");
        assert_eq!((full[0].depth, full[0].load), (12, 5));
    }
}

#[test]
fn a_quadtree_merges_what_has_been_left() {
    let mut figure = Figure::open("merges", &["300"]);
    let mut update = counting();
    for _ in 0..300 {
        let Figure { battle, index, .. } = &mut figure;
        battle.step(index, 1, &mut (), &mut ());
        index.apply(battle.bodies(), battle.changes(), &mut update);
    }
    assert_eq!(figure.bodies().count(), 300);
    let update = update.probe;
    assert!(update.splits > 20 && update.merges > 20, "{update:?}");
    figure.index.validate(figure.bodies()).unwrap();
    // When everybody is gone, one node is left.
    let units: Vec<UnitId> = figure.bodies().ids().collect();
    let Figure { battle, index, .. } = &mut figure;
    battle.remove(&units);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    figure.index.validate(figure.bodies()).unwrap();
    assert_eq!(figure.nodes().len(), 1);
}

#[test]
fn cutting_off_the_fraction_puts_four_cells_into_one() {
    let figure = Figure::open(
        "truncation",
        &[
            "Four camps of nine",
            "-0.6 and 0.6",
            "48 pairs",
            "120 tests",
            "222",
        ],
    );
    let positions = figure.battle.positions();
    let cell_size = 10.0;
    let cut_off: BTreeSet<_> = positions
        .iter()
        .map(|at| ((at.x / cell_size) as i32, (at.y / cell_size) as i32))
        .collect();
    let rounded_down: BTreeSet<_> = positions
        .iter()
        .map(|at| {
            let cell = (*at / cell_size).floor();
            (cell.x as i32, cell.y as i32)
        })
        .collect();
    assert_eq!((cut_off.len(), rounded_down.len()), (1, 4));
    // The grid's cells are rounded down: a camp each.
    let grid = StructureChoice {
        kind: Kind::LinkedGrid,
        knobs: vec![(0, f64::from(cell_size))],
    };
    let grid = Scene {
        structure: grid,
        ..figure.scene.clone()
    };
    let grid = index_for(&grid, &figure.battle);
    let loads = nodes_of(&grid).into_iter().map(|node| node.load);
    let occupied: Vec<u32> = loads.filter(|load| *load > 0).collect();
    assert_eq!(occupied, [9; 4]);
    // The Morton tree's as well, unless it is told to cut off: addresses of four corners, or of one cell.
    let [floor, truncate] = &figure.panes()[..] else {
        panic!("two panes");
    };
    let mut all_found = Vec::new();
    let mut counts = Vec::new();
    for (_, index) in [floor, truncate] {
        index.validate(figure.bodies()).unwrap();
        let (found, counter) = figure.pairs_under(index);
        all_found.push(found);
        let mut cells = BTreeSet::new();
        let mut over_the_origin = 0;
        for node in nodes_of(index) {
            if node.role == Role::Leaf {
                index.facts(figure.bodies(), node.id, &mut |fact| {
                    if fact.name == "cell" {
                        cells.insert(fact.value);
                    }
                });
            } else {
                over_the_origin += usize::from(node.area.contains(Vec2::ZERO));
            }
        }
        counts.push((cells.len(), over_the_origin, counter.tests, counter.visits));
    }
    assert_eq!(all_found[0].len(), 48);
    assert_eq!(all_found[0], all_found[1]);
    // Only the root lies over the origin, or half of all the 35 nodes do.
    assert_eq!(counts, [(4, 1, 120, 72), (1, 17, 222, 216)]);
}

#[test]
fn row_one_of_the_table_begins_with_0001() {
    let figure = Figure::open("address-row", &["0001, 0011, 1001 and 1011", "1000"]);
    assert_eq!(figure.addresses(), ["0001", "0011", "1001", "1011"]);
}

#[test]
fn a_radix_tree_is_not_balanced() {
    let figure = Figure::open("unbalanced", &["Twenty-one", "20 levels", "would be 5"]);
    assert_eq!(figure.bodies().count(), 21);
    assert_eq!(figure.quality("height"), "20");
    assert_eq!(figure.quality("ideal height"), "5");
    let addresses = figure.addresses();
    let ones = |address: &String| address.matches('1').count();
    assert_eq!(ones(&addresses[0]), 0);
    assert!(addresses[1..].iter().all(|address| ones(address) == 1));
}

/// What a move touches in the Morton tree on average: nodes refitted, climbed over and descended through.
fn nodes_per_move(
    field: Aabb,
    centers: &mut [Vec2],
    movers: &[UnitId],
    mut step: impl FnMut(Vec2) -> Vec2,
) -> f64 {
    let mut index = AnyPartition::new(Kind::MortonTree, field);
    index.set_knob_text("bucket", "1").unwrap();
    index.rebuild(Bodies::points(centers), &mut ());
    let mut counting = counting();
    for &unit in movers {
        let center = &mut centers[unit as usize];
        *center = step(*center);
        let bodies = Bodies::points(centers);
        index.apply(bodies, &[Change::Move(unit)], &mut counting);
    }
    let counter = counting.probe;
    let touched = counter.refits + counter.of(Work::Climb) + counter.of(Work::Descend);
    touched as f64 / movers.len() as f64
}

#[test]
fn only_small_steps_touch_few_nodes() {
    use rand::{Rng, SeedableRng};
    let figure = Figure::open("across-the-origin", &["highest bit", "few nodes"]);
    let field = figure.scene.field;
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    let small = Vec2::new(10.0 / 60.0, 0.0);
    // As many units to the square metre as in the scene, and ever more of them, off the origin.
    let density = 1000.0 / (100.0 * 110.0);
    let mut by_count = Vec::new();
    for count in [1_000_u32, 10_000, 100_000] {
        let side = (count as f32 / density).sqrt();
        let mut spot = || {
            Vec2::new(
                random.random_range(1.0..side),
                random.random_range(1.0..side),
            )
        };
        let mut centers: Vec<Vec2> = (0..count).map(|_| spot()).collect();
        let movers: Vec<UnitId> = (0..1_000).collect();
        let stepped = nodes_per_move(field, &mut centers, &movers, |center| center + small);
        let jumped = nodes_per_move(field, &mut centers, &movers, |_| spot());
        by_count.push((stepped, jumped));
    }
    println!("nodes a step, nodes a jump, at 1,000, 10,000 and 100,000 units: {by_count:.1?}");
    let (steps, jumps): (Vec<f64>, Vec<f64>) = by_count.into_iter().unzip();
    assert!(steps.iter().all(|step| *step < 6.0), "{steps:?}");
    assert!((steps[2] / steps[0] - 1.0).abs() < 0.25, "flat: {steps:?}");
    // A jump costs a path up and one down, and each of them grows with every doubling.
    assert!(jumps[0] > 2.0 * steps[0], "{jumps:?}");
    assert!(
        jumps[2] > jumps[1] + 3.0 && jumps[1] > jumps[0] + 3.0,
        "{jumps:?}"
    );

    // The scene's own units, at the line where x is 0, with a half of the army on either side of it.
    let mut centers = figure.battle.positions().to_vec();
    for (unit, center) in centers.iter_mut().enumerate() {
        if unit % 2 == 1 {
            center.x = -center.x;
        }
        if unit % 20 == 0 {
            center.x = -0.05;
        }
    }
    let movers: Vec<UnitId> = (0..1_000).step_by(20).collect();
    let crossed = nodes_per_move(field, &mut centers, &movers, |center| center + small);
    println!("nodes a step over the origin: {crossed:.1}");
    assert!(crossed > 3.0 * steps[0], "{crossed} against {steps:?}");
}

#[test]
fn which_structure_compares_less_is_counted_and_not_claimed() {
    let figure = Figure::open(
        "measured-not-claimed",
        &["3,000", "three times", "visits more cells"],
    );
    let counted = |kind: Kind| {
        let mut counting = counting();
        let reach = figure.battle.pair_reach();
        // Those of the figure are as it sets them: its Morton tree has one unit a leaf.
        let pane = figure
            .panes()
            .into_iter()
            .find(|(choice, _)| choice.kind == kind);
        let index = pane.map_or_else(|| figure.under(kind), |(_, index)| index);
        index.pairs(figure.bodies(), reach, &mut counting, |_| ());
        let counter = counting.probe;
        println!(
            "{:16} {:8} pairs compared, {:6} nodes visited",
            kind.info().key,
            counter.tests,
            counter.visits
        );
        counter
    };
    let all: Vec<_> = Kind::ALL.iter().map(|kind| counted(*kind)).collect();
    for counter in &all {
        assert_eq!(counter.hits, all[0].hits);
    }
    let [morton, quadtree, sweep] =
        [Kind::MortonTree, Kind::Quadtree, Kind::SweepAndPrune].map(counted);
    let nodes = |counter: &Counter| counter.visits;
    assert!(morton.tests < quadtree.tests, "fewer pairs");
    assert!(
        nodes(&morton) > 3 * nodes(&quadtree),
        "thrice as many nodes"
    );
    assert!(sweep.tests < morton.tests && nodes(&sweep) < nodes(&morton));
    let grid = counted(Kind::SortedGrid);
    assert!(grid.tests > morton.tests && nodes(&grid) > nodes(&morton));
}

#[test]
fn without_a_lead_every_object_is_late() {
    let figure = Figure::open("late-by-definition", &["30 m in a second"]);
    let ride = |lead: f32, latency_ms: f32| {
        let mut world = world_of(&figure.scene, |settings| {
            settings.lead = lead;
            // The load time is the latency alone.
            (settings.mbps, settings.latency_ms) = (0.0, latency_ms);
        });
        let character = figure.scene.character.as_ref().unwrap();
        let [from, to] = character.paths[0].points[..] else {
            panic!("a straight ride");
        };
        let velocity = (to - from).normalize() * character.speed;
        let frames = ((to - from).length() / character.speed * 60.0) as u32;
        for tick in 0..=frames {
            let seconds = f64::from(tick) / 60.0;
            frame(
                &mut world,
                seconds,
                from + velocity * seconds as f32,
                velocity,
            );
        }
        let statistics = world.statistics();
        assert_eq!(statistics.needed, 40);
        assert_eq!(statistics.sudden_loads, 0);
        statistics.late_loads
    };
    let lead = figure.scene.world.as_ref().unwrap().lead;
    for latency_ms in [100.0, 300.0, 900.0] {
        assert_eq!(ride(lead, latency_ms), 40, "{latency_ms} ms");
        // Speed times load time, and two steps for the way through the queue.
        let enough = 30.0 * (latency_ms / 1000.0 + 2.0 / 60.0);
        assert_eq!(ride(enough, latency_ms), 0, "{latency_ms} ms");
    }
}
