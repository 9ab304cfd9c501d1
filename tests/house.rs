//! The house keeps its order: who imports whom, read from the source itself.
//!
//! Files are modules, and modules form a tree. What counts as an import is every path that begins with `crate`, `super`,
//! `self` or the library's name, in a `use` or anywhere else in the code; comments, strings and what is compiled for tests
//! alone are left out. A path is followed through re-exports to the file in which its item is written.
//!
//! A parent and what is below it are one unit in several files: that a child uses a type of its parent's, which declares
//! the child and calls it, is no circle. Siblings are: below every module, and at the top of the tree, the files and
//! folders beside each other must be in an order in which nobody imports what comes later. Two files that import each
//! other are never in such an order, and neither are two folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Imports that go against the order and are known: who, whom, and why they are still there.
const ALLOWED: &[(&str, &str, &str)] = &[];

/// The crates that draw, by what their names begin with.
const GRAPHICS: [&str; 3] = ["macroquad", "miniquad", "egui"];

/// The place of a module in its tree, without the root.
type Place = Vec<String>;

/// One file under `src/`.
struct File {
    /// Below the folder of the package, with slashes.
    name: String,
    /// Whether it belongs to the program or to the library.
    in_program: bool,
    place: Place,
    tokens: Vec<String>,
    /// What its `use`s make known under a name of its own.
    uses: BTreeMap<String, Vec<String>>,
    /// Every path that it names, and the place of the module within the file that names it.
    paths: Vec<(Place, Vec<String>)>,
    /// The child modules that are compiled for tests alone.
    test_children: Vec<String>,
}

/// All files that are compiled into the library and the program.
struct House {
    files: Vec<File>,
    by_place: BTreeMap<(bool, Place), usize>,
}

/// The code without comments, and without what is in quotes.
fn without_comments(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let mut code = String::new();
    let mut place = 0;
    while place < chars.len() {
        match chars[place] {
            '/' if at(place + 1) == '/' => {
                while place < chars.len() && chars[place] != '\n' {
                    place += 1;
                }
            }
            '/' if at(place + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(place), at(place + 1)) {
                        ('/', '*') => (depth, place) = (depth + 1, place + 2),
                        ('*', '/') => (depth, place) = (depth - 1, place + 2),
                        _ => place += 1,
                    }
                    if depth == 0 || place >= chars.len() {
                        break;
                    }
                }
            }
            '"' => {
                // As many hashes as stand before it after an `r` have to stand behind its end.
                let before: String = code.chars().rev().take_while(|c| *c == '#').collect();
                let is_raw = code[..code.len() - before.len()].ends_with('r');
                place += 1;
                while place < chars.len() {
                    if chars[place] == '\\' && !is_raw {
                        place += 2;
                        continue;
                    }
                    let hashes = (1..=before.len()).all(|more| at(place + more) == '#');
                    place += 1;
                    if chars[place - 1] == '"' && (!is_raw || hashes) {
                        break;
                    }
                }
                code.push(' ');
            }
            // A character, and not a lifetime.
            '\'' if at(place + 1) == '\\' => {
                place += 3;
                while place < chars.len() && chars[place] != '\'' {
                    place += 1;
                }
                place += 1;
            }
            '\'' if at(place + 2) == '\'' => place += 3,
            c => {
                code.push(c);
                place += 1;
            }
        }
    }
    code
}

/// Words, `::`, and every other character on its own.
fn tokens_of(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if c == ':' && chars.peek() == Some(&':') {
            chars.next();
            tokens.push("::".to_owned());
        } else if !c.is_whitespace() {
            tokens.push(c.to_string());
        }
    }
    tokens.extend((!word.is_empty()).then_some(word));
    tokens
}

fn starts_with(tokens: &[String], pattern: &[&str]) -> bool {
    tokens.len() >= pattern.len() && tokens.iter().zip(pattern).all(|(a, b)| a == b)
}

/// Where the item that begins at `start` ends: behind its `;`, or behind the brace that closes its body.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && (token == ";" || token == "}") {
            return place + 1;
        }
    }
    tokens.len()
}

