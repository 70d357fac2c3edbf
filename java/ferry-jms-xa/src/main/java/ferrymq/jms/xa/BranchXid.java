package ferrymq.jms.xa;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/** An XID as a value: a format, a global part of 1 to 64 bytes, and a qualifier of up to 64. */
record BranchXid(int format, ByteBuffer global, ByteBuffer qualifier) implements Xid {
    BranchXid {
        global = global.asReadOnlyBuffer();
        qualifier = qualifier.asReadOnlyBuffer();
    }

    /** Copies the XID of a transaction manager; XAER_INVAL for one that cannot be. */
    static BranchXid of(Xid xid) throws XAException {
        if (xid instanceof BranchXid own) {
            return own;
        }
        byte[] global = xid == null ? null : xid.getGlobalTransactionId();
        byte[] qualifier = xid == null ? null : xid.getBranchQualifier();
        boolean isWhole = global != null && qualifier != null;
        if (!isWhole || !areParts(global.length, qualifier.length) || xid.getFormatId() < 0) {
            throw XaErrors.of(XAException.XAER_INVAL, "an XID has a format from 0 on, a global part of 1 to 64 bytes"
                    + " and a qualifier of up to 64", null);
        }
        return new BranchXid(xid.getFormatId(), ByteBuffer.wrap(global.clone()), ByteBuffer.wrap(qualifier.clone()));
    }

    /**
     * Reads the XIDs of an answer, one after the other: format, length of the global part, length of the
     * qualifier, both parts.
     *
     * @throws IllegalArgumentException for bytes that are no XIDs
     */
    static BranchXid[] read(byte[] bytes) {
        var rest = ByteBuffer.wrap(bytes);
        var found = new java.util.ArrayList<BranchXid>();
        while (rest.hasRemaining()) {
            if (rest.remaining() < 6) {
                throw new IllegalArgumentException("the list of branches ends within one");
            }
            int format = rest.getInt();
            int global = rest.get() & 0xFF;
            int qualifier = rest.get() & 0xFF;
            if (!areParts(global, qualifier) || rest.remaining() < global + qualifier) {
                throw new IllegalArgumentException("the list of branches has one of wrong lengths");
            }
            found.add(new BranchXid(format, part(rest, global), part(rest, qualifier)));
        }
        return found.toArray(BranchXid[]::new);
    }

    private static boolean areParts(int global, int qualifier) {
        return global >= 1 && global <= MAXGTRIDSIZE && qualifier <= MAXBQUALSIZE;
    }

    private static ByteBuffer part(ByteBuffer from, int length) {
        byte[] bytes = new byte[length];
        from.get(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] bytes(ByteBuffer part) {
        byte[] bytes = new byte[part.remaining()];
        part.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public int getFormatId() {
        return format;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return bytes(global);
    }

    @Override
    public byte[] getBranchQualifier() {
        return bytes(qualifier);
    }

    @Override
    public String toString() {
        var hex = HexFormat.of();
        return format + ":" + hex.formatHex(bytes(global)) + ":" + hex.formatHex(bytes(qualifier));
    }
}
