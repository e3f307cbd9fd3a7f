//! `sandbox`: runs a local stand-in for the service until Ctrl-C.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::cli::context::{self, Context};
use crate::cli::network::duration;
use crate::cli::{CommandError, ExitStatus};
use crate::dispatch::StopStage;
use crate::model::Country;
use crate::sandbox::{self, ConnectionInfo, Faults, Options, Rate, SandboxHandle, start};

/// Serve a local stand-in for the whole service, for a browser and for any client
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{FAULTS}"))]
pub(super) struct Args {
    /// Loopback address to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Keep the data in this folder, across restarts and crashes
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Quota of each team
    #[arg(long, value_name = "COUNT/WINDOW", default_value_t)]
    rate: Rate,
    /// Delay added to each call, such as 80ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    latency: Option<Duration>,
    /// File of faults to inject; the end of --help describes its format
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    /// Seed for ids, roofs and faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Versions to serve, oldest first; the last one is announced
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    versions: Vec<String>,
    /// Country of an address without one
    #[arg(long, value_name = "CA|US")]
    team_country: Option<Country>,
    /// Name of the team; repeat it for further teams on the consent page
    #[arg(long, value_name = "NAME")]
    team_name: Vec<String>,
    /// Name of the app on the consent page
    #[arg(long, value_name = "NAME")]
    app_name: Option<String>,
    /// Registered redirect URI, instead of /callback on 127.0.0.1 and localhost; repeatable
    #[arg(long, value_name = "URI")]
    redirect_uri: Vec<String>,
    /// Simulate a contractor who completes each request this long after opening it
    #[arg(long, value_name = "TIME", value_parser = duration)]
    work: Option<Duration>,
}

const EXAMPLES: &str = "Examples:
  gutterbatch sandbox --work 5s
  gutterbatch sandbox --data ./sandbox --rate 60/1m --faults faults.json
  gutterbatch sandbox --listen 127.0.0.1:0 --json";

const FAULTS: &str = r#"Faults:
  --faults FILE is a list of rules; the first rule that fires decides what happens to a call.

    {"rules": [
      {"do": "status", "status": 503, "chance": 0.05},
      {"do": "status", "status": 429, "retry_after": "30", "nth": [100], "path": "/measurements*"},
      {"do": "drop", "method": "POST", "chance": 0.02, "handled": true},
      {"do": "delay", "for": "2s", "external_id": "L-10*", "attempt": [1]},
      {"do": "cut_body", "path": "/me", "times": 1}
    ]}

  "do" is one of:
    status             respond with "status" and, if given, the header "retry_after"
    drop               close the connection without a response
    cut_body           close the connection in the middle of the response
    delay              wait for "for" first
    html               respond with 200 and an HTML page, like a captive portal
    no_id              leave out the id of the measurement
    other_measurement  respond with another measurement
    unknown_fields     add unknown fields and image kinds
    redirect           respond with 302 to "to"
    revoke             revoke the token first

  A rule matches calls by "method", "path" and "external_id"; a * at the end of the last two matches any rest.
  It fires at the "nth" of these calls, at the nth "attempt" with the same method, path and external id, with a probability of "chance" that depends on --seed and the call only, and at most "times" times.
  status, drop, html and redirect replace the response; with "handled": true the call takes effect nevertheless.
  Calls are those of the API and of /oauth/token and /oauth/revoke."#;

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let options = options(args)?;
    context::run(Builder::new_multi_thread().worker_threads(2), async {
        let signals = context.signals();
        let running = start(options).await?;
        announce(&running, context)?;
        // A signal is the normal way to stop the server.
        signals.stop().reached(StopStage::Draining).await;
        running.stop().await;
        Ok(ExitStatus::Done)
    })
}

fn options(args: Args) -> Result<Options, CommandError> {
    let defaults = Options::default();
    let faults = args.faults.as_deref().map(Faults::read).transpose()?;
    let team_country = args.team_country.map(Country::code);
    Ok(Options {
        listen: args.listen,
        data: args.data,
        rate: args.rate,
        latency: args.latency.unwrap_or_default(),
        faults,
        seed: args.seed,
        versions: or_default(args.versions, defaults.versions),
        team_country: team_country
            .and_then(sandbox::Country::from_code)
            .unwrap_or(defaults.team_country),
        team_names: or_default(args.team_name, defaults.team_names),
        app_name: args.app_name.unwrap_or(defaults.app_name),
        redirect_uris: or_default(args.redirect_uri, defaults.redirect_uris),
        work: args.work,
    })
}

fn or_default(values: Vec<String>, default: Vec<String>) -> Vec<String> {
    if values.is_empty() { default } else { values }
}

/// Prints the first line for programs, or the next steps for people.
fn announce(running: &SandboxHandle, context: &Context) -> Result<(), CommandError> {
    let connection_info = running.connection_info();
    if !context.console.prints_json() {
        return context.console.print_result(&text(connection_info));
    }
    let line = serde_json::to_string(connection_info).expect("the connection has only string keys");
    context.console.write_stdout((line + "\n").as_bytes())
}

fn text(connection_info: &ConnectionInfo) -> String {
    let ConnectionInfo {
        base_url,
        service_version,
        client_id,
        client_secret,
        redirect_uris,
        token,
    } = connection_info;
    let redirect_uris = redirect_uris.join("\n               ");
    let variables = [
        ("BASE_URL", base_url.as_str()),
        ("SERVICE_VERSION", service_version),
        ("CLIENT_ID", client_id),
        ("CLIENT_SECRET", client_secret),
    ];
    let variables = variables.map(set_variable).join("\n");
    format!(
        "The sandbox is running. Browse {base_url}

base url       {base_url}
version        {service_version}
client id      {client_id}
client secret  {client_secret}
redirect uris  {redirect_uris}
token          {token}   (already connected)

To connect from another terminal:
{variables}
  gutterbatch connect --profile sandbox
  gutterbatch import leads.csv --profile sandbox

Press Ctrl-C to stop it."
    )
}

/// A line that sets a variable in a shell, each of its own so that none is wrapped; on Windows, in PowerShell.
fn set_variable((name, value): (&str, &str)) -> String {
    if cfg!(windows) {
        format!("  $env:GUTTERBATCH_{name}='{value}'")
    } else {
        format!("  export GUTTERBATCH_{name}={value}")
    }
}
