//! Steps that the model does not know, with the power cut at each of them: the engine alone.
//!
//! The state after a power cut must start and give out every message of every queue. No model names the
//! messages; the engine's own assertions, and those of the disk and the log below it, are the judges.

use platform::simulated::{CrashPolicy, Random};

use super::{AUDIT_GETS_MAX, Crashes};
use crate::run::Actors;
use crate::{Call, EngineWorld, Reply, Step, StepKind};

impl EngineWorld {
    /// Does the rest of a scenario, whatever comes of it, with power cuts within and after each step.
    pub(super) fn do_alone(&mut self, steps: &[Step], random: &mut Random, crashes: &mut Crashes) {
        for step in steps {
            self.watch_disk();
            match &step.kind {
                StepKind::Command { text, .. } => drop(self.command(text)),
                StepKind::Call { client, call } => self.call(client, call),
                StepKind::Expect { client, expected } => drop(self.outcome(client, !expected.waiting)),
                StepKind::Pass(time) => self.pass(*time),
                StepKind::Quiesce => self.quiesce(),
                StepKind::Restart => self.restart(true),
                StepKind::Crash => self.restart(false),
            }
            for within in [true, false] {
                let images = self.disk_images(within);
                if images.is_empty() {
                    continue;
                }
                let image = random.pick(&images);
                let policy = CrashPolicy::random(random);
                let mut after = self.after_power_cut(image.crash(random, policy), random.next_u64());
                after.give_out_all();
                crashes.pairs += 1;
            }
        }
        self.give_out_all();
    }

    /// Gets what is on all local queues.
    fn give_out_all(&mut self) {
        let (answer, _) = self.command("DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0) SYNCREQ");
        let named = answer.split("QUEUE(").skip(1).filter_map(|behind| behind.split_once(')'));
        for (name, behind) in named {
            let how = if behind.contains("SYNCREQ(YES)") { " syncpoint" } else { "" };
            let get = Call::parse(&format!("get {name}{how}"));
            let get = get.unwrap_or_else(|error| panic!("{name}: {error}"));
            for _ in 0..AUDIT_GETS_MAX {
                self.call("the audit", &get);
                if !matches!(self.outcome("the audit", false), Some(Reply::Message { .. })) {
                    break;
                }
            }
        }
    }
}
