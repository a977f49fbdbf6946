//! Several boids at once: the kinds of SIMD that a processor may have, and how one is entered.
//!
//! The tick's inner loops are written once, over [`Lanes`], and compiled for each kind. Which of
//! them runs changes no bit of any result: boids are lanes, each lane does plain IEEE arithmetic in
//! an order of its own, and nothing is fused or approximate.
//!
//! This is the only place with `unsafe`: to enter code that is compiled for instructions which not
//! every processor has, and for those instructions themselves.
#![allow(unsafe_code, reason = "instructions that not every processor has are unsafe to use; see each file")]
#![allow(clippy::inline_always, reason = "what is not inlined into the code for its kind would be compiled without it")]
#![allow(clippy::wildcard_imports, reason = "instructions go by their own names")]

mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(super) use lanes::{Lanes, MOST_LANES};

use super::Error;
use super::tunable::choices;

choices! {
    /// A kind of SIMD: how many boids are flown at once.
    pub enum Simd {
        /// One by one.
        Scalar = "scalar",
        /// Four, on every x86-64 processor.
        Sse2 = "sse2",
        /// Eight, on x86-64 processors since about 2013.
        Avx2 = "avx2",
        /// Sixteen, on some x86-64 processors since about 2017.
        Avx512 = "avx512",
        /// Four, on every aarch64 processor.
        Neon = "neon",
    }
}

impl Simd {
    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => true,
            _ => false,
        }
    }

    /// All that this machine has, from the plainest to the widest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().filter_map(|name| Self::from_name(name)).filter(|kind| kind.is_available())
    }

    /// The widest that this machine has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// The kind of this name.
    ///
    /// # Errors
    ///
    /// [`Error::Simd`] where there is no such kind, or this machine lacks it.
    pub fn named(name: &str) -> Result<Self, Error> {
        let kind = Self::from_name(name).filter(|kind| kind.is_available());
        kind.ok_or_else(|| Error::Simd {
            name: name.to_owned(),
            available: Self::available().map(Self::name).collect::<Vec<_>>().join(", "),
        })
    }

    /// Does a task with lanes of this kind; with plain ones where the machine lacks it.
    #[inline]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            // SAFETY (each): the function's only demand is the feature that has just been found.
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => task.run::<x86::Sse2>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => unsafe { avx2(task) },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.is_available() => unsafe { avx512(task) },
            #[cfg(target_arch = "aarch64")]
            Self::Neon => task.run::<neon::Neon>(),
            _ => task.run::<f32>(),
        }
    }
}

impl Default for Simd {
    fn default() -> Self {
        Self::widest()
    }
}

/// Something to do with lanes of whatever kind.
pub(super) trait Task {
    /// What comes of it.
    type Output;

    /// Does it; must be `#[inline(always)]`, and so must be what it calls with lanes.
    fn run<F: Lanes>(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run::<x86::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run::<x86::Avx512>()
}
