//! The comparison of two addresses: whether they are one house.

mod cases;
mod error_rates;
mod generated_city;
mod range_cases;
mod road_cases;
mod spelling_cases;
mod unit_cases;
