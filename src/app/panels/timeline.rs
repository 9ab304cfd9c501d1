//! The timeline: time itself (run, pause, step, restart, pace) and all that is known of it, from the beginning to the last tick:
//! what each tick cost, what happened when, and where the present one lies. A press or a drag goes there.

use crate::app::commands::{Command, keys_of, row};
use crate::app::layout::docked;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, RunMode};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    Icon, Slider, Track, asked_way, baseline, focus_ring, place, take_wanted, tell_button,
    tell_way, typed_figure, with_commas, without_the_unseen,
};
use egui_macroquad::egui::{
    Align2, CornerRadius, Galley, Mesh, Painter, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

mod marks;
mod stops;

/// How much of its colour is left of the curve after now, and of that of other runs than the one of now.
const TO_COME: f32 = 0.38;
const BEFORE: f32 = 0.6;

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Draws the panel.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let whole = ui.max_rect();
    let edge = whole.expand2(vec2(layout::PADDING, 0.0));
    let line = Stroke::new(1.0, palette.line);
    ui.painter().hline(edge.x_range(), whole.top(), line);
    let middle = whole.center().y;
    let row = Rect::from_x_y_ranges(whole.x_range(), (middle - 15.0)..=(middle + 15.0));
    let right = pace(ui, app, palette, row);
    let left = transport(ui, app, palette, row, right);
    let rect = Rect::from_min_max(
        pos2(left, whole.top() + 4.0),
        pos2(right - layout::BEFORE_PACE, whole.bottom()),
    );
    // Narrower than this it cannot be aimed at.
    if rect.width() > 60.0 {
        course(ui, app, palette, rect);
    }
}

/// Restart, step back, run, step, and the tick. Gives where that ends.
fn transport(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, right: f32) -> f32 {
    let mut left = rect.left();
    let running = app.mode == RunMode::Running;
    for (command, icon, on) in [
        (Command::Restart, Icon::Again, false),
        (Command::StepBack, Icon::Back, false),
        (
            Command::TogglePause,
            if running { Icon::Pause } else { Icon::Play },
            running,
        ),
        (Command::Step, Icon::On, false),
    ] {
        let button = Rect::from_min_size(pos2(left, rect.top() + 3.0), vec2(28.0, 24.0));
        let Some(entry) = row(command) else { continue };
        let response = ui.interact(
            button,
            ui.id().with(("transport", entry.title.as_str())),
            Sense::click(),
        );
        place(
            ui.ctx(),
            &format!("run.{}", entry.title.to_lowercase()),
            button,
        );
        tell_button(&response, &entry.title);
        let fill = if response.hovered() {
            palette.hover
        } else {
            palette.raised
        };
        let border = if on { palette.accent } else { palette.line };
        let painter = ui.painter();
        painter.rect(
            button,
            CornerRadius::same(4),
            fill,
            Stroke::new(1.0, border),
            StrokeKind::Inside,
        );
        focus_ring(ui, palette, &response, button);
        icon.draw(painter, button.center(), palette.text);
        if response.clicked() {
            app.run(command);
        }
        response.on_hover_text(format!("{} ({})", entry.help, keys_of(command)));
        left += layout::BUTTONS;
    }
    let button = Rect::from_min_size(pos2(left, rect.top() + 3.0), vec2(28.0, 24.0));
    stops::show(ui, app, palette, button);
    left += layout::BUTTONS;
    let tick = ui.painter().layout_no_wrap(
        with_commas(app.place.tick),
        number(size::LABEL),
        palette.text,
    );
    let unit =
        ui.painter()
            .layout_no_wrap("tick".to_owned(), text(size::CAPTION), palette.text_third);
    let middle = rect.center().y;
    let ends = left + 8.0 + tick.size().x;
    if ends > right {
        if take_wanted(ui.ctx(), TICK).is_some() {
            app.say("There is no room here to type a tick: type it behind the name of the command, as in 'go to 2664'.");
        }
        return right;
    }
    let all = ends + 5.0 + unit.size().x;
    let area = Rect::from_x_y_ranges(left + 5.0..=all.min(right), middle - 10.0..=middle + 10.0);
    let is_typed = tick_figure(ui, app, palette, area);
    if !is_typed {
        let top = middle - tick.size().y / 2.0;
        // On one line with the figure, whose letters are larger.
        let lower = baseline(&tick) - baseline(&unit);
        let painter = ui.painter();
        painter.galley(pos2(left + 8.0, top), tick, palette.text);
        if all <= right {
            painter.galley(pos2(ends + 5.0, top + lower), unit, palette.text_third);
        }
    }
    if all > right {
        return right;
    }
    // The digits of the tick come and go; the way of time does not move for it.
    (rect.left() + layout::WAY).max(all + 14.0)
}

