//! Which file holds which picture, and what is said of those that did not come.

use std::fs;

use serde_json::{Value, json};

use crate::support::canned::{self, Canned};
use crate::support::{Run, Scripted, Stage};

/// A service that completes whatever it is asked for, and draws one picture for each row: the bytes after the signature
/// are the last part of the address.
fn gallery(pictures: fn(&str, &str) -> Value) -> Canned {
    Canned::answering(move |request| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        if let Some(name) = path.strip_prefix("/pictures/") {
            if name == "lost" {
                return canned::answer("404 Not Found", "", "no such picture");
            }
            return [
                b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\x89PNG\r\n\x1a\n".to_vec(),
                name.as_bytes().to_vec(),
            ]
            .concat();
        }
        if request.starts_with("GET") {
            return canned::healthy(request);
        }
        let asked = canned::asked(request);
        let id = asked["external"]["id"].as_str().unwrap().to_owned();
        let host = request.lines().find_map(|line| {
            line.to_lowercase()
                .strip_prefix("host: ")
                .map(str::to_owned)
        });
        let numbered = json!({"external": {"id": "A-1"}, "address": asked["address"], "customer": asked["customer"]});
        let mut measurement = canned::measurement(&numbered);
        measurement["id"] = format!("msr_{}", id.replace('/', "x")).into();
        measurement["address"]["lat"] = json!(if id.contains('/') { 45.6 } else { 45.5 });
        measurement["request"]["external"]["id"] = id.as_str().into();
        measurement["status"] = "complete".into();
        measurement["completed_at"] = "2026-11-21T09:00:00Z".into();
        measurement["result"] = json!({
            "gutter_length_ft": 100, "gutter_size_in": 5, "corner_count": 4, "downspout_count": 0,
            "downspout_length_ft": 0, "downspouts": [], "installer_message": null,
            "asset_pack": pictures(&id, &host.unwrap()),
        });
        canned::json("201 Created", &measurement)
    })
}

fn aerial(address: String) -> Value {
    json!([{"kind": "aerial", "url": address, "content_type": "image/png"}])
}

fn imported(service: &Canned) -> Stage {
    let stage = Stage::offline();
    let rows = "id,name,email,address,city,region,postal code\n\
        A/1,Ann,ann@example.com,11 Elm St,Ottawa,ON,K1A 0B1\n\
        A-1,Bob,bob@example.com,12 Elm St,Ottawa,ON,K1A 0B1\n";
    stage.file("leads.csv", rows);
    run(&stage, service, &["import", "leads.csv"]).expect(0);
    stage
}

fn run(stage: &Stage, service: &Canned, args: &[&str]) -> Run {
    Run::of(stage.against(service, args).output().unwrap())
}

