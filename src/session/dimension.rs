//! What lanes and the scene are to an edit on a plane and in space: the same edits change both.

use super::document::Document;
use super::followed::AnyIndex;
use super::lane::Lane;
use super::undo::Part;
use super::{Refusal, Session};
use crate::partition::AnyPartition;
use crate::scene::{Scene, StructureChoice, StructureChoice3};
use crate::structure::AnyKind;
use crate::volume::AnyPartition3;

/// A plane, or space.
pub(super) trait Dimension {
    /// What a lane holds.
    type Index: AnyIndex;

    /// The lanes of a session that is of this dimension.
    fn lanes(session: &Session) -> &[Lane<Self::Index>];

    /// The same, to be changed.
    fn lanes_mut(session: &mut Session) -> &mut Vec<Lane<Self::Index>>;

    /// A new lane over the present.
    fn build(
        session: &Session,
        choice: &StructureChoice<KindOf<Self>>,
    ) -> Result<Lane<Self::Index>, Refusal>;

    /// The first lane with one knob set.
    fn with_knob(session: &Session, knob: usize, value: f64) -> Lane<Self::Index>;

    /// What takes a change of lanes back.
    fn part(choices: Vec<StructureChoice<KindOf<Self>>>) -> Part;

    /// Writes the structures of all lanes into the scene.
    fn write(scene: &mut Scene, choices: Vec<StructureChoice<KindOf<Self>>>);

    /// The structure of this key, or a sentence that names those that there are.
    fn kind(key: &str) -> Result<KindOf<Self>, Refusal> {
        KindOf::<Self>::from_key(key).ok_or_else(|| {
            let all = KindOf::<Self>::ALL.iter();
            let keys: Vec<_> = all.map(|kind| kind.info().key).collect();
            Refusal::because(format_args!(
                "the structure must be one of {} (found {key})",
                keys.join(", ")
            ))
        })
    }

    /// The structures of all lanes.
    fn choices(session: &Session) -> Vec<StructureChoice<KindOf<Self>>> {
        Self::lanes(session).iter().map(Lane::choice).collect()
    }

    /// A structure as it was left.
    fn remembered(document: &Document, kind: KindOf<Self>) -> StructureChoice<KindOf<Self>> {
        document.choice_of(kind)
    }
}

/// The rows of a dimension's registry.
pub(super) type KindOf<D> = <<D as Dimension>::Index as AnyIndex>::Kind;

/// On a plane: the battle.
pub(super) struct OnPlane;

/// In space: the flight.
pub(super) struct InSpace;

impl Dimension for OnPlane {
    type Index = AnyPartition;

    fn lanes(session: &Session) -> &[Lane] {
        &session.lanes
    }

    fn lanes_mut(session: &mut Session) -> &mut Vec<Lane> {
        &mut session.lanes
    }

    fn build(session: &Session, choice: &StructureChoice) -> Result<Lane, Refusal> {
        Ok(Lane::new(choice, session.scene().field, &session.battle))
    }

    fn with_knob(session: &Session, knob: usize, value: f64) -> Lane {
        session.lanes[0].with_knob(knob, value, session.battle.bodies())
    }

    fn part(choices: Vec<StructureChoice>) -> Part {
        Part::Lanes(choices)
    }

    fn write(scene: &mut Scene, mut choices: Vec<StructureChoice>) {
        let others = choices.split_off(1.min(choices.len()));
        if let Some(first) = choices.pop() {
            scene.structure = first;
        }
        scene.lanes = others;
    }
}

impl Dimension for InSpace {
    type Index = AnyPartition3;

    fn lanes(session: &Session) -> &[Lane<AnyPartition3>] {
        &session.lanes3
    }

    fn lanes_mut(session: &mut Session) -> &mut Vec<Lane<AnyPartition3>> {
        &mut session.lanes3
    }

    fn build(session: &Session, choice: &StructureChoice3) -> Result<Lane<AnyPartition3>, Refusal> {
        match &session.flight {
            Some(flight) => Ok(Lane::new(choice, session.scene().field3(), flight)),
            None => Err(Refusal::because("this scene has no volume")),
        }
    }

    fn with_knob(session: &Session, knob: usize, value: f64) -> Lane<AnyPartition3> {
        match &session.flight {
            Some(flight) => session.lanes3[0].with_knob(knob, value, flight.bodies()),
            None => session.lanes3[0].clone(),
        }
    }

    fn part(choices: Vec<StructureChoice3>) -> Part {
        Part::Lanes3(choices)
    }

    fn write(scene: &mut Scene, mut choices: Vec<StructureChoice3>) {
        let others = choices.split_off(1.min(choices.len()));
        if let Some(volume) = &mut scene.volume {
            if let Some(first) = choices.pop() {
                volume.structure = first;
            }
            volume.lanes = others;
        }
    }
}
