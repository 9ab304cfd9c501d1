//! `skirmish man`

use super::output::print;
use super::{Failure, definition, examples, mistake};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use skirmish::files;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Print the man page of the program or of one of its commands, or write all of them into a folder
#[derive(Debug, Args)]
pub struct Arguments {
    /// Whose page; without it the program's
    command: Option<String>,
    /// Write every page into this folder, which is made where there is none, and print their names
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    to: Option<PathBuf>,
}

/// A page and the name of its file.
struct Page {
    file: String,
    text: String,
}

impl Arguments {
    /// Prints one page, or writes all.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(folder) = &self.to {
            return write_all(folder);
        }
        let program = built();
        let wanted = self.command.as_deref();
        let command = match wanted {
            None => Some(&program),
            Some(name) => program.find_subcommand(name),
        };
        match command {
            Some(command) => print(&page(command)?.text),
            None => Err(Failure::Input(mistake::no_command(
                wanted.unwrap_or_default(),
            ))),
        }
    }
}

/// The command line with the whole names of its commands, and no page for `help`, which says the same.
fn built() -> Command {
    let mut program = definition().disable_help_subcommand(true);
    program.build();
    program
}

fn write_all(folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, reason: &str| {
        Failure::Run(format!(
            "the man pages cannot be written to {}: {reason}",
            path.display()
        ))
    };
    let program = built();
    fs::create_dir_all(folder).map_err(|error| failed(folder, &files::reason(&error)))?;
    let mut names = String::new();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let Page { file, text } = page(command)?;
        let path = folder.join(file);
        files::save(&path, text.as_bytes()).map_err(|error| failed(&path, error.reason()))?;
        names += &format!("{}\n", path.display());
    }
    print(&names)
}

fn page(command: &Command) -> Result<Page, Failure> {
    let man = Man::new(command.clone())
        .source(concat!("skirmish ", env!("CARGO_PKG_VERSION")))
        .manual("Skirmish");
    let mut text = Vec::new();
    // Only a writer that fails makes a page fail, and memory does not.
    render(&man, command, &mut text).map_err(|error| Failure::Run(error.to_string()))?;
    Ok(Page {
        file: man.get_filename(),
        text: String::from_utf8_lossy(&text).into_owned(),
    })
}

fn render(man: &Man, command: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let is_program = command.get_subcommands().next().is_some();
    if is_program {
        man.render_subcommands_section(out)?;
    }
    let mut rest = Roff::default();
    rest.control("SH", ["EXAMPLES"]);
    for example in examples::of(command.get_name()) {
        rest.control("TP", []);
        rest.text([bold(example.line)]);
        rest.text([roman(example.says)]);
    }
    rest.control("SH", ["EXIT STATUS"]);
    for (code, says) in [
        ("0", "All went well."),
        ("1", "What was given is fine, and doing it failed."),
        ("2", "What was given is wrong."),
    ] {
        rest.control("TP", []);
        rest.text([bold(code)]);
        rest.text([roman(says)]);
    }
    if !is_program {
        rest.control("SH", ["SEE ALSO"]);
        rest.text([bold("skirmish"), roman("(1)")]);
    }
    rest.to_writer(out)
}
