//! Editing a world while it streams: objects that are put elsewhere, taken away and added.
//!
//! Objects are numbered densely, as in a scene that is opened: who is taken away gives its number to the next, and who is added
//! has the number that it is given. Whoever stays keeps its state, its history, its place in the queue and its request.
//!
//! An edit decides nothing. Who was put elsewhere keeps its state, and the next update finds it where it is; who is new is
//! unloaded. Who is taken away is cancelled where it was on its way, and given up at once where it was there; a request for it
//! is answered for nobody, and what it read is wasted.
//!
//! The trees are built anew with each edit: where their addresses begin depends on where all objects are.
//!
//! Invariant: taking back what an edit gave makes the objects what they were, to the last bit.

use super::history::Reason;
use super::picture_size::PictureSize;
use super::states::Record;
use super::trees::Trees;
use super::{Flight, Loader, State, Streaming, Whose, WorldObject};
use crate::chance;
use crate::geometry::Vec2;
use std::path::Path;
use std::sync::Arc;

/// An object that is added to a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newcomer {
    /// What is known of it.
    pub metadata: WorldObject,
    /// Whether it takes no more memory than its picture: nobody has said how many bytes it takes.
    pub is_picture: bool,
}

/// What becomes of objects.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectsEdit {
    /// These are put elsewhere, each once.
    Put(Vec<(u32, Vec2)>),
    /// These have this middle and this half of width and height, each once.
    Shape(Vec<(u32, Vec2, Vec2)>),
    /// These are taken away, by ascending number.
    Take(Vec<u32>),
    /// These are added, by the numbers that they have when all of them are there, in ascending order.
    Add(Vec<(u32, Newcomer)>),
}

impl ObjectsEdit {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        match self {
            Self::Put(list) => list.capacity() * size_of::<(u32, Vec2)>(),
            Self::Shape(list) => list.capacity() * size_of::<(u32, Vec2, Vec2)>(),
            Self::Take(list) => list.capacity() * size_of::<u32>(),
            Self::Add(list) => list.capacity() * size_of::<(u32, Newcomer)>(),
        }
    }

    /// Whether each object keeps its number.
    pub(crate) const fn keeps_numbers(&self) -> bool {
        matches!(self, Self::Put(_) | Self::Shape(_))
    }

    /// Whether what takes `other` back is known from what takes this one back, which was done right before it: where both shape the same
    /// objects, which alone is done step by step.
    pub(crate) fn is_of_same(&self, other: &Self) -> bool {
        let (Self::Shape(own), Self::Shape(other)) = (self, other) else {
            return false;
        };
        let own = own.iter().map(|(object, ..)| object);
        own.eq(other.iter().map(|(object, ..)| object))
    }

    /// The new number of each of `count` objects; `None` of who is gone.
    pub(super) fn numbers(&self, count: u32) -> Vec<Option<u32>> {
        match self {
            Self::Put(_) | Self::Shape(_) => (0..count).map(Some).collect(),
            Self::Take(gone) => {
                let mut gone = gone.iter().copied().peekable();
                let mut next = 0;
                let number = |object: u32| {
                    if gone.next_if_eq(&object).is_some() {
                        return None;
                    }
                    next += 1;
                    Some(next - 1)
                };
                (0..count).map(number).collect()
            }
            Self::Add(added) => {
                let mut added = added.iter().map(|(number, _)| *number).peekable();
                let mut next = 0;
                let number = |_| {
                    while added.next_if_eq(&next).is_some() {
                        next += 1;
                    }
                    next += 1;
                    Some(next - 1)
                };
                (0..count).map(number).collect()
            }
        }
    }
}

impl<L: Loader> Streaming<L> {
    /// Edits the objects, between updates and while the caller is neither uploading nor releasing a picture. Gives the edit that
    /// takes it back. Who is named and does not exist is passed over.
    pub fn edit(&mut self, edit: &ObjectsEdit) -> ObjectsEdit {
        /// Keeps an edit apart from changes of state in the fingerprint.
        const EDITED: u64 = 0xED17;
        let inverse = self.change_objects(edit);
        self.is_edited = true;
        let count = self.objects.len() as u64;
        self.fingerprint = chance::hash(self.fingerprint, EDITED, count);
        self.trees = Trees::new(self.world());
        inverse
    }

