package ferrymq.jms.xa;

import static javax.transaction.xa.XAResource.TMENDRSCAN;
import static javax.transaction.xa.XAResource.TMFAIL;
import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMONEPHASE;
import static javax.transaction.xa.XAResource.TMRESUME;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static javax.transaction.xa.XAResource.TMSUSPEND;
import static javax.transaction.xa.XAResource.XA_OK;
import static javax.transaction.xa.XAResource.XA_RDONLY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The states of a branch, with a session and a queue manager that say what the test wants. */
class BranchResourceTest {
    /** A session and a queue manager; what they were asked for is written down. */
    private static final class Double implements BranchResource.Work, BranchResource.Calls {
        final List<String> asked = new ArrayList<>();
        final Map<String, Integer> answers = new HashMap<>();
        int prepares = XA_OK;
        boolean commitFails;
        boolean rollbackFails;
        boolean isLost;

        @Override
        public int prepare(BranchXid xid) throws XAException {
            asked.add("prepare");
            if (isLost) {
                throw XaErrors.of(XAException.XAER_RMFAIL, "lost", null);
            }
            return prepares;
        }

        @Override
        public void commit() throws JMSException {
            asked.add("commit");
            if (commitFails) {
                throw new JMSException("refused (XA 104)");
            }
        }

        @Override
        public void rollback() throws JMSException {
            asked.add("rollback");
            if (rollbackFails) {
                throw new JMSException("refused");
            }
        }

        @Override
        public boolean isLost() {
            return isLost;
        }

        @Override
        public void settled() {
            asked.add("settled");
        }

        @Override
        public int call(String name, BranchXid xid) {
            asked.add("$xa " + name + " " + xid.qualifier().get(0));
            return answers.getOrDefault(name, XAException.XAER_NOTA);
        }

        @Override
        public BranchXid[] recover() {
            asked.add("$xa recover");
            return new BranchXid[] {xid(9)};
        }
    }

    private final Double queueManager = new Double();
    private final BranchResource resource = new BranchResource(queueManager, queueManager);

