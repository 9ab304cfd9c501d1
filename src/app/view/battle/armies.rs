//! The armies and their orders, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::panel::{choices_of_side, gauges, is_unfolded};
use egui_macroquad::egui::Ui;
use skirmish::scene::{Order, Side};

/// How many there are, how far they strike, and what they are told.
pub fn armies(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !is_unfolded(ui, app, palette, "armies") {
        return;
    }
    let help =
        "How far units strike, as a multiple of what the scene says: the reach of the pair search.";
    let scale = app.battle.reach_scale();
    gauges(ui, app, palette, help, scale);
    let sides = [(Side::Blue, "blue"), (Side::Orange, "orange")];
    let counts = sides.map(|(side, _)| app.battle.count(side));
    let most = counts.into_iter().max().unwrap_or(0).into();
    for (side, count) in sides.into_iter().zip(counts) {
        orders(ui, app, palette, side, (count, most));
    }
}

fn orders(ui: &mut Ui, app: &mut App, palette: &Palette, side: (Side, &str), counts: (u32, u64)) {
    let ahead = match side.0 {
        Side::Blue => skirmish::geometry::Vec2::X,
        Side::Orange => skirmish::geometry::Vec2::NEG_X,
    };
    let all = [
        Order::Hold,
        Order::Charge,
        Order::Brawl,
        Order::March(ahead),
    ];
    let words = [
        ("Hold", "Stand, and strike who comes within reach."),
        (
            "Charge",
            "Run at the nearest enemy in sight, else at the enemy's line.",
        ),
        ("Brawl", "Wander, and strike who comes within reach."),
        (
            "March",
            "March ahead in step, and turn around at the border.",
        ),
    ];
    let present = app.battle.order(side.0);
    let kind = std::mem::discriminant::<Order>;
    let chosen = all.iter().position(|order| kind(order) == kind(&present));
    if let Some(order) = choices_of_side(ui, palette, side, counts, &words, chosen) {
        app.set_order(side.0, all[order]);
    }
}
