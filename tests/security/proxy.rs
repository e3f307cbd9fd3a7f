//! A proxy between the program and the service: used where the environment names one, told nothing, and never asked for
//! what is on this machine.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::connect::asking::Asking;
use crate::security::tls::{ACCOUNT, NAME, Secured};
use crate::support::{Canned, Run, Stage, canned};

/// A proxy that leads every tunnel to one server, whatever it was asked for, and keeps what the client said.
struct Tunnel {
    url: String,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Tunnel {
    fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (server, log) = (server.to_owned(), Arc::clone(&heard));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (server, log) = (server.clone(), Arc::clone(&log));
                std::thread::spawn(move || lead(client.unwrap(), &server, &log));
            }
        });
        Self { url, heard }
    }

    fn heard(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap()).into_owned()
    }
}

fn lead(mut client: TcpStream, server: &str, log: &Mutex<Vec<u8>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if client.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.extend(byte);
    }
    log.lock().unwrap().extend(&head);
    client
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .unwrap();
    let mut server = TcpStream::connect(server).unwrap();
    let (mut answers, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let answering = std::thread::spawn(move || {
        // Either end may leave first.
        let _ = std::io::copy(&mut answers, &mut back);
        let _ = back.shutdown(Shutdown::Write);
    });
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        log.lock().unwrap().extend(&buffer[..count]);
        if server.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Write);
    answering.join().unwrap();
}

fn unproxied(mut command: Command) -> Command {
    for name in ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

/// A service that is reached through a tunnel alone.
fn behind(stage: &Stage) -> (Tunnel, Command) {
    let secured = Secured::answering(ACCOUNT);
    let tunnel = Tunnel::to(secured.url.strip_prefix("https://").unwrap());
    let ca = stage.file("ca.pem", &secured.ca_pem);
    let base_url = format!("https://{NAME}");
    let mut command = unproxied(stage.bare_command(&["--base-url", &base_url]));
    command
        .args(["--service-version", "2026-01-15"])
        .env("HTTPS_PROXY", &tunnel.url)
        .env("SSL_CERT_FILE", ca);
    (tunnel, command)
}

#[test]
fn a_proxy_of_the_environment_is_used_and_never_sees_the_token() {
    let stage = Stage::offline();
    let (tunnel, mut command) = behind(&stage);
    command
        .arg("whoami")
        .env("GUTTERBATCH_TOKEN", "s3cret-token");
    let run = Run::of(command.output().unwrap()).expect(0);
    assert!(run.stdout.contains("Eaves"), "{}", run.stdout);
    let heard = tunnel.heard();
    let connect = format!("CONNECT {NAME}:443 HTTP/1.1\r\n");
    assert!(heard.starts_with(&connect), "{heard}");
    for plain in ["s3cret", "Bearer", "GET /me"] {
        assert!(!heard.contains(plain), "{heard}");
    }
}

#[test]
fn a_variable_that_names_no_proxy_is_2_and_nothing_is_sent_without_one() {
    for (name, value) in [
        ("HTTPS_PROXY", "proxy example:80"),
        ("https_proxy", "http://[::1"),
        ("ALL_PROXY", "socks5://127.0.0.1:1080"),
    ] {
        let stage = Stage::offline();
        let url = "https://api.example.invalid";
        let mut command = unproxied(stage.bare_command(&["--base-url", url, "whoami"]));
        command
            .args(["--service-version", "2026-01-15"])
            .env("GUTTERBATCH_TOKEN", "s3cret-token")
            .env(name, value);
        let run = Run::of(command.output().unwrap()).expect(2);
        let said = format!("error: {name} is not the address of an HTTP proxy\nhint: ");
        assert!(run.stderr.starts_with(&said), "{}", run.stderr);
        assert!(!run.stderr.contains(value), "{}", run.stderr);
    }
}

#[test]
fn a_host_that_needs_no_proxy_is_not_asked_for_through_one() {
    let stage = Stage::offline();
    let (tunnel, mut command) = behind(&stage);
    // The exchange of a code is tried once, so that the missing name shows at once.
    command
        .args(["connect", "--no-browser", "--client-id", "app"])
        .env("GUTTERBATCH_CLIENT_SECRET", "s3cret-app")
        .env("NO_PROXY", NAME);
    let asking = Asking::of(command);
    asking.come_back("code=c0de&state=STATE");
    let run = asking.end().expect(4);
    assert!(
        run.stderr
            .contains("no response to the exchange of the code"),
        "{}",
        run.stderr
    );
    assert_eq!(tunnel.heard(), "");
}

#[test]
fn what_is_on_this_machine_is_reached_without_a_proxy() {
    let stage = Stage::open();
    let nowhere = Canned::answering(|_| canned::answer("502 Bad Gateway", "", ""));
    let mut command = unproxied(stage.command(&["whoami"]));
    for name in ["HTTPS_PROXY", "HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        command.env(name, nowhere.url());
    }
    Run::of(command.output().unwrap()).expect(0);
    assert_eq!(nowhere.heard().len(), 0);
}
