//! Flow control: when the next frame goes out, how many bytes it may have, and how well it is painted.
//!
//! # Model
//!
//! The terminal is a server at the end of a link. Bytes that it has not displayed yet wait in a queue somewhere on the way: in
//! the kernel, in SSH's window, in a router. The effect of a key press is visible after everything ahead of it in that queue,
//! so a program that writes as fast as it can becomes unusable on a slow link. The system hides the queue: a write succeeds
//! long before its bytes are displayed. So each frame ends with a request for the cursor position (DSR 6), and the reply
//! acknowledges the frame. [`link`] derives from these acknowledgements:
//!
//! | symbol | meaning | estimate |
//! |---|---|---|
//! | `D` | round trip of the empty link | least round trip of the last 30 to 60 s, without the time for waiting and transmission |
//! | `R` | rate in bytes per second | bytes over transmission time of the last six acknowledgements of at least 500 bytes |
//! | `B` | backlog in seconds | time until the link has carried all that was sent |
//!
//! `B` follows from a fluid model. The link carries one frame after the other: frame `k` of `S` bytes, sent at time `t`, is
//! through at `f(k) = max(f(k-1), t) + S/R`, and its reply is due at `f(k) + D`. Each reply corrects the model: a reply at time
//! `t` sets `f(k) = t - D`. The backlog is the last `f` minus the present.
//!
//! # Control law
//!
//! A frame goes out when `B <= 30 ms`, and has at most `150 ms · R` bytes. What does not fit follows in the next frame. So the
//! link always carries something, and a key waits for at most one frame and its own: `D + 330 ms`. A frame that has to wait is
//! dropped and not queued, since the next one is newer. What a key changed outside the flock goes out first.
//!
//! Four things complete this:
//!
//! - Until a frame is acknowledged, `R` is unknown: one frame of at most 6000 bytes is in flight, or more bytes if the first
//!   reply came quickly.
//! - If a reply is more than 100 ms late, the link is slower than its model: nothing goes out until the reply is there. After
//!   two seconds the reply is lost, and one frame a second goes out as a probe.
//! - A terminal that never replies gets every frame after one second; the blocking write is the only limit.
//! - [`pacer`] enforces the user's bandwidth limit with a token bucket.
//!
//! [`quality`] trades color precision for bytes: it lowers the level while fewer than 10 complete frames a second go out, two
//! levels below 5, and raises it after three seconds with at least 18. A level that was raised too early doubles those three
//! seconds, up to a minute. A stall of up to six seconds changes no level.

mod link;
mod pacer;
mod quality;

pub use pacer::{Pacer, SendDecision};
pub use quality::QualityLevel;
