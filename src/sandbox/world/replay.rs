//! Random lives of a world, lived once and replayed from their events.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use crate::sandbox::options::Country;
use crate::sandbox::rate::Rate;
use crate::sandbox::world::{
    Created, Customer, Draft, Event, Exchange, External, Grant, Measurement, Settings, Status,
    World, simulated_survey,
};

#[derive(Clone, Debug)]
enum Deed {
    Create(u8),
    Open(usize),
    Measure(usize),
    Withdraw(usize),
    Correct(usize),
    Wait(u16),
    Reconnect,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        any::<u8>().prop_map(|id| Deed::Create(id % 12)),
        (0..12_usize).prop_map(Deed::Open),
        (0..12_usize).prop_map(Deed::Measure),
        (0..12_usize).prop_map(Deed::Withdraw),
        (0..12_usize).prop_map(Deed::Correct),
        any::<u16>().prop_map(Deed::Wait),
        Just(Deed::Reconnect),
    ]
}

fn settings() -> Settings {
    Settings {
        seed: 5,
        rate: Rate::default(),
        country: Country::CA,
        team_names: vec!["One".to_owned()],
        app_name: "App".to_owned(),
        redirect_uris: Vec::new(),
        work: Some(Duration::from_secs(20)),
    }
}

fn draft(id: u8) -> Draft {
    Draft {
        line1: format!("{id} Elm St"),
        line2: None,
        city: "Ottawa".to_owned(),
        region: "ON".to_owned(),
        postal_code: "K1A 0B1".to_owned(),
        country: None,
        customer: Customer {
            name: "Zoë".to_owned(),
            email: None,
            phone: Some("1".to_owned()),
        },
        notes: None,
        external: Some(External {
            id: Some(id.to_string()),
            url: None,
            label: None,
        }),
    }
}

/// Does one thing; what the state forbids is left undone.
fn perform(world: &mut World, deed: &Deed, now: Timestamp) {
    let id = |world: &World, index: usize| {
        let measurement = world.measurements().get(index);
        measurement.map_or_else(String::new, |measurement| measurement.id.clone())
    };
    match deed {
        Deed::Create(number) => {
            let before = world.measurements().len();
            match world.create(draft(*number), 0, now) {
                Created::New(index) => assert_eq!(index, before),
                Created::Known(index) => assert!(index < before),
                Created::OfAnotherTeam => panic!("there is one team"),
            }
        }
        Deed::Open(index) => {
            let _ = world.open(&id(world, *index), now);
        }
        Deed::Measure(index) => {
            let id = id(world, *index);
            let _ = world.measure(&id, simulated_survey(9, &id), now);
        }
        Deed::Withdraw(index) => {
            let _ = world.withdraw(&id(world, *index), now);
        }
        Deed::Correct(index) => {
            let customer = Customer {
                name: now.to_string(),
                ..draft(0).customer
            };
            let _ = world.correct(&id(world, *index), customer, now);
        }
        Deed::Wait(_) => {}
        Deed::Reconnect => world.connect(0, now.to_string(), now),
    }
}

/// The world that a log of these events makes.
fn replayed(events: &[Event]) -> World {
    let mut world = World::new(settings());
    for event in events {
        let line = serde_json::to_string(event).unwrap();
        world.replay(&serde_json::from_str(&line).unwrap());
    }
    world
}

/// What must hold between two looks at one measurement.
fn check(before: &Measurement, after: &Measurement) {
    if before.status == Status::Complete {
        assert_eq!(after.status, Status::Complete);
        assert_eq!(after.completed_at, before.completed_at);
    }
    if before.status == Status::Canceled {
        assert_eq!(after.status, Status::Canceled);
    }
    assert_eq!(after.survey.is_some(), after.status == Status::Complete);
    assert_eq!(after.address, before.address);
    assert!(after.updated_at >= before.updated_at);
    assert_eq!(after == before, after.updated_at == before.updated_at);
}

proptest! {
    #[test]
    fn what_is_replayed_is_what_was_lived(deeds in proptest::collection::vec(deed(), 0..60)) {
        let mut world = World::new(settings());
        let mut events: Vec<Event> = Vec::new();
        let mut now = Timestamp::UNIX_EPOCH;
        world.found_team("team".to_owned());
        for deed in deeds {
            if let Deed::Wait(milliseconds) = deed {
                now += SignedDuration::from_millis(i64::from(milliseconds));
            }
            let before = world.measurements().to_vec();
            world.advance(now);
            perform(&mut world, &deed, now);
            for (before, after) in before.iter().zip(world.measurements()) {
                check(before, after);
            }
            events.extend(world.take_events());
        }
        let later = now + SignedDuration::from_secs(100);
        let mut replayed = replayed(&events);
        prop_assert_eq!(world.measurements(), replayed.measurements());
        for world in [&mut world, &mut replayed] {
            world.advance(later);
        }
        prop_assert_eq!(world.measurements(), replayed.measurements());
        let token = |world: &World| world.connection_of(0).map(|(token, _)| token.to_owned());
        prop_assert_eq!(token(&world), token(&replayed));
    }
}

fn exchange(world: &mut World, now: Timestamp) -> bool {
    let exchange = Exchange {
        code: "code",
        redirect_uri: "http://localhost",
        challenge: "challenge",
        token: format!("token of {now}"),
    };
    world.exchange(exchange, now).is_ok()
}

#[test]
fn a_code_and_its_use_are_replayed() {
    let now = Timestamp::UNIX_EPOCH;
    let mut world = World::new(settings());
    world.found_team("team".to_owned());
    world.grant(Grant {
        code: "code".to_owned(),
        team: 0,
        redirect_uri: "http://localhost".to_owned(),
        challenge: "challenge".to_owned(),
        at: now,
    });
    let mut events = world.take_events();
    assert!(exchange(&mut replayed(&events), now));
    assert!(exchange(&mut world, now));
    events.extend(world.take_events());
    // A second use, however late, ends the token that the first one gave.
    let mut used = replayed(&events);
    assert!(used.connection_of(0).is_some());
    assert!(!exchange(&mut used, now + SignedDuration::from_mins(10)));
    assert!(used.connection_of(0).is_none());
}

#[test]
fn after_a_crash_the_quota_counts_creations_and_after_a_stop_every_call() {
    let now = Timestamp::UNIX_EPOCH;
    let left = |mut world: World| {
        let calls = std::iter::repeat_with(|| world.admit(0, now));
        calls.take(700).take_while(Result::is_ok).count()
    };
    let mut world = World::new(settings());
    world.found_team("team".to_owned());
    for _ in 0..5 {
        world.admit(0, now).unwrap();
    }
    world.create(draft(1), 0, now);
    let mut events = world.take_events();
    assert_eq!(left(replayed(&events)), 599);
    world.log_quota(now);
    events.extend(world.take_events());
    assert_eq!(left(replayed(&events)), 595);
}
