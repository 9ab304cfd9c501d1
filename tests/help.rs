//! The command line tells of itself: examples that run, completions that a shell reads, man pages that render.

use skirmish::probe::Cancel;
use skirmish::scene::file;
use skirmish::session::Session;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_skirmish");

fn skirmish(arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

/// What a run printed that went well.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = skirmish(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The commands that the program's help lists.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let list = help.split("Commands:\n").nth(1).expect("a list");
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty() && *word != "help")
        .map(str::to_owned)
        .collect()
}

/// The lines that a help gives as examples.
fn examples(help: &str) -> Vec<String> {
    let list = help.split("Examples:\n").nth(1).expect("examples");
    list.lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .map(str::to_owned)
        .collect()
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
#[cfg(unix)]
fn every_example_of_a_command_runs_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for below in [
        ".local/share/bash-completion/completions",
        ".config/fish/completions",
    ] {
        fs::create_dir_all(here.join(below)).unwrap();
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut session, _) = Session::new(file::built_in(), Path::new(""));
    for _ in 0..90 {
        session.tick(&Cancel::default(), &mut ()).expect("a tick");
    }
    let recording = session.recording();
    recording.write(&here.join("recorded.ron")).unwrap();
    fs::copy(sources.join("scenes/charge.ron"), here.join("my-scene.ron")).unwrap();
    let program = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::join_paths(std::iter::once(program.to_owned()).chain(
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()),
    ));
    let path = path.unwrap();
    let commands = commands();
    let mut lines = 0;
    // The program's own, but for those that open the window: tests/window/alone.rs runs these.
    let of_program = examples(&printed(&["--help"]));
    let is_command = |line: &&String| {
        commands
            .iter()
            .any(|name| line.split(' ').nth(1) == Some(name))
    };
    let mut all = vec![of_program.iter().filter(is_command).cloned().collect()];
    for command in &commands {
        let help = printed(&[command, "--help"]);
        assert_eq!(printed(&["help", command]), help, "{command}");
        let own = examples(&help);
        assert!(!own.is_empty(), "{command}");
        for line in &own {
            assert!(line.starts_with(&format!("skirmish {command}")), "{line}");
        }
        all.push(own);
    }
    for own in all {
        let own: Vec<String> = own;
        for line in own {
            let output = Command::new("sh")
                .args(["-c", &line])
                .current_dir(here)
                .env("HOME", here)
                .env("PATH", &path)
                .stdin(Stdio::null())
                .output()
                .expect("a shell");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{line}: {said}");
            lines += 1;
        }
    }
    assert!(lines > commands.len());
    for made in [
        ".local/share/bash-completion/completions/skirmish",
        ".local/share/man/man1/skirmish-trace.1",
        "my-world",
        "swarm.csv",
    ] {
        assert!(here.join(made).exists(), "{made}");
    }
}

#[test]
fn every_shell_completes_commands_options_and_structures() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        for word in ["screenshot", "hierarchical-grid", "octree", "two-trees"] {
            // Elvish and PowerShell complete no values.
            let values = !["elvish", "powershell"].contains(&shell);
            assert!(
                !values && word != "screenshot" || script.contains(word),
                "{shell}: {word}"
            );
        }
    }
    let line = skirmish(&["completions", "tcsh"]);
    let said = String::from_utf8(line.stderr).unwrap();
    assert_eq!((line.status.code(), said.lines().count()), (Some(2), 1));
    assert!(said.contains("powershell"), "{said}");
}

#[test]
#[cfg(unix)]
fn bash_reads_its_completions_and_completes_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("skirmish.bash");
    fs::write(&script, printed(&["completions", "bash"])).unwrap();
    let bash = |arguments: &[&str]| {
        let output = Command::new("bash").args(arguments).arg(&script).output();
        let output = output.expect("bash");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    bash(&["-n"]);
    let complete = "source \"$0\"; COMP_WORDS=(skirmish simulate --structure bv); COMP_CWORD=3; \
                    _skirmish skirmish bv --structure; echo \"${COMPREPLY[@]}\"";
    assert_eq!(bash(&["-c", complete]).trim(), "bvh");
}

#[test]
fn man_pages_tell_every_command_with_its_examples() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("a/man1");
    let names = printed(&["man", "--to", to.to_str().unwrap()]);
    let mut expected = vec!["skirmish.1".to_owned()];
    expected.extend(commands().iter().map(|name| format!("skirmish-{name}.1")));
    let expected: Vec<_> = expected.iter().map(|name| to.join(name)).collect();
    let found: Vec<_> = names.lines().map(Path::new).collect();
    assert_eq!(found, expected);
    for path in &expected {
        let page = fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let one = match name.strip_prefix("skirmish-") {
            None => printed(&["man"]),
            Some(command) => printed(&["man", command]),
        };
        assert_eq!(page, one, "{name}");
        for part in [".TH", ".SH NAME", ".SH EXAMPLES", ".SH \"EXIT STATUS\""] {
            assert!(page.contains(part), "{name}: {part}");
        }
        if has("groff") {
            let output = Command::new("groff")
                .args(["-man", "-Tutf8", "-ww", "-z"])
                .arg(path)
                .output()
                .unwrap();
            assert!(output.status.success(), "{name}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        }
    }
}

#[test]
fn what_cannot_be_told_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for (arguments, code, part) in [
        (
            &["man", "--to", file.join("below").to_str().unwrap()][..],
            1,
            "the man pages cannot be written to",
        ),
        (&["man", "simulat"], 2, "there is no command 'simulat'"),
        (&["man", "help"], 2, "there is no command 'help'"),
    ] {
        let output = skirmish(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(part), "{said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_early_is_no_failure() {
    for command in ["completions zsh", "man", "--help", "man --to pages"] {
        let folder = tempfile::tempdir().unwrap();
        // The reader is gone before the first byte.
        let line = format!("(sleep 0.2; \"$0\" {command}; echo $? >&2) | true");
        let output = Command::new("bash")
            .args(["-c", &line, PROGRAM])
            .current_dir(folder.path())
            .output();
        let output = output.expect("bash");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, "0\n", "{command}");
    }
}
