import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.UnsignedLong;

/** Stock ProtonJ2 against the queue manager: says of each test what became of it. */
public class ProtonJ {
    private static final String QUEUE = "AMQP.JAVA";

    interface Test {
        void run(Session session) throws Exception;
    }

    private static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + ", had " + actual);
        }
    }

    private static void send(Session session, String colour, Object body) throws Exception {
        try (Sender sender = session.openSender(QUEUE)) {
            Message<Object> message = Message.create(body);
            message.durable(true);
            message.property("colour", colour);
            sender.send(message).awaitAccepted();
        }
    }

    private static Object receive(Receiver receiver) throws Exception {
        Delivery delivery = receiver.receive(120, TimeUnit.SECONDS);
        if (delivery == null) {
            throw new AssertionError("nothing came");
        }
        Object body = delivery.message().body();
        delivery.accept();
        return body;
    }

    private static void putAndGet(Session session) throws Exception {
        send(session, "red", "one");
        send(session, "red", "two");
        try (Receiver receiver = session.openReceiver(QUEUE)) {
            same("one", receive(receiver));
            same("two", receive(receiver));
        }
    }

    private static void selector(Session session) throws Exception {
        for (String colour : new String[] {"red", "green", "red"}) {
            send(session, colour, colour);
        }
        ReceiverOptions some = new ReceiverOptions();
        some.sourceOptions().filters(Map.of("selector", new DescribedType() {
            @Override
            public Object getDescriptor() {
                return UnsignedLong.valueOf(0x0000468C00000004L);
            }

            @Override
            public Object getDescribed() {
                return "colour = 'green'";
            }
        }));
        try (Receiver receiver = session.openReceiver(QUEUE, some)) {
            same("green", receive(receiver));
        }
        try (Receiver receiver = session.openReceiver(QUEUE)) {
            same("red", receive(receiver));
            same("red", receive(receiver));
        }
    }

    private static void drain(Session session) throws Exception {
        send(session, "red", "only");
        ReceiverOptions none = new ReceiverOptions().creditWindow(0);
        try (Receiver receiver = session.openReceiver(QUEUE, none)) {
            receiver.addCredit(20);
            receiver.drain().get(10, TimeUnit.SECONDS);
            same(1L, receiver.queuedDeliveries());
            same("only", receive(receiver));
        }
    }

    private static void transactions(Session session) throws Exception {
        session.beginTransaction();
        send(session, "red", "never");
        session.rollbackTransaction();
        session.beginTransaction();
        send(session, "red", "one");
        session.commitTransaction();
        try (Receiver receiver = session.openReceiver(QUEUE)) {
            session.beginTransaction();
            same("one", receive(receiver));
            session.commitTransaction();
            same(true, receiver.receive(200, TimeUnit.MILLISECONDS) == null);
        }
    }

    private static void large(Session session) throws Exception {
        byte[] body = new byte[(100 << 20) - 1024];
        new java.util.Random(1).nextBytes(body);
        send(session, "red", body);
        try (Receiver receiver = session.openReceiver(QUEUE)) {
            same(true, Arrays.equals(body, (byte[]) receive(receiver)));
        }
    }

    private static void test(String name, Test test) throws Exception {
        String why = null;
        ConnectionOptions options = new ConnectionOptions();
        options.saslOptions().addAllowedMechanism("ANONYMOUS");
        try (Client client = Client.create();
                Connection connection = client.connect("127.0.0.1", Integer.getInteger("ferry.port"), options);
                Session session = connection.openSession()) {
            test.run(session);
        } catch (Exception | AssertionError error) {
            why = error.toString().replaceAll("\\s+", " ");
        }
        System.out.println(why == null ? "ok\tProtonJ2\t" + name : "FAILED\tProtonJ2\t" + name + "\t" + why);
    }

    public static void main(String[] arguments) throws Exception {
        test("put and get", ProtonJ::putAndGet);
        test("selector", ProtonJ::selector);
        test("drain", ProtonJ::drain);
        test("transactions", ProtonJ::transactions);
        test("large", ProtonJ::large);
        System.exit(0);
    }
}
