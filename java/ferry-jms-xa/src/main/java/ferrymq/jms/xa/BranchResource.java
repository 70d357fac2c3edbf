package ferrymq.jms.xa;

import jakarta.jms.JMSException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * The branch of one session as its transaction manager sees it, and other branches by their XID.
 *
 * <p>Lives here: the states of the branch, and the answers by the X/Open XA specification. Lives elsewhere: its work
 * ({@link Work}), calls on branches of other sessions or of programs that ended ({@link Calls}).
 *
 * <p>Always: the session has one XID until that is settled; a branch that must be rolled back never stands.
 */
final class BranchResource implements XAResource {
    /** The transaction of the session. */
    interface Work {
        /** Prepares it under this XID; the number of the answer. The link is lost where this throws. */
        int prepare(BranchXid xid) throws XAException;

        void commit() throws JMSException;

        void rollback() throws JMSException;

        /** True where the link to the queue manager is lost. */
        boolean isLost();

        /** The branch is settled: the session is as it was before. */
        void settled();
    }

    /** Calls on branches by their XID. */
    interface Calls {
        /** Makes the call {@code commit}, {@code rollback} or {@code forget}; the number of the answer. */
        int call(String name, BranchXid xid) throws XAException;

        BranchXid[] recover() throws XAException;
    }

    /** The state of the branch. */
    private enum State { NONE, ACTIVE, SUSPENDED, IDLE, PREPARED }

    private final Work work;
    private final Calls calls;
    private State state = State.NONE;
    private BranchXid xid;
    private boolean mustRollBack;
    private boolean isScanning;

    BranchResource(Work work, Calls calls) {
        this.work = work;
        this.calls = calls;
    }

    /** True where what the session sends and receives belongs to the branch. */
    synchronized boolean isActive() {
        return state == State.ACTIVE;
    }

    /** True while a branch of this session is not settled. */
    synchronized boolean isOpen() {
        return state != State.NONE;
    }

    @Override
    public synchronized void start(Xid of, int flags) throws XAException {
        BranchXid asked = BranchXid.of(of);
        if (flags != TMNOFLAGS && flags != TMJOIN && flags != TMRESUME) {
            throw XaErrors.of(XAException.XAER_INVAL, "start takes TMNOFLAGS, TMJOIN or TMRESUME", null);
        }
        refuseLost();
        boolean isOwn = asked.equals(xid);
        if (flags == TMNOFLAGS) {
            if (isOwn) {
                throw XaErrors.of(XAException.XAER_DUPID, "the session has this branch already", null);
            }
            if (state != State.NONE) {
                throw XaErrors.of(XAException.XAER_RMERR, "the session has the branch " + xid
                        + ", which is not settled: use another session, or settle it first", null);
            }
            xid = asked;
        } else {
            refuseForeign(isOwn);
            expect(flags == TMJOIN ? State.IDLE : State.SUSPENDED);
            refuseRolledBack();
        }
        state = State.ACTIVE;
    }

    @Override
    public synchronized void end(Xid of, int flags) throws XAException {
        boolean isOwn = BranchXid.of(of).equals(xid);
        if (flags != TMSUCCESS && flags != TMFAIL && flags != TMSUSPEND) {
            throw XaErrors.of(XAException.XAER_INVAL, "end takes TMSUCCESS, TMFAIL or TMSUSPEND", null);
        }
        refuseForeign(isOwn);
        boolean isSuspended = state == State.SUSPENDED;
        if (state != State.ACTIVE && !(isSuspended && flags != TMSUSPEND)) {
            throw protocol();
        }
        state = flags == TMSUSPEND ? State.SUSPENDED : State.IDLE;
        mustRollBack |= flags == TMFAIL;
        refuseLost();
    }

    @Override
    public synchronized int prepare(Xid of) throws XAException {
        refuseForeign(BranchXid.of(of).equals(xid));
        expect(State.IDLE);
        if (mustRollBack) {
            throw rolledBack(XAException.XA_RBROLLBACK);
        }
        int answer = work.prepare(xid);
        if (answer == XA_OK) {
            state = State.PREPARED;
        } else if (answer == XA_RDONLY) {
            discharge();
        } else {
            // Only a rollback may be answered: whatever refuses the branch keeps it from standing.
            throw rolledBack(XaErrors.isRollback(answer) ? answer : XAException.XA_RBOTHER);
        }
        return answer;
    }

