//! A billing workbook of another team of the same service, which somebody may take for a workbook of this one.

use std::fs;

use gutterbatch::journal::{Journal, JournalAccess};

use super::plan::Plan;
use super::steps::{Fate, ImportFlags, SealPeriod};
use super::virtual_time;
use super::world::{Held, World, require};

thread_local! {
    static WORKBOOK: Vec<u8> = workbook();
}

/// What the other team has billed, at the service's address of this thread.
fn workbook() -> Vec<u8> {
    let plan = Plan::of(vec![0], Vec::new());
    virtual_time::kept(|| {
        let mut world = World::new(&plan);
        world.network().service.team = "team_2";
        let (flags, fate) = (ImportFlags::default(), Fate::default());
        let sheet = "leads.csv".to_owned();
        world.import_with(sheet, flags, fate).unwrap();
        world.month();
        world.seal(SealPeriod::Everything, fate).unwrap();
        let files = world.files().into_iter();
        let mut workbooks = files.filter(|(name, _)| name.ends_with("xlsx"));
        workbooks.next().expect("it was written").1
    })
}

impl World {
    /// Restores the workbook of the other team, which a journal of this team refuses.
    pub(super) fn restore_others(&mut self) -> Held {
        let journal = &self.office().computer.journal;
        if !journal.exists() {
            return Ok(());
        }
        let journal = Journal::open(journal, &JournalAccess::Shared).unwrap();
        let is_bound = journal.binding().unwrap().is_some();
        drop(journal);
        if !is_bound {
            return Ok(());
        }
        let name = "other team.xlsx";
        fs::write(self.path(name), WORKBOOK.with(Vec::clone)).unwrap();
        let restored = self.office().computer.restore(name);
        fs::remove_file(self.path(name)).unwrap();
        self.tell(format!(
            "gutterbatch import --restore '{name}': {restored:?}"
        ));
        require(restored == Err("OtherOwner".to_owned()), || {
            "a workbook of another team is restored".to_owned()
        })
    }
}
