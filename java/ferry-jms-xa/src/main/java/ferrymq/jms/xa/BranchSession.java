package ferrymq.jms.xa;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.Session;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSubscriber;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XASession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.apache.qpid.jms.JmsConnection;

/**
 * A transacted session whose transactions are branches of a transaction manager.
 *
 * <p>Always: what is sent or received belongs to a branch; a session that is closed within one lives until that is
 * settled.
 */
final class BranchSession implements InvocationHandler, BranchResource.Work {
    private final FerryXAConnection connection;
    private final JmsConnection link;
    private final Session session;
    private final BranchCalls calls;
    private final BranchResource resource;
    private MessageProducer toBranches;
    private boolean isClosed;
    private boolean isEnded;

    BranchSession(FerryXAConnection connection, JmsConnection link, BranchCalls calls) throws JMSException {
        this.connection = connection;
        this.link = link;
        this.session = link.createSession(true, Session.SESSION_TRANSACTED);
        this.calls = calls;
        this.resource = new BranchResource(this, calls);
    }

    /** The session for a program. */
    XASession proxy() {
        Class<?>[] kinds = {XASession.class};
        return (XASession) Proxy.newProxyInstance(XASession.class.getClassLoader(), kinds, this);
    }

    /** True while a branch keeps the session. */
    boolean isOpen() {
        return resource.isOpen();
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "getXAResource":
                return (XAResource) resource;
            case "getSession":
                refuseClosed();
                return proxy;
            case "getTransacted":
                refuseClosed();
                return true;
            case "getAcknowledgeMode":
                refuseClosed();
                return Session.SESSION_TRANSACTED;
            case "commit", "rollback":
                refuseClosed();
                throw new TransactionInProgressException("the transaction manager ends the transactions of this session");
            case "recover":
                throw new IllegalStateException("a session with transactions does not recover messages");
            case "setMessageListener":
                refuseListener(arguments[0]);
                return null;
            case "run":
                throw listener();
            case "close":
                close();
                return null;
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(this);
            case "toString":
                return "session with branches of " + session;
            default:
                refuseClosed();
                return guarded(call(session, method, arguments));
        }
    }

    /** Producers and consumers of the session work in a branch alone. */
    private Object guarded(Object made) {
        if (made instanceof MessageProducer producer) {
            return guard(producer, QueueSender.class, TopicPublisher.class, MessageProducer.class);
        }
        if (made instanceof MessageConsumer consumer) {
            return guard(consumer, QueueReceiver.class, TopicSubscriber.class, MessageConsumer.class);
        }
        return made;
    }

    private Object guard(Object made, Class<?>... kinds) {
        Class<?> kind = java.util.Arrays.stream(kinds).filter(each -> each.isInstance(made)).findFirst().orElseThrow();
        InvocationHandler handler = (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "send", "publish", "receive", "receiveNoWait":
                    refuseClosed();
                    if (!resource.isActive()) {
                        throw new IllegalStateException("the session is in no branch: begin a transaction, and have"
                                + " its transaction manager enlist the session");
                    }
                    break;
                case "setMessageListener":
                    refuseListener(arguments[0]);
                    return null;
                case "equals":
                    return proxy == arguments[0];
                default:
                    break;
            }
            return call(made, method, arguments);
        };
        return Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, handler);
    }

    /** Refuses a listener. Pools take away what may be there, and there is none. */
    private static void refuseListener(Object listener) throws JMSException {
        if (listener != null) {
            throw listener();
        }
    }

    private static JMSException listener() {
        return new IllegalStateException("messages of a branch are received by calls of receive: a listener is called"
                + " outside of branches");
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private synchronized void refuseClosed() throws JMSException {
        if (isClosed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /** Closes the session now, or once its branch is settled. */
    void close() throws JMSException {
        synchronized (this) {
            isClosed = true;
        }
        if (!resource.isOpen()) {
            end();
        }
    }

    private void end() throws JMSException {
        synchronized (this) {
            if (isEnded) {
                return;
            }
            isEnded = true;
        }
        try {
            session.close();
        } finally {
            connection.ended(this);
        }
    }

    @Override
    public void settled() {
        boolean ends;
        synchronized (this) {
            ends = isClosed;
        }
        if (!ends) {
            return;
        }
        try {
            end();
        } catch (JMSException failure) {
            // The branch is settled, and nothing is left of the session to be told of.
            return;
        }
    }

    @Override
    public int prepare(BranchXid xid) throws XAException {
        BranchCalls.Asked asked = null;
        try {
            asked = calls.ask(session, "prepare", xid);
            var outcome = new CompletableFuture<Void>();
            producer().send(asked.message(), DeliveryMode.PERSISTENT, Message.DEFAULT_PRIORITY, 0, new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    outcome.complete(null);
                }

                @Override
                public void onException(Message message, Exception failure) {
                    outcome.completeExceptionally(failure);
                }
            });
            outcome.get(BranchCalls.SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException refusal) {
            calls.forget(asked);
            if (isLost()) {
                throw lost(refusal.getCause());
            }
            return XaErrors.numberIn(refusal.getCause(), XAException.XA_RBOTHER);
        } catch (JMSException | TimeoutException failure) {
            if (asked != null) {
                calls.forget(asked);
            }
            throw lost(failure);
        } catch (InterruptedException failure) {
            calls.forget(asked);
            Thread.currentThread().interrupt();
            throw lost(failure);
        }
        // The library also reports a message as sent where the transaction is gone: only the answer counts.
        return BranchCalls.number(calls.await(asked));
    }

    private MessageProducer producer() throws JMSException {
        if (toBranches == null) {
            toBranches = session.createProducer(session.createQueue(BranchCalls.ADDRESS));
        }
        return toBranches;
    }

    private static XAException lost(Throwable failure) {
        return XaErrors.of(XAException.XAER_RMFAIL, "whether the branch is prepared is not known: " + failure.getMessage(),
                failure);
    }

    @Override
    public void commit() throws JMSException {
        session.commit();
    }

    @Override
    public void rollback() throws JMSException {
        session.rollback();
    }

    @Override
    public boolean isLost() {
        return connection.isLost() || link.isFailed() || link.isClosed();
    }
}
