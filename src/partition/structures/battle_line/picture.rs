//! What is drawn and said of the line: slots, the line itself, the search that narrows to the cursor.

use super::{AXES, BattleLine, SLOT_COUNT, SORTS};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::turn::{turned, turned_box};
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use std::ops::Range;

/// How far inside the field the line is drawn, as a part of the field's depth: beside it, it would lie under what stands at the edge of a view
/// that the field fills.
const DROP: f32 = 0.04;

/// Units get their ticks on the line while there are no more in view than this.
pub(super) const TICK_LIMIT: usize = 1 << 11;

/// How many units of a slot are named before the rest is only counted.
const NAMED_UNITS: usize = 12;

impl BattleLine {
    /// The slots as strips across the field.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        if self.entries.is_empty() {
            return;
        }
        let mut place = 0;
        for slot in 0..SLOT_COUNT {
            let rest = &self.entries[place..];
            let load = rest.partition_point(|entry| self.slot_of(entry.key) <= slot);
            place += load;
            let shape = turned_box(self.axis, self.strip(slot));
            if shape.overlaps(query.area) && shape.size().max_element() >= query.min_size {
                visit(Region {
                    id: slot,
                    shape: Shape::Rect(shape),
                    depth: 0,
                    load: load as u32,
                    capacity: 0,
                    role: Role::Slot,
                    parent: None,
                });
            }
        }
    }

    /// A slot across the field and across whoever stands beside it, turned.
    fn strip(&self, slot: u32) -> Aabb {
        let field = turned_box(self.axis, self.field);
        let width = field.size().x / SLOT_COUNT as f32;
        let border = |slot: u32| field.min.x + width * slot as f32;
        let (mut low, mut high) = (border(slot), border(slot + 1));
        if slot == 0 {
            low = low.min(self.bounds.min.x);
        }
        if slot == SLOT_COUNT - 1 {
            high = high.max(self.bounds.max.x);
        }
        let across = field.join(self.bounds);
        Aabb::new(Vec2::new(low, across.min.y), Vec2::new(high, across.max.y))
    }

    /// The places of a slot's entries.
    fn entries_of(&self, slot: u32) -> Range<usize> {
        let begin = |slot: u32| {
            self.entries
                .partition_point(|entry| self.slot_of(entry.key) < slot)
        };
        begin(slot)..begin(slot + 1)
    }

    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let (Some(first), Some(last)) = (self.entries.first(), self.entries.last()) else {
            return;
        };
        let field = turned_box(self.axis, self.field);
        let view = turned_box(self.axis, query.area);
        let drop = (field.size().y * DROP).max(1.0);
        let y = field.min.y + drop;
        let mut line = |role: MarkRole, from: Vec2, to: Vec2, label: String| {
            visit(Mark {
                role,
                shape: Shape::Line(turned(self.axis, from), turned(self.axis, to)),
                label: label.into(),
            });
        };
        // The line itself, from the first unit to the last, and a tick for each unit in view.
        line(
            MarkRole::Guide,
            Vec2::new(first.key.min(field.min.x), y),
            Vec2::new(last.key.max(field.max.x), y),
            String::new(),
        );
        let begin = self.first_from(view.min.x, |_| ());
        let in_view = &self.entries[begin..];
        let count = in_view
            .iter()
            .take_while(|entry| entry.key <= view.max.x)
            .take(TICK_LIMIT + 1)
            .count();
        if count <= TICK_LIMIT && drop >= query.min_size {
            for entry in &in_view[..count] {
                let tick = |way: f32| Vec2::new(entry.key, y + drop * way);
                line(MarkRole::Guide, tick(-0.25), tick(0.25), String::new());
            }
        }
        // The very search that a query makes, with the entries that it looks at in their order.
        if let Some(cursor) = query.cursor {
            let cursor = turned(self.axis, cursor);
            let mut step = 0;
            let found = self.first_from(cursor.x, |place| {
                step += 1;
                let key = self.entries[place].key;
                line(
                    MarkRole::Scanned,
                    Vec2::new(key, y),
                    Vec2::new(key, field.max.y),
                    format!("search {step}"),
                );
            });
            line(
                MarkRole::Home,
                Vec2::new(cursor.x, y - drop),
                Vec2::new(cursor.x, cursor.y),
                format!("place {found}"),
            );
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        if region >= SLOT_COUNT || self.entries.is_empty() {
            return;
        }
        let strip = self.strip(region);
        let places = self.entries_of(region);
        say(Fact::new("slot", region, ""));
        say(Fact::new(
            AXES[self.axis],
            format!("{:.1} to {:.1}", strip.min.x, strip.max.x),
            "m",
        ));
        say(Fact::new("units", places.len(), ""));
        if !places.is_empty() {
            say(Fact::new(
                "places in the line",
                format!("{} to {}", places.start, places.end - 1),
                "",
            ));
            let entries = &self.entries[places];
            let mut names: Vec<_> = entries
                .iter()
                .take(NAMED_UNITS)
                .map(|entry| entry.unit.to_string())
                .collect();
            if entries.len() > NAMED_UNITS {
                names.push("…".to_owned());
            }
            say(Fact::new("in their order", names.join(", "), ""));
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let count = self.entries.len();
        let length = if count == 0 {
            Vec2::ZERO
        } else {
            self.bounds.size()
        };
        let fullest = (0..SLOT_COUNT)
            .map(|slot| self.entries_of(slot).len())
            .max()
            .unwrap_or(0);
        say(Fact::new("runs along", AXES[self.axis], ""));
        say(Fact::new("sorted by", SORTS[self.sort], ""));
        say(Fact::new("length", format!("{:.1}", length.x), "m"));
        say(Fact::new("depth across", format!("{:.1}", length.y), "m"));
        say(Fact::new(
            "abreast",
            format!("{:.2}", count as f32 / length.x.max(1.0)),
            "units a metre",
        ));
        say(Fact::new(
            "a search takes",
            format!("{:.0}", (count as f64 + 1.0).log2().ceil()),
            "comparisons",
        ));
        say(Fact::new("fullest slot", fullest, "units"));
        if self.half_extent > 0.0 {
            say(Fact::new(
                "queries grow by",
                format!("{:.2}", self.half_extent),
                "m",
            ));
        }
    }
}
