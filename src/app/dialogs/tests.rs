//! What the dialogs show in windows of several sizes, and the names that they give.

use super::*;
use crate::app::stream::Stream;
use crate::app::theme;
use egui_macroquad::egui::epaint::ClippedShape;
use egui_macroquad::egui::{Event, Pos2, RawInput, Rect, Shape};
use skirmish::probe::Cancel;
use skirmish::session::{Action, Session};
use skirmish::streaming::{TourAsk, TourPicture};
use std::sync::Arc;

/// How long something is waited for that is written at once.
const LONG: Duration = Duration::from_secs(10);

/// A key goes down.
fn pressed(key: Key) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

#[test]
fn cancel_ends_a_quit_that_waits_behind_a_save_as_well() {
    let (mut app, ctx) = (App::at_first(), Context::default());
    let mut dialogs = Dialogs {
        leaving: Some(Leaving::Quit),
        saving: Some((Leaving::Quit, 7)),
        ..Dialogs::default()
    };
    for key in [None, Some(Key::Escape)] {
        let event = key.map(pressed);
        let input = RawInput {
            events: event.into_iter().collect(),
            ..RawInput::default()
        };
        let _ = ctx.run(input, |ctx| dialogs.ask(ctx, &mut app, &Palette::DARK));
        assert_eq!(dialogs.leaving.is_none(), key.is_some());
        assert_eq!(dialogs.saving.is_none(), key.is_some());
    }
}

#[test]
fn escape_ends_the_question_over_a_dialog_and_then_the_dialog() {
    let (mut app, ctx) = (App::at_first(), Context::default());
    theme::apply(&ctx, &Palette::DARK);
    for saves in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let dialog = FileDialog::new().initial_directory(folder.path().to_path_buf());
        let mut dialog = fitted(dialog, vec2(900.0, 600.0));
        let mut dialogs = Dialogs {
            leaving: Some(Leaving::Quit),
            ..Dialogs::default()
        };
        if saves {
            dialog.save_file();
            dialogs.save = Some((dialog, Kind::Scene));
        } else {
            dialog.pick_file();
            dialogs.open = Some(dialog);
        }
        let mut frame = |key: Option<Key>| {
            let event = key.map(pressed);
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0))),
                events: event.into_iter().collect(),
                ..RawInput::default()
            };
            let _ = ctx.run(input, |ctx| dialogs.show(ctx, &mut app, &Palette::DARK));
            let has_dialog = dialogs.save.is_some() || dialogs.open.is_some();
            (dialogs.leaving.is_some(), has_dialog)
        };
        for _ in 0..3 {
            assert_eq!(frame(None), (true, true));
        }
        assert_eq!(frame(Some(Key::Escape)), (false, true), "{saves}");
        assert_eq!(frame(None), (false, true), "{saves}");
        assert_eq!(frame(Some(Key::Escape)), (false, false), "{saves}");
    }
}

