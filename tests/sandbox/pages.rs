//! The pages, as a browser without a script sees them.

use reqwest::Response;
use serde_json::Value;

use crate::sandbox::stage::{Stage, body, hidden, stage};

/// The address of the page of a new request, and its measurement's path in the API.
async fn request(stage: &Stage, external_id: &str) -> (String, String) {
    let made = stage.create(&body(external_id)).await;
    let url = made.body["request"]["url"].as_str().unwrap().to_owned();
    (url, format!("/measurements/{}", made.id()))
}

async fn page(stage: &Stage, url: &str) -> String {
    let page = stage.client.get(url).send().await.unwrap();
    page.text().await.unwrap()
}

/// Posts a form of a page, as a browser does.
async fn post(stage: &Stage, url: &str, deed: &str, fields: &[(&str, &str)]) -> Response {
    let request = stage.client.post(format!("{url}/{deed}"));
    let request = request.header("origin", stage.url("")).form(fields);
    request.send().await.unwrap()
}

async fn status(stage: &Stage, path: &str) -> String {
    stage.get(path).await.body["status"]
        .as_str()
        .unwrap()
        .to_owned()
}

const BY_HAND: &[(&str, &str)] = &[
    ("length", "182,5"),
    ("size", "5"),
    ("corners", "6"),
    ("length_1", "10.5"),
    ("floors_1", "2"),
    ("size_1", "3"),
    ("length_2", ""),
    ("floors_2", "1"),
    ("size_2", ""),
    ("length_3", "9"),
    ("floors_3", "1"),
    ("size_3", ""),
    ("message", "Mind the maple."),
];

#[tokio::test]
async fn a_person_who_lost_the_way_gets_a_page_and_a_program_the_documented_error() {
    let stage = stage().await;
    let asked = stage.client.get(stage.url("/nothing/here"));
    let page = asked
        .header("accept", "text/html,*/*")
        .send()
        .await
        .unwrap();
    assert_eq!(page.status(), 404);
    assert_eq!(page.headers()["x-frame-options"], "DENY");
    assert!(page.text().await.unwrap().contains("Back to the requests"));
    let answer = stage.get("/nothing/here").await;
    assert_eq!(answer.body["error"]["code"], "not_found");
}

#[tokio::test]
async fn text_that_turns_the_line_around_turns_only_itself() {
    let stage = stage().await;
    let mut request = body("L-1");
    request["address"]["line1"] = "\u{202e}12 Elm St".into();
    let made = stage.create(&request).await;
    let url = made.body["request"]["url"].as_str().unwrap();
    for url in [url, &stage.url("/")] {
        let page = page(&stage, url).await;
        assert!(page.contains("<bdi>\u{202e}12 Elm St</bdi>"), "{page}");
    }
}

