//! The journal becomes results: refreshed, written, sealed.
