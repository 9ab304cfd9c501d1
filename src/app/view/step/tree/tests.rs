use super::*;

#[test]
fn a_tag_in_the_row_above_the_tree_is_off_what_stands_there_and_near_its_node() {
    let head = Rect::from_min_size(pos2(200.0, 78.0), vec2(300.0, 22.0));
    let node = |x: f32| Rect::from_center_size(pos2(x, 140.0), vec2(8.0, 8.0));
    let size = vec2(90.0, TAG);
    let at = |x: f32, tags: &[Rect]| in_head(head, node(x), size, tags);
    let first = at(350.0, &[]).expect("room");
    assert_eq!(first.x, 305.0);
    // Near the ends of what is free it stands there, and beyond them nowhere.
    assert_eq!(at(190.0, &[]).map(|it| it.x), Some(200.0));
    assert_eq!(at(80.0, &[]), None);
    // The second one stands beside the first, and the third one beside both.
    let first = Rect::from_min_size(first, size);
    let second = at(360.0, &[first]).expect("room");
    let second = Rect::from_min_size(second, size);
    assert!(!second.intersects(first) && second.left() > first.right());
    for tags in [[first, second], [second, first]] {
        let third = at(352.0, &tags).expect("room");
        let third = Rect::from_min_size(third, size);
        assert!(!third.intersects(first) && !third.intersects(second));
        assert!(head.contains_rect(third), "{third:?}");
        // A fourth one has no room there.
        assert_eq!(at(352.0, &[first, second, third]), None);
    }
    assert!(head.contains_rect(first) && head.contains_rect(second));
    assert_eq!(in_head(head, node(350.0), vec2(310.0, TAG), &[]), None);
}

#[test]
fn at_the_foot_of_a_deep_tree_a_tag_stands_where_no_node_reaches_down() {
    let room = Rangef::new(0.0, 400.0);
    let at = |taken: &[(f32, f32)], wished: f32| {
        let taken = taken.iter().map(|(from, to)| Rangef::new(*from, *to));
        in_gap(room, taken.collect(), 100.0, wished)
    };
    // Right below its node, and as near to that as others, in whichever order, and the ends let it.
    assert_eq!(at(&[], 150.0), Some(150.0));
    assert_eq!(at(&[], -30.0), Some(0.0));
    assert_eq!(at(&[(270.0, 280.0), (160.0, 162.0)], 150.0), Some(162.0));
    assert_eq!(at(&[(240.0, 241.0), (20.0, 21.0)], 150.0), Some(140.0));
    // One within another takes no more than that.
    assert_eq!(at(&[(100.0, 200.0), (120.0, 130.0)], 150.0), Some(200.0));
    // Not far off, and nowhere where all gaps are narrower.
    assert_eq!(at(&[(0.0, 290.0)], 150.0), None);
    let comb: Vec<(f32, f32)> = (0..8_u8)
        .map(|at| (50.0 * f32::from(at), 50.0 * f32::from(at) + 1.0))
        .collect();
    assert_eq!(at(&comb, 150.0), None);
}

#[test]
fn bars_narrower_than_a_pixel_lie_side_by_side_and_none_lies_over_another() {
    let bar = |from: f32, to: f32| Rect::from_x_y_ranges(from..=to, 0.0..=9.0);
    // As wide as 0.99 pixels: from pixel to pixel, and none narrower than one.
    let bars = (0..400_u16).map(|at| {
        let [from, to] = [at, at + 1].map(|at| (0.99 * f32::from(at)).round());
        bar(from, to.max(from + 1.0))
    });
    let mut free = f32::MIN;
    let drawn: Vec<Rect> = bars.filter_map(|it| beside(it, &mut free, false)).collect();
    for pair in drawn.windows(2) {
        assert_eq!(pair[0].right(), pair[1].left());
    }
    assert_eq!((drawn[0].left(), free), (0.0, 396.0));
    // What has something to say is seen whole, and the next one begins behind it.
    let mut free = 10.0;
    assert_eq!(
        beside(bar(9.0, 11.0), &mut free, true),
        Some(bar(9.0, 11.0))
    );
    assert_eq!(
        beside(bar(10.0, 12.0), &mut free, false),
        Some(bar(11.0, 12.0))
    );
    assert_eq!(beside(bar(11.0, 12.0), &mut free, false), None);
}