#[test]
fn escape_ends_what_a_dialog_itself_asks_and_then_the_dialog() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.ron"), "").expect("a file");
    let mut app = App::at_first();
    // Whether it may replace the file of that name, and what a new folder is called; and nothing.
    let asked = [
        Some((Key::Enter, Modifiers::NONE)),
        Some((Key::N, Modifiers::CTRL | Modifiers::COMMAND)),
        None,
    ];
    for asked in asked {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let dialog = FileDialog::new().initial_directory(folder.path().to_path_buf());
        let dialog = dialog.default_file_name("mine.ron");
        let mut dialog = fitted(dialog, vec2(900.0, 600.0));
        dialog.save_file();
        let mut dialogs = Dialogs {
            save: Some((dialog, Kind::Scene)),
            ..Dialogs::default()
        };
        let mut frame = |pressed: Option<(Key, Modifiers)>| {
            let event = pressed.map(|(key, modifiers)| Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers,
            });
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0))),
                modifiers: pressed.map_or(Modifiers::NONE, |(_, modifiers)| modifiers),
                events: event.into_iter().collect(),
                ..RawInput::default()
            };
            let _ = ctx.run(input, |ctx| dialogs.show(ctx, &mut app, &Palette::DARK));
            dialogs.save.is_some()
        };
        // The folder is read beside the window.
        for _ in 0..20 {
            assert!(frame(None));
            std::thread::sleep(Duration::from_millis(10));
        }
        let escape = Some((Key::Escape, Modifiers::NONE));
        if let Some((key, _)) = asked {
            // A folder is asked for where no name is typed.
            let typed = ctx.memory(|memory| memory.focused());
            if let Some(typed) = typed.filter(|_| key == Key::N) {
                ctx.memory_mut(|memory| memory.surrender_focus(typed));
                frame(None);
            }
            frame(asked);
            for _ in 0..3 {
                assert!(frame(None), "{asked:?}");
            }
            assert!(frame(escape), "{asked:?}");
            assert!(frame(None), "{asked:?}");
        }
        assert!(!frame(escape), "{asked:?}");
    }
}

#[test]
fn who_has_to_pick_a_file_first_leaves_once_that_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = App::at_first();
    let mut dialogs = Dialogs::default();
    let path = folder.path().join("mine.ron");
    dialogs.save_then = Some(Leaving::Quit);
    dialogs.picked(&mut app, path.clone(), Kind::Scene);
    let mut looks = 0..4000;
    while !dialogs.take_leave() {
        app.hear_news();
        dialogs.leave_what_is_saved(&mut app);
        std::thread::sleep(Duration::from_millis(1));
        assert!(looks.next().is_some(), "it never leaves");
    }
    assert!(path.exists());
    // Nothing else that is saved later leads there.
    dialogs.picked(&mut app, path.with_extension("json"), Kind::Counters);
    assert!(dialogs.save_then.is_none() && dialogs.saving.is_none());
}

#[test]
fn a_name_gets_the_ending_that_the_dialogs_show() {
    for (typed, name) in [
        ("charge", "charge.ron"),
        ("charge.ron", "charge.ron"),
        ("charge.v2", "charge.v2.ron"),
        ("charge.", "charge.ron"),
        ("charge.RON", "charge.RON.ron"),
        ("my.rec.ron", "my.rec.ron"),
        ("a.ron/b", "a.ron/b.ron"),
        // Typed over the part of the first name that is selected.
        ("charge.ron.ron", "charge.ron"),
        ("a/my.rec.ron.ron.ron", "a/my.rec.ron"),
    ] {
        assert_eq!(
            with_ending(Path::new(typed), "ron"),
            Path::new(name),
            "{typed}"
        );
    }
}

#[test]
fn the_title_and_the_buttons_of_a_dialog_lie_in_the_window() {
    for (width, height) in [
        (640.0, 400.0),
        (640.0, 480.0),
        (720.0, 450.0),
        (1280.0, 800.0),
    ] {
        let window = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let dialog = FileDialog::new().title("Save scene as");
        let dialog = dialog.add_save_extension("Scene", "ron");
        let mut dialog = fitted(dialog.default_save_extension("Scene"), window.size());
        dialog.save_file();
        let mut drawn = Vec::new();
        for _ in 0..4 {
            let input = RawInput {
                screen_rect: Some(window),
                ..RawInput::default()
            };
            let output = ctx.run(input, |ctx| {
                update(ctx, &Palette::DARK, &mut dialog);
            });
            drawn = output.shapes;
        }
        for words in ["Save scene as", "Cancel", "Save"] {
            let mut all = drawn.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text().ends_with(words) => {
                    Some(text.visual_bounding_rect())
                }
                _ => None,
            });
            let found = all.next().expect(words);
            assert!(
                window.contains_rect(found),
                "{words} at {found:?} in {window:?}"
            );
        }
        // The name of the file and its ending are one line.
        let [name, ending] = ["File name:", "Scene (.ron)"].map(|words| {
            let mut all = drawn.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text() == words => {
                    Some(text.galley.rect.translate(text.pos.to_vec2()).center().y)
                }
                _ => None,
            });
            all.next().expect(words)
        });
        assert!((name - ending).abs() <= 1.0, "{name} {ending}");
    }
}

