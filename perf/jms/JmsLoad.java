// Clients of a bench by JMS: requesters and responders, or publishers and subscribers, with a connection and a
// thread each.
//
// It is ordered by words such as `bytes=2048`, and talks in lines of JSON as the bench's own processes of clients
// do: it says that its clients are connected, is told when to begin, when it is measured and when that is over,
// tells what its requesters or publishers did, is told the end, and tells what the others did.
//
// Always: a message that does not come, or another than the one expected, fails the run.

import jakarta.jms.*;
import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.jms.JmsConnectionFactory;

public final class JmsLoad {
    /** Milliseconds of one wait for a message, and waits after which it is lost. */
    static final long WAIT_MS = 100;
    static final int WAITS_MAX = 600;
    /** One publication of so many is timed. */
    static final int TIMED_EACH = 16;
    /** Bytes of the mark at the front of a body: the number of the putter, and its own. */
    static final int MARK_BYTES = 12;

    enum Phase { WARM_UP, MEASURE, DONE, END }

    static final Map<String, String> order = new HashMap<>();
    static volatile Phase phase = Phase.WARM_UP;
    static volatile boolean hasMeasured;
    static final AtomicReference<Throwable> failure = new AtomicReference<>();
    static final List<Client> first = new ArrayList<>();
    static final List<Client> second = new ArrayList<>();
    static CountDownLatch connected;
    static final CountDownLatch begin = new CountDownLatch(1);
    /** Publications to each topic, and how many each subscriber has. */
    static AtomicLongArray published;
    static AtomicLongArray received;

    public static void main(String[] words) throws Exception {
        for (String word : words) {
            int equals = word.indexOf('=');
            order.put(word.substring(0, equals), word.substring(equals + 1));
        }
        try {
            serve();
            System.exit(0);
        } catch (Throwable thrown) {
            Throwable cause = failure.get() != null ? failure.get() : thrown;
            say("{\"failed\":\"" + cause.toString().replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}");
            System.exit(1);
        }
    }

