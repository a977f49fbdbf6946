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
//! | `Q` | queued bytes | frames that were sent and not acknowledged |
//! | `D` | round-trip delay of the empty link | minimum over a minute, less the frame's own transmission time |
//! | `R` | rate in bytes per second | mean of the last eight acknowledged frames |
//!
//! # Control law
//!
//! A frame of `S` bytes goes out when `Q + S <= R (D + 100 ms)`: the bandwidth-delay product keeps the link busy, and 100 ms of
//! queue absorb jitter. At most `fps * D + 1` frames are in flight. A frame that has to wait is dropped and not queued, since
//! the next one is newer.
//!
//! Three things complete this:
//!
//! - A terminal that never replies gets every frame after one second; the blocking write is the only limit. One that stops
//!   replying gets one frame a second as a probe.
//! - [`pacer`] enforces the user's bandwidth limit with a token bucket.
//! - [`quality`] trades color precision for bytes while the frame rate is low.

mod link;
mod pacer;
mod quality;

pub use pacer::{Pacer, SendDecision};
pub use quality::QualityLevel;
