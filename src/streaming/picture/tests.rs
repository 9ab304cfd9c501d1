use super::*;
use crate::scene::file;
use crate::streaming::{Index, SimulatedLoader};
use std::path::PathBuf;

/// A quick ride through the open world, with these of its settings.
fn ride(settings: impl Fn(Settings) -> Settings) -> Tour<SimulatedLoader> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let scene = file::read(&folder.join("open-world.ron")).expect("a scene");
    let world = scene.world.as_ref().expect("a world");
    let settings = settings(Settings::of_world_on(world, crate::streaming::USUAL_DISK));
    let loader = |_: &[u64]| SimulatedLoader::default();
    let mut tour = Tour::with_loader(&scene, &folder, settings, loader);
    tour.character_mut().follow(Mover::Path(0));
    tour.character_mut().set_speed(60.0);
    tour
}

#[test]
fn the_cap_that_is_enough_is_that_of_the_tick_whichever_picture_was_filled_before() {
    let mut tour = ride(|usual| Settings {
        memory_cap: 100_000,
        ..usual
    });
    // Whoever shows it has two, of which one is filled while the other is shown.
    let mut pictures = [TourPicture::default(), TourPicture::default()];
    let ask = TourAsk {
        refresh: false,
        ..TourAsk::default()
    };
    let mut told = std::collections::BTreeSet::new();
    for tick in 0..600 {
        tour.tick();
        let picture = &mut pictures[tick % 2];
        tour.picture(&ask, picture);
        let enough = tour.streaming().enough_while_bound();
        assert_eq!(picture.enough_bytes(), enough, "in tick {tick}");
        tour.picture(&ask, picture);
        assert_eq!(picture.enough_bytes(), enough, "again in tick {tick}");
        told.extend(enough);
    }
    assert!(told.len() > 1, "{told:?}");
}

#[test]
fn who_is_on_the_way_is_that_of_the_tick_where_it_is_asked_for_and_nobody_else() {
    let mut tour = ride(|usual| Settings {
        mbps: 0.05,
        ..usual
    });
    let mut pictures = [TourPicture::default(), TourPicture::default()];
    let ask = |pending| TourAsk {
        pending,
        refresh: false,
        ..TourAsk::default()
    };
    let (mut all, mut most) = (Vec::new(), 0);
    for tick in 0..600 {
        tour.tick();
        tour.streaming().pending_needs(&mut all);
        assert!(all.is_sorted_by(|a, b| a.object < b.object));
        most = most.max(all.len());
        let picture = &mut pictures[tick % 2];
        for is_asked in [false, true, true] {
            tour.picture(&ask(is_asked), picture);
            assert_eq!(picture.has_pending_needs(), is_asked);
            let told = picture.pending_needs();
            let expected = if is_asked { &all[..] } else { &[] };
            assert_eq!(told, expected, "in tick {tick}");
        }
        if tick % 3 == 0 {
            tour.picture(&ask(false), picture);
        }
    }
    assert!(most > 1, "{most}");
}

#[test]
fn the_bytes_are_those_of_the_trees_in_force_whatever_was_in_force_before() {
    let begun = |index| {
        let mut tour = ride(|usual| Settings { index, ..usual });
        tour.set_watched(false);
        tour
    };
    let mut all = Index::ALL.map(begun);
    let mut switched = begun(Index::TwoTrees);
    let mut picture = TourPicture::default();
    let ask = TourAsk {
        refresh: false,
        ..TourAsk::default()
    };
    // To each of them from each other one.
    let mut orders = Index::ALL.into_iter().cycle();
    for tick in 0..480 {
        if tick % 24 == 0 {
            let skipped = tick / 96;
            let index = orders.nth(skipped).expect("one of them");
            let settings = *switched.streaming().settings();
            switched.set_settings(Settings { index, ..settings });
        }
        for tour in &mut all {
            tour.tick();
        }
        let index = switched.settings().index;
        // Once before it has decided anything, and once after it.
        for has_decided in [false, true] {
            if has_decided {
                switched.tick();
                let fresh = all.iter().find(|tour| tour.settings().index == index);
                let fresh = fresh.expect("one of them").streaming().trees();
                let trees = switched.streaming().trees();
                assert_eq!(trees.byte_count(), fresh.byte_count(), "{index:?}");
            }
            switched.picture(&ask, &mut picture);
            let trees = switched.streaming().trees();
            assert_eq!(picture.tree_byte_count(), trees.byte_count(), "{index:?}");
            let is_brute = index == Index::BruteForce;
            assert_eq!(picture.tree_byte_count() == 0, is_brute);
            assert_eq!(picture.tree_depths() == (0, 0), is_brute);
        }
    }
}
