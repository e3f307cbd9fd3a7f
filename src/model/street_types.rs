//! Street types and other words of street names, with their abbreviations.
//!
//! # Source
//! USPS Publication 28, appendix C1; Canada Post, Addressing Guidelines, street types.

use std::sync::LazyLock;

use hashbrown::{HashMap, HashSet};

/// Street types that people omit, one per line: the full word, then its abbreviations. Words such as `hill` and `park`,
/// which the postal lists count as types too, are often part of a name, so they are not listed.
const TYPES: &str = "
alley allee aly ally all
avenue av ave aven avenu avn avnue
boulevard boul boulv blvd bvd bd blv
circle cir circ circl crcl crcle cercle
close cl
court ct crt cour
cove cv
crescent cres crescnt crsent crsnt cr crois croissant
drive dr driv drv
expressway expy exp expr express expw
freeway fwy freewy frway frwy
highway hwy highwy hiway hiwy hway autoroute aut
lane ln
loop loops
parkway pkwy pky parkwy pkway pkwys
place pl
plaza plz plza
promenade prom
road rd chemin ch chem
route rte rt
square sq sqr sqre squ carre
street st str strt rue
terrace ter terr terrasse tsse
trail trl tr trails trls sentier sent
turnpike tpke trnpk turnpk
walk
way wy voie
impasse imp
montee mtee
quai
rang rg
ruelle rle
cote
";

/// Other words that end the name of a street. When houses are compared, they are part of the name.
const OTHER_TYPES: &str = "row concession conc line sideroad quay wynd gate run path pass pike causeway cswy bypass throughway thruway \
    extension ext passage mews grove grv crossing xing bend landing lndg";

/// Words within the name of a street, among them the other types of the postal lists: the full word, then its
/// abbreviations.
pub(super) const NAME_WORDS: &str = "
annex anex annx anx
bayou byu bayoo
beach bch
bend bnd
bluff blf bluf
bluffs blfs
bottom btm bottm
branch br brnch
bridge brdge brg
brook brk
brooks brks
bypass byp bypa bypas
camp cmp
canyon cyn canyn cnyn
cape cpe
carrefour carref
causeway cswy causwa
center ctr cen cent centr centre cntr
circuit circt
cliff clf
cliffs clfs
club clb
common cmn
commons cmns
concession conc con
corner cor
corners cors crnrs
county co cnty cty
course crse
courts cts
creek crk
crest crst
crossing xing crssng
crossroad xrd
crossroads xrds
curve curv
dale dl
dam dm
diversion divers
divide dvd
drives drs
echangeur ech
esplanade espl
estate est
estates ests
extension ext extn exten
falls fls
ferry fry
field fld
fields flds
flats flts
ford frd
forest frst forests
forge frg forg
fork frk
forks frks
fort ft frt
garden gdn gardn grdn
gardens gdns grdns
gateway gtwy gatewy gatway
glen gln
green grn
grounds grnds
grove grv grov
harbor hbr harb harbour harbr
haven hvn
heights hts ht
highlands hghlds
hill hl
hills hls
hollow holw hllw
inlet inlt
island is islnd isl
junction jct jction junctn
junior jr
key ky
keys kys
knoll knl knol
knolls knls
lake lk
lakes lks
landing lndg lndng landng
limits lmts
lodge ldg ldge lodg
lookout lkout
manor mnr
manors mnrs
meadow mdw
meadows mdws medows
mill ml
mills mls
mission msn missn mssn
motorway mtwy
mount mt mnt
mountain mtn mntain mountin
mountains mtns
neck nck
orchard orch orchrd
oval ovl
overpass opas
park prk pk
passage psge
pathway ptway
pine pne
pines pnes
plain pln
plains plns
plateau plat
point pt
points pts
port prt
prairie pr prr
private pvt
radial radl
ranch rnch ranches rnchs
range rge
rapids rpds
ridge rdg rdge
ridges rdgs
river riv rvr
roads rds
saint st
sainte ste
shoal shl
shoals shls
shore shr shoar
shores shrs shoars
skyway skwy
spring spg spng sprng
springs spgs spngs sprngs
squares sqs
station sta stn statn
stravenue stra strav straven stravn strvn strvnue
stream strm streme
streets sts
subdivision subdiv
summit smt sumit sumitt
thicket thick
townline tline
township twp
trace trce
trafficway trfy
tunnel tunl tunel tunls
turnabout trnabt
underpass upas
union un
valley vly vally vlly
view vw
views vws
village vlg vill villag villge
ville vl
vista vis vist vst
wells wls
";

static FULL_TYPES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| street_types().collect());

static OTHER_TYPE_SET: LazyLock<HashSet<&str>> =
    LazyLock::new(|| OTHER_TYPES.split_ascii_whitespace().collect());

/// Returns every street type and abbreviation with its full word.
pub(super) fn street_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    abbreviations(TYPES)
}

/// Parses lines of a full word and its abbreviations into pairs of word and full word.
pub(super) fn abbreviations(
    lines: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines.lines().filter_map(|line| {
        let full = line.split(' ').next()?;
        Some(line.split(' ').map(move |word| (word, full)))
    });
    lines.flatten()
}

/// Returns the full word of a street type that people omit; `word` must be in lower case without accents.
pub(super) fn full_street_type(word: &str) -> Option<&'static str> {
    FULL_TYPES.get(word).copied()
}

/// Whether a word ends the name of a street; `word` must be in lower case without accents.
pub fn ends_street(word: &str) -> bool {
    full_street_type(word).is_some() || OTHER_TYPE_SET.contains(word)
}
