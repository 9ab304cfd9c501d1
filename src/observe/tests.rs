use super::*;
use crate::partition::Kind;

#[test]
fn no_more_is_told_of_a_region_at_which_a_search_ends_than_is_said() {
    // Ranks, a crowd in one place, and some outside the field.
    let ranks = (0..500).map(|unit| Vec2::new((unit % 25) as f32, (unit / 25) as f32));
    let crowd = [Vec2::new(27.3, 24.1); 80];
    let outside = [(-4.0, 5.0), (33.0, 34.0), (33.0, 34.0), (12.0, 36.0)].map(Vec2::from);
    let centers: Vec<Vec2> = ranks.chain(crowd).chain(outside).collect();
    let halves: Vec<Vec2> = (0..centers.len())
        .map(|unit| match unit {
            unit if unit % 97 == 0 => Vec2::new(6.0, 4.0),
            unit if unit % 11 == 0 => Vec2::splat(1.3),
            _ => Vec2::splat(0.2),
        })
        .collect();
    let points = Bodies::points(&centers);
    let sized = Bodies {
        half_extents: &halves,
        ..points
    };
    // Over the field and around it, off the ranks and on them.
    let spots = (0..48 * 48).map(|spot| Vec2::new((spot % 48) as f32, (spot / 48) as f32));
    let spots: Vec<Vec2> = spots.map(|spot| spot * 0.93 - Vec2::splat(6.2)).collect();
    let mut frame = Frame::default();
    for &kind in Kind::ALL {
        for bodies in [points, sized] {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
            index.expect(1.5);
            index.rebuild(bodies, &mut ());
            let mut most = 0;
            // What lies right on a slanting line may be in neither room, by rounding.
            let on_units = match kind {
                Kind::BspTree => &[],
                _ => &centers[..],
            };
            for &spot in spots.iter().chain(on_units) {
                let ask = Ask {
                    view: Aabb::new(spot, spot),
                    metres_per_pixel: 0.01,
                    cursor: Some(spot),
                    query_radius: None,
                    query_is_square: false,
                    reach: 1.0,
                    regions: false,
                    refresh: false,
                };
                frame.look_under_cursor(&index, bodies, &ask);
                let Some(region) = frame.path.last() else {
                    continue;
                };
                let extents = match region.outline {
                    Outline::Rect(_) => 2,
                    Outline::Convex { .. } | Outline::Line(..) => 0,
                };
                let told = frame.facts.iter().filter(|fact| match fact.name {
                    "x" | "y" => false,
                    "slot" => fact.value != region.id.to_string(),
                    "units" | "held" => fact.value != region.load.to_string(),
                    _ => true,
                });
                most = most.max(1 + extents + told.count());
            }
            let info = kind.info();
            let of_sizes = if bodies.are_sized() {
                info.told_of_sizes
            } else {
                0
            };
            assert!(
                most <= info.told + of_sizes,
                "{kind:?}, sized {}: {most}",
                bodies.are_sized()
            );
        }
    }
}

