//! The tree of all controls, told to assistive technology over AT-SPI.
//!
//! Nobody pays for it who does not use it: egui makes no tree until somebody asks for one. Where there is no bus to ask over, the
//! thread that waits for it ends by itself, and nothing waits for that thread.

use crate::app::wake;
use egui_macroquad::egui::accesskit::{ActionRequest, TreeUpdate};
use egui_macroquad::egui::{Context, Event, RawInput};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What comes from the other side, and waits for a frame.
#[derive(Default)]
struct Shared {
    /// Whether somebody wants the tree.
    is_wanted: AtomicBool,
    /// What somebody wants to be done.
    actions: Mutex<Vec<ActionRequest>>,
}

impl Shared {
    fn want(&self, is_wanted: bool) {
        self.is_wanted.store(is_wanted, Ordering::Release);
        wake::ring();
    }

    fn ask(&self, request: ActionRequest) {
        let mut actions = self.actions.lock().unwrap_or_else(PoisonError::into_inner);
        actions.push(request);
        drop(actions);
        wake::ring();
    }
}

/// The window's end of the connection.
pub struct Access {
    shared: Arc<Shared>,
    is_enabled: bool,
    #[cfg(target_os = "linux")]
    adapter: accesskit_unix::Adapter,
    size: (f32, f32),
}

impl Access {
    /// Offers the tree to whoever may ask for it.
    pub fn new() -> Self {
        let shared = Arc::new(Shared::default());
        Self {
            is_enabled: false,
            size: (0.0, 0.0),
            #[cfg(target_os = "linux")]
            adapter: {
                let handler = Handler(Arc::clone(&shared));
                let mut adapter =
                    accesskit_unix::Adapter::new(handler.clone(), handler.clone(), handler);
                adapter.update_window_focus_state(true);
                adapter
            },
            shared,
        }
    }

    /// Whether the window has the keyboard.
    pub fn set_focused(&mut self, _is_focused: bool) {
        #[cfg(target_os = "linux")]
        self.adapter.update_window_focus_state(_is_focused);
    }

    /// Before a frame: has the tree made where somebody wants it, and tells egui what somebody wants to be done.
    pub fn begin(&mut self, context: &Context, input: &mut RawInput, size: (f32, f32)) {
        if self.size != size {
            self.size = size;
            self.show_size();
        }
        let is_wanted = self.shared.is_wanted.load(Ordering::Acquire);
        if is_wanted != self.is_enabled {
            self.is_enabled = is_wanted;
            if is_wanted {
                context.enable_accesskit();
            } else {
                context.disable_accesskit();
            }
        }
        let shared = &self.shared;
        let mut actions = shared
            .actions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let actions = actions.drain(..).map(Event::AccessKitActionRequest);
        input.events.extend(actions);
    }

    fn show_size(&mut self) {
        #[cfg(target_os = "linux")]
        {
            let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
            let inner = accesskit_unix_rect(width, height);
            self.adapter.set_root_window_bounds(inner, inner);
        }
    }

    /// Tells what has changed.
    pub fn update(&mut self, mut update: TreeUpdate) {
        /// What the program and its window are called.
        const NAME: &str = "Skirmish";
        if let Some(tree) = &mut update.tree {
            tree.app_name = Some(NAME.to_owned());
            let root = tree.root;
            let mut nodes = update.nodes.iter_mut();
            if let Some((_, window)) = nodes.find(|(id, _)| *id == root) {
                window.set_label(NAME);
            }
        }
        #[cfg(target_os = "linux")]
        self.adapter.update_if_active(|| update);
    }
}

#[cfg(target_os = "linux")]
fn accesskit_unix_rect(width: f64, height: f64) -> egui_macroquad::egui::accesskit::Rect {
    egui_macroquad::egui::accesskit::Rect::new(0.0, 0.0, width, height)
}

/// What the other side calls, on a thread of its own.
#[cfg(target_os = "linux")]
#[derive(Clone)]
struct Handler(Arc<Shared>);

#[cfg(target_os = "linux")]
mod handlers {
    use super::Handler;
    use egui_macroquad::egui::accesskit::{
        ActionHandler, ActionRequest, ActivationHandler, DeactivationHandler, TreeUpdate,
    };

    impl ActivationHandler for Handler {
        /// The tree comes with the next frame.
        fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
            self.0.want(true);
            None
        }
    }

    impl ActionHandler for Handler {
        fn do_action(&mut self, request: ActionRequest) {
            self.0.ask(request);
        }
    }

    impl DeactivationHandler for Handler {
        fn deactivate_accessibility(&mut self) {
            self.0.want(false);
        }
    }
}