/// The code without the items that are compiled for tests alone, and the modules in files of their own among those.
fn without_tests(tokens: Vec<String>) -> (Vec<String>, Vec<String>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut children) = (Vec::new(), Vec::new());
    let mut place = 0;
    while place < tokens.len() {
        if starts_with(&tokens[place..], &MARK) {
            let start = place + MARK.len();
            place = end_of_item(&tokens, start);
            let item = &tokens[start..place];
            if let Some(found) = item.iter().position(|token| token == "mod")
                && item.get(found + 2).is_some_and(|token| token == ";")
            {
                children.push(item[found + 1].clone());
            }
        } else {
            kept.push(tokens[place].clone());
            place += 1;
        }
    }
    (kept, children)
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads a `use` from behind the word on; gives where it ends, each path in it, and the name that it makes known.
fn use_tree(
    tokens: &[String],
    mut place: usize,
    before: &[String],
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let mut path = before.to_vec();
    let mut name = None;
    while place < tokens.len() {
        match tokens[place].as_str() {
            "{" => {
                place += 1;
                while place < tokens.len() && tokens[place] != "}" {
                    place = use_tree(tokens, place, &path, found);
                    if tokens.get(place).is_some_and(|token| token == ",") {
                        place += 1;
                    }
                }
                return place + 1;
            }
            "," | "}" | ";" => break,
            "as" => {
                name = tokens.get(place + 1).cloned();
                place += 1;
            }
            "self" if !path.is_empty() => {}
            word if is_word(word) => path.push(word.to_owned()),
            // `*` adds nothing to the module that it takes everything of.
            _ => {}
        }
        place += 1;
    }
    let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
    found.push((path, name));
    place
}

impl File {
    fn read(folder: &Path, path: &Path, program: &[String]) -> Self {
        let below = path.strip_prefix(folder).expect("a file in the folder");
        let parts: Vec<String> = below
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let mut place = parts[1..].to_vec();
        if place.last().is_some_and(|last| last == "mod") || place == ["lib"] || place == ["main"] {
            place.pop();
        }
        let text = std::fs::read_to_string(path).expect("a source file");
        let (tokens, test_children) = without_tests(tokens_of(&without_comments(&text)));
        let mut file = Self {
            name: std::iter::once("src")
                .chain(parts[1..].iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join("/")
                + ".rs",
            in_program: program.contains(&parts[1]),
            place,
            tokens,
            uses: BTreeMap::new(),
            paths: Vec::new(),
            test_children,
        };
        file.find_paths();
        file
    }

    fn find_paths(&mut self) {
        let tokens = &self.tokens;
        let mut here = self.place.clone();
        // The depth of braces at which each module within the file ends.
        let (mut depth, mut ends) = (0, Vec::new());
        let mut place = 0;
        while place < tokens.len() {
            let follows = |pattern: &[&str]| starts_with(&tokens[place + 1..], pattern);
            match tokens[place].as_str() {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if ends.last() == Some(&depth) {
                        ends.pop();
                        here.pop();
                    }
                }
                "mod" if tokens.get(place + 2).is_some_and(|token| token == "{") => {
                    here.push(tokens[place + 1].clone());
                    ends.push(depth);
                }
                "use" if !follows(&["<"]) => {
                    let mut found = Vec::new();
                    place = use_tree(tokens, place + 1, &[], &mut found);
                    for (path, name) in found {
                        if here == self.place {
                            self.uses.insert(name, path.clone());
                        }
                        self.paths.push((here.clone(), path));
                    }
                    continue;
                }
                "crate" | "super" | "self" | "skirmish" if follows(&["::"]) => {
                    let mut path = vec![tokens[place].clone()];
                    while starts_with(&tokens[place + 1..], &["::"])
                        && tokens.get(place + 2).is_some_and(|token| is_word(token))
                    {
                        path.push(tokens[place + 2].clone());
                        place += 2;
                    }
                    self.paths.push((here.clone(), path));
                }
                _ => {}
            }
            place += 1;
        }
    }
}

