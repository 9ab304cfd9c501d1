//! The copy of the source with all switches in it, and what is built from it.

use crate::Outcome;
use crate::mutant::{Mutant, State};
use crate::render::{Part, render};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tests that run against mutants, besides those of the library.
pub const TESTS: [&str; 13] = [
    "going_over",
    "violations",
    "touch",
    "trace",
    "conformance",
    "streaming",
    "work_counted",
    "hard_cases",
    "golden",
    "figures",
    "tour",
    "memory",
    "open_world",
];

/// The module that knows which mutant is switched on.
const SWITCH: &str = "//! Which mutant is switched on.
/// Whether it is this one.
#[inline]
#[must_use]
pub fn is(id: u32) -> bool {
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var(\"SKIRMISH_MUTANT\").ok().and_then(|id| id.parse().ok()).unwrap_or(0)
    });
    *CHOSEN == id
}
";

/// The test binaries by the names of their targets; the library's own is `lib`.
pub type Binaries = BTreeMap<String, PathBuf>;

/// The copy of the source.
pub fn tree(work: &Path) -> PathBuf {
    work.join("tree")
}

fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes what is not already there, so that what has not changed is not built anew.
fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    if std::fs::read(path).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Copies the source, writes the mutants into it, and takes out again what the compiler refuses.
pub fn prepare(source: &Path, work: &Path, mutants: &mut [Mutant]) -> Outcome<()> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(source)
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let tree = tree(work);
    for name in String::from_utf8_lossy(&listed.stdout).split('\0') {
        let is_mutated = mutants.iter().any(|mutant| mutant.file == name);
        if name.is_empty()
            || is_mutated
            || ["src/lib.rs", "Cargo.toml"].contains(&name)
            || !source.join(name).is_file()
        {
            continue;
        }
        let bytes = std::fs::read(source.join(name)).map_err(|error| format!("{name}: {error}"))?;
        write(&tree.join(name), &bytes)?;
    }
    // The tests that run are the library's; building the program with each mutant would take half of the time.
    let manifest = read(&source.join("Cargo.toml"))?
        .replace("default-run =", "# default-run =")
        .replace("[[bin]]", "[package.metadata.bin]")
        .replace("[lib]", "[lib]\npath = \"src/lib.rs\"")
        .replace("[package]", "[package]\nautobins = false");
    write(&tree.join("Cargo.toml"), manifest.as_bytes())?;
    let library = read(&source.join("src/lib.rs"))? + "\npub mod mutation_switch;\n";
    write(&tree.join("src/lib.rs"), library.as_bytes())?;
    write(&tree.join("src/mutation_switch.rs"), SWITCH.as_bytes())?;
    recall(work, mutants);
    loop {
        let parts = write_mutants(source, &tree, mutants)?;
        let errors = errors_of(&tree, work)?;
        if errors.is_empty() {
            break;
        }
        let mut taken = 0;
        for error in &errors {
            taken += take_out(error, &parts, mutants)?;
        }
        println!("{} errors: {taken} mutants taken out", errors.len());
        if taken == 0 {
            return Err(format!("the copy does not compile: {}", errors[0].text));
        }
    }
    let count = |state| {
        mutants
            .iter()
            .filter(|mutant| mutant.state == state)
            .count()
    };
    remember(work, mutants)?;
    println!(
        "{} with a switch, {} that do not compile, {} to be built alone",
        count(State::Switched),
        count(State::Unviable),
        count(State::Alone)
    );
    Ok(())
}

/// Where it is kept which mutants have no switch, so that the next run need not find out again.
fn known(work: &Path) -> PathBuf {
    work.join("without-a-switch.tsv")
}

/// Takes those mutants out that are known to have no switch. It is only about time: each is still built, alone.
fn recall(work: &Path, mutants: &mut [Mutant]) {
    let text = std::fs::read_to_string(known(work)).unwrap_or_default();
    for mutant in mutants {
        for line in text.lines() {
            if line
                .split_once('\t')
                .is_some_and(|(_, name)| name == mutant.name)
            {
                mutant.state = match line.starts_with("Unviable") {
                    true => State::Unviable,
                    false => State::Alone,
                };
            }
        }
    }
}

