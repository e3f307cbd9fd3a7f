//! Parsing of the measurement object, whose parts `model` declares.

use crate::api::wire::WireError;
use crate::model::Measurement;

/// Parses a measurement object. Unknown fields and kinds of images are ignored.
///
/// # Errors
/// Returns a [`WireError`] that says what is missing or of the wrong type.
///
/// # Source
/// S2.4, S3.
pub fn measurement(json: &str) -> Result<Measurement, WireError> {
    let measurement: Measurement = serde_json::from_str(json)?;
    if measurement
        .id
        .strip_prefix("msr_")
        .is_none_or(str::is_empty)
    {
        return Err(WireError("its id is not a measurement id".to_owned()));
    }
    if let Some(result) = &measurement.result {
        require_length("gutter_length_ft", result.gutter_length_ft)?;
        require_length("downspout_length_ft", result.downspout_length_ft)?;
        for downspout in &result.downspouts {
            require_length("length_ft", downspout.length_ft)?;
        }
    }
    Ok(measurement)
}

/// A length that no house has, in feet; sums of such lengths would not be exact.
const NO_LENGTH_FT: f64 = 1e6;

/// Lengths are billed, so that one that cannot be is not the service's result.
fn require_length(field: &str, feet: f64) -> Result<(), WireError> {
    match feet {
        0.0..NO_LENGTH_FT => Ok(()),
        _ => Err(WireError(format!(
            "{field} is {feet:?}, which is not a valid length in feet"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::Status;

    fn pending() -> Value {
        json!({
            "id": "msr_1", "status": "pending",
            "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05.25Z", "completed_at": null,
            "address": {"line1": "12 Elm St", "line2": null, "city": "Ottawa", "region": "ON",
                "postal_code": "K1A 0B1", "country": "CA", "formatted": "12 Elm St, Ottawa", "lat": 45.4, "lng": -75},
            "request": {"id": "req_1", "created_at": "2026-01-02T03:04:05Z",
                "customer": {"name": "Z", "email": null, "phone": "1"}, "notes": null,
                "external": {"id": "A-1", "url": null, "label": "CRM"}, "url": "https://s.example/requests/1"},
            "result": null
        })
    }

    fn complete() -> Value {
        let mut json = pending();
        json["status"] = json!("complete");
        json["completed_at"] = json!("2026-01-03T00:00:00Z");
        json["result"] = json!({
            "gutter_length_ft": 142.5, "gutter_size_in": null, "corner_count": 6, "downspout_count": 1,
            "downspout_length_ft": 11, "downspouts": [{"length_ft": 11, "floors": 1, "size_in": 3}],
            "installer_message": null,
            "asset_pack": [
                {"kind": "hologram", "frames": 12},
                {"kind": "aerial", "url": "https://i.example/1.png", "content_type": "image/png"}]
        });
        json
    }

    fn read(json: &Value) -> Result<Measurement, WireError> {
        measurement(&json.to_string())
    }

    #[test]
    fn a_pending_measurement_reads_with_a_null_result() {
        let measurement = read(&pending()).unwrap();
        assert_eq!(measurement.status, Status::Pending);
        assert_eq!(measurement.result, None);
        assert_eq!(measurement.address.lng, Some(-75.0));
        assert_eq!(measurement.request.external.id.as_deref(), Some("A-1"));
    }

    #[test]
    fn a_complete_measurement_reads_without_its_unknown_images() {
        let result = read(&complete()).unwrap().result.unwrap();
        assert_eq!(result.downspouts[0].size_in, Some(3.0));
        let kinds: Vec<_> = result.asset_pack.iter().map(|a| a.kind.as_str()).collect();
        assert_eq!(kinds, ["aerial"]);
    }

    #[test]
    fn what_may_be_null_may_be_left_out_and_reads_the_same() {
        for pointer in [
            "/completed_at",
            "/address/line2",
            "/address/formatted",
            "/address/lat",
            "/address/lng",
            "/request/customer",
            "/request/notes",
            "/request/external",
            "/request/url",
            "/result",
            "/result/gutter_size_in",
            "/result/downspouts",
            "/result/downspouts/0/size_in",
            "/result/installer_message",
            "/result/asset_pack",
        ] {
            let (object, field) = pointer.rsplit_once('/').unwrap();
            let mut null = complete();
            *null.pointer_mut(pointer).unwrap() = Value::Null;
            let mut absent = complete();
            let fields = absent.pointer_mut(object).unwrap().as_object_mut();
            fields.unwrap().remove(field);
            assert_eq!(read(&null).unwrap(), read(&absent).unwrap(), "{pointer}");
        }
    }

    #[test]
    fn an_unknown_field_is_passed_over_anywhere() {
        let mut json = complete();
        for pointer in [
            "",
            "/address",
            "/request",
            "/request/customer",
            "/result",
            "/result/downspouts/0",
        ] {
            json.pointer_mut(pointer).unwrap()["new"] = json!({"deep": [1]});
        }
        assert!(read(&json).is_ok());
    }

    #[test]
    fn a_whole_number_may_be_written_as_a_decimal_and_no_other_is_a_count() {
        let counted = |count: &str| {
            let text = complete().to_string();
            measurement(&text.replace("\"corner_count\":6", &format!("\"corner_count\":{count}")))
        };
        for count in ["6", "6.0", "6e0", "0.6e1"] {
            let result = counted(count).unwrap().result.unwrap();
            assert_eq!(result.corner_count, 6, "{count}");
        }
        for count in ["6.5", "-1", "-1.0", "4294967296", "\"6\"", "null"] {
            assert!(counted(count).is_err(), "{count}");
        }
    }

    #[test]
    fn a_length_keeps_its_last_digit() {
        for written in [
            "95.87205199764975",
            "45.730000000000004",
            "239.12169600000001",
        ] {
            let json = complete().to_string().replace("142.5", written);
            let length = measurement(&json).unwrap().result.unwrap().gutter_length_ft;
            assert_eq!(length.to_string(), written);
        }
    }

    #[test]
    fn a_length_that_no_house_has_is_named() {
        for (length, shown) in [("-50", "-50.0"), ("-0.5", "-0.5"), ("1e300", "1e300")] {
            let json = complete().to_string().replace("142.5", length);
            let error = measurement(&json).unwrap_err().to_string();
            let expected =
                format!("gutter_length_ft is {shown}, which is not a valid length in feet");
            assert!(error.contains(&expected), "{error}");
        }
        for length in ["0", "-0.0", "999999.9"] {
            let json = complete().to_string().replace("142.5", length);
            assert!(measurement(&json).is_ok(), "{length}");
        }
    }

    #[test]
    fn a_missing_or_mistyped_field_is_named() {
        let without = |pointer: &str, field: &str| {
            let mut json = complete();
            let object = json.pointer_mut(pointer).unwrap();
            object.as_object_mut().unwrap().remove(field);
            read(&json).unwrap_err().to_string()
        };
        for (pointer, field) in [
            ("", "id"),
            ("", "status"),
            ("", "address"),
            ("", "request"),
            ("/address", "postal_code"),
            ("/request", "id"),
            ("/result", "gutter_length_ft"),
            ("/result", "corner_count"),
            ("/result/downspouts/0", "floors"),
            ("/result/asset_pack/1", "url"),
        ] {
            let error = without(pointer, field);
            assert!(error.contains(field), "{pointer} {field}: {error}");
        }
    }

    #[test]
    fn an_id_or_status_of_another_kind_is_not_the_services() {
        for (field, value) in [
            ("id", json!("req_1")),
            ("id", json!("msr_")),
            ("id", json!("")),
            ("status", json!("COMPLETE")),
            ("status", json!("done")),
            ("created_at", json!("yesterday")),
        ] {
            let mut json = pending();
            json[field] = value.clone();
            assert!(read(&json).is_err(), "{field} {value}");
        }
    }
}
