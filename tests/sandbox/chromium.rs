//! A real browser, driven over its developer protocol through a pipe: one JSON message, one zero byte.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_mins(5);
/// How often a condition is asked for, fifty milliseconds apart.
const TRIES: usize = 400;

/// A browser with one page.
pub(super) struct Browser {
    process: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
    session: String,
    count: u64,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts the browser of this machine; `None` where there is none.
    pub(super) fn launch() -> Option<Self> {
        let program = find()?;
        let profile = tempfile::tempdir().unwrap();
        let mut process = spawn(&program, profile.path());
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let messages = output.split(0).map_while(Result::ok);
            for message in messages.filter_map(|text| serde_json::from_slice(&text).ok()) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            input,
            answers,
            session: String::new(),
            count: 0,
            _profile: profile,
        };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", target);
        let session = attached["sessionId"].as_str().unwrap();
        session.clone_into(&mut browser.session);
        Some(browser)
    }

    /// Goes to an address and waits until its page is whole.
    pub(super) fn go(&mut self, address: &str) {
        self.call("Page.navigate", json!({"url": address}));
        self.wait_for(&format!("location.href.startsWith({})", json!(address)));
    }

    /// Waits until a page is whole and an expression is true on it, whichever page that is by then.
    #[track_caller]
    pub(super) fn wait_for(&mut self, expression: &str) {
        let asked = format!(
            "new Promise((tell) => setTimeout(() => tell(document.readyState === 'complete' && Boolean({expression})), 50))"
        );
        for _ in 0..TRIES {
            if self.evaluate(&asked) == Some(Value::Bool(true)) {
                return;
            }
        }
        let page = self.text("document.body.innerText");
        panic!("never became true: {expression}\non the page:\n{page}");
    }

    /// The text that an expression gives.
    pub(super) fn text(&mut self, expression: &str) -> String {
        let value = self.evaluate(expression).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks the first visible button, link, summary or label that says this, with the mouse.
    #[track_caller]
    pub(super) fn click(&mut self, label: &str) {
        let find = format!(
            "[...document.querySelectorAll('button, a, summary, label')].find((one) => \
             one.innerText.trim() === {} && one.offsetParent)",
            json!(label)
        );
        self.wait_for(&find);
        let place = self
            .evaluate(&format!(
                "(() => {{ const it = {find}; it.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
                 const box = it.getBoundingClientRect(); \
                 return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
            ))
            .unwrap();
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Types into the first visible field of a name, over what stands there.
    #[track_caller]
    pub(super) fn fill(&mut self, name: &str, text: &str) {
        let find = format!(
            "[...document.querySelectorAll('[name={name}]')].find((one) => one.offsetParent)"
        );
        self.wait_for(&find);
        self.evaluate(&format!(
            "{{ const it = {find}; it.focus(); it.select(); }}"
        ));
        self.call("Input.insertText", json!({"text": text}));
    }

    /// The value of an expression; none while a page is being replaced by the next.
    fn evaluate(&mut self, expression: &str) -> Option<Value> {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.answer("Runtime.evaluate", &asked);
        answer.pointer("/result/result/value").cloned()
    }

    #[track_caller]
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.answer(method, &parameters);
        assert_eq!(answer.get("error"), None, "{method}");
        answer["result"].clone()
    }

    fn answer(&mut self, method: &str, parameters: &Value) -> Value {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.input.write_all(&bytes).unwrap();
        loop {
            let answer = self
                .answers
                .recv_timeout(PATIENCE)
                .expect("the browser answers");
            if answer["id"] == self.count {
                return answer;
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The protocol's pipe is file 3 in and file 4 out; a shell puts them there.
fn spawn(program: &Path, profile: &Path) -> Child {
    let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-background-networking \
                  --no-first-run --window-size=1280,1000 --remote-debugging-pipe --user-data-dir=\"$1\" \
                  3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
    Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .arg(profile)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
}
