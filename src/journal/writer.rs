//! The writer thread, which groups jobs into one commit and answers each when it is durable.
//!
//! Jobs that come while a transaction is committed share the next one, so that the disk does not limit the throughput. A
//! failed job or commit fails all jobs of its group and all later ones, because what cannot be recorded must not be
//! sent.

use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::journal::Error;
use crate::journal::slot_log::SlotLog;

/// Maximum number of jobs in one commit.
const MAX_GROUP: usize = 256;

/// Number of cached prepared statements: more than a run uses.
const MAX_STATEMENTS: usize = 64;

/// Runs in the group's transaction, and returns what to do after the commit or its failure.
type WriteJob = Box<dyn FnOnce(&Connection, &mut SlotLog) -> Result<CommitCallback, Error> + Send>;
type CommitCallback = Box<dyn FnOnce(Result<(), Error>) + Send>;

/// Why the thread ended early.
type WriterFailure = Arc<OnceLock<Error>>;

/// The sending side of the writer thread; dropping it ends the thread.
#[derive(Debug)]
pub(super) struct JournalWriter {
    jobs: Option<mpsc::Sender<WriteJob>>,
    thread: Option<JoinHandle<()>>,
    cause: WriterFailure,
}

impl JournalWriter {
    /// Starts the writer thread with the writing connection.
    pub(super) fn start(connection: Connection) -> std::io::Result<Self> {
        let (jobs, inbox) = mpsc::channel(4 * MAX_GROUP);
        let cause = WriterFailure::default();
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn({
                let cause = Arc::clone(&cause);
                move || run(connection, inbox, &cause)
            })?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            cause,
        })
    }

    /// Runs `work` in the next group's transaction; completes after the commit.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &mut SlotLog) -> rusqlite::Result<T> + Send + 'static,
    {
        let (job, done) = job(work, &self.cause);
        self.jobs().send(job).await.map_err(|_| self.stopped())?;
        done.await.map_err(|_| self.stopped())?
    }

    /// As [`JournalWriter::write`], outside an async runtime.
    pub(super) fn write_blocking<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &mut SlotLog) -> rusqlite::Result<T> + Send + 'static,
    {
        let (job, done) = job(work, &self.cause);
        self.jobs().blocking_send(job).map_err(|_| self.stopped())?;
        done.blocking_recv().map_err(|_| self.stopped())?
    }

    fn jobs(&self) -> &mpsc::Sender<WriteJob> {
        self.jobs
            .as_ref()
            .expect("the channel lives as long as the writer")
    }

    fn stopped(&self) -> Error {
        self.cause.get().map_or_else(
            || Error::Stopped("the writer has ended".to_owned()),
            copy_error,
        )
    }
}

impl Drop for JournalWriter {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // After a panic of the thread, its waiting tasks have failed already.
            let _ = thread.join();
        }
    }
}

/// Copies an error for the other waiting tasks.
fn copy_error(error: &Error) -> Error {
    match error {
        Error::Full(reason) => Error::Full(reason.clone()),
        Error::Corrupt(reason) => Error::Corrupt(reason.clone()),
        Error::Stopped(reason) => Error::Stopped(reason.clone()),
        other => Error::Stopped(other.to_string()),
    }
}

/// Returns a job and the receiver of its result. An error is stored in `cause` before the waiting task is woken.
fn job<T, F>(work: F, cause: &WriterFailure) -> (WriteJob, oneshot::Receiver<Result<T, Error>>)
where
    T: Send + 'static,
    F: FnOnce(&Connection, &mut SlotLog) -> rusqlite::Result<T> + Send + 'static,
{
    let (result, done) = oneshot::channel();
    let cause = Arc::clone(cause);
    let job: WriteJob = Box::new(move |connection, slot_log| {
        let value = work(connection, slot_log).map_err(|error| {
            let error = Error::from(error);
            let _ = cause.set(copy_error(&error));
            error
        })?;
        let callback: CommitCallback = Box::new(move |outcome| {
            // The waiting task may have been dropped with its run.
            let _ = result.send(outcome.map(|()| value));
        });
        Ok(callback)
    });
    (job, done)
}

