//! The workshop around the engine: tools that measure it and make its tables.

pub mod magics;
