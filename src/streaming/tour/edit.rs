//! Editing the objects of a tour: the pictures of those who go are given back, and files of those who come are looked at.

use super::Tour;
use crate::built_in;
use crate::scene::generate;
use crate::streaming::loader::{byte_sizes, picture_sizes};
use crate::streaming::pictures::has_picture;
use crate::streaming::{Loader, Newcomer, ObjectsEdit, WorldObject};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl<L: Loader> Tour<L> {
    /// Edits the objects, between ticks; a view is told by its next jobs. Gives the edit that takes it back.
    pub fn edit(&mut self, edit: &ObjectsEdit) -> ObjectsEdit {
        let count = self.streaming.objects().len() as u32;
        if let ObjectsEdit::Take(gone) = edit {
            for &object in gone.iter().filter(|object| **object < count) {
                if has_picture(self.streaming.states()[object as usize]) {
                    let asset = self.streaming.objects()[object as usize].asset;
                    self.outbox.release(object, asset);
                }
            }
        }
        if !edit.keeps_numbers() {
            let numbers = edit.numbers(count);
            let number = |object: u32| numbers.get(object as usize).copied().flatten();
            self.outbox.number_anew(number);
        }
        let inverse = self.streaming.edit(edit);
        self.look_at_other_trees();
        inverse
    }

    /// The trees are others than in the last tick: the boxes of before are of such as are no more.
    pub(super) fn look_at_other_trees(&mut self) {
        if self.is_watched && self.ticks > 0 {
            self.streaming.look_again(&mut self.looked);
        } else {
            self.looked.clear();
        }
    }

    /// Adds what was made of groups of a scene whose file is in `folder`, behind all that there are. Files of which the world does
    /// not know yet are looked at as when it was opened. Gives the edit that takes it back.
    pub fn add_objects(&mut self, made: &generate::WorldObjects, folder: &Path) -> ObjectsEdit {
        let files = made.assets.iter();
        let assets: Vec<u32> = files
            .map(|asset| self.asset_of(built_in::picture(folder, asset)))
            .collect();
        let mut renamed = made.clone();
        for object in &mut renamed.objects {
            object.asset = assets
                .get(object.asset as usize)
                .copied()
                .unwrap_or_default();
        }
        let objects = WorldObject::all_of(&renamed, &self.file_bytes);
        let is_picture = renamed.objects.iter().map(|object| object.bytes.is_none());
        let first = self.streaming.objects().len() as u32;
        let newcomers = objects.into_iter().zip(is_picture);
        let newcomers = (first..)
            .zip(newcomers)
            .map(|(number, (metadata, is_picture))| {
                let newcomer = Newcomer {
                    metadata,
                    is_picture,
                };
                (number, newcomer)
            });
        self.edit(&ObjectsEdit::Add(newcomers.collect()))
    }

    /// The number of the asset of this file, which is a new one where the world has not named it.
    fn asset_of(&mut self, file: PathBuf) -> u32 {
        let assets = self.streaming.assets();
        if let Some(place) = assets.iter().position(|known| **known == *file) {
            return place as u32;
        }
        let number = assets.len() as u32;
        let files = [file];
        let bytes = self.file_bytes.iter().copied().chain(byte_sizes(&files));
        self.file_bytes = bytes.collect();
        let sizes = picture_sizes(&files);
        let files = files.into_iter().map(Arc::from).collect();
        self.streaming.add_assets(files, &sizes);
        number
    }
}
