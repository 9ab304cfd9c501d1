//! Texts that cannot be read whole: what has been drawn is gone over, layer by layer, as a reader would.
//!
//! A text is at fault when it is cut at a side by what it stands in, reaches out of the window, runs into another text, or lies under
//! something that was drawn over it. Only what scrolls may be cut above and below. What was shortened with dots is no fault: the whole
//! is in the tooltip.

use egui_macroquad::egui::epaint::{ClippedShape, TextShape};
use egui_macroquad::egui::{Context, Id, LayerId, Order, Rect, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// Less than this is a matter of rounding, in points.
const ROUNDING: f32 = 1.0;

/// A fault that goes by itself is none: sizes settle in a frame or two.
const FRAMES: u32 = 3;

fn scrolling_id() -> Id {
    Id::new("areas that scroll")
}

/// Notes that what is in this rectangle scrolls up and down.
pub fn scrolls(ctx: &Context, area: Rect) {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(scrolling_id())
            .push(area);
    });
}

/// All faults that were seen, each once.
#[derive(Debug, Default)]
pub struct Audit {
    /// Those of the last frame, and for how many frames each has been there.
    present: BTreeMap<String, u32>,
    found: BTreeSet<String>,
}

/// A text, where it can be seen.
struct Seen {
    words: String,
    ink: Rect,
    /// Its place in the order of drawing.
    at: usize,
}

impl Audit {
    /// Goes over all that was drawn in this frame, once that is all; `scope` says what is shown.
    pub fn look(&mut self, ctx: &Context, scope: &str) {
        let scrolling: Vec<Rect> =
            ctx.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(scrolling_id())));
        let mut layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
        layers.push(LayerId::background());
        layers.dedup();
        let screen = ctx.screen_rect();
        let mut faults = BTreeSet::new();
        ctx.graphics(|graphics| {
            for layer in layers {
                if let Some(list) = graphics.get(layer) {
                    let is_ground = layer.order == Order::Background;
                    let mut say = |what: &str, words: &str| {
                        faults.insert(plain(&format!("{scope}: {what}: {words}")));
                    };
                    let shapes: Vec<&ClippedShape> = list.all_entries().collect();
                    go_over(&shapes, screen, &scrolling, is_ground, &mut say);
                }
            }
        });
        let before = std::mem::take(&mut self.present);
        for fault in faults {
            let frames = before.get(&fault).copied().unwrap_or(0) + 1;
            if frames >= FRAMES {
                self.found.insert(fault.clone());
            }
            self.present.insert(fault, frames);
        }
    }

    /// What was found.
    pub fn found(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(String::as_str)
    }
}

/// The same for every value of its numbers, and no longer than a line.
fn plain(words: &str) -> String {
    let digits = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
    words
        .replace('\n', " ")
        .chars()
        .map(digits)
        .take(160)
        .collect()
}

fn go_over(
    shapes: &[&ClippedShape],
    screen: Rect,
    scrolling: &[Rect],
    is_ground: bool,
    say: &mut dyn FnMut(&str, &str),
) {
    let mut texts = Vec::new();
    let mut covers = Vec::new();
    for (at, clipped) in shapes.iter().enumerate() {
        let clip = clipped.clip_rect.intersect(screen);
        each(&clipped.shape, &mut |shape| match shape {
            Shape::Text(text) => {
                let Some(ink) = ink(text) else { return };
                let seen = ink.intersect(clip);
                if seen.width() <= ROUNDING || seen.height() <= ROUNDING {
                    return;
                }
                let words = text.galley.text();
                if ink.left() < clip.left() - ROUNDING || ink.right() > clip.right() + ROUNDING {
                    say("cut at a side", words);
                }
                let ends = |y: f32, of: fn(Rect) -> f32| {
                    // Where a part scrolls its clip is a little larger than it.
                    let near = |area: &Rect| (of(*area) - y).abs() <= 4.0;
                    scrolling.iter().any(near) || !is_ground && (of(screen) - y).abs() > 4.0
                };
                let above = ink.top() < clip.top() - ROUNDING && !ends(clip.top(), |it| it.top());
                let below = ink.bottom() > clip.bottom() + ROUNDING
                    && !ends(clip.bottom(), |it| it.bottom());
                if above || below {
                    say("cut above or below", words);
                }
                texts.push(Seen {
                    words: words.to_owned(),
                    ink: seen.shrink(ROUNDING / 2.0),
                    at,
                });
            }
            Shape::Rect(rect) if rect.fill.a() >= 200 => {
                covers.push((at, rect.rect.intersect(clip)));
            }
            _ => {}
        });
    }
    let common = |a: Rect, b: Rect| {
        let both = a.intersect(b);
        both.width() > ROUNDING && both.height() > ROUNDING
    };
    for text in &texts {
        let mut over = covers.iter().filter(|(at, _)| *at > text.at);
        if over.any(|(_, rect)| common(text.ink, *rect)) {
            say("covered", &text.words);
        }
    }
    for (place, text) in texts.iter().enumerate() {
        for other in &texts[..place] {
            if common(text.ink, other.ink) {
                say(
                    "runs into another",
                    &format!("{} | {}", other.words, text.words),
                );
            }
        }
    }
}