#[test]
fn the_last_row_of_a_dialog_is_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        let path = folder.path().join(format!("row-{number:02}.ron"));
        std::fs::write(path, "").expect("a file");
    }
    for (window, saves) in [
        vec2(640.0, 400.0),
        vec2(640.0, 480.0),
        vec2(720.0, 450.0),
        vec2(1280.0, 800.0),
    ]
    .into_iter()
    .flat_map(|window| [(window, true), (window, false)])
    {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let dialog = FileDialog::new()
            .initial_directory(folder.path().to_path_buf())
            .add_file_filter_extensions("Scenes (*.ron)", vec!["ron"])
            .default_file_filter("Scenes (*.ron)")
            .add_save_extension("Scene", "ron")
            .default_save_extension("Scene");
        let mut dialog = fitted(dialog, window);
        match saves {
            true => dialog.save_file(),
            false => dialog.pick_file(),
        }
        // Each row that is drawn, and the rectangle beyond which nothing of it is seen.
        let mut rows: Vec<(Rect, Rect)> = Vec::new();
        // The folder is read beside the window, and the first frames settle the layout.
        let mut settled = 0;
        for _ in 0..2000 {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, window)),
                ..RawInput::default()
            };
            let output = ctx.run(input, |ctx| update(ctx, &Palette::DARK, &mut dialog));
            let of_row = |clipped: &ClippedShape| match &clipped.shape {
                Shape::Text(text) if text.galley.text().contains("row-") => {
                    let words = text.galley.rect.translate(text.pos.to_vec2());
                    Some((words, clipped.clip_rect))
                }
                _ => None,
            };
            rows = output.shapes.iter().filter_map(of_row).collect();
            rows.retain(|(words, clip)| words.y_range().intersects(clip.y_range()));
            settled += usize::from(!rows.is_empty());
            if settled > 4 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let words = format!("{window} {saves}: {rows:?}");
        assert!((2..40).contains(&rows.len()), "{words}");
        for (row, clip) in rows {
            assert!(row.bottom() <= clip.bottom(), "{words}");
        }
    }
}

/// A dialog that opens a file of a folder, without a window.
struct Opening {
    ctx: Context,
    dialog: FileDialog,
    /// How often a search was entered that has found nothing.
    not_found: usize,
}

impl Opening {
    /// Of these files of a folder the first that the letters find is highlighted, and they stand in the search.
    fn of(folder: &Path, names: &[&str], letters: &str) -> Self {
        for name in names {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let mut dialog = FileDialog::new().initial_directory(folder.to_path_buf());
        dialog.config_mut().keybindings.edit_path.push(EDIT_PATH);
        dialog.pick_file();
        let mut opening = Self {
            ctx,
            dialog,
            not_found: 0,
        };
        // The folder is read beside the window.
        for _ in 0..20 {
            opening.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(10));
        }
        opening.frame(vec![Event::Text(letters.to_owned())]);
        for _ in 0..3 {
            assert_eq!(opening.frame(Vec::new()), None);
        }
        opening
    }

    /// Draws a frame, and gives the file that is picked in it.
    fn frame(&mut self, events: Vec<Event>) -> Option<PathBuf> {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0))),
            events,
            ..RawInput::default()
        };
        let (ctx, dialog) = (&self.ctx, &mut self.dialog);
        let mut picked = Picked::Nothing;
        let _ = ctx.run(input, |ctx| picked = pick(ctx, &Palette::DARK, dialog));
        match picked {
            Picked::Nothing => None,
            Picked::File(path) => Some(path),
            Picked::NotFound => {
                self.not_found += 1;
                None
            }
        }
    }

    /// Presses a key, and gives the file that is picked by that and in the frames after it.
    fn press(&mut self, key: Key, modifiers: Modifiers) -> Option<PathBuf> {
        let event = |pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        let mut picked = self.frame(vec![event(true)]);
        for events in [vec![event(false)], Vec::new(), Vec::new()] {
            let later = self.frame(events);
            picked = picked.or(later);
        }
        picked
    }
}

