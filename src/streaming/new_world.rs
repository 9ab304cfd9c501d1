//! A new world as files: pictures of several sizes and the scene that deals them out.
//!
//! Invariant: the same number of objects and the same seed give the same files, byte by byte.
//!
//! Invariant: the scene is written last, so a folder with a scene has everything that the scene names.

use super::textures::{Motif, paint};
use crate::chance;
use crate::files::reason;
use crate::geometry::{Aabb, Vec2};
use crate::partition::Kind;
use crate::scene::{
    Camera, Character, ObjectGroup, Path as Way, PathKind, Scatter, Scene, Size, StructureChoice,
    View, World, file,
};
use image::{ColorType, ImageFormat};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The name of the scene within the folder of a new world.
pub const SCENE_NAME: &str = "world.ron";

/// Why there is no new world, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum NewWorldError {
    /// Something is there already.
    #[error("{}: the folder is not empty, and nothing in it is overwritten; name a new one", folder.display())]
    NotEmpty {
        /// Where.
        folder: PathBuf,
    },
    /// A file is where the folder should be.
    #[error("{}: this is not a folder", folder.display())]
    NotAFolder {
        /// Where.
        folder: PathBuf,
    },
    /// The system says no.
    #[error("{}: it cannot be written ({reason})", path.display())]
    Unwritable {
        /// What.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The caller gave up. What had been written is gone again.
    #[error("cancelled")]
    Cancelled,
}

/// A share of the objects that look alike.
struct Share {
    motif: Motif,
    name: &'static str,
    /// How many of a thousand objects.
    per_mille: u32,
    /// Their half extents, in metres.
    half_extent: (f32, f32),
    /// The sides of their pictures, in pixels.
    sides: [usize; 2],
}

/// What a world is made of, in the order in which it is drawn. The shares add up to a thousand.
const SHARES: [Share; 8] = [
    share(Motif::Field, "field", 6, (30.0, 60.0), [256, 512]),
    share(Motif::Pond, "pond", 2, (25.0, 50.0), [256, 512]),
    share(Motif::Rock, "rock", 150, (0.75, 4.0), [32, 64]),
    share(Motif::Tree, "tree", 400, (1.5, 5.0), [64, 128]),
    share(Motif::Pine, "pine", 310, (1.5, 4.0), [64, 128]),
    share(Motif::House, "house", 127, (4.5, 9.0), [128, 256]),
    share(Motif::Hall, "hall", 4, (10.0, 16.0), [256, 512]),
    share(Motif::Tower, "tower", 1, (6.0, 10.0), [128, 256]),
];

const fn share(
    motif: Motif,
    name: &'static str,
    per_mille: u32,
    half_extent: (f32, f32),
    sides: [usize; 2],
) -> Share {
    Share {
        motif,
        name,
        per_mille,
        half_extent,
        sides,
    }
}

/// A hundred thousand objects stand on so many metres squared; others as densely.
const SIDE_OF_100K: f32 = 5_000.0;

/// A picture that is to be painted.
struct Picture {
    asset: String,
    motif: Motif,
    seed: u32,
    side: usize,
}

/// How often each motif is painted in each size: the larger the world, the less alike its objects are.
fn variant_count(objects: u32) -> u32 {
    (1 + objects / 25_000).min(4)
}

fn pictures(share: &Share, objects: u32, seed: u64) -> Vec<Picture> {
    let picture = |side: usize, variant: u32| Picture {
        asset: format!("assets/{}-{side}-{}.png", share.name, variant + 1),
        motif: share.motif,
        seed: chance::hash(seed, share.motif as u64, u64::from(variant)) as u32,
        side,
    };
    share
        .sides
        .into_iter()
        .flat_map(|side| (0..variant_count(objects)).map(move |variant| picture(side, variant)))
        .collect()
}

