//! The earlier request that a row resembles most.

use crate::import::Error;
use crate::import::same_house::MAX_COMPARED_HOUSES;
use crate::import::same_house::comparison::{
    HouseMatch, MatchRank, compare, compare_elsewhere, is_corrected, own_requests,
};
use crate::import::same_house::requested_house::{RequestedHouse, sketches};
use crate::import::same_house::reviewer::Reviewer;
use crate::model::{AddressMatch, HouseHash, Request, StreetAddress};

impl Reviewer<'_> {
    /// The earlier request that the row resembles most, of those with its postal code.
    pub(super) fn nearest(
        &self,
        address: &StreetAddress,
        request: &Request,
    ) -> Result<Option<HouseMatch<'_>>, Error> {
        let sketches = sketches(address, &request.customer);
        let mut nearest: Option<HouseMatch<'_>> = None;
        let mut compared = 0;
        let hashes = address.house_hashes();
        for house in hashes.flat_map(|house_hash| self.others(house_hash, request)) {
            let Some(closest) = house.closest_match(address, sketches) else {
                continue;
            };
            // Most houses with this hash give no better reason for a warning than the one found already.
            let closest_match = HouseMatch {
                address_match: closest,
                house,
            };
            let is_other = closest != AddressMatch::SameHouse;
            if nearest.is_some_and(|nearest| nearest.rank() <= closest_match.rank())
                || is_other && compared == MAX_COMPARED_HOUSES
            {
                continue;
            }
            compared += usize::from(is_other);
            let other_request = house.request();
            let mut found = HouseMatch {
                address_match: compare(address, request, &other_request),
                house,
            };
            if self.is_corrected(request, found)? {
                found.address_match = AddressMatch::SameHouse;
            }
            let counts = found.counts_for(&request.customer, &other_request.customer);
            if counts && nearest.is_none_or(|nearest| found.rank() < nearest.rank()) {
                nearest = Some(found);
            }
            if nearest.is_some_and(|nearest| nearest.rank() == MatchRank::FIRST) {
                break;
            }
        }
        Ok(nearest)
    }

    /// As [`is_corrected`]. What counts as this file's is read once, and for few files.
    fn is_corrected(&self, request: &Request, found: HouseMatch<'_>) -> Result<bool, Error> {
        is_corrected(self.checked, request, found, |earlier| {
            if self.own.get().is_none() {
                let own = own_requests(self.checked, self.index, self.rows)?;
                let _ = self.own.set(own);
            }
            let mut corrected = self.rows.corrected().values();
            let is_in_file = corrected.any(|id| *id == earlier.request.external_id);
            Ok(!is_in_file && self.own.get().is_some_and(|own| own.has(earlier)))
        })
    }

    /// The earlier request for the house under another postal code, or without its number.
    pub(super) fn same_elsewhere(
        &self,
        address: &StreetAddress,
        request: &Request,
        elsewhere: &[HouseHash],
    ) -> Result<Option<HouseMatch<'_>>, Error> {
        let name = address.sketch();
        let mut nearest = None;
        for house in elsewhere
            .iter()
            .flat_map(|house_hash| self.others(*house_hash, request))
        {
            let by_number = HouseMatch {
                address_match: AddressMatch::Different,
                house,
            };
            let found = if self.is_corrected(request, by_number)? {
                Some(AddressMatch::SameHouse)
            } else if name.may_match(house.sketches.0) {
                compare_elsewhere(address, request, &house.request())
            } else {
                None
            };
            let found = found.map(|address_match| HouseMatch {
                address_match,
                house,
            });
            nearest = nearest
                .into_iter()
                .chain(found)
                .min_by_key(HouseMatch::rank);
        }
        Ok(nearest)
    }

    /// The houses that were requested with a hash, under other ids.
    fn others(
        &self,
        house_hash: HouseHash,
        request: &Request,
    ) -> impl Iterator<Item = &RequestedHouse> {
        let requested = self.requested.get(&house_hash).into_iter().flatten();
        requested.filter(|other| {
            // No two rows of a file have one id.
            other
                .earlier()
                .is_none_or(|earlier| earlier.request.external_id != request.external_id)
        })
    }
}
