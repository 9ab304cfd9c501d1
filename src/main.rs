//! The program: decides between the window and a headless command.
//!
//! Invariant: a headless command touches no graphics library, so that it runs where there is no display.

use command::{Command, WindowOptions};
use std::process::ExitCode;

#[cfg(feature = "app")]
mod app;
mod command;
#[cfg(test)]
#[path = "../tests/fuzz/mod.rs"]
mod fuzz;

fn main() -> ExitCode {
    let result = match command::parse(std::env::args_os()) {
        Ok(Command::Window(options)) => return open_window(options),
        Ok(Command::Headless(command)) => command.run(),
        Err(failure) => Err(failure),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.end(),
    }
}

#[cfg(feature = "app")]
fn open_window(options: WindowOptions) -> ExitCode {
    app::run(options)
}

#[cfg(not(feature = "app"))]
fn open_window(_: WindowOptions) -> ExitCode {
    let sentence = "this build has no window; `skirmish --help` lists the commands that need none";
    command::Failure::Run(sentence.to_owned()).end()
}
