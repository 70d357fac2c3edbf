import jakarta.jms.*;
import jakarta.jms.IllegalStateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sections 8 to 10: consumers, subscriptions, reliability and exceptions. */
class Receiving extends Suite {
    static void tests() {
        unshared();
        shared();
        durable();
        consuming();
        reliability();
    }

    private static void publish(Bench b, Topic topic, String... texts) throws JMSException {
        MessageProducer producer = b.session().createProducer(topic);
        for (String text : texts) {
            producer.send(b.session().createTextMessage(text));
        }
    }

    private static void unshared() {
        test("8.2", "a consumer of a queue has a selector and says it", b -> {
            MessageConsumer consumer = b.session().createConsumer(b.queue(), "n = 1");
            same("n = 1", consumer.getMessageSelector());
            Message message = b.session().createTextMessage("one");
            message.setIntProperty("n", 1);
            b.send("other");
            b.send(message);
            b.texts(consumer, "one");
        });
        test("8.3.1", "a subscription that is not durable ends with its consumer", b -> {
            Topic topic = b.topic();
            MessageConsumer consumer = b.session().createConsumer(topic);
            consumer.close();
            publish(b, topic, "missed");
            b.nothing(b.session().createConsumer(topic));
        });
        test("8.3.1", "publications of a topic come in order", b -> {
            Topic topic = b.topic();
            MessageConsumer consumer = b.session().createConsumer(topic);
            publish(b, topic, "1", "2", "3", "4");
            b.texts(consumer, "1", "2", "3", "4");
        });
    }

    /** Publications that several consumers were given: each for one of them. */
    private static List<String> parted(MessageConsumer... consumers) throws JMSException {
        List<String> all = new ArrayList<>();
        for (MessageConsumer consumer : consumers) {
            for (Message m = consumer.receive(ABSENT_MS); m != null; m = consumer.receive(ABSENT_MS)) {
                all.add(text(m));
            }
        }
        all.sort(null);
        return all;
    }

