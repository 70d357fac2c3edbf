import jakarta.jms.*;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Section 7: producers, asynchronous sends and their options. */
class Sending extends Suite {
    /** Hears of asynchronous sends. */
    static class Completion implements CompletionListener {
        final CountDownLatch left;
        final StringBuilder order = new StringBuilder();
        volatile Exception failure;

        Completion(int expected) {
            left = new CountDownLatch(expected);
        }

        @Override
        public synchronized void onCompletion(Message message) {
            try {
                order.append(((TextMessage) message).getText());
            } catch (JMSException error) {
                failure = error;
            }
            left.countDown();
        }

        @Override
        public void onException(Message message, Exception error) {
            failure = error;
            left.countDown();
        }

        void await() throws InterruptedException {
            check(left.await(COMES_MS, TimeUnit.MILLISECONDS), "not all were completed");
        }
    }

    static void tests() {
        producers();
        asynchronously();
        options();
    }

    private static void producers() {
        test("7.1", "a producer without a destination is given one with each message", b -> {
            MessageProducer producer = b.session().createProducer(null);
            Queue other = b.anotherQueue();
            producer.send(b.queue(), b.session().createTextMessage("one"));
            producer.send(other, b.session().createTextMessage("two"));
            b.texts(b.consumer(), "one");
            b.texts(b.session().createConsumer(other), "two");
        });
        test("7.1", "a producer without a destination needs one, and one with a destination takes no other", b -> {
            Message message = b.session().createMessage();
            refuses(UnsupportedOperationException.class, () -> b.session().createProducer(null).send(message));
            refuses(UnsupportedOperationException.class, () -> b.producer().send(b.anotherQueue(), message));
            refuses(InvalidDestinationException.class,
                    () -> b.session().createProducer(null).send((Destination) null, message));
        });
        test("7.1", "a producer says its destination", b -> same(b.queue(), b.producer().getDestination()));
        test("7.2", "a send that is refused says so", b -> {
            Queue missing = b.session().createQueue("NO.SUCH.QUEUE");
            refuses(InvalidDestinationException.class, () -> b.session().createProducer(missing));
            refuses(InvalidDestinationException.class, () -> b.session().createProducer(null)
                    .send(missing, b.session().createMessage()));
        });
        test("7.2", "a message that is longer than the queue takes is refused", b -> {
            Queue small = b.session().createQueue("JAKARTA.SMALL");
            MessageProducer producer = b.session().createProducer(small);
            refuses(JMSException.class, () -> producer.send(b.session().createTextMessage("x".repeat(2000))));
            producer.send(b.session().createTextMessage("short"));
            b.texts(b.session().createConsumer(small), "short");
        });
        test("7.2", "a queue that is full refuses, and takes messages once there is room", b -> {
            Queue full = b.session().createQueue("JAKARTA.FULL");
            MessageProducer producer = b.session().createProducer(full);
            producer.send(b.session().createTextMessage("one"));
            refuses(ResourceAllocationException.class,
                    () -> producer.send(b.session().createTextMessage("two")));
            MessageConsumer consumer = b.session().createConsumer(full);
            b.texts(consumer, "one");
            producer.send(b.session().createTextMessage("three"));
            b.texts(consumer, "three");
        });
    }

    private static void asynchronously() {
        for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
            test("7.3.1", "an asynchronous send of mode " + mode + " is completed", b -> {
                Completion completion = new Completion(1);
                b.producer().setDeliveryMode(mode);
                b.producer().send(b.session().createTextMessage("a"), completion);
                completion.await();
                same(null, completion.failure);
                b.texts(b.consumer(), "a");
            });
        }
        test("7.3.2", "an asynchronous send that is refused tells its listener", b -> {
            Completion completion = new Completion(1);
            Queue small = b.session().createQueue("JAKARTA.SMALL");
            b.session().createProducer(small)
                    .send(b.session().createTextMessage("x".repeat(2000)), completion);
            completion.await();
            check(completion.failure instanceof JMSException, "" + completion.failure);
        });
        test("7.3.3", "asynchronous sends are completed in their order", b -> {
            Completion completion = new Completion(9);
            for (int n = 1; n <= 9; n++) {
                b.producer().send(b.session().createTextMessage("" + n), completion);
            }
            completion.await();
            same("123456789", completion.order.toString());
            b.texts(b.consumer(), "1", "2", "3", "4", "5", "6", "7", "8", "9");
        });
        test("7.3.4", "a close waits for asynchronous sends", b -> {
            Completion completion = new Completion(3);
            Session session = b.client(b.name()).createSession();
            MessageProducer producer = session.createProducer(b.queue());
            for (int n = 1; n <= 3; n++) {
                producer.send(session.createTextMessage("" + n), completion);
            }
            session.close();
            same(0L, completion.left.getCount());
            b.texts(b.consumer(), "1", "2", "3");
        });
        test("7.3.4", "asynchronous sends are completed with their commit", b -> {
            Completion completion = new Completion(2);
            Session session = b.session(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(b.queue());
            producer.send(session.createTextMessage("1"), completion);
            producer.send(session.createTextMessage("2"), completion);
            session.commit();
            // The client calls listeners on a thread of its own, and commit does not wait for that.
            completion.await();
            b.texts(b.consumer(), "1", "2");
        });
        test("7.3.4", "a rollback forgets asynchronous sends", b -> {
            Completion completion = new Completion(1);
            Session session = b.session(Session.SESSION_TRANSACTED);
            session.createProducer(b.queue()).send(session.createTextMessage("1"), completion);
            session.rollback();
            b.nothing(b.consumer());
        });
        test("7.3.6", "headers that the provider sets are known at completion", b -> {
            Completion completion = new Completion(1);
            TextMessage message = b.session().createTextMessage("1");
            b.producer().send(message, completion);
            completion.await();
            check(message.getJMSMessageID() != null && message.getJMSTimestamp() > 0, "not set");
        });
    }