/// The scene of a new world with so many objects. Its pictures are those that [`write()`] paints.
pub fn scene(objects: u32, seed: u64) -> Scene {
    let side = SIDE_OF_100K * (objects.max(1) as f32 / 100_000.0).sqrt();
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(side.max(100.0).round()));
    let at = |x: f32, y: f32| (field.size() * Vec2::new(x, y)).round();
    let path = |name: &str, kind, points: &[(f32, f32)]| Way {
        name: name.to_owned(),
        kind,
        points: points.iter().map(|(x, y)| at(*x, *y)).collect(),
        velocities: Vec::new(),
    };
    let mut given = 0;
    let mut shares = 0;
    let groups = SHARES.iter().map(|share| {
        // Cutting the running sum, not each share by itself, makes the parts add up.
        shares += share.per_mille;
        let until = (u64::from(objects) * u64::from(shares) / 1_000) as u32;
        let count = until - given;
        given = until;
        let (least, greatest) = share.half_extent;
        let pictures = pictures(share, objects, seed).into_iter();
        ObjectGroup::Scatter(Scatter::new(
            count,
            field,
            Size::Between(least, greatest),
            pictures.map(|picture| picture.asset).collect(),
        ))
    });
    let world = World {
        lead: 40.0,
        margin: 40.0,
        ..World::new(groups.collect())
    };
    Scene {
        name: format!("A world of {objects} objects"),
        caption: "Made by skirmish world: walk, ride, fly or jump, and see what loads.".to_owned(),
        field,
        seed,
        reach_scale: 1.0,
        keep_apart: Scene::KEEP_APART,
        armies: Vec::new(),
        volume: None,
        world: Some(world),
        structure: StructureChoice::new(Kind::MortonTree),
        lanes: Vec::new(),
        camera: Some(Camera {
            center: field.center(),
            height: 720.0_f32.min(field.size().y),
        }),
        view: View::default(),
        character: Some(Character {
            speed: 30.0,
            paths: vec![
                path(
                    "walk",
                    PathKind::Walk,
                    &[(0.5, 0.5), (0.55, 0.5), (0.58, 0.54), (0.56, 0.6)],
                ),
                path(
                    "ride",
                    PathKind::Walk,
                    &[(0.5, 0.5), (0.65, 0.55), (0.7, 0.7), (0.5, 0.76)],
                ),
                path(
                    "fly",
                    PathKind::Walk,
                    &[(0.1, 0.1), (0.65, 0.2), (0.9, 0.65), (0.2, 0.9), (0.3, 0.4)],
                ),
                path(
                    "teleport-tour",
                    PathKind::Jump(3.0),
                    &[(0.5, 0.5), (0.1, 0.9), (0.9, 0.1), (0.3, 0.75)],
                ),
            ],
            ..Character::new(field.center())
        }),
    }
}

