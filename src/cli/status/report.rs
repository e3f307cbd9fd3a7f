//! The report of `status`, as JSON and as text.

use serde::Serialize;

use crate::cli::ExitStatus;
use crate::cli::context::Context;
use crate::cli::settings::{EffectiveSetting, SettingOrigin};
use crate::cli::status::budget::BudgetReport;
use crate::cli::status::rows::RowsReport;
use crate::cli::status::token::TokenReport;
use crate::journal::{BilledElsewhereDeclaration, Binding, JournalOverview, LastRun, WarnedRow};
use crate::model::{AppIdentity, Outcome, Team, counted, group_digits, json_time};

/// The maximum number of warnings in the text.
const WARNINGS_SHOWN: usize = 10;

/// The answer of `status --json`.
#[derive(Debug, Serialize)]
pub(super) struct StatusReport {
    command: &'static str,
    profile: String,
    settings: Vec<EffectiveSetting>,
    config: String,
    journal: JournalReport,
    token: TokenReport,
    budget: BudgetReport,
    base_url: Option<String>,
    team: Option<Team>,
    app: Option<AppIdentity>,
    rows: Option<RowsReport>,
    requests: RequestStatusReport,
    measurements: MeasurementStatusReport,
    sealed_exports: u64,
    billed_elsewhere: Vec<BilledElsewhereReport>,
    warnings: Vec<WarningReport>,
    last_runs: Vec<LastRunReport>,
    exit_code: u8,
}

#[derive(Debug, Serialize)]
struct JournalReport {
    path: String,
    exists: bool,
}

#[derive(Debug, Default, Serialize)]
struct RequestStatusReport {
    created: u64,
    existing: u64,
    refused: u64,
    conflict: u64,
    unanswered: u64,
}

#[derive(Debug, Default, Serialize)]
struct MeasurementStatusReport {
    pending: u64,
    in_progress: u64,
    complete: u64,
    canceled: u64,
    not_found: u64,
    billed: u64,
}

/// A declaration of what was billed elsewhere.
#[derive(Debug, Serialize)]
struct BilledElsewhereReport {
    /// A day with its zone, or `never`.
    until: String,
    declared_at: String,
}

#[derive(Debug, Serialize)]
struct WarningReport {
    external_id: String,
    kind: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct LastRunReport {
    file: String,
    started_at: String,
    ended_at: Option<String>,
    outcomes: Option<std::collections::BTreeMap<&'static str, u64>>,
    rejects_of: Option<String>,
    /// Number of rows that were rejected and are corrected since.
    corrected: u64,
}

impl StatusReport {
    /// Creates the report; without a journal every count is 0.
    pub(super) fn new(
        context: &Context,
        token: TokenReport,
        budget: BudgetReport,
        overview: Option<&JournalOverview>,
    ) -> Self {
        let binding = overview.and_then(|overview| overview.binding.as_ref());
        Self {
            command: "status",
            profile: context.common.profile.clone(),
            settings: settings(context),
            config: context.home.config_file().display().to_string(),
            journal: JournalReport {
                path: context.journal_path().display().to_string(),
                exists: overview.is_some(),
            },
            token,
            budget,
            base_url: binding.map(|binding| binding.base_url.clone()),
            team: binding.map(Binding::team),
            app: binding.map(Binding::app),
            rows: None,
            requests: overview.map(requests).unwrap_or_default(),
            measurements: overview.map(measurements).unwrap_or_default(),
            sealed_exports: overview.map_or(0, |overview| overview.sealed),
            billed_elsewhere: overview
                .map(|overview| overview.declarations.iter().map(billed_elsewhere).collect())
                .unwrap_or_default(),
            warnings: overview
                .map(|overview| overview.warnings.iter().map(warning).collect())
                .unwrap_or_default(),
            last_runs: overview
                .map(|overview| overview.last_runs.iter().map(run).collect())
                .unwrap_or_default(),
            exit_code: ExitStatus::Done.code(),
        }
    }

    /// Adds the rows of one file.
    pub(super) fn with_rows(self, rows: RowsReport) -> Self {
        Self {
            rows: Some(rows),
            ..self
        }
    }

    /// The rows of one file.
    pub(super) fn rows(&self) -> Option<&RowsReport> {
        self.rows.as_ref()
    }

    /// The token of the profile.
    pub(super) fn token(&self) -> &TokenReport {
        &self.token
    }

    /// The report as text; the places of files and the settings follow separately.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![format!("profile       {}", self.profile)];
        lines.push(match (&self.team, &self.base_url) {
            (Some(team), Some(place)) => {
                format!("team          {} ({}) at {place}", team.name, team.id)
            }
            _ => "team          none yet: nothing was sent from this journal".to_owned(),
        });
        lines.extend(self.rows.as_ref().map(RowsReport::text));
        lines.push(self.requests.text());
        lines.push(self.measurements.text());
        lines.push(format!(
            "billed        {} in {}",
            counted(self.measurements.billed, "measurement"),
            counted(self.sealed_exports, "sealed export")
        ));
        // Each declaration replaces those before it.
        lines.extend(self.billed_elsewhere.last().map(|declared| {
            format!(
                "              billed elsewhere until {}, declared {}",
                declared.until, declared.declared_at
            )
        }));
        lines.push(format!("budget        {}", self.budget.text()));
        lines.extend(self.warning_lines());
        lines.extend(self.last_runs.iter().map(LastRunReport::text));
        lines.join("\n")
    }

