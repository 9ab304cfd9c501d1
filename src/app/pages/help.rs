//! The help: a page of what the window does, and a page of what the words beside its numbers mean.

use super::{FRAMED, HIGHEST, page_frame, page_height};
use crate::app::commands::{Command, KEYS, MOUSE, table};
use crate::app::finder::spaced;
use crate::app::glossary::TABLE;
use crate::app::knob_words;
use crate::app::layout::docked;
use crate::app::palette::Palette;
use crate::app::state::{App, HelpPage};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    GUTTER, baseline, focus_first, hint_words, name_it, place, scroll_by_keys, segments_in,
    show_cut, structure_help,
};
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Align, Align2, Context, Id, Label, Layout, Margin, Modal, Rect, RichText, ScrollArea, Sense,
    Stroke, TextEdit, TextFormat, Ui, pos2, vec2,
};
use skirmish::structure::{AnyKind, StructureKind};

/// The words over the pages, and what they are.
const PAGES: [(&str, &str); 2] = [
    ("Guide", "Mouse, keys, structures and sources."),
    (
        "Words",
        "What every word beside a number means, in a sentence.",
    ),
];

/// Draws the page that is open, if one is.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    let Some(mut page) = app.pages.help.take() else {
        return;
    };
    let screen = ctx.screen_rect();
    let size_of_page = vec2(
        (screen.width() - 80.0).min(860.0),
        page_height(screen.height()).clamp(140.0, HIGHEST),
    );
    let mut is_closed = false;
    let shown = Modal::new(Id::new("help"))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(size_of_page.x);
            ui.set_height(size_of_page.y - FRAMED);
            is_closed = header(ui, palette, &mut page);
            ui.add_space(8.0);
            match &mut page {
                HelpPage::Guide => {
                    let output = ScrollArea::vertical()
                        .drag_to_scroll(false)
                        .id_salt("guide")
                        .auto_shrink(false)
                        .show(ui, |ui| {
                            ui.set_max_width(ui.available_width() - GUTTER);
                            guide(ui, palette);
                        });
                    scroll_by_keys(ui, &output, false);
                    show_cut(ui, palette, &output);
                }
                HelpPage::Words(typed) => words(ui, palette, typed),
            }
        });
    if !(is_closed || shown.backdrop_response.clicked()) {
        app.pages.help = Some(page);
    }
}

/// The title, the words that choose a page, and a button that closes it: whether that was clicked.
fn header(ui: &mut Ui, palette: &Palette, page: &mut HelpPage) -> bool {
    /// In less room there is no title, and in less than the other no line beside it.
    const WITH_TITLE: f32 = 400.0;
    const WITH_LINE: f32 = 520.0;
    let mut is_closed = false;
    ui.horizontal(|ui| {
        let room = ui.available_width();
        if room >= WITH_TITLE {
            ui.label(
                RichText::new("Skirmish")
                    .size(size::RATIO)
                    .color(palette.text),
            );
        }
        if room >= WITH_LINE {
            ui.label(
                RichText::new("who is near whom?")
                    .size(size::SECOND)
                    .color(palette.text_third),
            );
            ui.add_space(16.0);
        }
        let width = 170.0_f32.min(room * 0.5);
        let (rect, _) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
        let chosen = match page {
            HelpPage::Guide => 0,
            HelpPage::Words(_) => 1,
        };
        let (id, color) = ("help", palette.accent);
        match segments_in(ui, palette, id, rect, &PAGES, Some(chosen), color) {
            Some(0) => *page = HelpPage::Guide,
            Some(_) => {
                *page = HelpPage::Words(String::new());
                // Who chose it by keys wants to type next, and not to choose it again.
                ui.memory_mut(|memory| memory.stop_text_input());
            }
            None => {}
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let response = ui.button("Close (Esc)");
            place(ui.ctx(), "help.close", response.rect);
            is_closed = response.clicked();
        });
    });
    is_closed
}

