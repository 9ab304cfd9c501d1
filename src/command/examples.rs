//! What stands under a command's help as examples, and in its man page. Each runs as it stands: tests/help.rs runs them all.

use clap::Command;
use std::fmt::Write;

/// A line for a shell.
pub struct Example {
    /// What is typed.
    pub line: &'static str,
    /// What comes of it.
    pub says: &'static str,
}

/// By the name of the command; the window has the program's own.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "skirmish",
        &[
            ("skirmish", "Open the window with two armies of a thousand"),
            (
                "skirmish swarm",
                "Open a scene that is built in (`skirmish scenes` lists them)",
            ),
            (
                "skirmish charge --structure bvh --units 50000",
                "Open a scene with another structure and more units",
            ),
            (
                "skirmish open-world --size 1280x800 --frames 60 --screenshot world.png",
                "Open a scene for 60 frames and save a picture of the last one",
            ),
            (
                "skirmish compare clusters --units 1000 --ticks 60",
                "Which structure is cheapest for a scene, without a window",
            ),
        ],
    ),
    (
        "simulate",
        &[
            (
                "skirmish simulate charge --ticks 60",
                "One second of a scene: what was tested, how long it took, and the final state's hash",
            ),
            (
                "skirmish simulate clusters --units 1000 --structure kd-tree --set leaf_size=8 --json",
                "The same battle over another structure, for a program to read",
            ),
        ],
    ),
    (
        "compare",
        &[
            (
                "skirmish compare clusters --units 1000 --ticks 60",
                "Every structure over one battle",
            ),
            (
                "skirmish compare clusters --structures linked-grid:cell_size=4,quadtree:capacity=8 --ticks 60",
                "Two structures with knobs of your own",
            ),
        ],
    ),
    (
        "bench",
        &[
            (
                "skirmish bench charge --units 2000 --structures linked-grid,sorted-grid --set cell_size=auto,2,4,8",
                "Which cell size for this scene?",
            ),
            (
                "skirmish bench swarm --units 1000 --ticks 60 --csv > swarm.csv",
                "Every structure in space, as a table for a spreadsheet",
            ),
        ],
    ),
    (
        "replay",
        &[
            (
                "skirmish replay recorded.ron",
                "Play a recording again, and say whether it comes out the same",
            ),
            (
                "skirmish replay recorded.ron --until 60 --json",
                "Its first second alone, for a program to read",
            ),
        ],
    ),
    (
        "trace",
        &[
            (
                "skirmish trace corner --structure quadtree --tick 60 --op 'radius 40,40,10'",
                "Why a quadtree looks where it looks",
            ),
            (
                "skirmish trace swarm --structure octree --op 'nearest 0,0,0,3'",
                "The same in space",
            ),
            (
                "skirmish trace open-world --tick 60 --op decide",
                "Why a world loads what it loads",
            ),
        ],
    ),
    (
        "stream",
        &[
            (
                "skirmish stream open-world --path ride --speed 30",
                "What comes late when the character rides",
            ),
            (
                "skirmish stream open-world --mbps 5 --lead 20 --seconds 20 --json",
                "The same on a quicker disk with a shorter lead, for a program to read",
            ),
        ],
    ),
    (
        "world",
        &[(
            "skirmish world --objects 300 --out my-world",
            "A folder with a scene of 300 objects and their pictures",
        )],
    ),
    (
        "scenes",
        &[
            ("skirmish scenes", "What is built in"),
            ("skirmish scenes --json", "The same for a program to read"),
        ],
    ),
    (
        "structures",
        &[
            ("skirmish structures", "Every structure and its knobs"),
            (
                "skirmish structures --json",
                "The same for a program to read",
            ),
        ],
    ),
    (
        "check",
        &[(
            "skirmish check my-scene.ron",
            "Say what is wrong with a scene, and where",
        )],
    ),
    (
        "format",
        &[
            (
                "skirmish format my-scene.ron",
                "Write a scene as the window would save it",
            ),
            (
                "skirmish format --check my-scene.ron",
                "Only say whether it is written so",
            ),
        ],
    ),
    (
        "completions",
        &[
            (
                "skirmish completions bash > ~/.local/share/bash-completion/completions/skirmish",
                "For bash, from the next shell on",
            ),
            (
                "skirmish completions fish > ~/.config/fish/completions/skirmish.fish",
                "For fish",
            ),
            (
                "skirmish completions zsh > _skirmish",
                "For zsh; put the file into a folder of $fpath",
            ),
        ],
    ),
    (
        "man",
        &[
            (
                "skirmish man trace > skirmish-trace.1",
                "One page; `man -l skirmish-trace.1` shows it",
            ),
            (
                "skirmish man --to ~/.local/share/man/man1",
                "All pages to where `man skirmish` finds them",
            ),
        ],
    ),
];

/// The examples of a command.
pub fn of(command: &str) -> impl Iterator<Item = Example> {
    let found = EXAMPLES.iter().find(|(name, _)| *name == command);
    let rows = found.map_or(&[][..], |(_, rows)| rows);
    rows.iter().map(|&(line, says)| Example { line, says })
}

/// Puts examples under the help of a command and of those below it.
pub fn added(command: Command) -> Command {
    let below: Vec<String> = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    let text = text_of(command.get_name());
    let command = below
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, added));
    command.after_help(text)
}

/// As it stands under the help.
fn text_of(command: &str) -> String {
    let mut text = String::from("Examples:");
    for Example { line, says } in of(command) {
        let _ = write!(text, "\n  {line}\n      {says}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_no_other_word_has() {
        let mut commands = super::super::names();
        commands.push("skirmish".to_owned());
        for command in &commands {
            assert!(of(command).next().is_some(), "{command} has no example");
        }
        for (name, _) in EXAMPLES {
            assert!(commands.iter().any(|command| command == name), "{name}");
        }
    }
}