impl House {
    fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![folder.join("src")];
        let mut paths: Vec<PathBuf> = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a readable folder") {
                let path = entry.expect("a readable folder").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        // What the program is made of is declared in main; everything else is the library's.
        let main = std::fs::read_to_string(folder.join("src/main.rs")).expect("a program");
        let main = tokens_of(&without_comments(&main));
        let declared = main
            .windows(3)
            .filter(|three| three[0] == "mod" && three[2] == ";");
        let mut program: Vec<String> = declared.map(|three| three[1].clone()).collect();
        program.push("main".to_owned());
        let mut files: Vec<File> = paths
            .iter()
            .map(|path| File::read(folder, path, &program))
            .collect();
        // Modules for tests alone go, with all that is below them.
        let tests: Vec<(bool, Place)> = files
            .iter()
            .flat_map(|file| {
                file.test_children.iter().map(|child| {
                    let mut place = file.place.clone();
                    place.push(child.clone());
                    (file.in_program, place)
                })
            })
            .collect();
        files.retain(|file| {
            !tests.iter().any(|(in_program, place)| {
                *in_program == file.in_program && file.place.starts_with(place)
            })
        });
        let by_place = files
            .iter()
            .enumerate()
            .map(|(index, file)| ((file.in_program, file.place.clone()), index))
            .collect();
        Self { files, by_place }
    }

    fn file_at(&self, in_program: bool, place: &[String]) -> Option<usize> {
        self.by_place.get(&(in_program, place.to_vec())).copied()
    }

    /// The file in which the item is written that `path` names in the module `here`; `None` for what is not of this house.
    fn resolve(
        &self,
        in_program: bool,
        here: &[String],
        path: &[String],
        steps: u32,
    ) -> Option<usize> {
        // A re-export of a re-export is fine; one of itself would never end.
        if steps > 16 {
            return None;
        }
        let (mut tree, mut place) = (in_program, here.to_vec());
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => place.clear(),
            "skirmish" if in_program => (tree, place) = (false, Vec::new()),
            "self" => {}
            "super" => {
                place.pop();
            }
            first => {
                let mut child = place.clone();
                child.push(first.to_owned());
                if self.file_at(tree, &child).is_none() {
                    let file = &self.files[self.file_at(tree, &place)?];
                    let target = file.uses.get(first).filter(|target| target[0] != first)?;
                    let known: Vec<_> = target.iter().chain(&path[1..]).cloned().collect();
                    return self.resolve(tree, here, &known, steps + 1);
                }
                place = child;
            }
        }
        rest = &rest[1..];
        while let Some(word) = rest.first() {
            let mut child = place.clone();
            child.push(word.clone());
            if word == "super" {
                place.pop();
            } else if self.file_at(tree, &child).is_some() {
                place = child;
            } else {
                let known = self
                    .file_at(tree, &place)
                    .map(|file| &self.files[file].uses);
                if let Some(target) = known.and_then(|uses| uses.get(word)) {
                    let known: Vec<_> = target.iter().chain(&rest[1..]).cloned().collect();
                    if let Some(found) = self.resolve(tree, &place, &known, steps + 1) {
                        return Some(found);
                    }
                }
                break;
            }
            rest = &rest[1..];
        }
        // A module within a file is the file's.
        while self.file_at(tree, &place).is_none() && !place.is_empty() {
            place.pop();
        }
        self.file_at(tree, &place)
    }

    /// Who imports whom, each once, as indices of files.
    fn imports(&self) -> BTreeSet<(usize, usize)> {
        let mut imports = BTreeSet::new();
        for (index, file) in self.files.iter().enumerate() {
            for (here, path) in &file.paths {
                if let Some(found) = self.resolve(file.in_program, here, path, 0)
                    && found != index
                {
                    imports.insert((index, found));
                }
            }
        }
        imports
    }

    fn names(&self, (from, to): (usize, usize)) -> (&str, &str) {
        (&self.files[from].name, &self.files[to].name)
    }
}

/// Imports between two modules that are children of one: the parent's place, the two children, and the files.
type Between = BTreeMap<(bool, Place), BTreeMap<(String, String), (usize, usize)>>;