    private static void shared() {
        test("8.3.2", "a shared subscription gives each publication to one consumer", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.session().createSharedConsumer(topic, name);
            MessageConsumer two = b.session(Session.AUTO_ACKNOWLEDGE).createSharedConsumer(topic, name);
            publish(b, topic, "1", "2", "3", "4");
            same(List.of("1", "2", "3", "4"), parted(one, two));
        });
        test("8.3.2", "a shared subscription without client identifiers is used by several connections", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.session().createSharedConsumer(topic, name);
            Connection other = b.another();
            other.start();
            MessageConsumer two = other.createSession().createSharedConsumer(topic, name);
            publish(b, topic, "1", "2", "3");
            same(List.of("1", "2", "3"), parted(one, two));
        });
        test("8.3.2", "shared subscriptions of two clients with one name are two", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.client(b.name()).createSession().createSharedConsumer(topic, name);
            MessageConsumer two = b.client(b.name()).createSession().createSharedConsumer(topic, name);
            publish(b, topic, "1");
            b.texts(one, "1");
            b.texts(two, "1");
        });
        test("8.3.2", "a shared subscription that is not durable ends with its last consumer", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.session().createSharedConsumer(topic, name);
            MessageConsumer two = b.session().createSharedConsumer(topic, name);
            one.close();
            publish(b, topic, "1");
            b.texts(two, "1");
            two.close();
            publish(b, topic, "2");
            b.nothing(b.session().createSharedConsumer(topic, name));
        });
        test("8.3.2", "a shared subscription in use has one topic and selector", b -> {
            String name = b.name();
            b.session().createSharedConsumer(b.topic(), name);
            refuses(JMSException.class, () -> b.session().createSharedConsumer(b.topic(), name));
        });
        test("8.3.4", "a shared durable subscription gives each publication to one, and keeps the rest", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.session().createSharedDurableConsumer(topic, name);
            MessageConsumer two = b.session().createSharedDurableConsumer(topic, name);
            publish(b, topic, "1", "2", "3");
            same(List.of("1", "2", "3"), parted(one, two));
            one.close();
            two.close();
            publish(b, topic, "4");
            MessageConsumer later = b.session().createSharedDurableConsumer(topic, name);
            b.texts(later, "4");
            later.close();
            b.session().unsubscribe(name);
        });
        test("8.3.4", "a name is shared or not", b -> {
            Topic topic = b.topic();
            String name = b.name();
            Session session = b.client(b.name()).createSession();
            MessageConsumer consumer = session.createDurableConsumer(topic, name);
            refuses(JMSException.class, () -> session.createSharedDurableConsumer(topic, name));
            consumer.close();
            session.unsubscribe(name);
        });
        test("8.3.4", "a shared durable subscription has a selector", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer consumer = b.session().createSharedDurableConsumer(topic, name, "n = 2");
            MessageProducer producer = b.session().createProducer(topic);
            for (int n = 1; n <= 2; n++) {
                Message message = b.session().createTextMessage("" + n);
                message.setIntProperty("n", n);
                producer.send(message);
            }
            b.texts(consumer, "2");
            b.nothing(consumer);
            consumer.close();
            b.session().unsubscribe(name);
        });
    }

    private static void durable() {
        test("8.3.3", "a durable subscription keeps publications for its client", b -> {
            Topic topic = b.topic();
            String name = b.name();
            String client = b.name();
            Connection first = b.client(client);
            first.createSession().createDurableConsumer(topic, name);
            first.close();
            publish(b, topic, "1", "2");
            Session next = b.client(client).createSession();
            MessageConsumer consumer = next.createDurableConsumer(topic, name);
            b.texts(consumer, "1", "2");
            consumer.close();
            next.unsubscribe(name);
        });
        test("8.3.3", "a durable subscription needs a client identifier", b ->
                refuses(IllegalStateException.class,
                        () -> b.another().createSession().createDurableConsumer(b.topic(), b.name())));
        test("8.3.3", "a durable subscription has one consumer", b -> {
            Topic topic = b.topic();
            String name = b.name();
            Session session = b.client(b.name()).createSession();
            session.createDurableConsumer(topic, name);
            refuses(JMSException.class, () -> session.createDurableConsumer(topic, name));
        });
        test("8.3.3", "another topic begins a subscription anew", b -> {
            String name = b.name();
            Topic old = b.topic();
            Topic other = b.topic();
            Session session = b.client(b.name()).createSession();
            session.createDurableConsumer(old, name).close();
            publish(b, old, "old");
            MessageConsumer consumer = session.createDurableConsumer(other, name);
            publish(b, other, "new");
            b.texts(consumer, "new");
            b.nothing(consumer);
        });
        test("8.3.3", "another selector begins a subscription anew", b -> {
            String name = b.name();
            Topic topic = b.topic();
            Session session = b.client(b.name()).createSession();
            session.createDurableConsumer(topic, name, "n = 1", false).close();
            Message one = b.session().createTextMessage("one");
            one.setIntProperty("n", 1);
            b.session().createProducer(topic).send(one);
            MessageConsumer consumer = session.createDurableConsumer(topic, name, "n = 2", false);
            b.nothing(consumer);
        });
        test("8.3.3", "names of two clients are apart", b -> {
            Topic topic = b.topic();
            String name = b.name();
            MessageConsumer one = b.client(b.name()).createSession().createDurableConsumer(topic, name);
            MessageConsumer two = b.client(b.name()).createSession().createDurableConsumer(topic, name);
            publish(b, topic, "1");
            b.texts(one, "1");
            b.texts(two, "1");
        });
        test("8.3.3", "a durable subscriber leaves out its own publications", b -> {
            Topic topic = b.topic();
            Session session = b.client(b.name()).createSession();
            MessageConsumer consumer = session.createDurableConsumer(topic, b.name(), null, true);
            session.createProducer(topic).send(session.createTextMessage("own"));
            publish(b, topic, "other's");
            b.texts(consumer, "other's");
            b.nothing(consumer);
        });
        test("8.3.3", "what is not durable ends with unsubscribe, and its messages", b -> {
            Topic topic = b.topic();
            String name = b.name();
            Session session = b.client(b.name()).createSession();
            session.createDurableConsumer(topic, name).close();
            publish(b, topic, "1");
            session.unsubscribe(name);
            b.nothing(session.createDurableConsumer(topic, name));
        });
    }

    private static void consuming() {
        test("8.4", "a consumer of a context starts delivery by itself unless told not to", b -> {
            JMSContext context = b.context();
            context.createProducer().send(b.queue(), "one");
            JMSContext stopped = b.context();
            stopped.setAutoStart(false);
            JMSConsumer consumer = stopped.createConsumer(b.queue());
            same(null, consumer.receive(ABSENT_MS));
            stopped.start();
            same("one", consumer.receiveBody(String.class, COMES_MS));
        });
        test("8.5", "receiveNoWait has what is there, and does not wait", b -> {
            b.send("one");
            same("one", text(b.consumer().receiveNoWait()));
            same(null, b.consumer().receiveNoWait());
        });
        test("8.5", "receive waits for as long as it is told", b -> {
            long before = System.nanoTime();
            same(null, b.consumer().receive(200));
            long waited = (System.nanoTime() - before) / 1_000_000;
            check(waited >= 195, "it waited for " + waited);
        });
        test("8.6", "receiveBody gives the body of each kind", b -> {
            JMSContext context = b.context();
            JMSProducer producer = context.createProducer();
            producer.send(b.queue(), "text").send(b.queue(), new byte[] {1, 2})
                    .send(b.queue(), Map.of("k", (Object) "v")).send(b.queue(), (java.io.Serializable) 17L);
            JMSConsumer consumer = context.createConsumer(b.queue());
            same("text", consumer.receiveBody(String.class, COMES_MS));
            sameBytes(new byte[] {1, 2}, consumer.receiveBody(byte[].class, COMES_MS));
            same(Map.of("k", "v"), consumer.receiveBody(Map.class, COMES_MS));
            same(17L, consumer.receiveBody(Long.class, COMES_MS));
        });
        test("8.6", "a body of another kind is refused, and the message is not lost", b -> {
            JMSContext context = b.context();
            context.createProducer().send(b.queue(), "text");
            JMSConsumer consumer = context.createConsumer(b.queue());
            try {
                consumer.receiveBody(byte[].class, COMES_MS);
                throw new AssertionError("it was given");
            } catch (MessageFormatRuntimeException expected) {
                same("text", consumer.receiveBody(String.class, COMES_MS));
            }
        });
        test("8.7", "a listener is given messages in order", b -> {
            Heard heard = new Heard();
            b.consumer().setMessageListener(heard);
            Session sender = b.session(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = sender.createProducer(b.queue());
            for (int n = 0; n < 50; n++) {
                producer.send(sender.createTextMessage("" + n));
            }
            for (int n = 0; n < 50; n++) {
                same("" + n, text(heard.next()));
            }
        });
        test("8.7", "a listener within a transaction commits what it was given", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            Heard heard = new Heard();
            b.send("one");
            session.createConsumer(b.queue()).setMessageListener(message -> {
                try {
                    session.commit();
                    heard.onMessage(message);
                } catch (JMSException error) {
                    throw new java.lang.IllegalStateException(error);
                }
            });
            same("one", text(heard.next()));
            session.close();
            b.nothing(b.consumer());
        });
        test("8.8", "a closed consumer gives back what came ahead, and takes no more", b -> {
            MessageConsumer consumer = b.session().createConsumer(b.queue());
            b.send("one", "two");
            b.texts(consumer, "one");
            consumer.close();
            consumer.close();
            refuses(IllegalStateException.class, () -> consumer.receive(1));
            b.texts(b.consumer(), "two");
        });
        test("8.8", "a consumer closed within a transaction keeps its messages in it", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            b.send("one");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.texts(consumer, "one");
            consumer.close();
            b.nothing(b.consumer());
            session.rollback();
            b.texts(b.consumer(), "one");
        });
    }

    private static void reliability() {
        test("9.1", "ten thousand messages come once and in order", b -> {
            Session session = b.session(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(b.queue());
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            Thread sender = new Thread(() -> {
                try {
                    for (int n = 0; n < 10_000; n++) {
                        producer.send(session.createTextMessage("" + n));
                    }
                } catch (JMSException error) {
                    throw new java.lang.IllegalStateException(error);
                }
            });
            sender.start();
            for (int n = 0; n < 10_000; n++) {
                same("" + n, text(b.receive()));
            }
            sender.join();
            b.nothing(b.consumer());
        });
        test("9.1", "a consumer that is slow has messages of others not starved", b -> {
            Queue fast = b.anotherQueue();
            MessageConsumer slow = b.consumer();
            MessageProducer producer = b.session().createProducer(null);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int n = 0; n < 3_000; n++) {
                producer.send(b.queue(), b.session().createTextMessage("" + n));
            }
            producer.send(fast, b.session().createTextMessage("fast"));
            b.texts(b.session().createConsumer(fast), "fast");
            b.texts(slow, "0");
        });
        test("10.3", "a queue that inhibits puts refuses them", b -> {
            Queue queue = b.session().createQueue("JAKARTA.NOPUT");
            refuses(JMSException.class, () -> b.session().createProducer(queue)
                    .send(b.session().createMessage()));
        });
        test("10.3", "a destination that is none is refused", b -> {
            refuses(InvalidDestinationException.class, () -> b.session().createConsumer(null));
            refuses(InvalidDestinationException.class,
                    () -> b.session().createBrowser(b.session().createQueue("NO.SUCH.QUEUE"))
                            .getEnumeration().hasMoreElements());
        });
        test("10.3", "a number for a mode of acknowledgement that is none is refused", b ->
                refuses(JMSException.class, () -> b.connection().createSession(17)));
    }
}