fn remember(work: &Path, mutants: &[Mutant]) -> Outcome<()> {
    let mut text = String::new();
    for mutant in mutants
        .iter()
        .filter(|mutant| mutant.state != State::Switched)
    {
        text += &format!("{:?}\t{}\n", mutant.state, mutant.name);
    }
    print!("{text}");
    write(&known(work), text.as_bytes())
}

fn write_mutants(
    source: &Path,
    tree: &Path,
    mutants: &mut [Mutant],
) -> Outcome<BTreeMap<String, Vec<Part>>> {
    let mut files: BTreeMap<String, Vec<&mut Mutant>> = BTreeMap::new();
    for mutant in mutants {
        files.entry(mutant.file.clone()).or_default().push(mutant);
    }
    let mut parts = BTreeMap::new();
    for (name, mut inside) in files {
        let text = read(&source.join(&name))?;
        let (text, found) =
            render(&text, &mut inside).map_err(|error| format!("{name}: {error}"))?;
        write(&tree.join(&name), text.as_bytes())?;
        parts.insert(name, found);
    }
    Ok(parts)
}

/// An error of the compiler: its code, its words, and the places it names, the chief ones first.
struct CompileError {
    code: String,
    text: String,
    places: Vec<(String, usize, usize)>,
}

fn cargo(tree: &Path, work: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .args(["--profile", "mutants", "--no-default-features"])
        .arg("--message-format=json")
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", work.join("../.."))
        .stderr(Stdio::null());
    command
}

fn messages(mut command: Command) -> Outcome<(bool, Vec<Value>)> {
    let output = command
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let values = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok((output.status.success(), values.collect()))
}

