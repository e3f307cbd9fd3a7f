//! `Canned`: a server that answers what a test tells it to, right or wrong, and remembers what it heard.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

/// A server on this machine, for as long as the test's process lives.
#[derive(Debug)]
pub(crate) struct Canned {
    port: u16,
    heard: Arc<Heard>,
}

/// The requests so far, and the signal that there is one more.
#[derive(Debug, Default)]
struct Heard {
    requests: Mutex<Vec<String>>,
    one_more: Condvar,
}

/// Keeps the responses of a service back until it is opened.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// Waits until the gate is open.
    pub(crate) fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(is_open, |is_open| !*is_open));
    }

    /// Opens the gate for good.
    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

impl Canned {
    /// Answers every request with the bytes that `answer` makes of it, and closes the connection.
    pub(crate) fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::<Heard>::default();
        let (answer, log) = (Arc::new(answer), Arc::clone(&heard));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                std::thread::spawn(move || serve(stream.unwrap(), &*answer, &log));
            }
        });
        Self { port, heard }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The same place, as if it spoke TLS.
    pub(crate) fn https_url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// Every request so far, head and body.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.requests.lock().unwrap().clone()
    }

    /// Waits until the requests so far are enough.
    pub(crate) fn wait_for(&self, are_enough: impl Fn(&[String]) -> bool) {
        let requests = self.heard.requests.lock().unwrap();
        let is_short = |requests: &mut Vec<String>| !are_enough(requests);
        drop(self.heard.one_more.wait_while(requests, is_short));
    }
}

/// An answer of that status line, further headers (each with its line's end) and body.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// An answer of that status line with a JSON body.
pub(crate) fn json(status: &str, body: &Value) -> Vec<u8> {
    answer(
        status,
        "Content-Type: application/json\r\n",
        &body.to_string(),
    )
}

/// What a healthy service answers: the account, or the measurement that is asked for.
pub(crate) fn healthy(request: &str) -> Vec<u8> {
    if request.starts_with("GET /me") {
        return json("200 OK", &account());
    }
    json("201 Created", &measurement(&asked(request)))
}

/// Whose token every token is.
pub(crate) fn account() -> Value {
    json!({
        "team": {"id": "team_1", "name": "Evergreen"},
        "app": {"client_id": "app_1", "name": "Gutterbatch"},
        "connected_at": "2026-11-01T08:00:00Z",
    })
}

/// The body of a request.
pub(crate) fn asked(request: &str) -> Value {
    let body = request.split_once("\r\n\r\n").map(|(_, body)| body);
    serde_json::from_str(body.unwrap()).unwrap()
}

/// The measurement of what was asked, under an id of its own; each row stands at a point of its own.
pub(crate) fn measurement(asked: &Value) -> Value {
    let address = &asked["address"];
    let id = asked["external"]["id"].as_str().unwrap();
    let row: f64 = id.trim_start_matches("A-").parse().unwrap();
    json!({
        "id": format!("msr_{id}"),
        "status": "pending",
        "created_at": "2026-11-21T08:00:00Z",
        "updated_at": "2026-11-21T08:00:00Z",
        "completed_at": null,
        "address": {
            "line1": address["line1"], "line2": null, "city": address["city"], "region": address["region"],
            "postal_code": address["postal_code"], "country": "CA",
            "formatted": format!("{}, Ottawa, ON K1A 0B1, Canada", address["line1"].as_str().unwrap()),
            "lat": 45.4 + row / 100.0, "lng": -75.7,
        },
        "request": {
            "id": format!("req_{id}"), "created_at": "2026-11-21T08:00:00Z", "customer": asked["customer"],
            "notes": null, "external": asked["external"], "url": "https://example.com/requests/1",
        },
        "result": null,
    })
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&str) -> Vec<u8>, heard: &Heard) {
    let request = request(&mut stream);
    heard.requests.lock().unwrap().push(request.clone());
    heard.one_more.notify_all();
    // The client may have seen enough and left.
    let _ = stream.write_all(&answer(&request));
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
}

fn request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).unwrap_or(0);
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let head = head.to_ascii_lowercase();
            let length = head.split("content-length: ").nth(1);
            let length = length.and_then(|rest| rest.lines().next()?.trim().parse().ok());
            body.len() >= length.unwrap_or(0)
        });
        // What is no HTTP (the start of a TLS handshake) is answered at once.
        if count == 0 || whole || request.first() == Some(&0x16) {
            return text;
        }
    }
}