#[test]
fn return_in_the_search_of_a_dialog_opens_the_file_that_it_has_found() {
    let folder = tempfile::tempdir().expect("a folder");
    // As the dialog knows it.
    let root = folder.path().canonicalize().expect("a folder");
    let mut opening = Opening::of(&root, &["first.ron", "second.ron"], "sec");
    let found = opening.press(Key::Enter, Modifiers::NONE);
    assert_eq!(found, Some(root.join("second.ron")));
}

#[test]
fn return_in_a_search_that_has_found_nothing_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let mut opening = Opening::of(&root, &["first.ron", "second.ron"], "zzz");
    assert_eq!(opening.not_found, 0);
    assert_eq!(opening.press(Key::Enter, Modifiers::NONE), None);
    assert_eq!(opening.not_found, 1);
    assert!(is_open(&opening.dialog));
}

#[test]
fn return_in_an_empty_search_says_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let mut opening = Opening::of(&root, &[], "z");
    assert_eq!(opening.press(Key::Backspace, Modifiers::NONE), None);
    opening.press(Key::Enter, Modifiers::NONE);
    assert_eq!(opening.not_found, 0);
}

#[test]
fn what_the_search_does_not_find_is_said_in_the_dialog_until_somebody_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let Opening { ctx, dialog, .. } = Opening::of(&root, &["first.ron"], "zzz");
    let (mut app, mut dialogs) = (App::at_first(), Dialogs::default());
    dialogs.open = Some(dialog);
    app.notice = None;
    let window = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0));
    let mut frame = |dialogs: &mut Dialogs, key: Option<Key>| {
        let event = key.map(pressed);
        let input = RawInput {
            screen_rect: Some(window),
            events: event.into_iter().collect(),
            ..RawInput::default()
        };
        let output = ctx.run(input, |ctx| dialogs.show(ctx, &mut app, &Palette::DARK));
        assert!(app.notice.is_none(), "over the field nobody reads it");
        let of = |clipped: &ClippedShape| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == NOT_FOUND => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        };
        output.shapes.iter().find_map(of)
    };
    assert_eq!(frame(&mut dialogs, None), None);
    frame(&mut dialogs, Some(Key::Enter));
    frame(&mut dialogs, None);
    let said = frame(&mut dialogs, None).expect("it is said");
    let dialog = dialogs.open.as_ref().expect("it is open").get_window_id();
    let of_dialog = ctx.memory(|memory| memory.area_rect(dialog));
    let of_dialog = of_dialog.expect("it is drawn");
    assert!(of_dialog.contains_rect(said), "{said:?}");
    frame(&mut dialogs, Some(Key::Backspace));
    assert_eq!(frame(&mut dialogs, None), None);
    // Nor is it of the next dialog.
    dialogs.is_not_found = true;
    frame(&mut dialogs, Some(Key::Escape));
    frame(&mut dialogs, None);
    assert!(dialogs.open.is_none() && !dialogs.is_not_found);
}

