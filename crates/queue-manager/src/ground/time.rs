//! The time of day as displays and definitions have it.

use objects::Moment;
use platform::WallTime;

pub(crate) fn moment(time: WallTime) -> Moment {
    Moment(time.0.div_euclid(1_000_000))
}