/// What the compiler says against the library.
fn errors_of(tree: &Path, work: &Path) -> Outcome<Vec<CompileError>> {
    let (is_well, messages) = messages(cargo(tree, work, &["build", "--lib"]))?;
    let mut errors = Vec::new();
    for value in &messages {
        let message = &value["message"];
        if value["reason"] != "compiler-message" || message["level"] != "error" {
            continue;
        }
        let mut places = Vec::new();
        for is_chief in [true, false] {
            for span in message["spans"].as_array().into_iter().flatten() {
                if span["is_primary"] == is_chief {
                    let byte = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
                    let file = span["file_name"].as_str().unwrap_or_default().to_owned();
                    places.push((file, byte("byte_start"), byte("byte_end")));
                }
            }
        }
        errors.push(CompileError {
            code: message["code"]["code"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            text: message["rendered"].as_str().unwrap_or_default().to_owned(),
            places,
        });
    }
    errors.retain(|error| !error.places.is_empty());
    match is_well || !errors.is_empty() {
        true => Ok(errors),
        false => Err("cargo build fails, and does not say where".to_owned()),
    }
}

/// Takes out the mutants that an error is about, and says how many.
fn take_out(
    error: &CompileError,
    parts: &BTreeMap<String, Vec<Part>>,
    mutants: &mut [Mutant],
) -> Outcome<usize> {
    for exact in [true, false] {
        for (file, start, end) in &error.places {
            let around = parts.get(file).into_iter().flatten();
            let around = around.filter(|part| part.exact == exact);
            let around = around.filter(|part| part.bytes.start <= *start && *end <= part.bytes.end);
            let Some(part) = around.min_by_key(|part| part.bytes.len()) else {
                continue;
            };
            // A switch cannot be asked for in a constant; whether the mutant compiles is another question.
            let is_of_switch = !exact || ["E0015", "E0658", "E0308"].contains(&error.code.as_str());
            let state = if is_of_switch {
                State::Alone
            } else {
                State::Unviable
            };
            let mut taken = 0;
            for mutant in mutants.iter_mut() {
                if part.ids.contains(&mutant.id) && mutant.state == State::Switched {
                    mutant.state = state;
                    taken += 1;
                }
            }
            return Ok(taken);
        }
    }
    // Against what is returned behind a mutant that returns something else first: where the function says only what its value
    // can do, the first one that is returned says of which type it is.
    for (file, start, _) in error.places.iter().filter(|_| error.code == "E0308") {
        let before = parts.get(file).into_iter().flatten();
        let before = before.filter(|part| part.exact && part.bytes.end <= *start);
        let Some(part) = before.max_by_key(|part| part.bytes.end) else {
            continue;
        };
        let mutant = mutants.iter_mut().find(|mutant| {
            part.ids.contains(&mutant.id)
                && mutant.genre == "FnValue"
                && mutant.state == State::Switched
        });
        if let Some(mutant) = mutant {
            mutant.state = State::Alone;
            return Ok(1);
        }
    }
    // Against the head of a function: the first body behind it is what does not fit. Against the head of a match that no longer
    // says something of every case (E0004): the first arm behind it that may be gone.
    let genre = match error.code.as_str() {
        "E0004" => "MatchArm",
        _ => "FnValue",
    };
    for (file, _, end) in &error.places {
        let behind = parts.get(file).into_iter().flatten();
        let behind =
            behind.filter(|part| part.bytes.start >= *end && (part.exact || genre == "MatchArm"));
        let mut behind: Vec<&Part> = behind.collect();
        behind.sort_by_key(|part| part.bytes.start);
        // A body right behind the head, or none; an arm may come after others' mutants.
        behind.truncate(if genre == "FnValue" { 1 } else { usize::MAX });
        let is_it = |mutant: &Mutant, part: &Part| {
            part.ids.contains(&mutant.id)
                && mutant.genre == genre
                && mutant.state == State::Switched
        };
        for part in behind {
            if let Some(mutant) = mutants.iter_mut().find(|mutant| is_it(mutant, part)) {
                mutant.state = State::Alone;
                return Ok(1);
            }
        }
    }
    Ok(0)
}

/// Builds all the tests.
pub fn build(work: &Path) -> Outcome<Binaries> {
    let mut arguments = vec!["test", "--no-run", "--lib"];
    for test in TESTS {
        arguments.extend(["--test", test]);
    }
    let (is_well, messages) = messages(cargo(&tree(work), work, &arguments))?;
    let mut binaries = Binaries::new();
    for value in &messages {
        if let Some(path) = value["executable"].as_str() {
            let kind = value["target"]["kind"][0].as_str().unwrap_or_default();
            let name = match kind {
                "lib" => "lib",
                _ => value["target"]["name"].as_str().unwrap_or_default(),
            };
            binaries.insert(name.to_owned(), PathBuf::from(path));
        }
    }
    match is_well {
        true => Ok(binaries),
        false => Err("the tests do not build".to_owned()),
    }
}

/// Writes one mutant into the copy as it is, without a switch, and builds; `None` where the compiler refuses it.
pub fn build_alone(source: &Path, work: &Path, mutant: &Mutant) -> Outcome<Option<Binaries>> {
    let tree = tree(work);
    let text = read(&source.join(&mutant.file))?;
    let start = crate::render::byte_of(&text, mutant.span.0);
    let end = crate::render::byte_of(&text, mutant.span.1);
    let text = format!("{}{}{}", &text[..start], mutant.replacement, &text[end..]);
    write(&tree.join(&mutant.file), text.as_bytes())?;
    match errors_of(&tree, work)?.is_empty() {
        true => build(work).map(Some),
        false => Ok(None),
    }
}

/// Writes a file as it is in the source, without any mutant.
pub fn restore(source: &Path, work: &Path, file: &str) -> Outcome<()> {
    write(&tree(work).join(file), read(&source.join(file))?.as_bytes())
}