    static void serve() throws Exception {
        boolean publishes = text("work").equals("publish");
        if (publishes) {
            publishers();
        } else {
            requesters();
        }
        connected = new CountDownLatch(first.size() + second.size());
        // Nobody publishes before everybody subscribes.
        second.forEach(Thread::start);
        first.forEach(Thread::start);
        while (!connected.await(WAIT_MS, TimeUnit.MILLISECONDS)) {
            check();
        }
        check();
        say("\"connected\"");
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in));
        expect(told, "begin");
        begin.countDown();
        expect(told, "measure");
        phase = Phase.MEASURE;
        for (String word = hear(told); !word.equals("done"); word = hear(told)) {
            say("{\"has-measured\":" + (hasMeasured || failure.get() != null) + "}");
        }
        phase = Phase.DONE;
        Totals asked = joined(first);
        if (publishes) {
            say("{\"publishers\":{\"published\":" + asked.count + "," + asked.measuredText() + "}}");
        } else {
            say("{\"requesters\":{\"requested\":" + asked.count + ",\"replied\":" + asked.answers + ","
                + asked.measuredText() + "}}");
        }
        expect(told, "end");
        phase = Phase.END;
        Totals answered = joined(second);
        if (publishes) {
            say("{\"subscribers\":{\"received\":" + answered.count + ",\"measured\":" + answered.measured + "}}");
        } else {
            say("{\"responders\":{\"answered\":" + answered.count + "}}");
        }
    }

    static void requesters() {
        List<String> requests = list("requests");
        List<String> replies = list("replies");
        boolean isShared = Boolean.parseBoolean(text("shared"));
        for (String number : list("requesters")) {
            int own = Integer.parseInt(number);
            String reply = replies.get(own % replies.size());
            first.add(new Requester(own, requests.get(own % requests.size()), reply, isShared));
        }
        for (String number : list("responders")) {
            int own = Integer.parseInt(number);
            second.add(new Responder(own, requests.get(own % requests.size())));
        }
    }

    static void publishers() {
        List<String> places = list("places");
        int subscribers = number("subscribers");
        published = new AtomicLongArray(places.size());
        received = new AtomicLongArray(places.size() * subscribers);
        for (int own = 0; own < number("publishers"); own++) {
            first.add(new Publisher(own, own % places.size(), places.get(own % places.size())));
        }
        for (int own = 0; own < places.size() * subscribers; own++) {
            second.add(new Subscriber(own, own / subscribers, places.get(own / subscribers)));
        }
    }

    /** One client: it connects, waits until all begin, and works. */
    abstract static class Client extends Thread {
        final int number;
        final Totals totals = new Totals();
        Connection connection;
        Session session;

        Client(String kind, int number) {
            super(kind + " " + number);
            this.number = number;
            setDaemon(true);
        }

        abstract void connect() throws Exception;

        abstract void work() throws Exception;

        void finish() throws Exception {}

        @Override
        public void run() {
            try {
                connection = new JmsConnectionFactory(text("uri")).createConnection();
                if (isDurable()) {
                    connection.setClientID("bench " + text("run") + " " + number);
                }
                session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                connect();
                connection.start();
                connected.countDown();
                begin.await();
                work();
                finish();
                connection.close();
            } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown);
                connected.countDown();
            }
        }

        boolean isDurable() {
            return false;
        }

        MessageProducer producer(Destination destination) throws JMSException {
            MessageProducer producer = session.createProducer(destination);
            boolean persistent = Boolean.parseBoolean(text("persistent"));
            producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            return producer;
        }

        /** The next message; none when the wait is over and `isOver` says so. */
        BytesMessage next(MessageConsumer consumer, BooleanSupplierOf isOver) throws Exception {
            for (int waits = 0; waits < WAITS_MAX; ) {
                Message message = consumer.receive(WAIT_MS);
                if (message != null) {
                    return (BytesMessage) message;
                }
                if (isOver.get()) {
                    return null;
                }
                check();
                // Only what was sent and does not come is lost.
                waits += phase == Phase.WARM_UP || phase == Phase.MEASURE ? 0 : 1;
            }
            throw new IOException(getName() + ": a message does not come");
        }
    }

    interface BooleanSupplierOf {
        boolean get() throws Exception;
    }

    static final class Requester extends Client {
        final String request;
        final String reply;
        final boolean isShared;
        MessageProducer producer;
        MessageConsumer consumer;
        Destination replyTo;

        Requester(int number, String request, String reply, boolean isShared) {
            super("requester", number);
            this.request = request;
            this.reply = reply;
            this.isShared = isShared;
        }

        String name() {
            return "bench-" + text("run") + "-" + number;
        }

        @Override
        void connect() throws Exception {
            producer = producer(session.createQueue(request));
            replyTo = session.createQueue(reply);
            String selector = isShared ? "JMSCorrelationID = '" + name() + "'" : null;
            consumer = session.createConsumer(replyTo, selector);
        }

        @Override
        void work() throws Exception {
            byte[] body = new byte[number("bytes")];
            byte[] came = new byte[body.length];
            while (phase.compareTo(Phase.DONE) < 0) {
                mark(body, number, totals.count);
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                message.setJMSReplyTo(replyTo);
                message.setJMSCorrelationID(name());
                long begun = System.nanoTime();
                producer.send(message);
                totals.count++;
                take(next(consumer, () -> false), came);
                if (!Arrays.equals(body, 0, MARK_BYTES, came, 0, MARK_BYTES)) {
                    throw new IOException(getName() + " was given another reply");
                }
                totals.answers++;
                totals.took(begun);
            }
        }
    }

    static final class Responder extends Client {
        final String request;
        MessageProducer producer;
        MessageConsumer consumer;

        Responder(int number, String request) {
            super("responder", number);
            this.request = request;
        }

        @Override
        void connect() throws Exception {
            producer = producer(null);
            consumer = session.createConsumer(session.createQueue(request));
        }

        @Override
        void work() throws Exception {
            byte[] body = new byte[number("bytes")];
            while (true) {
                BytesMessage asked = next(consumer, () -> phase == Phase.END);
                if (asked == null) {
                    return;
                }
                take(asked, body);
                BytesMessage answer = session.createBytesMessage();
                answer.writeBytes(body);
                answer.setJMSCorrelationID(asked.getJMSCorrelationID());
                producer.send(asked.getJMSReplyTo(), answer);
                totals.count++;
            }
        }
    }

    static final class Publisher extends Client {
        final int place;
        final String name;
        MessageProducer producer;

        Publisher(int number, int place, String name) {
            super("publisher", number);
            this.place = place;
            this.name = name;
        }

        @Override
        void connect() throws Exception {
            producer = producer(destination(session, name));
        }

        @Override
        void work() throws Exception {
            byte[] body = new byte[number("bytes")];
            int subscribers = number("subscribers");
            long ahead = number("ahead");
            long pause = order.containsKey("rate") ? 1_000_000_000L / number("rate") : 0;
            long due = System.nanoTime();
            while (phase.compareTo(Phase.DONE) < 0) {
                check();
                long wait = pause == 0 ? 0 : due - System.nanoTime();
                if (wait > 0 || subscribers > 0 && published.get(place) - slowest(subscribers) >= ahead) {
                    LockSupport.parkNanos(Math.min(Math.max(wait, 50_000), 10_000_000));
                    continue;
                }
                mark(body, number, totals.count);
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                long begun = pause == 0 ? System.nanoTime() : due;
                producer.send(message);
                due += pause;
                published.incrementAndGet(place);
                if (totals.count++ % TIMED_EACH == 0) {
                    totals.took(begun);
                } else {
                    totals.counted();
                }
            }
        }

        long slowest(int subscribers) {
            long least = Long.MAX_VALUE;
            for (int subscriber = place * subscribers; subscriber < (place + 1) * subscribers; subscriber++) {
                least = Math.min(least, received.get(subscriber));
            }
            return least;
        }
    }

    static final class Subscriber extends Client {
        final int place;
        final String name;
        MessageConsumer consumer;

        Subscriber(int number, int place, String name) {
            super("subscriber", number);
            this.place = place;
            this.name = name;
        }

        @Override
        boolean isDurable() {
            return Boolean.parseBoolean(text("persistent")) && !isQueue();
        }

        @Override
        void connect() throws Exception {
            Destination destination = destination(session, name);
            consumer = isDurable()
                ? session.createDurableConsumer((Topic) destination, "subscription")
                : session.createConsumer(destination);
        }

        @Override
        void work() throws Exception {
            byte[] body = new byte[number("bytes")];
            Map<Integer, Long> last = new HashMap<>();
            while (true) {
                BytesMessage message =
                    next(consumer, () -> phase == Phase.END && totals.count == published.get(place));
                if (message == null) {
                    return;
                }
                take(message, body);
                long sequence = sequence(body);
                Long before = last.put(publisher(body), sequence);
                if (sequence != (before == null ? 0 : before + 1)) {
                    throw new IOException(getName() + " was given " + sequence + " behind " + before);
                }
                totals.count++;
                received.incrementAndGet(number);
                totals.counted();
            }
        }

        @Override
        void finish() throws Exception {
            consumer.close();
            if (isDurable()) {
                session.unsubscribe("subscription");
            }
        }
    }

    static boolean isQueue() {
        return text("through").equals("queue");
    }

    static Destination destination(Session session, String name) throws JMSException {
        return isQueue() ? session.createQueue(name) : session.createTopic(name);
    }

    static void take(BytesMessage message, byte[] body) throws Exception {
        if (message.getBodyLength() != body.length || message.readBytes(body) != body.length) {
            throw new IOException("a message has " + message.getBodyLength() + " bytes");
        }
    }

    static void mark(byte[] body, int putter, long own) {
        for (int at = 0; at < 4; at++) {
            body[at] = (byte) (putter >> 8 * at);
        }
        for (int at = 0; at < 8; at++) {
            body[4 + at] = (byte) (own >> 8 * at);
        }
    }

    static int publisher(byte[] body) {
        return (int) little(body, 0, 4);
    }

    static long sequence(byte[] body) {
        return little(body, 4, 8);
    }

    static long little(byte[] body, int from, int bytes) {
        long value = 0;
        for (int at = bytes - 1; at >= 0; at--) {
            value = value << 8 | body[from + at] & 0xFF;
        }
        return value;
    }

    /** The work of clients: how much there was, and how long what was measured took. */
    static final class Totals {
        /** Buckets of times: 256 for each power of two, so that a time is known to half a per cent. */
        final long[] times = new long[40 << 8];
        long count;
        long answers;
        long measured;

        void counted() {
            if (phase == Phase.MEASURE) {
                measured++;
                hasMeasured = true;
            }
        }

        void took(long begun) {
            if (phase == Phase.MEASURE) {
                long time = Math.max(System.nanoTime() - begun, 1);
                int shift = Math.max(0, 55 - Long.numberOfLeadingZeros(time));
                times[Math.min((shift << 8) + (int) (time >> shift), times.length - 1)]++;
            }
            counted();
        }

        void add(Totals other) {
            count += other.count;
            answers += other.answers;
            measured += other.measured;
            for (int bucket = 0; bucket < times.length; bucket++) {
                times[bucket] += other.times[bucket];
            }
        }

        /** The highest time of a bucket, as `took` chose it. */
        static long highest(int bucket) {
            int shift = Math.max(0, (bucket >> 8) - 1);
            long low = bucket - ((long) shift << 8);
            return (low + 1 << shift) - 1;
        }

        String measuredText() {
            StringJoiner text = new StringJoiner(",");
            for (int bucket = 0; bucket < times.length; bucket++) {
                if (times[bucket] > 0) {
                    text.add("[" + Math.max(1, highest(bucket)) + "," + times[bucket] + "]");
                }
            }
            return "\"measured\":" + measured + ",\"latencies\":[" + text + "]";
        }
    }

    static Totals joined(List<Client> clients) throws Exception {
        Totals all = new Totals();
        for (Client client : clients) {
            while (client.isAlive()) {
                client.join(WAIT_MS);
                check();
            }
            all.add(client.totals);
        }
        check();
        return all;
    }

    static void check() throws IOException {
        if (failure.get() != null) {
            throw new IOException("a client failed", failure.get());
        }
    }

    static String text(String name) {
        return Objects.requireNonNull(order.get(name), name);
    }

    static int number(String name) {
        return Integer.parseInt(text(name));
    }

    static List<String> list(String name) {
        return text(name).isEmpty() ? List.of() : List.of(text(name).split(","));
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static String hear(BufferedReader told) throws IOException {
        String line = told.readLine();
        if (line == null) {
            throw new EOFException("nobody tells it to go on");
        }
        return line.replace("\"", "").trim();
    }

    static void expect(BufferedReader told, String word) throws IOException {
        String line = hear(told);
        if (!line.equals(word)) {
            throw new IOException("was told " + line + " instead of " + word);
        }
    }
}