#[test]
fn the_frame_of_a_node_covers_no_other_where_there_is_room_for_one() {
    // As in a window of 1,280 by 800 points.
    for (half, beside) in [(2.5, 6.0), (2.5, 9.0), (INNER, 11.0)] {
        let reach = half + around_node(half, beside, 9.0);
        assert!(reach <= beside - half && reach <= 9.0 - INNER, "{half}");
    }
    // With room it is as large as it is seen best.
    assert_eq!(around_node(INNER, 40.0, 20.5), 3.0);
    // Where nodes lie on each other it is seen.
    assert_eq!(around_node(2.5, 0.5, 9.0), 1.0);
}

#[test]
fn the_way_to_a_node_ends_at_its_edge_and_the_line_to_its_tag_passes_behind_others() {
    let square = Rect::from_center_size(pos2(50.0, 50.0), vec2(7.0, 7.0));
    for to in [pos2(50.0, 0.0), pos2(90.0, 30.0), pos2(40.0, 90.0)] {
        let other = Rect::from_center_size(to, vec2(5.0, 5.0));
        let ends = from_edge_to_edge(square, other).expect("a line");
        for (square, end) in [square, other].into_iter().zip(ends) {
            assert!(square.expand(0.01).contains(end), "{end:?}");
            assert!(!square.shrink(0.01).contains(end), "{end:?}");
        }
        assert!((ends[1] - ends[0]).dot(to - square.center()) > 0.0);
    }
    // Where levels are so near that squares meet, there is nothing between them.
    for to in [pos2(52.0, 55.0), pos2(50.0, 56.0), square.center()] {
        let other = Rect::from_center_size(to, vec2(5.0, 5.0));
        assert_eq!(from_edge_to_edge(square, other), None);
    }
    let whole = Rangef::new(10.0, 60.0);
    assert_eq!(off_these(whole, Vec::new()), [whole]);
    let parts = [(40.0, 70.0), (20.0, 26.0), (24.0, 30.0)];
    let parts = parts.map(|(from, to)| Rangef::new(from, to)).to_vec();
    let rest = off_these(whole, parts);
    assert_eq!(rest, [Rangef::new(10.0, 20.0), Rangef::new(30.0, 40.0)]);
}

#[test]
fn above_the_tree_the_switch_goes_before_words_about_the_order() {
    assert_eq!(in_head_row(600.0, 160.0, Some(330.0)), (true, true));
    assert_eq!(in_head_row(380.0, 160.0, Some(290.0)), (false, true));
    assert_eq!(in_head_row(380.0, 160.0, None), (false, true));
    assert_eq!(in_head_row(310.0, 160.0, Some(290.0)), (true, false));
}

#[test]
fn a_tag_covers_neither_its_node_nor_the_row_of_that() {
    let body = Rect::from_min_size(pos2(0.0, 100.0), vec2(600.0, 64.0));
    let bar = |top: f32| Rect::from_min_size(pos2(200.0, top), vec2(30.0, 4.0));
    let row =
        |top: f32, is_beside_root| row_of_tag(body, body.bottom(), (bar(top), is_beside_root), TAG);
    // Where the tree leaves room below it, it stands there.
    let below = row_of_tag(body, 149.0, (bar(104.0), true), TAG);
    assert_eq!(below, Some((149.0, false)));
    for top in [100.0, 104.0, 112.0, 130.0, 158.0] {
        let (tag, is_above) = row(top, true).expect("a row");
        let is_off = tag + TAG < top || tag > top + 4.0;
        assert!(is_off && is_above == (tag < top), "{top}: {tag}");
    }
    // Near the root of a tree of nodes and lines it stands at the foot.
    assert_eq!(row(112.0, false), Some((149.0, false)));
    let whole = row_of_tag(body, body.bottom(), (body, true), TAG);
    assert_eq!(whole, None);
}
