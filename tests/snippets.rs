//! What "Copy as Rust" gives for each structure, at the defaults and with other knobs, compiled and run. Made by a test in
//! `src/app/snippet.rs`; `SKIRMISH_REMAKE=1` writes it anew.

use skirmish::partition::AnyPartition;
use skirmish::volume::AnyPartition3;

#[rustfmt::skip]
#[allow(unused_imports)]
fn points_on_a_plane(mut index: AnyPartition, reach: f32) {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // Once: where everybody is. The columns are yours, and the index is told of them.
    let mut positions = vec![Vec2::ZERO, Vec2::ONE];
    let bodies = Bodies::points(&positions);
    index.rebuild(bodies, &mut ());

    // Each frame: say who moved (Change::Move), came (Change::Add) and went (Change::Remove) ...
    positions[1] *= 0.5;
    let bodies = Bodies::points(&positions);
    index.apply(bodies, &[Change::Move(1)], &mut ());
    // ... then ask which pairs are in reach of each other, and who is near a point.
    let mut pairs = Vec::new();
    index.pairs(bodies, reach, &mut (), |found| pairs.extend_from_slice(found));
    assert_eq!(pairs, [(0, 1)]);
    let mut near = Vec::new();
    index.radius(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));
    near.sort_unstable();
    assert_eq!(near, [0, 1]);
    // ... who is in a box, and who are the nearest, the unit itself left out.
    let mut inside = Vec::new();
    index.range(bodies, Aabb::new(Vec2::splat(-0.25), Vec2::splat(0.25)), &mut (), |unit| inside.push(unit));
    assert!(inside.contains(&0));
    let mut nearest = Vec::new();
    let query = NearestQuery { point: positions[0], count: 8, within: f32::INFINITY };
    index.nearest(bodies, query, |unit| unit != 0, &mut (), &mut nearest);
    assert_eq!(nearest[0].unit, 1);
}

#[rustfmt::skip]
#[allow(unused_imports)]
fn sized_on_a_plane(mut index: AnyPartition, reach: f32) {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // Once: where everybody is. The columns are yours, and the index is told of them.
    let mut positions = vec![Vec2::ZERO, Vec2::ONE];
    // Half of each unit's size.
    let half_extents = vec![Vec2::splat(0.5), Vec2::splat(4.0)];
    let bodies = Bodies { half_extents: &half_extents, ..Bodies::points(&positions) };
    index.rebuild(bodies, &mut ());

    // Each frame: say who moved (Change::Move), came (Change::Add) and went (Change::Remove) ...
    positions[1] *= 0.5;
    let bodies = Bodies { half_extents: &half_extents, ..Bodies::points(&positions) };
    index.apply(bodies, &[Change::Move(1)], &mut ());
    // ... then ask which pairs are in reach of each other, and who is near a point.
    let mut pairs = Vec::new();
    index.pairs(bodies, reach, &mut (), |found| pairs.extend_from_slice(found));
    assert_eq!(pairs, [(0, 1)]);
    let mut near = Vec::new();
    index.radius(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));
    near.sort_unstable();
    assert_eq!(near, [0, 1]);
    // ... who is in a box, and who are the nearest, the unit itself left out.
    let mut inside = Vec::new();
    index.range(bodies, Aabb::new(Vec2::splat(-0.25), Vec2::splat(0.25)), &mut (), |unit| inside.push(unit));
    assert!(inside.contains(&0));
    let mut nearest = Vec::new();
    let query = NearestQuery { point: positions[0], count: 8, within: f32::INFINITY };
    index.nearest(bodies, query, |unit| unit != 0, &mut (), &mut nearest);
    assert_eq!(nearest[0].unit, 1);
}

