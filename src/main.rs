//! The program: decides between the window and a headless command.
//!
//! Invariant: a headless command touches no graphics library, so that it runs where there is no display.

use cli::{Command, Failure};
use std::process::ExitCode;

#[cfg(feature = "app")]
mod app;
mod cli;
mod headless;

fn main() -> ExitCode {
    let result = match cli::parse(std::env::args_os()) {
        Ok(Command::Window(options)) => return open_window(options),
        Ok(Command::Simulate(options)) => headless::simulate(&options),
        Ok(Command::Stream(options)) => headless::stream(&options),
        Ok(Command::World {
            objects,
            folder,
            seed,
        }) => headless::world(&folder, objects, seed),
        Ok(Command::Structures { json }) => headless::structures(json),
        Ok(Command::Check { scenes }) => headless::check(&scenes),
        Ok(Command::Format {
            scenes,
            check,
            drop_comments,
        }) => headless::format(&scenes, check, drop_comments),
        Err(failure) => Err(failure),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => exit(failure),
    }
}

fn exit(failure: Failure) -> ExitCode {
    match failure {
        Failure::Input(sentence) => {
            headless::complain(&sentence);
            ExitCode::from(2)
        }
        Failure::Run(sentence) => {
            headless::complain(&sentence);
            ExitCode::FAILURE
        }
        Failure::Said(code) => ExitCode::from(code),
    }
}

#[cfg(feature = "app")]
fn open_window(options: cli::WindowOptions) -> ExitCode {
    app::run(options)
}

#[cfg(not(feature = "app"))]
fn open_window(_: cli::WindowOptions) -> ExitCode {
    exit(Failure::Run(
        "this build has no window; `skirmish --help` lists the commands that need none".to_owned(),
    ))
}
