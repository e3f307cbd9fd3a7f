//! The loopback server that accepts the answer of the consent page, once, and shows the result in the browser.
//!
//! Browsers open connections that they never use and request icons, so each connection has its own task. Only a request
//! of the callback's path with the state that was sent counts: any page in the browser can request this address, and must
//! not be able to end the wait. Every other request gets a page that says so, and the wait continues.
//!
//! # Source
//! RFC 8252 sections 7.3 and 8.3; S4.1.

use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::SecretString;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::timeout;
use url::Url;

use crate::api::PendingAuthorization;
use crate::connect::Error;
use crate::connect::page::BrowserPage;
use crate::model::printable;

const PATH: &str = "/callback";

/// The maximum size of a request head in bytes; a code and a state are short.
const HEAD_LIMIT: usize = 16 * 1024;

/// Timeout for receiving a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// A loopback socket for the answer of the consent page.
#[derive(Debug)]
pub(super) struct CallbackServer {
    listener: TcpListener,
    port: u16,
}

impl CallbackServer {
    /// Binds a port of this machine; 0 means any free port.
    pub(super) async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The redirect URI, to which the consent page sends its answer.
    pub(super) fn redirect_uri(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Accepts connections until the returned listener is dropped.
    pub(super) fn listen(self, consent: PendingAuthorization) -> CallbackListener {
        let (sender, result) = oneshot::channel();
        let state = Arc::new(CallbackState {
            consent,
            sender: Mutex::new(Some(sender)),
            has_ignored: AtomicBool::new(false),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(self.listener, Arc::clone(&state)));
        CallbackListener {
            result,
            state,
            _tasks: tasks,
        }
    }
}

/// The answer of the consent page.
#[derive(Debug)]
pub(super) struct CallbackResult {
    /// The code, or the reason why there is none.
    pub(super) answer: Result<SecretString, Error>,
    /// The connection of the browser, which waits for a page.
    pub(super) browser: TcpStream,
}

/// The receiving end of a [`CallbackServer`]; the server stops when it is dropped.
#[derive(Debug)]
pub(super) struct CallbackListener {
    result: oneshot::Receiver<CallbackResult>,
    state: Arc<CallbackState>,
    _tasks: JoinSet<()>,
}

impl CallbackListener {
    /// Waits for the first answer that carries the right state.
    pub(super) async fn answer(&mut self) -> CallbackResult {
        let result = (&mut self.result).await;
        result.expect("the server keeps the sender until the first answer")
    }

    /// Why there was no answer for so long.
    pub(super) fn timed_out(&self, after: Duration) -> Error {
        if self.state.has_ignored.load(Ordering::Relaxed) {
            Error::OtherState
        } else {
            Error::TimedOut(after)
        }
    }
}

/// The state that all connections share.
#[derive(Debug)]
struct CallbackState {
    consent: PendingAuthorization,
    /// Taken by the first answer.
    sender: Mutex<Option<oneshot::Sender<CallbackResult>>>,
    /// Whether an answer came without the state that was sent.
    has_ignored: AtomicBool,
}

impl CallbackState {
    fn take_sender(&self) -> Option<oneshot::Sender<CallbackResult>> {
        let mut sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        sender.take()
    }
}

async fn accept(listener: TcpListener, state: Arc<CallbackState>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&state)));
                }
                // For instance, no file descriptor is free; one may become free later.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(mut stream: TcpStream, state: Arc<CallbackState>) {
    let Ok(Ok(head)) = timeout(HEAD_TIMEOUT, read_head(&mut stream)).await else {
        return;
    };
    let Some(url) = callback_url(&head) else {
        return show(stream, BrowserPage::ABSENT).await;
    };
    let Some(answer) = answer(&url, &state.consent) else {
        state.has_ignored.store(true, Ordering::Relaxed);
        return show(stream, BrowserPage::IGNORED).await;
    };
    let Some(sender) = state.take_sender() else {
        return show(stream, BrowserPage::REPEATED).await;
    };
    let browser = stream;
    // Sending fails only if the command has ended.
    let _ = sender.send(CallbackResult { answer, browser });
}

async fn read_head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_LIMIT {
        match stream.read(&mut buffer).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => head.extend_from_slice(&buffer[..count]),
        }
    }
    Ok(head)
}

