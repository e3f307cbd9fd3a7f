//! The rolling budget against services that count in every way the description leaves open, on a virtual clock.

mod clocks;
mod service;
mod simulation;
mod waiting;

use std::time::Duration;

use gutterbatch::model::{QuotaShare, Rate};
use proptest::prelude::*;

use service::Service;
use simulation::{Jump, Run, simulate};

const HOUR: Duration = Duration::from_secs(3600);

fn documented() -> QuotaShare {
    QuotaShare {
        rate: Rate::DOCUMENTED,
        reserve: 0,
    }
}

fn run(requests: usize) -> Run {
    Run {
        share: documented(),
        requests,
        concurrency: 8,
        latency_ms: 20..900,
        jumps: Vec::new(),
        seed: 7,
    }
}

/// Under a sliding window no plan is faster: full windows, then the rest at the pace of the connection.
fn best_possible(run: &Run) -> Duration {
    let allowed = run.share.allowed();
    let windows = (run.requests - 1) / allowed;
    HOUR * u32::try_from(windows).unwrap() + Duration::from_millis(run.latency_ms.start)
}

fn every_way_of_counting() -> Vec<Service> {
    let mut services = vec![
        Service::sliding(600, HOUR),
        Service::bucket(600, HOUR),
        Service::sliding_by_the_second(600, HOUR),
    ];
    services.extend((0..12).map(|twelfth| Service::fixed(600, HOUR, HOUR / 12 * twelfth)));
    services
}

#[test]
fn no_way_of_counting_ever_answers_429() {
    for mut service in every_way_of_counting() {
        let history = simulate(&run(3_000), &mut service);
        assert_eq!(history.limited, 0, "{service:?}");
    }
}

/// How much longer a run takes than the best possible one.
fn ratio(run: &Run) -> f64 {
    let history = simulate(run, &mut Service::sliding(600, HOUR));
    history.makespan.as_secs_f64() / best_possible(run).as_secs_f64()
}

#[test]
fn the_makespan_is_within_two_percent_of_the_best_possible() {
    for requests in [601, 1_200, 1_201, 2_000, 6_001] {
        let ratio = ratio(&run(requests));
        assert!(ratio <= 1.02, "{requests} requests: {ratio}");
    }
}

#[test]
fn a_ledger_that_holds_its_slots_three_percent_longer_would_be_noticed() {
    let mut slower = run(601);
    slower.share.rate.window = HOUR * 103 / 100;
    assert!(ratio(&slower) > 1.02);
}

#[test]
fn a_whole_window_goes_at_once() {
    let history = simulate(&run(600), &mut Service::sliding(600, HOUR));
    assert!(history.makespan < Duration::from_secs(120), "{history:?}");
}

#[test]
fn sleep_and_wake_cost_nothing_and_overrun_nothing() {
    for mut service in every_way_of_counting() {
        let run = Run {
            jumps: vec![
                Jump::Sleep {
                    at: Duration::from_secs(20),
                    long: Duration::from_secs(1_000),
                },
                Jump::Sleep {
                    at: Duration::from_secs(2_000),
                    long: Duration::from_secs(7_200),
                },
            ],
            ..run(2_500)
        };
        let history = simulate(&run, &mut service);
        assert_eq!(history.limited, 0, "{service:?}");
        let limit = Duration::from_secs(4 * 3600 + 7_200 + 1_000);
        assert!(history.makespan < limit, "{service:?}: {history:?}");
    }
}

#[test]
fn a_wall_clock_set_back_neither_stalls_nor_overruns() {
    for mut service in every_way_of_counting() {
        let run = Run {
            jumps: vec![Jump::SetBack {
                at: Duration::from_secs(30),
                by: Duration::from_secs(5 * 3600),
            }],
            ..run(2_000)
        };
        let history = simulate(&run, &mut service);
        assert_eq!(history.limited, 0, "{service:?}");
        let ratio = history.makespan.as_secs_f64() / best_possible(&run).as_secs_f64();
        assert!(ratio <= 1.02, "{service:?}: {ratio}");
    }
}

#[test]
fn a_restart_with_the_clock_set_back_waits_one_window_at_most() {
    for mut service in every_way_of_counting() {
        let run = Run {
            jumps: vec![
                Jump::SetBack {
                    at: Duration::from_secs(10),
                    by: Duration::from_secs(5 * 3600),
                },
                Jump::Restart {
                    at: Duration::from_secs(20),
                },
            ],
            ..run(700)
        };
        let history = simulate(&run, &mut service);
        assert_eq!(history.limited, 0, "{service:?}");
        assert!(history.makespan < HOUR + HOUR / 20, "{history:?}");
    }
}