fn run(mut connection: Connection, mut inbox: mpsc::Receiver<WriteJob>, cause: &WriterFailure) {
    connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
    let mut slot_log = SlotLog::default();
    let mut group = Vec::with_capacity(MAX_GROUP);
    while let Some(first) = inbox.blocking_recv() {
        group.push(first);
        // Where no processor is idle, the run goes on meanwhile, and further responses share the commit.
        std::thread::yield_now();
        while group.len() < MAX_GROUP {
            let Ok(next) = inbox.try_recv() else { break };
            group.push(next);
        }
        if commit(&mut connection, &mut slot_log, group.drain(..), cause).is_err() {
            // `cause` has the error. Closing the inbox fails all later jobs, and dropping those that wait fails them; a
            // job that is being put into the inbox is waited for, because otherwise nothing would drop it.
            inbox.close();
            while inbox.blocking_recv().is_some() {}
            return;
        }
    }
    // The file is then complete for copies; if this fails, the log beside it has the same contents. Another command that
    // reads the journal may be waiting to write, so this does not wait for it.
    let _ = connection.busy_timeout(Duration::ZERO);
    let _ = connection.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);");
}

fn commit(
    connection: &mut Connection,
    slot_log: &mut SlotLog,
    mut group: impl Iterator<Item = WriteJob>,
    cause: &WriterFailure,
) -> Result<(), Error> {
    let mut callbacks = Vec::new();
    let outcome = (|| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        slot_log.detect_other_writers(&transaction)?;
        // Jobs after a failed one are dropped last, because dropping one wakes its task, which reads the cause.
        for job in group.by_ref() {
            callbacks.push(job(&transaction, slot_log)?);
        }
        Ok(transaction.commit()?)
    })();
    if let Err(error) = &outcome {
        // Stored before any job is answered, so that all tasks get the same error.
        let _ = cause.set(copy_error(error));
    }
    for callback in callbacks {
        callback(outcome.as_ref().copied().map_err(copy_error));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_repeated_to_those_behind_it_says_once_that_the_journal_stopped() {
        let first = Error::Sqlite(rusqlite::Error::InvalidQuery);
        let told = copy_error(&copy_error(&copy_error(&first))).to_string();
        assert_eq!(told.matches("the journal stopped").count(), 1, "{told}");
        assert_eq!(told, copy_error(&first).to_string());
    }

    /// Looks at the cause when a job is dropped, which wakes its waiter.
    struct AtDrop(WriterFailure, Arc<OnceLock<bool>>);

    impl Drop for AtDrop {
        fn drop(&mut self) {
            let _ = self.1.set(self.0.get().is_some());
        }
    }

    #[test]
    fn tasks_that_wait_for_a_failed_commit_get_its_cause() {
        let mut connection = Connection::open_in_memory().unwrap();
        let cause = WriterFailure::default();
        let (failing, done) = job(|_, _| Err::<(), _>(rusqlite::Error::InvalidQuery), &cause);
        assert!(failing(&connection, &mut SlotLog::default()).is_err());
        assert!(cause.get().is_some());
        assert!(done.blocking_recv().is_err());

        let (cause, told) = (WriterFailure::default(), Arc::new(OnceLock::new()));
        let at_drop = AtDrop(Arc::clone(&cause), Arc::clone(&told));
        let unreached: WriteJob = Box::new(move |_, _| {
            let _at_drop = &at_drop;
            unreachable!("no transaction begins within another")
        });
        connection.execute_batch("BEGIN").unwrap();
        let group = [unreached].into_iter();
        commit(&mut connection, &mut SlotLog::default(), group, &cause).unwrap_err();
        assert_eq!(told.get(), Some(&true));
    }

    #[tokio::test]
    async fn a_task_that_hands_its_job_over_while_the_writer_fails_is_told() {
        let mut writer = JournalWriter::start(Connection::open_in_memory().unwrap()).unwrap();
        let jobs = writer.jobs().clone();
        let place = jobs.reserve().await.unwrap();
        let failing = writer.write(|_, _| Err::<(), _>(rusqlite::Error::InvalidQuery));
        assert!(failing.await.is_err());
        jobs.closed().await;
        let (late, mut done) = job(|_, _| Ok(()), &writer.cause);
        place.send(late);
        writer.thread.take().unwrap().join().unwrap();
        let told = done.try_recv();
        assert!(matches!(told, Err(oneshot::error::TryRecvError::Closed)));
    }
}
