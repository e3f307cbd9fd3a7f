//! The loopback listener: takes exactly one answer of the consent page, and shows the browser what came of it.
//!
//! Browsers open connections that they never use and ask for icons, so every connection has a task of its own, and only
//! the callback's path counts, and there only what carries the state that was sent: any page in the browser can ask for
//! this address, and must not be able to end the wait. Whoever comes without it gets a page, and the wait goes on.
//!
//! # Source
//! RFC 8252 sections 7.3 and 8.3; S4.1.

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;
use url::Url;

use crate::api::PendingAuthorization;
use crate::connect::Error;
use crate::connect::page::BrowserPage;
use crate::model::printable;

const PATH: &str = "/callback";

/// Bytes. A code and a state are short; nothing else is expected in a head.
const HEAD_LIMIT: usize = 16 * 1024;

/// How long one connection may take to ask, and the browser to take its page.
const PATIENCE: Duration = Duration::from_secs(10);

/// A socket that waits for the browser.
#[derive(Debug)]
pub(super) struct CallbackServer {
    listener: TcpListener,
    port: u16,
}

impl CallbackServer {
    /// Listens on a port of this machine; 0 for any that is free.
    pub(super) async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Where the consent page sends its answer.
    pub(super) fn redirect_uri(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Starts to take connections, until the returned end is dropped.
    pub(super) fn listen(self, consent: PendingAuthorization) -> CallbackListener {
        let (hits, landed) = mpsc::channel(1);
        let desk = Arc::new(CallbackState {
            consent,
            hits,
            taken: Mutex::new(CodeState::Nothing),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(self.listener, Arc::clone(&desk)));
        CallbackListener {
            landed,
            desk,
            _tasks: tasks,
        }
    }
}

/// What the browser brought back.
#[derive(Debug)]
pub(super) struct CallbackResult {
    /// The code, or why there is none.
    pub(super) answer: Result<SecretString, Error>,
    /// It waits for its page.
    pub(super) browser: WaitingBrowser,
}

/// A browser that waits for its page.
#[derive(Debug)]
pub(super) struct WaitingBrowser(oneshot::Sender<(BrowserPage, oneshot::Sender<()>)>);

impl WaitingBrowser {
    /// Shows the page, and waits until the browser has it.
    pub(super) async fn show(self, page: BrowserPage) {
        let (shown, seen) = oneshot::channel();
        // A browser that has left needs no page.
        if self.0.send((page, shown)).is_ok() {
            let _ = timeout(PATIENCE, seen).await;
        }
    }
}

/// The near end of the listener.
#[derive(Debug)]
pub(super) struct CallbackListener {
    landed: mpsc::Receiver<CallbackResult>,
    desk: Arc<CallbackState>,
    _tasks: JoinSet<()>,
}

impl CallbackListener {
    /// Waits for the one answer.
    pub(super) async fn hit(&mut self) -> CallbackResult {
        let hit = self.landed.recv().await;
        hit.expect("the desk holds the sending end for as long as this end lives")
    }

    /// Whether a second answer with another code has come since.
    pub(super) fn is_repeated(&self) -> bool {
        matches!(*self.desk.taken(), CodeState::Contested)
    }
}

/// What all connections share.
#[derive(Debug)]
struct CallbackState {
    consent: PendingAuthorization,
    hits: mpsc::Sender<CallbackResult>,
    taken: Mutex<CodeState>,
}

#[derive(Debug)]
enum CodeState {
    Nothing,
    Refusal,
    Code(SecretString),
    Contested,
}

impl CallbackState {
    fn taken(&self) -> std::sync::MutexGuard<'_, CodeState> {
        // Every change of it is one assignment, so a panic elsewhere leaves it whole.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the answer if it is the first; `None` for any other.
    fn take(&self, answer: Result<SecretString, Error>) -> Option<Result<SecretString, Error>> {
        let mut taken = self.taken();
        match (&*taken, &answer) {
            (CodeState::Nothing, Ok(code)) => *taken = CodeState::Code(code.clone()),
            (CodeState::Nothing, Err(_)) => *taken = CodeState::Refusal,
            (CodeState::Code(first), Ok(code)) if first.expose_secret() != code.expose_secret() => {
                *taken = CodeState::Contested;
                return None;
            }
            _ => return None,
        }
        Some(answer)
    }
}

async fn accept(listener: TcpListener, desk: Arc<CallbackState>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&desk)));
                }
                // For instance out of file descriptors; a little later there may be one.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(mut stream: TcpStream, desk: Arc<CallbackState>) {
    let Ok(Ok(head)) = timeout(PATIENCE, read_head(&mut stream)).await else {
        return;
    };
    let answer = match target(&head) {
        CallbackTarget::Callback(url) => match answer(&url, &desk.consent) {
            Some(answer) => answer,
            None => return write(stream, &BrowserPage::ignored()).await,
        },
        CallbackTarget::Elsewhere => return write(stream, &BrowserPage::absent()).await,
        CallbackTarget::Nonsense => return write(stream, &BrowserPage::refused()).await,
    };
    let Some(answer) = desk.take(answer) else {
        return write(stream, &BrowserPage::repeated()).await;
    };
    let (page, to_show) = oneshot::channel();
    // Both fail only when the command has ended, and the browser's page with it.
    let browser = WaitingBrowser(page);
    if desk
        .hits
        .send(CallbackResult { answer, browser })
        .await
        .is_err()
    {
        return;
    }
    if let Ok((page, shown)) = to_show.await {
        write(stream, &page).await;
        let _ = shown.send(());
    }
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