/// What reports and wishes call the figure of the tick.
const TICK: &str = "tick";

/// The figure of the tick as something to be typed: time goes there. Whether it is being typed, and is not to be drawn.
fn tick_figure(ui: &mut Ui, app: &mut App, palette: &Palette, area: Rect) -> bool {
    let help = format!(
        "The tick that is shown, of {} that are known. Time goes to the one that is typed, and stops there.",
        with_commas(app.place.end)
    );
    let what = Slider {
        id: TICK,
        name: "tick",
        help: &help,
        unit: "",
        track: Track {
            min: 0.0,
            max: app.place.end as f64,
            logarithmic: false,
            whole: true,
        },
    };
    let (is_typed, tick) = typed_figure(ui, palette, &what, app.place.tick as f64, area);
    if let Some(tick) = tick {
        app.seek(tick as u64);
    }
    is_typed
}

/// The course of time, in its part of the whole panel.
fn course(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    place(ui.ctx(), "timeline", rect);
    let response = ui.interact(rect, ui.id().with("timeline"), Sense::click_and_drag());
    tell_way(&response, "Timeline, tick", app.place.tick as f64);
    match asked_way(ui, &response) {
        way if way > 0.0 => app.seek((app.place.tick + way as u64).min(app.place.end)),
        way if way < 0.0 => app.seek(app.place.tick.saturating_sub(-way as u64)),
        _ => {}
    }
    let end = app.place.end.max(1);
    let is_low = rect.height() < 60.0;
    // Marks above, the curve, the axis with its numbers below.
    let body = Rect::from_min_max(
        rect.min + vec2(0.0, if is_low { 10.0 } else { 20.0 }),
        pos2(rect.right(), rect.bottom() - 16.0),
    );
    let x_of = |tick: u64| body.left() + body.width() * (tick as f64 / end as f64) as f32;
    let known = Arc::clone(&app.place.marks);
    let heaviest = app.place.heaviest.filter(|_| app.place.end > 1);
    let row = marks::row(body, is_low);
    let spots = marks::spots(
        (&known, app.place.world_made),
        heaviest,
        &x_of,
        body.right(),
    );
    let pointer = ui.ctx().pointer_hover_pos().filter(|at| rect.contains(*at));
    // Before the way are the buttons of time.
    let room = (body.x_range(), row);
    let labels = marks::labels(&spots, room, &|words| marks::size_of(ui.painter(), words));
    let near = pointer.and_then(|at| marks::at(&spots, &labels, at));
    let tick_at = |x: f32| {
        let part = ((x - body.left()) / body.width()).clamp(0.0, 1.0);
        (f64::from(part) * end as f64).round() as u64
    };
    let pointed = pointer.map_or(app.place.tick, |at| tick_at(at.x));
    if let Some(at) = response.interact_pointer_pos() {
        // A press on a mark means its very tick; a drag means where it is.
        let mark = near.filter(|_| !response.dragged() && at.y < body.top());
        let tick = mark.map_or_else(|| tick_at(at.x), |mark| marks::tick(mark, at.x));
        if mark.is_some() && response.clicked() {
            app.go_to_marked(tick);
        } else {
            app.seek(tick.min(app.place.end));
        }
    }
    let now = x_of(app.place.tick).min(body.right());
    let painter = ui.painter();
    curve(painter, app, palette, body, (now, &x_of));
    axis(painter, app, palette, body, &x_of);
    let lines = (row, body.bottom());
    marks::draw(painter, palette, (lines, app.place.tick), &spots, &labels);
    // Where words stand right above the curve it begins below them.
    let above = if is_low { 0.0 } else { 4.0 };
    cursor(painter, app, palette, (body, above), now);
    // A moment that is kept may be this one.
    for (pin, is_known) in &app.pins {
        // Above the tag of the present tick.
        let at = pos2(x_of(pin.tick), body.bottom() - 5.0);
        if *is_known {
            painter.circle(at, 3.0, palette.panel, Stroke::new(1.4, palette.accent));
        }
    }
    focus_ring(ui, palette, &response, rect);
    response.on_hover_ui_at_pointer(|ui| {
        ui.set_max_width(300.0);
        let words = match near {
            Some(spots) if marks::are_to_come(spots, app.place.tick) => {
                let words = marks::words(spots);
                format!("{words}\nStill to come at the tick that is shown.")
            }
            Some(spots) => marks::words(spots),
            None => about(app, pointed),
        };
        ui.label(words);
    });
}