    /// Where files are stored, and the settings in effect.
    pub(super) fn places(&self) -> String {
        let mut lines = vec![format!(
            "journal       {}{}",
            self.journal.path,
            if self.journal.exists {
                ""
            } else {
                " (not created yet)"
            }
        )];
        lines.push(self.token.text());
        lines.push(format!("settings      {}", self.config));
        lines.extend(self.settings.iter().map(|setting| {
            format!(
                "  {:<18}{} ({})",
                setting.key,
                setting.value,
                setting.origin.name()
            )
        }));
        lines.join("\n")
    }
}

impl StatusReport {
    /// The number of warnings, and the first ones.
    fn warning_lines(&self) -> impl Iterator<Item = String> {
        let shown = self.warnings.iter().take(WARNINGS_SHOWN);
        let shown = shown.map(|warning| format!("  {}: {}", warning.external_id, warning.message));
        let count = self.warnings.len() as u64;
        let head = (count > 0).then(|| format!("warnings      {}", counted(count, "row")));
        let more = count.saturating_sub(WARNINGS_SHOWN as u64);
        let more = (more > 0).then(|| format!("  and {more} more; `status --json` lists all"));
        head.into_iter().chain(shown).chain(more)
    }
}

impl RequestStatusReport {
    fn text(&self) -> String {
        format!(
            "requests      {} created, {} existing, {} refused, {} in conflict, {} unanswered",
            group_digits(self.created),
            group_digits(self.existing),
            group_digits(self.refused),
            group_digits(self.conflict),
            group_digits(self.unanswered)
        )
    }
}

impl MeasurementStatusReport {
    fn text(&self) -> String {
        format!(
            "measurements  {} pending, {} in progress, {} complete, {} canceled, {} not found",
            group_digits(self.pending),
            group_digits(self.in_progress),
            group_digits(self.complete),
            group_digits(self.canceled),
            group_digits(self.not_found)
        )
    }
}

impl LastRunReport {
    fn text(&self) -> String {
        let outcomes = match &self.outcomes {
            None => {
                "runs, or was interrupted: then run the same command again to resume".to_owned()
            }
            Some(outcomes) => {
                let some = outcomes.iter().filter(|(_, rows)| **rows > 0);
                let corrected = [("corrected since", self.corrected)];
                some.map(|(name, rows)| (*name, *rows))
                    .chain(corrected.into_iter().filter(|(_, rows)| *rows > 0))
                    .map(|(name, rows)| format!("{} {name}", group_digits(rows)))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
        };
        format!("last import   {}: {outcomes}", self.file)
    }
}

/// The settings without the switches that are off by default.
fn settings(context: &Context) -> Vec<EffectiveSetting> {
    let is_unset = |setting: &&EffectiveSetting| {
        setting.origin == SettingOrigin::Default && setting.value == "false"
    };
    let settings = context.settings.iter();
    settings.filter(|one| !is_unset(one)).cloned().collect()
}

fn requests(overview: &JournalOverview) -> RequestStatusReport {
    RequestStatusReport {
        created: overview.created,
        existing: overview.existing,
        refused: overview.refused,
        conflict: overview.conflict,
        unanswered: overview.unanswered,
    }
}

fn measurements(overview: &JournalOverview) -> MeasurementStatusReport {
    use crate::model::Status;
    let of = |status| {
        overview
            .by_status
            .iter()
            .find(|(found, _)| *found == status)
            .map_or(0, |(_, count)| *count)
    };
    MeasurementStatusReport {
        pending: of(Status::Pending),
        in_progress: of(Status::InProgress),
        complete: of(Status::Complete),
        canceled: of(Status::Canceled),
        not_found: overview.gone,
        billed: overview.billed,
    }
}

fn billed_elsewhere(declaration: &BilledElsewhereDeclaration) -> BilledElsewhereReport {
    BilledElsewhereReport {
        until: declaration.text.clone(),
        declared_at: json_time(declaration.declared_at),
    }
}

fn warning(warned: &WarnedRow) -> WarningReport {
    WarningReport {
        external_id: warned.external_id.clone(),
        kind: warned.kind.clone(),
        message: warned.message.clone(),
    }
}

fn run(last: &LastRun) -> LastRunReport {
    let kinds = [
        Outcome::Invalid,
        Outcome::Refused,
        Outcome::Conflict,
        Outcome::SameHouse,
    ];
    let was_rejected = last.outcomes.map_or(0, |outcomes| -> u64 {
        kinds.into_iter().map(|kind| outcomes.count(kind)).sum()
    });
    LastRunReport {
        rejects_of: last.rejects_of.clone(),
        corrected: match last.rejects_of {
            None => was_rejected.saturating_sub(last.rejected.total()),
            Some(_) => 0,
        },
        file: last.file.clone(),
        started_at: json_time(last.started_at),
        ended_at: last.ended_at.map(json_time),
        outcomes: last.outcomes.map(|outcomes| {
            Outcome::ALL
                .into_iter()
                .map(|one| (one.name(), outcomes.count(one)))
                .collect()
        }),
    }
}