    /// More assets come behind those that there are.
    pub(super) fn add_assets(&mut self, files: Vec<Arc<Path>>, sizes: &[PictureSize]) {
        self.assets = self.assets.iter().cloned().chain(files).collect();
        self.holding.add_assets(sizes);
    }

    fn put_objects(&mut self, places: &[(u32, Vec2)]) -> ObjectsEdit {
        let mut before = Vec::with_capacity(places.len());
        let mut objects = self.objects.to_vec();
        for (object, at) in places {
            let Some(metadata) = objects.get_mut(*object as usize) else {
                continue;
            };
            before.push((*object, std::mem::replace(&mut metadata.center, *at)));
            // Where it comes late to, nobody could have known of.
            self.records[*object as usize].excused |= self.states[*object as usize].is_pending();
        }
        self.objects = objects.into();
        ObjectsEdit::Put(before)
    }

    fn shape_objects(&mut self, shapes: &[(u32, Vec2, Vec2)]) -> ObjectsEdit {
        let mut before = Vec::with_capacity(shapes.len());
        let mut objects = self.objects.to_vec();
        for (object, at, size) in shapes {
            let Some(metadata) = objects.get_mut(*object as usize) else {
                continue;
            };
            before.push((*object, metadata.center, metadata.half_extent));
            (metadata.center, metadata.half_extent) = (*at, *size);
            // Its rectangles are others: what comes late to them, nobody could have known of.
            self.records[*object as usize].excused |= self.states[*object as usize].is_pending();
        }
        self.objects = objects.into();
        ObjectsEdit::Shape(before)
    }

    /// Changes everything but the trees. Where objects are taken away or added, the others have other numbers then.
    fn change_objects(&mut self, edit: &ObjectsEdit) -> ObjectsEdit {
        let count = self.objects.len() as u32;
        let mut added: &[(u32, Newcomer)] = &[];
        let inverse = match edit {
            ObjectsEdit::Take(gone) => {
                let gone = gone.iter().filter(|object| **object < count);
                ObjectsEdit::Add(gone.map(|object| self.take_away(*object)).collect())
            }
            ObjectsEdit::Add(list) => {
                added = list;
                ObjectsEdit::Take(list.iter().map(|(number, _)| *number).collect())
            }
            ObjectsEdit::Put(places) => return self.put_objects(places),
            ObjectsEdit::Shape(shapes) => return self.shape_objects(shapes),
        };
        let numbers = edit.numbers(count);
        let number = |object: u32| numbers.get(object as usize).copied().flatten();

        let mut flights = std::mem::take(&mut self.flights);
        for flight in &mut flights {
            self.answer_to(flight, number);
        }
        let issued = flights.iter().map(|flight| flight.ticket.generation);
        if let Some(last) = issued.max() {
            self.first_generation = last.wrapping_add(1);
        }
        self.flights = flights;

        // What is known of each object, in the new order.
        let stays = |object: &u32| number(*object).is_some();
        let old = (0..count).filter(stays).map(|object| {
            let row = object as usize;
            let known = Newcomer {
                metadata: self.objects[row],
                is_picture: self.holding.is_picture(object),
            };
            (known, self.states[row], self.records[row])
        });
        let mut rows: Vec<(Newcomer, State, Record)> = Vec::new();
        let mut added = added.iter().peekable();
        let new = |newcomer: Newcomer| (newcomer, State::Unloaded, Record::NEW);
        for row in old {
            while let Some((_, one)) = added.next_if(|(number, _)| *number == rows.len() as u32) {
                rows.push(new(*one));
            }
            rows.push(row);
        }
        rows.extend(added.map(|(_, one)| new(*one)));

        self.objects = rows.iter().map(|(known, ..)| known.metadata).collect();
        self.states = rows.iter().map(|(_, state, _)| *state).collect();
        self.records = rows.iter().map(|(.., record)| *record).collect();
        self.holding
            .number_anew(rows.iter().map(|(known, ..)| known.is_picture).collect());
        self.counts = [0; State::ALL.len()];
        for state in &self.states {
            self.counts[*state as usize] += 1;
        }
        self.number_lists_anew(number);
        match edit {
            ObjectsEdit::Take(gone) => self.renumberings.take(gone.iter().copied()),
            ObjectsEdit::Add(list) => self.renumberings.add(list.iter().map(|it| it.0)),
            ObjectsEdit::Put(_) | ObjectsEdit::Shape(_) => {}
        }
        inverse
    }

