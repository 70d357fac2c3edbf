import jakarta.jms.*;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Section 3: headers, properties, selectors and bodies. */
class Messages extends Suite {
    interface Setter {
        void set(Message message) throws JMSException;
    }

    static void tests() {
        headers();
        properties();
        conversions();
        selectors();
        bodies();
    }

    private static void headers() {
        test("3.4.1", "a message says the destination that it was sent to", b ->
                same(b.queue(), b.pass(b.session().createMessage()).getJMSDestination()));
        test("3.4.1", "a message of a topic says its topic", b -> {
            Topic topic = b.topic();
            MessageConsumer consumer = b.session().createConsumer(topic);
            b.session().createProducer(topic).send(b.session().createMessage());
            same(topic, b.receive(consumer).getJMSDestination());
        });
        for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
            test("3.4.2", "delivery mode " + mode + " is that of the sender", b -> {
                b.producer().setDeliveryMode(mode);
                same(mode, b.pass(b.session().createMessage()).getJMSDeliveryMode());
            });
        }
        test("3.4.3", "a message identifier begins with ID: and is known at both ends", b -> {
            Message sent = b.session().createMessage();
            Message received = b.pass(sent);
            check(received.getJMSMessageID().startsWith("ID:"), received.getJMSMessageID());
            same(sent.getJMSMessageID(), received.getJMSMessageID());
        });
        test("3.4.3", "identifiers differ", b -> {
            check(!b.pass(b.session().createMessage()).getJMSMessageID()
                    .equals(b.pass(b.session().createMessage()).getJMSMessageID()), "two are the same");
        });
        test("3.4.3", "a sender that needs no identifier may say so", b -> {
            b.producer().setDisableMessageID(true);
            same(null, b.pass(b.session().createMessage()).getJMSMessageID());
        });
        test("3.4.4", "the time of a message lies between before and after its send", b -> {
            long before = System.currentTimeMillis();
            Message received = b.pass(b.session().createMessage());
            long at = received.getJMSTimestamp();
            check(before <= at && at <= System.currentTimeMillis(), before + " " + at);
        });
        test("3.4.5", "a correlation identifier of the application comes as it is", b -> {
            Message message = b.session().createMessage();
            message.setJMSCorrelationID("order 17 \u00e4");
            same("order 17 \u00e4", b.pass(message).getJMSCorrelationID());
        });
        test("3.4.5", "a message identifier comes as a correlation identifier", b -> {
            Message question = b.pass(b.session().createMessage());
            Message answer = b.session().createMessage();
            answer.setJMSCorrelationID(question.getJMSMessageID());
            same(question.getJMSMessageID(), b.pass(answer).getJMSCorrelationID());
        });
        test("3.4.5", "a correlation identifier of bytes comes as it is", b -> {
            Message message = b.session().createMessage();
            byte[] bytes = {0, 1, 2, (byte) 0xFF, 17};
            message.setJMSCorrelationIDAsBytes(bytes);
            sameBytes(bytes, b.pass(message).getJMSCorrelationIDAsBytes());
        });
        test("3.4.6", "a destination for replies comes as it is", b -> {
            Message message = b.session().createMessage();
            Queue replies = b.anotherQueue();
            message.setJMSReplyTo(replies);
            Message received = b.pass(message);
            same(replies, received.getJMSReplyTo());
            b.session().createProducer(received.getJMSReplyTo()).send(b.session().createTextMessage("answer"));
            b.texts(b.session().createConsumer(replies), "answer");
        });
        test("3.4.6", "a topic for replies comes as it is", b -> {
            Message message = b.session().createMessage();
            Topic replies = b.topic();
            message.setJMSReplyTo(replies);
            same(replies, b.pass(message).getJMSReplyTo());
        });
        test("3.4.7", "a message is redelivered after a recover, and only then", b -> {
            Session session = b.session(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.send("one");
            check(!b.receive(consumer).getJMSRedelivered(), "it is new");
            session.recover();
            Message again = b.receive(consumer);
            check(again.getJMSRedelivered(), "it is not new");
            again.acknowledge();
        });
        test("3.4.8", "a type comes as it is", b -> {
            Message message = b.session().createMessage();
            message.setJMSType("invoice");
            same("invoice", b.pass(message).getJMSType());
        });
        test("3.4.9", "an expiration is the time of the send and the time to live", b -> {
            b.producer().setTimeToLive(60_000);
            Message received = b.pass(b.session().createMessage());
            long lives = received.getJMSExpiration() - received.getJMSTimestamp();
            check(Math.abs(lives - 60_000) <= 1_000, "it lives " + lives);
        });
        test("3.4.9", "a message without a time to live never expires", b ->
                same(0L, b.pass(b.session().createMessage()).getJMSExpiration()));
        test("3.4.9", "a message whose time is over does not come", b -> {
            b.producer().setTimeToLive(50);
            b.send("short");
            Thread.sleep(200);
            b.nothing(b.consumer());
        });
        for (int priority : new int[] {0, 4, 9}) {
            test("3.4.10", "priority " + priority + " comes as it is", b -> {
                b.producer().setPriority(priority);
                same(priority, b.pass(b.session().createMessage()).getJMSPriority());
            });
        }
        test("3.4.11", "headers that a sender sets on a message are set again by the send", b -> {
            Message message = b.session().createMessage();
            message.setJMSPriority(9);
            message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
            message.setJMSExpiration(17);
            message.setJMSTimestamp(17);
            Message received = b.pass(message);
            same(4, received.getJMSPriority());
            same(DeliveryMode.PERSISTENT, received.getJMSDeliveryMode());
            same(0L, received.getJMSExpiration());
            check(received.getJMSTimestamp() > 17, "the time was not set");
        });
        test("3.4.13", "a delivery time is the time of the send and the delay", b -> {
            b.producer().setDeliveryDelay(300);
            Message received = b.pass(b.session().createMessage());
            long delay = received.getJMSDeliveryTime() - received.getJMSTimestamp();
            check(Math.abs(delay - 300) <= 5, "delayed by " + delay);
        });
    }

