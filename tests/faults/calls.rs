//! Every system call of a save fails once.
//!
//! strace shows which calls a save makes, and then makes one after the other fail, each with several errors.

use super::child::{self, BEGIN, END, WELL};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;
use tempfile::TempDir;

/// How many units the scenes have: few, so that there is time for all calls.
const UNITS: u32 = 20;

/// The rights of the file that is replaced.
const MODE: u32 = 0o640;

/// Whether strace can be used here. Without it the tests say once that they are skipped, or fail where they are required
/// (`SKIRMISH_REQUIRE_WINDOW=1`, as for the tests of the window).
pub fn can_trace() -> bool {
    let works = Command::new("strace")
        .args([
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "inject=sync:error=EIO",
            "true",
        ])
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|output| output.status.success());
    let required = std::env::var_os("SKIRMISH_REQUIRE_WINDOW").is_some_and(|value| value == "1");
    assert!(
        works || !required,
        "tests with strace are required, but it is not there or may not trace"
    );
    if !works {
        static SAY_IT: Once = Once::new();
        // Past the test harness, which keeps to itself what a passing test prints.
        SAY_IT.call_once(|| {
            let _ = writeln!(std::io::stderr(), "skipped: no strace, or it may not trace");
        });
    }
    works
}

/// A system call of a traced child.
struct Call {
    name: String,
    /// The how-manieth of its name it is in its thread, from 1.
    ordinal: usize,
    /// All of its line.
    line: String,
}

/// A place for a save: a folder with the old file in it, or none.
struct Place {
    folder: TempDir,
    old: Option<Vec<u8>>,
}

impl Place {
    fn new(replaces: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Self {
            folder,
            old: replaces.then(|| child::text(UNITS, 1)),
        };
        place.restore();
        place
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("scene.ron")
    }

    fn restore(&self) {
        match &self.old {
            Some(old) => {
                fs::write(self.path(), old).expect("a file");
                let mode = fs::Permissions::from_mode(MODE);
                fs::set_permissions(self.path(), mode).expect("rights");
            }
            None => {
                let _ = fs::remove_file(self.path());
            }
        }
    }

    /// Traces a save into it, in which calls fail as `injections` say; gives the answer and the calls.
    fn save(&self, injections: &[String]) -> (Option<String>, Vec<Call>) {
        let trace = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-qq", "-s", "256", "-o"])
            .arg(trace.path());
        for injection in injections {
            strace.args(["-e", &format!("inject={injection}")]);
        }
        let output = child::command_under(strace, &format!("write {UNITS} 2"), &self.path())
            .output()
            .expect("strace was there before");
        let text = fs::read(trace.path()).expect("a trace");
        let text = String::from_utf8_lossy(&text);
        (child::answer(&output.stdout), calls_of(&text))
    }
}

/// The calls in a trace between the two marks, of the thread that makes them, whose number no other thread's call of that
/// name has: of the others strace cannot let one fail alone. They are calls for memory, as a test looks at.
fn calls_of(trace: &str) -> Vec<Call> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut calls = Vec::new();
    let mut thread: Option<String> = None;
    let mut own = String::new();
    let mut is_over = false;
    for line in trace.lines() {
        let Some((process, call)) = line.split_once(' ') else {
            continue;
        };
        let call = call.trim_start();
        let Some((name, _)) = call.split_once('(') else {
            continue;
        };
        // The ends of calls, signals and exits are no calls.
        if !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            continue;
        }
        let count = counts
            .entry((process.to_owned(), name.to_owned()))
            .or_default();
        *count += 1;
        if call.contains(END) {
            thread = None;
            is_over = true;
        }
        if is_over {
            continue;
        }
        if call.contains(BEGIN) {
            thread = Some(process.to_owned());
            own = process.to_owned();
        } else if thread.as_deref() == Some(process) {
            calls.push(Call {
                name: name.to_owned(),
                ordinal: *count,
                line: call.to_owned(),
            });
        }
    }
    calls.retain(|call| {
        let others = counts
            .iter()
            .filter(|((process, name), _)| *process != own && *name == call.name);
        let is_alone = others.map(|(_, count)| *count).max() < Some(call.ordinal);
        let is_of_memory = ["mmap", "munmap", "mremap", "mprotect", "madvise", "brk"];
        assert!(
            is_alone || is_of_memory.contains(&call.name.as_str()),
            "{} has a twin",
            call.line
        );
        is_alone
    });
    calls
}

