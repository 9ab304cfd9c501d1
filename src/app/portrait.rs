//! A picture of the field alone, in a size of its own: the view is laid out for it, asked for anew, drawn, and laid out again for
//! the window.

use super::camera::Camera;
use super::eye::Eye;
use super::gl::Gl;
use super::palette::Palette;
use super::render::Renderer;
use super::state::App;
use super::view::View;
use super::worker::Ask;
use egui_macroquad::egui::{Pos2, Rect, vec2};
use image::RgbImage;
use std::time::{Duration, Instant};

/// A worker that does not answer within this time is drawn as it was seen last.
const PATIENCE: Duration = Duration::from_millis(500);

/// Draws it. It shows as much of the field, from side to side, as the window does; of several panes each shows what it does in the
/// window, as large as it has room for.
pub fn take(
    app: &mut App,
    view: &mut dyn View,
    (renderer, gl): (&mut Renderer, &mut Gl),
    palette: &Palette,
    size: (u32, u32),
) -> Result<RgbImage, &'static str> {
    let laid = Laid::out(app, view, size);
    ask_anew(app, view);
    let picture = renderer.picture(gl, palette, size, laid.scale, |canvas| {
        view.draw(app, palette, canvas);
    });
    // The panels lay the view out again in this frame, for the window.
    laid.put_back(app);
    picture
}

/// What is otherwise while the view is laid out for a picture.
pub struct Laid {
    /// Pixels per point.
    pub scale: f32,
    screen: Rect,
    /// Where the panes are of another size: the camera as it has come out of the layout, and as it fills its pane instead.
    camera: Option<[Camera; 2]>,
    /// The eye as it was, and as it is for the picture.
    eye: [Option<Eye>; 2],
    drawn_out: [Option<f32>; 2],
}

impl Laid {
    /// Lays the view out for a picture of so many pixels.
    pub fn out(app: &mut App, view: &mut dyn View, size: (u32, u32)) -> Self {
        let (seen, eye) = (app.camera, app.space.eye);
        // In the picture there are no drawers.
        let drawn_out = std::mem::take(&mut app.drawn_out);
        app.space.tools = None;
        let points = app.pictured.x.max(1.0);
        let scale = size.0 as f32 / points;
        let whole = Rect::from_min_size(Pos2::ZERO, vec2(points, size.1 as f32 / scale));
        let screen = view.screen_of_picture(app, whole);
        app.resize(screen);
        let camera = (app.pictured != seen.screen.size()).then(|| {
            let laid = app.camera;
            app.camera = app.camera_of_pane(seen);
            app.fill_pane(eye);
            [laid, app.camera]
        });
        Self {
            scale,
            screen: seen.screen,
            camera,
            eye: [eye, app.space.eye],
            drawn_out,
        }
    }

    /// Puts everything back for the window, but for what an answer has set meanwhile, as another scene does.
    pub fn put_back(self, app: &mut App) {
        app.drawn_out = self.drawn_out;
        if let Some([laid, _]) = self.camera.filter(|[_, set]| app.camera == *set) {
            app.camera = laid;
        }
        let [eye, set] = self.eye;
        let is_as_set = app.space.eye == set;
        app.resize(self.screen);
        if is_as_set {
            app.space.eye = eye;
        }
    }
}

/// The same as it is seen in the window, `field` there, without what lies over it: nothing is laid out or asked for anew. About a thousand
/// pixels wide; `None` where there is nothing to be seen.
pub fn as_it_is(
    app: &App,
    view: &mut dyn View,
    (renderer, gl): (&mut Renderer, &mut Gl),
    palette: &Palette,
    field: Rect,
) -> Option<RgbImage> {
    const WIDE: f32 = 960.0;
    let seen = app.uncovered(field);
    if seen.width() < 1.0 || seen.height() < 1.0 {
        return None;
    }
    let scale = WIDE / seen.width();
    // From the corner of the window, for so everything is laid out.
    let whole = field.max * scale;
    let size = (whole.x.ceil() as u32, whole.y.ceil() as u32);
    let picture = renderer.picture(gl, palette, size, scale, |canvas| {
        view.draw(app, palette, canvas);
    });
    let from = (seen.min * scale).clamp(Pos2::ZERO, whole);
    let of = (seen.size() * scale).ceil();
    let (x, y) = (from.x as u32, from.y as u32);
    Some(image::imageops::crop_imm(&picture.ok()?, x, y, of.x as u32, of.y as u32).to_image())
}

/// Waits for an answer to what is asked now: the one before may be under way.
fn ask_anew(app: &mut App, view: &mut dyn View) {
    let begun = Instant::now();
    let heard = app.moment;
    while app.moment < heard + 2 && begun.elapsed() < PATIENCE {
        // Nothing happens for its sake.
        let ask = Ask {
            ticks: false,
            ..view.ask(app, app.plain_ask(true))
        };
        app.exchange(ask);
        if app.fixed {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
