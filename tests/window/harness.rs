//! A window under a virtual display, moved by real clicks and keys, and what it reports when it closes.
//!
//! Xvfb gives the display and xdotool the clicks; there is no window manager, so a window lies in the upper left corner
//! and the keyboard follows the pointer. The picture is read from the file in which Xvfb keeps its screen.
//!
//! Invariant: nothing outlives the tests, however they end. A program is killed when its [`Program`] is dropped; the
//! display ends when the pipe to this process closes; and every wait has a limit.

use image::RgbImage;
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, Once, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_skirmish");

/// The size of the virtual screen: that of the largest window tested, so that smaller windows have an outside.
const SCREEN: (u32, u32) = (1920, 1080);

/// How long a program may take to show its first frame, or to end by itself. Generous: two busy cores and a renderer in
/// software.
const LONG: Duration = Duration::from_secs(60);

/// How long xdotool may take.
const SHORT: Duration = Duration::from_secs(10);

/// Between two steps of the user, so that a press and what follows lie in different frames, as they do by hand.
const PAUSE: Duration = Duration::from_millis(120);

/// How much slower than an idle machine this one is at present, in percent: by how long the last window took to show itself.
static SLOWNESS: AtomicU32 = AtomicU32::new(100);

/// How long an idle machine takes at the most to show a window.
const FIRST_PICTURE: Duration = Duration::from_millis(1500);

/// Lets so much time pass as an idle machine would need for what takes `duration`, up to four times, and besides the time in which
/// the process wanted to work and others were at work instead, or in which a disk kept it waiting, up to [`HELD_UP`].
fn rest(process: u32, duration: Duration) {
    let wanted = duration * SLOWNESS.load(Ordering::Relaxed) / 100;
    let start = Instant::now();
    let waiting = Waiting::of(process);
    let mut at_disk = Duration::ZERO;
    loop {
        let held_up = (waiting.since(process) + at_disk).min(HELD_UP);
        let left = (wanted + held_up).saturating_sub(start.elapsed());
        if left.is_zero() {
            break;
        }
        let step = left.min(Duration::from_millis(20));
        sleep(step);
        if is_at_disk(process) {
            at_disk += step;
        }
    }
}

/// How much longer than on an idle machine a user waits at the most before the next click.
const HELD_UP: Duration = Duration::from_secs(5);

/// For how long each thread of a process has been ready to run without a processor, since it began. Nothing where the system does
/// not count it.
struct Waiting(HashMap<OsString, Duration>);

impl Waiting {
    fn of(process: u32) -> Self {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        let waiting = tasks.into_iter().flatten().flatten().filter_map(|task| {
            let counted = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let waited = counted.split(' ').nth(1)?.parse().ok()?;
            Some((task.file_name(), Duration::from_nanos(waited)))
        });
        Self(waiting.collect())
    }

    /// How long the thread that has waited longest has done so since: those that draw wait side by side.
    fn since(&self, process: u32) -> Duration {
        let now = Self::of(process).0.into_iter();
        let waited = now.map(|(task, waited)| {
            let before = self.0.get(&task).copied().unwrap_or_default();
            waited.saturating_sub(before)
        });
        waited.max().unwrap_or_default()
    }
}

/// Whether the thread that draws waits for a disk.
fn is_at_disk(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name before it may hold anything.
    let after_name = state.rsplit(')').next().unwrap_or_default();
    after_name.trim_start().starts_with('D')
}

/// So many windows are open at once at the most: while one waits for its user, others draw. Each has a display of its own.
const SEATS: usize = 3;

/// The displays on which nobody clicks at present, and how many seats are taken.
struct Seats {
    free: Vec<Display>,
    taken: usize,
}

static SEATED: Mutex<Seats> = Mutex::new(Seats {
    free: Vec::new(),
    taken: 0,
});
static SOMEBODY_LEFT: Condvar = Condvar::new();

/// A display, given back however the test ends.
struct Seat {
    display: Option<Display>,
}