#[test]
fn return_in_the_way_to_a_folder_opens_no_file_that_is_highlighted() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let mut opening = Opening::of(&root, &["first.ron", "second.ron"], "sec");
    // An arrow goes on from the search to its list.
    assert_eq!(opening.press(Key::ArrowDown, Modifiers::NONE), None);
    let highlighted = opening.dialog.selected_entry().map(|it| it.to_path_buf());
    assert_eq!(highlighted, Some(root.join("second.ron")));
    assert_eq!(opening.press(Key::L, Modifiers::CTRL), None);
    let focused = opening.ctx.memory(|memory| memory.focused());
    let types = focused.is_some_and(|id| TextEdit::load_state(&opening.ctx, id).is_some());
    assert!(types, "the way to the folder is typed");
    // It leads to where one is.
    assert_eq!(opening.press(Key::Enter, Modifiers::NONE), None);
    assert!(matches!(opening.dialog.state(), DialogState::Open));
    // Once it is gone, Return means the list again.
    let found = opening.press(Key::Enter, Modifiers::NONE);
    assert_eq!(found, Some(root.join("second.ron")));
}

#[test]
fn a_file_of_a_table_is_called_by_what_the_table_is_of() {
    let names = ["structures", "linked-grid-cell_size"];
    let called = names.map(|table| Kind::Table.first_name("towns.ron", table));
    assert_eq!(
        called,
        ["towns-structures.csv", "towns-linked-grid-cell_size.csv"]
    );
    assert_eq!(Kind::Plots.first_name("towns.ron", ""), "towns-plots.csv");
}

