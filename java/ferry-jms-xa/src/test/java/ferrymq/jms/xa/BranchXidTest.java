package ferrymq.jms.xa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

class BranchXidTest {
    private record Given(int format, byte[] global, byte[] qualifier) implements Xid {
        @Override
        public int getFormatId() {
            return format;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global;
        }

        @Override
        public byte[] getBranchQualifier() {
            return qualifier;
        }
    }

    @Test
    void anXidIsAValueWhateverItsClass() throws XAException {
        var global = new byte[] {1, 2};
        var given = new Given(3, global, new byte[0]);
        BranchXid one = BranchXid.of(given);
        assertEquals(one, BranchXid.of(new Given(3, new byte[] {1, 2}, new byte[0])));
        assertNotEquals(one, BranchXid.of(new Given(4, global, new byte[0])));
        global[0] = 9;
        assertArrayEquals(new byte[] {1, 2}, one.getGlobalTransactionId());
        one.getGlobalTransactionId()[0] = 9;
        assertArrayEquals(new byte[] {1, 2}, one.getGlobalTransactionId());
        assertEquals("3:0102:", one.toString());
    }

    @Test
    void anXidOfWrongLengthsIsInvalid() {
        for (Xid wrong : new Xid[] {
            null, new Given(-1, new byte[1], new byte[1]), new Given(1, new byte[0], new byte[1]),
            new Given(1, new byte[65], new byte[1]), new Given(1, new byte[1], new byte[65]),
            new Given(1, null, new byte[1]), new Given(1, new byte[1], null),
        }) {
            var error = assertThrows(XAException.class, () -> BranchXid.of(wrong));
            assertEquals(XAException.XAER_INVAL, error.errorCode);
        }
    }

    @Test
    void theXidsOfAnAnswerAreReadAndOtherBytesRefused() {
        byte[] two = {0, 0, 0, 1, 1, 0, 7, 0, 2, 0, 5, 2, 1, 8, 9, 6};
        BranchXid[] read = BranchXid.read(two);
        assertEquals("1:07:", read[0].toString());
        assertEquals("131077:0809:06", read[1].toString());
        assertEquals(0, BranchXid.read(new byte[0]).length);
        for (int length = 1; length < two.length; length++) {
            if (length != 7) {
                byte[] cut = java.util.Arrays.copyOf(two, length);
                assertThrows(IllegalArgumentException.class, () -> BranchXid.read(cut));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> BranchXid.read(new byte[] {0, 0, 0, 1, 0, 0}));
        assertThrows(IllegalArgumentException.class, () -> BranchXid.read(new byte[] {0, 0, 0, 1, 65, 0}));
    }

    @Test
    void theNumberOfARefusalIsFoundInItsWordsOrThoseOfItsCause() {
        var refusal = new RuntimeException("outer", new Exception("rolled back (XA 107) [condition = amqp:x]"));
        assertEquals(107, XaErrors.numberIn(refusal, 104));
        assertEquals(-8, XaErrors.numberIn(new Exception("there is one (XA -8)"), 104));
        assertEquals(104, XaErrors.numberIn(new Exception("no number"), 104));
        assertTrue(XaErrors.isRollback(100) && XaErrors.isRollback(107) && !XaErrors.isRollback(-8));
    }
}
