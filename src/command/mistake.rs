//! What is wrong with a command line, in a sentence that says what was meant.
//!
//! Most mistakes are said as clap says them. Some of its hints help nobody here: that '--ticks -1' be written '-- -1', which
//! would be a scene of that name, or that the second of two words be no subcommand, where the first one is the slip.

use super::names;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use skirmish::built_in;
use std::ffi::OsString;
use std::path::Path;

/// Lets every option take a number below zero as its value: what is wrong with that says whoever reads the value.
pub fn with_negative_numbers(command: Command) -> Command {
    let subcommands: Vec<String> = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    let command = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    });
    subcommands.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, with_negative_numbers)
    })
}

/// The sentence for a mistake in these arguments, of which the first is the program's name.
pub fn sentence(error: &Error, command: &Command, arguments: &[OsString]) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let first = first_word(command, arguments);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            if let Some(word) = context(ContextKind::InvalidSubcommand) {
                return no_command(word);
            }
        }
        ErrorKind::ArgumentConflict => {
            if let (Some(second), Some(first)) = (context(ContextKind::InvalidSubcommand), first) {
                return too_many_words(&first, second);
            }
        }
        ErrorKind::UnknownArgument => {
            // Options that only a command has, behind a word that is meant as one.
            if let Some(word) = first.filter(|word| is_mistyped(word)) {
                return no_command(&word);
            }
            if let Some(found) = context(ContextKind::InvalidArg) {
                return unknown(found, arguments, context(ContextKind::SuggestedArg));
            }
        }
        _ => {}
    }
    in_one_line(&error.render().to_string())
}

/// That there is no such command, and which there are.
pub fn no_command(word: &str) -> String {
    format!("there is no command '{word}' {}", there_are())
}

/// Which commands there are.
pub fn there_are() -> String {
    format!("(there are {})", names().join(", "))
}

/// That a command stands where it is none: behind something.
pub fn not_first(command: &str) -> String {
    format!("the command '{command}' has to be the first word, before its scene and options")
}

/// Whether a word is meant as a command and is none: no file has this name, and no path looks like it.
fn is_mistyped(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphabetic())
        && !names().iter().any(|name| name == word)
        && !Path::new(word).exists()
        && !built_in::contains(&built_in::find_scene(Path::new(word)))
}

fn too_many_words(first: &str, second: &str) -> String {
    if names().iter().any(|name| name == second) {
        not_first(second)
    } else if is_mistyped(first) {
        no_command(first)
    } else {
        format!("'{second}' is one too many: the window opens one scene, and that is '{first}'")
    }
}

fn unknown(found: &str, arguments: &[OsString], similar: Option<&str>) -> String {
    if !found.starts_with('-') {
        return format!("'{found}' is one argument too many");
    }
    // Of several letters behind one dash clap names the first.
    let whole = arguments
        .iter()
        .filter_map(|argument| argument.to_str())
        .find(|argument| *argument == found)
        .or_else(|| {
            arguments
                .iter()
                .filter_map(|argument| argument.to_str())
                .find(|argument| !found.starts_with("--") && argument.starts_with(found))
        })
        .unwrap_or(found);
    match similar {
        Some(similar) => format!("there is no option '{whole}'; there is '{similar}'"),
        None => format!("there is no option '{whole}' here"),
    }
}

/// The first argument that is neither an option nor its value.
fn first_word(command: &Command, arguments: &[OsString]) -> Option<String> {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        let Some(name) = text.strip_prefix("--") else {
            return Some(text.into_owned());
        };
        let takes_value = command
            .get_arguments()
            .any(|arg| arg.get_long() == Some(name) && arg.get_action().takes_values());
        if takes_value {
            rest.next();
        }
    }
    None
}

/// What clap says, without how to call for help, which is the same for every mistake.
fn in_one_line(text: &str) -> String {
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .iter()
        .filter_map(|tail| text.find(tail))
        .min()
        .unwrap_or(text.len());
    let said = text[..end].strip_prefix("error: ").unwrap_or(&text[..end]);
    let parts: Vec<String> = said
        .split("\n\n")
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("; ")
}