/// What the files of a folder show, in the order of their names.
fn shown(stage: &Stage, folder: &str) -> Vec<String> {
    let files = fs::read_dir(stage.path(folder)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let bytes = files.iter().map(|path| fs::read(path).unwrap());
    bytes
        .map(|bytes| String::from_utf8_lossy(&bytes[8..]).into_owned())
        .collect()
}

/// Two measurements whose ids differ by a slash and a hyphen, and their pictures in `a_images`.
fn downloaded() -> (Canned, Stage) {
    let service = gallery(|id, host| {
        aerial(format!(
            "http://{host}/pictures/{}",
            id.replace('/', "slash")
        ))
    });
    let stage = imported(&service);
    run(&stage, &service, &DOWNLOAD).expect(0);
    (service, stage)
}

const DOWNLOAD: [&str; 6] = [
    "export",
    "a.xlsx",
    "--images",
    "download",
    "--refresh",
    "never",
];

#[test]
fn ids_that_differ_by_a_slash_and_a_hyphen_have_a_picture_each() {
    let (_, stage) = downloaded();
    let mut pictures = shown(&stage, "a_images");
    pictures.sort();
    assert_eq!(pictures, ["A-1", "Aslash1"]);
}

#[test]
fn a_file_of_the_user_in_the_place_of_a_picture_is_kept_and_named() {
    let (service, stage) = downloaded();
    let files = fs::read_dir(stage.path("a_images")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let [first, second] = files.as_slice() else {
        panic!("{files:?}");
    };
    fs::write(first, "my own notes").unwrap();
    fs::remove_file(second).unwrap();
    fs::create_dir(second).unwrap();
    let said = run(&stage, &service, &[&DOWNLOAD[..], &["-v"]].concat()).expect(0);
    assert_eq!(fs::read_to_string(first).unwrap(), "my own notes");
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let named = format!("{name} is not an image of an export, so it is kept");
        assert!(said.stderr.contains(&named), "{}", said.stderr);
    }
    assert!(said.stdout.contains("0 images in"), "{}", said.stdout);
}

#[test]
fn a_damaged_picture_is_not_counted_as_one_in_the_workbook() {
    let service = gallery(|id, host| {
        let name = if id == "A-1" { "lost" } else { "damaged" };
        aerial(format!("http://{host}/pictures/{name}"))
    });
    let stage = imported(&service);
    let said = run(
        &stage,
        &service,
        &[
            "export",
            "a.xlsx",
            "--images",
            "embed",
            "--refresh",
            "never",
        ],
    )
    .expect(0);
    assert!(
        said.stdout.contains("0 images in the workbook"),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr.contains("2 images could not be downloaded; ")
            && said.stderr.contains(": it is damaged"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_picture_drawn_anew_at_a_new_address_is_fetched() {
    let service = Scripted::start();
    let pictures = gallery(|_, _| Value::Null);
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", crate::support::imports::sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("A-0");
    for name in ["first", "second"] {
        service.rewrite("A-0", |measurement| {
            let address = format!("{}/pictures/{name}", pictures.url());
            measurement["result"]["asset_pack"] = aerial(address);
        });
        let words = [
            "export",
            "a.xlsx",
            "--images",
            "download",
            "--refresh",
            "all",
        ];
        stage.run(&words).expect(0);
        assert!(
            shown(&stage, "a_images").contains(&name.to_owned()),
            "{name}"
        );
    }
}

#[test]
fn each_image_that_did_not_come_is_named_with_the_reason() {
    let service = gallery(|id, host| match id {
        "A-1" => aerial(format!("http://{host}/pictures/lost")),
        _ => aerial("http://images.example.com/1.png".to_owned()),
    });
    let stage = imported(&service);
    let said = run(&stage, &service, &DOWNLOAD).expect(0).stderr;
    for line in [
        "warning: 2 images could not be downloaded; the export contains their links",
        "warning: image not downloaded: A-1 aerial http://127.0.0.1:",
        "/pictures/lost: the status was 404",
        "warning: image not downloaded: A/1 aerial http://images.example.com/1.png: its address is not safe",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn offline_and_images_that_must_be_fetched_are_refused_with_what_to_write() {
    let stage = Stage::open();
    for what in ["download", "embed"] {
        let words = ["export", "k.xlsx", "--images", what, "--offline"];
        let run = stage.run(&words).expect(2);
        let said = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let hint = "for links, leave --images out; for the images and no other request, write --refresh never instead of --offline";
        assert!(said.ends_with(hint), "{}", run.stderr);
    }
    for words in [&["k.csv"][..], &["k.xlsx", "--for", "leads.csv"]] {
        let words = [&["export", "--images", "embed"], words].concat();
        let run = stage.run(&words).expect(2);
        assert!(run.stderr.contains("without --for"), "{}", run.stderr);
    }
}

#[test]
fn a_sheet_gets_the_pictures_of_its_own_rows_whatever_the_profile_sets() {
    let (service, stage) = downloaded();
    let rows = fs::read_to_string(stage.path("leads.csv")).unwrap();
    let first: String = rows.split_inclusive('\n').take(2).collect();
    stage.file("one.csv", first);
    let for_one = ["export", "b.csv", "--for", "one.csv", "--refresh", "never"];
    let download = [&for_one[..], &["--images", "download"]].concat();
    run(&stage, &service, &download).expect(0);
    assert_eq!(shown(&stage, "b_images"), ["Aslash1"]);
    for setting in ["embed", "download"] {
        let config = format!("[profile.default]\nimages = \"{setting}\"\n");
        stage.file("home/config.toml", config);
        let said = run(&stage, &service, &["export", "c.csv", "--offline"]).expect(0);
        assert!(!said.stdout.contains("images"), "{}", said.stdout);
    }
}