    private static final Map<String, Object> VALUES = new TreeMap<>(Map.of(
            "aBoolean", true, "aByte", (byte) -7, "aShort", (short) -700, "anInt", -70_000,
            "aLong", 1L << 40, "aFloat", 1.5f, "aDouble", 1.0e300, "aString", "text \u00e4\u20ac\ud83d\ude00"));

    private static void properties() {
        for (Map.Entry<String, Object> value : VALUES.entrySet()) {
            test("3.5.2", "a property " + value.getKey() + " keeps its type and value", b -> {
                Message message = b.session().createMessage();
                message.setObjectProperty(value.getKey(), value.getValue());
                same(value.getValue(), b.pass(message).getObjectProperty(value.getKey()));
            });
        }
        test("3.5.1", "a name that is no identifier is refused", b -> {
            Message message = b.session().createMessage();
            for (String wrong : new String[] {"1a", "a-b", "NULL", "TRUE", "AND", "BETWEEN"}) {
                refuses(Exception.class, () -> message.setStringProperty(wrong, "v"));
            }
            refuses(IllegalArgumentException.class, () -> message.setStringProperty("", "v"));
        });
        test("3.5.1", "names keep their case and characters", b -> {
            Message message = b.session().createMessage();
            message.setIntProperty("lower_1$", 1);
            message.setIntProperty("LOWER_1$", 2);
            Message received = b.pass(message);
            same(1, received.getIntProperty("lower_1$"));
            same(2, received.getIntProperty("LOWER_1$"));
        });
        test("3.5.3", "properties of a received message may not be changed", b -> {
            Message received = b.pass(b.session().createMessage());
            refuses(MessageNotWriteableException.class, () -> received.setIntProperty("n", 1));
        });
        test("3.5.5", "an object that is no value is refused", b ->
                refuses(MessageFormatException.class,
                        () -> b.session().createMessage().setObjectProperty("n", new Object())));
        test("3.5.6", "all names are told", b -> {
            Message message = b.session().createMessage();
            for (Map.Entry<String, Object> value : VALUES.entrySet()) {
                message.setObjectProperty(value.getKey(), value.getValue());
            }
            List<Object> names = new ArrayList<>(Collections.list(b.pass(message).getPropertyNames()));
            names.removeIf(name -> name.toString().startsWith("JMS"));
            names.sort(null);
            same(new ArrayList<>(VALUES.keySet()), names);
        });
        test("3.5.7", "properties are cleared and the body stays", b -> {
            TextMessage message = b.session().createTextMessage("body");
            message.setIntProperty("n", 1);
            TextMessage received = b.pass(message);
            received.clearProperties();
            check(!received.propertyExists("n"), "it is there");
            same("body", received.getText());
            received.setIntProperty("n", 2);
            same(2, received.getIntProperty("n"));
        });
        test("3.5.8", "a property that is not there is null, or no number", b -> {
            Message received = b.pass(b.session().createMessage());
            same(null, received.getStringProperty("n"));
            same(null, received.getObjectProperty("n"));
            same(false, received.getBooleanProperty("n"));
            refuses(NumberFormatException.class, () -> received.getIntProperty("n"));
        });
        test("3.5.9", "group and its sequence come as they are", b -> {
            Message message = b.session().createMessage();
            message.setStringProperty("JMSXGroupID", "group of texts");
            message.setIntProperty("JMSXGroupSeq", 3);
            Message received = b.pass(message);
            same("group of texts", received.getStringProperty("JMSXGroupID"));
            same(3, received.getIntProperty("JMSXGroupSeq"));
        });
        test("3.5.11", "the delivery count is 1, and higher after each rollback", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            b.send("one");
            for (int count = 1; count <= 3; count++) {
                MessageConsumer consumer = session.createConsumer(b.queue());
                Message message = b.receive(consumer);
                same(count, message.getIntProperty("JMSXDeliveryCount"));
                same(count > 1, message.getJMSRedelivered());
                session.rollback();
                consumer.close();
            }
        });
    }

    private static void conversions() {
        test("3.5.4", "numbers widen", b -> {
            Message message = b.session().createMessage();
            message.setByteProperty("n", (byte) 7);
            message.setFloatProperty("f", 1.5f);
            Message received = b.pass(message);
            same((short) 7, received.getShortProperty("n"));
            same(7, received.getIntProperty("n"));
            same(7L, received.getLongProperty("n"));
            same("7", received.getStringProperty("n"));
            same(1.5, received.getDoubleProperty("f"));
        });
        test("3.5.4", "numbers do not narrow", b -> {
            Message message = b.session().createMessage();
            message.setLongProperty("l", 7);
            message.setDoubleProperty("d", 1.5);
            Message received = b.pass(message);
            refuses(MessageFormatException.class, () -> received.getIntProperty("l"));
            refuses(MessageFormatException.class, () -> received.getFloatProperty("d"));
            refuses(MessageFormatException.class, () -> received.getBooleanProperty("l"));
        });
        test("3.5.4", "texts are read as numbers where they are some", b -> {
            Message message = b.session().createMessage();
            message.setStringProperty("n", "17");
            message.setStringProperty("t", "true");
            message.setStringProperty("x", "no number");
            Message received = b.pass(message);
            same(17, received.getIntProperty("n"));
            same(true, received.getBooleanProperty("t"));
            refuses(NumberFormatException.class, () -> received.getIntProperty("x"));
        });
    }

    /** Selectors, and those of four messages that each takes. */
    private static final String[][] SELECTORS = {
        {"colour = 'red'", "1"}, {"colour <> 'red'", "2 3"}, {"colour IS NULL", "4"},
        {"colour IS NOT NULL", "1 2 3"}, {"NOT (colour = 'red')", "2 3"},
        {"colour IN ('red', 'blue')", "1 3"}, {"colour NOT IN ('red', 'blue')", "2"},
        {"colour LIKE '%e%'", "1 2 3"}, {"colour LIKE 'r__'", "1"}, {"colour NOT LIKE '%e'", "1 2"},
        {"label LIKE 'a\\_b' ESCAPE '\\'", "2"}, {"size > 10", "2 3"}, {"size >= 10", "1 2 3"},
        {"size < 20 OR size = 30", "1 3"}, {"size BETWEEN 15 AND 30", "2 3"},
        {"size NOT BETWEEN 15 AND 30", "1"}, {"size * 2 + 1 = 41", "2"}, {"size / 4 = 2", "1"}, {"size / 4.0 = 2.5", "1"},
        {"-size = -10", "1"}, {"size = 0x1E", "3"}, {"weight > 1.5", "2 3"}, {"weight = 1.5E0", "1"},
        {"isNew = TRUE", "1 3"}, {"isNew", "1 3"}, {"isNew = FALSE AND size = 20", "2"},
        {"colour = 'red' AND (size > 5 OR weight > 100)", "1"}, {"label = 'it''s'", "1"},
        {"Colour = 'red'", ""}, {"size = '10'", ""},
        {"JMSPriority = 8", "3"}, {"JMSType = 'kind 2'", "2"}, {"JMSCorrelationID = 'c1'", "1"},
        {"JMSDeliveryMode = 'NON_PERSISTENT'", "4"}, {"JMSDeliveryMode = 'PERSISTENT'", "1 2 3"},
        {"JMSMessageID IS NOT NULL", "1 2 3 4"}, {"JMSTimestamp > 0", "1 2 3 4"},
    };

    private static void selectors() {
        for (String[] row : SELECTORS) {
            String section = row[0].contains("NULL") ? "3.8.1.2" : "3.8.1.1";
            test(section, "selector " + row[0], b -> {
                four(b);
                MessageConsumer consumer = b.session().createConsumer(b.queue(), row[0]);
                List<String> taken = new ArrayList<>();
                for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
                    taken.add(text(m));
                }
                taken.sort(null);
                same(row[1], String.join(" ", taken));
            });
        }
        for (String wrong : new String[] {"size >", "colour LIKE size", "= 3", "a = 'x", "size BETWEEN 1", "colour > 'a'"}) {
            test("3.8.1.1", "selector " + wrong + " is refused", b ->
                    refuses(InvalidSelectorException.class,
                            () -> b.session().createConsumer(b.queue(), wrong)));
        }
        test("3.8.1", "an empty selector, or none, takes every message", b -> {
            b.send("one", "two");
            MessageConsumer first = b.session().createConsumer(b.queue(), "");
            b.texts(first, "one");
            first.close();
            b.texts(b.session().createConsumer(b.queue(), null), "two");
        });
        test("3.8.1", "a selector does not see the body", b -> {
            MapMessage message = b.session().createMapMessage();
            message.setInt("size", 10);
            b.send(message);
            b.nothing(b.session().createConsumer(b.queue(), "size = 10"));
        });
        test("3.8.1", "messages that a selector leaves stay for others", b -> {
            four(b);
            b.texts(b.session().createConsumer(b.queue(), "size = 20"), "2");
            b.texts(b.consumer(), "3", "1", "4");
        });
    }

    private static void four(Bench b) throws JMSException {
        String[] colours = {"red", "green", "blue"};
        String[] labels = {"it's", "a_b", "axb"};
        for (int n = 1; n <= 4; n++) {
            TextMessage message = b.session().createTextMessage(String.valueOf(n));
            if (n <= 3) {
                message.setStringProperty("colour", colours[n - 1]);
                message.setStringProperty("label", labels[n - 1]);
                message.setIntProperty("size", n * 10);
                message.setDoubleProperty("weight", n * 1.5);
                message.setBooleanProperty("isNew", n != 2);
                message.setJMSType("kind " + n);
                message.setJMSCorrelationID("c" + n);
            }
            b.producer().send(message, n == 4 ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT,
                    n == 3 ? 8 : 4, 0);
        }
    }

    private static void bodies() {
        test("3.9", "a message may be changed and sent again", b -> {
            TextMessage message = b.session().createTextMessage("one");
            b.send(message);
            message.setText("two");
            b.send(message);
            b.texts(b.consumer(), "one", "two");
        });
        test("3.10", "a received message is read-only until it is cleared", b -> {
            TextMessage received = b.pass(b.session().createTextMessage("one"));
            refuses(MessageNotWriteableException.class, () -> received.setText("two"));
            received.clearBody();
            received.setText("two");
            same("two", text(b.pass(received)));
        });
        test("3.11", "a text is as it was, also a long one and none", b -> {
            for (String text : new String[] {"", "\u00e4\u20ac\ud83d\ude00 \u0000", "x".repeat(300_000), null}) {
                same(text, b.pass(b.session().createTextMessage(text)).getText());
            }
        });
        test("3.11", "bytes are as they were", b -> {
            byte[] bytes = new byte[70_000];
            new java.util.Random(1).nextBytes(bytes);
            BytesMessage message = b.session().createBytesMessage();
            message.writeBytes(bytes);
            BytesMessage received = b.pass(message);
            same((long) bytes.length, received.getBodyLength());
            byte[] read = new byte[bytes.length];
            same(bytes.length, received.readBytes(read));
            sameBytes(bytes, read);
        });
        test("3.11", "bytes have values of all types", b -> {
            BytesMessage message = b.session().createBytesMessage();
            message.writeBoolean(true);
            message.writeChar('\u20ac');
            message.writeDouble(-0.5);
            message.writeUTF("\u00e4");
            message.writeLong(Long.MIN_VALUE);
            BytesMessage received = b.pass(message);
            same(true, received.readBoolean());
            same('\u20ac', received.readChar());
            same(-0.5, received.readDouble());
            same("\u00e4", received.readUTF());
            same(Long.MIN_VALUE, received.readLong());
            refuses(MessageEOFException.class, received::readByte);
        });
        test("3.11", "a map has values of all types", b -> {
            MapMessage message = b.session().createMapMessage();
            for (Map.Entry<String, Object> value : VALUES.entrySet()) {
                message.setObject(value.getKey(), value.getValue());
            }
            message.setChar("aChar", 'x');
            message.setBytes("bytes", new byte[] {1, 2});
            MapMessage received = b.pass(message);
            for (Map.Entry<String, Object> value : VALUES.entrySet()) {
                same(value.getValue(), received.getObject(value.getKey()));
            }
            same('x', received.getChar("aChar"));
            sameBytes(new byte[] {1, 2}, received.getBytes("bytes"));
            same(VALUES.size() + 2, Collections.list(received.getMapNames()).size());
        });
        test("3.11", "a stream has values of all types in their order", b -> {
            StreamMessage message = b.session().createStreamMessage();
            for (Object value : VALUES.values()) {
                message.writeObject(value);
            }
            message.writeChar('x');
            message.writeBytes(new byte[] {1, 2});
            StreamMessage received = b.pass(message);
            for (Object value : VALUES.values()) {
                same(value, received.readObject());
            }
            same('x', received.readChar());
            byte[] read = new byte[2];
            same(2, received.readBytes(read));
            sameBytes(new byte[] {1, 2}, read);
        });
        test("3.11", "an object is as it was", b -> {
            ArrayList<String> list = new ArrayList<>(List.of("a", "b"));
            same(list, b.pass(b.session().createObjectMessage(list)).getObject());
        });
        test("3.11", "a message without a body has none", b -> {
            Message received = b.pass(b.session().createMessage());
            check(!(received instanceof TextMessage || received instanceof BytesMessage), "" + received.getClass());
        });
        test("3.11.1", "a cleared body leaves properties", b -> {
            TextMessage message = b.session().createTextMessage("one");
            message.setIntProperty("n", 1);
            TextMessage received = b.pass(message);
            received.clearBody();
            same(null, received.getText());
            same(1, received.getIntProperty("n"));
        });
        test("3.11.2", "a body that is read is not written", b -> {
            BytesMessage bytes = b.pass(b.session().createBytesMessage());
            refuses(MessageNotWriteableException.class, () -> bytes.writeInt(1));
            refuses(MessageNotReadableException.class, () -> b.session().createBytesMessage().readInt());
        });
        test("3.11.3", "values of a map and a stream convert", b -> {
            MapMessage map = b.session().createMapMessage();
            map.setInt("n", 7);
            map.setString("s", "8");
            MapMessage received = b.pass(map);
            same(7L, received.getLong("n"));
            same("7", received.getString("n"));
            same(8, received.getInt("s"));
            refuses(MessageFormatException.class, () -> received.getShort("n"));
            StreamMessage stream = b.session().createStreamMessage();
            stream.writeString("9");
            same((short) 9, b.pass(stream).readShort());
        });
    }
}
