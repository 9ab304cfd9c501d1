//! What is found out once and not in every frame.

use egui_macroquad::egui::{Context, Id};
use std::sync::{Arc, Weak};

/// What was found out of something shared, and of what else it depends on.
pub struct Found<S, K, V> {
    /// While this is kept, nothing else is made at the same place of the memory.
    of: Weak<S>,
    key: K,
    /// What was found.
    pub value: V,
}

/// What `find` finds out of something shared and of a `key`: known under this name until either is another one.
pub fn found_once<S, K, V>(
    ctx: &Context,
    id: Id,
    of: &Arc<S>,
    key: &K,
    find: impl FnOnce() -> V,
) -> Arc<Found<S, K, V>>
where
    S: Send + Sync + 'static,
    K: PartialEq + Clone + Send + Sync + 'static,
    V: Send + Sync + 'static,
{
    let known: Option<Arc<Found<S, K, V>>> = ctx.data(|data| data.get_temp(id));
    let is_it =
        |known: &Arc<Found<S, K, V>>| known.of.as_ptr() == Arc::as_ptr(of) && known.key == *key;
    if let Some(known) = known.filter(is_it) {
        return known;
    }
    let found = Arc::new(Found {
        of: Arc::downgrade(of),
        key: key.clone(),
        value: find(),
    });
    ctx.data_mut(|data| data.insert_temp(id, Arc::clone(&found)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_found_anew_for_another_thing_and_for_another_key() {
        let ctx = Context::default();
        let [one, other] = [1_u8, 2].map(Arc::new);
        let mut times = 0;
        let mut find = |of: &Arc<u8>, key: u8| {
            let found = found_once(&ctx, Id::new("what"), of, &key, || {
                times += 1;
                times
            });
            found.value
        };
        assert_eq!([find(&one, 1), find(&one, 1)], [1, 1]);
        assert_eq!([find(&one, 2), find(&other, 2), find(&other, 2)], [2, 3, 3]);
    }
}
