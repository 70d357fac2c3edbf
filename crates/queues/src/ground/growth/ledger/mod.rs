//! The counts of what users made, and the refusal of more.
//!
//! Always: a count changes with the thing that it counts, under the lock that the change of that thing holds,
//! and a restart counts anew what it finds; taking and giving back cost the same however much there is. The
//! lock here is a leaf: nothing is locked under it.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use platform::sync::Mutex;

use super::kinds::{Growth, GrowthBounds, GrowthNear, GrowthRefusal, KINDS, Owner};
use crate::ground::events;
use crate::ground::host::Host;

/// A count is near its bound from this part of it on, in percent.
const NEAR_PERCENT: u64 = 90;

/// A queue manager that is opened with more than a bound allows may have this many times that.
const RAISED: u64 = 2;

/// Most users of each kind that are told of as near their bound: more would not be read.
const NEAR_MAX: usize = 10;

/// The counts of one queue manager.
pub struct Ledger {
    bounds: GrowthBounds,
    host: Arc<dyn Host>,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    all: [Account; KINDS],
    /// By user: those that have something. The users there are bound it.
    users: [HashMap<Box<str>, Account, FixedState>; KINDS],
}

/// The things of one owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Account {
    count: u64,
    /// The bound in place of the setting, where there was more at the start of this run.
    raised: Option<u64>,
}

impl Account {
    fn bound(&self, setting: u64) -> u64 {
        self.raised.map_or(setting, |raised| raised.max(setting))
    }

    fn is_near(&self, setting: u64) -> bool {
        let bound = self.bound(setting);
        self.count > 0 && self.count.saturating_mul(100) >= bound.saturating_mul(NEAR_PERCENT)
    }

    /// True where the last thing that was counted has brought it near its bound.
    fn has_come_near(&self, setting: u64) -> bool {
        let before = Self { count: self.count.saturating_sub(1), ..*self };
        self.is_near(setting) && !before.is_near(setting)
    }
}

impl Ledger {
    /// An empty ledger with its bounds; the host hears of them.
    pub fn new(bounds: GrowthBounds, host: Arc<dyn Host>) -> Self {
        Self { bounds, host, counts: Mutex::default() }
    }

    /// Counts a thing that is there already, whatever the bounds say.
    pub fn note(&self, growth: Growth, maker: &str) {
        self.counts.lock().add(growth, maker);
    }

    /// Raises the bounds of those that have more at the start than they may.
    pub fn begin(&self) {
        let mut counts = self.counts.lock();
        for growth in Growth::ALL {
            let bound = self.bounds.of(growth);
            let raise = |account: &mut Account, most: u64| {
                if account.count > most {
                    account.raised = Some(account.count * RAISED);
                }
            };
            raise(&mut counts.all[growth.index()], bound.all_max);
            let Some(user_max) = bound.user_max else { continue };
            counts.users[growth.index()].values_mut().for_each(|account| raise(account, user_max));
        }
    }

    /// Raises the bound of a user that had more at the start than it may.
    pub fn raise_user(&self, growth: Growth, maker: &str, count: u64) {
        let Some(most) = self.bounds.of(growth).user_max.filter(|most| count > *most) else { return };
        let mut counts = self.counts.lock();
        if let Some(account) = counts.users[growth.index()].get_mut(maker) {
            account.raised = Some(account.bound(most).max(count * RAISED));
        }
    }

    /// Takes over the number of things of all users that are counted where they are kept.
    pub fn measure(&self, growth: Growth, count: u64) {
        let bound = self.bounds.of(growth);
        let reached = {
            let mut counts = self.counts.lock();
            let all = &mut counts.all[growth.index()];
            let before = *all;
            all.count = count;
            (all.is_near(bound.all_max) && !before.is_near(bound.all_max)).then_some(*all)
        };
        if let Some(all) = reached {
            let near = near(growth, Owner::All, all, bound.all_max, growth.setting());
            self.host.event(&events::GROWTH_NEAR.with(near.inserts()));
        }
    }

