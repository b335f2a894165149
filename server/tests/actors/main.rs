//! The actors together, over a store that can be made to fail: what survives, what is refused, what goes on.

#![expect(clippy::unwrap_used, reason = "a test that can't go on says where")]

mod faulty;

mod house;

mod agent;

mod store_faults;

mod leaving;
