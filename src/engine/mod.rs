//! The engine without a front end: it takes positions and limits, and answers with reports.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod options;
pub mod report;
