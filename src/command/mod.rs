//! The command line: one file a command, with its arguments, its checks and its run.
//!
//! Invariant: everything that can be wrong with what the user typed ends as one sentence on one line of stderr and exit
//! code 2, before any window opens and any long work begins. Data goes to stdout, messages go to stderr.

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

mod bench;
mod check;
mod choices;
mod compare;
mod completions;
mod examples;
mod failure;
mod format;
mod list;
mod man;
mod mistake;
mod output;
mod replay;
mod scenes;
mod simulate;
mod stream;
mod structures;
mod trace;
mod values;
mod window;
mod world;

pub use failure::{Failure, complain, warn};
pub use window::Options as WindowOptions;
#[cfg(feature = "app")]
pub use window::Source;

/// Makes one enum of the commands, which clap reads, and runs the one that was read. What a command does is said in its file.
macro_rules! commands {
    ($($name:ident($arguments:ty)),* $(,)?) => {
        /// A command that opens no window.
        #[derive(Debug, Subcommand)]
        // There is one command in a run; a box would only put a pointer in front of it.
        #[allow(clippy::large_enum_variant)]
        pub enum Headless {
            $($name($arguments)),*
        }

        impl Headless {
            /// Checks what it is given against the scene, and carries it out.
            pub fn run(self) -> Result<(), Failure> {
                match self {
                    $(Self::$name(arguments) => arguments.run()),*
                }
            }
        }
    };
}

// In the order of the help.
commands! {
    Simulate(simulate::Arguments),
    Compare(compare::Arguments),
    Bench(bench::Arguments),
    Replay(replay::Arguments),
    Trace(trace::Arguments),
    Stream(stream::Arguments),
    World(world::Arguments),
    Scenes(list::Arguments),
    Structures(structures::Arguments),
    Check(check::Arguments),
    Format(format::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// See, understand and choose the structures with which games answer, every frame: who is near whom?
///
/// Without a command it opens the window.
#[derive(Debug, Parser)]
#[command(name = "skirmish", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Headless>,
    #[command(flatten)]
    window: window::Arguments,
}

/// What is to be done.
#[derive(Debug)]
// There is one command in a run; a box would only put a pointer in front of it.
#[allow(clippy::large_enum_variant)]
pub enum Command {
    /// Open the window.
    Window(WindowOptions),
    /// Do something without a window.
    Headless(Headless),
}

/// Reads the command line, and the scene that a window opens with.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let (line, command) = read(&arguments);
    let line = line.map_err(|error| clap_failure(&error, &command, &arguments))?;
    Ok(match line.command {
        None => Command::Window(line.window.check()?),
        Some(command) => Command::Headless(command),
    })
}

/// What clap makes of the command line, and the command by which it did.
fn read(arguments: &[OsString]) -> (Result<CommandLine, clap::Error>, clap::Command) {
    let mut command = mistake::with_negative_numbers(definition());
    let matches = command.try_get_matches_from_mut(arguments);
    let line = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
    (line, command)
}

/// The whole command line, as its help, its completions and its man pages tell it.
fn definition() -> clap::Command {
    examples::added(CommandLine::command())
}

/// The names of all commands, in the order of the help.
fn names() -> Vec<String> {
    CommandLine::command()
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect()
}

/// Help and version go to stdout as clap lays them out; a mistake becomes one line.
fn clap_failure(error: &clap::Error, command: &clap::Command, arguments: &[OsString]) -> Failure {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nobody reads on when this fails, so there is nobody to tell.
            let _ = error.print();
            Failure::Said(if error.use_stderr() { 2 } else { 0 })
        }
        _ => Failure::Input(mistake::sentence(error, command, arguments)),
    }
}

#[cfg(test)]
mod tests {
    use super::window::Source;
    use super::*;
    use crate::fuzz::engine::{Target, drive};
    use crate::fuzz::mutate;
    use skirmish::scene::file;

