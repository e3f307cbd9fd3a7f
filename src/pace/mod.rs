//! One call through the budget: wait for a slot, record the intent, send, record the answer, and try again.