#[tokio::test]
async fn every_page_is_protected() {
    let stage = stage().await;
    let (url, _) = request(&stage, "L-1").await;
    let pages = ["/", "/settings"].map(|path| stage.url(path));
    for url in pages.iter().chain([&url, &(url.clone() + "x")]) {
        let page = stage.client.get(url).send().await.unwrap();
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("script-src"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "same-origin");
        let text = page.text().await.unwrap();
        assert!(
            !text.contains(" style=") && !text.contains(" onclick="),
            "{text}"
        );
        assert!(
            !text.contains("https://") || text.contains("crm.example.com"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn everything_that_was_sent_is_escaped() {
    let stage = stage().await;
    let mut hostile = body("<i>\"'&");
    hostile["customer"]["name"] = "<script>alert(1)</script>".into();
    hostile["address"]["line1"] = "\"><img src=x>".into();
    hostile["notes"] = "</dd><b>".into();
    hostile["external"]["label"] = "<u>".into();
    hostile["external"]["url"] = "https://crm.example.com/\"onmouseover=x".into();
    let made = stage.create(&hostile).await;
    for url in [
        made.body["request"]["url"].as_str().unwrap(),
        &stage.url("/"),
    ] {
        let text = page(&stage, url).await;
        for raw in [
            "<script>alert",
            "<img src=x",
            "</dd><b>",
            "<u>",
            "<i>",
            "\"onmouseover",
        ] {
            assert!(!text.contains(raw), "{raw} in {text}");
        }
    }
}

#[tokio::test]
async fn a_person_opens_a_request_and_completes_it_by_hand() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    let shown = page(&stage, &url).await;
    for part in [
        "12 Elm St",
        "Zoë Ng",
        "613-555-0142",
        "Gate on the left.",
        "Open <bdi>CRM</bdi>",
        "https://crm.example.com/1",
    ] {
        assert!(shown.contains(part), "{part}");
    }
    // Looking is not opening.
    assert_eq!(status(&stage, &path).await, "pending");
    assert_eq!(post(&stage, &url, "open", &[]).await.status(), 303);
    assert_eq!(status(&stage, &path).await, "in_progress");
    assert_eq!(post(&stage, &url, "numbers", BY_HAND).await.status(), 303);
    let result = stage.get(&path).await.body["result"].clone();
    assert_eq!(result["gutter_length_ft"], 182.5);
    assert_eq!(result["gutter_size_in"], 5);
    assert_eq!(result["corner_count"], 6);
    assert_eq!(result["downspout_count"], 2);
    assert_eq!(result["downspout_length_ft"], 19.5);
    assert_eq!(result["downspouts"][1]["size_in"], Value::Null);
    assert_eq!(result["installer_message"], "Mind the maple.");
    assert!(page(&stage, &url).await.contains("182.5 ft"));
}

#[tokio::test]
async fn plausible_numbers_are_filled_in_and_can_be_posted_as_they_are() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    post(&stage, &url, "open", &[]).await;
    let shown = page(&stage, &url).await;
    assert!(shown.contains("name=\"fill\" value=\"plausible\""));
    assert!(shown.contains("name=\"length\" inputmode=\"decimal\" required value=\"\""));
    let filled = page(&stage, &format!("{url}?fill=plausible")).await;
    let fields = filled_in(&filled);
    let fields: Vec<_> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    // Filling in changes nothing at the service.
    assert_eq!(status(&stage, &path).await, "in_progress");
    assert_eq!(post(&stage, &url, "numbers", &fields).await.status(), 303);
    let typed = stage.get(&path).await.body;
    let length = typed["result"]["gutter_length_ft"].as_f64().unwrap();
    assert!((40.0..500.0).contains(&length), "{length}");
    assert!(typed["result"]["downspout_count"].as_u64().unwrap() > 1);
    // The simulated contractor completes with the same numbers.
    stage
        .running
        .complete(typed["id"].as_str().unwrap())
        .unwrap();
    let simulated = stage.get(&path).await.body;
    let figures = |measurement: &Value| {
        let mut result = measurement["result"].clone();
        result.as_object_mut().unwrap().remove("asset_pack");
        result
    };
    assert_eq!(figures(&typed), figures(&simulated));
}

/// Names and values of the form for the numbers.
fn filled_in(page: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once("/numbers\"").unwrap();
    let (form, _) = form.split_once("</form>").unwrap();
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!("{name}=\""))?;
        Some(rest.split('"').next()?.to_owned())
    };
    let mut fields = Vec::new();
    for tag in form.split('<').skip(1) {
        let (word, rest) = tag.split_once([' ', '>']).unwrap_or((tag, ""));
        let text = rest.split_once('>').map_or("", |(_, text)| text);
        match word {
            "input" if !rest.contains("hidden") => {
                fields.push((
                    attribute(rest, "name").unwrap(),
                    attribute(rest, "value").unwrap_or_default(),
                ));
            }
            "select" => fields.push((attribute(rest, "name").unwrap(), String::new())),
            "option" if rest.contains(" selected") => {
                fields.last_mut().unwrap().1 = attribute(rest, "value").unwrap();
            }
            "textarea" => fields.push((attribute(rest, "name").unwrap(), text.to_owned())),
            _ => {}
        }
    }
    fields
}

#[tokio::test]
async fn what_was_typed_wrongly_is_refused_with_every_fault() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    post(&stage, &url, "open", &[]).await;
    let typed = [
        ("length", "long"),
        ("corners", "-1"),
        ("length_2", "9"),
        ("floors_2", "7"),
    ];
    let refused = post(&stage, &url, "numbers", &typed).await;
    assert_eq!(refused.status(), 422);
    let text = refused.text().await.unwrap();
    // The form keeps what was typed, and each field has its fault.
    for (name, typed, why) in [
        ("length", "long", "write feet, such as 182.5"),
        ("corners", "-1", "write a whole number from 0 to 1000"),
        ("length_2", "9", ""),
    ] {
        let field = text.split(&format!("name=\"{name}\"")).nth(1).unwrap();
        let field = field.split("</label>").next().unwrap();
        assert!(field.contains(&format!("value=\"{typed}\"")), "{field}");
        assert_eq!(
            field.contains("class=\"error\""),
            !why.is_empty(),
            "{field}"
        );
        assert!(field.contains(why), "{field}");
    }
    assert!(text.contains("write a whole number from 1 to 3"), "{text}");
    assert!(text.contains("Nothing was saved."), "{text}");
    assert_eq!(status(&stage, &path).await, "in_progress");
}