    fn parsed(arguments: &[&str]) -> Result<Command, Failure> {
        parse(
            std::iter::once("skirmish")
                .chain(arguments.iter().copied())
                .map(OsString::from),
        )
    }

    fn sentence(arguments: &[&str]) -> String {
        let failure = match parsed(arguments) {
            Ok(Command::Headless(command)) => command.run().err(),
            Ok(Command::Window(options)) => panic!("{arguments:?} gave {options:?}"),
            Err(failure) => Some(failure),
        };
        match failure {
            Some(Failure::Input(sentence)) => sentence,
            other => panic!("{arguments:?} gave {other:?}"),
        }
    }

    #[test]
    fn the_definitions_hold_together() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_says_what_it_does() {
        for command in CommandLine::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
        }
    }

    #[test]
    fn nothing_opens_the_window_with_the_built_in_scene() {
        let Ok(Command::Window(options)) = parsed(&[]) else {
            panic!("no window")
        };
        assert!(matches!(options.source, Source::Scene(scene) if *scene == file::built_in()));
        assert_eq!((options.path, options.bytes), (None, None));
    }

    #[test]
    fn a_window_knows_what_was_read_of_its_file_and_opens_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, file::BUILT_IN).expect("a scene");
        let Ok(Command::Window(options)) = parsed(&[path.to_str().expect("a path")]) else {
            panic!("no window")
        };
        assert!(matches!(options.source, Source::Scene(scene) if *scene == file::built_in()));
        assert_eq!(options.bytes.as_deref(), Some(file::BUILT_IN.as_bytes()));
    }

    #[test]
    fn no_command_writes_over_the_scene_that_it_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, file::BUILT_IN).expect("a scene");
        let path = path.to_str().expect("a path");
        for arguments in [
            &["bench", path, "--out", path][..],
            &["stream", path, "--record", path],
            &[path, "--record", path],
            &[path, "--report", path],
        ] {
            let said = sentence(arguments);
            assert!(said.contains("from that file would be lost"), "{said}");
        }
        let content = std::fs::read_to_string(path).expect("the scene");
        assert_eq!(content, file::BUILT_IN);
    }

    #[test]
    fn mistakes_become_one_sentence() {
        for arguments in [
            &["--unitz", "3"][..],
            &["--units", "-3"],
            &["--units", "2000001"],
            &["--structure", "octree"],
            &["--set", "cell_size"],
            &["--set", "no_such_knob=3"],
            &["--size", "0x800"],
            &["--screenshot", "a.png"],
            &["--frames", "0"],
            &["simulate", "--ticks", "many"],
            &["simulate", "--threads", "0"],
            &["bench", "--ticks", "0"],
            &["bench", "--structures", "all,octree"],
            &["bench", "--set", "cell_size"],
            &["stream"],
            &["stream", "no/such/scene.ron"],
            &["stream", "scenes/skirmish.ron"],
            &["stream", "scenes/open-world.ron", "--path", "sail"],
            &["stream", "scenes/open-world.ron", "--path", "README.md"],
            &["stream", "scenes/open-world.ron", "--speed", "0"],
            &["stream", "scenes/open-world.ron", "--mbps", "-1"],
            &["stream", "scenes/open-world.ron", "--latency-ms", "NaN"],
            &["stream", "scenes/open-world.ron", "--seconds", "inf"],
            &["stream", "scenes/open-world.ron", "--lead", "0"],
            &["stream", "scenes/open-world.ron", "--predict", "-1"],
            &["stream", "scenes/open-world.ron", "--index", "octree"],
            &["trace", "scenes/skirmish.ron"],
            &["trace", "scenes/skirmish.ron", "--op", "look 1,2"],
            &["trace", "scenes/skirmish.ron", "--op", "remove 99999"],
            &["trace", "scenes/skirmish.ron", "--op", "decide"],
            &["trace", "scenes/open-world.ron", "--op", "decide 1"],
            &["trace", "--op", "pairs", "--index", "dual"],
            &["world", "--objects", "5"],
            &["world", "--objects", "0", "--out", "x"],
            &["world", "--objects", "2000001", "--out", "x"],
            &["check"],
            &["benchh"],
            &["no/such/scene.ron"],
        ] {
            let sentence = sentence(arguments);
            assert!(!sentence.contains('\n'), "{sentence:?}");
            assert!(!sentence.is_empty());
        }
        assert_eq!(
            sentence(&["--size", "9"]),
            "invalid value '9' for '--size <WxH>': it must be width x height in pixels from 640x400 on, such as 1280x800"
        );
    }

    #[test]
    fn a_mistake_says_what_was_meant() {
        let commands = names().join(", ");
        let no_command = |word| format!("there is no command '{word}' (there are {commands})");
        for arguments in [
            &["foo", "bar"][..],
            &["foo", "--ticks", "3"],
            &["help", "foo"],
        ] {
            assert_eq!(sentence(arguments), no_command("foo"), "{arguments:?}");
        }
        assert!(sentence(&["simulat"]).contains("no such command"));
        let two = ["--frames", "3", "scenes/charge.ron", "scenes/cross.ron"];
        assert_eq!(
            sentence(&two),
            "'scenes/cross.ron' is one too many: the window opens one scene, and that is 'scenes/charge.ron'"
        );
        for arguments in [
            &["scenes/charge.ron", "simulate"][..],
            &["--frames", "3", "simulate"],
        ] {
            let expected =
                "the command 'simulate' has to be the first word, before its scene and options";
            assert_eq!(sentence(arguments), expected, "{arguments:?}");
        }
        assert_eq!(
            sentence(&["simulate", "a", "b"]),
            "'b' is one argument too many"
        );
        let said =
            "invalid value '-1' for '--ticks <N>': it must be a whole number from 0 to 1000000";
        assert_eq!(sentence(&["simulate", "--ticks", "-1"]), said);
        let said =
            "invalid value '-3.5' for '--lead <METRES>': it must be a number from 0.001 to 1000000";
        assert_eq!(sentence(&["stream", "s.ron", "--lead", "-3.5"]), said);
        assert_eq!(
            sentence(&["--unitz", "3"]),
            "there is no option '--unitz'; there is '--units'"
        );
        assert_eq!(
            sentence(&["stream", "s.ron", "--speed", "-inf"]),
            "there is no option '-inf' here"
        );
    }

    /// A command line of any arguments, one a line, is understood or turned away in a sentence. Help and version are only
    /// printed.
    #[cfg(unix)]
    fn parse_any(bytes: &[u8]) {
        use std::os::unix::ffi::OsStringExt;
        let arguments = bytes.split(|byte| *byte == b'\n');
        let arguments = arguments.map(|argument| OsString::from_vec(argument.to_vec()));
        let arguments: Vec<_> = std::iter::once("skirmish".into())
            .chain(arguments)
            .collect();
        let (line, command) = read(&arguments);
        let line = match line {
            Ok(line) if line.command.is_some() => return,
            Ok(line) => line.window.check().map(|_| ()),
            Err(error) if !error.use_stderr() => return,
            Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                return;
            }
            Err(error) => Err(clap_failure(&error, &command, &arguments)),
        };
        match line {
            Ok(()) => {}
            // What it quotes is escaped where it is said.
            Err(Failure::Input(sentence)) => assert!(!sentence.trim().is_empty()),
            Err(failure) => panic!("{failure:?}"),
        }
    }

    #[cfg(unix)]
    #[test]
    fn command_lines_of_any_bytes() {
        drive(&Target {
            name: "arguments",
            check: parse_any,
            make: mutate::lines,
            corpus: &[("tests/fuzz/corpus/arguments", ".txt")],
            usual: 1_000,
            test: "--bin skirmish command_lines_of_any_bytes",
        });
    }
}