#[test]
fn who_is_pointed_at_is_in_its_leaf_though_the_box_of_that_is_a_point() {
    let centers = [(4.0, 4.0), (20.0, 4.0), (12.0, 12.0), (28.0, 28.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let mut index = AnyPartition::new(Kind::MortonTree, Aabb::new(Vec2::ZERO, Vec2::splat(32.0)));
    index.set_knob_text("bucket", "1").expect("a knob");
    index.rebuild(bodies, &mut ());
    let mut frame = Frame::default();
    let mut pointed = |off: f32| {
        let spot = centers[2] + Vec2::new(off, 0.0);
        let ask = Ask {
            view: Aabb::new(spot, spot),
            metres_per_pixel: 0.05,
            cursor: Some(spot),
            query_radius: None,
            query_is_square: false,
            reach: 1.0,
            regions: false,
            refresh: false,
        };
        frame.look_under_cursor(&index, bodies, &ask);
        (frame.unit, frame.path.last().map(|region| region.role))
    };
    let exactly = pointed(0.0);
    assert_eq!(exactly, (Some(2), Some(Role::Leaf)));
    assert_eq!(pointed(0.3), exactly, "as a hand points at it");
    assert_eq!(pointed(3.0), (None, Some(Role::Inner)));
}

#[test]
fn what_is_said_in_an_empty_part_of_a_cell_that_is_lit_is_of_the_leaf_there() {
    let centers = [(1.0, 1.0), (2.0, 2.0), (33.0, 33.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let mut index = AnyPartition::new(Kind::MortonTree, field);
    for (knob, value) in [("cell_size", "8"), ("bucket", "1")] {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    let mut frame = Frame::default();
    let mut ask = Ask {
        view: field,
        metres_per_pixel: 0.05,
        cursor: None,
        query_radius: None,
        query_is_square: false,
        reach: 1.0,
        regions: false,
        refresh: false,
    };
    let mut at = |x: f32, y: f32| {
        let cursor = Vec2::new(x, y);
        ask.cursor = Some(cursor);
        frame.observe(&index, bodies, &ask);
        let is_lit = frame.marks.iter().any(|mark| match mark.outline {
            Outline::Rect(cell) => mark.role == MarkRole::Home && cell.contains(cursor),
            _ => false,
        });
        (is_lit, frame.unit, frame.path.last().map(|it| it.outline))
    };
    let leaf = |unit: usize| Some(Outline::Rect(Aabb::new(centers[unit], centers[unit])));
    // Within the box around all of them, and beyond it.
    assert_eq!(at(3.5, 3.5), (true, None, leaf(1)));
    assert_eq!(at(34.5, 34.0), (true, None, leaf(2)));
    // Far off all of them no cell is lit, and no region is there.
    assert_eq!(at(60.0, 5.0), (false, None, None));
}

#[test]
fn within_a_cell_that_holds_many_leaves_the_inspector_names_the_node_under_the_cursor() {
    let centers = [(1.0, 1.0), (2.0, 2.0), (33.0, 33.0), (40.0, 44.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let pointed = |cell_size: &str, x: f32, y: f32| {
        let mut index = AnyPartition::new(Kind::MortonTree, field);
        for (knob, value) in [("cell_size", cell_size), ("bucket", "1")] {
            index.set_knob_text(knob, value).expect("a knob");
        }
        index.rebuild(bodies, &mut ());
        let mut frame = Frame::default();
        let ask = Ask {
            view: field,
            metres_per_pixel: 0.05,
            cursor: Some(Vec2::new(x, y)),
            query_radius: None,
            query_is_square: false,
            reach: 1.0,
            regions: false,
            refresh: false,
        };
        frame.observe(&index, bodies, &ask);
        let lit = frame.marks.iter().find(|mark| mark.role == MarkRole::Home);
        assert!(lit.is_some() && frame.unit.is_none(), "{cell_size}");
        frame.path.last().copied().map(|it| it.role)
    };
    // One cell holds all of them: between two of them one is in a node above their leaves, and beyond its box the nearest has a leaf.
    assert_eq!(pointed("64", 34.5, 34.5), Some(Role::Inner));
    assert_eq!(pointed("64", 41.5, 45.5), Some(Role::Leaf));
    // In cells of their own each is named, though the box around all of them is under the cursor as well.
    assert_eq!(pointed("8", 34.5, 34.5), Some(Role::Leaf));
}

#[test]
fn who_is_pointed_at_is_in_its_own_leaf_though_its_middle_is_in_that_of_another_one() {
    // One lies, one stands, and they cross; the others are far off.
    let centers = [(10.0, 10.0), (10.5, 10.0), (90.0, 90.0), (90.0, 10.0)].map(Vec2::from);
    let halves = [(8.0, 0.2), (0.3, 4.0), (1.0, 1.0), (1.0, 1.0)].map(Vec2::from);
    let bodies = Bodies {
        half_extents: &halves,
        ..Bodies::points(&centers)
    };
    for (kind, knob) in [(Kind::MortonTree, "bucket"), (Kind::Bvh, "leaf_size")] {
        let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
        index.set_knob_text(knob, "1").expect("a knob");
        index.rebuild(bodies, &mut ());
        let mut frame = Frame::default();
        // Beside the ends of both, where no leaf is.
        for (unit, spot) in [(0, (18.3, 10.0)), (1, (10.5, 14.3))] {
            let spot = Vec2::from(spot);
            let ask = Ask {
                view: Aabb::new(spot, spot),
                metres_per_pixel: 0.05,
                cursor: Some(spot),
                query_radius: None,
                query_is_square: false,
                reach: 1.0,
                regions: false,
                refresh: false,
            };
            frame.look_under_cursor(&index, bodies, &ask);
            assert_eq!(frame.unit, Some(unit), "{kind:?}");
            let leaf = frame.path.last().expect("a region");
            let own = Outline::Rect(bodies.aabb(unit));
            assert_eq!((leaf.role, leaf.outline), (Role::Leaf, own), "{kind:?}");
        }
    }
}

#[test]
fn around_the_cursor_a_square_is_asked_like_a_disc() {
    let centers = [(50.0, 50.0), (59.0, 59.0), (61.0, 50.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
    for kind in Kind::ALL {
        let mut index = AnyPartition::new(*kind, field);
        index.rebuild(bodies, &mut ());
        let mut frame = Frame::default();
        let mut found = |query_is_square: bool| {
            let ask = Ask {
                view: field,
                metres_per_pixel: 1.0,
                cursor: Some(Vec2::splat(50.0)),
                query_radius: Some(10.0),
                query_is_square,
                reach: 1.0,
                regions: false,
                refresh: false,
            };
            frame.observe(&index, bodies, &ask);
            let query = frame.query.as_ref().expect("a query");
            assert_eq!(query.is_square, query_is_square);
            let mut hits = query.hits.clone();
            hits.sort_unstable();
            (hits, query.counter.hits)
        };
        assert_eq!(found(false), (vec![0], 1), "{kind:?}");
        assert_eq!(found(true), (vec![0, 1], 2), "{kind:?}");
    }
}

#[test]
fn cells_that_are_too_small_to_be_drawn_are_said_to_be() {
    let centers = [(5.0, 5.0), (6.0, 5.0), (50.0, 10.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let seen = |kind: Kind, metres_per_pixel: f32| {
        let mut index = AnyPartition::new(kind, field);
        // Only some have it.
        let _ = index.set_knob_text("cell_size", "2");
        index.rebuild(bodies, &mut ());
        let mut frame = Frame::default();
        let ask = Ask {
            view: field,
            metres_per_pixel,
            cursor: None,
            query_radius: None,
            query_is_square: false,
            reach: 1.0,
            regions: true,
            refresh: false,
        };
        frame.observe(&index, bodies, &ask);
        let nobody = Ask {
            view: Aabb::new(Vec2::splat(20.0), Vec2::splat(40.0)),
            ..ask
        };
        let (too_small, drawn) = (frame.too_small, frame.regions.list.len());
        frame.observe(&index, bodies, &nobody);
        (too_small, drawn, frame.too_small)
    };
    for kind in [Kind::LinkedGrid, Kind::SortedGrid] {
        let (too_small, drawn, of_nobody) = seen(kind, 1.0);
        assert_eq!(
            (too_small, drawn, of_nobody),
            (Some(2.0), 0, None),
            "{kind:?}"
        );
        let (too_small, drawn, _) = seen(kind, 0.1);
        assert!(too_small.is_none() && drawn > 0, "{kind:?}");
    }
    for kind in [Kind::Quadtree, Kind::MortonTree, Kind::AllPairs] {
        let (too_small, ..) = seen(kind, 1.0);
        assert_eq!(too_small, None, "{kind:?}");
    }
}

#[test]
fn cells_are_said_to_be_too_small_whatever_larger_ones_are_drawn() {
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let view = Aabb::new(Vec2::splat(-20.0), Vec2::splat(84.0));
    let ask = Ask {
        view,
        metres_per_pixel: 1.0,
        cursor: None,
        query_radius: None,
        query_is_square: false,
        reach: 1.0,
        regions: true,
        refresh: false,
    };
    let seen = |kind: Kind, size: &str, bodies: Bodies<'_>, ask: &Ask| {
        let mut index = AnyPartition::new(kind, field);
        index.set_knob_text("cell_size", size).expect("a knob");
        index.rebuild(bodies, &mut ());
        let mut frame = Frame::default();
        frame.observe(&index, bodies, ask);
        (frame.too_small, frame.regions.list.len())
    };
    // Somebody is outside the field, in a cell that goes on for ever.
    let centers = [(5.0, 5.0), (70.0, 5.0)].map(Vec2::from);
    let (too_small, drawn) = seen(Kind::LinkedGrid, "2", Bodies::points(&centers), &ask);
    assert_eq!(too_small, Some(2.0), "{drawn} are drawn");
    // Far from the origin the borders of cells are rounded, and their size is what it is.
    let far = [Vec2::new(200_005.0, 5.0)];
    let around = Ask {
        view: Aabb::new(far[0] - Vec2::splat(50.0), far[0] + Vec2::splat(50.0)),
        metres_per_pixel: 2.0,
        ..ask
    };
    let (too_small, _) = seen(Kind::HierarchicalGrid, "1.3", Bodies::points(&far), &around);
    assert_eq!(too_small, Some(1.3));
    // Somebody large is in a cell of a coarser level.
    let bodies = Bodies {
        half_extents: &[Vec2::splat(0.4), Vec2::splat(7.0)],
        ..Bodies::points(&centers)
    };
    let (too_small, drawn) = seen(Kind::HierarchicalGrid, "2", bodies, &ask);
    assert_eq!(too_small, Some(2.0), "{drawn} are drawn");
    let near = Ask {
        metres_per_pixel: 0.1,
        ..ask
    };
    let (too_small, drawn) = seen(Kind::HierarchicalGrid, "2", bodies, &near);
    assert!(too_small.is_none() && drawn > 0, "{too_small:?} {drawn}");
}

#[test]
fn a_leaf_that_is_a_point_is_among_those_that_are_counted() {
    let centers = [(4.0, 4.0), (20.0, 4.0), (12.0, 12.0), (28.0, 28.0)].map(Vec2::from);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(32.0));
    let counted = |kind: Kind| {
        let mut index = AnyPartition::new(kind, field);
        // Only one has it.
        let _ = index.set_knob_text("bucket", "1");
        index.rebuild(Bodies::points(&centers), &mut ());
        let mut deepest = 0;
        let query = RegionQuery {
            area: field,
            min_size: 0.0,
        };
        index.regions(query, &mut |region| deepest = deepest.max(region.depth));
        (histogram(&index).deepest_leaf(), usize::from(deepest))
    };
    let (reached, deepest) = counted(Kind::MortonTree);
    assert!(reached == deepest && reached > 0, "{reached} {deepest}");
    assert_eq!(counted(Kind::LinkedGrid).0, 0);
    assert_eq!(Histogram::default().deepest_leaf(), 0);
}

#[test]
fn a_histogram_grows_wider_columns_and_loses_nobody() {
    let mut histogram = Histogram::default();
    (0..HISTOGRAM_COLUMNS).for_each(|value| histogram.note(value));
    assert_eq!(
        (histogram.step(), histogram.counts.len()),
        (1, HISTOGRAM_COLUMNS)
    );
    histogram.note(17);
    assert_eq!(histogram.counts, [2; 9]);
    histogram.note(1_000_000);
    assert!(histogram.step().is_power_of_two() && histogram.counts.len() <= HISTOGRAM_COLUMNS);
    assert_eq!(histogram.counts.iter().sum::<u32>(), 19);
    histogram.note(1 << 20);
    assert_eq!(histogram.counts.iter().sum::<u32>(), 20);
}
