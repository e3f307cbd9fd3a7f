//! A browser small enough to play the contractor: it loads the consent page, clicks, and follows the way back.
//!
//! It speaks plain http to this machine only, so a few lines over a socket are enough.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::{Url, form_urlencoded};

use crate::sandbox::error::Error;

/// What the contractor clicks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Click {
    Allow,
    Deny,
}

/// Loads the consent page, chooses a team by name where one is given, clicks, and lands where the redirect leads.
pub(super) async fn consent(address: &str, team: Option<&str>, click: Click) -> Result<(), Error> {
    let address = parse(address)?;
    let page = fetch(&address, None).await?;
    if page.status != 200 {
        return Err(fail(format!("the consent page answered {}", page.status)));
    }
    let mut form = hidden_fields(&page.body);
    if let Some(team) = team {
        let id = team_id(&page.body, team).ok_or_else(|| fail(format!("no team `{team}`")))?;
        form.retain(|(name, _)| name != "team");
        form.push(("team".to_owned(), id));
    } else if let Some(first) = first_option(&page.body) {
        form.push(("team".to_owned(), first));
    }
    let decision = match click {
        Click::Allow => "allow",
        Click::Deny => "deny",
    };
    form.push(("decision".to_owned(), decision.to_owned()));
    let target = address
        .join("/oauth/authorize")
        .map_err(|error| fail(error.to_string()))?;
    let post = Post {
        cookie: page.cookie.unwrap_or_default(),
        body: form_urlencoded::Serializer::new(String::new())
            .extend_pairs(form)
            .finish(),
    };
    let decided = fetch(&target, Some(&post)).await?;
    let Some(location) = decided.location else {
        return Err(fail(format!("the decision answered {}", decided.status)));
    };
    fetch(&parse(&location)?, None).await?;
    Ok(())
}

fn fail(why: impl Into<String>) -> Error {
    Error::Browser(why.into())
}

fn parse(address: &str) -> Result<Url, Error> {
    Url::parse(address).map_err(|error| fail(error.to_string()))
}

struct Post {
    cookie: String,
    body: String,
}

struct Page {
    status: u16,
    location: Option<String>,
    cookie: Option<String>,
    body: String,
}

/// One request over a connection of its own.
async fn fetch(url: &Url, form: Option<&Post>) -> Result<Page, Error> {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err(fail(format!("{url} names no host")));
    };
    let mut stream = TcpStream::connect((host, port))
        .await
        .map_err(|error| fail(format!("{host}:{port}: {error}")))?;
    let request = compose(url, &format!("{host}:{port}"), form);
    stream
        .write_all(request.as_bytes())
        .await
        .map_err(|error| fail(error.to_string()))?;
    let mut answer = Vec::new();
    stream
        .read_to_end(&mut answer)
        .await
        .map_err(|error| fail(error.to_string()))?;
    read(&String::from_utf8_lossy(&answer)).ok_or_else(|| fail(format!("{url}: no http answer")))
}

fn compose(url: &Url, host: &str, post: Option<&Post>) -> String {
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let (method, rest) = match post {
        None => ("GET", String::from("\r\n")),
        Some(Post { cookie, body }) => (
            "POST",
            format!(
                "Cookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
    };
    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{rest}")
}

fn read(answer: &str) -> Option<Page> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut page = Page {
        status,
        location: None,
        cookie: None,
        body: body.to_owned(),
    };
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        match name.to_ascii_lowercase().as_str() {
            "location" => page.location = Some(value.to_owned()),
            "set-cookie" => page.cookie = value.split(';').next().map(str::to_owned),
            _ => {}
        }
    }
    Some(page)
}

/// The hidden fields of the page's form, in order.
fn hidden_fields(page: &str) -> Vec<(String, String)> {
    let inputs = page.split("<input type=\"hidden\" ").skip(1);
    inputs
        .filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?)))
        .collect()
}

fn first_option(page: &str) -> Option<String> {
    attribute(page.split_once("<option ")?.1, "value")
}

fn team_id(page: &str, team: &str) -> Option<String> {
    let mut options = page.split("<option ").skip(1);
    let named = |option: &&str| {
        let text = option.split_once('>').map_or("", |(_, rest)| rest);
        unescape(text.split('<').next().unwrap_or_default()) == team
    };
    attribute(options.find(named)?, "value")
}

/// The first attribute of this name in what is left of a page.
fn attribute(markup: &str, name: &str) -> Option<String> {
    let (_, rest) = markup.split_once(&format!("{name}=\""))?;
    rest.split('"').next().map(unescape)
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}
