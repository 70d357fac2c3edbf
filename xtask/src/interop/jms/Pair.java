import jakarta.jms.*;
import java.util.Objects;
import org.apache.qpid.jms.JmsConnectionFactory;

/** The side of JMS, beside a program of the message queue interface. */
public class Pair {
    private static final long COMES_MS = 60_000;

    interface Check {
        void run() throws Exception;
    }

    private static void test(String name, Check check) {
        try {
            check.run();
            System.out.println("ok\tMQI to JMS\t" + name);
        } catch (Exception | AssertionError error) {
            System.out.println("FAILED\tMQI to JMS\t" + name + "\t" + error.toString().replaceAll("\\s+", " "));
        }
    }

    private static void same(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", had " + actual);
        }
    }

    private static void properties(Message message) throws JMSException {
        same("red", message.getStringProperty("colour"));
        same(-7, message.getObjectProperty("count"));
        same(1L << 40, message.getObjectProperty("large"));
        same((short) 3, message.getObjectProperty("small"));
        same(1.5, message.getObjectProperty("real"));
        same(true, message.getObjectProperty("isNew"));
        same(6, message.getJMSPriority());
        same(DeliveryMode.PERSISTENT, message.getJMSDeliveryMode());
    }

    private static void setProperties(Message message) throws JMSException {
        message.setStringProperty("colour", "red");
        message.setIntProperty("count", -7);
        message.setLongProperty("large", 1L << 40);
        message.setShortProperty("small", (short) 3);
        message.setDoubleProperty("real", 1.5);
        message.setBooleanProperty("isNew", true);
    }

    private static void request(String policy) throws JMSException {
        String uri = System.getProperty("ferry.uri") + policy;
        try (Connection connection = new JmsConnectionFactory(uri).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue replies = session.createTemporaryQueue();
            Message question = session.createTextMessage("question of JMS");
            question.setJMSReplyTo(replies);
            session.createProducer(session.createQueue("PAIR.TO.MQI")).send(question);
            String wanted = question.getJMSMessageID();
            MessageConsumer consumer = session.createConsumer(replies, "JMSCorrelationID = '" + wanted + "'");
            Message answer = consumer.receive(COMES_MS);
            same("answer of a program", ((TextMessage) answer).getText());
            same(wanted, answer.getJMSCorrelationID());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Connection connection = new JmsConnectionFactory(System.getProperty("ferry.uri")).createConnection();
        connection.start();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("PAIR.TO.JMS"));
        test("text", () -> {
            TextMessage message = (TextMessage) consumer.receive(COMES_MS);
            same("forty-two \u00e4", message.getText());
            properties(message);
        });
        test("bytes", () -> {
            BytesMessage message = (BytesMessage) consumer.receive(COMES_MS);
            byte[] bytes = new byte[8];
            same(4, message.readBytes(bytes));
            same((byte) 0xFF, bytes[3]);
            properties(message);
        });
        test("map", () -> {
            MapMessage message = (MapMessage) consumer.receive(COMES_MS);
            same("text", message.getObject("a"));
            same(7, message.getObject("b"));
            properties(message);
        });
        test("stream", () -> {
            StreamMessage message = (StreamMessage) consumer.receive(COMES_MS);
            same("text", message.readObject());
            same(7L, message.readObject());
            same(true, message.readObject());
            properties(message);
        });
        test("object", () -> {
            ObjectMessage message = (ObjectMessage) consumer.receive(COMES_MS);
            same("object", message.getObject());
            properties(message);
        });
        test("answer", () -> {
            Message question = consumer.receive(COMES_MS);
            same("question of a program", ((TextMessage) question).getText());
            Message answer = session.createTextMessage("answer of JMS");
            answer.setJMSCorrelationID(question.getJMSMessageID());
            session.createProducer(question.getJMSReplyTo()).send(answer);
        });
        MessageProducer producer = session.createProducer(session.createQueue("PAIR.TO.MQI"));
        producer.setPriority(6);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes("raw bytes".getBytes());
        MapMessage map = session.createMapMessage();
        map.setString("a", "text");
        map.setInt("b", 7);
        StreamMessage stream = session.createStreamMessage();
        stream.writeString("text");
        stream.writeLong(7);
        Message[] all = {session.createTextMessage("forty-two \u00e4"), bytes, map, stream,
            session.createObjectMessage("object")};
        for (Message message : all) {
            setProperties(message);
            producer.send(message);
        }
        test("request with a text as its identifier", () -> request(""));
        test("request with a uuid as its identifier", () ->
                request("&jms.messageIDPolicy.messageIDType=UUID"));
        connection.close();
        System.exit(0);
    }
}