impl Seat {
    fn take() -> Self {
        // A test that failed has poisoned the mutex and harmed nobody else.
        let seats = SEATED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seats = SOMEBODY_LEFT
            .wait_while(seats, |seats| seats.taken == SEATS)
            .unwrap_or_else(PoisonError::into_inner);
        seats.taken += 1;
        let display = seats.free.pop();
        drop(seats);
        let mut seat = Self { display: None };
        seat.display = Some(display.unwrap_or_else(Display::start));
        seat
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = SEATED.lock().unwrap_or_else(PoisonError::into_inner);
        seats.taken -= 1;
        seats.free.extend(self.display.take());
        SOMEBODY_LEFT.notify_all();
    }
}

/// Runs `test` with a display of its own to click on. Without Xvfb or xdotool it says once that window tests are skipped, or fails
/// where they are required (`SKIRMISH_REQUIRE_WINDOW=1`).
pub fn with_display(test: impl FnOnce(&Display)) {
    if !(is_installed("Xvfb") && is_installed("xdotool")) {
        let required =
            std::env::var_os("SKIRMISH_REQUIRE_WINDOW").is_some_and(|value| value == "1");
        assert!(
            !required,
            "window tests are required, but there is no Xvfb or xdotool"
        );
        static SAY_IT: Once = Once::new();
        // Past the test harness, which keeps to itself what a passing test prints.
        SAY_IT.call_once(|| {
            let _ = writeln!(std::io::stderr(), "skipped: no Xvfb or xdotool");
        });
        return;
    }
    let seat = Seat::take();
    test(seat.display.as_ref().expect("a display"));
}

/// Has the renderer do everything but fill its pixels, which is three quarters of what a frame takes without a graphics card: in a
/// window that plays by itself to its end they are seen by nobody.
fn unseen(command: &mut Command) -> &mut Command {
    command.env("LP_NO_RAST", "1")
}

/// Whether somebody may look at what is drawn: a picture is asked for, or a step of the script takes one.
fn takes_pictures(arguments: &[&OsStr]) -> bool {
    let script = |pair: &[&OsStr]| {
        let text = fs::read_to_string(pair[1]).unwrap_or_default();
        pair[0] == "--script" && text.contains("Screenshot")
    };
    arguments.iter().any(|it| *it == "--screenshot") || arguments.windows(2).any(script)
}

fn start(command: &mut Command, folder: &Path, arguments: &[&OsStr]) -> Child {
    let command = command.env("LD_LIBRARY_PATH", folder).args(arguments);
    command.spawn().expect("the program starts")
}

/// Whether there is such a program.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A virtual screen.
pub struct Display {
    /// As the environment variable `DISPLAY` has it.
    name: String,
    /// Where Xvfb keeps its screen.
    frame_buffer: TempDir,
    /// A shell that ends the display when its standard input does, which is when this process ends.
    guard: Mutex<Child>,
}

impl Display {
    /// A display of its own, for a test that does it harm.
    pub fn another() -> Self {
        Self::start_with("")
    }

    /// A display that begins anew whenever its last client leaves it.
    pub fn that_resets() -> Self {
        Self::start_with("-reset")
    }

    /// A display that cannot draw through OpenGL.
    pub fn without_graphics() -> Self {
        Self::start_with("-extension GLX")
    }

    /// A display of so many pixels a point.
    pub fn of_scale(scale: u32) -> Self {
        let display = Self::start_with("");
        let mut child = Command::new("xrdb")
            .args(["-nocpp", "-merge"])
            .env("DISPLAY", &display.name)
            .stdin(Stdio::piped())
            .spawn()
            .expect("xrdb (of x11-xserver-utils) starts");
        if let Some(mut pipe) = child.stdin.take() {
            writeln!(pipe, "Xft.dpi: {}", 96 * scale).expect("xrdb reads");
        }
        assert!(child.wait().is_ok_and(|status| status.success()), "xrdb");
        display
    }