#[test]
fn a_stricter_service_is_learned_from() {
    let stricter = [
        Service::sliding(300, HOUR),
        Service::fixed(300, HOUR, HOUR / 3),
        Service::bucket(300, HOUR),
    ];
    for mut service in stricter {
        let history = simulate(&run(3_000), &mut service);
        // Ten windows at the least, with a few refusals in each.
        assert!(history.limited_events() <= 30, "{history:?}");
        let ratio = history.makespan.as_secs_f64() / (10.0 * HOUR.as_secs_f64());
        assert!(ratio <= 1.15, "{ratio} {history:?}");
    }
}

#[test]
fn a_much_stricter_service_is_run_into_twice_a_window_at_most() {
    let stricter = [
        Service::sliding(100, HOUR),
        Service::fixed(100, HOUR, HOUR / 3),
        Service::bucket(100, HOUR),
    ];
    for mut service in stricter {
        let history = simulate(&run(2_000), &mut service);
        // Twenty windows, and the requests in flight at the first refusals.
        assert!(history.limited <= 60, "{service:?}: {history:?}");
        assert!(history.limited_events() <= 40, "{service:?}: {history:?}");
        let ratio = history.makespan.as_secs_f64() / (20.0 * HOUR.as_secs_f64());
        assert!(ratio <= 1.15, "{ratio} {history:?}");
    }
}

#[test]
fn a_restart_forgets_nothing_of_a_stricter_service() {
    let restarts = (1..40).map(|half| Jump::Restart {
        at: HOUR / 2 * half + Duration::from_secs(60),
    });
    let run = Run {
        jumps: restarts.collect(),
        ..run(2_000)
    };
    let mut service = Service::fixed(100, HOUR, HOUR / 3);
    let history = simulate(&run, &mut service);
    assert!(history.limited <= 40, "{history:?}");
    assert!(history.limited_events() <= 20, "{history:?}");
}

#[test]
fn a_stricter_bucket_of_any_size_refuses_one_request_of_four_at_most() {
    for (capacity, per_hour) in [(10, 120), (20, 300), (20, 500), (500, 500), (300, 300)] {
        for concurrency in [1, 8] {
            let mut service = Service::small_bucket(capacity, per_hour, HOUR);
            let run = Run {
                concurrency,
                ..run(10 * per_hour)
            };
            let history = simulate(&run, &mut service);
            let hours = history.makespan.as_secs_f64() / HOUR.as_secs_f64();
            let is_rare = history.limited * 4 <= run.requests;
            assert!(is_rare, "{capacity} {per_hour}: {history:?}");
            assert!(hours <= 20.0, "{capacity} {per_hour}: {hours}");
        }
    }
}

#[test]
fn a_service_that_refills_steadily_takes_twice_its_time_at_most() {
    let mut service = Service::small_bucket(20, 600, HOUR);
    let history = simulate(&run(1_200), &mut service);
    let ratio = history.makespan.as_secs_f64() / (2.0 * HOUR.as_secs_f64());
    assert!(ratio <= 2.0, "{ratio} {history:?}");
    assert!(history.limited * 2 <= run(1_200).requests, "{history:?}");
}

#[test]
fn a_stricter_window_of_any_phase_is_run_into_once_a_window() {
    for twelfth in 0..12 {
        let mut service = Service::fixed(100, HOUR, HOUR / 12 * twelfth);
        let history = simulate(&run(2_000), &mut service);
        assert!(history.limited_events() <= 20, "{twelfth}: {history:?}");
    }
}

#[test]
fn short_pauses_out_of_the_blue_do_not_set_the_pace() {
    let numbers: Vec<usize> = (1..25).map(|nth| nth * 20).collect();
    let mut service = Service::sliding(600, HOUR).stumbling_at(numbers, Duration::from_secs(2));
    let history = simulate(&run(500), &mut service);
    assert_eq!(history.limited, 24, "{history:?}");
    assert!(history.makespan < Duration::from_secs(100), "{history:?}");
}