    private static void options() {
        test("7.4", "options of one send do not stay", b -> {
            b.producer().send(b.session().createMessage(), DeliveryMode.NON_PERSISTENT, 8, 0);
            b.producer().send(b.session().createMessage());
            Message first = b.receive();
            Message second = b.receive();
            same(8, first.getJMSPriority());
            same(4, second.getJMSPriority());
            same(DeliveryMode.PERSISTENT, second.getJMSDeliveryMode());
        });
        test("7.4", "a wrong option is refused", b -> {
            refuses(JMSException.class, () -> b.producer().setPriority(10));
            refuses(JMSException.class, () -> b.producer().setDeliveryMode(17));
        });
        test("7.5", "properties of a JMSProducer are those of its messages", b -> {
            JMSContext context = b.context();
            context.createProducer().setProperty("n", 7).setProperty("s", "text")
                    .send(b.queue(), Map.of("k", (Object) 1));
            Message message = context.createConsumer(b.queue()).receive(COMES_MS);
            same(7, message.getIntProperty("n"));
            same("text", message.getStringProperty("s"));
            same(1, ((MapMessage) message).getInt("k"));
        });
        test("7.6", "headers of a JMSProducer are those of its messages", b -> {
            JMSContext context = b.context();
            context.createProducer().setJMSCorrelationID("c").setJMSType("t").setJMSReplyTo(b.queue())
                    .send(b.queue(), "text");
            Message message = context.createConsumer(b.queue()).receive(COMES_MS);
            same("c", message.getJMSCorrelationID());
            same("t", message.getJMSType());
            same(b.queue(), message.getJMSReplyTo());
        });
        test("7.7", "messages of both modes keep their order", b -> {
            for (int n = 1; n <= 6; n++) {
                b.producer().setDeliveryMode(n % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
                b.send("" + n);
            }
            b.texts(b.consumer(), "1", "2", "3", "4", "5", "6");
        });
        test("7.8", "a time to live is kept by messages behind one that is over", b -> {
            b.producer().setTimeToLive(50);
            b.send("over");
            b.producer().setTimeToLive(0);
            b.send("lives");
            Thread.sleep(200);
            b.texts(b.consumer(), "lives");
        });
        test("7.9", "a delayed message comes when it is due, behind one that is not delayed", b -> {
            long before = System.currentTimeMillis();
            b.producer().setDeliveryDelay(400);
            b.send("later");
            b.producer().setDeliveryDelay(0);
            b.send("now");
            b.texts(b.consumer(), "now", "later");
            check(System.currentTimeMillis() - before >= 395, "it came too early");
        });
        test("7.9", "a delay begins with the send and not with the commit", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(b.queue());
            producer.setDeliveryDelay(200);
            producer.send(session.createTextMessage("later"));
            Thread.sleep(300);
            session.commit();
            b.texts(b.consumer(), "later");
        });
        test("7.9", "a browser does not see what is not due", b -> {
            b.producer().setDeliveryDelay(60_000);
            b.send("later");
            check(!b.session().createBrowser(b.queue()).getEnumeration().hasMoreElements(), "it is seen");
        });
        test("7.10", "a JMSProducer is set and sends in one expression", b -> {
            JMSContext context = b.context();
            context.createProducer().setPriority(7).setTimeToLive(60_000)
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT).send(b.queue(), "one").send(b.queue(), "two");
            JMSConsumer consumer = context.createConsumer(b.queue());
            same("one", consumer.receiveBody(String.class, COMES_MS));
            Message second = consumer.receive(COMES_MS);
            same(7, second.getJMSPriority());
            same(DeliveryMode.NON_PERSISTENT, second.getJMSDeliveryMode());
        });
    }
}
