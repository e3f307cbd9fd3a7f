//! The fewest events that make a world what it is, so that a log need not hold everything that ever happened.

use jiff::Timestamp;

use crate::sandbox::world::{Event, World};

impl World {
    /// Events that make this world out of an empty one with the same settings. Left out are calls that no quota counts
    /// any more, codes that nobody can use, dead tokens, and the way on which each measurement came to its state.
    pub(in crate::sandbox) fn essence(&self, now: Timestamp) -> Vec<Event> {
        let founded = (!self.app.client_id.is_empty()).then(|| Event::Founded {
            client_id: self.app.client_id.clone(),
            client_secret: self.app.client_secret.clone(),
        });
        let teams = self.teams.iter().map(|team| Event::TeamFounded {
            id: team.id.clone(),
        });
        let rate = self.settings.rate;
        let counted = self.teams.iter().enumerate().flat_map(|(team, founded)| {
            let calls = founded.quota.counted(rate, now);
            calls.map(move |at| Event::Counted { team, at })
        });
        let measurements = self.measurements.iter().cloned();
        founded
            .into_iter()
            .chain(teams)
            .chain(counted)
            .chain(self.access.essence(now))
            .chain(measurements.map(|measurement| Event::Created(Box::new(measurement))))
            .collect()
    }
}
