//! The one writer thread: groups jobs into one commit and answers each once it is durable.
//!
//! Jobs that are waiting when the thread is free share a transaction, so the disk does not set the pace. A failed job
//! or commit fails every job of its group and all that come after: what cannot be recorded must not be sent.

use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::journal::Error;

/// How many waiting jobs share one commit at most.
const GROUP: usize = 256;

/// Runs inside the group's transaction; returns what to do once that is durable, or has failed.
type Job = Box<dyn FnOnce(&Connection) -> Result<Answer, String> + Send>;
type Answer = Box<dyn FnOnce(Result<(), Error>) + Send>;

/// The sending side of the writer thread; dropping it ends the thread.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> std::io::Result<Self> {
        let (jobs, inbox) = mpsc::channel(4 * GROUP);
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(connection, inbox))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Runs `work` in the next group's transaction; ready once the commit is on the disk.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (job, done) = job(work);
        let jobs = self
            .jobs
            .as_ref()
            .expect("the channel lives as long as the writer");
        jobs.send(job).await.map_err(|_| stopped())?;
        done.await.map_err(|_| stopped())?
    }

    /// As [`Writer::write`], for code without a runtime.
    pub(super) fn write_blocking<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (job, done) = job(work);
        let jobs = self
            .jobs
            .as_ref()
            .expect("the channel lives as long as the writer");
        jobs.blocking_send(job).map_err(|_| stopped())?;
        done.blocking_recv().map_err(|_| stopped())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already failed its waiters; there is nobody left to tell.
            let _ = thread.join();
        }
    }
}

fn stopped() -> Error {
    Error::Stopped("the writer has ended".to_owned())
}

fn job<T, F>(work: F) -> (Job, oneshot::Receiver<Result<T, Error>>)
where
    T: Send + 'static,
    F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
{
    let (answer, done) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        let value = match work(connection) {
            Ok(value) => value,
            Err(error) => {
                let shown = error.to_string();
                // The waiter may have been dropped with its run; then nobody needs the answer.
                let _ = answer.send(Err(Error::Sqlite(error)));
                return Err(shown);
            }
        };
        let answer: Answer = Box::new(move |outcome| {
            let _ = answer.send(outcome.map(|()| value));
        });
        Ok(answer)
    });
    (job, done)
}

fn run(mut connection: Connection, mut inbox: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(GROUP);
    while let Some(first) = inbox.blocking_recv() {
        group.push(first);
        while group.len() < GROUP {
            let Ok(next) = inbox.try_recv() else { break };
            group.push(next);
        }
        if commit(&mut connection, group.drain(..)).is_err() {
            // Dropping the inbox fails whoever waits or comes later.
            return;
        }
    }
}

fn commit(connection: &mut Connection, group: impl Iterator<Item = Job>) -> Result<(), ()> {
    let mut answers = Vec::new();
    let outcome = (|| {
        let begin = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begin.map_err(|error| error.to_string())?;
        for job in group {
            answers.push(job(&transaction)?);
        }
        transaction.commit().map_err(|error| error.to_string())
    })();
    let failed: Option<String> = outcome.err();
    for answer in answers {
        answer(
            failed
                .clone()
                .map_or(Ok(()), |reason| Err(Error::Stopped(reason))),
        );
    }
    failed.map_or(Ok(()), |_| Err(()))
}
