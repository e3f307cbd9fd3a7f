//! `Asking`: the program while it waits for the consent page's answer.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::support::{Run, Stage};

/// A run of `connect --no-browser` that has printed its link.
pub(crate) struct Asking {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
    pub(crate) link: String,
}

impl Asking {
    /// Starts `connect` against the stage's sandbox, without a token.
    pub(crate) fn start(stage: &Stage, more: &[&str]) -> Self {
        let mut command = stage.command(&["connect", "--no-browser"]);
        command.args(more).env_remove("GUTTERBATCH_TOKEN");
        Self::of(command)
    }

    /// Starts a command that will print a link.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let link = loop {
            let mut line = String::new();
            let count = stderr.read_line(&mut line).unwrap();
            said.push_str(&line);
            assert!(count > 0, "ended without a link: {said}");
            if line.starts_with("http") {
                break line.trim_end().to_owned();
            }
        };
        Self {
            child,
            stderr,
            said,
            link,
        }
    }

    /// A parameter of the link.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let url = url::Url::parse(&self.link).unwrap();
        let mut pairs = url.query_pairs();
        let (_, value) = pairs.find(|(key, _)| key == name).unwrap();
        value.into_owned()
    }

    /// Plays a browser that comes back with this query; returns the whole answer.
    pub(crate) fn come_back(&self, query: &str) -> String {
        let query = query.replace("STATE", &self.parameter("state"));
        self.get(&format!("/callback?{query}"))
    }

    /// Asks the listener for a path; returns the whole answer.
    pub(crate) fn get(&self, path: &str) -> String {
        use std::io::Write;
        let uri = url::Url::parse(&self.parameter("redirect_uri")).unwrap();
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", uri.port().unwrap())).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Waits for the end.
    pub(crate) fn end(mut self) -> Run {
        let mut stdout = String::new();
        let mut out = self.child.stdout.take().unwrap();
        out.read_to_string(&mut stdout).unwrap();
        self.stderr.read_to_string(&mut self.said).unwrap();
        Run {
            code: self.child.wait().unwrap().code(),
            stdout,
            stderr: self.said,
        }
    }

    /// The process, for signals.
    #[cfg(unix)]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}