#[rustfmt::skip]
#[allow(unused_imports)]
fn points_in_space(mut index: AnyPartition3, reach: f32) {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // Once: where everybody is. The columns are yours, and the index is told of them.
    let mut positions = vec![Vec3::ZERO, Vec3::ONE];
    let bodies = Bodies3::points(&positions);
    index.rebuild(bodies, &mut ());

    // Each frame: say who moved (Change::Move), came (Change::Add) and went (Change::Remove) ...
    positions[1] *= 0.5;
    let bodies = Bodies3::points(&positions);
    index.apply(bodies, &[Change::Move(1)], &mut ());
    // ... then ask which pairs are in reach of each other, and who is near a point.
    let mut pairs = Vec::new();
    index.pairs(bodies, reach, &mut (), |found| pairs.extend_from_slice(found));
    assert_eq!(pairs, [(0, 1)]);
    let mut near = Vec::new();
    index.sphere(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));
    near.sort_unstable();
    assert_eq!(near, [0, 1]);
    // ... who is in a box, and who are the nearest, the unit itself left out.
    let mut inside = Vec::new();
    index.range(bodies, Aabb3::new(Vec3::splat(-0.25), Vec3::splat(0.25)), &mut (), |unit| inside.push(unit));
    assert!(inside.contains(&0));
    let mut nearest = Vec::new();
    let query = NearestQuery3 { point: positions[0], count: 8, within: f32::INFINITY };
    index.nearest(bodies, query, |unit| unit != 0, &mut (), &mut nearest);
    assert_eq!(nearest[0].unit, 1);
}