    /// True for a number of things that is far from the bound for all; asked without a lock.
    pub fn is_far(&self, growth: Growth, count: u64) -> bool {
        count.saturating_mul(100) < self.bounds.of(growth).all_max.saturating_mul(NEAR_PERCENT)
    }

    /// True where a user, blank for an administrator, may have one more as far as its own bound goes.
    pub fn has_room_of_user(&self, growth: Growth, maker: &str) -> bool {
        let most = self.bounds.of(growth).user_max.filter(|_| !maker.is_empty());
        most.is_none_or(|most| {
            let counts = self.counts.lock();
            let account = counts.users[growth.index()].get(maker).copied().unwrap_or_default();
            account.count < account.bound(most)
        })
    }

    /// Counts a thing of a user, where those of all are counted where they are kept.
    pub fn note_of_user(&self, growth: Growth, maker: &str) {
        let reached = {
            let mut counts = self.counts.lock();
            counts.users[growth.index()].entry_ref(maker).or_default().count += 1;
            counts.reached_of_user(&self.bounds, growth, maker)
        };
        if let Some(near) = reached {
            self.host.event(&events::GROWTH_NEAR.with(near.inserts()));
        }
    }

    /// Such a thing of a user is gone.
    pub fn give_back_of_user(&self, growth: Growth, maker: &str) {
        self.counts.lock().subtract_of_user(growth, maker);
    }

    /// True where all users together may have one more.
    pub fn has_room(&self, growth: Growth) -> bool {
        self.counts.lock().refusal(&self.bounds, growth, "").is_none()
    }

    /// Refuses one more thing of a user if there are as many as there may be.
    ///
    /// # Errors
    /// The bound that is reached.
    pub fn check(&self, growth: Growth, maker: &str) -> Result<(), GrowthRefusal> {
        let refusal = self.counts.lock().refusal(&self.bounds, growth, maker);
        refusal.map_or(Ok(()), |refusal| Err(self.tell(refusal)))
    }

    /// Counts one more thing of a user, blank for an administrator.
    ///
    /// # Errors
    /// The bound that is reached; nothing is counted then.
    pub fn take(&self, growth: Growth, maker: &str) -> Result<(), GrowthRefusal> {
        let taken = {
            let mut counts = self.counts.lock();
            match counts.refusal(&self.bounds, growth, maker) {
                Some(refusal) => Err(refusal),
                None => {
                    counts.add(growth, maker);
                    Ok(counts.reached(&self.bounds, growth, maker))
                }
            }
        };
        match taken {
            Ok(reached) => {
                for near in reached.into_iter().flatten() {
                    self.host.event(&events::GROWTH_NEAR.with(near.inserts()));
                }
                Ok(())
            }
            Err(refusal) => Err(self.tell(refusal)),
        }
    }

    fn tell(&self, refusal: GrowthRefusal) -> GrowthRefusal {
        self.host.event(&events::GROWTH_REFUSED.with([refusal.to_string()]));
        refusal
    }

    /// A thing of a user is gone.
    pub fn give_back(&self, growth: Growth, maker: &str) {
        self.counts.lock().subtract(growth, maker);
    }

    /// The counts near their bounds: those for all first, then those of the users with most.
    pub fn near(&self) -> Vec<GrowthNear> {
        let counts = self.counts.lock();
        let mut found = Vec::new();
        for growth in Growth::ALL {
            let bound = self.bounds.of(growth);
            let all = counts.all[growth.index()];
            if all.is_near(bound.all_max) {
                found.push(near(growth, Owner::All, all, bound.all_max, growth.setting()));
            }
            let (Some(most), Some(setting)) = (bound.user_max, growth.user_setting()) else { continue };
            let users = counts.users[growth.index()].iter().filter(|(_, account)| account.is_near(most));
            let mut users: Vec<_> = users.collect();
            users.sort_unstable_by_key(|(name, account)| (std::cmp::Reverse(account.count), (*name).clone()));
            let told = users.into_iter().take(NEAR_MAX);
            found.extend(
                told.map(|(name, account)| near(growth, Owner::User(name.clone()), *account, most, setting)),
            );
        }
        found
    }