/// What the timeline is, for who points at it.
fn about(app: &App, pointed: u64) -> String {
    let began = app.place.world_made.min(app.place.tick);
    let mut words = format!(
        "Tick {} of {} since the scene was opened; the curve is of the tests of each. Press or drag to go there; what you change there begins another future.",
        with_commas(pointed.min(app.place.end)),
        with_commas(app.place.end)
    );
    let mut own = app
        .place
        .run_ticks
        .stretches_since(app.place.world_made)
        .peekable();
    if pointed < began {
        words += &format!(
            " What is grey is of earlier runs: the scene began anew at tick {}.",
            with_commas(began)
        );
    } else if own.peek().is_some() && !own.any(|it| it.contains(&pointed.max(1))) {
        words += " What is grey is of other runs, before or after a restart.";
    }
    if let Some(tick) = app.place.diverged_at {
        words += &format!(
            " From tick {} on it did not come out as it was recorded.",
            with_commas(tick)
        );
    }
    words
}

/// The way from left to right, cut where one run ends and another one goes on, and whether each part is of the run of now: that has the
/// ticks `own`, by stretches. A tick is where it ends.
fn parts_of(
    own: impl Iterator<Item = Range<u64>>,
    [left, right]: [f32; 2],
    x_of: impl Fn(u64) -> f32,
) -> Vec<(RangeInclusive<f32>, bool)> {
    let mut parts = Vec::new();
    let mut from = left;
    let at = |tick: u64| x_of(tick.saturating_sub(1)).clamp(left, right);
    for ticks in own {
        let (begins, ends) = (at(ticks.start), at(ticks.end));
        parts.push((from..=begins, false));
        parts.push((begins..=ends, true));
        from = ends;
    }
    parts.push((from..=right, false));
    parts.retain(|(part, _)| part.end() > part.start());
    parts
}

/// The tests of every tick; what lies after `now` is paler, and what is of other runs than that of now is grey.
fn curve(
    painter: &Painter,
    app: &App,
    palette: &Palette,
    body: Rect,
    (now, x_of): (f32, &impl Fn(u64) -> f32),
) {
    let values = &app.place.curve;
    let most = values.iter().copied().fold(0.0, f32::max);
    if values.len() < 2 || most <= 0.0 {
        return;
    }
    let color = if app.place.diverged_at.is_some() {
        palette.error
    } else {
        palette.accent
    };
    let at = |(column, value): (usize, &f32)| {
        let part = column as f32 / (values.len() - 1) as f32;
        let height = (body.height() - 4.0) * value / most;
        pos2(body.left() + body.width() * part, body.bottom() - height)
    };
    let points = without_the_unseen(values.iter().enumerate().map(at).collect());
    let own = app.place.run_ticks.stretches_since(app.place.world_made);
    let parts = parts_of(own, [body.left(), body.right()], x_of);
    let by_now = |(part, is_own): &(RangeInclusive<f32>, bool)| {
        let (color, opacity) = match is_own {
            true => (color, 1.0),
            false => (palette.text_third, BEFORE),
        };
        let (from, to) = (*part.start(), *part.end());
        let middle = now.clamp(from, to);
        [
            (from..=middle, color, opacity),
            (middle..=to, color, TO_COME),
        ]
    };
    for (range, color, opacity) in parts.iter().flat_map(by_now) {
        if range.end() <= range.start() {
            continue;
        }
        let clip = Rect::from_x_y_ranges(range, body.y_range().min - 2.0..=body.bottom() + 1.0);
        let painter = painter.with_clip_rect(clip);
        let mut mesh = Mesh::default();
        for point in &points {
            mesh.colored_vertex(*point, faded(color, 0.17 * opacity));
            mesh.colored_vertex(pos2(point.x, body.bottom()), faded(color, 0.17 * opacity));
        }
        for left in (0..points.len() as u32 - 1).map(|index| index * 2) {
            mesh.add_triangle(left, left + 1, left + 2);
            mesh.add_triangle(left + 1, left + 3, left + 2);
        }
        painter.add(mesh);
        let stroke = Stroke::new(1.2, faded(color, opacity));
        painter.add(Shape::line(points.clone(), stroke));
    }
    // Also where nothing was tested one sees where a run ends and the next one begins.
    for (next, _) in parts.iter().skip(1) {
        let line = Stroke::new(1.0, palette.text_third);
        painter.vline(*next.start(), body.y_range(), line);
    }
}