/// The line in which words are sought, and the table below it.
fn words(ui: &mut Ui, palette: &Palette, typed: &mut String) {
    let mut is_sought = false;
    ui.horizontal(|ui| {
        let edit = TextEdit::singleline(typed)
            .hint_text(hint_words(
                palette,
                "Which word? climbs, p99, capacity \u{2026}",
            ))
            .margin(Margin::symmetric(8, 5))
            .desired_width(320.0_f32.min(ui.available_width() - 24.0));
        let response = ui.add(edit);
        place(ui.ctx(), "help.text", response.rect);
        name_it(&response, "Word");
        focus_first(ui, &response);
        is_sought = response.has_focus();
        ui.add_space(8.0);
        let count = listed(&typed.to_lowercase()).len();
        let wide = ui.available_width() > 480.0;
        let words = if typed.trim().is_empty() && wide {
            format!("{count} words, structures and knobs; each says the same under the cursor")
        } else if typed.trim().is_empty() {
            format!("{count} words, structures and knobs")
        } else {
            format!(
                "{count} of {} words, structures and knobs",
                listed("").len()
            )
        };
        let words = RichText::new(words)
            .size(size::DESCRIPTION)
            .color(palette.text_third);
        if ui.available_width() > 120.0 {
            ui.add(Label::new(words).truncate());
        }
    });
    ui.add_space(6.0);
    let mut area = ScrollArea::vertical()
        .drag_to_scroll(false)
        .id_salt("words")
        .auto_shrink(false);
    // What is found of other letters is read from its head.
    let sought = ui.id().with("sought");
    let before = ui.data(|data| data.get_temp::<String>(sought));
    if before.as_deref() != Some(typed.as_str()) {
        area = area.vertical_scroll_offset(0.0);
        ui.data_mut(|data| data.insert_temp(sought, typed.clone()));
    }
    let output = area.show(ui, |ui| {
        let wanted = typed.to_lowercase();
        let is_whole = wanted.trim().is_empty();
        let mut letter = None;
        let listed = listed(&wanted);
        for word in &listed {
            let first = word.name.chars().next().map(initial);
            let is_new = is_whole && first != letter;
            letter = first;
            row(ui, palette, word, first.filter(|_| is_new));
        }
        if listed.is_empty() {
            let words =
                "No number has such a word beside it, and no structure such a name or knob.";
            ui.label(RichText::new(words).color(palette.text_third));
        }
    });
    scroll_by_keys(ui, &output, is_sought);
    show_cut(ui, palette, &output);
}

/// A word, a structure or a knob as the page lists it.
struct Line {
    name: &'static str,
    of: &'static str,
    means: &'static str,
}

/// A word for several: leaves of a leaf.
fn plural(one: &str) -> String {
    match one.strip_suffix('f') {
        Some(stem) => format!("{stem}ves"),
        None => format!("{one}s"),
    }
}

/// The words, structures and knobs in whose rows all of these stand somewhere, in small letters, or the words for several of them; first the
/// one that is called so, then those whose names have them. They are in the order of the alphabet.
fn listed(wanted: &str) -> Vec<Line> {
    let words = TABLE.iter().map(|word| Line {
        name: word.name,
        of: word.of,
        means: word.means,
    });
    let knobs = knob_words::all().iter().map(|knob| Line {
        name: knob.name,
        of: &knob.of,
        means: knob.help,
    });
    let structures = StructureKind::ALL.iter().map(|kind| Line {
        name: kind.info().name,
        of: match kind {
            StructureKind::Plane(_) => "structure",
            StructureKind::Space(_) => "structure of space",
        },
        means: kind.info().what,
    });
    let has = |said: &str| {
        let said = spaced(said).to_lowercase();
        let mut words = wanted.split_whitespace();
        words.all(|word| said.contains(&*spaced(word)) || said.contains(&plural(word)))
    };
    let is_it = |name: &str| {
        let (name, wanted) = (name.to_lowercase(), wanted.trim());
        name == wanted || name == plural(wanted)
    };
    let is_meant = |line: &Line| has(&format!("{} {} {}", line.name, line.of, line.means));
    let mut lines: Vec<Line> = words
        .chain(structures)
        .chain(knobs)
        .filter(is_meant)
        .collect();
    lines.sort_by_cached_key(|line| {
        let is_symbol = !line.name.starts_with(char::is_alphabetic);
        (
            !is_it(line.name),
            !has(line.name),
            !is_symbol,
            line.name.to_lowercase(),
        )
    });
    lines
}

