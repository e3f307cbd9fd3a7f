//! A browser small enough to play the contractor: it loads the consent page, clicks, and follows the way back.
//!
//! It speaks plain http to this machine only, so a few lines over a socket are enough.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::{Position, Url, form_urlencoded};

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
        return Err(refused(&address, page.status));
    }
    let post = Post {
        body: fill_in(&page.body, team, click)?,
        cookie: page.cookie.unwrap_or_default(),
    };
    let decided = fetch(&address, Some(&post)).await?;
    let location = decided
        .location
        .ok_or_else(|| refused(&address, decided.status))?;
    fetch(&parse(&location)?, None).await?;
    Ok(())
}

/// The page's form as a person would send it.
fn fill_in(page: &str, team: Option<&str>, click: Click) -> Result<String, Error> {
    let mut form = hidden_fields(page);
    if let Some(team) = team {
        let id = team_id(page, team).ok_or_else(|| Error::UnknownTeam(team.to_owned()))?;
        form.retain(|(name, _)| name != "team");
        form.push(("team".to_owned(), id));
    } else if let Some(first) = first_option(page) {
        form.push(("team".to_owned(), first));
    }
    let decision = match click {
        Click::Allow => "allow",
        Click::Deny => "deny",
    };
    form.push(("decision".to_owned(), decision.to_owned()));
    let mut body = form_urlencoded::Serializer::new(String::new());
    Ok(body.extend_pairs(form).finish())
}

fn refused(address: &Url, status: u16) -> Error {
    Error::Consent {
        address: address[..Position::AfterPath].to_owned(),
        status,
    }
}

fn parse(address: &str) -> Result<Url, Error> {
    Url::parse(address).map_err(|_| Error::NotAnAddress(address.to_owned()))
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

/// One request over a connection of its own. A form goes to the page's own path, without its query.
async fn fetch(url: &Url, form: Option<&Post>) -> Result<Page, Error> {
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err(Error::NotAnAddress(url.to_string()));
    };
    let address = format!("{host}:{port}");
    let request = compose(url, &address, form);
    let answer = exchange(&address, &request).await.and_then(|answer| {
        read(&String::from_utf8_lossy(&answer)).ok_or_else(|| io::ErrorKind::InvalidData.into())
    });
    answer.map_err(|source| Error::Unreachable { address, source })
}

async fn exchange(address: &str, request: &str) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(answer)
}

fn compose(url: &Url, host: &str, post: Option<&Post>) -> String {
    let (method, path, rest) = match post {
        None => (
            "GET",
            &url[Position::BeforePath..Position::AfterQuery],
            "\r\n".to_owned(),
        ),
        Some(Post { cookie, body }) => (
            "POST",
            &url[Position::BeforePath..Position::AfterPath],
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
