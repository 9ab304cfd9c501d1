//! What takes memory: what each object is said to take, and pictures, each of them once however many objects show it.
//!
//! An object of which a world says how many bytes it takes stands for one that is as large as that, on the disk and in memory,
//! its picture included: only where its picture takes more than that does the picture count as well.
//! One of which it says nothing is its picture: on the disk as many bytes as the file has, in memory four a pixel. A picture
//! that is on its way takes all its pixels, from the moment that it is asked for; one that is there takes those that are shown.

use super::picture_size::PictureSize;
use std::sync::Arc;

/// The number of no asset. Nobody has its picture.
pub(super) const NO_ASSET: u32 = u32::MAX;

/// How many objects have the picture of an asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Users {
    /// Asked for, being read, or decoded and not uploaded; requests that were cancelled and not answered yet among them.
    pub(super) on_the_way: u32,
    /// Uploaded and not released.
    pub(super) there: u32,
    /// Of those the ones that wait for their release.
    pub(super) leaving: u32,
}

/// Bytes of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PictureBytes {
    /// All of them.
    pub(super) held: u64,
    /// Those that are there.
    pub(super) there: u64,
    /// What is given back when all is released that waits for it.
    pub(super) leaving: u64,
    /// What is given back, if nothing else comes, when all is uploaded that is on its way.
    pub(super) passing: u64,
}

impl PictureBytes {
    /// Of one picture.
    fn of(size: PictureSize, users: Users) -> Self {
        let held = held(size, users);
        let staying = Users {
            there: users.there - users.leaving,
            leaving: 0,
            ..users
        };
        let uploaded = Users {
            on_the_way: 0,
            there: users.there + users.on_the_way,
            ..users
        };
        let there = Users {
            on_the_way: 0,
            ..users
        };
        Self {
            held,
            there: self::held(size, there),
            leaving: held - self::held(size, staying),
            passing: held - self::held(size, uploaded),
        }
    }

    /// Puts one picture's in the place of what they were.
    fn change(&mut self, from: Self, to: Self) {
        for (sum, from, to) in [
            (&mut self.held, from.held, to.held),
            (&mut self.there, from.there, to.there),
            (&mut self.leaving, from.leaving, to.leaving),
            (&mut self.passing, from.passing, to.passing),
        ] {
            *sum = sum.saturating_sub(from).saturating_add(to);
        }
    }
}

/// What one picture takes.
fn held(size: PictureSize, users: Users) -> u64 {
    let shown = size.shown();
    if users.on_the_way > 0 {
        // What is shown of a large picture is a copy.
        let copy = if shown == size { 0 } else { shown.bytes() };
        size.bytes().saturating_add(copy)
    } else if users.there > 0 {
        shown.bytes()
    } else {
        0
    }
}

/// The books of what takes memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Holding {
    /// By asset: as it was when the world was opened.
    opened: Arc<Vec<PictureSize>>,
    /// By asset: the largest that it was since.
    sizes: Arc<Vec<PictureSize>>,
    /// By object: whether it takes no more than its picture. Empty where nothing is known of pictures.
    are_pictures: Arc<[bool]>,
    /// By asset.
    users: Vec<Users>,
    bytes: PictureBytes,
}

impl Holding {
    /// Of a world with so many assets, of whose pictures nothing is known: its objects take what their metadata say.
    pub(super) fn new(assets: usize) -> Self {
        let sizes = Arc::new(vec![PictureSize::default(); assets]);
        Self {
            opened: sizes.clone(),
            sizes,
            users: vec![Users::default(); assets],
            ..Self::default()
        }
    }

    /// The same, before anything is held, with the sizes of all pictures, and which objects take no more than their picture.
    pub(super) fn knowing(self, mut sizes: Vec<PictureSize>, are_pictures: Arc<[bool]>) -> Self {
        sizes.resize(self.users.len(), PictureSize::default());
        let sizes = Arc::new(sizes);
        Self {
            opened: sizes.clone(),
            sizes,
            are_pictures,
            ..self
        }
    }