    /// Takes the display away from whoever uses it.
    pub fn take_away(&self) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        drop(guard.stdin.take());
        let _ = guard.wait();
    }

    fn start() -> Self {
        Self::start_with("")
    }

    fn start_with(more: &str) -> Self {
        let frame_buffer = tempfile::tempdir().expect("a temporary folder");
        let (width, height) = SCREEN;
        let (reset, more) = match more {
            "-reset" => ("", ""),
            more => ("-noreset", more),
        };
        let mut guard = Command::new("sh")
            .arg("-c")
            .arg(format!(
                "Xvfb -displayfd 1 {reset} -screen 0 {width}x{height}x24 -nolisten tcp {more} -fbdir \"$0\" 2>/dev/null & \
                 read -r _; kill $!; rm -rf \"$0\""
            ))
            .arg(frame_buffer.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut number = String::new();
        BufReader::new(guard.stdout.take().expect("a pipe"))
            .read_line(&mut number)
            .expect("the number of the display");
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self {
            name: format!(":{}", number.trim()),
            frame_buffer,
            guard: Mutex::new(guard),
        }
    }

    /// Starts the program in a window of 1280 × 800 and waits until it has drawn something.
    pub fn open(&self, scene: impl AsRef<OsStr>, arguments: &[&str]) -> Program<'_> {
        self.open_sized(scene, (1280, 800), arguments)
    }

    /// Starts the program in a window of that size and waits until it has drawn something.
    pub fn open_sized(
        &self,
        scene: impl AsRef<OsStr>,
        size: (u32, u32),
        arguments: &[&str],
    ) -> Program<'_> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.open_at(folder, scene, size, arguments)
    }

    /// Starts the program in a home where it has been before, by a user who has seen the hints of the first minutes: a chip over
    /// the field would be in the way of clicks that are about something else.
    pub fn open_at(
        &self,
        folder: TempDir,
        scene: impl AsRef<OsStr>,
        size: (u32, u32),
        arguments: &[&str],
    ) -> Program<'_> {
        let settings = folder.path().join("config/skirmish/settings.ron");
        if !settings.exists() {
            // A quarter of the usual frames: two windows at once are drawn by the processors that they are tested with.
            let seen =
                "(version: 1, hints_seen: [Place, Structure, Timeline], frame_rate: Fifteen)";
            let inside = settings.parent().expect("a folder");
            fs::create_dir_all(inside).expect("a folder");
            fs::write(settings, seen).expect("settings are written");
        }
        self.open_as_it_is(folder, scene, size, arguments)
    }

    /// Starts the program in a home whose settings are as they are, or are not there.
    pub fn open_new(&self, folder: TempDir, scene: &Path, size: (u32, u32)) -> Program<'_> {
        self.open_as_it_is(folder, scene, size, &[])
    }

    fn open_as_it_is(
        &self,
        folder: TempDir,
        scene: impl AsRef<OsStr>,
        size: (u32, u32),
        arguments: &[&str],
    ) -> Program<'_> {
        let report = folder.path().join("report.json");
        let child = self
            .command(folder.path())
            .arg(scene)
            .args(["--size", &format!("{}x{}", size.0, size.1), "--report"])
            .arg(&report)
            .args(arguments)
            .spawn()
            .expect("the program starts");
        let mut program = Program {
            display: self,
            child,
            folder,
            report,
            size,
        };
        program.await_picture();
        program
    }

    /// What the program is told to find the display by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs the program to its end, which it must reach by itself.
    pub fn run(&self, arguments: &[&OsStr]) -> Ended {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.run_at(folder.path(), arguments)
    }

    /// Runs the program in this home to its end. Libraries that lie in it come before those of the system.
    pub fn run_at(&self, folder: &Path, arguments: &[&OsStr]) -> Ended {
        end(self.spawn(folder, arguments), LONG)
    }

    /// Starts the program in this home, as [`Display::run_at`] does.
    fn spawn(&self, folder: &Path, arguments: &[&OsStr]) -> Child {
        match takes_pictures(arguments) {
            true => start(&mut self.command(folder), folder, arguments),
            false => self.spawn_unseen(folder, arguments),
        }
    }

    /// Starts the program in this home, at whose pictures nobody looks.
    pub fn spawn_unseen(&self, folder: &Path, arguments: &[&OsStr]) -> Child {
        start(unseen(&mut self.command(folder)), folder, arguments)
    }

    /// Runs a copy of the program, alone in an empty folder, to its end. Nobody looks at its pictures.
    pub fn run_copy(&self, arguments: &[&OsStr]) -> Ended {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join("program");
        // By a process of its own: what is started meanwhile by another test would inherit the file that is written, and a
        // program that is being written cannot be started.
        let copied = Command::new("cp").arg(PROGRAM).arg(&program).status();
        assert!(copied.is_ok_and(|status| status.success()), "a copy");
        let child = unseen(&mut self.command_of(&program, folder.path()))
            .args(arguments)
            .spawn()
            .expect("the program starts");
        end(child, LONG)
    }

    /// What the window holds after a few frames: where its widgets are, before anybody touches them.
    pub fn layout(&self, scene: impl AsRef<OsStr>, arguments: &[&str]) -> Report {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let report = folder.path().join("report.json");
        let mut all = vec![scene.as_ref()];
        all.extend(["--size", "1280x800", "--frames", "5", "--report"].map(OsStr::new));
        all.push(report.as_os_str());
        all.extend(arguments.iter().map(OsStr::new));
        let ended = self.run(&all);
        assert!(
            ended.status.success(),
            "--frames 5 --report failed: {}",
            ended.stderr
        );
        Report::read(&report)
    }

    /// Plays a script over a scene in a window of 1280 × 800, and gives the report at its end.
    pub fn play(&self, scene: &str, script: &str) -> Report {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, report) = (folder.path().join("s.ron"), folder.path().join("r.json"));
        fs::write(&file, script).expect("a script is written");
        let mut all = [scene, "--size", "1280x800", "--script"]
            .map(OsStr::new)
            .to_vec();
        all.extend([file.as_os_str(), OsStr::new("--report"), report.as_os_str()]);
        let ended = self.run(&all);
        assert!(ended.status.success(), "{}", ended.stderr);
        Report::read(&report)
    }

    /// The program, away from the user's settings and files, and with a renderer that is the same everywhere.
    fn command(&self, folder: &Path) -> Command {
        self.command_of(Path::new(PROGRAM), folder)
    }

    fn command_of(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .env("DISPLAY", &self.name)
            .env("HOME", folder)
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env("XDG_DATA_HOME", folder.join("data"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            // What the renderer compiles is the same for every window.
            .env(
                "MESA_SHADER_CACHE_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/shaders"),
            )
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let child = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("xdotool starts");
        let ended = end(child, SHORT);
        // A search that finds nothing fails too, and is asked again.
        if arguments[0] != "search" {
            assert!(
                ended.status.success(),
                "xdotool {arguments:?}: {}",
                ended.stderr
            );
        }
        ended.stdout
    }

    /// The upper left part of the screen, as Xvfb has it in a file in the format of `xwd`.
    fn picture(&self, (width, height): (u32, u32)) -> RgbImage {
        let bytes =
            fs::read(self.frame_buffer.path().join("Xvfb_screen0")).expect("the screen's file");
        let field = |index: usize| {
            let bytes = bytes[4 * index..][..4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let (header_size, little_endian, bits, line, colors) =
            (field(0), field(7) == 0, field(11), field(12), field(19));
        assert!(
            bits == 32 && little_endian,
            "Xvfb's pixels are not as expected"
        );
        let pixels = &bytes[header_size + 12 * colors..];
        RgbImage::from_fn(width, height, |x, y| {
            let pixel = &pixels[line * y as usize + 4 * x as usize..];
            image::Rgb([pixel[2], pixel[1], pixel[0]])
        })
    }
}

/// The program in its window. It is killed when this is dropped.
pub struct Program<'a> {
    display: &'a Display,
    child: Child,
    /// The program's home. Tests may put files there.
    pub folder: TempDir,
    report: PathBuf,
    size: (u32, u32),
}

impl Program<'_> {
    fn await_picture(&mut self) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the program's state") {
                let mut stderr = String::new();
                if let Some(mut pipe) = self.child.stderr.take() {
                    let _ = pipe.read_to_string(&mut stderr);
                }
                panic!("the program ended before it drew anything ({status}): {stderr}");
            }
            assert!(start.elapsed() < LONG, "no window after {LONG:?}");
            let is_found = !self
                .display
                .xdotool(&["search", "--name", "Skirmish"])
                .trim()
                .is_empty();
            if is_found {
                let picture = self.picture();
                let first = picture.get_pixel(0, 0);
                // More than the pointer, which is in the picture too.
                if picture.pixels().filter(|pixel| *pixel != first).count() > 5_000 {
                    break;
                }
            }
            sleep(Duration::from_millis(50));
        }
        let percent = start.elapsed().as_millis() * 100 / FIRST_PICTURE.as_millis();
        SLOWNESS.store(percent.clamp(100, 400) as u32, Ordering::Relaxed);
        // The first frames settle the layout.
        rest(self.child.id(), 2 * PAUSE);
    }

    /// What the window is called now.
    pub fn title(&self) -> String {
        let arguments = ["search", "--name", "Skirmish", "getwindowname"];
        self.display.xdotool(&arguments).trim().to_owned()
    }

    /// What is in the window now.
    pub fn picture(&self) -> RgbImage {
        self.display.picture(self.size)
    }

    fn user(&self, arguments: &[&str]) {
        self.display.xdotool(arguments);
        rest(self.child.id(), PAUSE);
    }

    /// Gives the window another size.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let window = self.display.xdotool(&["search", "--name", "Skirmish"]);
        self.user(&[
            "windowsize",
            window.trim(),
            &width.to_string(),
            &height.to_string(),
        ]);
    }

    /// Lets the program run, as long as an idle machine would.
    pub fn wait(&self, duration: Duration) {
        rest(self.child.id(), duration);
    }

    /// Lets the program run until something has come about. The disk of a busy machine may take seconds over a small file.
    pub fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < LONG, "not within {LONG:?}: {what}");
            sleep(Duration::from_millis(50));
        }
    }

    /// Moves the pointer.
    pub fn move_to(&self, (x, y): (f32, f32)) {
        self.user(&["mousemove", &pixel(x), &pixel(y)]);
    }

    /// Presses and holds a button: 1 is the left one, 2 the middle one, 3 the right one.
    pub fn press(&self, button: u8) {
        self.user(&["mousedown", &button.to_string()]);
    }

    /// Releases a button.
    pub fn release(&self, button: u8) {
        self.user(&["mouseup", &button.to_string()]);
    }

    /// Clicks with the left button.
    pub fn click(&self, at: (f32, f32)) {
        self.move_to(at);
        self.user(&["click", "1"]);
    }

    /// Comes and clicks faster than by hand, so that both fall into one frame.
    pub fn dart(&self, (x, y): (f32, f32)) {
        self.user(&["mousemove", &pixel(x), &pixel(y), "click", "1"]);
    }

    /// Clicks twice, faster than by hand, so that both may well fall into one frame.
    pub fn double_click(&self, at: (f32, f32)) {
        self.move_to(at);
        self.user(&["click", "--repeat", "2", "--delay", "60", "1"]);
    }

    /// Drags from the first point over all others to the last.
    pub fn drag(&self, button: u8, points: &[(f32, f32)]) {
        self.move_to(points[0]);
        self.press(button);
        for point in &points[1..] {
            self.move_to(*point);
        }
        self.release(button);
    }

    /// Turns the wheel by that many notches, up if positive.
    pub fn wheel(&self, at: (f32, f32), notches: i32) {
        self.move_to(at);
        let button = if notches > 0 { "4" } else { "5" };
        for _ in 0..notches.abs() {
            self.user(&["click", button]);
        }
    }

    /// Presses and releases a key, or a chord such as `ctrl+s`.
    pub fn key(&self, key: &str) {
        self.user(&["key", key]);
    }

    /// Holds a key down.
    pub fn hold_key(&self, key: &str) {
        self.user(&["keydown", key]);
    }

    /// Releases a held key.
    pub fn release_key(&self, key: &str) {
        self.user(&["keyup", key]);
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        self.user(&["type", "--delay", "20", text]);
    }

    /// Ends the program by a signal, and gives how it ended and its home.
    pub fn signal(mut self, signal: &str) -> (Ended, TempDir) {
        let number = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &number]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill {signal}");
        self.ended()
    }

    /// Ends the program from outside, without a key or a click, and reads what it leaves.
    pub fn dismiss(mut self) -> Report {
        let number = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &number]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill");
        let ended = end_of(&mut self.child, LONG);
        assert!(ended.status.success(), "{}", ended.stderr);
        Report::read(&self.report)
    }

    /// Waits for the end of a program that ends by itself, and gives how it ended and its home.
    pub fn ended(&mut self) -> (Ended, TempDir) {
        let ended = end_of(&mut self.child, LONG);
        let nothing = tempfile::tempdir().expect("a temporary folder");
        (ended, std::mem::replace(&mut self.folder, nothing))
    }

    /// Closes the window as a user does, by Ctrl+Q, and reads what it leaves. Unsaved changes are lost: the program asks, and
    /// asking it again is the answer.
    pub fn close(mut self) -> Report {
        self.display.xdotool(&["key", "ctrl+q"]);
        let asked = Instant::now();
        let patience = 3 * PAUSE * SLOWNESS.load(Ordering::Relaxed) / 100;
        while asked.elapsed() < patience && matches!(self.child.try_wait(), Ok(None)) {
            sleep(Duration::from_millis(10));
        }
        if matches!(self.child.try_wait(), Ok(None)) {
            self.display.xdotool(&["key", "ctrl+q"]);
        }
        let ended = end_of(&mut self.child, LONG);
        assert!(
            ended.status.success(),
            "Ctrl+Q ended with {}: {}",
            ended.status,
            ended.stderr
        );
        Report::read(&self.report)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // It may well have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pixel(coordinate: f32) -> String {
    format!("{}", coordinate.round())
}

