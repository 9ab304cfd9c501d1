//! What every knob of every structure is called and does, for who looks for it by its name.
//!
//! Invariant: the words are those of the registries; nothing is said here a second time.

use skirmish::structure::{AnyKind, StructureKind};
use std::sync::LazyLock;

/// A knob of one structure, or of several that say the same of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnobWord {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Whose it is: `knob of the quadtree`.
    pub of: String,
}

static ALL: LazyLock<Vec<KnobWord>> = LazyLock::new(|| {
    let mut all: Vec<KnobWord> = Vec::new();
    for kind in StructureKind::ALL {
        let structure = kind.info().name;
        for knob in kind.info().knobs {
            let same = |it: &&mut KnobWord| it.name == knob.name && it.help == knob.help;
            match all.iter_mut().find(same) {
                Some(word) => {
                    word.of.push_str(", ");
                    word.of.push_str(structure);
                }
                None => all.push(KnobWord {
                    name: knob.name,
                    help: knob.help,
                    of: format!("knob of {structure}"),
                }),
            }
        }
    }
    all
});

/// All of them, in the order of the registries.
pub fn all() -> &'static [KnobWord] {
    &ALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_of_every_structure_is_listed_with_whose_it_is() {
        for kind in StructureKind::ALL {
            for knob in kind.info().knobs {
                let mut words = all().iter().filter(|word| word.name == knob.name);
                let is_it =
                    |word: &KnobWord| word.help == knob.help && word.of.contains(kind.info().name);
                assert!(words.any(is_it), "{} of {:?}", knob.name, kind);
            }
        }
    }
}
