//! The network between the program and the service, and its troubles.

use jiff::Timestamp;
use serde_json::Value;

use super::observer::Observer;
use super::service::{Service, ServiceAnswer, error};
use super::virtual_time;

/// A request as the service sees it.
pub(super) struct ServiceRequest<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) token: Option<&'a str>,
    pub(super) version: Option<&'a str>,
    pub(super) body: Value,
    /// Whether the service does not know the city, as only the service can tell.
    pub(super) has_unknown_city: bool,
    /// When the program sent it.
    pub(super) left_at: Timestamp,
    /// How many requests had left until then.
    pub(super) number: u64,
    /// Whether time passed before its turn was over, in which others may have left.
    pub(super) is_late: bool,
}

impl ServiceRequest<'_> {
    /// What tells it from the others in flight: the external id of a creation, or its path.
    pub(super) fn name(&self) -> String {
        let id = self.body["external"]["id"].as_str();
        id.unwrap_or(self.path).to_owned()
    }
}

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TroubleKind {
    /// It does not reach the service.
    RequestLost,
    /// It reaches the service after many seconds, which counts it then.
    RequestLate,
    /// The computer sleeps for hours before it reaches the service.
    Asleep,
    /// The service handles it, and its answer does not arrive.
    AnswerLost,
    /// The answer comes when the client no longer waits.
    AnswerLate,
    /// Half of the answer arrives.
    AnswerCut,
    /// A proxy answers with a page.
    Page,
    /// The measurement of the answer has no id.
    NoId,
    /// The answer is another measurement's.
    OtherMeasurement,
    /// The answer has the id that was asked for, and address and numbers of another house.
    OtherAddress,
    /// 500, after the service handled it.
    ServerError,
    /// 503 with `Retry-After`, without being handled.
    Unavailable,
    /// 503 with `Retry-After` of hours, after the service handled it.
    Maintenance,
    /// 429, perhaps with `Retry-After` in seconds.
    RateLimited(Option<u64>),
    /// 404 for a measurement that is there.
    Gone,
    /// 422.
    Refused,
    /// 501.
    NotImplemented,
    /// 401, since the contractor has disconnected the app; the request before it got 503.
    Unauthorized,
    /// 400, since the service serves another version; the request before it got 503.
    OtherVersion,
    /// The token belongs to another team than the journal, as GET /me says.
    OtherTeam,
    /// The process dies before the request arrives.
    DeathBefore,
    /// The process dies after the service handled it.
    DeathAfter,
}

/// A trouble of some requests of a command, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) kind: TroubleKind,
    pub(super) first: usize,
    pub(super) times: usize,
}

/// The service with what lies between it and the program.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) service: Service,
    pub(super) observer: Observer,
    /// Requests of the present command.
    pub(super) requests: usize,
    trouble: Option<Trouble>,
}

/// What the client sees.
pub(super) enum Delivery {
    Answer(ServiceAnswer),
    Cut(ServiceAnswer),
    Page,
    Closed,
    TimedOut,
}

impl Network {
    pub(super) fn new() -> Self {
        Self {
            service: Service::new(),
            observer: Observer::default(),
            requests: 0,
            trouble: None,
        }
    }

    /// A command begins.
    pub(super) fn begin(&mut self, trouble: Option<Trouble>) {
        self.requests = 0;
        self.observer.begin();
        self.trouble = trouble;
    }

    /// Something happens to the next request.
    pub(super) fn strike(&mut self, kind: TroubleKind) {
        let (first, times) = (self.requests, 1);
        self.trouble = Some(Trouble { kind, first, times });
    }

    /// Whether the service may say 429 without a trouble: it counts requests that the journal does not.
    pub(super) fn may_refuse(&self) -> bool {
        let observer = &self.observer;
        observer.is_clock_changed || !observer.is_counted_by_the_journal(virtual_time::time())
    }

    pub(super) fn deliver(&mut self, request: &ServiceRequest<'_>) -> Delivery {
        self.observer.sent(request);
        let delivery = self.delivery(request);
        if let Delivery::Answer(answer) = &delivery {
            self.observer.answered(request, answer);
        }
        delivery
    }

    /// What happens to the next request.
    pub(super) fn trouble_kind(&self) -> Option<TroubleKind> {
        let number = self.requests;
        let Trouble { kind, first, times } = self.trouble?;
        let is_before = matches!(kind, TroubleKind::Unauthorized | TroubleKind::OtherVersion)
            && number + 1 == first
            && number > 0;
        if is_before {
            return Some(TroubleKind::Unavailable);
        }
        (first..first + times).contains(&number).then_some(kind)
    }