fn between_siblings(house: &House, imports: &BTreeSet<(usize, usize)>) -> Between {
    let mut between = Between::new();
    for &(from, to) in imports {
        let (a, b) = (&house.files[from], &house.files[to]);
        let common = a.place.iter().zip(&b.place).take_while(|(a, b)| a == b);
        let common = common.count();
        // One of them is above the other, or they are of two crates: no siblings.
        if a.in_program != b.in_program || a.place.len() == common || b.place.len() == common {
            continue;
        }
        between
            .entry((a.in_program, a.place[..common].to_vec()))
            .or_default()
            .entry((a.place[common].clone(), b.place[common].clone()))
            .or_insert((from, to));
    }
    between
}

/// The shortest way along `edges` from `start` back to itself.
fn circle_from(
    start: &str,
    edges: &BTreeMap<(String, String), (usize, usize)>,
) -> Option<Vec<(usize, usize)>> {
    let mut ways: Vec<(&str, Vec<(usize, usize)>)> = vec![(start, Vec::new())];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while next < ways.len() {
        let (at, way) = ways[next].clone();
        next += 1;
        for ((from, to), files) in edges {
            if from != at || (to != start && !seen.insert(to.as_str())) {
                continue;
            }
            let mut way = way.clone();
            way.push(*files);
            if to == start {
                return Some(way);
            }
            ways.push((to, way));
        }
    }
    None
}

#[test]
fn nobody_imports_in_a_circle() {
    let house = House::read();
    let imports = house.imports();
    let is_allowed = |import: &(usize, usize)| {
        let (from, to) = house.names(*import);
        ALLOWED
            .iter()
            .any(|(who, whom, _)| (*who, *whom) == (from, to))
    };
    let mut faults = BTreeSet::new();
    for (who, whom, _) in ALLOWED {
        if !imports
            .iter()
            .any(|import| house.names(*import) == (*who, *whom))
        {
            faults.insert(format!(
                "{who} does not import {whom} any more: take it off the list of what is allowed"
            ));
        }
    }
    let rest = imports
        .iter()
        .copied()
        .filter(|import| !is_allowed(import))
        .collect();
    for edges in between_siblings(&house, &rest).values() {
        let children: BTreeSet<&str> = edges.keys().map(|(from, _)| from.as_str()).collect();
        let mut told: BTreeSet<BTreeSet<(usize, usize)>> = BTreeSet::new();
        for child in children {
            let Some(circle) = circle_from(child, edges) else {
                continue;
            };
            if told.insert(circle.iter().copied().collect()) {
                let steps: Vec<String> = circle
                    .iter()
                    .map(|step| {
                        let (from, to) = house.names(*step);
                        format!("{from} imports {to}")
                    })
                    .collect();
                faults.insert(format!("a circle: {}", steps.join(", ")));
            }
        }
    }
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nobody_but_the_window_knows_graphics() {
    for file in House::read().files {
        if file.name.starts_with("src/app/") || file.name == "src/main.rs" {
            continue;
        }
        for token in &file.tokens {
            assert!(
                !GRAPHICS.iter().any(|name| token.starts_with(name)),
                "{} names {token}, and only src/app may",
                file.name
            );
        }
    }
}

#[test]
fn nobody_but_main_imports_the_window() {
    let house = House::read();
    for import in house.imports() {
        let (from, to) = house.names(import);
        assert!(
            !to.starts_with("src/app/") || from.starts_with("src/app/") || from == "src/main.rs",
            "{from} imports {to}, and the window is imported by main alone"
        );
    }
}

/// The calls to which a closure is handed that names a kernel.
fn handing_a_kernel_on(tokens: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    // For each parenthesis that is open: whose it is, and whether a closure has begun in it.
    for (place, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => open.push((place.saturating_sub(1), false)),
            ")" => _ = open.pop(),
            "|" if ["(", ",", "move"].contains(&tokens[place - 1].as_str()) => {
                if let Some((_, has_closure)) = open.last_mut() {
                    *has_closure = true;
                }
            }
            "kernel" => {
                let calls = open.iter().filter(|(_, has_closure)| *has_closure);
                found.extend(calls.map(|(call, _)| tokens[*call].as_str()));
            }
            _ => {}
        }
    }
    found
}

