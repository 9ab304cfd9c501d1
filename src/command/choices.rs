//! Structures in a list, with their knobs, as more than one command reads them.

use super::Failure;
use super::scenes::structure_of_either;
use skirmish::scene::{AnyChoice, Scene, StructureChoice};

/// The scene's own structure keeps its knobs where none are named, as it does in `simulate`.
pub fn as_in(scene: &Scene, choice: AnyChoice) -> AnyChoice {
    if choice == StructureChoice::new(scene.structure_kind()) {
        scene.own_choice()
    } else {
        choice
    }
}

/// Whether every one of `choices` can carry the scene.
pub fn check(scene: &Scene, choices: &[AnyChoice]) -> Result<(), Failure> {
    choices
        .iter()
        .try_for_each(|choice| scene.check_structure(choice.kind))
        .map_err(|wrong| Failure::Input(format!("--structures {wrong}")))
}

/// Structures with commas between them, the knobs of one after colons; at most `most`.
pub fn listed(text: &str, most: usize) -> Result<Vec<AnyChoice>, String> {
    let choices: Vec<AnyChoice> = text.split(',').map(choice).collect::<Result<_, _>>()?;
    if choices.len() > most {
        return Err(format!(
            "it must name at most {most} structures (found {})",
            choices.len()
        ));
    }
    Ok(choices)
}

/// One structure, and its knobs after colons.
pub fn choice(text: &str) -> Result<AnyChoice, String> {
    let mut words = text.split(':').map(str::trim);
    let key = words.next().unwrap_or_default();
    if key.is_empty() {
        let sentence = "it must be structures with commas between them, such as linked-grid,morton-tree:cell_size=2";
        return Err(sentence.to_owned());
    }
    let kind = structure_of_either(key)
        .map_err(|sentence| format!("'{key}' is no structure; {sentence}"))?;
    let mut choice = StructureChoice::new(kind);
    for word in words {
        let Some((knob, value)) = word.split_once('=') else {
            return Err(format!(
                "after a colon it must be a knob, '=' and a value, such as cell_size=2 (found '{word}' in '{text}')"
            ));
        };
        choice
            .set(knob.trim(), value)
            .map_err(|error| format!("in '{text}' {error}"))?;
    }
    Ok(choice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::measure::compare;

    #[test]
    fn the_scene_s_own_structure_keeps_its_knobs_where_none_are_named() {
        let mut scene = skirmish::scene::file::built_in();
        let own = choice("sorted-grid:cell_size=8").expect("a choice");
        scene.structure = own.within().expect("a plane's");
        let named = |text| compare::label(&as_in(&scene, choice(text).expect("a choice")));
        assert_eq!(named("sorted-grid"), "sorted-grid:cell_size=8");
        assert_eq!(named("sorted-grid:cell_size=2"), "sorted-grid:cell_size=2");
        assert_eq!(named("quadtree"), "quadtree");
    }
}