/// With what a call fails: always a disk that fails, and what else it may well say.
fn errors_of(name: &str) -> Vec<&'static str> {
    let own: &[&str] = match name {
        "openat" => &["EMFILE", "ENFILE", "EACCES", "ENOSPC", "EROFS"],
        "write" | "pwrite64" => &["ENOSPC", "EDQUOT", "EFBIG"],
        "fsync" | "fdatasync" => &["ENOSPC", "EDQUOT"],
        "linkat" => &["EACCES", "EPERM", "ENOSPC", "ENOENT", "EEXIST"],
        "rename" | "renameat" | "renameat2" => &["EACCES", "EROFS", "EBUSY", "ENOSPC", "ETXTBSY"],
        "fchmod" | "fchown" => &["EPERM"],
        "flock" => &["ENOLCK", "EAGAIN"],
        "getdents64" => &["ENOENT"],
        "statx" | "newfstatat" | "readlink" | "readlinkat" => &["EACCES", "ELOOP", "ENAMETOOLONG"],
        "mmap" | "mremap" | "brk" => &["ENOMEM"],
        _ => &[],
    };
    let mut errors = vec!["EIO", "EINTR"];
    errors.extend(own);
    errors
}

/// What is wrong after a save in which something failed.
fn flaws(place: &Place, new: &[u8], answer: Option<&str>) -> Vec<String> {
    let mut flaws = Vec::new();
    let found = fs::read(place.path()).ok();
    let is_new = found.as_deref() == Some(new);
    let is_old = found == place.old;
    if !is_new && !is_old {
        flaws.push("the file is neither old nor new".to_owned());
    }
    let expected: &[&str] = if found.is_some() { &["scene.ron"] } else { &[] };
    let entries = child::entries(place.folder.path());
    if entries != expected {
        flaws.push(format!("in the folder lie {entries:?}"));
    }
    let name = place.path().display().to_string();
    match answer {
        None => flaws.push("there is no answer, or more than one".to_owned()),
        Some(WELL) => {
            if !is_new {
                flaws.push("it says that it went well".to_owned());
            }
            if place.old.is_some() {
                let mode = fs::metadata(place.path()).map(|it| it.permissions().mode() & 0o7777);
                if mode.ok() != Some(MODE) {
                    flaws.push("the rights were not kept".to_owned());
                }
            }
        }
        Some(sentence) => {
            let said = sentence.strip_prefix(&name).unwrap_or("");
            let true_of_old = said.starts_with(": not saved: ") && is_old;
            let true_of_new = said.starts_with(": saved, but ") && is_new;
            if !(true_of_old || true_of_new) {
                flaws.push("what it says is not true".to_owned());
            }
            for word in ["uncategorized", "os error", "Os {", "error 1"] {
                if sentence.contains(word) {
                    flaws.push("it does not say it in words of ours".to_owned());
                }
            }
        }
    }
    flaws
}

/// The calls of a save, and what has to fail besides in every run.
struct Plan {
    place: Place,
    calls: Vec<Call>,
    /// Opening which file fails in every run; 0 for none.
    unnamed: usize,
}

