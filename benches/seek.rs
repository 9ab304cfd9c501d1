//! How long it takes to go back in time: a battle of ten minutes, and seeks all over it.
//!
//! `cargo bench --bench seek [-- UNITS[:TICKS]...]`; without a word 2,000 and 20,000 units, 36,000 ticks each. No test asserts
//! these times: they are of one machine.

use skirmish::probe::Cancel;
use skirmish::scene::file;
use skirmish::session::Session;
use std::path::Path;
use std::time::{Duration, Instant};

/// Ten minutes.
const TICKS: u64 = 36_000;
/// How many seeks.
const SEEKS: u64 = 60;

fn main() {
    let given: Vec<(u32, u64)> = std::env::args()
        .skip(1)
        .filter_map(|word| {
            let (units, ticks) = word.split_once(':').unwrap_or((&word, "36000"));
            Some((units.parse().ok()?, ticks.parse().ok()?))
        })
        .collect();
    let battles = if given.is_empty() {
        vec![(2_000, TICKS), (20_000, TICKS)]
    } else {
        given
    };
    println!(
        "   units   ticks  run s  keyframes  apart     MB  shown ms p50  reached ms p50     p90     max"
    );
    for (units, ticks) in battles {
        measure(units, ticks);
    }
}

fn measure(units: u32, ticks: u64) {
    let cancel = Cancel::default();
    let mut scene = file::built_in();
    scene.scale_units(units);
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let begun = Instant::now();
    for _ in 0..ticks {
        session.tick(&cancel, &mut ()).expect("nobody cancels");
    }
    let run = begun.elapsed();
    let (count, apart) = session.timeline().keyframes();
    let bytes = session.timeline().byte_count();
    let (mut shown, mut reached) = (Vec::new(), Vec::new());
    for seek in 0..SEEKS {
        // All over it, and none beside the last.
        let tick = (seek * 7_919 + 13) % SEEKS * ticks / SEEKS + seek % 31;
        let begun = Instant::now();
        let tick = tick.min(ticks);
        let journey = session.set_out(tick).expect("a tick that is known");
        shown.push(begun.elapsed());
        session
            .arrive(&journey, &cancel, &mut ())
            .expect("nobody cancels");
        reached.push(begun.elapsed());
        assert_eq!(session.tick_count(), tick);
        assert_eq!(session.timeline().diverged_at(), None);
    }
    shown.sort_unstable();
    reached.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1.0e3;
    let part =
        |times: &[Duration], part: f64| ms(times[((times.len() - 1) as f64 * part) as usize]);
    println!(
        "{units:>8} {ticks:>7} {:>6.1} {count:>10} {apart:>6} {:>6.1} {:>13.2} {:>15.2} {:>7.2} {:>7.2}",
        run.as_secs_f64(),
        bytes as f64 / 1.0e6,
        part(&shown, 0.5),
        part(&reached, 0.5),
        part(&reached, 0.9),
        part(&reached, 1.0),
    );
}
