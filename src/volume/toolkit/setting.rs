//! Where a structure keeps its knobs.

/// The table of [`Setting`](crate::partition::Setting)s that are kept in these fields, in the order of the knobs.
macro_rules! settings {
    ($($($field:ident).+),+ $(,)?) => {
        &[$($crate::partition::Setting {
            get: |it| $crate::partition::KnobField::get(&it.$($field).+),
            set: |it, value| $crate::partition::KnobField::set(&mut it.$($field).+, value),
            in_effect: |it| $crate::partition::KnobField::in_effect(&it.$($field).+),
            expect: |it, reach| $crate::partition::KnobField::expect(&mut it.$($field).+, reach),
            hold: |it, value| $crate::partition::KnobField::hold(&mut it.$($field).+, value),
        }),+]
    };
}
pub(crate) use settings;