    private static BranchXid xid(int number) {
        return new BranchXid(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {(byte) number}));
    }

    private static void refuses(int code, Executable call) {
        assertEquals(code, assertThrows(XAException.class, call).errorCode);
    }

    private void idle(int number) throws XAException {
        resource.start(xid(number), TMNOFLAGS);
        assertTrue(resource.isActive());
        resource.end(xid(number), TMSUCCESS);
        assertFalse(resource.isActive());
    }

    private void asked(String... expected) {
        assertEquals(List.of(expected), queueManager.asked);
        queueManager.asked.clear();
    }

    @Test
    void aBranchIsPreparedAndCommittedByItsSessionAndTheSessionTakesTheNext() throws XAException {
        for (int number = 1; number <= 2; number++) {
            idle(number);
            assertEquals(XA_OK, resource.prepare(xid(number)));
            assertTrue(resource.isOpen());
            resource.commit(xid(number), false);
            asked("prepare", "commit", "settled");
            assertFalse(resource.isOpen());
        }
    }

    @Test
    void aBranchIsCommittedInOnePhaseOrRolledBackIdleOrPrepared() throws XAException {
        idle(1);
        resource.commit(xid(1), true);
        asked("commit", "settled");
        idle(2);
        resource.rollback(xid(2));
        asked("rollback", "settled");
        idle(3);
        resource.prepare(xid(3));
        resource.rollback(xid(3));
        asked("prepare", "rollback", "settled");
    }

    @Test
    void aSessionHasOneXidUntilThatIsSettled() throws XAException {
        resource.start(xid(1), TMNOFLAGS);
        refuses(XAException.XAER_DUPID, () -> resource.start(xid(1), TMNOFLAGS));
        refuses(XAException.XAER_RMERR, () -> resource.start(xid(2), TMNOFLAGS));
        resource.end(xid(1), TMSUCCESS);
        refuses(XAException.XAER_RMERR, () -> resource.start(xid(2), TMNOFLAGS));
        resource.prepare(xid(1));
        refuses(XAException.XAER_RMERR, () -> resource.start(xid(2), TMNOFLAGS));
        resource.commit(xid(1), false);
        resource.start(xid(2), TMNOFLAGS);
    }

    @Test
    void aBranchIsSuspendedResumedAndJoinedByItsOwnSessionAlone() throws XAException {
        resource.start(xid(1), TMNOFLAGS);
        resource.end(xid(1), TMSUSPEND);
        assertFalse(resource.isActive());
        refuses(XAException.XAER_PROTO, () -> resource.prepare(xid(1)));
        refuses(XAException.XAER_PROTO, () -> resource.start(xid(1), TMJOIN));
        resource.start(xid(1), TMRESUME);
        refuses(XAException.XAER_PROTO, () -> resource.start(xid(1), TMRESUME));
        resource.end(xid(1), TMSUCCESS);
        resource.start(xid(1), TMJOIN);
        refuses(XAException.XAER_NOTA, () -> resource.start(xid(2), TMJOIN));
        resource.end(xid(1), TMSUSPEND);
        resource.end(xid(1), TMSUCCESS);
        assertEquals(XA_OK, resource.prepare(xid(1)));
    }

    @Test
    void callsThatDoNotFitTheStateAreRefusedAndChangeNothing() throws XAException {
        refuses(XAException.XAER_NOTA, () -> resource.end(xid(1), TMSUCCESS));
        refuses(XAException.XAER_NOTA, () -> resource.prepare(xid(1)));
        refuses(XAException.XAER_NOTA, () -> resource.commit(xid(1), true));
        resource.start(xid(1), TMNOFLAGS);
        refuses(XAException.XAER_PROTO, () -> resource.prepare(xid(1)));
        refuses(XAException.XAER_PROTO, () -> resource.commit(xid(1), true));
        refuses(XAException.XAER_PROTO, () -> resource.rollback(xid(1)));
        refuses(XAException.XAER_INVAL, () -> resource.start(xid(1), TMONEPHASE));
        refuses(XAException.XAER_INVAL, () -> resource.end(xid(1), TMNOFLAGS));
        resource.end(xid(1), TMSUCCESS);
        refuses(XAException.XAER_PROTO, () -> resource.commit(xid(1), false));
        resource.prepare(xid(1));
        refuses(XAException.XAER_PROTO, () -> resource.commit(xid(1), true));
        refuses(XAException.XAER_PROTO, () -> resource.end(xid(1), TMSUCCESS));
        asked("prepare");
    }

    @Test
    void aBranchThatFailedIsRolledBackWhateverIsAsked() throws XAException {
        for (boolean onePhase : new boolean[] {true, false}) {
            resource.start(xid(1), TMNOFLAGS);
            resource.end(xid(1), TMFAIL);
            refuses(XAException.XA_RBROLLBACK, () -> resource.start(xid(1), TMJOIN));
            if (onePhase) {
                refuses(XAException.XA_RBROLLBACK, () -> resource.commit(xid(1), true));
            } else {
                refuses(XAException.XA_RBROLLBACK, () -> resource.prepare(xid(1)));
            }
            asked("rollback", "settled");
        }
    }

    @Test
    void whatThePreparationAnswersIsToldAndARefusalIsARollback() throws XAException {
        queueManager.prepares = XA_RDONLY;
        idle(1);
        assertEquals(XA_RDONLY, resource.prepare(xid(1)));
        asked("prepare", "rollback", "settled");
        Map<Integer, Integer> told = Map.of(XAException.XA_RBTRANSIENT, XAException.XA_RBTRANSIENT,
                XAException.XA_RBOTHER, XAException.XA_RBOTHER, XAException.XAER_DUPID, XAException.XA_RBOTHER);
        for (var each : told.entrySet()) {
            queueManager.prepares = each.getKey();
            idle(1);
            refuses(each.getValue(), () -> resource.prepare(xid(1)));
            asked("prepare", "rollback", "settled");
        }
    }

    @Test
    void aCommitThatIsRefusedIsAskedForByItsXid() throws XAException {
        for (int code : new int[] {XAException.XA_HEURRB, XAException.XAER_NOTA}) {
            idle(1);
            resource.prepare(xid(1));
            queueManager.commitFails = true;
            queueManager.answers.put("commit", code);
            refuses(code, () -> resource.commit(xid(1), false));
            asked("prepare", "commit", "settled", "$xa commit 1");
        }
        idle(2);
        refuses(XAException.XA_RBOTHER, () -> resource.commit(xid(2), true));
        asked("commit", "settled");
    }

    @Test
    void aLostLinkIsRmfailAndWhatWasNotPreparedIsRolledBack() throws XAException {
        idle(1);
        resource.prepare(xid(1));
        queueManager.commitFails = true;
        queueManager.rollbackFails = true;
        queueManager.isLost = true;
        refuses(XAException.XAER_RMFAIL, () -> resource.commit(xid(1), false));
        refuses(XAException.XAER_RMFAIL, () -> resource.start(xid(2), TMNOFLAGS));
        asked("prepare", "commit", "settled");
        queueManager.isLost = false;
        idle(2);
        queueManager.isLost = true;
        refuses(XAException.XAER_RMFAIL, () -> resource.prepare(xid(2)));
        refuses(XAException.XA_RBCOMMFAIL, () -> resource.rollback(xid(2)));
        asked("prepare", "rollback", "settled");
    }

    @Test
    void aRollbackThatTheSessionCannotMakeIsMadeByTheXid() throws XAException {
        queueManager.rollbackFails = true;
        idle(1);
        resource.rollback(xid(1));
        asked("rollback", "settled", "$xa rollback 1");
        idle(2);
        resource.prepare(xid(2));
        refuses(XAException.XAER_NOTA, () -> resource.rollback(xid(2)));
        asked("prepare", "rollback", "settled", "$xa rollback 2");
    }

    @Test
    void branchesOfOthersAreDecidedByTheirXid() throws XAException {
        refuses(XAException.XAER_NOTA, () -> resource.commit(xid(9), false));
        queueManager.answers.putAll(Map.of("commit", XA_OK, "rollback", XA_OK, "forget", XA_OK));
        resource.commit(xid(9), false);
        resource.rollback(xid(9));
        resource.forget(xid(9));
        queueManager.answers.put("commit", XAException.XA_HEURCOM);
        refuses(XAException.XA_HEURCOM, () -> resource.commit(xid(9), false));
        asked("$xa commit 9", "$xa commit 9", "$xa rollback 9", "$xa forget 9", "$xa commit 9");
    }

    @Test
    void aScanListsAllAtItsStartAndIsOverAtItsEnd() throws XAException {
        refuses(XAException.XAER_INVAL, () -> resource.recover(TMNOFLAGS));
        refuses(XAException.XAER_INVAL, () -> resource.recover(TMFAIL));
        assertArrayEquals(new Xid[] {xid(9)}, resource.recover(TMSTARTRSCAN));
        assertEquals(0, resource.recover(TMNOFLAGS).length);
        assertEquals(0, resource.recover(TMENDRSCAN).length);
        refuses(XAException.XAER_INVAL, () -> resource.recover(TMNOFLAGS));
        assertArrayEquals(new Xid[] {xid(9)}, resource.recover(TMSTARTRSCAN | TMENDRSCAN));
    }

    @Test
    void aSessionIsTheSameResourceManagerAsItselfAlone() {
        assertTrue(resource.isSameRM(resource));
        assertFalse(resource.isSameRM(new BranchResource(queueManager, queueManager)));
        assertEquals(0, resource.getTransactionTimeout());
        assertFalse(resource.setTransactionTimeout(10));
    }
}