/// How a process ended.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// Waits for the end of a process that is to end by itself, at most for `limit`.
pub fn end(mut child: Child, limit: Duration) -> Ended {
    end_of(&mut child, limit)
}

fn end_of(child: &mut Child, limit: Duration) -> Ended {
    // Read beside the wait: a full pipe would keep the process from ending.
    let stdout = read_beside(child.stdout.take());
    let stderr = read_beside(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of a process") {
            break status;
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            panic!("a process did not end within {limit:?}");
        }
        sleep(Duration::from_millis(5));
    };
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ended {
        status,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn read_beside(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Runs the program with no display but the one named, if any.
pub fn run_without_display(display: Option<&str>) -> Ended {
    let display = display.map(|display| ("DISPLAY", OsStr::new(display)));
    run_in(display.as_slice(), &[])
}

/// Runs the program to its end with no display but the one in `environment`, if any.
pub fn run_in(environment: &[(&str, &OsStr)], arguments: &[&OsStr]) -> Ended {
    let child = Command::new(PROGRAM)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .envs(environment.iter().copied())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    end(child, LONG)
}

/// What the window held when it closed.
#[derive(Debug)]
pub struct Report(Value);

impl Report {
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the program writes a report");
        Self(serde_json::from_str(&text).expect("the report is JSON"))
    }

    pub fn get(&self, pointer: &str) -> &Value {
        self.0
            .pointer(pointer)
            .unwrap_or_else(|| panic!("the report has no {pointer}: {}", self.0))
    }

    /// A number, by its JSON pointer such as `/camera/height`.
    pub fn number(&self, pointer: &str) -> f64 {
        let value = self.get(pointer);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{pointer} is no number: {value}"))
    }

    /// A text.
    pub fn text(&self, pointer: &str) -> &str {
        let value = self.get(pointer);
        value
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} is no text: {value}"))
    }

    /// The length of a list.
    pub fn count(&self, pointer: &str) -> usize {
        let value = self.get(pointer);
        value
            .as_array()
            .unwrap_or_else(|| panic!("{pointer} is no list: {value}"))
            .len()
    }

    /// A point, written as a list of two numbers or as an object with `x` and `y`.
    pub fn point(&self, pointer: &str) -> (f64, f64) {
        match self.get(pointer) {
            Value::Array(_) => (
                self.number(&format!("{pointer}/0")),
                self.number(&format!("{pointer}/1")),
            ),
            _ => (
                self.number(&format!("{pointer}/x")),
                self.number(&format!("{pointer}/y")),
            ),
        }
    }

    /// A point in a widget, as a fraction of its width and height.
    pub fn at(&self, widget: &str, (right, down): (f32, f32)) -> (f32, f32) {
        let widgets = self.get("/widgets");
        let sides = widgets
            .get(widget)
            .unwrap_or_else(|| panic!("no widget {widget} among {widgets}"));
        let side = |index: usize| sides[index].as_f64().expect("a number") as f32;
        (side(0) + right * side(2), side(1) + down * side(3))
    }

    /// The middle of a widget.
    pub fn middle(&self, widget: &str) -> (f32, f32) {
        self.at(widget, (0.5, 0.5))
    }
}