/// Shows a page, and waits until the browser has received it.
pub(super) async fn show(mut browser: TcpStream, page: BrowserPage) {
    let writing = async {
        browser.write_all(&page.response()).await?;
        browser.shutdown().await?;
        // If the connection were closed while the browser still sends, it would discard the page.
        let mut rest = [0; 1024];
        while browser.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // The browser may close the connection early.
    let _ = timeout(Duration::from_secs(2), writing).await;
}

/// The address of a GET of the callback's path; `None` for any other request.
fn callback_url(head: &[u8]) -> Option<Url> {
    let first_line = head.split(|byte| *byte == b'\r').next()?;
    let request = String::from_utf8_lossy(first_line);
    let path = request.strip_prefix("GET /")?.split(' ').next()?;
    let url = Url::parse(&format!("http://127.0.0.1/{path}")).ok()?;
    (url.path() == PATH).then_some(url)
}

/// The code or the error in the answer; `None` if it does not carry the state that was sent exactly once.
fn answer(url: &Url, consent: &PendingAuthorization) -> Option<Result<SecretString, Error>> {
    let state = parameter(url, "state")?;
    consent.matches_state(&state).then(|| outcome(url))
}

fn outcome(url: &Url) -> Result<SecretString, Error> {
    let has = |name: &str| url.query_pairs().any(|(key, _)| key == name);
    match parameter(url, "error") {
        Some(error) if error == "access_denied" => Err(Error::Denied),
        Some(error) => Err(Error::Unauthorized {
            error: printable(&error),
            description: parameter(url, "error_description").map(|text| printable(&text)),
        }),
        None if has("error") => Err(Error::Codeless),
        None => {
            let code = parameter(url, "code").filter(|code| !code.is_empty());
            code.map(Into::into).ok_or(Error::Codeless)
        }
    }
}

/// A query parameter; `None` if it is absent or occurs more than once, which RFC 6749 section 3.1 forbids.
fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut values = url.query_pairs().filter(|(key, _)| key == name);
    let (_, value) = values.next()?;
    values.next().is_none().then(|| value.into_owned())
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn consent() -> PendingAuthorization {
        PendingAuthorization::new(String::new(), [1; 32], [2; 32])
    }

    fn said(query: &str) -> String {
        let base_url = "http://127.0.0.1:1".parse().unwrap();
        let link = consent().authorization_url(&base_url, "app");
        let (_, state) = link.query_pairs().find(|(key, _)| key == "state").unwrap();
        let url = format!(
            "http://127.0.0.1/callback?{}",
            query.replace("STATE", &state)
        );
        match answer(&Url::parse(&url).unwrap(), &consent()) {
            Some(Ok(code)) => format!("code {}", code.expose_secret()),
            Some(Err(error)) => error.to_string(),
            None => "ignored".to_owned(),
        }
    }

    #[test]
    fn a_code_counts_with_its_state_alone() {
        assert_eq!(said("code=a%2Bb&state=STATE"), "code a+b");
        assert_eq!(said("state=STATE&code=x&iss=https%3A%2F%2Fs"), "code x");
        for forged in [
            "code=x&state=other",
            "code=x&state=",
            "code=x&state=STATE&state=STATE",
            "code=x",
            "",
        ] {
            assert_eq!(said(forged), "ignored", "{forged}");
        }
        for codeless in [
            "state=STATE",
            "code=&state=STATE",
            "code=x&code=y&state=STATE",
        ] {
            assert_eq!(said(codeless), Error::Codeless.to_string(), "{codeless}");
        }
    }

    #[test]
    fn a_denial_is_told_from_other_errors() {
        let denied = Error::Denied.to_string();
        assert_eq!(said("error=access_denied&state=STATE"), denied);
        assert_eq!(said("error=access_denied"), "ignored");
        assert_eq!(said("error=access_denied&state=x"), "ignored");
        assert_eq!(
            said("error=server_error&state=STATE"),
            "the consent page answered server_error"
        );
    }

    #[test]
    fn only_a_get_of_the_callbacks_path_counts() {
        let is_callback = |head: &str| callback_url(head.as_bytes()).is_some();
        assert!(is_callback(
            "GET /callback?code=x HTTP/1.1\r\nHost: a\r\n\r\n"
        ));
        for other in [
            "GET /favicon.ico HTTP/1.1\r\n\r\n",
            "GET /callback/ HTTP/1.1\r\n\r\n",
            "POST /callback HTTP/1.1\r\n\r\n",
            "GET http://x/callback HTTP/1.1\r\n\r\n",
            "\u{16}\u{3}\u{1}",
        ] {
            assert!(!is_callback(other), "{other}");
        }
    }
}