    /// The count of a kind: of a user, or of all.
    pub fn count(&self, growth: Growth, maker: Option<&str>) -> u64 {
        let counts = self.counts.lock();
        match maker {
            None => counts.all[growth.index()].count,
            Some(maker) => counts.users[growth.index()].get(maker).map_or(0, |account| account.count),
        }
    }
}

impl Counts {
    fn add(&mut self, growth: Growth, maker: &str) {
        self.all[growth.index()].count += 1;
        if !maker.is_empty() {
            self.users[growth.index()].entry_ref(maker).or_default().count += 1;
        }
    }

    fn subtract(&mut self, growth: Growth, maker: &str) {
        let all = &mut self.all[growth.index()];
        all.count = all.count.checked_sub(1).expect("what is given back was counted");
        if !maker.is_empty() {
            self.subtract_of_user(growth, maker);
        }
    }

    fn subtract_of_user(&mut self, growth: Growth, maker: &str) {
        let users = &mut self.users[growth.index()];
        let account = users.get_mut(maker).expect("what is given back was counted for its maker");
        account.count -= 1;
        if account.count == 0 {
            users.remove(maker);
        }
    }

    fn refusal(&self, bounds: &GrowthBounds, growth: Growth, maker: &str) -> Option<GrowthRefusal> {
        let bound = bounds.of(growth);
        let of_user = self.users[growth.index()].get(maker).copied().unwrap_or_default();
        if let (Some(most), Some(setting), false) = (bound.user_max, growth.user_setting(), maker.is_empty())
            && of_user.count >= of_user.bound(most)
        {
            let owner = Owner::User(maker.into());
            return Some(GrowthRefusal { growth, owner, bound: of_user.bound(most), setting });
        }
        let all = self.all[growth.index()];
        let most = all.bound(bound.all_max);
        let refused = GrowthRefusal { growth, owner: Owner::All, bound: most, setting: growth.setting() };
        (all.count >= most).then_some(refused)
    }

    /// The bound of a user that is near since its last thing was counted.
    fn reached_of_user(&self, bounds: &GrowthBounds, growth: Growth, maker: &str) -> Option<GrowthNear> {
        let account = *self.users[growth.index()].get(maker)?;
        let (most, setting) = (bounds.of(growth).user_max?, growth.user_setting()?);
        let owner = Owner::User(maker.into());
        account.has_come_near(most).then(|| near(growth, owner, account, most, setting))
    }

    /// The bounds, of the user and of all, that are near since the last thing was counted.
    fn reached(&self, bounds: &GrowthBounds, growth: Growth, maker: &str) -> [Option<GrowthNear>; 2] {
        let (all, most) = (self.all[growth.index()], bounds.of(growth).all_max);
        let of_all = all.has_come_near(most).then(|| near(growth, Owner::All, all, most, growth.setting()));
        [self.reached_of_user(bounds, growth, maker), of_all]
    }
}

fn near(growth: Growth, owner: Owner, account: Account, most: u64, setting: &'static str) -> GrowthNear {
    GrowthNear { growth, owner, count: account.count, bound: account.bound(most), setting }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A host that keeps the events of a ledger.

    use std::sync::Arc;

    use platform::sync::Mutex;

    use super::{GrowthBounds, Ledger};
    use crate::ground::host::{Event, Host};

    #[derive(Default)]
    pub(crate) struct Listener(pub(crate) Mutex<Vec<Event>>);

    impl Host for Listener {
        fn log_has_work(&self) {}
        fn durable_advanced(&self) {}
        fn job_waits(&self) {}
        fn tick_wanted(&self) {}
        fn event(&self, event: &Event) {
            self.0.lock().push(event.clone());
        }
        fn failed(&self, failure: &storage::Fatal) {
            panic!("{failure}");
        }
    }

    /// A ledger with these bounds, to which nobody listens.
    pub(crate) fn ledger(bounds: GrowthBounds) -> Arc<Ledger> {
        Arc::new(Ledger::new(bounds, Arc::new(Listener::default())))
    }
}

#[cfg(test)]
mod tests;
