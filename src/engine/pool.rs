//! The searching threads: parked between searches, woken by a channel, all working on one tree.

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::base::Error;
use crate::game::{Evaluator, Game};
use crate::search::control::Control;
use crate::search::{BoxedReporter, Job, Outcome, Shared, Silent, Worker};
use crate::tt::Table;

/// A search as the workers receive it.
struct Task<G> {
    job: Job<G>,
    shared: Shared,
}

enum Order<G: Game> {
    Lead {
        task: Arc<Task<G>>,
        reporter: BoxedReporter,
        results: Receiver<Outcome>,
    },
    /// Helpers hand in their results; if one dies, the leader notices that the channel closes.
    Help {
        task: Arc<Task<G>>,
        results: Sender<Outcome>,
    },
    Clear(Sender<()>),
}

struct Member<G: Game> {
    orders: Sender<Order<G>>,
    thread: Option<JoinHandle<()>>,
}

/// The threads of one session. Dropping the pool ends them.
pub struct Pool<G: Game> {
    members: Vec<Member<G>>,
    control: Arc<Control>,
}

/// Searching recurses deeply; this is room for the deepest line with a wide margin.
pub const STACK_BYTES: usize = 64 << 20;

/// Node limits below this are searched by one thread.
const SHARED_NODES: u64 = 50_000;

impl<G: Game> Pool<G> {
    /// `threads` parked workers; fails if the system refuses a thread.
    pub fn new<E: Evaluator<G>>(
        threads: usize,
        start: &G,
        evaluator: impl Fn() -> E,
        control: Arc<Control>,
    ) -> Result<Pool<G>, Error> {
        let mut pool = Pool { members: Vec::new(), control };
        for id in 0..threads.max(1) {
            let (orders, inbox) = unbounded();
            let (start, evaluator) = (start.clone(), evaluator());
            let thread = std::thread::Builder::new()
                .name(format!("search-{id}"))
                .stack_size(STACK_BYTES)
                .spawn(move || serve(Worker::new(id, start, evaluator), &inbox))
                .map_err(|error| Error::new(format!("cannot start thread {}: {error}", id + 1)))?;
            pool.members.push(Member { orders, thread: Some(thread) });
        }
        Ok(pool)
    }

    /// How many workers there are.
    pub fn threads(&self) -> usize {
        self.members.len()
    }

    /// Starts a search and returns at once; the reporter hears of everything, the end included.
    pub fn search(&self, job: Job<G>, table: Arc<Table>, reporter: BoxedReporter) {
        // A few thousand nodes are not worth sharing: helpers would only take them from the leader.
        let alone = job.limits.nodes.is_some_and(|nodes| nodes < SHARED_NODES);
        let threads = if alone { 1 } else { self.members.len() };
        let (results, collected) = bounded(threads);
        let shared = Shared::new(table, Arc::clone(&self.control), threads, job.limits.nodes);
        let task = Arc::new(Task { job, shared });
        for helper in &self.members[1..threads] {
            let order = Order::Help { task: Arc::clone(&task), results: results.clone() };
            let _ = helper.orders.send(order);
        }
        let _ = self.members[0].orders.send(Order::Lead { task, reporter, results: collected });
    }

    /// Lets all workers forget the last game; waits until they have.
    pub fn clear(&self) {
        let (done, wait) = bounded(self.members.len());
        for member in &self.members {
            let _ = member.orders.send(Order::Clear(done.clone()));
        }
        drop(done);
        while wait.recv().is_ok() {}
    }
}

impl<G: Game> Drop for Pool<G> {
    fn drop(&mut self) {
        self.control.stop();
        for member in &mut self.members {
            // Closing the channel ends the worker's loop.
            member.orders = bounded(0).0;
        }
        for member in &mut self.members {
            if let Some(thread) = member.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

/// A worker's life: wait for an order, carry it out, wait again.
fn serve<G: Game, E: Evaluator<G>>(mut worker: Worker<G, E>, inbox: &Receiver<Order<G>>) {
    for order in inbox {
        match order {
            Order::Clear(done) => {
                worker.clear();
                let _ = done.send(());
            }
            Order::Help { task, results } => {
                let (outcome, _) = worker.run(&task.job, &task.shared, Box::new(Silent));
                let _ = results.send(outcome);
            }
            Order::Lead { task, reporter, results } => {
                let (outcome, mut reporter) = worker.run(&task.job, &task.shared, reporter);
                let limits = &task.job.limits;
                // An open-ended search has no answer before it is asked for one, even if there is nothing left
                // to find.
                task.shared.control.wait_for_release(limits.infinite);
                task.shared.control.stop();
                let others = results.iter().collect();
                reporter.finished(&vote(outcome, others), task.shared.nodes());
            }
        }
    }
}

/// Chooses among what the threads found. Each votes for its move, with more weight the deeper it looked and the
/// better its value; a proven mate wins over votes.
fn vote(first: Outcome, others: Vec<Outcome>) -> Outcome {
    let mut all = vec![first];
    all.extend(others.into_iter().filter(|outcome| !outcome.root_moves.is_empty() && outcome.depth > 0));
    if all.len() == 1 || all[0].root_moves.is_empty() {
        return all.swap_remove(0);
    }
    let score = |outcome: &Outcome| outcome.root_moves[0].known_score().value();
    let lowest = all.iter().map(score).min().unwrap_or(0);
    let weight = |outcome: &Outcome| i64::from(score(outcome) - lowest + 14) * i64::from(outcome.depth);
    let votes = |candidate: &Outcome| -> i64 {
        let mv = candidate.root_moves[0].mv;
        all.iter().filter(|outcome| outcome.root_moves[0].mv == mv).map(weight).sum()
    };
    let value = |outcome: &Outcome| {
        let known = outcome.root_moves[0].known_score();
        // Shorter mates for us, longer ones against us, then votes, then depth.
        let mate = if known.is_mate() { known.value() } else { 0 };
        (mate, votes(outcome), outcome.depth)
    };
    let mut best = 0;
    for candidate in 1..all.len() {
        if value(&all[candidate]) > value(&all[best]) {
            best = candidate;
        }
    }
    all.swap_remove(best)
}