#[rustfmt::skip]
#[allow(unused_imports)]
fn sized_in_space(mut index: AnyPartition3, reach: f32) {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // Once: where everybody is. The columns are yours, and the index is told of them.
    let mut positions = vec![Vec3::ZERO, Vec3::ONE];
    // Half of each unit's size.
    let half_extents = vec![Vec3::splat(0.5), Vec3::splat(4.0)];
    let bodies = Bodies3 { half_extents: &half_extents, ..Bodies3::points(&positions) };
    index.rebuild(bodies, &mut ());

    // Each frame: say who moved (Change::Move), came (Change::Add) and went (Change::Remove) ...
    positions[1] *= 0.5;
    let bodies = Bodies3 { half_extents: &half_extents, ..Bodies3::points(&positions) };
    index.apply(bodies, &[Change::Move(1)], &mut ());
    // ... then ask which pairs are in reach of each other, and who is near a point.
    let mut pairs = Vec::new();
    index.pairs(bodies, reach, &mut (), |found| pairs.extend_from_slice(found));
    assert_eq!(pairs, [(0, 1)]);
    let mut near = Vec::new();
    index.sphere(bodies, positions[0], 2.0, &mut (), |unit| near.push(unit));
    near.sort_unstable();
    assert_eq!(near, [0, 1]);
    // ... who is in a box, and who are the nearest, the unit itself left out.
    let mut inside = Vec::new();
    index.range(bodies, Aabb3::new(Vec3::splat(-0.25), Vec3::splat(0.25)), &mut (), |unit| inside.push(unit));
    assert!(inside.contains(&0));
    let mut nearest = Vec::new();
    let query = NearestQuery3 { point: positions[0], count: 8, within: f32::INFINITY };
    index.nearest(bodies, query, |unit| unit != 0, &mut (), &mut nearest);
    assert_eq!(nearest[0].unit, 1);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn all_pairs_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // all pairs: No structure: every query looks at every unit. It is the reference to which all others are proven equal.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::AllPairs, field);
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn all_pairs_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // all pairs: No structure: every query looks at every unit. It is the reference to which all others are proven equal.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::AllPairs, field);
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn battle_line_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // battle line: Units sorted by one coordinate. A binary search finds where on the line a query begins, and only those abreast of it are looked at, however far away they are across the line.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::BattleLine, field);
    index.set_knob_text("axis", "auto").expect("a value of the knob");
    index.set_knob_text("sort", "pigeonhole").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn battle_line_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // battle line: Units sorted by one coordinate. A binary search finds where on the line a query begins, and only those abreast of it are looked at, however far away they are across the line.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::BattleLine, field);
    index.set_knob_text("axis", "y").expect("a value of the knob");
    index.set_knob_text("sort", "insertion").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn linked_grid_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // linked grid: Square cells, each a linked list threaded through the units that stand in it. A move mends three links, and a unit looks for company in its own cell and the neighbours, of which half are enough.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.set_knob_text("cell_size", "auto").expect("a value of the knob"); // 32 m at present
    index.set_knob_text("neighbourhood", "half").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn linked_grid_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // linked grid: Square cells, each a linked list threaded through the units that stand in it. A move mends three links, and a unit looks for company in its own cell and the neighbours, of which half are enough.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.set_knob_text("cell_size", "3").expect("a value of the knob");
    index.set_knob_text("neighbourhood", "full").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn sorted_grid_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // sorted grid: Units sorted by cell, positions and all, so that a cell is a run of one array and three neighbouring cells are one longer run. Where much moves, a step sorts anew, which is cheaper than mending links; where little moves, a unit is moved past those of its row.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::SortedGrid, field);
    index.set_knob_text("cell_size", "auto").expect("a value of the knob"); // 32 m at present
    index.set_knob_text("skin", "0").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn sorted_grid_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // sorted grid: Units sorted by cell, positions and all, so that a cell is a run of one array and three neighbouring cells are one longer run. Where much moves, a step sorts anew, which is cheaper than mending links; where little moves, a unit is moved past those of its row.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::SortedGrid, field);
    index.set_knob_text("cell_size", "3").expect("a value of the knob");
    index.set_knob_text("skin", "1").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn quadtree_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // quadtree: A field that splits into four where units crowd, and takes its quarters back where they have left. Leaves are small where there is much to tell apart and large where there is nothing.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::Quadtree, field);
    index.set_knob_text("capacity", "24").expect("a value of the knob");
    index.set_knob_text("max_depth", "12").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn quadtree_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // quadtree: A field that splits into four where units crowd, and takes its quarters back where they have left. Leaves are small where there is much to tell apart and large where there is nothing.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::Quadtree, field);
    index.set_knob_text("capacity", "48").expect("a value of the knob");
    index.set_knob_text("max_depth", "3").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn rect_quadtree_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // rectangle quadtree: A quadtree whose nodes hold bodies, not centres: each body is in the smallest node that holds the whole of it, and what lies across a line between quarters stays in the node that it cuts.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::RectQuadtree, field);
    index.set_knob_text("capacity", "32").expect("a value of the knob");
    index.set_knob_text("max_depth", "12").expect("a value of the knob");
    index.set_knob_text("looseness", "1.2").expect("a value of the knob");
    index.set_knob_text("tight", "off").expect("a value of the knob");
    index.set_knob_text("straddlers", "on").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn rect_quadtree_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // rectangle quadtree: A quadtree whose nodes hold bodies, not centres: each body is in the smallest node that holds the whole of it, and what lies across a line between quarters stays in the node that it cuts.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::RectQuadtree, field);
    index.set_knob_text("capacity", "64").expect("a value of the knob");
    index.set_knob_text("max_depth", "3").expect("a value of the knob");
    index.set_knob_text("looseness", "1").expect("a value of the knob");
    index.set_knob_text("tight", "on").expect("a value of the knob");
    index.set_knob_text("straddlers", "off").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn kd_tree_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // k-d tree: A balanced tree: its units are parted at the median of one axis, one half to each side, and each half again. Up to fifteen cuts that are together make one node, whose sixteen children carry the boxes around their units, to be tested at once.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::KdTree, field);
    index.set_knob_text("leaf_size", "32").expect("a value of the knob");
    index.set_knob_text("split", "longest_side").expect("a value of the knob");
    index.set_knob_text("update", "partial").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn kd_tree_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // k-d tree: A balanced tree: its units are parted at the median of one axis, one half to each side, and each half again. Up to fifteen cuts that are together make one node, whose sixteen children carry the boxes around their units, to be tested at once.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::KdTree, field);
    index.set_knob_text("leaf_size", "64").expect("a value of the knob");
    index.set_knob_text("split", "alternate").expect("a value of the knob");
    index.set_knob_text("update", "rebuild").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn bsp_tree_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // BSP tree: A balanced binary tree of lines: each cuts its crowd in two halves across the direction in which it is spread the widest. The rooms between the lines are convex polygons.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::BspTree, field);
    index.set_knob_text("leaf_size", "32").expect("a value of the knob");
    index.set_knob_text("update", "partial").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn bsp_tree_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // BSP tree: A balanced binary tree of lines: each cuts its crowd in two halves across the direction in which it is spread the widest. The rooms between the lines are convex polygons.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::BspTree, field);
    index.set_knob_text("leaf_size", "64").expect("a value of the knob");
    index.set_knob_text("update", "rebuild").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn bvh_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // BVH: A tree of boxes around boxes, sixteen in a node and tested at once. Leaves follow each other along a Hilbert curve, and sixteen of anything make one of the next level, so that nothing has to be linked. Moves stretch the boxes or take units elsewhere, as the knob says.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::Bvh, field);
    index.set_knob_text("leaf_size", "16").expect("a value of the knob");
    index.set_knob_text("update", "refit").expect("a value of the knob");
    index.set_knob_text("rebuild_at", "1.2").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn bvh_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // BVH: A tree of boxes around boxes, sixteen in a node and tested at once. Leaves follow each other along a Hilbert curve, and sixteen of anything make one of the next level, so that nothing has to be linked. Moves stretch the boxes or take units elsewhere, as the knob says.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::Bvh, field);
    index.set_knob_text("leaf_size", "32").expect("a value of the knob");
    index.set_knob_text("update", "incremental").expect("a value of the knob");
    index.set_knob_text("rebuild_at", "2.4").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn morton_tree_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // Morton tree: A binary radix tree over the interleaved bits of each unit's cell, with buckets of up to 32 units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::MortonTree, field);
    index.set_knob_text("cell_size", "0.5").expect("a value of the knob");
    index.set_knob_text("bucket", "32").expect("a value of the knob");
    index.set_knob_text("update", "incremental").expect("a value of the knob");
    index.set_knob_text("rounding", "floor").expect("a value of the knob");
    index.set_knob_text("z_curve", "off").expect("a value of the knob");
    index.set_knob_text("addresses", "off").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn morton_tree_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // Morton tree: A binary radix tree over the interleaved bits of each unit's cell, with buckets of up to 32 units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::MortonTree, field);
    index.set_knob_text("cell_size", "1").expect("a value of the knob");
    index.set_knob_text("bucket", "3").expect("a value of the knob");
    index.set_knob_text("update", "rebuild").expect("a value of the knob");
    index.set_knob_text("rounding", "truncate").expect("a value of the knob");
    index.set_knob_text("z_curve", "on").expect("a value of the knob");
    index.set_knob_text("addresses", "on").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn sweep_and_prune_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // sweep and prune: Bodies in the order in which they begin along an axis. A step changes that order so little that insertion restores it with a few swaps, and a sweep along it meets only bodies that are abreast of each other. On both axes, each swap says which pair has come together or parted.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::SweepAndPrune, field);
    index.set_knob_text("axes", "x").expect("a value of the knob");
    index.set_knob_text("strip_height", "auto").expect("a value of the knob"); // 32 m at present
    index.set_knob_text("kept_reach", "2").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn sweep_and_prune_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // sweep and prune: Bodies in the order in which they begin along an axis. A step changes that order so little that insertion restores it with a few swaps, and a sweep along it meets only bodies that are abreast of each other. On both axes, each swap says which pair has come together or parted.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::SweepAndPrune, field);
    index.set_knob_text("axes", "y").expect("a value of the knob");
    index.set_knob_text("strip_height", "3").expect("a value of the knob");
    index.set_knob_text("kept_reach", "4").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn hierarchical_grid_as_it_comes() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // hierarchical grid: Grids on top of each other, cells doubling from level to level. A body lies on the level whose cells fit its size, so small bodies have small cells and a giant troubles nobody but those whom it touches.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::HierarchicalGrid, field);
    index.set_knob_text("cell_size", "auto").expect("a value of the knob"); // 32 m at present
    index.set_knob_text("body_ratio", "1").expect("a value of the knob");
    index.set_knob_text("level_ratio", "2").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    points_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn hierarchical_grid_set_otherwise() {
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};
    // hierarchical grid: Grids on top of each other, cells doubling from level to level. A body lies on the level whose cells fit its size, so small bodies have small cells and a giant troubles nobody but those whom it touches.
    let field = Aabb::new(Vec2::new(-20.0, 0.0), Vec2::new(480.5, 300.0));
    let mut index = AnyPartition::new(Kind::HierarchicalGrid, field);
    index.set_knob_text("cell_size", "3").expect("a value of the knob");
    index.set_knob_text("body_ratio", "2").expect("a value of the knob");
    index.set_knob_text("level_ratio", "4").expect("a value of the knob");
    // How far pairs are apart at the most, in metres: in the scene the longest reach of any unit, and at least the 2 m that they keep apart.
    let reach = 2.0;
    index.expect(reach);
    sized_on_a_plane(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn all_pairs_3d_as_it_comes() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // all pairs, 3-D: No structure: every query looks at every unit. It is the reference to which all others are proven equal.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::AllPairs, field);
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    points_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn all_pairs_3d_set_otherwise() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // all pairs, 3-D: No structure: every query looks at every unit. It is the reference to which all others are proven equal.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::AllPairs, field);
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    sized_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn grid_3d_as_it_comes() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // grid, 3-D: Space cut into equal cells, of which only those exist that hold somebody. Each looks at itself and at half of its neighbours; far outside the field there is a cell as well.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Grid, field);
    index.set_knob_text("cell_size", "auto").expect("a value of the knob"); // 32 m at present
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    points_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn grid_3d_set_otherwise() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // grid, 3-D: Space cut into equal cells, of which only those exist that hold somebody. Each looks at itself and at half of its neighbours; far outside the field there is a cell as well.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Grid, field);
    index.set_knob_text("cell_size", "3").expect("a value of the knob");
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    sized_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn octree_as_it_comes() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // octree: A space that splits into eight where units crowd, and takes its octants back where they have left. A body that lies across a plane is held above it, or goes down into boxes that are larger than their cells.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Octree, field);
    index.set_knob_text("capacity", "64").expect("a value of the knob");
    index.set_knob_text("max_depth", "10").expect("a value of the knob");
    index.set_knob_text("looseness", "1.5").expect("a value of the knob");
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    points_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn octree_set_otherwise() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // octree: A space that splits into eight where units crowd, and takes its octants back where they have left. A body that lies across a plane is held above it, or goes down into boxes that are larger than their cells.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Octree, field);
    index.set_knob_text("capacity", "3").expect("a value of the knob");
    index.set_knob_text("max_depth", "3").expect("a value of the knob");
    index.set_knob_text("looseness", "3").expect("a value of the knob");
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    sized_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn morton_3d_as_it_comes() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // Morton tree, 3-D: A binary radix tree over the interleaved bits of each unit's cell, x, y and z by turns, with buckets of units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Morton, field);
    index.set_knob_text("cell_size", "0.5").expect("a value of the knob");
    index.set_knob_text("bucket", "48").expect("a value of the knob");
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    points_in_space(index, reach);
}

#[rustfmt::skip]
#[allow(unused_imports)]
#[test]
fn morton_3d_set_otherwise() {
    use skirmish::{geometry3::Aabb3, partition::Change};
    use skirmish::volume::{AnyPartition3, Bodies3, Kind3, NearestQuery3, Vec3};
    // Morton tree, 3-D: A binary radix tree over the interleaved bits of each unit's cell, x, y and z by turns, with buckets of units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.
    let field = Aabb3::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(240.0, 240.0, 120.25));
    let mut index = AnyPartition3::new(Kind3::Morton, field);
    index.set_knob_text("cell_size", "1").expect("a value of the knob");
    index.set_knob_text("bucket", "3").expect("a value of the knob");
    // How far pairs are apart at the most, in metres.
    let reach = 6.5;
    index.expect(reach);
    sized_in_space(index, reach);
}
