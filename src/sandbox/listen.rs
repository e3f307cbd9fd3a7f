//! Connections that can be cut on purpose, which looks like a network failure to the client.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// A listener whose connections can be cut.
pub(super) struct CuttableListener(pub(super) TcpListener);

/// Cuts one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionCutter(Arc<AtomicBool>);

impl ConnectionCutter {
    /// Fails every later write, so that nothing more reaches the client.
    pub(super) fn cut(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_cut(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Listener for CuttableListener {
    type Io = CuttableStream;
    type Addr = ConnectionCutter;

    async fn accept(&mut self) -> (CuttableStream, ConnectionCutter) {
        loop {
            if let Ok((stream, _)) = self.0.accept().await {
                // Otherwise a small response waits for the acknowledgement of the previous one.
                let _ = stream.set_nodelay(true);
                let line = ConnectionCutter::default();
                let stream = CuttableStream {
                    stream,
                    line: line.clone(),
                };
                return (stream, line);
            }
            // For example out of file descriptors; retrying at once would spin.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn local_addr(&self) -> io::Result<ConnectionCutter> {
        Ok(ConnectionCutter::default())
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for ConnectionCutter {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Self {
        stream.remote_addr().clone()
    }
}

/// A connection whose writes fail once it is cut.
pub(super) struct CuttableStream {
    stream: TcpStream,
    line: ConnectionCutter,
}

impl CuttableStream {
    fn check(&self) -> io::Result<()> {
        if self.line.is_cut() {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for CuttableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