/// The letter under which a word stands; what begins with none stands together.
fn initial(first: char) -> char {
    if first.is_alphabetic() {
        first.to_ascii_uppercase()
    } else {
        '#'
    }
}

/// Where names and sentences begin, from the left edge.
const NAMES: f32 = 30.0;
const SENTENCES: f32 = 264.0;

/// A word with its sentence, and its letter where it is the first of it.
fn row(ui: &mut Ui, palette: &Palette, word: &Line, letter: Option<char>) {
    let width = ui.available_width() - 10.0;
    // In a narrow page the sentence stands below its word.
    let is_narrow = width < 1.6 * SENTENCES;
    let names = if is_narrow { 14.0 } else { NAMES };
    let painter = ui.painter().clone();
    let mut job = LayoutJob::default();
    let format = |font, color| TextFormat {
        font_id: font,
        color,
        ..TextFormat::default()
    };
    job.append(word.name, 0.0, format(text(size::SECOND), palette.text));
    if !word.of.is_empty() {
        let mut place = format(text(size::CAPTION), palette.text_third);
        // What stands in one row ends at one depth: so high that both stand on one line.
        let letter = |font| {
            let letter = painter.layout_no_wrap("x".to_owned(), font, palette.text);
            (letter.size().y, baseline(&letter))
        };
        let (large, small) = (letter(text(size::SECOND)), letter(text(size::CAPTION)));
        place.line_height = Some(large.0 - (large.1 - small.1));
        job.append(word.of, 8.0, place);
    }
    job.wrap.max_width = if is_narrow {
        width - names
    } else {
        SENTENCES - names - 16.0
    };
    let name = painter.layout_job(job);
    let means = painter.layout(
        word.means.to_owned(),
        text(size::SECOND),
        palette.text_second,
        if is_narrow {
            (width - names).max(40.0)
        } else {
            width - SENTENCES
        },
    );
    let above = if letter.is_some() { 8.0 } else { 0.0 };
    let shift = if is_narrow { name.size().y + 1.0 } else { 0.0 };
    let height = above + name.size().y.max(shift + means.size().y) + 7.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let top = rect.top() + above;
    if let Some(letter) = letter {
        let line = Rect::from_x_y_ranges(rect.x_range(), rect.top()..=top);
        let stroke = Stroke::new(1.0, palette.line);
        painter.hline(line.x_range(), rect.top() + 2.0, stroke);
        painter.text(
            pos2(rect.left() + 2.0, top),
            Align2::LEFT_TOP,
            letter,
            number(size::SECOND),
            palette.text_third,
        );
    }
    painter.galley(pos2(rect.left() + names, top), name, palette.text);
    let left = if is_narrow { names } else { SENTENCES };
    let at = pos2(rect.left() + left, top + shift);
    painter.galley(at, means, palette.text_second);
}

fn paragraph(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.label(
        RichText::new(words)
            .size(size::LABEL)
            .color(palette.text_second),
    );
    ui.add_space(6.0);
}

fn heading(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.add_space(8.0);
    ui.label(
        RichText::new(words)
            .size(size::NAME + 1.5)
            .color(palette.text),
    );
    ui.add_space(2.0);
}

/// What the hand does, and beside it what that does. Both are wrapped, so that they fit the page however narrow it is.
fn lines<'a>(ui: &mut Ui, palette: &Palette, lines: impl Iterator<Item = (&'a str, &'a str)>) {
    let width = ui.available_width() - 10.0;
    let left = (width * 0.4).clamp(60.0, 230.0);
    let painter = ui.painter().clone();
    for (input, does) in lines {
        let font = number(size::SECOND);
        let input = painter.layout(input.to_owned(), font, palette.text, left - 12.0);
        let room = (width - left).max(40.0);
        let font = text(size::SECOND);
        let does = painter.layout(does.to_owned(), font, palette.text_second, room);
        let height = input.size().y.max(does.size().y) + 5.0;
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        painter.galley(rect.min, input, palette.text);
        let at = rect.min + vec2(left, 0.0);
        painter.galley(at, does, palette.text_second);
    }
}

