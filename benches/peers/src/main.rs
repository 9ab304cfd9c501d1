//! Skirmish's structures against the best public libraries, on the same work.
//!
//! Every contestant is asked the same of the same crowd. Its answers are compared with those of a plain reference before it
//! is timed, and again, by a lighter sum, in every turn. Turns go round, so that whatever else the machine does falls on all
//! alike. Only ratios within one run mean anything.

mod bars;
mod clock;
mod contest;
mod options;
mod ours;
mod over_time;
mod peers;
mod random;
mod reference;
mod report;
mod run;
mod space;
mod tally;
mod together;
mod work;
mod world;

use clap::Parser;
use contest::{Crowd, Entry};
use options::Options;
use report::Scored;
use space::World3;
use work::Work;
use world::World;

#[cfg(all(
    feature = "native",
    target_arch = "x86_64",
    not(target_feature = "avx2")
))]
compile_error!(
    "the feature `native` wants RUSTFLAGS=\"-C target-cpu=native\" and a processor with AVX2"
);

/// Some peers step down a tree by calling themselves, and fall deep where units come in order.
const STACK_BYTES: usize = 1 << 30;

/// The same for each of the threads that help.
const HELPER_STACK_BYTES: usize = 1 << 28;

fn main() {
    let options = match Options::parse().settled() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    };
    // Processor time is that of a thread, so all is done on one.
    let all = std::thread::Builder::new().stack_size(STACK_BYTES);
    let all = all.spawn(move || compete(&options)).map(|it| it.join());
    if !matches!(all, Ok(Ok(()))) {
        std::process::exit(1);
    }
}

/// Measures everything that was asked for, and prints it.
fn compete(options: &Options) {
    if options.over_time {
        return over_time::measure(options);
    }
    if let Err(error) = together::begin(options.threads, HELPER_STACK_BYTES) {
        eprintln!("error: {} threads cannot be had: {error}", options.threads);
        std::process::exit(1);
    }
    // A peer that panics is named in the table; where in its source it did is of no use here.
    std::panic::set_hook(Box::new(|_| {}));
    let mut results = Vec::new();
    for scene in options.scenes() {
        if scene.in_space {
            let mut world = World3::new(scene, options.speed);
            measure(options, &mut world, space::enter, &mut results);
        } else {
            let mut world = World::new(scene, options.speed);
            measure(options, &mut world, enter, &mut results);
        }
    }
    if options.json {
        report::print_json(&results);
    } else if options.threads > 1 {
        // The bars are those of one thread.
        report::print_ratios(&results);
    } else if options.space {
        report::print_ratios(&results);
        bars::print(&results, bars::SPACE);
    } else {
        bars::print(&results, bars::PLANE);
    }
}

/// Enters everybody who does this work on this crowd of the plane.
fn enter(world: &World, work: Work) -> Vec<Entry> {
    let mut entries = Vec::new();
    ours::enter(world, work, &mut entries);
    peers::enter(world, work, &mut entries);
    entries
}

/// Measures all works on one crowd.
fn measure<W: Crowd>(
    options: &Options,
    world: &mut W,
    enter: fn(&W, Work) -> Vec<Entry<W>>,
    results: &mut Vec<Scored>,
) {
    for &work in &options.work {
        let mut entries = enter(world, work);
        entries.retain(|entry| options.takes(entry));
        if entries.is_empty() {
            continue;
        }
        let result = Scored {
            scene: world.scene(),
            work,
            rows: run::run(world, work, entries, options.care()),
        };
        if !options.json {
            report::print(&result);
        }
        results.push(result);
    }
}
