//! A listener on this machine that speaks just enough HTTP for the client.
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

use super::loopback::{Delivery, Network, ServiceRequest, TroubleKind};
use super::service::ServiceAnswer;
use super::virtual_time::{self, pass_in_run, time};
use super::waiting_room::WaitingRoom;

/// How long a late request is on its way.
const LATE: Duration = Duration::from_secs(20);

/// The last moment at which a client still waits for its answer.
const LAST: Duration = Duration::from_secs(29);

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

/// A runtime whose clock stands still, with the listener in it. Time passes only in [`pass_in_run`]. With a `room`, the
/// requests in flight are answered one after the other; without one, each at once.
pub(super) fn runtime(network: &Arc<Mutex<Network>>, room: Option<Arc<WaitingRoom>>) -> Runtime {
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
    if let Some(room) = room.clone() {
        runtime.spawn(async move { room.take_turns().await });
    }
    runtime.spawn(async move {
        let _running = running;
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (network, room) = (Arc::clone(&network), room.clone());
            // A client that is gone needs no answer.
            tokio::spawn(async move { serve(stream, &network, room.as_deref()).await });
        }
    });
    runtime
}

/// Serves a connection: one request after the other, or a single one where they wait for their turns. A connection for
/// each request would take a fifth of the time of a long import.
async fn serve(
    mut stream: TcpStream,
    network: &Mutex<Network>,
    room: Option<&WaitingRoom>,
) -> std::io::Result<()> {
    let mut received = Vec::new();
    loop {
        match serve_request(&mut stream, &mut received, network, room).await? {
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
    room: Option<&WaitingRoom>,
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
    let mut request = ServiceRequest {
        method,
        path,
        token: header("authorization").and_then(|value| value.strip_prefix("Bearer ")),
        version: header("service-version"),
        body: serde_json::from_slice(&received[head + 4..]).unwrap_or_default(),
        has_unknown_city: false,
        left_at: time(),
        number: 0,
        is_late: false,
    };
    received.drain(..head + 4 + length);
    {
        let mut network = network.lock().unwrap();
        let quota = network.service.quota;
        request.number = network.observer.leaves(&request, quota);
    }
    let turn = match room {
        None => None,
        Some(room) => {
            let turn = room.enter(request.name()).await;
            if turn.is_none() {
                // The client gave up before.
                network.lock().unwrap().observer.ends(None);
                return closed;
            }
            turn
        }
    };
    let delivery = deliver(network, request).await;
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
        Delivery::Answer(answer) if turn.is_none() => {
            stream.write_all(&bytes(&answer, "keep-alive")).await?;
            return Ok(ControlFlow::Continue(()));
        }
        Delivery::Answer(answer) => stream.write_all(&bytes(&answer, "close")).await?,
    }
    drop(turn);
    closed
}

/// What becomes of a request whose turn it is, after the time that this takes.
async fn deliver(network: &Mutex<Network>, mut request: ServiceRequest<'_>) -> Delivery {
    if let Some(death) = virtual_time::take_turn() {
        network.lock().unwrap().strike(death);
    }
    let kind = network.lock().unwrap().trouble_kind();
    request.has_unknown_city = kind == Some(TroubleKind::Refused);
    let began = time();
    match kind {
        Some(TroubleKind::RequestLate) => {
            let waited = time().duration_since(request.left_at).unsigned_abs();
            // Other requests were in front of it, and the client waits for half a minute.
            pass_in_run(LATE.min(LAST.saturating_sub(waited))).await;
        }
        Some(TroubleKind::Asleep) => virtual_time::sleep(),
        _ => {}
    }
    request.is_late = time() > began;
    let delivery = network.lock().unwrap().deliver(&request);
    if let Delivery::TimedOut = delivery {
        pass_in_run(Duration::from_secs(31)).await;
    }
    delivery
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
