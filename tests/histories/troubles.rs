//! The random choice of what happens to a command.

use super::loopback::{Trouble, TroubleKind};
use super::plan::Chance;
use super::steps::{Fate, Step};

impl Chance {
    pub(super) fn fate(&mut self) -> Fate {
        if self.below(5) < 2 {
            return self.trouble();
        }
        Fate::default()
    }

    /// What happens to an export. Most of what a measurement can say wrongly is said when it is read.
    pub(super) fn read_fate(&mut self) -> Fate {
        if self.below(4) > 0 {
            return self.fate();
        }
        let kind = self.pick(&[
            TroubleKind::OtherAddress,
            TroubleKind::OtherMeasurement,
            TroubleKind::Gone,
        ]);
        let trouble = Trouble {
            kind,
            first: self.below(2),
            times: self.pick(&[1, 40]),
        };
        Fate {
            trouble: Some(trouble),
            ..Fate::default()
        }
    }

    pub(super) fn trouble(&mut self) -> Fate {
        if self.one_in(3) {
            return self.night();
        }
        let kind = self.trouble_kind();
        let trouble = Trouble {
            kind,
            first: if kind == TroubleKind::OtherTeam {
                0
            } else {
                self.below(5)
            },
            times: self.pick(&[1, 1, 1, 2, 6, 40]),
        };
        Fate {
            trouble: Some(trouble),
            ..Fate::default()
        }
    }

    /// The process dies, or the computer sleeps; perhaps it dies soon after it woke up.
    pub(super) fn night(&mut self) -> Fate {
        let readings = u32::try_from(self.below(30)).unwrap();
        let later = readings + u32::try_from(self.below(4)).unwrap();
        let (sleeps_after, dies_after) = match self.below(6) {
            0 => (Some(readings), None),
            1 => (Some(readings), Some(later)),
            _ => (None, Some(readings)),
        };
        Fate {
            dies_after,
            sleeps_after,
            ..Fate::default()
        }
    }

    /// Some of the processes that nothing else happens to die between two commits.
    pub(super) fn die_committing(&mut self, steps: &mut [Step]) {
        for step in steps {
            let (Step::Import(_, _, fate) | Step::Export(_, _, fate) | Step::Seal(_, fate)) = step
            else {
                continue;
            };
            if fate.is_quiet() && self.one_in(3) {
                // A command that sends nothing changes few rows.
                let most = self.pick(&[6, 20, 60]);
                fate.dies_committing = Some(u32::try_from(self.below(most)).unwrap());
            }
        }
    }

    /// What happens to the import of more rows than the quota allows.
    pub(super) fn trouble_of_many_rows(&mut self) -> Fate {
        if self.one_in(4) {
            // The computer sleeps soon after the first requests have left.
            return Fate {
                sleeps_after: Some(u32::try_from(6 + self.below(16)).unwrap()),
                ..Fate::default()
            };
        }
        let kinds = [
            TroubleKind::RequestLate,
            TroubleKind::Refused,
            TroubleKind::RequestLost,
            TroubleKind::RateLimited(Some(30)),
        ];
        let kind = self.pick(&kinds);
        let trouble = Trouble {
            kind,
            first: self.below(2),
            times: if kind == TroubleKind::RequestLost {
                // Until so many rows got no answer that the service counts as unreachable.
                90
            } else {
                self.below(6) + 1
            },
        };
        Fate {
            trouble: Some(trouble),
            ..Fate::default()
        }
    }

    /// The service asks for a pause in the middle of an import.
    pub(super) fn pause(&mut self) -> Fate {
        let trouble = Trouble {
            kind: TroubleKind::RateLimited(Some(30)),
            first: 1 + self.below(3),
            times: 1,
        };
        Fate {
            trouble: Some(trouble),
            ..Fate::default()
        }
    }

    fn trouble_kind(&mut self) -> TroubleKind {
        self.pick(&[
            TroubleKind::RequestLost,
            TroubleKind::RequestLate,
            TroubleKind::RequestLate,
            TroubleKind::Asleep,
            TroubleKind::AnswerLost,
            TroubleKind::AnswerLost,
            TroubleKind::AnswerLate,
            TroubleKind::AnswerCut,
            TroubleKind::Page,
            TroubleKind::NoId,
            TroubleKind::OtherMeasurement,
            TroubleKind::OtherAddress,
            TroubleKind::ServerError,
            TroubleKind::Unavailable,
            TroubleKind::Maintenance,
            TroubleKind::RateLimited(None),
            TroubleKind::RateLimited(Some(30)),
            TroubleKind::RateLimited(Some(9000)),
            TroubleKind::Refused,
            TroubleKind::Refused,
            TroubleKind::NotImplemented,
            TroubleKind::Unauthorized,
            TroubleKind::Unauthorized,
            TroubleKind::OtherVersion,
            TroubleKind::OtherTeam,
            TroubleKind::DeathBefore,
            TroubleKind::DeathAfter,
            TroubleKind::DeathAfter,
        ])
    }
}
