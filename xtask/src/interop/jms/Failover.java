import jakarta.jms.*;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.qpid.jms.JmsConnectionFactory;

/** A connection that breaks because its queue manager is killed, and goes on with the next one. */
public class Failover {
    private static final long COMES_MS = 60_000;
    private static final int MESSAGES = 100;

    private static final Checks CHECKS = new Checks("failover");

    private static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    public static void main(String[] arguments) throws Exception {
        JmsConnectionFactory factory = new JmsConnectionFactory(
                System.getProperty("ferry.user"), System.getProperty("ferry.password"),
                System.getProperty("ferry.uri"));
        Connection connection = factory.createConnection();
        connection.setClientID("failover");
        connection.start();
        Session session = connection.createSession();
        Queue queue = session.createQueue("FAIL.ORDERS");
        MessageProducer producer = session.createProducer(queue);
        for (int n = 0; n < MESSAGES; n++) {
            producer.send(session.createTextMessage("" + n));
        }
        Topic topic = session.createTopic("failover/prices");
        MessageConsumer durable = session.createDurableConsumer(topic, "prices");
        MessageProducer publisher = session.createProducer(topic);
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer answers = session.createConsumer(replies);
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        Queue other = session.createQueue("FAIL.OTHER");
        MessageProducer within = transacted.createProducer(other);
        within.send(transacted.createTextMessage("never"));
        MessageConsumer taker = transacted.createConsumer(queue);
        Checks.same("0", text(taker.receive(COMES_MS)));

        System.out.println("READY");
        System.out.flush();
        // The queue manager is killed, and another is started on its data.
        new BufferedReader(new InputStreamReader(System.in)).readLine();

        CHECKS.test("a transaction that was open is backed out, and its program told so", () -> {
            try {
                transacted.commit();
            } catch (TransactionRolledBackException expected) {
                MessageConsumer consumer = session.createConsumer(other);
                Checks.same(null, text(consumer.receive(500)));
                consumer.close();
                return;
            }
            throw new AssertionError("it was committed");
        });
        CHECKS.test("messages that were sent are there once and in order, with those of the transaction", () -> {
            for (int n = 0; n < MESSAGES; n++) {
                Checks.same("" + n, text(taker.receive(COMES_MS)));
            }
            within.send(transacted.createTextMessage("again"));
            transacted.commit();
            Checks.same(null, text(taker.receive(500)));
        });
        CHECKS.test("the transaction that was begun anew stands", () -> {
            MessageConsumer consumer = session.createConsumer(other);
            Checks.same("again", text(consumer.receive(COMES_MS)));
            Checks.same(null, text(consumer.receive(200)));
        });
        CHECKS.test("a durable subscriber is given what is published from then on", () -> {
            publisher.send(session.createTextMessage("9.81"));
            Checks.same("9.81", text(durable.receive(COMES_MS)));
        });
        CHECKS.test("a temporary queue takes answers", () -> {
            session.createProducer(replies).send(session.createTextMessage("answer"));
            Checks.same("answer", text(answers.receive(COMES_MS)));
        });
        CHECKS.test("a session sends", () -> {
            producer.send(session.createTextMessage("after"));
            Checks.same("after", text(taker.receive(COMES_MS)));
            transacted.commit();
        });
        connection.close();
        System.exit(0);
    }
}