impl Plan {
    /// Finds out which calls there are, where the system has unnamed files or has none.
    fn new(replaces: bool, has_unnamed_files: bool) -> Self {
        let place = Place::new(replaces);
        let (answer, mut calls) = place.save(&[]);
        assert_eq!(answer.as_deref(), Some(WELL));
        assert!(fs::read(place.path()).is_ok_and(|found| found == child::text(UNITS, 2)));
        let is_unnamed = |call: &&Call| call.name == "openat" && call.line.contains("O_TMPFILE");
        let unnamed = calls.iter().find(is_unnamed);
        let mut unnamed = unnamed.map_or(0, |call| call.ordinal);
        assert!(unnamed > 0, "a save begins with a file without a name");
        if has_unnamed_files {
            unnamed = 0;
        } else {
            place.restore();
            let (answer, others) = place.save(&[without_unnamed(unnamed)]);
            assert_eq!(answer.as_deref(), Some(WELL));
            calls = others;
        }
        let names: BTreeSet<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        for name in ["openat", "write", "fsync", "read", "close", "flock"] {
            assert!(names.contains(name), "no {name} among {names:?}");
        }
        Self {
            place,
            calls,
            unnamed,
        }
    }

    /// What lets one call fail with an error, and what fails besides.
    fn fail(&self, call: &Call, error: &str) -> Vec<String> {
        let Call { name, ordinal, .. } = call;
        match self.unnamed {
            0 => vec![format!("{name}:error={error}:when={ordinal}")],
            // Of one name there is one list of what fails: both, in steps from one to the other.
            first if name == "openat" && *ordinal > first => {
                let step = ordinal - first;
                vec![format!(
                    "{name}:error={error}:when={first}..{ordinal}+{step}"
                )]
            }
            _ if name == "openat" => vec![format!("{name}:error={error}:when={ordinal}")],
            first => vec![
                format!("{name}:error={error}:when={ordinal}"),
                without_unnamed(first),
            ],
        }
    }

    /// What kills at one call, and what fails besides.
    fn kill(&self, call: &Call) -> Vec<String> {
        let Call { name, ordinal, .. } = call;
        let mut injections = vec![format!("{name}:signal=KILL:when={ordinal}")];
        if self.unnamed > 0 && name != "openat" {
            injections.push(without_unnamed(self.unnamed));
        }
        injections
    }
}

/// Where the system has no unnamed files, opening one fails.
fn without_unnamed(ordinal: usize) -> String {
    format!("openat:error=EOPNOTSUPP:when={ordinal}")
}

