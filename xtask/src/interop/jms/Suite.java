import jakarta.jms.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Runs tests of Jakarta Messaging 3.1, each under the section of the specification that it is about. */
public class Suite {
    interface Body {
        void run(Bench bench) throws Exception;
    }

    interface Call {
        void run() throws Exception;
    }

    /** The longest that a message may take that comes, and the time in which one that must not come would. */
    static final long COMES_MS = 10_000;
    static final long ABSENT_MS = 150;

    private static int destinations;
    private static String only = "";

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            only = arguments[0];
        }
        Messages.tests();
        Domains.tests();
        Connecting.tests();
        Sending.tests();
        Receiving.tests();
        System.exit(0);
    }

    /** Runs a test, and says what became of it. */
    static void test(String section, String name, Body body) {
        if (!(section + " " + name).contains(only)) {
            return;
        }
        String failure = null;
        Bench bench = new Bench();
        try {
            body.run(bench);
        } catch (Exception | AssertionError error) {
            StackTraceElement at = error.getStackTrace()[0];
            for (StackTraceElement element : error.getStackTrace()) {
                if (element.getClassName().matches("(Messages|Domains|Connecting|Sending|Receiving)\\b.*")) {
                    at = element;
                    break;
                }
            }
            failure = (error + " at " + at).replaceAll("\\s+", " ");
        }
        bench.close();
        System.out.println(failure == null ? "ok\t" + section + "\t" + name
                : "FAILED\t" + section + "\t" + name + "\t" + failure);
    }

    static void same(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", had " + actual);
        }
    }

    static void sameBytes(byte[] expected, byte[] actual) {
        same(java.util.Arrays.toString(expected), java.util.Arrays.toString(actual));
    }

    static void check(boolean holds, String text) {
        if (!holds) {
            throw new AssertionError(text);
        }
    }

    /** A call must end with this exception. */
    static void refuses(Class<? extends Exception> type, Call call) throws Exception {
        try {
            call.run();
        } catch (Exception error) {
            check(type.isInstance(error), "expected " + type.getSimpleName() + ", had " + error);
            return;
        }
        throw new AssertionError("expected " + type.getSimpleName() + ", nothing was thrown");
    }

    static String text(Message message) throws JMSException {
        check(message != null, "no message came");
        return ((TextMessage) message).getText();
    }

    /** The parts of one test: a connection, a session and a queue, made when they are asked for. */
    static class Bench {
        final JmsConnectionFactory factory = new JmsConnectionFactory(System.getProperty("ferry.uri"));
        private final List<Call> closes = new ArrayList<>();
        private Connection connection;
        private Session session;
        private Queue queue;
        private MessageProducer producer;
        private MessageConsumer consumer;

        Connection connection() throws JMSException {
            if (connection == null) {
                connection = another();
                connection.start();
            }
            return connection;
        }

        Connection another() throws JMSException {
            Connection made = factory.createConnection();
            closes.add(made::close);
            return made;
        }

        Connection client(String identifier) throws JMSException {
            Connection made = another();
            made.setClientID(identifier);
            made.start();
            return made;
        }

        JMSContext context(int mode) {
            JMSContext made = factory.createContext(mode);
            closes.add(made::close);
            return made;
        }

        JMSContext context() {
            return context(JMSContext.AUTO_ACKNOWLEDGE);
        }

        Session session() throws JMSException {
            if (session == null) {
                session = session(Session.AUTO_ACKNOWLEDGE);
            }
            return session;
        }

        Session session(int mode) throws JMSException {
            return connection().createSession(mode);
        }

        Queue queue() throws JMSException {
            if (queue == null) {
                queue = anotherQueue();
            }
            return queue;
        }

        Queue anotherQueue() throws JMSException {
            return session().createQueue("JAKARTA." + ++destinations);
        }

        Topic topic() throws JMSException {
            return session().createTopic("jakarta/" + ++destinations);
        }

        String name() {
            return "name" + ++destinations;
        }

        MessageProducer producer() throws JMSException {
            if (producer == null) {
                producer = session().createProducer(queue());
            }
            return producer;
        }

        MessageConsumer consumer() throws JMSException {
            if (consumer == null) {
                consumer = session().createConsumer(queue());
            }
            return consumer;
        }

        void send(Message message) throws JMSException {
            producer().send(message);
        }

        void send(String... texts) throws JMSException {
            for (String text : texts) {
                producer().send(session().createTextMessage(text));
            }
        }

        Message receive() throws JMSException {
            return receive(consumer());
        }

        Message receive(MessageConsumer from) throws JMSException {
            Message message = from.receive(COMES_MS);
            check(message != null, "no message came");
            return message;
        }

        void nothing(MessageConsumer from) throws JMSException {
            Message message = from.receive(ABSENT_MS);
            check(message == null, "a message came: " + message);
        }

        void texts(MessageConsumer from, String... expected) throws JMSException {
            for (String text : expected) {
                same(text, text(receive(from)));
            }
        }

        /** Sends a message through the queue, and gives what comes of it. */
        @SuppressWarnings("unchecked")
        <M extends Message> M pass(M message) throws JMSException {
            send(message);
            return (M) receive();
        }

        void close() {
            for (Call close : closes) {
                try {
                    close.run();
                } catch (Exception error) {
                    System.err.println("close: " + error);
                }
            }
        }
    }

    /** What a listener was given. */
    static class Heard implements MessageListener {
        final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(Message message) {
            messages.add(message);
        }

        Message next() throws InterruptedException {
            Message message = messages.poll(COMES_MS, TimeUnit.MILLISECONDS);
            check(message != null, "no message was heard");
            return message;
        }
    }
}
