//! The network inside the binary, read once. How it was made is in README.md; a new one is put in its place by copying
//! the trainer's file over `embedded.nnue`.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::{Network, file};
use crate::base::Error;

static BYTES: &[u8] = include_bytes!("embedded.nnue");

static NETWORK: Lazy<Result<Arc<Network>, Error>> = Lazy::new(|| file::decode(BYTES).map(Arc::new));

/// The network that comes with the engine. It can only fail in a tree whose architecture was changed and that has no
/// network for it yet.
pub fn embedded() -> Result<Arc<Network>, Error> {
    NETWORK.clone().map_err(|error| error.within("the embedded network"))
}