/// Fails every call of a save once with every error.
fn fail_every_call(replaces: bool, has_unnamed_files: bool) {
    let plan = Plan::new(replaces, has_unnamed_files);
    let Plan { place, calls, .. } = &plan;
    let new = child::text(UNITS, 2);
    let mut wrong = Vec::new();
    let mut runs = 0;
    for call in calls {
        for error in errors_of(&call.name) {
            place.restore();
            let (answer, seen) = place.save(&plan.fail(call, error));
            runs += 1;
            let is_hit = |seen: &Call| {
                let is_same = seen.name == call.name && seen.ordinal == call.ordinal;
                is_same && seen.line.contains("(INJECTED)")
            };
            let mut flaws = flaws(place, &new, answer.as_deref());
            if !seen.iter().any(is_hit) {
                flaws.push("the call was not hit".to_owned());
            }
            if !flaws.is_empty() {
                let said = answer.unwrap_or_default();
                let flaws = flaws.join("; ");
                wrong.push(format!("{error} in {}: {flaws} ({said})", call.line));
                clear(place.folder.path());
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {runs} runs, of {} calls:\n{}",
        wrong.len(),
        calls.len(),
        wrong.join("\n")
    );
    println!("{} calls, {runs} runs", calls.len());
}

/// Kills at every call of a save, once. Gives at how many of them a file was left beside the other.
fn kill_at_every_call(replaces: bool, has_unnamed_files: bool) -> usize {
    let plan = Plan::new(replaces, has_unnamed_files);
    let Plan { place, calls, .. } = &plan;
    let new = child::text(UNITS, 2);
    let mut left = 0;
    for call in calls {
        // Where opening an unnamed file has to fail, strace cannot do something else to opening the named one: whoever is
        // killed there leaves what one leaves who is killed at the call before.
        if plan.unnamed > 0 && call.name == "openat" && call.ordinal > plan.unnamed {
            continue;
        }
        place.restore();
        let (answer, _) = place.save(&plan.kill(call));
        assert_eq!(answer, None, "killed at {}", call.line);
        let found = fs::read(place.path()).ok();
        let is_whole = found == place.old || found.as_ref() == Some(&new);
        assert!(is_whole, "neither old nor new, killed at {}", call.line);
        let entries = child::entries(place.folder.path());
        let beside: Vec<&String> = entries.iter().filter(|it| *it != "scene.ron").collect();
        assert!(beside.len() <= 1, "{beside:?}, killed at {}", call.line);
        // With a name of its own it is only between its getting one and its taking the other's place.
        let has_name = !has_unnamed_files || (replaces && call.name.starts_with("rename"));
        assert!(
            has_name || beside.is_empty(),
            "{beside:?}, killed at {}",
            call.line
        );
        left += beside.len();
        skirmish::files::save(&place.path(), &new).expect("a save");
        let entries = child::entries(place.folder.path());
        assert_eq!(entries, ["scene.ron"], "killed at {}", call.line);
    }
    println!(
        "killed at {} calls, a file left beside by {left}",
        calls.len()
    );
    left
}

fn clear(folder: &Path) {
    for name in child::entries(folder) {
        fs::remove_file(folder.join(name)).expect("a file that can go");
    }
}

#[test]
fn every_call_of_a_save_of_a_new_file_fails_once() {
    if can_trace() {
        fail_every_call(false, true);
    }
}

#[test]
fn every_call_of_a_save_that_replaces_fails_once() {
    if can_trace() {
        fail_every_call(true, true);
    }
}

#[test]
fn every_call_fails_once_where_every_file_has_a_name() {
    if can_trace() {
        fail_every_call(true, false);
    }
}

#[test]
fn whoever_is_killed_at_a_call_of_a_save_leaves_nothing_for_long() {
    if can_trace() {
        assert_eq!(kill_at_every_call(false, true), 0);
        assert_eq!(kill_at_every_call(true, true), 1);
        assert!(kill_at_every_call(true, false) > 1);
    }
}

#[test]
fn a_folder_that_does_not_reach_the_disk_is_no_file_that_was_not_saved() {
    if !can_trace() {
        return;
    }
    let place = Place::new(true);
    let (_, calls) = place.save(&[]);
    let last = calls.iter().rfind(|call| call.name == "fsync");
    let last = last.expect("a save syncs").ordinal;
    for (error, expected) in [
        (
            "EIO",
            ": saved, but the disk does not confirm it: the disk failed",
        ),
        ("EINVAL", WELL),
    ] {
        place.restore();
        let (answer, _) = place.save(&[format!("fsync:error={error}:when={last}")]);
        let answer = answer.unwrap_or_default();
        assert!(answer.ends_with(expected), "{answer}");
        assert!(fs::read(place.path()).is_ok_and(|found| found == child::text(UNITS, 2)));
    }
}

#[test]
fn calls_are_found_in_a_trace() {
    let trace = format!(
        "7 openat(AT_FDCWD, \"a\") = 3\n8 openat(AT_FDCWD, \"b\") = 4\n7 stat(\"{BEGIN}\") = -1\n\
         8 write(4, \"x\", 1) = 1\n7 openat(AT_FDCWD, \"c\") = 5\n7 --- SIGCHLD (x) ---\n\
         7 read(5, <unfinished ...>\n7 <... read resumed>\"\", 9) = 0\n7 stat(\"{END}\") = -1\n7 close(5) = 0\n"
    );
    let found: Vec<(String, usize)> = calls_of(&trace)
        .into_iter()
        .map(|call| (call.name, call.ordinal))
        .collect();
    assert_eq!(found, [("openat".to_owned(), 2), ("read".to_owned(), 1)]);
}
