import jakarta.jms.*;
import org.apache.qpid.jms.JmsConnectionFactory;

/** The side of JMS, beside a program of the message queue interface. */
public class Pair {
    private static final long COMES_MS = 60_000;

    private static final Checks CHECKS = new Checks("MQI to JMS");

    private static void properties(Message message) throws JMSException {
        Checks.same("red", message.getStringProperty("colour"));
        Checks.same(-7, message.getObjectProperty("count"));
        Checks.same(1L << 40, message.getObjectProperty("large"));
        Checks.same((short) 3, message.getObjectProperty("small"));
        Checks.same(1.5, message.getObjectProperty("real"));
        Checks.same(true, message.getObjectProperty("isNew"));
        Checks.same(6, message.getJMSPriority());
        Checks.same(DeliveryMode.PERSISTENT, message.getJMSDeliveryMode());
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
            Checks.same("answer of a program", ((TextMessage) answer).getText());
            Checks.same(wanted, answer.getJMSCorrelationID());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Connection connection = new JmsConnectionFactory(System.getProperty("ferry.uri")).createConnection();
        connection.start();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("PAIR.TO.JMS"));
        CHECKS.test("text", () -> {
            TextMessage message = (TextMessage) consumer.receive(COMES_MS);
            Checks.same("forty-two \u00e4", message.getText());
            properties(message);
        });
        CHECKS.test("bytes", () -> {
            BytesMessage message = (BytesMessage) consumer.receive(COMES_MS);
            byte[] bytes = new byte[8];
            Checks.same(4, message.readBytes(bytes));
            Checks.same((byte) 0xFF, bytes[3]);
            properties(message);
        });
        CHECKS.test("map", () -> {
            MapMessage message = (MapMessage) consumer.receive(COMES_MS);
            Checks.same("text", message.getObject("a"));
            Checks.same(7, message.getObject("b"));
            properties(message);
        });
        CHECKS.test("stream", () -> {
            StreamMessage message = (StreamMessage) consumer.receive(COMES_MS);
            Checks.same("text", message.readObject());
            Checks.same(7L, message.readObject());
            Checks.same(true, message.readObject());
            properties(message);
        });
        CHECKS.test("object", () -> {
            ObjectMessage message = (ObjectMessage) consumer.receive(COMES_MS);
            Checks.same("object", message.getObject());
            properties(message);
        });
        CHECKS.test("answer", () -> {
            Message question = consumer.receive(COMES_MS);
            Checks.same("question of a program", ((TextMessage) question).getText());
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
        CHECKS.test("request with a text as its identifier", () -> request(""));
        CHECKS.test("request with a uuid as its identifier", () ->
                request("&jms.messageIDPolicy.messageIDType=UUID"));
        connection.close();
        System.exit(0);
    }
}
