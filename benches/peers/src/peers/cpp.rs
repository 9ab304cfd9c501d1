//! The peers in C++, with the feature `cpp`: `nanoflann`, a k-d tree for the nearest, and the dynamic tree of `Box2D`, boxes around
//! boxes that are put in one by one, a little larger than they have to be.
//!
//! Both are Debian's packages (`libnanoflann-dev`, `libbox2d-dev`); they are called through `cpp.cpp`.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use skirmish::geometry::{Aabb, Vec2};
use std::ffi::c_void;
use std::ptr;

unsafe extern "C" {
    fn peers_flann_new(places: *const f32, count: usize, leaf: usize) -> *mut c_void;
    fn peers_flann_free(tree: *mut c_void);
    fn peers_flann_nearest(
        tree: *const c_void,
        place: *const f32,
        count: usize,
        units: *mut u32,
        distances_sq: *mut f32,
    ) -> usize;
    fn peers_box_new() -> *mut c_void;
    fn peers_box_free(tree: *mut c_void);
    fn peers_box_add(tree: *mut c_void, bounds: *const f32, unit: u32) -> i32;
    fn peers_box_move(tree: *mut c_void, proxy: i32, bounds: *const f32, way: *const f32);
    fn peers_box_query(
        tree: *const c_void,
        bounds: *const f32,
        units: *mut u32,
        room: usize,
    ) -> usize;
}

struct Flann {
    /// Null, or a tree that borrows `places`.
    tree: *mut c_void,
    places: Vec<f32>,
    leaf: usize,
}

impl Contestant for Flann {
    fn build(&mut self, world: &World) {
        self.discard();
        self.places.clear();
        self.places
            .extend(world.centers.iter().flat_map(|it| [it.x, it.y]));
        // SAFETY: the places stay as they are for as long as there is a tree.
        self.tree =
            unsafe { peers_flann_new(self.places.as_ptr(), world.centers.len(), self.leaf) };
    }

    fn discard(&mut self) {
        if !self.tree.is_null() {
            // SAFETY: it was made by `peers_flann_new` and is given up here.
            unsafe { peers_flann_free(self.tree) };
            self.tree = ptr::null_mut();
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let (mut units, mut distances_sq) = ([0; NEAREST_COUNT], [0.0; NEAREST_COUNT]);
        for (index, at) in world.points.iter().enumerate() {
            tally.query(index);
            let place = [at.x, at.y];
            // SAFETY: the tree is there, and there is room for as many as are asked for.
            let found = unsafe {
                peers_flann_nearest(
                    self.tree,
                    place.as_ptr(),
                    NEAREST_COUNT,
                    units.as_mut_ptr(),
                    distances_sq.as_mut_ptr(),
                )
            };
            for distance_sq in &distances_sq[..found] {
                tally.distance_sq(*distance_sq);
            }
        }
    }
}

impl Drop for Flann {
    fn drop(&mut self) {
        self.discard();
    }
}

struct BoxTree {
    tree: *mut c_void,
    /// For each unit its place in the tree.
    proxies: Vec<i32>,
    /// Whom a query met.
    found: Vec<u32>,
    /// How far each box reaches beyond its unit.
    grown: f32,
}

fn corners(bounds: Aabb) -> [f32; 4] {
    [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y]
}

impl BoxTree {
    fn new(work: Work, world: &World) -> Self {
        let is_for_pairs = matches!(work, Work::Pairs | Work::StepPairs | Work::Step);
        Self {
            tree: ptr::null_mut(),
            proxies: Vec::new(),
            found: Vec::new(),
            // A little more than half, for what rounding takes away.
            grown: if is_for_pairs {
                world.reach * 0.5005
            } else {
                0.0
            },
        }
    }

    fn bounds(&self, world: &World, unit: u32) -> [f32; 4] {
        corners(world.aabb(unit).grown(Vec2::splat(self.grown)))
    }

    /// Finds whose boxes in the tree meet one.
    fn query(&mut self, bounds: [f32; 4]) -> &[u32] {
        loop {
            // SAFETY: the tree is there, and no more is written than there is room for.
            let count = unsafe {
                let (units, room) = (self.found.as_mut_ptr(), self.found.len());
                peers_box_query(self.tree, bounds.as_ptr(), units, room)
            };
            if count <= self.found.len() {
                return &self.found[..count];
            }
            self.found.resize(2 * count, 0);
        }
    }
}

impl Contestant for BoxTree {
    fn build(&mut self, world: &World) {
        self.discard();
        // SAFETY: it is given up by `discard`.
        self.tree = unsafe { peers_box_new() };
        for unit in 0..world.scene.units as u32 {
            let bounds = self.bounds(world, unit);
            // SAFETY: the tree is there, and a box is four numbers.
            let proxy = unsafe { peers_box_add(self.tree, bounds.as_ptr(), unit) };
            self.proxies.push(proxy);
        }
    }

    fn discard(&mut self) {
        self.proxies.clear();
        if !self.tree.is_null() {
            // SAFETY: it was made by `peers_box_new` and is given up here.
            unsafe { peers_box_free(self.tree) };
            self.tree = ptr::null_mut();
        }
    }

    fn update(&mut self, world: &World) {
        for unit in 0..world.scene.units as u32 {
            let row = unit as usize;
            self.relocate(world, unit, world.centers[row] - world.velocities[row]);
        }
    }

    fn relocate(&mut self, world: &World, unit: u32, from: Vec2) {
        let way = world.centers[unit as usize] - from;
        let (bounds, way) = (self.bounds(world, unit), [way.x, way.y]);
        // SAFETY: the tree is there, and so is the unit in it.
        unsafe {
            peers_box_move(
                self.tree,
                self.proxies[unit as usize],
                bounds.as_ptr(),
                way.as_ptr(),
            );
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for unit in 0..world.scene.units as u32 {
            let bounds = self.bounds(world, unit);
            for &other in self.query(bounds) {
                if unit < other && world.in_reach(unit, other) {
                    tally.pair(unit, other);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            for &unit in self.query(corners(*area)) {
                if world.aabb(unit).overlaps(*area) {
                    tally.unit(unit);
                }
            }
        }
    }
}

impl Drop for BoxTree {
    fn drop(&mut self) {
        self.discard();
    }
}

/// Enters both for what they are made for.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if !world.is_sized() && matches!(work, Work::Build | Work::Nearest) {
        let leaf = |leaf| {
            move |_: &World| Flann {
                tree: ptr::null_mut(),
                places: Vec::new(),
                leaf,
            }
        };
        let flann = Entry::peer("nanoflann", family::KD_TREE, Question::Nearest, leaf(10));
        entries.push(flann.or("leaf 24", leaf(24)));
    }
    if work != Work::Nearest {
        let tree = move |world: &World| BoxTree::new(work, world);
        entries.push(Entry::peer(
            "Box2D",
            family::BVH,
            Question::Rectangles,
            tree,
        ));
    }
}
