//! Tests that random histories and their replayed events give the same store.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use crate::sandbox::options::{Country, Options};
use crate::sandbox::store::{
    Address, App, CodeExchange, CreateOutcome, Customer, Event, ExternalLink, Grant, Measurement,
    NewRequest, Status, Store, simulated_result,
};

#[derive(Clone, Debug)]
enum RandomAction {
    Create(u8),
    Open(usize),
    Measure(usize),
    Withdraw(usize),
    Correct(usize),
    Wait(u16),
    Reconnect,
}

fn action() -> impl Strategy<Value = RandomAction> {
    prop_oneof![
        any::<u8>().prop_map(|id| RandomAction::Create(id % 12)),
        (0..12_usize).prop_map(RandomAction::Open),
        (0..12_usize).prop_map(RandomAction::Measure),
        (0..12_usize).prop_map(RandomAction::Withdraw),
        (0..12_usize).prop_map(RandomAction::Correct),
        any::<u16>().prop_map(RandomAction::Wait),
        Just(RandomAction::Reconnect),
    ]
}

fn options() -> Options {
    Options {
        seed: 5,
        work: Some(Duration::from_secs(20)),
        ..Options::default()
    }
}

fn request(id: u8) -> NewRequest {
    NewRequest {
        address: Address {
            line1: format!("{id} Elm St"),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country: Country::CA,
        },
        customer: Customer {
            name: "Zoë".to_owned(),
            email: None,
            phone: Some("1".to_owned()),
        },
        notes: None,
        external: Some(ExternalLink {
            id: Some(id.to_string()),
            url: None,
            label: None,
        }),
    }
}

/// Performs one action, if the state allows it.
fn perform(store: &mut Store, action: &RandomAction, now: Timestamp) {
    let id = |store: &Store, index: usize| {
        let measurement = store.measurements().get(index);
        measurement.map_or_else(String::new, |measurement| measurement.id.clone())
    };
    match action {
        RandomAction::Create(number) => {
            let before = store.measurements().len();
            match store.create(request(*number), 0, now) {
                CreateOutcome::New(index) => assert_eq!(index, before),
                CreateOutcome::Existing(index) => assert!(index < before),
                CreateOutcome::OfAnotherTeam => panic!("there is one team"),
            }
        }
        RandomAction::Open(index) => {
            let _ = store.open(&id(store, *index), now);
        }
        RandomAction::Measure(index) => {
            let id = id(store, *index);
            let _ = store.measure(&id, simulated_result(9, &id), now);
        }
        RandomAction::Withdraw(index) => {
            let _ = store.withdraw(&id(store, *index), now);
        }
        RandomAction::Correct(index) => {
            let customer = Customer {
                name: now.to_string(),
                ..request(0).customer
            };
            let _ = store.correct(&id(store, *index), customer, now);
        }
        RandomAction::Wait(_) => {}
        RandomAction::Reconnect => store.connect(0, now.to_string(), now),
    }
}

/// The store after a replay of these events.
fn replayed(events: &[Event]) -> Store {
    let mut store = Store::new(options());
    for event in events {
        let line = serde_json::to_string(event).unwrap();
        store.apply(serde_json::from_str(&line).unwrap());
    }
    store
}

/// What holds between two states of one measurement.
fn check(before: &Measurement, after: &Measurement) {
    if before.status == Status::Complete {
        assert_eq!(after.status, Status::Complete);
        assert_eq!(after.completed_at, before.completed_at);
    }
    if before.status == Status::Canceled {
        assert_eq!(after.status, Status::Canceled);
    }
    assert_eq!(after.result.is_some(), after.status == Status::Complete);
    assert_eq!(after.address, before.address);
    assert!(after.updated_at >= before.updated_at);
    assert_eq!(after == before, after.updated_at == before.updated_at);
}

proptest! {
    #[test]
    fn a_replay_gives_the_same_store(actions in proptest::collection::vec(action(), 0..60)) {
        let mut store = Store::new(options());
        let mut events: Vec<Event> = Vec::new();
        let mut now = Timestamp::UNIX_EPOCH;
        store.provision(App::default(), || "team".to_owned());
        for action in actions {
            if let RandomAction::Wait(milliseconds) = action {
                now += SignedDuration::from_millis(i64::from(milliseconds));
            }
            let before = store.measurements().to_vec();
            store.advance(now);
            perform(&mut store, &action, now);
            for (before, after) in before.iter().zip(store.measurements()) {
                check(before, after);
            }
            events.extend(store.take_events());
        }
        let later = now + SignedDuration::from_secs(100);
        let mut replayed = replayed(&events);
        prop_assert_eq!(store.measurements(), replayed.measurements());
        for store in [&mut store, &mut replayed] {
            store.advance(later);
        }
        prop_assert_eq!(store.measurements(), replayed.measurements());
        let token = |store: &Store| store.connection_of(0).map(|(token, _)| token.to_owned());
        prop_assert_eq!(token(&store), token(&replayed));
    }
}

fn exchange(store: &mut Store, now: Timestamp) -> bool {
    let exchange = CodeExchange {
        code: "code",
        redirect_uri: "http://localhost",
        challenge: "challenge",
        token: format!("token of {now}"),
    };
    store.exchange(exchange, now).is_ok()
}

#[test]
fn a_code_and_its_use_are_replayed() {
    let now = Timestamp::UNIX_EPOCH;
    let mut store = Store::new(options());
    store.provision(App::default(), || "team".to_owned());
    store.grant(Grant {
        code: "code".to_owned(),
        team: 0,
        redirect_uri: "http://localhost".to_owned(),
        challenge: "challenge".to_owned(),
        at: now,
    });
    let mut events = store.take_events();
    assert!(exchange(&mut replayed(&events), now));
    assert!(exchange(&mut store, now));
    events.extend(store.take_events());
    // A second use, however late, revokes the token of the first one.
    let mut used = replayed(&events);
    assert!(used.connection_of(0).is_some());
    assert!(!exchange(&mut used, now + SignedDuration::from_mins(10)));
    assert!(used.connection_of(0).is_none());
}
