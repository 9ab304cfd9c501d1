//! One of several strategies, each behind a pointer.

/// One of these, drawn and shrunk as `prop_oneof!` does it, which makes a type of its own of each list of strategies; all of that is
/// compiled anew then.
macro_rules! one_of {
    ($($weight:expr => $strategy:expr),+ $(,)?) => {
        proptest::strategy::Union::new_weighted(vec![
            $(($weight, proptest::strategy::Strategy::boxed($strategy))),+
        ])
    };
    ($($strategy:expr),+ $(,)?) => {
        one_of![$(1 => $strategy),+]
    };
}
