//! What is drawn and said: strips, where in them bodies begin and end, and the sweep at the cursor; or the two lists and the pairs that
//! overlap.

use super::lists::Lists;
use super::strips::Strips;
use super::{AXIS_CHOICES, Order, SweepAndPrune};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::turn::{turned, turned_box};
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape, UnitId,
};

/// How far beside the field the lists are drawn, as a part of the field's side.
const DROP: f32 = 0.04;

/// At most so many bodies or pairs are drawn: more would be a solid area.
const MARK_LIMIT: usize = 1 << 11;

/// So many of those abreast of the cursor have their place in the order beside them.
const NAMED_PLACES: usize = 12;

/// How many units are named before the rest is only counted.
const NAMED_UNITS: usize = 12;

impl SweepAndPrune {
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        match &self.order {
            Order::Strips(strips) => {
                for number in 0..strips.strips.len() {
                    let strip = &strips.strips[number];
                    let (shape, role) = if number + 1 < strips.strips.len() {
                        (strips.drawn(number, self.field), Role::Slot)
                    } else if strip.is_empty() {
                        continue;
                    } else {
                        (strips.around_oversize(), Role::Oversize)
                    };
                    let shape = turned_box(strips.layout.axis, shape);
                    if shape.overlaps(query.area) && shape.size().max_element() >= query.min_size {
                        visit(Region {
                            id: number as RegionId,
                            shape: Shape::Rect(shape),
                            depth: 0,
                            load: strip.len() as u32,
                            capacity: 0,
                            role,
                            parent: None,
                        });
                    }
                }
            }
            Order::Lists(lists) => {
                for axis in 0..2 {
                    let (from, to) = self.axis_line(lists, axis);
                    if !lists.ends[axis].is_empty()
                        && (to - from).abs().max_element() >= query.min_size
                    {
                        visit(Region {
                            id: axis as RegionId,
                            shape: Shape::Line(from, to),
                            depth: 0,
                            load: lists.ends[axis].len() as u32 / 2,
                            capacity: 0,
                            role: Role::Slot,
                            parent: None,
                        });
                    }
                }
            }
        }
    }

    /// Where a list is drawn: beside the field, from its first endpoint to its last.
    fn axis_line(&self, lists: &Lists, axis: usize) -> (Vec2, Vec2) {
        let y = self.beside(axis);
        let at = |end: Option<&super::lists::End>| {
            turned(axis, Vec2::new(end.map_or(0.0, |end| end.value), y))
        };
        (at(lists.ends[axis].first()), at(lists.ends[axis].last()))
    }

    /// Where along the other axis a list is drawn.
    fn beside(&self, axis: usize) -> f32 {
        let field = turned_box(axis, self.field);
        field.min.y - (field.size().y * DROP).max(1.0)
    }

    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        match &self.order {
            Order::Strips(strips) => {
                self.draw_intervals(strips, query, visit);
                if let Some(cursor) = query.cursor {
                    let cursor = turned(strips.layout.axis, cursor);
                    self.draw_sweep(strips, (cursor, query.reach), visit);
                }
            }
            Order::Lists(lists) => {
                self.draw_endpoints(lists, query, visit);
                draw_overlaps(lists, query, visit);
            }
        }
    }

    /// In each strip in view its bodies in their order: a tick up from the strip's rail where one begins, a tick down where it ends, and on
    /// the rail its interval. Who is too narrow for its two ticks to be told apart has one for both.
    fn draw_intervals(&self, strips: &Strips, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let axis = strips.layout.axis;
        let view = turned_box(axis, query.area);
        let numbers = strips.layout.number(view.min.y)..=strips.layout.number(view.max.y);
        let shown = numbers.map(usize::from).filter_map(|number| {
            let (y, tick) = self.rail(strips, number);
            let strip = &strips.strips[number];
            (tick >= query.min_size).then(|| {
                (
                    strip,
                    (y, tick),
                    strip.places_between(view.min.x, view.max.x),
                )
            })
        });
        let count: usize = shown.clone().map(|(.., places)| places.len()).sum();
        if count > MARK_LIMIT {
            return;
        }
        let mut line = |from: Vec2, to: Vec2| {
            visit(Mark {
                role: MarkRole::Guide,
                shape: Shape::Line(turned(axis, from), turned(axis, to)),
                label: "".into(),
            });
        };
        for (strip, (y, tick), places) in shown {
            let bodies = places.map(|place| strip.body(place));
            for body in bodies.filter(|body| body.max.x >= view.min.x) {
                let (begin, end) = (body.min.x, body.max.x);
                if end - begin <= query.min_size {
                    line(Vec2::new(begin, y - tick), Vec2::new(begin, y + tick));
                    continue;
                }
                line(Vec2::new(begin, y), Vec2::new(begin, y + tick));
                line(Vec2::new(begin, y), Vec2::new(end, y));
                line(Vec2::new(end, y), Vec2::new(end, y - tick));
            }
        }
    }

    /// The line in a strip, turned, at which the ticks of its bodies stand, and how long a tick is.
    fn rail(&self, strips: &Strips, number: usize) -> (f32, f32) {
        let (low, high) = self.seen_borders(strips, number);
        let longest = (turned_box(strips.layout.axis, self.field).size().y * DROP).max(1.0);
        let tick = ((high - low) / 6.0).min(longest);
        (low + tick, tick)
    }

    /// From where to where a strip lies in the field, turned.
    fn seen_borders(&self, strips: &Strips, number: usize) -> (f32, f32) {
        let field = turned_box(strips.layout.axis, self.field);
        let (low, high) = strips.borders(number);
        (low.max(field.min.y), high.min(field.max.y))
    }

    /// In the cursor's strip the sweep at the cursor: as far along the axis as whoever stands there reaches, and the bodies abreast of that.
    fn draw_sweep(
        &self,
        strips: &Strips,
        (cursor, reach): (Vec2, f32),
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        let axis = strips.layout.axis;
        let home = usize::from(strips.layout.number(cursor.y));
        let strip = &strips.strips[home];
        let (rail, _) = self.rail(strips, home);
        let (low, high) = self.seen_borders(strips, home);
        // Somebody beside the field is in its outermost strip.
        let (low, high) = (low.min(cursor.y), high.max(cursor.y));
        let (from, to) = (cursor.x - reach, cursor.x + reach);
        visit(Mark {
            role: MarkRole::Scanned,
            shape: Shape::Rect(turned_box(
                axis,
                Aabb::new(Vec2::new(from, low), Vec2::new(to, high)),
            )),
            label: "".into(),
        });
        let mut line = |role: MarkRole, from: Vec2, to: Vec2, label: String| {
            visit(Mark {
                role,
                shape: Shape::Line(turned(axis, from), turned(axis, to)),
                label: label.into(),
            });
        };
        // The very places at which a query looks in this strip, and of those who begin there the ones that have not ended before.
        let mut abreast = 0;
        for place in strip.places_between(from, to) {
            let body = strip.body(place);
            if body.max.x < from {
                continue;
            }
            abreast += 1;
            if abreast > MARK_LIMIT {
                continue;
            }
            let label = match abreast {
                ..=NAMED_PLACES => place.to_string(),
                _ => String::new(),
            };
            let (begin, end) = (body.min.x, body.max.x);
            let y = body.center().y;
            if begin < end {
                line(
                    MarkRole::Scanned,
                    Vec2::new(begin, y),
                    Vec2::new(end, y),
                    label,
                );
            } else {
                // A point has no interval: from its tick to where it stands.
                line(
                    MarkRole::Scanned,
                    Vec2::new(begin, rail),
                    Vec2::new(begin, y),
                    label,
                );
            }
        }
        let begun = strip.count_begun(cursor.x);
        let oversize = match strips.oversize().len() {
            0 => String::new(),
            count => format!(", {count} oversize"),
        };
        line(
            MarkRole::Home,
            Vec2::new(cursor.x, low),
            Vec2::new(cursor.x, high),
            format!(
                "{begun} of {} begun, {abreast} abreast{oversize}",
                strip.len()
            ),
        );
    }

    /// From its beginning to its end, each body in view as a line on the lists beside the field.
    fn draw_endpoints(&self, lists: &Lists, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        for (axis, list) in lists.ends.iter().enumerate() {
            let view = turned_box(axis, query.area);
            let y = self.beside(axis);
            let step = (turned_box(axis, self.field).size().y * DROP).max(1.0) / 8.0;
            let begin = list.partition_point(|end| end.value < view.min.x);
            let count = list[begin..]
                .iter()
                .take_while(|end| end.value <= view.max.x)
                .take(MARK_LIMIT + 1)
                .count();
            if count > MARK_LIMIT {
                continue;
            }
            for end in &list[begin..begin + count] {
                let way = if end.is_begin() { 1.0 } else { -1.0 };
                visit(Mark {
                    role: MarkRole::Guide,
                    shape: Shape::Line(
                        turned(axis, Vec2::new(end.value, y)),
                        turned(axis, Vec2::new(end.value, y + step * way)),
                    ),
                    label: "".into(),
                });
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        match &self.order {
            Order::Strips(strips) => {
                let Some(strip) = strips.strips.get(region as usize) else {
                    return;
                };
                let is_oversize = region as usize + 1 == strips.strips.len();
                if is_oversize {
                    say(Fact::new("oversize bodies", strip.len(), ""));
                } else {
                    say(Fact::new("strip", region, ""));
                    say(Fact::new("bodies", strip.len(), ""));
                }
                let mut names: Vec<_> = strip
                    .units()
                    .iter()
                    .take(NAMED_UNITS)
                    .map(UnitId::to_string)
                    .collect();
                if strip.len() > NAMED_UNITS {
                    names.push("…".to_owned());
                }
                if !names.is_empty() {
                    say(Fact::new("in their order", names.join(", "), ""));
                }
            }
            Order::Lists(lists) => {
                if let Some(list) = lists.ends.get(region as usize) {
                    say(Fact::new("sorted along", AXIS_CHOICES[region as usize], ""));
                    say(Fact::new("endpoints", list.len(), ""));
                }
            }
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        say(Fact::new(
            "sorted along",
            AXIS_CHOICES[self.axes.min(2)],
            "",
        ));
        match &self.order {
            Order::Strips(strips) => {
                let placed = strips.placed();
                let loads = || placed.iter().map(|strip| strip.len());
                let occupied = loads().filter(|load| *load > 0).count();
                say(Fact::new(
                    "strip height",
                    format!("{:.2}", strips.layout.height),
                    "m",
                ));
                if f64::from(strips.layout.height) > self.strip_height.value() * 1.001 {
                    say(Fact::new(
                        "strip height asked for",
                        format!(
                            "{:.2}, too low for the bodies or the field",
                            self.strip_height.value()
                        ),
                        "m",
                    ));
                }
                say(Fact::new(
                    "strips in use",
                    format!("{occupied} of {}", placed.len()),
                    "",
                ));
                say(Fact::new(
                    "mean load",
                    format!(
                        "{:.1}",
                        loads().sum::<usize>() as f64 / occupied.max(1) as f64
                    ),
                    "bodies",
                ));
                say(Fact::new(
                    "greatest load",
                    loads().max().unwrap_or(0),
                    "bodies",
                ));
                say(Fact::new("oversize bodies", strips.oversize().len(), ""));
            }
            Order::Lists(lists) => {
                say(Fact::new("endpoints a list", lists.ends[0].len(), ""));
                if lists.keeps_overlaps {
                    say(Fact::new("pairs kept", lists.overlaps.pairs().len(), ""));
                    say(Fact::new("kept reach", self.kept_reach, "m"));
                } else {
                    say(Fact::new("pairs kept", "none, too many overlap", ""));
                }
            }
        }
    }
}

/// A stroke between the two of each pair in the set.
fn draw_overlaps(lists: &Lists, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
    lists
        .overlaps
        .pairs()
        .iter()
        .map(|(a, b)| (lists.boxes[*a as usize], lists.boxes[*b as usize]))
        .filter(|(a, b)| a.join(*b).overlaps(query.area))
        .take(MARK_LIMIT)
        .for_each(|(a, b)| {
            visit(Mark {
                role: MarkRole::Special,
                shape: Shape::Line(a.center(), b.center()),
                label: "".into(),
            });
        });
}

impl Strips {
    /// A strip as it is drawn, turned: across the field and whoever stands beside it.
    fn drawn(&self, number: usize, field: Aabb) -> Aabb {
        let field = turned_box(self.layout.axis, field);
        let strip = &self.strips[number];
        let bounds = strip.bodies().fold(Aabb::EMPTY, Aabb::join);
        let (low, high) = self.borders(number);
        Aabb::new(
            Vec2::new(
                field.min.x.min(bounds.min.x),
                low.max(field.min.y.min(bounds.min.y)),
            ),
            Vec2::new(
                field.max.x.max(bounds.max.x),
                high.min(field.max.y.max(bounds.max.y)),
            ),
        )
    }

    /// The box around all oversize bodies.
    fn around_oversize(&self) -> Aabb {
        self.oversize().bodies().fold(Aabb::EMPTY, Aabb::join)
    }
}
