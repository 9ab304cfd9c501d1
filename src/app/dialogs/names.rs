//! What files are called at first.

use crate::app::state::App;
use skirmish::built_in;
use skirmish::scene::file;

/// What files of this scene are called at first: as its own file, and without one of the user's by the name that the user has given it.
pub fn first_title(app: &App) -> String {
    match app.path.is_none() || is_renamed(app) {
        true => file_name_of(&app.scene.name).unwrap_or_else(|| app.title()),
        false => app.title(),
    }
}

/// Whether a scene that comes with the program has another name by now.
fn is_renamed(app: &App) -> bool {
    let content = app.path.as_deref().and_then(built_in::content);
    let shipped = content.and_then(|content| file::parse(content, "built in").ok());
    shipped.is_some_and(|shipped| shipped.name != app.scene.name)
}

/// The name of a scene as that of a file, if there is anything in it that can be typed everywhere.
fn file_name_of(name: &str) -> Option<String> {
    /// Longer ones are cut.
    const MOST: usize = 48;
    let words = name.split(|it: char| !it.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-").to_lowercase();
    let short: String = joined.chars().take(MOST).collect();
    let short = short.trim_end_matches('-');
    (!short.is_empty()).then(|| format!("{short}.ron"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_without_a_file_is_saved_by_its_name() {
        for (name, file) in [
            ("5,000 mixed bodies", Some("5-000-mixed-bodies.ron")),
            ("../../etc/passwd", Some("etc-passwd.ron")),
            ("Überfall!", Some("überfall.ron")),
            (" \u{1f5e1} ", None),
            ("", None),
        ] {
            assert_eq!(file_name_of(name).as_deref(), file, "{name}");
        }
        let long = file_name_of(&"a ".repeat(500)).expect("a name");
        assert!(long.len() <= 48 + 4, "{long}");
    }
}