fn guide(ui: &mut Ui, palette: &Palette) {
    // In a narrow window a panel is a drawer.
    let docked = docked(ui.ctx().screen_rect().width());
    let [left, right] = [("left", docked[0]), ("right", docked[1])].map(|(side, is_docked)| {
        if is_docked {
            format!("on the {side}")
        } else {
            format!("in the drawer at the {side} edge")
        }
    });
    let armies = format!(
        "Two armies fight on the field. Every tick each unit asks who is near, and the structure chosen {left} \
         answers. What is drawn over the field is that structure at work; the counters {right} are its own."
    );
    paragraph(ui, palette, &armies);
    paragraph(
        ui,
        palette,
        "Switch the structure while the battle goes on: the outcome never changes, only the cost. Turn its knobs, place \
         units with the brush, and watch the tests. The Compare view shows up to four structures over one battle, and who leads \
         at what. In the Streaming view drag the character: objects load ahead of it \
         and unload behind it; a box selects objects, to be moved, copied and deleted while the world streams. In the Volume view the same happens in space: drag to look from elsewhere, and cut it open with \
         the slice.",
    );
    heading(ui, palette, "Mouse");
    lines(
        ui,
        palette,
        MOUSE.iter().map(|(input, does)| (*input, *does)),
    );
    heading(ui, palette, "Keys");
    lines(
        ui,
        palette,
        KEYS.iter().map(|(input, does)| (*input, *does)),
    );
    ui.add_space(6.0);
    // What many keys have in common is said once, above.
    let rows = table()
        .iter()
        .filter(|row| !matches!(row.command, Command::Structure(_) | Command::Pan(..)));
    let rows: Vec<_> = rows
        .filter(|row| !row.shortcuts.is_empty())
        .map(|row| {
            let keys: Vec<_> = row.shortcuts.iter().map(|key| key.label()).collect();
            (keys.join("  or  "), row.help.as_str())
        })
        .collect();
    lines(
        ui,
        palette,
        rows.iter().map(|(keys, help)| (keys.as_str(), *help)),
    );
    heading(ui, palette, "Structures");
    for kind in StructureKind::ALL {
        structure_help(ui, palette, kind.info());
        ui.add_space(10.0);
    }
    heading(ui, palette, "Sources");
    for source in [
        "Robert Nystrom, Game Programming Patterns (2014), chapter \"Spatial Partition\"",
        "goldpotion, Quadtree for Seamless Loading (2011)",
        "yazilimperver, BasicQuadtree",
    ] {
        paragraph(ui, palette, source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_what_a_structure_is_reads_it_first() {
        for kind in StructureKind::ALL {
            let name = kind.info().name;
            let lines = listed(&name.to_lowercase());
            let place = lines.iter().position(|it| it.means == kind.info().what);
            // Before it others of whose name this is a part, and its namesake in space.
            assert!(place.is_some_and(|at| at < 6), "{name}: {place:?}");
        }
    }

    #[test]
    fn a_word_for_several_is_found_first_by_that_for_one() {
        for (typed, name) in [("leaf", "leaves"), ("node", "nodes"), ("pair", "pairs")] {
            let lines = listed(typed);
            let first = lines.first().map(|line| line.name);
            assert_eq!(first, Some(name));
        }
    }

    #[test]
    fn a_knob_is_found_among_the_words_by_its_name() {
        for (typed, of) in [
            ("capacity", "quadtree"),
            ("leaf size", "k-d tree"),
            ("leaf", "BSP tree"),
            ("cell size", "linked grid"),
            ("cell_size", "linked grid"),
            ("cell-size", "linked grid"),
        ] {
            let lines = listed(typed);
            let knob = lines
                .iter()
                .position(|line| line.of.starts_with("knob of ") && line.of.contains(of));
            assert!(knob.is_some_and(|at| at < 12), "{typed}: {knob:?}");
        }
        let count = TABLE.len() + StructureKind::ALL.len() + knob_words::all().len();
        assert_eq!(listed("").len(), count);
        assert!(listed("no such thing at all").is_empty());
    }
}
