//! skirmish
fn main() {}