#[test]
fn a_table_of_the_late_loads_waits_until_it_is_known_who_is_on_the_way() {
    let (mut app, ctx) = (App::at_first(), Context::default());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (session, _) = Session::new(scene, path.parent().expect("a folder"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("late.csv");
    for kind in [Kind::Late, Kind::Counters] {
        app.stream = Some(Stream::looking(false));
        let mut dialogs = Dialogs::default();
        let frame = |dialogs: &mut Dialogs, app: &mut App| {
            let show = |ctx: &Context| dialogs.save_what_is_known(ctx, app);
            let _ = ctx.run(RawInput::default(), show);
        };
        dialogs.save_picked(&mut app, file.clone(), kind);
        frame(&mut dialogs, &mut app);
        // As long as it waits it is asked for.
        assert!(dialogs.are_saving() && dialogs.gathering.len() == 1);
        let mut picture = Box::<TourPicture>::default();
        let ask = TourAsk {
            pending: true,
            ..TourAsk::default()
        };
        let world = session.world().expect("a world");
        world.picture(&ask, &mut picture);
        let stream = app.stream.as_mut().expect("a world");
        stream.show(&mut picture);
        frame(&mut dialogs, &mut app);
        assert!(!dialogs.are_saving());
        // What is known is saved at once.
        dialogs.save_picked(&mut app, file.clone(), kind);
        assert!(!dialogs.are_saving());
    }
    // Of a scene that has gone nothing is saved.
    let other = app.session() + 1;
    let mut dialogs = Dialogs {
        gathering: vec![Gathering {
            session: other,
            ..waiting(&app, file, Instant::now())
        }],
        ..Dialogs::default()
    };
    dialogs.save_gathered(&mut app, true);
    assert!(!dialogs.are_saving());
    let notice = app.notice.as_ref().expect("a word");
    assert!(notice.text.contains("not saved"), "{notice:?}");
}

/// A table of the late loads that waits since then.
fn waiting(app: &App, path: PathBuf, since: Instant) -> Gathering {
    Gathering {
        path,
        kind: Kind::Late,
        session: app.session(),
        since,
    }
}

#[test]
fn a_table_that_is_picked_as_the_window_closes_is_whole_before_the_program_ends() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let cancel = Cancel::default();
    for action in [
        Action::Tune("mbps".to_owned(), "0.05".to_owned()),
        Action::Speed(150.0),
        Action::Follow("ride".to_owned()),
    ] {
        session.apply(action, false, &cancel).expect("a world");
    }
    for _ in 0..600 {
        session.tick(&cancel, &mut ()).expect("a tick");
    }
    let mut app = App::at_first();
    let ask = TourAsk {
        pending: true,
        ..TourAsk::default()
    };
    let mut picture = Box::<TourPicture>::default();
    let world = session.world().expect("a world");
    world.picture(&ask, &mut picture);
    let mut stream = Stream::looking(false);
    stream.show(&mut picture);
    app.stream = Some(stream);
    app.place.marks = Arc::clone(session.timeline().marks().list());
    app.place.tick = session.tick_count();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("late.csv");
    let mut dialogs = Dialogs::default();
    dialogs.save_picked(&mut app, file.clone(), Kind::Late);
    dialogs.save_at_once(&mut app);
    assert!(app.wait_for_writers(LONG));
    let text = std::fs::read_to_string(&file).expect("the table");
    assert!(text.contains(",pending,"), "{text}");
    assert_eq!(text, export::late_csv(&app));
    app.serve_writers();
    let notice = app.notice.as_ref().expect("a word");
    assert!(
        notice.text.starts_with("The late loads that are known are"),
        "{notice:?}"
    );
}

#[test]
fn the_end_waits_for_what_is_being_written_but_not_for_ever_and_says_what_is_not() {
    let mut app = App::at_first();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    app.write_beside("late.csv".into(), move |_: &Path| {
        wait.recv()
            .map_or(Ok(String::new()), |()| Err("Full.".to_owned()))
    });
    assert!(!app.wait_for_writers(Duration::from_millis(30)));
    go.send(()).expect("somebody who writes");
    assert_eq!(app.finish_writing(), Err("Full.".to_owned()));
    assert_eq!(app.finish_writing(), Ok(()));
}

#[test]
fn of_a_writer_that_has_panicked_it_is_said_that_it_failed_and_not_that_it_is_slow() {
    let mut app = App::at_first();
    let fails = |app: &mut App| {
        app.write_beside("late.csv".into(), |_: &Path| {
            panic!("a disk that is no disk")
        });
    };
    fails(&mut app);
    assert!(app.wait_for_writers(LONG));
    app.serve_writers();
    let notice = app.notice.take().expect("a word");
    assert!(
        notice.failed
            && notice
                .text
                .starts_with("late.csv: not saved: writing failed"),
        "{notice:?}"
    );
    // It is said once, and at the end as before it.
    assert_eq!(app.finish_writing(), Ok(()));
    fails(&mut app);
    let said = app.finish_writing().expect_err("it failed");
    assert_eq!(said, notice.text);
}

#[test]
fn a_table_that_waits_is_saved_as_it_is_known_where_nobody_waits_any_longer() {
    let folder = tempfile::tempdir().expect("a folder");
    let long_ago = Instant::now().checked_sub(PATIENCE).expect("a moment");
    type Save = fn(&mut Dialogs, &mut App);
    let save: [(&str, Save); 5] = [
        ("patience", |dialogs, app| dialogs.save_gathered(app, false)),
        ("hidden", Dialogs::go_on_unseen),
        ("end", Dialogs::save_at_once),
        ("new", |dialogs, app| dialogs.go(app, Leaving::New)),
        ("open", |dialogs, app| {
            dialogs.go(app, Leaving::Open(PathBuf::from("scenes/none.ron")));
        }),
    ];
    for (name, save) in save {
        let mut app = App::at_first();
        app.stream = Some(Stream::looking(false));
        let file = folder.path().join(name).with_extension("csv");
        let since = match name {
            "patience" => long_ago,
            _ => Instant::now(),
        };
        let mut dialogs = Dialogs {
            gathering: vec![waiting(&app, file.clone(), since)],
            ..Dialogs::default()
        };
        save(&mut dialogs, &mut app);
        assert!(!dialogs.are_saving(), "{name}");
        assert!(app.wait_for_writers(LONG));
        assert!(file.exists(), "{name}");
        // What it lacks is said.
        app.serve_writers();
        let notice = app.notice.as_ref().expect("a word");
        assert!(
            notice
                .text
                .starts_with("Of objects on their way it is not known yet"),
            "{name}: {notice:?}"
        );
    }
}
