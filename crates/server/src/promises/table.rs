//! The promises, one row each.

/// Something promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Its name: P1, P2, …
    pub id: &'static str,
    /// In a word or two.
    pub title: &'static str,
    /// In plain words.
    pub text: &'static str,
    /// Holders of the promise; none if this release does not keep it yet.
    pub held_by: &'static [Holder],
}

/// Holder of a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A test of the suite.
    Test {
        /// Its file.
        path: &'static str,
        /// Its function.
        name: &'static str,
    },
    /// A torture, which `cargo xtask torture --id …` runs and the gates run at a smaller size.
    Figure {
        /// Its number.
        id: &'static str,
        /// Its file.
        path: &'static str,
    },
    /// Scenarios, run on the engine and on a server over a channel.
    Scenarios {
        /// Their file.
        path: &'static str,
    },
}

const fn test(path: &'static str, name: &'static str) -> Holder {
    Holder::Test { path, name }
}

const fn figure(id: &'static str, path: &'static str) -> Holder {
    Holder::Figure { id, path }
}

const fn scenarios(path: &'static str) -> Holder {
    Holder::Scenarios { path }
}

/// All of them.
pub const PROMISES: &[Promise] = &[
    Promise {
        id: "P1",
        title: "Durable",
        text: "An operation on a persistent message is durable once it has succeeded: a put or a get outside a unit of \
               work, or a commit. Its effect survives the end of the process, of the operating system and of the power, \
               on a disk that writes what it says it wrote. No setting makes the queue manager answer earlier. A message \
               for which a program outside a unit of work already waits may go straight to that program. The put then \
               succeeds when the connection of the program has the whole message; if the connection ends before, the \
               message is logged. A program that gets outside units of work and ends before it looks at its message has \
               taken the message. Use a unit of work where that matters.",
        held_by: &[
            test(
                "crates/cli/tests/it/kill_nine/mod.rs",
                "nothing_acknowledged_is_lost_doubled_or_out_of_order_however_often_the_server_is_killed",
            ),
            test(
                "crates/cli/tests/it/kill_nine/mod.rs",
                "what_goes_from_hand_to_hand_is_not_lost_however_often_server_and_getters_are_killed",
            ),
            test("crates/cli/tests/it/power_cut.rs", "nothing_acknowledged_is_lost_when_the_power_goes"),
            test("crates/agents/tests/it/gate.rs", "the_reply_to_a_persistent_put_waits_for_the_log"),
            test(
                "crates/agents/tests/it/handing.rs",
                "a_getter_whose_connection_breaks_before_its_bytes_are_written_has_got_nothing",
            ),
            test("crates/storage/tests/it/crash.rs", "any_power_cut_leaves_a_state_that_was"),
            test("crates/storage/tests/it/faults.rs", "after_a_failed_write_nothing_becomes_durable"),
            figure("R1", "crates/sim/src/figures/r1.rs"),
            scenarios("scenarios/restart.md"),
            scenarios("scenarios/hand-off.md"),
        ],
    },
    Promise {
        id: "P2",
        title: "Once",
        text: "No confirmed put is lost. No confirmed get comes back. No message is delivered twice, and none that \
               nobody put. A unit of work takes effect as a whole or not at all.",
        held_by: &[
            test(
                "crates/queue-manager/tests/it/threads.rs",
                "every_committed_message_is_got_once_among_commits_backouts_and_breaks",
            ),
            test("crates/queue-manager/tests/it/restarting.rs", "units_of_work_stand_or_fall_as_a_whole"),
            test("crates/queue-manager/tests/it/model/mod.rs", "the_engine_does_what_the_model_does"),
            test(
                "crates/client/tests/it/reconnect.rs",
                "read_ahead_goes_on_over_a_new_connection_and_nothing_comes_twice_or_never",
            ),
            figure("R1", "crates/sim/src/figures/r1.rs"),
            figure("R2", "crates/sim/src/figures/r2.rs"),
            scenarios("scenarios/units-of-work.md"),
        ],
    },
    Promise {
        id: "P3",
        title: "Order",
        text: "Messages that one program puts on one queue with one priority are got in the order of the puts. That \
               holds after backouts and after a restart, too. Where several programs get from one queue, each handle is \
               given the messages of one putter and priority in that order, with and without read-ahead. This order \
               is not promised where meanwhile a unit of work was backed out, or one of the programs closed its \
               handle, ended, or changed its selection: the options or identifiers of its gets, or its consumer.",
        held_by: &[
            test(
                "crates/cli/tests/it/kill_nine/mod.rs",
                "nothing_acknowledged_is_lost_doubled_or_out_of_order_however_often_the_server_is_killed",
            ),
            test(
                "crates/queue-manager/tests/it/units.rs",
                "a_backout_undoes_puts_and_returns_gets_to_their_places",
            ),
            test(
                "crates/client/tests/it/read_ahead.rs",
                "each_of_several_readers_that_do_not_wait_gets_in_order_what_is_on_the_disk",
            ),
            test(
                "crates/client/tests/it/readers.rs",
                "each_of_several_readers_gets_in_order_whatever_messages_make_of_how_it_gets",
            ),
            test(
                "crates/client/tests/it/readers.rs",
                "each_of_several_readers_gets_in_order_what_is_on_the_disk_whatever_its_kind",
            ),
            test(
                "crates/agents/tests/it/handing.rs",
                "a_put_that_is_sent_before_the_one_on_its_way_arrived_does_not_overtake_it",
            ),
            test(
                "crates/queue-manager/tests/it/memory.rs",
                "a_deep_queue_leaves_memory_and_comes_back_in_order",
            ),
            figure("R1", "crates/sim/src/figures/r1.rs"),
            figure("AHEAD", "crates/sim/src/figures/ahead.rs"),
            scenarios("scenarios/put-and-get.md"),
        ],
    },
    Promise {
        id: "P4",
        title: "Across channels",
        text: "Between queue managers a persistent message arrives once and in order. After a break, a channel settles \
               what was in doubt without a person, whenever both ends live.",
        held_by: &[
            test(
                "crates/channel/src/message/models/mod.rs",
                "no_order_of_steps_loses_doubles_inverts_or_sticks",
            ),
            test(
                "crates/sim/src/network/channels/tests.rs",
                "nothing_is_lost_doubled_or_inverted_when_links_and_power_fail",
            ),
            test(
                "crates/cli/tests/it/channels.rs",
                "nothing_is_lost_doubled_or_out_of_order_when_either_end_of_a_channel_is_killed",
            ),
            figure("R10", "crates/sim/src/figures/r10.rs"),
            figure("R11", "crates/rigs/src/channels/mod.rs"),
        ],
    },
    Promise {
        id: "P5",
        title: "Express",
        text: "A non-persistent message is never delivered twice. It may be lost only when the queue manager ends, or \
               when the program that it was sent ahead to ends. On a queue with NPMCLASS(HIGH) it survives an end in \
               order, quiesced or immediate. It survives neither a failure nor a preemptive end.",
        held_by: &[
            test(
                "crates/queue-manager/tests/it/keeping.rs",
                "messages_of_a_high_class_outlive_an_orderly_end_and_no_failure",
            ),
            test(
                "crates/queue-manager/tests/it/keeping.rs",
                "a_crash_half_way_through_end_or_start_leaves_all_or_nothing_and_doubles_nothing",
            ),
            test(
                "crates/queue-manager/tests/it/restarting.rs",
                "persistent_messages_survive_and_others_do_not",
            ),
            test(
                "crates/testing/src/history/checker/tests.rs",
                "a_non_persistent_message_may_go_with_a_restart_only",
            ),
            test("crates/queue-manager/tests/it/model/mod.rs", "the_engine_does_what_the_model_does"),
            figure("R1", "crates/sim/src/figures/r1.rs"),
            scenarios("scenarios/non-persistent-class.md"),
        ],
    },
    Promise {
        id: "P6",
        title: "Damage",
        text: "Whatever happens to the files, no wrong byte is delivered and no message is missing without a word. The \
               queue manager recovers everything, or it answers that the message is damaged (2101), or it refuses to \
               start and names the file and the offset.",
        held_by: &[
            test("crates/storage/tests/it/rot.rs", "rot_is_found_and_named_never_silent"),
            test("crates/storage/tests/it/rot.rs", "a_torn_tail_is_dropped_and_damage_before_it_is_refused"),
            test("crates/storage/tests/it/rot.rs", "a_log_that_cannot_be_read_is_not_taken_for_an_empty_one"),
            test(
                "crates/storage/tests/it/flips.rs",
                "a_bit_that_flips_in_a_body_of_the_log_costs_that_message_alone",
            ),
            figure("R6", "crates/sim/src/figures/r6/mod.rs"),
            figure("BITS", "crates/sim/src/figures/bits.rs"),
            figure("IMAGES", "crates/sim/src/figures/images.rs"),
        ],
    },
    Promise {
        id: "P7",
        title: "Unknown is said",
        text: "A call whose outcome is not known is answered with a reason that says so: 2009, or 2549 for a put or \
               commit whose connection was made again. The call then either took effect as a whole or not at all. A \
               client that connects again asks for the outcome of its commit itself. Before each call it checks whether \
               the connection ended while it was idle. If so, it makes the call over a new connection, and the outcome \
               is known.",
        held_by: &[
            test("crates/client/tests/it/reconnect.rs", "a_put_whose_outcome_is_not_known_is_answered_so"),
            test("crates/client/tests/it/reconnect.rs", "a_commit_whose_answer_was_lost_is_resolved"),
            test(
                "crates/client/tests/it/idle.rs",
                "an_idle_program_puts_gets_and_commits_after_a_restart_over_every_kind_of_socket",
            ),
            test(
                "crates/client/tests/it/reconnect.rs",
                "puts_without_a_reply_that_may_be_lost_are_told_by_status",
            ),
            test(
                "crates/queue-manager/tests/it/units.rs",
                "a_repeated_commit_is_answered_as_the_first_also_after_a_restart",
            ),
            figure("R7", "crates/sim/src/figures/r7.rs"),
        ],
    },
    Promise {
        id: "P8",
        title: "Bounded",
        text: "Memory, log, connections and the work for strangers have limits that hold. Messages beyond the memory \
               budget are kept on the disk. A full log or disk refuses puts, and everything else goes on.",
        held_by: &[
            test(
                "crates/queue-manager/tests/it/space.rs",
                "without_room_puts_are_refused_and_everything_else_goes_on",
            ),
            test(
                "crates/queue-manager/tests/it/units.rs",
                "a_unit_that_holds_too_much_of_the_log_is_backed_out",
            ),
            test("crates/agents/tests/it/large.rs", "bodies_on_their_way_in_are_bounded_together"),
            test("crates/agents/tests/it/patience.rs", "a_login_that_is_not_finished_in_time_ends"),
            test(
                "crates/server/tests/it/hostile.rs",
                "many_connections_opened_and_closed_leave_no_descriptors",
            ),
            figure("R8", "crates/sim/src/figures/r8.rs"),
            figure("S3", "crates/rigs/src/security/rude.rs"),
            figure("S4", "crates/rigs/src/security/strangers.rs"),
            figure("S5", "crates/rigs/src/security/sizes.rs"),
            figure("S12", "crates/rigs/src/security/bounds.rs"),
            figure("S13", "crates/rigs/src/security/complexity.rs"),
        ],
    },
    Promise {
        id: "P9",
        title: "Crash only",
        text: "After any crash the queue manager starts without a person's help, in the way it starts after an orderly \
               end. A start that is cut off begins again.",
        held_by: &[
            test("crates/server/tests/it/processes.rs", "what_was_acknowledged_survives_kill_9"),
            test("crates/storage/tests/it/crash.rs", "recovery_may_be_killed_anywhere"),
            test(
                "crates/storage/tests/it/faults.rs",
                "any_call_of_a_restart_may_fail_and_the_next_one_succeeds",
            ),
            figure("R2", "crates/sim/src/figures/r2.rs"),
        ],
    },
    Promise {
        id: "P10",
        title: "Guarded",
        text: "A queue manager that has users, keys or rights does for a program what the records allow its user, and \
               nothing else. A change of the records counts at once. Passwords and keys stay in the folder of secrets. \
               Files are readable by their owner alone; the one exception is `ferry container` whose group is 0, which \
               shares them with that group. The words of a stranger never make a line of the error log or of \
               the record of refusals.",
        held_by: &[
            test(
                "crates/queue-manager/tests/it/rights_cells.rs",
                "every_call_and_option_needs_the_rights_of_the_table_and_no_other",
            ),
            test(
                "crates/queue-manager/tests/it/rights_cells.rs",
                "every_command_needs_the_rights_of_the_table_and_no_other",
            ),
            test(
                "crates/server/tests/it/refreshed.rs",
                "a_group_that_is_taken_away_counts_for_connections_that_are_there",
            ),
            test(
                "crates/server/tests/it/processes.rs",
                "a_process_leaves_no_core_and_all_its_files_are_for_their_owner_alone",
            ),
            test(
                "crates/cli/tests/it/group_zero.rs",
                "any_user_of_group_zero_starts_again_what_another_made",
            ),
            test(
                "crates/server/tests/it/hostile.rs",
                "a_flood_of_one_source_is_told_of_ten_times_a_second_and_the_rest_is_counted",
            ),
            figure("S6", "crates/rigs/src/security/changes.rs"),
            figure("S7", "crates/rigs/src/security/logins.rs"),
            figure("S8", "crates/rigs/src/security/covers.rs"),
            figure("S9", "crates/rigs/src/security/secrets.rs"),
            figure("S10", "crates/rigs/src/security/lines.rs"),
        ],
    },
    Promise {
        id: "P11",
        title: "Both or neither",
        text: "A branch of an outside transaction that is prepared ends as its coordinator decides, and waits for that over \
               any crash and for any time. Until then nobody is given what it put or what it got. A coordinator is not told \
               that it is prepared, committed or gone before that is durable. Only a person ends it otherwise, and the \
               coordinator is told so until it forgets the branch.",
        held_by: &[
            test(
                "crates/queue-manager/tests/it/branches/table.rs",
                "every_state_of_two_threads_and_two_branches_answers_every_call_as_the_table_says",
            ),
            test(
                "crates/queue-manager/tests/it/branches/mod.rs",
                "a_branch_is_not_told_to_be_gone_before_its_end_is_durable",
            ),
            test(
                "crates/queue-manager/tests/it/branches/mod.rs",
                "a_coordinator_is_told_what_a_person_decided_until_it_forgets",
            ),
            test(
                "crates/server/tests/it/branches.rs",
                "a_branch_that_is_prepared_outlives_kill_9_and_another_connection_commits_it",
            ),
            test(
                "crates/capi/tests/it/transactions.rs",
                "a_branch_that_a_program_prepared_is_found_and_committed_by_another_after_a_restart",
            ),
            test("crates/queue-manager/tests/planted.rs", "every_planted_fault_of_branches_is_found"),
            figure("R12", "crates/sim/src/figures/r12.rs"),
        ],
    },
];

/// Assumptions that the queue manager does not promise to meet.
pub const NOT_PROMISED: &[&str] = &[
    "That a disk, or what is between it and the queue manager, has written what it says it has written. A disk \
     that lies loses what it lied about.",
    "That data survive the loss of the disk they are on. There is one copy; keep the folder on storage that has more.",
    "That a file which rotted can be repaired. Damage is found and named; restore the damaged part from a backup.",
    "That a message reaches its program outside a unit of work. A get that is answered has taken the message; when \
     the program ends before it has seen the answer, the message is gone. Use a unit of work where that matters.",
    "Order between different priorities, between putters, or between a message and one whose unit of work was \
     committed later.",
    "That a queue opened by one program alone is a lock for things outside the queue manager.",
    "Anything of a queue manager whose folder another program changes while it runs.",
];
