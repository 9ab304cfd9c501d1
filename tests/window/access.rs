//! The window as a screen reader finds it: over AT-SPI, on a bus of its own.

use super::harness::{is_installed, with_display};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A structure with a knob, over armies that stand.
const QUADTREE: &str = r#"(
    version: 1,
    name: "Calm",
    field: ((0, 0), (480, 300)),
    structure: (kind: "quadtree", knobs: {"capacity": 8}),
    armies: [(side: Blue, count: 40, formation: Ranks((20, 100), (80, 200)), order: Hold)],
)"#;

/// What it takes to be a screen reader.
const LAUNCHER: &str = "/usr/libexec/at-spi-bus-launcher";

/// Starts the bus on which assistive technology is, says that there is some, starts the program, lets the reader read and press, and
/// closes the program by a signal, so that it writes its report.
const READ: &str = r#"
"$LAUNCHER" --launch-immediately & launcher=$!
for _ in $(seq 50); do
    dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set \
        string:org.a11y.Status string:IsEnabled variant:boolean:true >/dev/null 2>&1 && break
    sleep 0.1
done
"$PROGRAM" "$SCENE" --size 1280x900 --report "$REPORT" & program=$!
timeout 90 /usr/bin/python3 "$READER"; result=$?
kill "$program"; wait "$program"
kill "$launcher"; wait "$launcher"
exit $result
"#;

#[test]
fn a_screen_reader_finds_the_controls_by_name_and_presses_them() {
    with_display(|display| {
        let has_python = Command::new("/usr/bin/python3")
            .args(["-c", "import gi; gi.require_version('Atspi', '2.0')"])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        let is_there = Path::new(LAUNCHER).exists() && is_installed("dbus-run-session");
        if !(has_python && is_there) {
            let required = std::env::var_os("SKIRMISH_REQUIRE_WINDOW").is_some();
            assert!(
                !required,
                "the test of the screen reader needs at-spi2-core, dbus and gir1.2-atspi-2.0"
            );
            return;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scene = folder.path().join("calm.ron");
        fs::write(&scene, QUADTREE).expect("a scene");
        let report = folder.path().join("report.json");
        let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/access.py");
        let output = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", READ])
            .env("LAUNCHER", LAUNCHER)
            .env("PROGRAM", env!("CARGO_BIN_EXE_skirmish"))
            .env("SCENE", &scene)
            .env("REPORT", &report)
            .env("READER", reader)
            .env("DISPLAY", display.name())
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .output()
            .expect("a bus of its own");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let report = fs::read_to_string(&report).expect("a report");
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        assert_eq!(
            report["structure"], "linked-grid",
            "what was pressed is done"
        );
        assert_eq!(report["mode"], "paused");
    });
}
