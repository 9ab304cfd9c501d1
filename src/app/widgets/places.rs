//! Where each widget is: for the report, and for who asks whether the field is covered there.

use egui_macroquad::egui::{Context, Id, Pos2, Rect};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Where each named widget was in the last frame, in points. A test clicks where this says.
#[derive(Clone, Default)]
pub struct Places(pub BTreeMap<String, Rect>);

fn places_id() -> Id {
    Id::new("widget places")
}

/// Notes where a widget is.
pub fn place(ctx: &Context, name: &str, rect: Rect) {
    ctx.data_mut(|data| {
        let places = data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id());
        if let Ok(mut places) = places.lock() {
            places.0.insert(name.to_owned(), rect);
        }
    });
}

/// All places noted so far.
pub fn places(ctx: &Context) -> BTreeMap<String, Rect> {
    let places = ctx.data_mut(|data| {
        Arc::clone(data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id()))
    });
    places
        .lock()
        .map(|places| places.0.clone())
        .unwrap_or_default()
}

fn covers_id() -> Id {
    Id::new("covers")
}

/// Notes that something lies over the field and takes the clicks there.
pub fn cover(ctx: &Context, rect: Rect) {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .push(rect)
    });
}

/// Forgets what lay over the field in the last frame.
pub fn clear_covers(ctx: &Context) {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .clear()
    });
}

/// Whether something lies over the field here.
pub fn is_covered(ctx: &Context, at: Pos2) -> bool {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .iter()
            .any(|rect| rect.contains(at))
    })
}