    @Override
    public synchronized void commit(Xid of, boolean onePhase) throws XAException {
        BranchXid asked = BranchXid.of(of);
        if (!asked.equals(xid)) {
            if (onePhase) {
                throw XaErrors.of(XAException.XAER_NOTA, "this session has no such branch", null);
            }
            check(calls.call("commit", asked), "commit");
            return;
        }
        expect(onePhase ? State.IDLE : State.PREPARED);
        if (mustRollBack) {
            throw rolledBack(XAException.XA_RBROLLBACK);
        }
        try {
            work.commit();
        } catch (JMSException failure) {
            boolean isLost = work.isLost();
            settle();
            if (isLost) {
                throw XaErrors.of(XAException.XAER_RMFAIL, "the link was lost while the branch was committed: recover"
                        + " by another connection", failure);
            }
            if (onePhase) {
                int number = XaErrors.numberIn(failure, XAException.XA_RBOTHER);
                throw XaErrors.of(number, "the branch was rolled back: " + failure.getMessage(), failure);
            }
            check(calls.call("commit", asked), "commit");
            return;
        }
        settle();
    }

    @Override
    public synchronized void rollback(Xid of) throws XAException {
        BranchXid asked = BranchXid.of(of);
        if (!asked.equals(xid)) {
            check(calls.call("rollback", asked), "rollback");
            return;
        }
        if (state == State.ACTIVE) {
            throw protocol();
        }
        boolean wasPrepared = state == State.PREPARED;
        try {
            work.rollback();
        } catch (JMSException failure) {
            boolean isLost = work.isLost();
            settle();
            if (!isLost) {
                // The session may be past its transaction; by its XID the branch is told for certain.
                int answer = calls.call("rollback", asked);
                if (wasPrepared || answer != XAException.XAER_NOTA) {
                    check(answer, "rollback");
                }
                return;
            }
            throw wasPrepared
                    ? XaErrors.of(XAException.XAER_RMFAIL, "the link was lost while the branch was rolled back: recover"
                            + " by another connection", failure)
                    : XaErrors.of(XAException.XA_RBCOMMFAIL, "the link was lost, and the branch rolled back", failure);
        }
        settle();
    }

    @Override
    public synchronized void forget(Xid of) throws XAException {
        BranchXid asked = BranchXid.of(of);
        if (asked.equals(xid)) {
            expect(State.PREPARED);
            settle();
        }
        check(calls.call("forget", asked), "forget");
    }

    @Override
    public synchronized Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaErrors.of(XAException.XAER_INVAL, "recover takes TMSTARTRSCAN and TMENDRSCAN", null);
        }
        boolean starts = (flags & TMSTARTRSCAN) != 0;
        if (!starts && !isScanning && flags == TMNOFLAGS) {
            throw XaErrors.of(XAException.XAER_INVAL, "no scan is open: recover begins with TMSTARTRSCAN", null);
        }
        Xid[] found = starts ? calls.recover() : new Xid[0];
        isScanning = (flags & TMENDRSCAN) == 0;
        return found;
    }

    @Override
    public boolean isSameRM(XAResource other) {
        // Each session has a transaction of its own, which no other can join.
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    /** Ends what is left of a branch that cannot stand; the error that says so. */
    private XAException rolledBack(int code) throws XAException {
        discharge();
        return XaErrors.of(code, "the branch was rolled back", null);
    }

    /** Rolls the transaction of the session back, and is without it. */
    private void discharge() throws XAException {
        try {
            work.rollback();
        } catch (JMSException failure) {
            // It ends with its link, or with the transaction that the queue manager has ended before.
            if (!work.isLost()) {
                calls.call("rollback", xid);
            }
        } finally {
            settle();
        }
    }

    private void settle() {
        state = State.NONE;
        xid = null;
        mustRollBack = false;
        work.settled();
    }

    private void expect(State expected) throws XAException {
        if (state != expected) {
            throw protocol();
        }
    }

    private void refuseForeign(boolean isOwn) throws XAException {
        if (!isOwn) {
            throw XaErrors.of(XAException.XAER_NOTA, "this session has no such branch", null);
        }
    }

    private void refuseRolledBack() throws XAException {
        if (mustRollBack) {
            throw XaErrors.of(XAException.XA_RBROLLBACK, "the branch must be rolled back", null);
        }
    }

    private void refuseLost() throws XAException {
        if (work.isLost()) {
            throw XaErrors.of(XAException.XAER_RMFAIL, "the link to the queue manager is lost: open another"
                    + " connection", null);
        }
    }

    private XAException protocol() {
        return XaErrors.of(XAException.XAER_PROTO, "the call does not fit the state " + state + " of the branch", null);
    }

    private static void check(int answer, String call) throws XAException {
        if (answer != XA_OK) {
            throw XaErrors.of(answer, "the queue manager refused to " + call + " the branch", null);
        }
    }
}
