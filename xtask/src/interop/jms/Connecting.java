import jakarta.jms.*;
import jakarta.jms.IllegalStateException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Section 6: connections, sessions, transactions and acknowledgement. */
class Connecting extends Suite {
    static void tests() {
        connections();
        sessions();
        transactions();
        acknowledgement();
    }

    private static void connections() {
        test("6.1.2", "a client identifier is used by one connection", b -> {
            String name = b.name();
            b.client(name);
            refuses(InvalidClientIDException.class, () -> b.another().setClientID(name));
        });
        test("6.1.2", "a client identifier is free once its connection is closed", b -> {
            String name = b.name();
            b.client(name).close();
            same(name, b.client(name).getClientID());
        });
        test("6.1.2", "a client identifier is set once and first", b -> {
            Connection connection = b.client(b.name());
            refuses(IllegalStateException.class, () -> connection.setClientID("later"));
            refuses(IllegalStateException.class, () -> b.connection().setClientID("later"));
        });
        test("6.1.4", "nothing comes before the connection is started", b -> {
            Connection connection = b.another();
            Session session = connection.createSession();
            b.send("one");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.nothing(consumer);
            connection.start();
            b.texts(consumer, "one");
        });
        test("6.1.5", "nothing comes while the connection is stopped, and messages are sent", b -> {
            b.consumer();
            b.connection().stop();
            b.send("one");
            b.nothing(b.consumer());
            b.connection().start();
            b.texts(b.consumer(), "one");
        });
        test("6.1.6", "metadata say the version of the interface", b -> {
            same(3, b.connection().getMetaData().getJMSMajorVersion());
            check(b.connection().getMetaData().getJMSXPropertyNames().hasMoreElements(), "no names");
        });
        test("6.1.7", "a listener of exceptions is kept", b -> {
            ExceptionListener listener = error -> { };
            b.connection().setExceptionListener(listener);
            same(listener, b.connection().getExceptionListener());
        });
        test("6.1.8", "a closed connection is closed for all of its parts", b -> {
            b.send("one");
            b.connection().close();
            b.connection().close();
            refuses(IllegalStateException.class, () -> b.connection().createSession());
            refuses(IllegalStateException.class, () -> b.session().createMessage());
            refuses(IllegalStateException.class, () -> b.producer().send(null));
        });
        test("6.1.8", "a close ends a receive that waits", b -> {
            MessageConsumer consumer = b.consumer();
            Thread closer = new Thread(() -> {
                try {
                    Thread.sleep(100);
                    b.connection().close();
                } catch (Exception error) {
                    throw new java.lang.IllegalStateException(error);
                }
            });
            closer.start();
            same(null, consumer.receive(COMES_MS));
            closer.join();
        });
        test("6.1.8", "a close backs out what was not committed", b -> {
            Connection other = b.client(b.name());
            Session session = other.createSession(Session.SESSION_TRANSACTED);
            b.send("one");
            b.texts(session.createConsumer(b.queue()), "one");
            session.createProducer(b.queue()).send(session.createTextMessage("two"));
            other.close();
            b.texts(b.consumer(), "one");
            b.nothing(b.consumer());
        });
    }