/// What the pauses alone take: one after about as many requests as are refused once, and those that are under way then.
fn obeying(run: &Run, chance: f64, pause: Duration) -> Duration {
    let [requests, lanes] =
        [run.requests, run.concurrency].map(|count| f64::from(u32::try_from(count).unwrap()));
    let accepted = (1.0 / chance + lanes - 1.0) * (1.0 - chance);
    pause.mul_f64(requests / accepted)
}

#[test]
fn pauses_by_chance_cost_little_more_than_they_ask_for() {
    for (chance, concurrency, seed) in [
        (0.05, 8, 1),
        (0.1, 8, 2),
        (0.3, 8, 3),
        (0.3, 8, 4),
        (0.5, 8, 5),
        (0.05, 1, 6),
        (0.3, 1, 7),
    ] {
        let run = Run {
            concurrency,
            latency_ms: 5..50,
            ..run(300)
        };
        let mut service = Service::sliding(600, HOUR).stumbling_often(chance, 1..=5, seed);
        let history = simulate(&run, &mut service);
        let least = obeying(&run, chance, Duration::from_secs(3));
        let ratio = history.makespan.as_secs_f64() / least.as_secs_f64();
        assert!(ratio <= 2.0, "{chance} of {concurrency}: {ratio}");
    }
}

#[test]
fn refusals_by_chance_never_stop_a_run() {
    for seed in 1..=40 {
        let run = Run {
            latency_ms: 5..50,
            ..run(300)
        };
        let mut service = Service::sliding(600, HOUR).stumbling_often(0.3, 1..=5, seed);
        let history = simulate(&run, &mut service);
        let least = obeying(&run, 0.3, Duration::from_secs(3));
        let ratio = history.makespan.as_secs_f64() / least.as_secs_f64();
        assert!(ratio < 2.5, "{seed}: {ratio}");
    }
}

#[test]
fn ten_refusals_in_a_row_are_waited_out_as_the_service_asks() {
    let first_ten = (1..=10).collect();
    let mut service = Service::sliding(600, HOUR).stumbling_at(first_ten, Duration::from_secs(1));
    let run = Run {
        concurrency: 1,
        latency_ms: 5..50,
        ..run(100)
    };
    let history = simulate(&run, &mut service);
    assert_eq!(history.limited, 10);
    let without = simulate(&run, &mut Service::sliding(600, HOUR)).makespan;
    assert!(
        history.makespan - without < Duration::from_secs(20),
        "{history:?}"
    );
}

#[test]
fn a_service_that_refuses_for_an_hour_is_tried_ever_less_often_and_found_again_soon() {
    let mut service = Service::sliding(600, HOUR).away_for(HOUR, Duration::from_secs(1));
    let history = simulate(&run(100), &mut service);
    // All of the requests in flight are refused together.
    assert!(history.limited <= 50 * run(100).concurrency, "{history:?}");
    assert!(history.makespan < HOUR * 13 / 10, "{history:?}");
}

#[test]
fn a_pace_is_left_again_once_the_service_has_more_to_give() {
    let recovers = Service::small_bucket(20, 600, HOUR).generous_after(60);
    let history = simulate(&run(500), &mut { recovers });
    assert!(
        history.makespan < Duration::from_secs(60 * 6 + 240),
        "{history:?}"
    );
}

#[test]
fn a_quota_spent_by_others_is_taken_up_again() {
    let mut service = Service::fixed(600, HOUR, HOUR / 2).spent_by_others(600);
    let history = simulate(&run(600), &mut service);
    assert!(history.limited_events() <= 2, "{history:?}");
    assert!(history.makespan < HOUR / 2 + HOUR / 20, "{history:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_window_holds_more_than_the_quota(
        seed in any::<u64>(),
        requests in 1_usize..2_000,
        concurrency in 1_usize..64,
        slowest in 30_u64..20_000,
        phase in 0_u32..100,
        asleep in 0_u64..5_000,
    ) {
        let run = Run {
            share: documented(),
            requests,
            concurrency,
            latency_ms: 10..slowest,
            jumps: vec![Jump::Sleep { at: Duration::from_secs(15), long: Duration::from_secs(asleep) }],
            seed,
        };
        let services = [
            Service::sliding(600, HOUR),
            Service::bucket(600, HOUR),
            Service::fixed(600, HOUR, HOUR / 100 * phase),
        ];
        for mut service in services {
            prop_assert_eq!(simulate(&run, &mut service).limited, 0);
        }
    }
}
