//! What a structure's own check says where something is wrong.

use super::RegionId;

/// Something in a structure that does not agree with the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("region {region:?}: expected {expected}, found {found}")]
pub struct Violation {
    /// Where, when it has a place.
    pub region: Option<RegionId>,
    /// What should be.
    pub expected: String,
    /// What is.
    pub found: String,
}

impl Violation {
    /// Ok when `holds`; else a violation at `region` whose words are made only then.
    pub fn unless(
        holds: bool,
        region: impl Into<Option<RegionId>>,
        expected: impl FnOnce() -> String,
        found: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self {
                region: region.into(),
                expected: expected(),
                found: found(),
            })
        }
    }
}
