//! The pictures of what is there, and what whoever shows them must do to have the same.
//!
//! Invariant: the list of what is to be done has at most one entry an object: what comes and goes before anybody looked leaves
//! nothing behind, so nobody has to look.

use super::loader::Image;
use super::{State, WorldObject};
use image::{RgbaImage, imageops};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest side of a picture that is shown, in pixels; larger ones are made smaller when they are uploaded. The pictures of
/// all that is there are kept, for views that begin anew and for keyframes, and by their files nobody can say how large they
/// are: this bounds each to 64 KiB.
pub const SHOWN_SIDE: u32 = 128;

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
        /// The picture, with no side longer than [`SHOWN_SIDE`].
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

    fn remove(&mut self, asset: u32) {
        if let Some((_, users)) = self.by_asset.get_mut(&asset) {
            *users -= 1;
            if *users == 0 {
                self.by_asset.remove(&asset);
            }
        }
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

/// A picture with no side longer than [`SHOWN_SIDE`].
fn fitting(image: Arc<Image>) -> Arc<Image> {
    let longest = image.width.max(image.height);
    if longest <= SHOWN_SIDE {
        return image;
    }
    let Some(whole) = RgbaImage::from_raw(image.width, image.height, image.rgba.clone()) else {
        return image;
    };
    let side = |length: u32| (length * SHOWN_SIDE / longest).max(1);
    let small = imageops::thumbnail(&whole, side(image.width), side(image.height));
    Arc::new(Image {
        width: small.width(),
        height: small.height(),
        rgba: small.into_raw(),
    })
}

/// Whether an object in this state has a picture that is seen.
fn has_picture(state: State) -> bool {
    matches!(state, State::Resident | State::Unloading)
}

/// The pictures, and what a view does not know of them yet.
#[derive(Debug)]
pub(super) struct Outbox {
    pub(super) pictures: Pictures,
    clear: bool,
    /// By object.
    jobs: BTreeMap<u32, TextureJob>,
}

impl Outbox {
    /// Of a world that begins.
    pub(super) fn new() -> Self {
        Self {
            pictures: Pictures::default(),
            clear: true,
            jobs: BTreeMap::new(),
        }
    }

    /// The picture of `object` is there.
    pub(super) fn show(&mut self, object: u32, asset: u32, image: Arc<Image>) {
        let image = self.pictures.add(asset, image);
        self.note_shown(object, asset, image);
    }

    /// The picture of `object` goes.
    pub(super) fn release(&mut self, object: u32, asset: u32) {
        self.pictures.remove(asset);
        self.note_released(object, asset);
    }

    /// The view has not taken the picture of `object`.
    pub(super) fn refused(&mut self, object: u32, asset: u32) {
        self.pictures.remove(asset);
        self.jobs.remove(&object);
    }

    fn note_shown(&mut self, object: u32, asset: u32, image: Arc<Image>) {
        let job = TextureJob::Show {
            object,
            asset,
            image,
        };
        match self.jobs.remove(&object) {
            // It is still shown.
            Some(TextureJob::Release { .. }) => {}
            _ => {
                self.jobs.insert(object, job);
            }
        }
    }

    fn note_released(&mut self, object: u32, asset: u32) {
        match self.jobs.remove(&object) {
            // Nobody has seen it.
            Some(TextureJob::Show { .. }) => {}
            _ => {
                self.jobs
                    .insert(object, TextureJob::Release { object, asset });
            }
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
        self.pictures = pictures.clone();
        for (object, (from, to)) in (0..).zip(before.iter().zip(after)) {
            let asset = objects[object as usize].asset;
            match (has_picture(*from), has_picture(*to)) {
                (true, false) => self.note_released(object, asset),
                (false, true) => {
                    if let Some(image) = self.pictures.find(asset).cloned() {
                        self.note_shown(object, asset, image);
                    }
                }
                _ => {}
            }
        }
    }

    /// Hands out what is to be done: releases first, for they make room.
    pub(super) fn take(&mut self, into: &mut Vec<TextureJob>) {
        if std::mem::take(&mut self.clear) {
            into.push(TextureJob::Clear);
        }
        let is_release = |job: &TextureJob| matches!(job, TextureJob::Release { .. });
        let jobs = std::mem::take(&mut self.jobs);
        into.extend(jobs.values().filter(|job| is_release(job)).cloned());
        into.extend(jobs.into_values().filter(|job| !is_release(job)));
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
