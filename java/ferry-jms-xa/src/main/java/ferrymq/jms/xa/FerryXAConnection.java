package ferrymq.jms.xa;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.HashSet;
import java.util.Set;
import org.apache.qpid.jms.JmsConnection;

/**
 * A connection whose sessions take part in transactions of a transaction manager, beside ordinary ones.
 *
 * <p>Always: a connection that is closed while branches of its sessions are open lives until those are settled.
 */
final class FerryXAConnection implements XAConnection {
    private final JmsConnection link;
    private final BranchCalls calls;
    private final Set<BranchSession> sessions = new HashSet<>();
    private volatile boolean isLost;
    private volatile ExceptionListener listener;
    private boolean isClosed;

    FerryXAConnection(JmsConnection link, BranchCalls calls) throws JMSException {
        this.link = link;
        this.calls = calls;
        link.setExceptionListener(failure -> {
            isLost |= link.isFailed();
            ExceptionListener told = listener;
            if (told != null) {
                told.onException(failure);
            }
        });
    }

    /** True once the link to the queue manager is lost. It does not come back. */
    boolean isLost() {
        return isLost;
    }

    @Override
    public XASession createXASession() throws JMSException {
        var session = new BranchSession(this, link, calls);
        synchronized (this) {
            sessions.add(session);
        }
        return session.proxy();
    }

    /** A session ended that was closed or whose branch was settled. */
    void ended(BranchSession session) throws JMSException {
        boolean isLast;
        synchronized (this) {
            sessions.remove(session);
            isLast = isClosed && sessions.isEmpty();
        }
        if (isLast) {
            end();
        }
    }

    @Override
    public void close() throws JMSException {
        Set<BranchSession> left;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            left = Set.copyOf(sessions);
        }
        for (BranchSession session : left) {
            session.close();
        }
        if (left.isEmpty()) {
            end();
        }
    }

    private void end() throws JMSException {
        calls.close();
        link.close();
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return link.createSession(transacted, acknowledgeMode);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return link.createSession(sessionMode);
    }

    @Override
    public Session createSession() throws JMSException {
        return link.createSession();
    }

    @Override
    public String getClientID() throws JMSException {
        return link.getClientID();
    }

    @Override
    public void setClientID(String clientID) throws JMSException {
        link.setClientID(clientID);
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        return link.getMetaData();
    }

    @Override
    public ExceptionListener getExceptionListener() {
        return listener;
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) {
        this.listener = listener;
    }

    @Override
    public void start() throws JMSException {
        link.start();
    }

    @Override
    public void stop() throws JMSException {
        link.stop();
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(Destination destination, String selector, ServerSessionPool pool,
            int messagesMax) throws JMSException {
        return link.createConnectionConsumer(destination, selector, pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(Topic topic, String name, String selector,
            ServerSessionPool pool, int messagesMax) throws JMSException {
        return link.createSharedConnectionConsumer(topic, name, selector, pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(Topic topic, String name, String selector,
            ServerSessionPool pool, int messagesMax) throws JMSException {
        return link.createDurableConnectionConsumer(topic, name, selector, pool, messagesMax);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(Topic topic, String name, String selector,
            ServerSessionPool pool, int messagesMax) throws JMSException {
        return link.createSharedDurableConnectionConsumer(topic, name, selector, pool, messagesMax);
    }
}
