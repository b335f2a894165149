//! One binary for every processor: work compiled several times, the best version chosen at run time.
//!
//! Work is plain Rust over arrays of boards. The compiler turns its loops into the vector instructions of each level;
//! the source, and so the answer, is the same at all of them. What is not x86-64 runs the code of its own baseline
//! (NEON on aarch64).
#![expect(
    unsafe_code,
    reason = "calling a function compiled for more instructions than the caller is unsafe by nature; it happens in \
              `at` alone, behind the processor's own word that it has them"
)]

use std::sync::OnceLock;

/// Something to compute. The implementation of `run`, and what it calls in its loops, must be `#[inline(always)]`:
/// only then is it compiled anew for each level.
pub(crate) trait Work {
    /// What comes of it.
    type Output;
    /// Computes it.
    fn run(self) -> Self::Output;
}

/// A set of instructions that work is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors, of Haswell (2013), Zen (2017) and later: x86-64-v3.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors with their masks, of Skylake-X (2017), Zen 4 (2022) and later: x86-64-v4.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The levels of this processor, the best first; [`Level::Baseline`] is always the last.
    #[inline]
    pub(crate) fn supported() -> impl Iterator<Item = Self> {
        let levels = [
            #[cfg(target_arch = "x86_64")]
            Self::Avx512,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2,
            Self::Baseline,
        ];
        levels.into_iter().filter(|level| level.is_supported())
    }

    /// Whether this processor has the instructions. The answer is cached by the standard library.
    #[inline]
    fn is_supported(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }
}

/// The instructions that [`Boards`](crate::Boards) and playouts use on this processor: `AVX-512`, `AVX2` or `baseline`.
/// The answers are the same with all of them.
pub fn instructions() -> &'static str {
    match chosen() {
        Level::Baseline => "baseline",
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => "AVX2",
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => "AVX-512",
    }
}

/// The best level of this processor, found once.
#[inline]
fn chosen() -> Level {
    static BEST: OnceLock<Level> = OnceLock::new();
    *BEST.get_or_init(|| Level::supported().next().unwrap_or(Level::Baseline))
}

/// Runs the work at the best level.
#[inline]
pub(crate) fn best<W: Work>(work: W) -> W::Output {
    at(chosen(), work)
}

/// Runs the work at a level, or at the baseline when the processor lacks it.
#[inline]
pub(crate) fn at<W: Work>(level: Level, work: W) -> W::Output {
    match level {
        // SAFETY: the guard has asked the processor for every feature that `avx512` enables.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if level.is_supported() => unsafe { avx512(work) },
        // SAFETY: the guard has asked the processor for every feature that `avx2` enables.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 if level.is_supported() => unsafe { avx2(work) },
        _ => work.run(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run()
}