/// Where the letters of a text are; nowhere where there are none that can be seen.
fn ink(text: &TextShape) -> Option<Rect> {
    let is_blank = text.galley.text().trim().is_empty();
    let bounds = text.galley.mesh_bounds;
    (!is_blank && text.opacity_factor > 0.0 && bounds.is_positive())
        .then(|| bounds.translate(text.pos.to_vec2()))
}

/// Goes through a shape and all that it is made of.
fn each(shape: &Shape, with: &mut dyn FnMut(&Shape)) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| each(shape, with)),
        shape => with(shape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{Align2, Color32, CornerRadius, FontId, RawInput, pos2, vec2};

    fn faults(draw: impl Fn(&egui_macroquad::egui::Painter)) -> Vec<String> {
        let ctx = Context::default();
        let mut audit = Audit::default();
        for _ in 0..FRAMES {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0))),
                ..RawInput::default()
            };
            let _ = ctx.run(input, |ctx| {
                draw(&ctx.layer_painter(LayerId::background()));
                audit.look(ctx, "test");
            });
        }
        audit.found().map(str::to_owned).collect()
    }

    fn write(painter: &egui_macroquad::egui::Painter, at: (f32, f32), words: &str) {
        let font = FontId::proportional(13.0);
        painter.text(
            pos2(at.0, at.1),
            Align2::LEFT_TOP,
            words,
            font,
            Color32::WHITE,
        );
    }

    #[test]
    fn what_can_be_read_is_no_fault_and_what_cannot_is_one() {
        let none = Vec::<String>::new();
        assert_eq!(
            faults(|painter| write(painter, (20.0, 20.0), "whole")),
            none
        );
        let beside = faults(|painter| {
            write(painter, (20.0, 20.0), "one");
            write(painter, (120.0, 20.0), "two");
        });
        assert_eq!(beside, none);
        assert_eq!(
            faults(|painter| write(painter, (380.0, 20.0), "out of it")),
            ["test: cut at a side: out of it"]
        );
        let over = faults(|painter| {
            write(painter, (20.0, 20.0), "one of these");
            write(painter, (30.0, 22.0), "two");
        });
        assert_eq!(over, ["test: runs into another: one of these | two"]);
        let under = faults(|painter| {
            write(painter, (20.0, 20.0), "under it");
            let chip = Rect::from_min_size(pos2(30.0, 10.0), vec2(50.0, 40.0));
            painter.rect_filled(chip, CornerRadius::ZERO, Color32::GRAY);
        });
        assert_eq!(under, ["test: covered: under it"]);
    }

    #[test]
    fn only_what_scrolls_is_cut_below() {
        let area = Rect::from_min_size(pos2(10.0, 10.0), vec2(200.0, 40.0));
        let cut = |does_scroll: bool| {
            faults(move |painter| {
                if does_scroll {
                    scrolls(painter.ctx(), area);
                }
                write(&painter.with_clip_rect(area), (20.0, 42.0), "at the edge");
            })
        };
        assert_eq!(cut(true), Vec::<String>::new());
        assert_eq!(cut(false), ["test: cut above or below: at the edge"]);
    }
}