async fn write(mut stream: TcpStream, page: &BrowserPage) {
    let writing = async {
        stream.write_all(&page.response()).await?;
        stream.shutdown().await?;
        // Closing while the browser still sends would take the page away from it.
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // A browser that leaves early has no need of the page.
    let _ = timeout(Duration::from_secs(2), writing).await;
}

#[derive(Debug, PartialEq, Eq)]
enum CallbackTarget {
    Callback(Url),
    Elsewhere,
    Nonsense,
}

fn target(head: &[u8]) -> CallbackTarget {
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split(' ');
    let (method, path) = (words.next(), words.next().unwrap_or_default());
    if method != Some("GET") || !path.starts_with('/') {
        return CallbackTarget::Nonsense;
    }
    match Url::parse(&format!("http://127.0.0.1{path}")) {
        Ok(url) if url.path() == PATH => CallbackTarget::Callback(url),
        Ok(_) => CallbackTarget::Elsewhere,
        Err(_) => CallbackTarget::Nonsense,
    }
}

/// What the answer says; none where it does not carry the state that was sent, once.
fn answer(url: &Url, consent: &PendingAuthorization) -> Option<Result<SecretString, Error>> {
    let QueryParameter::Once(state) = parameter(url, "state") else {
        return None;
    };
    consent.matches_state(&state).then(|| outcome(url))
}

fn outcome(url: &Url) -> Result<SecretString, Error> {
    match parameter(url, "error") {
        QueryParameter::Absent => {}
        QueryParameter::Once(error) if error == "access_denied" => return Err(Error::Denied),
        QueryParameter::Once(error) => {
            let description = match parameter(url, "error_description") {
                QueryParameter::Once(description) => Some(printable(&description)),
                QueryParameter::Absent | QueryParameter::Several => None,
            };
            return Err(Error::Unauthorized {
                error: printable(&error),
                description,
            });
        }
        QueryParameter::Several => return Err(Error::Codeless),
    }
    match parameter(url, "code") {
        QueryParameter::Once(code) if !code.is_empty() => Ok(code.into()),
        QueryParameter::Absent | QueryParameter::Once(_) | QueryParameter::Several => {
            Err(Error::Codeless)
        }
    }
}

/// A parameter of a query. None of them may stand there twice (RFC 6749 section 3.1).
enum QueryParameter {
    Absent,
    Once(String),
    Several,
}

fn parameter(url: &Url, name: &str) -> QueryParameter {
    let mut values = url.query_pairs().filter(|(key, _)| key == name);
    match (values.next(), values.next()) {
        (None, _) => QueryParameter::Absent,
        (Some((_, value)), None) => QueryParameter::Once(value.into_owned()),
        (Some(_), Some(_)) => QueryParameter::Several,
    }
}

#[cfg(test)]
mod tests {
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
        let kind = |head: &str| match target(head.as_bytes()) {
            CallbackTarget::Callback(_) => "callback",
            CallbackTarget::Elsewhere => "elsewhere",
            CallbackTarget::Nonsense => "nonsense",
        };
        assert_eq!(
            kind("GET /callback?code=x HTTP/1.1\r\nHost: a\r\n\r\n"),
            "callback"
        );
        assert_eq!(kind("GET /favicon.ico HTTP/1.1\r\n\r\n"), "elsewhere");
        assert_eq!(kind("GET /callback/ HTTP/1.1\r\n\r\n"), "elsewhere");
        assert_eq!(kind("POST /callback HTTP/1.1\r\n\r\n"), "nonsense");
        assert_eq!(kind("GET http://x/callback HTTP/1.1\r\n\r\n"), "nonsense");
        assert_eq!(kind("\u{16}\u{3}\u{1}"), "nonsense");
    }

    #[test]
    fn the_first_answer_is_taken_and_another_code_contests_it() {
        let (hits, _landed) = mpsc::channel(1);
        let desk = CallbackState {
            consent: consent(),
            hits,
            taken: Mutex::new(CodeState::Nothing),
        };
        assert!(desk.take(Ok("a".into())).is_some());
        assert!(desk.take(Ok("a".into())).is_none());
        assert!(desk.take(Err(Error::Codeless)).is_none());
        assert!(matches!(*desk.taken(), CodeState::Code(_)));
        assert!(desk.take(Ok("b".into())).is_none());
        assert!(matches!(*desk.taken(), CodeState::Contested));
    }
}
