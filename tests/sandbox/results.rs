//! S2.4: the numbers of a complete measurement, and its pictures.

use std::time::Duration;

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::sandbox::stage::{Stage, body, stage, stage_with};

async fn complete(stage: &Stage, external_id: &str) -> Value {
    let id = stage.create(&body(external_id)).await.id().to_owned();
    stage.running.complete(&id).unwrap();
    stage.get(&format!("/measurements/{id}")).await.body
}

#[tokio::test]
async fn totals_are_the_sums_of_their_parts() {
    let stage = stage().await;
    for house in 0..40 {
        let measurement = complete(&stage, &format!("house {house}")).await;
        let result = &measurement["result"];
        let downspouts = result["downspouts"].as_array().unwrap();
        assert_eq!(result["downspout_count"], downspouts.len());
        let tenths = |feet: &Value| (feet.as_f64().unwrap() * 10.0).round();
        let parts: f64 = downspouts.iter().map(|one| tenths(&one["length_ft"])).sum();
        assert_eq!(
            tenths(&result["downspout_length_ft"]).to_bits(),
            parts.to_bits()
        );
        assert!(result["gutter_length_ft"].as_f64().unwrap() > 0.0);
        assert!(result["corner_count"].is_u64());
        for downspout in downspouts {
            assert!((1..=3).contains(&downspout["floors"].as_u64().unwrap()));
        }
    }
}

#[tokio::test]
async fn pictures_are_served_to_everybody_as_what_they_say_they_are() {
    let stage = stage().await;
    let measurement = complete(&stage, "L-1").await;
    let pack = measurement["result"]["asset_pack"]
        .as_array()
        .unwrap()
        .clone();
    assert!(pack.len() >= 3);
    for asset in pack {
        let url = asset["url"].as_str().unwrap();
        let picture = stage.client.get(url).send().await.unwrap();
        assert_eq!(picture.status(), 200);
        assert_eq!(
            picture.headers()["content-type"],
            asset["content_type"].as_str().unwrap()
        );
        let bytes = picture.bytes().await.unwrap();
        let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        let mut reader = decoder.read_info().unwrap();
        let mut dots = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut dots).unwrap();
        let again = stage
            .client
            .get(url)
            .send()
            .await
            .unwrap()
            .bytes()
            .await
            .unwrap();
        assert_eq!(bytes, again);
    }
    let missing = stage.url("/assets/msr_x/aerial.png");
    assert_eq!(
        stage.client.get(missing).send().await.unwrap().status(),
        404
    );
}

#[tokio::test]
async fn the_rooftop_refines_the_place_and_leaves_the_address() {
    let stage = stage().await;
    let before = stage.create(&body("L-1")).await;
    let after = complete(&stage, "L-1").await;
    for part in ["line1", "line2", "city", "region", "postal_code", "country"] {
        assert_eq!(before.body["address"][part], after["address"][part]);
    }
    let moved =
        before.body["address"]["lat"].as_f64().unwrap() - after["address"]["lat"].as_f64().unwrap();
    assert!(moved != 0.0 && moved.abs() < 0.001, "{moved}");
}

#[tokio::test]
async fn the_contractor_works_by_the_clock_and_the_seed() {
    let options = || Options {
        work: Some(Duration::from_secs(2000)),
        ..Options::default()
    };
    let mut results = Vec::new();
    for _ in 0..2 {
        let stage = stage_with(options()).await;
        let id = stage.create(&body("L-1")).await.id().to_owned();
        let path = format!("/measurements/{id}");
        assert_eq!(stage.get(&path).await.body["status"], "pending");
        stage.running.advance(Duration::from_secs(2000));
        assert_eq!(stage.get(&path).await.body["status"], "in_progress");
        stage.running.advance(Duration::from_secs(60_000));
        let done = stage.get(&path).await.body;
        assert_eq!(done["status"], "complete");
        assert_ne!(done["result"]["asset_pack"], serde_json::json!([]));
        results.push(done["result"]["gutter_length_ft"].clone());
    }
    assert_eq!(results[0], results[1]);
}

#[tokio::test]
async fn some_pictures_come_later_than_the_numbers() {
    let options = Options {
        work: Some(Duration::from_secs(100)),
        rate: "100000/1h".parse().unwrap(),
        ..Options::default()
    };
    let stage = stage_with(options).await;
    for house in 0..40 {
        stage.create(&body(&format!("house {house}"))).await;
    }
    let mut without = Vec::new();
    for _ in 0..4 {
        stage.running.advance(Duration::from_secs(70));
        let mut bare = 0;
        for held in stage.running.measurements() {
            let path = format!("/measurements/{}", held.measurement_id);
            let pack = stage.get(&path).await.body["result"]["asset_pack"].clone();
            bare += usize::from(pack == serde_json::json!([]));
        }
        without.push(bare);
    }
    assert!(without.iter().any(|bare| *bare > 0), "{without:?}");
    assert_eq!(without.last(), Some(&0), "{without:?}");
}
