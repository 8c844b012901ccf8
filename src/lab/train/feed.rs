//! Hands positions to the trainer while it learns: a thread reads the next part of the games, another one shuffles the
//! next block.

use std::sync::atomic::AtomicBool;
use std::thread::Scope;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::blocks::Blocks;
use super::dataset::{Source, Survey, mix};
use super::sample::Sample;
use crate::base::Error;

/// Blocks that wait for the trainer.
const WAITING_BLOCKS: usize = 2;

/// What the trainer gets next.
pub enum Feed {
    /// Positions to learn from.
    Block(Vec<Sample>),
    /// An epoch is over.
    EpochEnd,
}

/// Begins to feed all epochs from `first` to `last`. It ends early if nobody takes the blocks any more, or when `stop`
/// is set.
pub fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    source: &'scope Source,
    survey: &'scope Survey,
    (first, last): (u32, u32),
    stop: &'scope AtomicBool,
) -> Receiver<Result<Feed, Error>> {
    let (sender, receiver) = bounded(WAITING_BLOCKS);
    let seed = |epoch: u32, part: u64| mix(source.seed ^ mix(u64::from(epoch) << 32 | part));
    if let Some(blocks) = &survey.blocks {
        scope.spawn(move || {
            let feed = |epoch| feed_blocks(blocks, seed(epoch, 0), &sender) && feed_end(&sender);
            (first..=last).all(feed)
        });
        return receiver;
    }
    // The part that is fed, and the next one that is being read.
    let (parts, of_epochs) = bounded(0);
    scope.spawn(move || {
        for (epoch, part) in (first..=last).flat_map(|epoch| (0..survey.parts).map(move |part| (epoch, part)))
        {
            if parts.send((epoch, part, source.part(survey, epoch, part, stop))).is_err() {
                return;
            }
        }
    });
    scope.spawn(move || {
        for (epoch, part, blocks) in of_epochs {
            let goes_on = match blocks {
                Ok(blocks) => feed_blocks(&blocks, seed(epoch, part), &sender),
                Err(error) => {
                    // The trainer ends by it, or has ended.
                    let _ = sender.send(Err(error));
                    false
                }
            };
            if !goes_on || part + 1 == survey.parts && !feed_end(&sender) {
                return;
            }
        }
    });
    receiver
}

/// Whether all blocks were taken.
fn feed_blocks(blocks: &Blocks, seed: u64, sender: &Sender<Result<Feed, Error>>) -> bool {
    blocks.pass(seed).all(|block| sender.send(Ok(Feed::Block(block))).is_ok())
}

fn feed_end(sender: &Sender<Result<Feed, Error>>) -> bool {
    sender.send(Ok(Feed::EpochEnd)).is_ok()
}