    /// Gives up an object that is about to be gone, and says what it was.
    fn take_away(&mut self, object: u32) -> (u32, Newcomer) {
        let state = self.states[object as usize];
        let record = self.records[object as usize];
        match state {
            State::Unloaded | State::Queued | State::Failed => {}
            State::Loading => self.cancel_request(object),
            State::Decoded => self.waste(object),
            State::Resident | State::Unloading => {
                self.statistics.released += 1;
                if record.needed_at.is_infinite() {
                    self.waste(object);
                }
            }
        }
        self.statistics.cancelled += u64::from(state.is_pending());
        if state != State::Unloaded {
            self.enter(object, State::Unloaded, Reason::TakenAway);
        }
        let newcomer = Newcomer {
            metadata: self.objects[object as usize],
            is_picture: self.holding.is_picture(object),
        };
        (object, newcomer)
    }

    /// Lets a request be for whom it was made, by its new number, while the old ones are still in force.
    fn answer_to(&self, flight: &mut Flight, number: impl Fn(u32) -> Option<u32>) {
        if let Whose::Object(object) = flight.whose {
            flight.whose = match number(object) {
                Some(new) => Whose::Object(new),
                None => Whose::Nobody {
                    picture: self.picture_of(object),
                    own_bytes: self.own_bytes(object),
                },
            };
        }
    }

    fn number_lists_anew(&mut self, number: impl Fn(u32) -> Option<u32>) {
        let keeps = |object: &mut u32| {
            let new = number(*object);
            *object = new.unwrap_or_default();
            new.is_some()
        };
        self.decisions.load.retain_mut(keeps);
        self.decisions.unload.retain_mut(keeps);
        self.queue.retain_mut(|entry| keeps(&mut entry.object));
        self.decoded.retain_mut(|entry| keeps(&mut entry.object));
        self.failed.retain_mut(keeps);
        self.unloading.retain_mut(keeps);
        self.residents.retain_mut(keeps);
        self.unneeded.retain_mut(keeps);
        let failures = std::mem::take(&mut self.failures).into_iter();
        self.failures = failures
            .filter_map(|(object, failure)| Some((number(object)?, failure)))
            .collect();
        let refusals = std::mem::take(&mut self.refusals).into_iter();
        self.refusals = refusals
            .filter_map(|(object, count)| Some((number(object)?, count)))
            .collect();
        let lateness = std::mem::take(&mut self.lateness).into_iter();
        self.lateness = lateness
            .filter_map(|(object, late)| Some((number(object)?, late)))
            .collect();
        self.came_late.clear();
        self.history.number_anew(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_close_up_and_make_room_again() {
        let take = ObjectsEdit::Take(vec![0, 2, 5]);
        let numbers = [None, Some(0), None, Some(1), Some(2), None];
        assert_eq!(take.numbers(6), numbers);
        let newcomer = Newcomer {
            metadata: WorldObject {
                center: Vec2::ZERO,
                half_extent: Vec2::ONE,
                bytes: 1,
                asset: 0,
            },
            is_picture: false,
        };
        let add = ObjectsEdit::Add([0, 2, 5].map(|number| (number, newcomer)).to_vec());
        assert_eq!(add.numbers(3), [Some(1), Some(3), Some(4)]);
        assert_eq!(ObjectsEdit::Put(Vec::new()).numbers(2), [Some(0), Some(1)]);
        let shape = |object| ObjectsEdit::Shape(vec![(object, Vec2::ZERO, Vec2::ONE)]);
        assert_eq!(shape(1).numbers(2), [Some(0), Some(1)]);
        assert!(shape(1).keeps_numbers() && !take.keeps_numbers());
        assert!(shape(1).is_of_same(&shape(1)) && !shape(1).is_of_same(&shape(0)));
        assert!(!shape(1).is_of_same(&ObjectsEdit::Put(vec![(1, Vec2::ZERO)])));
    }
}