/// What is not inlined into a task is not compiled for its kernel: there each instruction is a call. Whether a function of the standard
/// library is inlined depends on how a build cuts the crate, and so would how quick the structures are.
#[test]
fn no_closure_with_a_kernel_is_handed_on() {
    // Inlined always, and what the kernel does there is asked for memory.
    const INLINED: [&str; 1] = ["runs_around"];
    for file in House::read().files {
        for call in handing_a_kernel_on(&file.tokens) {
            assert!(
                INLINED.contains(&call),
                "{}: `{call}` is handed a closure with a kernel in it",
                file.name
            );
        }
    }
    let text = "a(kernel, b.map(|c| d(kernel, c)), |e| f); let g = |h| kernel.i(h | j); k(|| l(1)).m(kernel)";
    assert_eq!(handing_a_kernel_on(&tokens_of(text)), ["map"]);
}

#[test]
fn paths_lead_to_the_files_that_they_name() {
    let house = House::read();
    let imports = house.imports();
    let known: BTreeSet<(&str, &str)> = imports.iter().map(|import| house.names(*import)).collect();
    // One of each kind: a use of the crate, through a re-export, by `super`, from the program into the library, inline.
    for import in [
        ("src/battle/melee.rs", "src/chance.rs"),
        ("src/measure/stream.rs", "src/streaming/traveller.rs"),
        ("src/battle/step.rs", "src/battle/mod.rs"),
        ("src/command/simulate.rs", "src/measure/simulate.rs"),
        ("src/streaming/loader.rs", "src/scene/limits.rs"),
    ] {
        assert!(
            known.contains(&import),
            "{import:?} is not among {known:#?}"
        );
    }
    // What is compiled for tests alone imports nothing.
    assert!(!known.iter().any(|(from, _)| *from == "src/battle/tests.rs"));
    assert!(!known.contains(&("src/scene/generate.rs", "src/partition/registry.rs")));
}

#[test]
fn comments_quotes_and_tests_are_not_code() {
    let text = "a /* b /* c */ */ \"d \\\" e\" // f\n r#\"g \" h\"# 'i' '\\'' &'j str #[cfg(test)] mod k { l } m";
    let (tokens, _) = without_tests(tokens_of(&without_comments(text)));
    let words: Vec<&str> = tokens
        .iter()
        .map(String::as_str)
        .filter(|token| is_word(token))
        .collect();
    assert_eq!(words, ["a", "r", "j", "str", "m"]);
}

#[test]
fn a_circle_is_found_however_long_it_is() {
    let edges = |steps: &[(&str, &str)]| {
        steps
            .iter()
            .map(|(from, to)| ((from.to_string(), to.to_string()), (0, 0)))
            .collect()
    };
    let order = edges(&[("a", "b"), ("b", "c"), ("a", "c"), ("d", "a")]);
    for child in ["a", "b", "c", "d"] {
        assert_eq!(circle_from(child, &order), None);
    }
    let circle = edges(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]);
    assert_eq!(circle_from("b", &circle).map(|way| way.len()), Some(3));
    assert_eq!(circle_from("d", &circle), None);
}

#[test]
fn a_use_is_read_as_all_that_it_names() {
    let tokens = tokens_of("crate::a::{self, b::{C, D as E}, f::*};");
    let mut found = Vec::new();
    assert_eq!(use_tree(&tokens, 0, &[], &mut found), tokens.len() - 1);
    let found: Vec<(String, String)> = found
        .into_iter()
        .map(|(path, name)| (path.join("::"), name))
        .collect();
    let expected = [
        ("crate::a", "a"),
        ("crate::a::b::C", "C"),
        ("crate::a::b::D", "E"),
        ("crate::a::f", "f"),
    ];
    let expected = expected.map(|(path, name)| (path.to_owned(), name.to_owned()));
    assert_eq!(found, expected);
}
