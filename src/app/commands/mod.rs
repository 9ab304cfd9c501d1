//! What the program can be told: the commands, the layers and the views, and the one table in which all of them stand.

mod command;
mod hands;
mod layer;
mod shortcut;
mod table;
mod views;

pub use command::Command;
pub use hands::{KEYS, MOUSE};
pub use layer::Layer;
pub use shortcut::Shortcut;
pub use table::{Menu, Row, STRUCTURE_KEYS, keys_of, of_key, row, table};
pub use views::{VIEWS, View, ViewRow};
