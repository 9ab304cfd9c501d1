//! The pictures of what is there, and what whoever shows them must do to have the same.
//!
//! Invariant: the list of what is to be done has at most one entry an object: what comes and goes before anybody looked leaves
//! nothing behind, so nobody has to look.

use super::loader::Image;
use super::picture_size::PictureSize;
use super::{State, WorldObject};
use image::{ImageBuffer, Rgba, imageops};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many pictures are shown at once, at most. A fact of the world and not of whoever looks: a view that refused what it has no
/// room for would do so whenever it looks, and the world would go on differently at another frame rate.
pub const MOST_PICTURES: usize = 4096;

/// What a view must do to its textures.
#[derive(Clone, Debug, PartialEq)]
pub enum TextureJob {
    /// Forget all pictures: another world begins.
    Clear,
    /// Show the picture of an object. Objects with the same asset share one.
    Show {
        /// Whose it is.
        object: u32,
        /// Its asset.
        asset: u32,
        /// The picture, with no side longer than [`SHOWN_SIDE`](super::SHOWN_SIDE).
        image: Arc<Image>,
    },
    /// Take the picture of an object away. Who refused it has nothing to take away.
    Release {
        /// Whose it was.
        object: u32,
        /// Its asset.
        asset: u32,
    },
}

/// The pictures of all objects that are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Pictures {
    /// By asset: the picture, and how many objects show it.
    by_asset: BTreeMap<u32, (Arc<Image>, u32)>,
}

impl Pictures {
    /// The picture of an asset that an object has from now on. Where others have it already, theirs.
    fn add(&mut self, asset: u32, image: Arc<Image>) -> Arc<Image> {
        let shown = || (fitting(image), 0);
        let (image, users) = self.by_asset.entry(asset).or_insert_with(shown);
        *users += 1;
        image.clone()
    }

    /// An object has the picture of an asset no more; the answer is which it was.
    fn remove(&mut self, asset: u32) -> Option<Arc<Image>> {
        let (image, users) = self.by_asset.get_mut(&asset)?;
        let image = image.clone();
        *users -= 1;
        if *users == 0 {
            self.by_asset.remove(&asset);
        }
        Some(image)
    }

    fn find(&self, asset: u32) -> Option<&Arc<Image>> {
        self.by_asset.get(&asset).map(|(image, _)| image)
    }

    /// The bytes that they take on the heap; of a picture that several hold, a part.
    pub(super) fn byte_count(&self) -> usize {
        let of = |(image, _): &(Arc<Image>, u32)| {
            size_of::<(u32, Arc<Image>, u32)>() + super::keep::image_share(image)
        };
        self.by_asset.values().map(of).sum()
    }
}

/// A picture with no side longer than [`SHOWN_SIDE`](super::SHOWN_SIDE).
fn fitting(image: Arc<Image>) -> Arc<Image> {
    let size = PictureSize {
        width: image.width,
        height: image.height,
    };
    let shown = size.shown();
    if shown == size {
        return image;
    }
    // Looked at where it is: a copy would take as much again.
    let whole =
        ImageBuffer::<Rgba<u8>, _>::from_raw(image.width, image.height, image.rgba.as_slice());
    let Some(whole) = whole else {
        return image;
    };
    let small = imageops::thumbnail(&whole, shown.width, shown.height);
    Arc::new(Image {
        width: small.width(),
        height: small.height(),
        rgba: small.into_raw(),
    })
}

/// Whether an object in this state has a picture that is seen.
pub(super) fn has_picture(state: State) -> bool {
    matches!(state, State::Resident | State::Unloading)
}

/// The pictures, and what a view does not know of them yet.
#[derive(Debug)]
pub(super) struct Outbox {
    pub(super) pictures: Pictures,
    clear: bool,
    /// By object: what differs.
    changes: BTreeMap<u32, Change>,
    /// Of objects that are no more: their numbers and assets, where the view still has their pictures.
    gone: Vec<(u32, u32)>,
}

/// The picture of an object, for a view that has not looked since.
#[derive(Debug)]
struct Change {
    asset: u32,
    /// What the view has.
    had: Option<Arc<Image>>,
    /// What it should have.
    has: Option<Arc<Image>>,
}

impl Outbox {
    /// Of a world that begins.
    pub(super) fn new() -> Self {
        Self {
            pictures: Pictures::default(),
            clear: true,
            changes: BTreeMap::new(),
            gone: Vec::new(),
        }
    }