#[tokio::test]
async fn a_request_is_withdrawn_unless_it_is_complete() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    assert_eq!(post(&stage, &url, "withdraw", &[]).await.status(), 303);
    assert_eq!(status(&stage, &path).await, "canceled");
    assert_eq!(post(&stage, &url, "open", &[]).await.status(), 409);
    let (url, path) = request(&stage, "L-2").await;
    post(&stage, &url, "numbers", BY_HAND).await;
    assert_eq!(post(&stage, &url, "withdraw", &[]).await.status(), 409);
    assert_eq!(status(&stage, &path).await, "complete");
}

#[tokio::test]
async fn the_customer_can_be_corrected_and_the_address_cannot() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    let fields = [
        ("name", "Zoë Nguyen"),
        ("email", ""),
        ("phone", "+1 613 555 0199"),
    ];
    assert_eq!(post(&stage, &url, "customer", &fields).await.status(), 303);
    let customer = stage.get(&path).await.body["request"]["customer"].clone();
    assert_eq!(customer["name"], "Zoë Nguyen");
    assert_eq!(customer["email"], Value::Null);
    assert_eq!(customer["phone"], "+1 613 555 0199");
    assert!(!page(&stage, &url).await.contains("name=\"line1\""));
    let long = "N".repeat(121);
    for wrong in [
        [("name", ""), ("email", "a@example.com"), ("phone", "")],
        [("name", &*long), ("email", "a@example.com"), ("phone", "")],
        [("name", "Zoë"), ("email", " "), ("phone", "")],
    ] {
        assert_eq!(post(&stage, &url, "customer", &wrong).await.status(), 422);
    }
    assert_eq!(stage.get(&path).await.body["request"]["customer"], customer);
}

#[tokio::test]
async fn a_page_says_only_what_is_so() {
    let stage = stage().await;
    let (url, _) = request(&stage, "L-1").await;
    post(&stage, &url, "open", &[]).await;
    let opened = format!("{url}?done=opened");
    assert!(page(&stage, &opened).await.contains("The request is open."));
    post(&stage, &url, "numbers", BY_HAND).await;
    assert!(!page(&stage, &opened).await.contains("The request is open."));
    let saved = page(&stage, &format!("{url}?done=completed")).await;
    assert!(saved.contains("The numbers are saved."), "{saved}");
    assert!(saved.contains("Save these numbers"), "{saved}");
}

#[tokio::test]
async fn every_request_is_on_a_page_of_the_list() {
    let stage = stage().await;
    for number in 0..501 {
        request(&stage, &format!("L-{number}")).await;
    }
    let first = page(&stage, &stage.url("/")).await;
    assert!(first.contains("Page 1 of 2, 501 requests"), "{first}");
    assert!(first.contains("L-500") && !first.contains(">L-0<"));
    let last = page(&stage, &stage.url("/?page=2")).await;
    assert!(last.contains(">L-0<") && last.contains("Newer") && !last.contains("Older"));
}

#[tokio::test]
async fn forms_from_elsewhere_change_nothing() {
    let stage = stage().await;
    let (url, path) = request(&stage, "L-1").await;
    for deed in ["open", "withdraw", "numbers", "customer"] {
        let foreign = stage.client.post(format!("{url}/{deed}")).form(BY_HAND);
        let foreign = foreign.header("origin", "https://evil.example.com");
        assert_eq!(foreign.send().await.unwrap().status(), 403, "{deed}");
    }
    let foreign = stage
        .client
        .post(stage.url("/settings/disconnect"))
        .header("origin", "http://127.0.0.1:1")
        .form(&[("team", "x")]);
    assert_eq!(foreign.send().await.unwrap().status(), 403);
    assert_eq!(status(&stage, &path).await, "pending");
}

#[tokio::test]
async fn the_settings_disconnect_the_app() {
    let stage = stage().await;
    let url = stage.url("/settings");
    let form = hidden(&page(&stage, &url).await);
    let post = stage.client.post(stage.url("/settings/disconnect"));
    let done = post.form(&form).send().await.unwrap();
    assert_eq!(done.status(), 303);
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
    assert!(!page(&stage, &url).await.contains("Connected since"));
}

#[tokio::test]
async fn the_list_shows_every_request_the_newest_first() {
    let stage = stage().await;
    assert!(
        page(&stage, &stage.url("/"))
            .await
            .contains("No requests yet")
    );
    for row in 0..60 {
        let mut body = body(&format!("L-{row}"));
        body["customer"]["name"] = format!("Person {row}").into();
        stage.create(&body).await;
    }
    let text = page(&stage, &stage.url("/")).await;
    assert_eq!(text.matches("class=\"first\"").count(), 60);
    let place = |name: &str| text.find(&format!(">{name}</a>")).unwrap();
    assert!(place("Person 59") < place("Person 0"));
}