    private static void sessions() {
        test("6.2.1", "sessions have several producers and consumers", b -> {
            Queue other = b.anotherQueue();
            MessageConsumer consumer = b.session().createConsumer(other);
            MessageProducer producer = b.session().createProducer(other);
            b.send("one");
            producer.send(b.session().createTextMessage("two"));
            b.texts(b.consumer(), "one");
            b.texts(consumer, "two");
        });
        test("6.2.2", "temporary destinations of one connection differ", b -> {
            String one = b.session().createTemporaryQueue().getQueueName();
            check(!one.equals(b.session().createTemporaryQueue().getQueueName()), one);
        });
        test("6.2.3", "a destination is used by sessions of other connections", b -> {
            Session other = b.client(b.name()).createSession();
            other.createProducer(b.queue()).send(other.createTextMessage("one"));
            b.texts(b.consumer(), "one");
        });
        test("6.2.13", "listeners of a session run one after the other", b -> {
            Queue other = b.anotherQueue();
            int[] running = {0};
            boolean[] met = {false};
            CountDownLatch heard = new CountDownLatch(20);
            MessageListener listener = message -> {
                synchronized (running) {
                    met[0] |= ++running[0] > 1;
                }
                Thread.yield();
                synchronized (running) {
                    running[0]--;
                }
                heard.countDown();
            };
            Session session = b.session(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(b.queue()).setMessageListener(listener);
            session.createConsumer(other).setMessageListener(listener);
            MessageProducer producer = b.session().createProducer(null);
            for (int n = 0; n < 10; n++) {
                producer.send(b.queue(), b.session().createMessage());
                producer.send(other, b.session().createMessage());
            }
            check(heard.await(COMES_MS, TimeUnit.MILLISECONDS), "not all were heard");
            check(!met[0], "two ran at once");
        });
        test("6.2.15", "a closed session leaves others open", b -> {
            Session other = b.session(Session.AUTO_ACKNOWLEDGE);
            other.close();
            other.close();
            refuses(IllegalStateException.class, other::createMessage);
            b.send("one");
            b.texts(b.consumer(), "one");
        });
    }

    private static void transactions() {
        test("6.2.7", "sends of a transaction are there once it is committed", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(b.queue());
            producer.send(session.createTextMessage("one"));
            producer.send(session.createTextMessage("two"));
            b.nothing(b.consumer());
            session.commit();
            b.texts(b.consumer(), "one", "two");
        });
        test("6.2.7", "sends of a transaction that is rolled back are not there", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            session.createProducer(b.queue()).send(session.createTextMessage("one"));
            session.rollback();
            b.nothing(b.consumer());
        });
        test("6.2.7", "messages of a transaction that is committed are gone", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            b.send("one", "two");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.texts(consumer, "one", "two");
            session.commit();
            consumer.close();
            b.nothing(b.consumer());
        });
        test("6.2.7", "messages of a transaction that is rolled back come again, in their order", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            b.send("one", "two", "three");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.texts(consumer, "one", "two");
            session.rollback();
            b.texts(consumer, "one", "two", "three");
            session.commit();
        });
        test("6.2.7", "one transaction takes from a queue and sends to another", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            Queue other = b.anotherQueue();
            b.send("one");
            MessageConsumer consumer = session.createConsumer(b.queue());
            MessageProducer producer = session.createProducer(other);
            for (int turn = 0; turn < 2; turn++) {
                producer.send(b.receive(consumer));
                if (turn == 0) {
                    session.rollback();
                }
            }
            session.commit();
            MessageConsumer outcome = b.session().createConsumer(other);
            b.texts(outcome, "one");
            b.nothing(outcome);
        });
        test("6.2.7", "transactions of two sessions of a connection are apart", b -> {
            Session one = b.session(Session.SESSION_TRANSACTED);
            Session two = b.session(Session.SESSION_TRANSACTED);
            one.createProducer(b.queue()).send(one.createTextMessage("one"));
            two.createProducer(b.queue()).send(two.createTextMessage("two"));
            one.rollback();
            two.commit();
            b.texts(b.consumer(), "two");
            b.nothing(b.consumer());
        });
        test("6.2.7", "publications of a transaction go out with its commit", b -> {
            Topic topic = b.topic();
            MessageConsumer consumer = b.session().createConsumer(topic);
            Session session = b.session(Session.SESSION_TRANSACTED);
            session.createProducer(topic).send(session.createTextMessage("one"));
            b.nothing(consumer);
            session.commit();
            b.texts(consumer, "one");
        });
        test("6.2.7", "a session without transactions does not commit", b -> {
            refuses(IllegalStateException.class, () -> b.session().commit());
            refuses(IllegalStateException.class, () -> b.session().rollback());
            check(!b.session().getTransacted(), "it is transacted");
        });
        test("6.2.7", "a transaction of a thousand messages is whole", b -> {
            Session session = b.session(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(b.queue());
            for (int n = 0; n < 1000; n++) {
                producer.send(session.createTextMessage("" + n));
            }
            session.commit();
            MessageConsumer consumer = session.createConsumer(b.queue());
            for (int n = 0; n < 1000; n++) {
                same("" + n, text(b.receive(consumer)));
            }
            session.commit();
            consumer.close();
            b.nothing(b.consumer());
        });
        test("6.2.9.1", "messages come in the order of their priority and of their send", b -> {
            for (int n = 0; n < 10; n++) {
                b.producer().setPriority(n % 2 == 0 ? 4 : 7);
                b.send("" + n);
            }
            b.texts(b.consumer(), "1", "3", "5", "7", "9", "0", "2", "4", "6", "8");
        });
        test("6.2.9.2", "messages of a session to one queue come in order by several producers", b -> {
            MessageProducer one = b.session().createProducer(b.queue());
            MessageProducer two = b.session().createProducer(b.queue());
            for (int n = 0; n < 6; n++) {
                (n % 2 == 0 ? one : two).send(b.session().createTextMessage("" + n));
            }
            b.texts(b.consumer(), "0", "1", "2", "3", "4", "5");
        });
    }

    private static void acknowledgement() {
        test("6.2.10", "an acknowledgement is for all that the session was given", b -> {
            Session session = b.session(Session.CLIENT_ACKNOWLEDGE);
            b.send("one", "two", "three");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.receive(consumer);
            b.receive(consumer).acknowledge();
            session.recover();
            b.texts(consumer, "three");
            session.close();
            b.texts(b.consumer(), "three");
        });
        test("6.2.10", "what was not acknowledged comes again after a recover, in order", b -> {
            Session session = b.session(Session.CLIENT_ACKNOWLEDGE);
            b.send("one", "two");
            MessageConsumer consumer = session.createConsumer(b.queue());
            b.texts(consumer, "one", "two");
            session.recover();
            b.texts(consumer, "one", "two");
        });
        test("6.2.10", "what was not acknowledged goes to another after a close", b -> {
            Session session = b.session(Session.CLIENT_ACKNOWLEDGE);
            b.send("one");
            b.receive(session.createConsumer(b.queue()));
            session.close();
            b.texts(b.consumer(), "one");
        });
        test("6.2.10", "automatic acknowledgement takes what receive returned", b -> {
            b.send("one");
            Session session = b.session(Session.AUTO_ACKNOWLEDGE);
            b.receive(session.createConsumer(b.queue()));
            session.close();
            b.nothing(b.consumer());
        });
        test("6.2.10", "lazy acknowledgement takes what it returned once it is closed", b -> {
            b.send("one");
            Session session = b.session(Session.DUPS_OK_ACKNOWLEDGE);
            b.receive(session.createConsumer(b.queue()));
            session.close();
            b.nothing(b.consumer());
        });
        test("6.2.10", "a listener that fails is given its message again", b -> {
            Heard heard = new Heard();
            Session session = b.session(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(b.queue()).setMessageListener(message -> {
                heard.onMessage(message);
                if (heard.messages.size() == 1) {
                    throw new RuntimeException("the first time fails");
                }
            });
            b.send("one");
            same(false, heard.next().getJMSRedelivered());
        });
        test("6.2.11", "a message that comes twice says so", b -> {
            Session session = b.session(Session.CLIENT_ACKNOWLEDGE);
            b.send("one");
            b.receive(session.createConsumer(b.queue()));
            session.close();
            Message again = b.receive();
            check(again.getJMSRedelivered() && again.getIntProperty("JMSXDeliveryCount") > 1, "it is new");
        });
    }
}
