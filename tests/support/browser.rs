//! The contractor's browser: loads the consent page, clicks, and follows the redirect to the app.

use reqwest::redirect::Policy;

use crate::support::http;

/// The button that the contractor clicks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    Allow,
    Deny,
}

/// Posts the form of the consent page, for a team by its name or for the first one, and loads the page that the
/// service redirects to.
pub(crate) async fn decide(authorize_url: &str, team: Option<&str>, decision: Decision) {
    let client = http().redirect(Policy::none()).build().unwrap();
    let page = client.get(authorize_url).send().await.unwrap();
    assert_eq!(page.status(), 200);
    let text = page.text().await.unwrap();
    let mut form = hidden(&text);
    form.extend(team_id(&text, team).map(|id| ("team".to_owned(), id)));
    let decision = match decision {
        Decision::Allow => "allow",
        Decision::Deny => "deny",
    };
    form.push(("decision".to_owned(), decision.to_owned()));
    let (address, _) = authorize_url.split_once('?').unwrap();
    let post = client.post(address).form(&form);
    let decided = post.send().await.unwrap();
    let location = decided.headers()["location"].to_str().unwrap();
    client.get(location).send().await.unwrap();
}

/// The hidden fields of a page's first form that has some.
pub(crate) fn hidden(page: &str) -> Vec<(String, String)> {
    let mut forms = page.split("<form").skip(1);
    let form = forms.find(|form| form.contains("<input type=\"hidden\""));
    let form = form
        .expect("the page has a form with hidden fields")
        .split("</form>")
        .next()
        .unwrap();
    form.split("<input type=\"hidden\"")
        .skip(1)
        .map(|input| {
            let tag = input.split('>').next().unwrap();
            let value = |name| attribute(tag, name).unwrap();
            (value("name"), value("value"))
        })
        .collect()
}

/// The id of a team among the options of the consent page; of the first one without a name.
fn team_id(page: &str, team: Option<&str>) -> Option<String> {
    let mut options = page.split("<option ").skip(1);
    let escaped = team.map(|team| format!(">{}<", team.replace('&', "&amp;")));
    let option = options.find(|option| escaped.as_ref().is_none_or(|name| option.contains(name)));
    assert!(option.is_some() || team.is_none(), "no team {team:?}");
    attribute(option?, "value")
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    Some(rest.split('"').next()?.replace("&amp;", "&"))
}
