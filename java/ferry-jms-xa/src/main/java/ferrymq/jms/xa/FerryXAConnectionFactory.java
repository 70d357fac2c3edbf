package ferrymq.jms.xa;

import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;

/**
 * Connections to a queue manager for a transaction manager, by an address of Qpid JMS.
 *
 * <pre>{@code
 * XAConnectionFactory factory = new FerryXAConnectionFactory("app", password, "amqps://host:5671");
 * }</pre>
 *
 * <p>Give each transaction manager a user of its own: it lists the branches of that user, and rolls back those that it
 * does not know.
 */
public final class FerryXAConnectionFactory implements XAConnectionFactory {
    private final JmsConnectionFactory factory;

    /**
     * Connects as the user that the address names, if it names one.
     *
     * @param address an address as of {@link JmsConnectionFactory}, of one queue manager
     * @throws IllegalArgumentException for an address of several
     */
    public FerryXAConnectionFactory(String address) {
        this(new JmsConnectionFactory(address));
    }

    /**
     * Connects as a user.
     *
     * @param user the user
     * @param password its password
     * @param address an address as of {@link JmsConnectionFactory}, of one queue manager
     * @throws IllegalArgumentException for an address of several
     */
    public FerryXAConnectionFactory(String user, String password, String address) {
        this(new JmsConnectionFactory(user, password, address));
    }

    /**
     * Connects as a factory of Qpid JMS does.
     *
     * @param factory the factory, with its settings
     * @throws IllegalArgumentException for one with an address of several
     */
    public FerryXAConnectionFactory(JmsConnectionFactory factory) {
        String address = factory.getRemoteURI();
        if (!address.startsWith("amqp")) {
            throw new IllegalArgumentException("XA has one address, which begins with amqp:// or amqps://, and not "
                    + address.split("[:(]", 2)[0] + ": after a failover a session would go on without what it did"
                    + " before. The transaction manager opens another connection instead");
        }
        if (factory.getClientID() != null) {
            throw new IllegalArgumentException("a client identifier has one connection at a time, and this package opens"
                    + " two: give it to the connection (setClientID), not to the factory");
        }
        this.factory = factory;
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return connection(() -> (JmsConnection) factory.createConnection());
    }

    @Override
    public XAConnection createXAConnection(String user, String password) throws JMSException {
        return connection(() -> (JmsConnection) factory.createConnection(user, password));
    }

    private interface Opener {
        JmsConnection open() throws JMSException;
    }

    private XAConnection connection(Opener opener) throws JMSException {
        return new FerryXAConnection(opener.open(), new BranchCalls(opener::open));
    }

    /** Not offered: a context begins its session before a transaction manager can enlist it. */
    @Override
    public XAJMSContext createXAContext() {
        throw new JMSRuntimeException("createXAContext is not offered: use createXAConnection and createXASession");
    }

    /** Not offered, as the other. */
    @Override
    public XAJMSContext createXAContext(String user, String password) {
        return createXAContext();
    }
}