    /// Whether one picture too many would be shown with that of `asset`.
    pub(super) fn is_full_for(&self, asset: u32) -> bool {
        let shown = &self.pictures.by_asset;
        shown.len() >= MOST_PICTURES && !shown.contains_key(&asset)
    }

    /// The picture of `object` is there.
    pub(super) fn show(&mut self, object: u32, asset: u32, image: Arc<Image>) {
        let image = self.pictures.add(asset, image);
        self.note(object, asset, None, Some(image));
    }

    /// The picture of `object` goes.
    pub(super) fn release(&mut self, object: u32, asset: u32) {
        let image = self.pictures.remove(asset);
        self.note(object, asset, image, None);
    }

    /// The view has not taken the picture of `object`.
    pub(super) fn refused(&mut self, object: u32, asset: u32) {
        self.pictures.remove(asset);
        self.changes.remove(&object);
    }

    /// Objects have other numbers from now on; who has none is gone, and its picture was released before.
    pub(super) fn number_anew(&mut self, number: impl Fn(u32) -> Option<u32>) {
        for (object, change) in std::mem::take(&mut self.changes) {
            match number(object) {
                Some(new) => {
                    self.changes.insert(new, change);
                }
                None if change.had.is_some() => self.gone.push((object, change.asset)),
                None => {}
            }
        }
    }

    /// Instead of the picture `before`, `object` has `after` from now on.
    fn note(
        &mut self,
        object: u32,
        asset: u32,
        before: Option<Arc<Image>>,
        after: Option<Arc<Image>>,
    ) {
        // Of what happened since the view looked, only where it began and where it has come to counts.
        let had = match self.changes.remove(&object) {
            Some(change) => change.had,
            None => before,
        };
        if had != after {
            let change = Change {
                asset,
                had,
                has: after,
            };
            self.changes.insert(object, change);
        }
    }

    /// Other pictures, of the same world at another moment: what differs is to be done.
    pub(super) fn change_to(
        &mut self,
        pictures: &Pictures,
        objects: &[WorldObject],
        before: &[State],
        after: &[State],
    ) {
        let old = std::mem::replace(&mut self.pictures, pictures.clone());
        for (object, (from, to)) in (0..).zip(before.iter().zip(after)) {
            if !has_picture(*from) && !has_picture(*to) {
                continue;
            }
            let asset = objects[object as usize].asset;
            let of = |state, pictures: &Pictures| {
                let image = has_picture(state).then(|| pictures.find(asset));
                image.flatten().cloned()
            };
            let (had, has) = (of(*from, &old), of(*to, &self.pictures));
            // A file may have become another in between.
            if had != has {
                self.note(object, asset, had, has);
            }
        }
    }

    /// Hands out what is to be done: releases first, for they make room.
    pub(super) fn take(&mut self, into: &mut Vec<TextureJob>) {
        if std::mem::take(&mut self.clear) {
            into.push(TextureJob::Clear);
        }
        let released = |(object, asset)| TextureJob::Release { object, asset };
        into.extend(self.gone.drain(..).map(released));
        let changes = std::mem::take(&mut self.changes);
        let gone = changes.iter().filter(|(_, change)| change.had.is_some());
        into.extend(gone.map(|(&object, change)| TextureJob::Release {
            object,
            asset: change.asset,
        }));
        into.extend(changes.into_iter().filter_map(|(object, change)| {
            Some(TextureJob::Show {
                object,
                asset: change.asset,
                image: change.has?,
            })
        }));
    }