    /// Knows the sizes of the same pictures with which `other` was opened, unless it has learned of others since.
    pub(super) fn inherit(&mut self, other: &Self) {
        let has_learned = !Arc::ptr_eq(&self.sizes, &self.opened);
        if has_learned || Arc::ptr_eq(&self.opened, &other.opened) {
            return;
        }
        self.opened = other.opened.clone();
        self.sizes = other.opened.clone();
        let mut bytes = PictureBytes::default();
        for (size, users) in self.sizes.iter().zip(&self.users) {
            bytes.change(PictureBytes::default(), PictureBytes::of(*size, *users));
        }
        self.bytes = bytes;
    }

    /// What an object takes beside its picture; `said` are the bytes of its metadata.
    pub(super) fn own_bytes(&self, object: u32, said: u64) -> u64 {
        if self.is_picture(object) { 0 } else { said }
    }

    /// Whether an object takes no more than its picture.
    pub(super) fn is_picture(&self, object: u32) -> bool {
        self.are_pictures.get(object as usize) == Some(&true)
    }

    /// The objects are others from now on, each with whether it takes no more than its picture. Where nothing is known of pictures,
    /// nothing is to be known.
    pub(super) fn number_anew(&mut self, are_pictures: Vec<bool>) {
        if !self.are_pictures.is_empty() || are_pictures.contains(&true) {
            self.are_pictures = are_pictures.into();
        }
    }

    /// More assets come behind those that there are, with the sizes of their pictures.
    pub(super) fn add_assets(&mut self, sizes: &[PictureSize]) {
        let has_learned = !Arc::ptr_eq(&self.sizes, &self.opened);
        Arc::make_mut(&mut self.opened).extend_from_slice(sizes);
        if has_learned {
            Arc::make_mut(&mut self.sizes).extend_from_slice(sizes);
        } else {
            self.sizes = self.opened.clone();
        }
        self.users.resize(self.sizes.len(), Users::default());
    }

    /// The asset whose picture counts when an object is held, which shows that of `asset` and is said to take so many bytes;
    /// [`NO_ASSET`] where these bytes stand for the picture, too.
    pub(super) fn picture_of(&self, object: u32, said: u64, asset: u32) -> u32 {
        let size = self.opened.get(asset as usize).copied();
        let one = Users {
            on_the_way: 1,
            ..Users::default()
        };
        let picture = size.map_or(0, |size| held(size, one));
        if self.is_picture(object) || said < picture {
            asset
        } else {
            NO_ASSET
        }
    }

    /// What all pictures take.
    pub(super) fn bytes(&self) -> PictureBytes {
        self.bytes
    }

    /// What a picture takes that is on its way.
    pub(super) fn bytes_on_the_way(&self, asset: u32) -> u64 {
        let one = Users {
            on_the_way: 1,
            ..Users::default()
        };
        let size = self.sizes.get(asset as usize);
        size.map_or(0, |size| held(*size, one))
    }

    /// What a picture takes that is there; 0 of [`NO_ASSET`].
    pub(super) fn shown_bytes(&self, asset: u32) -> u64 {
        let size = self.sizes.get(asset as usize);
        size.map_or(0, |size| size.shown().bytes())
    }

    /// How much more is held when one more object is on its way.
    pub(super) fn more_bytes(&self, asset: u32) -> u64 {
        let users = self.users(asset);
        if users.on_the_way > 0 {
            return 0;
        }
        let size = self.sizes.get(asset as usize).copied();
        let held = size.map_or(0, |size| held(size, users));
        self.bytes_on_the_way(asset) - held
    }

    /// Who has the picture of an asset.
    pub(super) fn users(&self, asset: u32) -> Users {
        self.users.get(asset as usize).copied().unwrap_or_default()
    }

    /// Changes who has the picture of an asset. One that the world does not have is nobody's.
    pub(super) fn change(&mut self, asset: u32, change: impl FnOnce(&mut Users)) {
        let place = asset as usize;
        if let (Some(users), Some(size)) = (self.users.get_mut(place), self.sizes.get(place)) {
            let before = PictureBytes::of(*size, *users);
            change(users);
            self.bytes.change(before, PictureBytes::of(*size, *users));
        }
    }

