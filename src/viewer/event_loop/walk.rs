//! An endless walk of the screensaver through flocks: every half minute, a child of the flock takes over.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::EventLoop;
use super::background_job::BackgroundJob;
use crate::breed::{Brood, Child, Traits, choose};
use crate::config::ConfigError;
use crate::engine::thread_pool;
use crate::sim::Param;

/// The time from one child to the next.
const STEP: Duration = Duration::from_secs(30);
/// The children among which the next flock is found.
const CANDIDATES: usize = 20;
/// The strength of mutations.
const STRENGTH: f32 = 1.0;

/// The flocks so far, and the children of the last one.
pub(super) struct Walk {
    parents: Vec<Traits>,
    children: Vec<(Child, Traits)>,
    selection: BackgroundJob<Selection>,
    /// When a child takes over.
    due: Instant,
}

/// The measures of a flock, and its children.
struct Selection {
    parent: Traits,
    children: Vec<(Child, Traits)>,
}

impl Walk {
    /// Starts from the flock that is shown.
    pub(super) fn new(now: Instant) -> Self {
        Self { parents: Vec::new(), children: Vec::new(), selection: BackgroundJob::default(), due: now + STEP }
    }

    /// When a child takes over.
    pub(super) fn due(&self) -> Instant {
        self.due
    }
}

impl EventLoop {
    /// Looks for children, and lets the one that differs most from all flocks so far take over when it is time.
    pub(super) fn walk(&mut self, now: Instant) {
        let Some(walk) = &mut self.walk else { return };
        if let Some(Ok(Selection { parent, children })) = walk.selection.poll() {
            walk.parents.push(parent);
            walk.children = children;
        }
        let client = &mut self.app.context.client;
        if walk.children.is_empty() && !walk.selection.is_busy() {
            let (parent, seed) = (client.controls().setup.clone(), walk.parents.len() as u64);
            let seed = parent.seed.wrapping_add(seed);
            let brood = Brood { parent, mate: None, strength: STRENGTH, seed, count: CANDIDATES };
            let threads = self.options.threads;
            // Without a thread, the flock stays.
            let _ = walk.selection.start(Box::new(move |_| select(&brood, threads)), self.events.sender());
        }
        if now < walk.due {
            return;
        }
        walk.due = now + STEP;
        let traits: Vec<Traits> = walk.children.iter().map(|(_, traits)| *traits).collect();
        if let Some(next) = choose(&walk.parents, &traits, 1).first() {
            let params = walk.children[*next].0.params;
            let values = Param::table().iter().map(|param| (param, param.get(&params))).collect();
            client.set_params(values, params.change.morph);
        }
        walk.children.clear();
    }
}

fn select(brood: &Brood, threads: NonZeroUsize) -> Result<Selection, ConfigError> {
    let pool = thread_pool(threads.get() - 1).map_err(ConfigError::io("threads"))?;
    Ok(pool.install(|| Selection { parent: Traits::of(&brood.parent), children: brood.select() }))
}
