//! Many mutants in one build, each behind a switch.
//!
//! Building is what mutation testing takes so long for: one mutant, one build. Here all mutants of a shard are written into one
//! copy of the source, each as `if switch::is(17) { mutated } else { original }`, built once, and then switched on one at a time
//! by `SKIRMISH_MUTANT`. What is mutated, and how, is cargo-mutants' own list. A mutant that cannot be written so (in a
//! constant, say) is counted apart, and is never taken as caught.

mod build;
mod mutant;
mod render;
mod run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Ends with a sentence instead of a panic.
pub type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match work(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("mutants: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// `switches LIST.json SOURCE WORK [NAME]`: runs the mutants of the list, or those alone whose name contains `NAME`
/// (`@missed`: those that the last run missed), and then
/// with all tests, the far ones too.
fn work(arguments: &[String]) -> Outcome<bool> {
    let [list, source, work, rest @ ..] = arguments else {
        return Err("expected LIST.json SOURCE WORK [NAME]".to_owned());
    };
    let (source, work) = (Path::new(source), PathBuf::from(work));
    let mut mutants = mutant::read(Path::new(list))?;
    println!("{} mutants listed", mutants.len());
    build::prepare(source, &work, &mut mutants)?;
    let tests = build::build(&work)?;
    if let [name, ..] = rest {
        let missed = run::missed(&work);
        mutants.retain(|mutant| match name.as_str() {
            "@missed" => missed.contains(&mutant.name),
            name => mutant.name.contains(name),
        });
    }
    let with_far = !rest.is_empty();
    run::run(source, &work, &tests, &mutants, with_far)
}
