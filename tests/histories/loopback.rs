//! A listener on this machine that speaks just enough HTTP for the client, and the troubles that a network has.
//!
//! It runs in the runtime of the import or export, whose clock stands still, and answers one request at a time, so a
//! history is the same each time it is run.

use std::net::{SocketAddr, TcpListener};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use super::observer::Observer;
use super::service::{Service, ServiceAnswer, ServiceRequest, error};
use super::virtual_time::{self, pass_in_run};
use super::waits::Waits;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TroubleKind {
    /// It does not reach the service.
    RequestLost,
    /// It reaches the service after many seconds, which counts it then.
    RequestLate,
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
    /// 429, perhaps with `Retry-After` in seconds.
    RateLimited(Option<u64>),
    /// 422.
    Refused,
    /// 501.
    NotImplemented,
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
enum Delivery {
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

    /// Whether the service may say 429 without a trouble: it counts requests that the journal does not.
    pub(super) fn may_refuse(&self) -> bool {
        let observer = &self.observer;
        observer.is_clock_changed || !observer.is_counted_by_the_journal(virtual_time::time())
    }

    fn deliver(&mut self, request: &ServiceRequest<'_>) -> Delivery {
        self.observer.sent(request);
        let delivery = self.delivery(request);
        if let Delivery::Answer(answer) = &delivery {
            self.observer.answered(request, answer);
        }
        delivery
    }

    /// What happens to the next request.
    fn trouble_kind(&self) -> Option<TroubleKind> {
        let number = self.requests;
        let trouble = self
            .trouble
            .filter(|trouble| number >= trouble.first && number < trouble.first + trouble.times);
        trouble.map(|trouble| trouble.kind)
    }

    fn delivery(&mut self, request: &ServiceRequest<'_>) -> Delivery {
        let kind = self.trouble_kind();
        self.requests += 1;
        match kind {
            Some(TroubleKind::RequestLost) => return Delivery::Closed,
            Some(TroubleKind::DeathBefore) => {
                virtual_time::die_after(Some(0));
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
            _ => {}
        }
        let mut answer = self.handle(request);
        match kind {
            Some(TroubleKind::AnswerLost) => Delivery::Closed,
            Some(TroubleKind::AnswerLate) => Delivery::TimedOut,
            Some(TroubleKind::DeathAfter) => {
                virtual_time::die_after(Some(0));
                Delivery::Closed
            }
            Some(TroubleKind::AnswerCut) => Delivery::Cut(answer),
            Some(TroubleKind::Page) => Delivery::Page,
            Some(TroubleKind::ServerError) => Delivery::Answer(error(500, "server_error")),
            Some(TroubleKind::NoId) => {
                if let Some(object) = answer.body.as_object_mut() {
                    object.remove("id");
                }
                Delivery::Answer(answer)
            }
            Some(kind @ (TroubleKind::OtherMeasurement | TroubleKind::OtherAddress)) => {
                self.note_shown(request, &answer);
                self.mix_up(&mut answer, kind, request.method);
                Delivery::Answer(answer)
            }
            _ => {
                self.note_shown(request, &answer);
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
        let shown = shown.and_then(|id| self.service.with_id(id));
        if let Some(shown) = shown.filter(|_| request.method == "GET" || answer.status == 201) {
            self.observer.shows(shown);
        }
    }

    /// Puts another house into the answer, if the service has one.
    fn mix_up(&mut self, answer: &mut ServiceAnswer, kind: TroubleKind, method: &str) {
        let Some(id) = answer.body["id"].as_str().map(str::to_owned) else {
            return;
        };
        let of = self.service.with_id(&id).expect("the service answered it");
        let (house, building) = (of.house.clone(), of.building());
        let indices = self.service.by_house_and_id().into_iter();
        let mut others = indices.map(|index| &self.service.measurements[index]);
        let Some(other) = others.rfind(|other| other.building() != building) else {
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
        if method == "POST" {
            self.observer.shown_for_others.insert(other_house);
            self.observer.deceive(house);
        }
    }
}

thread_local! {
    /// The port of the service, which all histories of a thread share: a client takes long to make.
    static LISTENER: TcpListener = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        listener
    };
}

/// The address at which the service of this thread's histories listens.
pub(super) fn service_address() -> SocketAddr {
    LISTENER.with(|listener| listener.local_addr().unwrap())
}

/// Closes the connections that a process had opened when it died.
pub(super) fn close_connections() {
    LISTENER.with(|listener| while listener.accept().is_ok() {});
}

/// A runtime whose clock stands still, with the listener in it. Time passes only in [`pass_in_run`]. A request that waits
/// for `gate` is answered when the run has no answer of the journal to wait for.
pub(super) fn runtime(network: &Arc<Mutex<Network>>, gate: Option<Arc<Waits>>) -> Runtime {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    // tokio moves a paused clock whenever it waits for the network, except while a blocking task runs.
    let (running, ended) = mpsc::channel::<()>();
    runtime.spawn_blocking(move || ended.recv());
    close_connections();
    let listener = LISTENER.with(|listener| listener.try_clone().unwrap());
    let network = Arc::clone(network);
    runtime.spawn(async move {
        let _running = running;
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            // A client that is gone needs no answer.
            if gate.is_some() {
                let _ = serve(stream, &network, gate.as_deref()).await;
            } else {
                let network = Arc::clone(&network);
                tokio::spawn(async move { serve(stream, &network, None).await });
            }
        }
    });
    runtime
}

/// Serves a connection: one request after the other, or a single one where they wait for a gate. A connection for each
/// request would take a fifth of the time of a long import.
async fn serve(
    mut stream: TcpStream,
    network: &Mutex<Network>,
    gate: Option<&Waits>,
) -> std::io::Result<()> {
    let mut received = Vec::new();
    loop {
        match serve_request(&mut stream, &mut received, network, gate).await? {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(()) => return Ok(()),
        }
    }
}

/// Serves the next request, and says whether the connection stays open.
async fn serve_request(
    stream: &mut TcpStream,
    received: &mut Vec<u8>,
    network: &Mutex<Network>,
    gate: Option<&Waits>,
) -> std::io::Result<ControlFlow<()>> {
    let closed = Ok(ControlFlow::Break(()));
    let head = loop {
        if let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(received).await? == 0 {
            return closed;
        }
    };
    let text = String::from_utf8_lossy(&received[..head]).into_owned();
    let mut lines = text.lines();
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let headers: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let header = |wanted: &str| {
        let found = headers.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| *value)
    };
    let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
    while received.len() < head + 4 + length {
        if stream.read_buf(received).await? == 0 {
            return closed;
        }
    }
    if let Some(gate) = gate {
        gate.settle().await;
    }
    let kind = {
        let mut network = network.lock().unwrap();
        let quota = network.service.quota;
        network.observer.leaves(quota);
        network.trouble_kind()
    };
    let request = ServiceRequest {
        method,
        path,
        token: header("authorization").and_then(|value| value.strip_prefix("Bearer ")),
        version: header("service-version"),
        body: serde_json::from_slice(&received[head + 4..]).unwrap_or_default(),
        has_unknown_city: kind == Some(TroubleKind::Refused),
    };
    received.drain(..head + 4 + length);
    if kind == Some(TroubleKind::RequestLate) {
        pass_in_run(Duration::from_secs(20)).await;
    }
    let delivery = network.lock().unwrap().deliver(&request);
    if let Delivery::TimedOut = delivery {
        pass_in_run(Duration::from_secs(31)).await;
    }
    let status = match &delivery {
        Delivery::Answer(answer) => Some(answer.status),
        _ => None,
    };
    network.lock().unwrap().observer.ends(status);
    match delivery {
        Delivery::Closed => {}
        Delivery::TimedOut => {
            // The client hangs up.
            stream.read(&mut [0]).await.map(drop)?;
        }
        Delivery::Page => {
            let page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\nconnection: close\r\n\r\n<html></html>";
            stream.write_all(page.as_bytes()).await?;
        }
        Delivery::Cut(answer) => {
            let bytes = bytes(&answer, "close");
            stream.write_all(&bytes[..bytes.len() - 20]).await?;
        }
        Delivery::Answer(answer) if gate.is_none() => {
            stream.write_all(&bytes(&answer, "keep-alive")).await?;
            return Ok(ControlFlow::Continue(()));
        }
        Delivery::Answer(answer) => stream.write_all(&bytes(&answer, "close")).await?,
    }
    closed
}

fn bytes(answer: &ServiceAnswer, connection: &str) -> Vec<u8> {
    let body = match &answer.body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    let retry_after = answer
        .retry_after
        .map(|seconds| format!("retry-after: {seconds}\r\n"));
    format!(
        "HTTP/1.1 {} -\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: {connection}\r\n{}\r\n{body}",
        answer.status,
        body.len(),
        retry_after.unwrap_or_default()
    )
    .into_bytes()
}