/// Writes a new world into `folder`, which is made if it is not there, and gives the path of its scene. `progress` hears how
/// many of how many pictures are painted, and may give up by [`ControlFlow::Break`].
pub fn write(
    folder: &Path,
    objects: u32,
    seed: u64,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<PathBuf, NewWorldError> {
    if folder.exists() {
        if !folder.is_dir() {
            let folder = folder.to_owned();
            return Err(NewWorldError::NotAFolder { folder });
        }
        let mut entries =
            std::fs::read_dir(folder).map_err(|error| unwritable(folder, reason(&error).into()))?;
        if entries.next().is_some() {
            let folder = folder.to_owned();
            return Err(NewWorldError::NotEmpty { folder });
        }
    }
    let assets = folder.join("assets");
    std::fs::create_dir_all(&assets).map_err(|error| unwritable(&assets, reason(&error).into()))?;
    fill(folder, objects, seed, progress).inspect_err(|_| {
        // Nothing else was in there. Where it cannot be taken away, it stays, and is not taken for a world.
        let _ = std::fs::remove_dir_all(&assets);
    })
}

fn unwritable(path: &Path, reason: String) -> NewWorldError {
    NewWorldError::Unwritable {
        path: path.to_owned(),
        reason,
    }
}

/// Writes the pictures and the scene into a folder that has nothing but room for them.
fn fill(
    folder: &Path,
    objects: u32,
    seed: u64,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<PathBuf, NewWorldError> {
    let pictures: Vec<Picture> = SHARES
        .iter()
        .flat_map(|share| pictures(share, objects, seed))
        .collect();
    for (done, picture) in pictures.iter().enumerate() {
        if progress(done, pictures.len()).is_break() {
            return Err(NewWorldError::Cancelled);
        }
        let path = folder.join(&picture.asset);
        let side = picture.side as u32;
        let pixels = paint(picture.motif, picture.seed, picture.side);
        // Into memory first: an encoder that writes to a disk keeps to itself what is wrong with that.
        let mut png = Cursor::new(Vec::new());
        image::write_buffer_with_format(
            &mut png,
            &pixels,
            side,
            side,
            ColorType::Rgba8,
            ImageFormat::Png,
        )
        .map_err(|error| unwritable(&path, error.to_string()))?;
        std::fs::write(&path, png.into_inner())
            .map_err(|error| unwritable(&path, reason(&error).into()))?;
    }
    let path = folder.join(SCENE_NAME);
    file::write(&path, &scene(objects, seed))
        .or_else(|error| if error.is_saved() { Ok(()) } else { Err(error) })
        .map_err(|error| unwritable(&path, error.to_string()))?;
    // Nobody gives up what is done.
    let _ = progress(pictures.len(), pictures.len());
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::assets;

    #[test]
    fn every_object_has_its_share() {
        assert_eq!(
            SHARES.iter().map(|share| share.per_mille).sum::<u32>(),
            1_000
        );
        for objects in [0, 1, 7, 999, 100_000, 2_000_000] {
            assert_eq!(scene(objects, 3).object_count(), u64::from(objects));
        }
    }

    #[test]
    fn a_world_is_written_whole_once_and_not_over_another() {
        let folder = tempfile::tempdir().unwrap();
        let world = folder.path().join("worlds/new");
        let mut heard = Vec::new();
        let path = write(&world, 500, 7, &mut |done, total| {
            heard.push((done, total));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!((heard[0], heard[16], heard.len()), ((0, 16), (16, 16), 17));
        let read = file::read(&path).unwrap();
        assert_eq!(read, scene(500, 7));
        assert_eq!(assets::check(&read, &world), []);

        let again = write(&world, 500, 7, &mut |_, _| ControlFlow::Continue(()));
        assert!(matches!(again, Err(NewWorldError::NotEmpty { .. })));
        let file = write(&path, 500, 7, &mut |_, _| ControlFlow::Continue(()));
        assert!(matches!(file, Err(NewWorldError::NotAFolder { .. })));
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_in_the_way_of_another_try() {
        let folder = tempfile::tempdir().unwrap();
        let assets = folder.path().join("assets");
        let result = write(folder.path(), 500, 7, &mut |done, _| {
            if done == 3 {
                // As where the disk goes away.
                std::fs::remove_dir_all(&assets).unwrap();
            }
            ControlFlow::Continue(())
        });
        let said = result.unwrap_err().to_string();
        assert!(
            said.contains("assets") && !said.contains("os error"),
            "{said}"
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        write(folder.path(), 500, 7, &mut |_, _| ControlFlow::Continue(())).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_called_one() {
        let folder = tempfile::tempdir().unwrap();
        let fourth = SHARES
            .iter()
            .flat_map(|share| pictures(share, 500, 7))
            .nth(3);
        let fourth = folder.path().join(fourth.unwrap().asset);
        let result = write(folder.path(), 500, 7, &mut |done, _| {
            if done == 3 {
                std::os::unix::fs::symlink("/dev/full", &fourth).unwrap();
            }
            ControlFlow::Continue(())
        });
        let said = result.unwrap_err().to_string();
        assert!(said.contains("the disk is full"), "{said}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn giving_up_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let result = write(folder.path(), 500, 7, &mut |done, _| {
            if done < 4 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        assert!(matches!(result, Err(NewWorldError::Cancelled)));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