/// The floor, and the ticks below it.
fn axis(painter: &Painter, app: &App, palette: &Palette, body: Rect, x_of: &impl Fn(u64) -> f32) {
    painter.hline(
        body.x_range(),
        body.bottom(),
        Stroke::new(1.0, palette.strong_line),
    );
    let end = app.place.end.max(1);
    let step = axis_step(end, body.width());
    let y = body.bottom() + 8.0;
    let (tag, _) = tag(painter, app, palette, body, x_of(app.place.tick));
    for tick in (0..=end).step_by(step) {
        let x = x_of(tick);
        painter.vline(
            x,
            body.bottom()..=body.bottom() + 3.0,
            Stroke::new(1.0, palette.strong_line),
        );
        let align = match tick {
            0 => Align2::LEFT_CENTER,
            _ if x > body.right() - 20.0 => Align2::RIGHT_CENTER,
            _ => Align2::CENTER_CENTER,
        };
        let font = number(size::CAPTION);
        let words = painter.layout_no_wrap(with_commas(tick), font, palette.text_third);
        let area = align.anchor_size(pos2(x, y), words.size());
        // The tag of the present tick lies over these.
        if !area.expand2(vec2(6.0, 0.0)).intersects(tag) {
            painter.galley(area.min, words, palette.text_third);
        }
    }
}

/// From number to number below a way so wide to the tick `end`, in ticks.
fn axis_step(end: u64, width: f32) -> usize {
    /// One number at most for so many points, and where that would leave less than two behind the first, for so many.
    const APART: [f32; 2] = [100.0, 64.0];
    let round = |apart: f32| {
        let wished = end as f64 / f64::from((width / apart).max(1.0));
        let power = 10f64.powf(wished.log10().floor());
        let mut steps = [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power);
        let step = steps.find(|step| *step >= wished);
        step.unwrap_or(10.0 * power).max(1.0) as u64
    };
    let [wide, narrow] = APART.map(round);
    let step = if 2 * wide > end { narrow } else { wide };
    step as usize
}

/// The tag of the present tick: where it lies, and its words.
fn tag(
    painter: &Painter,
    app: &App,
    palette: &Palette,
    body: Rect,
    now: f32,
) -> (Rect, Arc<Galley>) {
    // Whoever has gone back is not in the present.
    let word = if app.place.tick < app.place.end {
        "tick"
    } else {
        "now"
    };
    let words = format!("{word} {}", with_commas(app.place.tick));
    let galley = painter.layout_no_wrap(words, number(size::CAPTION), palette.panel);
    let size = galley.size() + vec2(10.0, 2.0);
    let left = (now - size.x / 2.0)
        .min(body.right() - size.x)
        .max(body.left());
    let rect = Rect::from_min_size(pos2(left, body.bottom() + 1.0), size);
    (rect, galley)
}

/// Where the present tick is: a line over the curve, and so far `above` it.
fn cursor(painter: &Painter, app: &App, palette: &Palette, (body, above): (Rect, f32), now: f32) {
    painter.rect_filled(
        Rect::from_x_y_ranges(
            now - 1.25..=now + 1.25,
            body.top() - above..=body.bottom() + 2.0,
        ),
        CornerRadius::same(1),
        palette.mark,
    );
    let (tag, galley) = tag(painter, app, palette, body, now);
    painter.rect_filled(tag, CornerRadius::same(3), palette.text);
    painter.galley(tag.min + vec2(5.0, 1.0), galley, palette.panel);
}

