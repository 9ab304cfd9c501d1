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
mod peers;
mod random;
mod reference;
mod report;
mod run;
mod tally;
mod work;
mod world;

use clap::Parser;
use options::Options;
use world::World;

fn main() {
    let options = Options::parse().settled();
    // A peer that panics is named in the table; where in its source it did is of no use here.
    std::panic::set_hook(Box::new(|_| {}));
    let mut results = Vec::new();
    for scene in options.scenes() {
        let mut world = World::new(scene, options.speed);
        for &work in &options.work {
            let mut entries = Vec::new();
            ours::enter(&world, work, &mut entries);
            peers::enter(&world, work, &mut entries);
            entries.retain(|entry| options.takes(entry));
            if entries.is_empty() {
                continue;
            }
            let rows = run::run(&mut world, work, entries, options.care());
            let result = report::Scored { scene, work, rows };
            if !options.json {
                report::print(&result);
            }
            results.push(result);
        }
    }
    if options.json {
        report::print_json(&results);
    } else {
        bars::print(&results);
    }
}