    /// A picture turned out to have this size. A file that has grown since the world was opened takes more from now on.
    pub(super) fn learn(&mut self, asset: u32, size: PictureSize) {
        let place = asset as usize;
        let is_known = |known: &PictureSize| size.bytes() <= known.bytes();
        if self.are_pictures.is_empty() || self.sizes.get(place).is_none_or(is_known) {
            return;
        }
        let users = self.users[place];
        let known = &mut Arc::make_mut(&mut self.sizes)[place];
        let before = PictureBytes::of(*known, users);
        *known = size;
        self.bytes.change(before, PictureBytes::of(size, users));
    }

    /// The same with nobody in it.
    pub(super) fn emptied(&self) -> Self {
        Self {
            users: vec![Users::default(); self.users.len()],
            bytes: PictureBytes::default(),
            ..self.clone()
        }
    }

    /// The bytes that it takes on the heap beside what all that is kept of a world shares.
    pub(super) fn byte_count(&self) -> usize {
        self.users.capacity() * size_of::<Users>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: PictureSize = PictureSize {
        width: 1_024,
        height: 1_024,
    };
    const SMALL: PictureSize = PictureSize {
        width: 64,
        height: 64,
    };

    fn holding() -> Holding {
        Holding::new(3).knowing(vec![LARGE, SMALL], Arc::new([true, false]))
    }

    #[test]
    fn a_picture_counts_once_on_its_way_and_there() {
        let mut holding = holding();
        let (shown, small) = (128 * 128 * 4, 64 * 64 * 4);
        assert_eq!(holding.more_bytes(0), LARGE.bytes() + shown);
        for _ in 0..400 {
            holding.change(0, |users| users.on_the_way += 1);
            holding.change(1, |users| users.on_the_way += 1);
        }
        assert_eq!(holding.more_bytes(0), 0);
        assert_eq!(holding.bytes().held, LARGE.bytes() + shown + small);
        assert_eq!(holding.bytes().passing, LARGE.bytes());
        assert_eq!(holding.bytes().there, 0);
        let upload = |users: &mut Users| {
            users.on_the_way -= 1;
            users.there += 1;
        };
        for _ in 0..399 {
            holding.change(0, upload);
            assert_eq!(holding.bytes().held, LARGE.bytes() + shown + small);
        }
        holding.change(0, upload);
        assert_eq!(holding.bytes().held, shown + small);
        assert_eq!(holding.bytes().there, shown);
        assert_eq!(holding.more_bytes(0), LARGE.bytes());
        for left in (0..400).rev() {
            holding.change(0, |users| users.leaving += 1);
            let leaving = if left == 0 { shown } else { 0 };
            assert_eq!(holding.bytes().leaving, leaving);
        }
        for _ in 0..400 {
            holding.change(0, |users| {
                users.there -= 1;
                users.leaving -= 1;
            });
            holding.change(1, |users| users.on_the_way -= 1);
        }
        assert_eq!(holding.bytes(), PictureBytes::default());
    }

    #[test]
    fn an_object_that_is_said_to_take_as_much_as_its_picture_stands_for_it() {
        let holding = holding();
        let small = SMALL.bytes();
        assert_eq!(holding.picture_of(0, small, 1), 1, "it takes nothing else");
        assert_eq!(holding.picture_of(1, small, 1), NO_ASSET);
        assert_eq!(holding.picture_of(1, small - 1, 1), 1);
        assert_eq!(holding.picture_of(1, small, 0), 0);
        assert_eq!(Holding::new(1).picture_of(0, 0, 0), NO_ASSET);
        assert_eq!(
            [0, 1, 2].map(|object| holding.own_bytes(object, 9)),
            [0, 9, 9]
        );
    }

    #[test]
    fn a_file_that_has_grown_takes_more_and_one_that_shrank_no_less() {
        let mut holding = holding();
        holding.change(1, |users| users.there += 1);
        holding.learn(1, LARGE);
        assert_eq!(holding.bytes().held, 128 * 128 * 4);
        holding.learn(1, SMALL);
        holding.learn(9, LARGE);
        assert_eq!(holding.bytes().held, 128 * 128 * 4);
        let mut unknown = Holding::new(1);
        unknown.learn(0, LARGE);
        unknown.change(0, |users| users.on_the_way += 1);
        unknown.change(7, |users| users.on_the_way += 1);
        assert_eq!(unknown.bytes(), PictureBytes::default());
    }
}
