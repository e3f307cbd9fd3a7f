//! `sandbox`: a stand-in of the service on this machine, until Ctrl-C.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::cli::context::Context;
use crate::cli::manner::Format;
use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure};
use crate::pace::Stopping;
use crate::sandbox::{Announcement, Country, Faults, Options, Rate, SandboxHandle, start};

/// Serve a full stand-in of the service on this machine, for a browser and for any client
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{FAULTS}"))]
pub(super) struct Args {
    /// Where to listen; a loopback address, port 0 takes any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Keep everything in this folder, across restarts and crashes
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The quota of a team
    #[arg(long, value_name = "COUNT/WINDOW", default_value_t)]
    rate: Rate,
    /// Answer each call this much later, such as 80ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    latency: Option<Duration>,
    /// What is to go wrong; --help shows how it is written
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    /// Repeats ids, roofs and faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The versions to serve, oldest first; the last one is announced
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    versions: Vec<String>,
    /// The country of an address that names none
    #[arg(long, value_name = "CA|US")]
    team_country: Option<Country>,
    /// The team's name; given again, another team that the consent page offers
    #[arg(long, value_name = "NAME")]
    team_name: Vec<String>,
    /// The app's name on the consent page
    #[arg(long, value_name = "NAME")]
    app_name: Option<String>,
    /// Where the browser may be sent back to, instead of /callback on 127.0.0.1 and localhost; repeatable
    #[arg(long, value_name = "URI")]
    redirect_uri: Vec<String>,
    /// Let a simulated contractor complete each request so long after opening it
    #[arg(long, value_name = "TIME", value_parser = time)]
    work: Option<Duration>,
}

const EXAMPLES: &str = "Examples:
  gutterbatch sandbox                                    browse http://127.0.0.1:8787
  gutterbatch sandbox --data ./sandbox                   keep everything across restarts
  gutterbatch sandbox --work 5s                          requests complete by themselves
  gutterbatch sandbox --rate 60/1m --faults faults.json  a narrow quota and a bad day
  gutterbatch sandbox --listen 127.0.0.1:0 --json        any free port; the first line says which";

const FAULTS: &str = r#"Faults:
  --faults FILE holds rules; the first one that fires befalls the call.

    {"rules": [
      {"do": "status", "status": 503, "chance": 0.05},
      {"do": "status", "status": 429, "retry_after": "30", "nth": [100], "path": "/measurements*"},
      {"do": "drop", "method": "POST", "chance": 0.02, "handled": true},
      {"do": "delay", "for": "2s", "external_id": "L-10*", "attempt": [1]},
      {"do": "cut_body", "path": "/me", "times": 1}
    ]}

  What happens ("do"):
    status             another status: "status", and "retry_after" as it shall be written
    drop               the connection ends without an answer
    cut_body           the connection ends in the middle of the answer
    delay              everything takes longer: "for"
    html               status 200 and a page, as captive portals do
    no_id              the measurement comes without its id
    other_measurement  another request's measurement comes instead
    unknown_fields     fields and image kinds of a later day come too
    redirect           302: "to"
    revoke             the token dies first

  To which calls: "method"; "path" and "external_id", where a * at the end stands for anything; "nth" of all those
  calls; "attempt", the nth call with the same method, path and external id; "chance", drawn by --seed and the call
  alone; "times", how often in all. With "handled": true the call takes effect and only its answer is lost; what is not
  status, drop, html or redirect is handled anyway. Calls are those of the API and of /oauth/token and /oauth/revoke."#;

pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let options = options(args)?;
    context.block_on_threads(async {
        let signals = Signals::listen()?;
        let running = start(options).await?;
        announce(&running, context)?;
        // Being told to stop is how a server ends well.
        signals.stop().reached(Stopping::Draining).await;
        running.stop().await;
        Ok(Exit::Done)
    })
}

fn options(args: Args) -> Result<Options, Failure> {
    let usual = Options::default();
    let faults = args.faults.as_deref().map(Faults::read).transpose()?;
    let mut team_names = args.team_name.into_iter();
    Ok(Options {
        listen: args.listen,
        data: args.data,
        rate: args.rate,
        latency: args.latency.unwrap_or_default(),
        faults,
        seed: args.seed,
        versions: given(args.versions, usual.versions),
        team_country: args.team_country.unwrap_or(usual.team_country),
        team_name: team_names.next().unwrap_or(usual.team_name),
        more_teams: team_names.collect(),
        app_name: args.app_name.unwrap_or(usual.app_name),
        redirect_uris: given(args.redirect_uri, usual.redirect_uris),
        work: args.work,
    })
}

fn given(values: Vec<String>, usual: Vec<String>) -> Vec<String> {
    if values.is_empty() { usual } else { values }
}

/// A program reads the first line; a person reads how to go on.
fn announce(running: &SandboxHandle, context: &Context) -> Result<(), Failure> {
    let announcement = running.announcement();
    match context.console.format() {
        Format::Json => {
            let line =
                serde_json::to_string(announcement).expect("an announcement has string keys alone");
            context.console.data((line + "\n").as_bytes())
        }
        Format::Text => context.console.answer(&in_words(announcement)),
    }
}

fn in_words(announcement: &Announcement) -> String {
    let Announcement {
        base_url,
        service_version,
        client_id,
        client_secret,
        redirect_uris,
        token,
    } = announcement;
    let redirect_uris = redirect_uris.join("\n               ");
    format!(
        "The sandbox listens. Browse {base_url}

base url       {base_url}
version        {service_version}
client id      {client_id}
client secret  {client_secret}
redirect uris  {redirect_uris}
token          {token}   (a ready-made connection)

Connect to it from another terminal:
  export GUTTERBATCH_BASE_URL={base_url} GUTTERBATCH_SERVICE_VERSION={service_version}
  export GUTTERBATCH_CLIENT_ID={client_id} GUTTERBATCH_CLIENT_SECRET={client_secret}
  gutterbatch connect --profile sandbox
  gutterbatch import leads.csv --profile sandbox

Ctrl-C stops it."
    )
}

fn time(text: &str) -> Result<Duration, String> {
    let time: Option<jiff::SignedDuration> = text.parse().ok();
    time.and_then(|time| Duration::try_from(time).ok())
        .ok_or_else(|| "write a time such as 2s or 80ms".to_owned())
}
