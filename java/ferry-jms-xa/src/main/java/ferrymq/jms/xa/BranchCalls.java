package ferrymq.jms.xa;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.transaction.xa.XAException;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.proton.amqp.Binary;

/**
 * Calls on branches by their XID, and the answers to all calls, over a connection of their own: it is open from the
 * first call on, and receives whether or not the program has started its connection.
 *
 * <p>Always: a call whose answer does not come is answered XAER_RMFAIL, and the next opens another connection.
 */
final class BranchCalls implements BranchResource.Calls, AutoCloseable {
    /** The address of calls. */
    static final String ADDRESS = "$xa";

    /** The longest that an answer may take, in seconds: longer than a log that is short of room makes it wait. */
    static final long SECONDS_MAX = 30;

    /** Branches in one answer. */
    private static final int PAGE = 100;

    /** Makes a connection. */
    interface Opener {
        Connection open() throws JMSException;
    }

    private final Opener opener;
    private final Map<String, CompletableFuture<Message>> awaited = new ConcurrentHashMap<>();
    private Connection connection;
    private Session session;
    private MessageProducer producer;
    private Queue answers;

    BranchCalls(Opener opener) {
        this.opener = opener;
    }

    /** A call whose answer is awaited. */
    record Asked(Message message, String correlation, CompletableFuture<Message> answer) {}

    /** Fills a message of a session with a call, and awaits its answer. */
    Asked ask(Session of, String call, BranchXid xid) throws JMSException {
        Queue replyTo = open();
        Message message = of.createMessage();
        // Binary values and names with a dot are properties of AMQP and not of JMS.
        var facade = ((JmsMessage) message).getFacade();
        facade.setProperty("ferry.xa", call);
        if (xid != null) {
            facade.setProperty("ferry.format", xid.getFormatId());
            facade.setProperty("ferry.global", new Binary(xid.getGlobalTransactionId()));
            facade.setProperty("ferry.qualifier", new Binary(xid.getBranchQualifier()));
        }
        String correlation = UUID.randomUUID().toString();
        message.setJMSCorrelationID(correlation);
        message.setJMSReplyTo(replyTo);
        var answer = new CompletableFuture<Message>();
        awaited.put(correlation, answer);
        return new Asked(message, correlation, answer);
    }

    /** Waits for the answer to a call. */
    Message await(Asked asked) throws XAException {
        try {
            return asked.answer.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw XaErrors.of(XAException.XAER_RMFAIL, "the link to the queue manager is lost", failure.getCause());
        } catch (TimeoutException failure) {
            throw XaErrors.of(XAException.XAER_RMFAIL, "the queue manager does not answer", failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw XaErrors.of(XAException.XAER_RMFAIL, "the wait for the queue manager was interrupted", failure);
        } finally {
            forget(asked);
        }
    }

    /** An answer is awaited no more. */
    void forget(Asked asked) {
        awaited.remove(asked.correlation);
    }

    @Override
    public int call(String name, BranchXid xid) throws XAException {
        return number(request(name, xid));
    }

    @Override
    public BranchXid[] recover() throws XAException {
        List<BranchXid> found = new ArrayList<>();
        for (BranchXid after = null; ; ) {
            Message answer = request("recover", after);
            int number = number(answer);
            if (number != 0) {
                throw XaErrors.of(number, "the queue manager lists no branches", null);
            }
            BranchXid[] page;
            try {
                page = BranchXid.read(bytes(answer));
            } catch (JMSException | IllegalArgumentException failure) {
                throw XaErrors.of(XAException.XAER_RMERR, "the answer of the queue manager has no branches", failure);
            }
            found.addAll(List.of(page));
            if (page.length < PAGE) {
                return found.toArray(BranchXid[]::new);
            }
            after = page[page.length - 1];
        }
    }

    private static byte[] bytes(Message answer) throws JMSException {
        if (!(answer instanceof BytesMessage body)) {
            return new byte[0];
        }
        byte[] bytes = new byte[(int) body.getBodyLength()];
        body.readBytes(bytes);
        return bytes;
    }

    /** The number of an answer. */
    static int number(Message answer) throws XAException {
        try {
            // By the message itself the name of the property is refused for its dot.
            if (((JmsMessage) answer).getFacade().getProperty("ferry.result") instanceof Integer number) {
                return number;
            }
        } catch (JMSException failure) {
            throw XaErrors.of(XAException.XAER_RMERR, "the answer of the queue manager cannot be read", failure);
        }
        throw XaErrors.of(XAException.XAER_RMERR, "the answer of the queue manager has no number", null);
    }

    private Message request(String name, BranchXid xid) throws XAException {
        Asked asked;
        try {
            synchronized (this) {
                open();
                asked = ask(session, name, xid);
                try {
                    producer.send(asked.message);
                } catch (JMSException failure) {
                    forget(asked);
                    throw failure;
                }
            }
        } catch (JMSException failure) {
            close();
            throw XaErrors.of(XAException.XAER_RMFAIL, "the queue manager cannot be asked: " + failure.getMessage(),
                    failure);
        }
        try {
            return await(asked);
        } catch (XAException failure) {
            close();
            throw failure;
        }
    }

    /** Opens the connection where there is none; the queue for answers. */
    private synchronized Queue open() throws JMSException {
        if (answers != null) {
            return answers;
        }
        Connection opened = opener.open();
        try {
            opened.setExceptionListener(failure -> lost(opened, failure));
            session = opened.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Session listening = opened.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Queue queue = listening.createTemporaryQueue();
            listening.createConsumer(queue).setMessageListener(this::answered);
            producer = session.createProducer(session.createQueue(ADDRESS));
            // Its send waits for the outcome, so that a refusal is heard; nothing of it is kept.
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            opened.start();
            connection = opened;
            answers = queue;
            return queue;
        } catch (JMSException failure) {
            quietly(opened);
            throw failure;
        }
    }

    private void answered(Message answer) {
        try {
            var asked = awaited.remove(String.valueOf(answer.getJMSCorrelationID()));
            if (asked != null) {
                asked.complete(answer);
            }
        } catch (JMSException failure) {
            // Without its identifier it is nobody's answer; the one who waits is told by the time.
            return;
        }
    }

    private void lost(Connection of, JMSException failure) {
        synchronized (this) {
            if (connection == of) {
                connection = null;
                answers = null;
            }
        }
        failAll(failure);
        quietly(of);
    }

    private void failAll(JMSException failure) {
        for (String correlation : List.copyOf(awaited.keySet())) {
            var asked = awaited.remove(correlation);
            if (asked != null) {
                asked.completeExceptionally(failure);
            }
        }
    }

    @Override
    public void close() {
        Connection ended;
        synchronized (this) {
            ended = connection;
            connection = null;
            answers = null;
        }
        if (ended != null) {
            failAll(new JMSException("the connection of calls on branches was closed"));
            quietly(ended);
        }
    }

    private static void quietly(Connection connection) {
        try {
            connection.close();
        } catch (JMSException failure) {
            // It is gone either way.
            return;
        }
    }
}