/// Slower and faster, and how fast it is. Gives where it begins.
fn pace(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) -> f32 {
    /// In less room the buttons of time come first; keys and the menu change the pace.
    const LEAST: f32 = 340.0;
    let mut right = rect.right();
    if rect.width() < LEAST {
        return right;
    }
    for (command, word) in [(Command::Faster, "+"), (Command::Slower, "−")] {
        let button = Rect::from_min_size(pos2(right - 24.0, rect.top() + 3.0), vec2(24.0, 24.0));
        let response = ui.interact(button, ui.id().with(("pace", word)), Sense::click());
        place(
            ui.ctx(),
            if word == "+" {
                "pace.faster"
            } else {
                "pace.slower"
            },
            button,
        );
        tell_button(
            &response,
            row(command).map_or("", |entry| entry.title.as_str()),
        );
        let fill = if response.hovered() {
            palette.hover
        } else {
            palette.raised
        };
        ui.painter()
            .rect_filled(button, CornerRadius::same(4), fill);
        focus_ring(ui, palette, &response, button);
        ui.painter().text(
            button.center(),
            Align2::CENTER_CENTER,
            word,
            number(size::LABEL),
            palette.text,
        );
        if response.clicked() {
            app.run(command);
        }
        if let Some(entry) = row(command) {
            response.on_hover_text(format!("{} ({})", entry.help, keys_of(command)));
        }
        let between = layout::PACE - 2.0 * button.width();
        right = button.left() - if word == "+" { between } else { 0.0 };
        if word == "+" {
            let pace = if app.pace >= 1.0 {
                format!("{:.0}×", app.pace)
            } else {
                format!("1/{:.0}×", 1.0 / app.pace)
            };
            let at = pos2(button.left() - between / 2.0, rect.center().y);
            ui.painter().text(
                at,
                Align2::CENTER_CENTER,
                pace,
                number(size::LABEL),
                palette.text_second,
            );
        }
    }
    // In a narrow window the way of time ends where that of the steps does, which stands above it there.
    let [has_left, _] = docked(ui.ctx().screen_rect().width());
    if !app.fixed && has_left {
        let words = speed_in_words(app.mode, app.steps_per_second);
        let at = pos2(right - 12.0, rect.center().y);
        ui.painter().text(
            at,
            Align2::RIGHT_CENTER,
            words,
            text(size::DESCRIPTION),
            palette.text_third,
        );
        // As wide as the number ever is, so that nothing beside it moves.
        right -= 78.0;
    }
    right
}

/// How fast time passes. The figure is that of the last second: while time stands it tells of no speed.
fn speed_in_words(mode: RunMode, ticks_a_second: f32) -> String {
    match mode {
        RunMode::Running => {
            let count = ticks_a_second.round();
            let ticks = if count == 1.0 { "tick" } else { "ticks" };
            format!("{count:.0} {ticks} / s")
        }
        RunMode::Paused | RunMode::Step => "– ticks / s".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_axis_has_a_number_besides_the_first_whatever_the_last_tick_is() {
        for end in [1, 7, 30, 150, 400, 474, 520, 999, 64_772] {
            let step = axis_step(end, 220.0) as u64;
            assert!((1..=end).contains(&step), "{end}: {step}");
        }
        assert_eq!(axis_step(474, 220.0), 200);
        // With more room they stand as far apart as ever.
        assert_eq!(axis_step(474, 900.0), 100);
        assert_eq!(axis_step(400, 220.0), 200);
    }

    #[test]
    fn the_way_is_cut_where_runs_meet_and_what_is_of_another_one_is_told_apart() {
        let parts = |own: &[Range<u64>]| {
            let parts = parts_of(own.iter().cloned(), [0.0, 100.0], |tick| tick as f32);
            let words = parts
                .into_iter()
                .map(|(part, is_own)| format!("{} to {} {is_own}", part.start(), part.end()));
            words.collect::<Vec<_>>().join(", ")
        };
        let [whole, behind] = [1, 41].map(|first| first..u64::MAX);
        assert_eq!(parts(&[whole]), "0 to 100 true");
        assert_eq!(parts(&[behind]), "0 to 40 false, 40 to 100 true");
        // A restart at tick 40, taken back at tick 60.
        let both = [1..41, 61..u64::MAX];
        assert_eq!(parts(&both), "0 to 40 true, 40 to 60 false, 60 to 100 true");
        // A restart since which no tick has passed.
        assert_eq!(parts(&[]), "0 to 100 false");
    }

    #[test]
    fn while_time_stands_no_speed_is_shown() {
        assert_eq!(speed_in_words(RunMode::Running, 60.2), "60 ticks / s");
        assert_eq!(speed_in_words(RunMode::Running, 0.9), "1 tick / s");
        assert_eq!(speed_in_words(RunMode::Running, 0.2), "0 ticks / s");
        for mode in [RunMode::Paused, RunMode::Step] {
            assert_eq!(speed_in_words(mode, 60.2), "– ticks / s");
        }
    }
}