    fn delivery(&mut self, request: &ServiceRequest<'_>) -> Delivery {
        let kind = self.trouble_kind();
        self.requests += 1;
        match kind {
            Some(TroubleKind::RequestLost) => return Delivery::Closed,
            Some(TroubleKind::DeathBefore) => {
                virtual_time::die();
                return Delivery::Closed;
            }
            Some(TroubleKind::Unavailable) => {
                let mut answer = error(503, "server_error");
                answer.retry_after = Some(20);
                return Delivery::Answer(answer);
            }
            Some(TroubleKind::RateLimited(retry_after)) => {
                let mut answer = error(429, "rate_limited");
                answer.retry_after = retry_after;
                return Delivery::Answer(answer);
            }
            Some(TroubleKind::NotImplemented) => {
                return Delivery::Answer(error(501, "not_implemented"));
            }
            Some(TroubleKind::Unauthorized) => "none".clone_into(&mut self.service.token),
            Some(TroubleKind::OtherVersion) => {
                return Delivery::Answer(error(400, "unsupported_version"));
            }
            _ => {}
        }
        let mut answer = self.handle(request);
        match kind {
            Some(TroubleKind::AnswerLost) => Delivery::Closed,
            Some(TroubleKind::AnswerLate) => {
                self.observer.is_late();
                Delivery::TimedOut
            }
            Some(TroubleKind::DeathAfter) => {
                virtual_time::die();
                Delivery::Closed
            }
            Some(TroubleKind::AnswerCut) => Delivery::Cut(answer),
            Some(TroubleKind::Page) => Delivery::Page,
            Some(TroubleKind::ServerError) => Delivery::Answer(error(500, "server_error")),
            Some(TroubleKind::Maintenance) => {
                let mut answer = error(503, "server_error");
                answer.retry_after = Some(9000);
                Delivery::Answer(answer)
            }
            Some(TroubleKind::Gone) if request.method == "GET" && answer.body["id"].is_string() => {
                if let Some(id) = answer.body["id"].as_str() {
                    self.observer.forget_shown(id);
                }
                Delivery::Answer(error(404, "not_found"))
            }
            Some(TroubleKind::OtherTeam)
                if request.path == "/me"
                    && answer.status == 200
                    && self.observer.journal.is_bound =>
            {
                answer.body["team"]["id"] = "team_2".into();
                self.observer.ends_the_run();
                Delivery::Answer(answer)
            }
            Some(TroubleKind::NoId) => {
                if let Some(object) = answer.body.as_object_mut() {
                    object.remove("id");
                }
                Delivery::Answer(answer)
            }
            Some(kind @ (TroubleKind::OtherMeasurement | TroubleKind::OtherAddress)) => {
                self.note_shown(request, &answer);
                self.mix_up(&mut answer, kind, request);
                Delivery::Answer(answer)
            }
            _ => {
                self.note_shown(request, &answer);
                self.note_read(request, &answer);
                Delivery::Answer(answer)
            }
        }
    }

    fn handle(&mut self, request: &ServiceRequest<'_>) -> ServiceAnswer {
        let answer = self.service.answer(request, virtual_time::time());
        self.observer.handled(request, &answer, &self.service);
        answer
    }

    /// Notes the measurement of an answer, unless its house may be in conflict with the row's.
    fn note_shown(&mut self, request: &ServiceRequest<'_>, answer: &ServiceAnswer) {
        let shown = answer.body["id"].as_str();
        let Some(shown) = shown.and_then(|id| self.service.with_id(id)) else {
            return;
        };
        if request.method == "GET" || answer.status == 201 || shown.is_of(&request.body) {
            self.observer.shows(shown);
        }
    }

    /// Notes a measurement that was read and is what it was.
    fn note_read(&mut self, request: &ServiceRequest<'_>, answer: &ServiceAnswer) {
        let read = answer.body["id"].as_str();
        let read = read.filter(|_| request.method == "GET");
        if let Some(read) = read.and_then(|id| self.service.with_id(id)) {
            self.observer.reads(read);
        }
    }

    /// Puts another house into the answer, if the service has one.
    fn mix_up(
        &mut self,
        answer: &mut ServiceAnswer,
        kind: TroubleKind,
        request: &ServiceRequest<'_>,
    ) {
        let Some(id) = answer.body["id"].as_str().map(str::to_owned) else {
            return;
        };
        let of = self.service.with_id(&id).expect("the service answered it");
        let (house, building) = (of.house.clone(), of.building());
        let indices = self.service.by_house_and_id().into_iter();
        let mut others = indices.map(|index| &self.service.measurements[index]);
        // An answer with the house that the row asks for would be no mistake.
        let is_post = request.method == "POST";
        let Some(other) = others.rfind(|other| {
            other.building() != building && !(is_post && other.is_of(&request.body))
        }) else {
            return;
        };
        self.observer.forget_shown(&id);
        let (other_house, other) = (other.house.clone(), other.json());
        if kind == TroubleKind::OtherMeasurement {
            // Nobody takes it for the answer.
            answer.body = other;
            return;
        }
        for part in ["address", "result", "status", "completed_at"] {
            answer.body[part] = other[part].clone();
        }
        if is_post {
            self.observer.shown_for_others.insert(other_house);
            self.observer.deceive(id.clone(), house);
            if answer.status == 201 {
                self.observer.created_as_another(id);
            }
        }
    }
}
