//! A keychain for tests: a session bus and GNOME's keyring on it, both of this test alone and gone with it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How often the bus is asked at most whether the keychain has come; each time is a process of its own, and takes longer
/// on a machine that is busy.
const TRIES: usize = 20_000;

/// A running, unlocked keychain.
#[derive(Debug)]
pub(super) struct Keyring {
    bus: Child,
    daemon: Child,
    address: String,
    folder: PathBuf,
}

impl Keyring {
    /// Starts a keychain whose files are in `folder`; `None` where this machine has no such programs.
    pub(super) fn start(folder: &Path) -> Option<Self> {
        for program in ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"] {
            let version = Command::new(program).arg("--version").output();
            version.ok()?;
        }
        std::fs::create_dir_all(folder).unwrap();
        let mut bus = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address"])
            .env("HOME", folder)
            .env("XDG_RUNTIME_DIR", folder)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut lines = BufReader::new(bus.stdout.take().unwrap());
        lines.read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        let daemon = unlocked(folder, &address);
        let keyring = Self {
            bus,
            daemon,
            address,
            folder: folder.to_owned(),
        };
        keyring.wait();
        Some(keyring)
    }

    /// Lets a command find the keychain, in a home that is not one folder.
    pub(super) fn lend_to(&self, command: &mut Command) {
        command
            .env_remove("GUTTERBATCH_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_DATA_HOME")
            .env("HOME", &self.folder)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address);
    }

    /// The home's folder, with everything that a command left there.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Locks it, as a screen saver may. Nobody is there to unlock it again.
    pub(super) fn lock(&self) {
        let locked = self.send(
            "org.freedesktop.secrets",
            "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.Lock",
            &["array:objpath:/org/freedesktop/secrets/collection/login"],
        );
        assert!(locked.contains("collection/login"), "{locked}");
    }

    /// Ends it and its bus.
    pub(super) fn die(&mut self) {
        for process in [&mut self.bus, &mut self.daemon] {
            // It may have ended with the other.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Waits until the collection is there and open: the daemon takes its name on the bus before that.
    fn wait(&self) {
        // Asking a name that nobody holds would make the bus start a keychain of its own, which nobody unlocks.
        let is_held = |_: &usize| {
            let held = self.send(
                "org.freedesktop.DBus",
                "/org/freedesktop/DBus",
                "org.freedesktop.DBus.NameHasOwner",
                &["string:org.freedesktop.secrets"],
            );
            held.contains("boolean true")
        };
        let is_open = |_: usize| {
            let is_locked = self.send(
                "org.freedesktop.secrets",
                "/org/freedesktop/secrets/collection/login",
                "org.freedesktop.DBus.Properties.Get",
                &["string:org.freedesktop.Secret.Collection", "string:Locked"],
            );
            is_locked.contains("boolean false")
        };
        let mut held = (0..TRIES).skip_while(|number| !is_held(number));
        assert!(held.any(is_open), "the keychain did not come");
    }

    fn send(&self, to: &str, object: &str, method: &str, arguments: &[&str]) -> String {
        let output = Command::new("dbus-send")
            .args(["--session", "--print-reply", "--type=method_call"])
            .arg(format!("--dest={to}"))
            .args([object, method])
            .args(arguments)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        self.die();
    }
}

fn unlocked(folder: &Path, address: &str) -> Child {
    let mut daemon = Command::new("gnome-keyring-daemon")
        .args(["--foreground", "--unlock", "--components=secrets"])
        .env("HOME", folder)
        .env("XDG_RUNTIME_DIR", folder)
        .env_remove("XDG_DATA_HOME")
        .env("DBUS_SESSION_BUS_ADDRESS", address)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The password of a keyring that is made for it; the end of the input ends the password.
    let mut input = daemon.stdin.take().unwrap();
    input.write_all(b"open sesame").unwrap();
    daemon
}