    /// All that a view has to do that begins anew.
    pub(super) fn all(&self, objects: &[WorldObject], states: &[State]) -> Vec<TextureJob> {
        let shown = (0..).zip(objects.iter().zip(states));
        let shows = shown.filter_map(|(object, (metadata, state))| {
            let image = self.pictures.find(metadata.asset)?;
            has_picture(*state).then(|| TextureJob::Show {
                object,
                asset: metadata.asset,
                image: image.clone(),
            })
        });
        [TextureJob::Clear].into_iter().chain(shows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(side: u32) -> Arc<Image> {
        Arc::new(Image {
            width: side,
            height: side,
            rgba: vec![0; (side * side * 4) as usize],
        })
    }

    fn taken(outbox: &mut Outbox) -> Vec<TextureJob> {
        let mut jobs = Vec::new();
        outbox.take(&mut jobs);
        jobs
    }

    #[test]
    fn what_comes_and_goes_unseen_leaves_nothing_to_do() {
        let mut outbox = Outbox::new();
        for _ in 0..1_000 {
            outbox.show(3, 0, image(2));
            outbox.release(3, 0);
        }
        assert_eq!(taken(&mut outbox), [TextureJob::Clear]);
        outbox.show(3, 0, image(2));
        assert_eq!(taken(&mut outbox).len(), 1);
        outbox.release(3, 0);
        outbox.show(3, 0, image(2));
        assert_eq!(taken(&mut outbox), []);
    }

    #[test]
    fn objects_share_the_picture_of_their_asset_until_the_last_is_gone() {
        let mut outbox = Outbox::new();
        let first = image(1);
        outbox.show(1, 7, first.clone());
        outbox.show(2, 7, image(1));
        outbox.release(1, 7);
        assert!(Arc::ptr_eq(outbox.pictures.find(7).unwrap(), &first));
        outbox.release(2, 7);
        assert!(outbox.pictures.find(7).is_none());
        assert_eq!(outbox.pictures.byte_count(), 0);
    }

    #[test]
    fn large_pictures_are_kept_small() {
        let wide = Arc::new(Image {
            width: 1_000,
            height: 10,
            rgba: vec![200; 40_000],
        });
        let mut outbox = Outbox::new();
        outbox.show(1, 0, wide);
        let kept = outbox.pictures.find(0).unwrap();
        assert_eq!((kept.width, kept.height), (128, 1));
        assert!(kept.rgba.iter().all(|value| *value == 200) && kept.rgba.len() == 512);
        outbox.show(2, 1, image(128));
        assert_eq!(outbox.pictures.find(1).unwrap().width, 128);
    }

    #[test]
    fn a_picture_that_became_another_unseen_is_shown_anew() {
        let other = || {
            let mut other = Image::clone(&image(2));
            other.rgba.fill(9);
            Arc::new(other)
        };
        let metadata = WorldObject {
            center: crate::geometry::Vec2::ZERO,
            half_extent: crate::geometry::Vec2::ONE,
            bytes: 1,
            asset: 0,
        };
        let (objects, there) = ([metadata], [State::Resident]);
        let mut outbox = Outbox::new();
        outbox.show(0, 0, image(2));
        taken(&mut outbox);
        let kept = outbox.pictures.clone();
        outbox.release(0, 0);
        outbox.show(0, 0, other());
        let jobs = taken(&mut outbox);
        assert!(matches!(jobs[0], TextureJob::Release { object: 0, .. }));
        assert!(matches!(&jobs[1], TextureJob::Show { image, .. } if *image == other()));
        // Back at the first, and on again, and back: once is enough.
        let later = outbox.pictures.clone();
        for pictures in [&kept, &later, &kept] {
            outbox.change_to(pictures, &objects, &there, &there);
        }
        let jobs = taken(&mut outbox);
        assert_eq!(jobs.len(), 2);
        assert!(matches!(&jobs[1], TextureJob::Show { image: shown, .. } if *shown == image(2)));
        // There and back is nothing to do, nor is the same picture that was read again.
        for pictures in [&later, &kept] {
            outbox.change_to(pictures, &objects, &there, &there);
        }
        outbox.release(0, 0);
        outbox.show(0, 0, image(2));
        assert_eq!(taken(&mut outbox), []);
    }

    #[test]
    fn who_is_gone_is_released_under_whatever_numbers_others_have_now() {
        let mut outbox = Outbox::new();
        outbox.show(0, 7, image(1));
        outbox.show(1, 8, image(1));
        taken(&mut outbox);
        outbox.show(2, 9, image(1));
        outbox.release(0, 7);
        outbox.number_anew(|object| object.checked_sub(1));
        // The one that is gone was never seen, so that nothing is to be done for it.
        outbox.show(2, 6, image(1));
        outbox.release(2, 6);
        outbox.number_anew(|object| (object != 2).then_some(object));
        let jobs = taken(&mut outbox);
        assert_eq!(jobs.len(), 2);
        assert!(matches!(jobs[0], TextureJob::Release { asset: 7, .. }));
        let shown = &jobs[1];
        assert!(matches!(
            shown,
            TextureJob::Show {
                object: 1,
                asset: 9,
                ..
            }
        ));
    }

    #[test]
    fn releases_come_before_shows() {
        let mut outbox = Outbox::new();
        outbox.show(9, 1, image(1));
        taken(&mut outbox);
        outbox.show(1, 1, image(1));
        outbox.release(9, 1);
        let jobs = taken(&mut outbox);
        assert!(matches!(jobs[0], TextureJob::Release { object: 9, .. }));
        assert!(matches!(jobs[1], TextureJob::Show { object: 1, .. }));
    }
}
