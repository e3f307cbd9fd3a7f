//! Services that count a quota, each in its own way.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};

/// A service that counts requests; times are since the simulation's beginning.
#[derive(Debug)]
pub(super) struct Service {
    limit: usize,
    window: Duration,
    counting: Counting,
    stumbling: Stumbling,
    seen: usize,
    /// From this number on all are accepted.
    generous_from: usize,
}

/// Which requests are refused for no reason, and for how long.
#[derive(Debug)]
enum Stumbling {
    Never,
    /// By their number, for so long.
    At(Vec<usize>, Duration),
    /// All of the first so long, each for so long.
    Until(Duration, Duration),
    /// Each with that chance, for so many seconds.
    Often {
        chance: f64,
        seconds: RangeInclusive<u64>,
        rng: Box<StdRng>,
    },
}

#[derive(Debug)]
enum Counting {
    /// So many in any window; counted in grains of the given length.
    Sliding {
        counted: VecDeque<Duration>,
        grain: Duration,
    },
    /// So many in each window; the first ends at `phase`.
    Fixed {
        phase: Duration,
        current: Option<u64>,
        counted: usize,
    },
    /// Refills steadily up to its capacity.
    Bucket {
        capacity: f64,
        tokens: f64,
        at: Duration,
    },
}

impl Service {
    pub(super) fn sliding(limit: usize, window: Duration) -> Self {
        Self::new(
            limit,
            window,
            Counting::Sliding {
                counted: VecDeque::new(),
                grain: Duration::from_nanos(1),
            },
        )
    }

    pub(super) fn sliding_by_the_second(limit: usize, window: Duration) -> Self {
        Self::new(
            limit,
            window,
            Counting::Sliding {
                counted: VecDeque::new(),
                grain: Duration::from_secs(1),
            },
        )
    }

    pub(super) fn fixed(limit: usize, window: Duration, phase: Duration) -> Self {
        Self::new(
            limit,
            window,
            Counting::Fixed {
                phase,
                current: None,
                counted: 0,
            },
        )
    }

    pub(super) fn bucket(limit: usize, window: Duration) -> Self {
        Self::small_bucket(limit, limit, window)
    }

    pub(super) fn small_bucket(capacity: usize, limit: usize, window: Duration) -> Self {
        let capacity = f64::from(u32::try_from(capacity).unwrap());
        Self::new(
            limit,
            window,
            Counting::Bucket {
                capacity,
                tokens: capacity,
                at: Duration::ZERO,
            },
        )
    }

    /// Others of the team have spent so many of the first window.
    pub(super) fn spent_by_others(mut self, requests: usize) -> Self {
        match &mut self.counting {
            Counting::Sliding { counted, .. } => counted.extend(vec![Duration::ZERO; requests]),
            Counting::Fixed { counted, .. } => *counted += requests,
            Counting::Bucket { tokens, .. } => {
                *tokens -= f64::from(u32::try_from(requests).unwrap());
            }
        }
        self
    }

    fn new(limit: usize, window: Duration, counting: Counting) -> Self {
        Self {
            limit,
            window,
            counting,
            stumbling: Stumbling::Never,
            seen: 0,
            generous_from: usize::MAX,
        }
    }

    /// Refuses those requests for no reason, for so long each.
    pub(super) fn stumbling_at(mut self, numbers: Vec<usize>, pause: Duration) -> Self {
        self.stumbling = Stumbling::At(numbers, pause);
        self
    }

    /// Refuses all of the first so long, and asks for so short a pause each time.
    pub(super) fn away_for(mut self, long: Duration, pause: Duration) -> Self {
        self.stumbling = Stumbling::Until(long, pause);
        self
    }

    /// Accepts whatever comes after so many requests.
    pub(super) fn generous_after(mut self, requests: usize) -> Self {
        self.generous_from = requests;
        self
    }

    /// Refuses requests for no reason, each with that chance, for so many seconds.
    pub(super) fn stumbling_often(
        mut self,
        chance: f64,
        seconds: RangeInclusive<u64>,
        seed: u64,
    ) -> Self {
        let rng = Box::new(StdRng::seed_from_u64(seed));
        self.stumbling = Stumbling::Often {
            chance,
            seconds,
            rng,
        };
        self
    }

    /// Counts a request at `now`, or says after how long to come again, in whole seconds as the header has it.
    pub(super) fn count(&mut self, now: Duration) -> Result<(), Duration> {
        self.seen += 1;
        if self.seen >= self.generous_from {
            return Ok(());
        }
        if let Some(pause) = self.stumbling.next(self.seen, now) {
            return Err(pause);
        }
        let (limit, window) = (self.limit, self.window);
        let wait = match &mut self.counting {
            Counting::Sliding { counted, grain } => sliding(counted, *grain, limit, window, now),
            Counting::Fixed {
                phase,
                current,
                counted,
            } => {
                let shifted = (now + window).saturating_sub(*phase);
                let number = u64::try_from(shifted.as_nanos() / window.as_nanos()).unwrap();
                if current
                    .replace(number)
                    .is_some_and(|earlier| earlier != number)
                {
                    *counted = 0;
                }
                if *counted < limit {
                    *counted += 1;
                    return Ok(());
                }
                let past = u64::try_from(shifted.as_nanos() % window.as_nanos()).unwrap();
                Some(window - Duration::from_nanos(past))
            }
            Counting::Bucket {
                capacity,
                tokens,
                at,
            } => {
                let pace = f64::from(u32::try_from(limit).unwrap()) / window.as_secs_f64();
                *tokens = capacity.min(*tokens + (now - *at).as_secs_f64() * pace);
                *at = now;
                if *tokens >= 1.0 - 1e-9 {
                    *tokens -= 1.0;
                    return Ok(());
                }
                Some(Duration::from_secs_f64((1.0 - *tokens) / pace))
            }
        };
        wait.map_or(Ok(()), |wait| {
            let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            Err(Duration::from_secs(whole))
        })
    }
}

impl Stumbling {
    fn next(&mut self, number: usize, now: Duration) -> Option<Duration> {
        match self {
            Self::Never => None,
            Self::At(numbers, pause) => numbers.contains(&number).then_some(*pause),
            Self::Until(long, pause) => (now < *long).then_some(*pause),
            Self::Often {
                chance,
                seconds,
                rng,
            } => rng
                .random_bool(*chance)
                .then(|| Duration::from_secs(rng.random_range(seconds.clone()))),
        }
    }
}

fn sliding(
    counted: &mut VecDeque<Duration>,
    grain: Duration,
    limit: usize,
    window: Duration,
    now: Duration,
) -> Option<Duration> {
    let grains = u32::try_from(now.as_nanos() / grain.as_nanos()).unwrap_or(u32::MAX);
    let stamp = if grain > Duration::from_nanos(1) {
        grain * grains
    } else {
        now
    };
    while counted.front().is_some_and(|at| *at + window <= stamp) {
        counted.pop_front();
    }
    if counted.len() < limit {
        counted.push_back(stamp);
        return None;
    }
    Some(*counted.front().unwrap() + window - now)
}
