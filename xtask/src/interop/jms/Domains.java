import jakarta.jms.*;
import jakarta.jms.IllegalStateException;
import java.util.Collections;
import java.util.List;

/** Section 4: queues and topics. */
class Domains extends Suite {
    static void tests() {
        queues();
        topics();
    }

    private static void queues() {
        test("4.1.2", "a message goes to one consumer", b -> {
            MessageConsumer one = b.session().createConsumer(b.queue());
            MessageConsumer two = b.session(Session.AUTO_ACKNOWLEDGE).createConsumer(b.queue());
            b.send("only");
            Message first = one.receive(ABSENT_MS);
            Message second = two.receive(ABSENT_MS);
            check((first == null) != (second == null), first + " " + second);
        });
        test("4.1.2", "messages wait for a consumer that comes later", b -> {
            b.send("early");
            b.texts(b.consumer(), "early");
        });
        test("4.1.2", "messages that a closed consumer had ahead go to the next", b -> {
            b.send("one", "two", "three");
            b.texts(b.consumer(), "one");
            b.consumer().close();
            b.texts(b.session().createConsumer(b.queue()), "two", "three");
        });
        test("4.1.4", "a queue is known by its name", b -> {
            Queue queue = b.session().createQueue("DEV.QUEUE.3");
            same("DEV.QUEUE.3", queue.getQueueName());
            refuses(InvalidDestinationException.class,
                    () -> b.session().createConsumer(b.session().createQueue("NO.SUCH.QUEUE")));
        });
        test("4.1.5", "only the connection of a temporary queue consumes from it", b -> {
            TemporaryQueue queue = b.session().createTemporaryQueue();
            Connection other = b.client(b.name());
            Session session = other.createSession();
            session.createProducer(queue).send(session.createTextMessage("reply"));
            refuses(JMSException.class, () -> session.createConsumer(queue));
            b.texts(b.session().createConsumer(queue), "reply");
        });
        test("4.1.5", "a temporary queue in use is not deleted, and ends with its deletion", b -> {
            TemporaryQueue queue = b.session().createTemporaryQueue();
            MessageConsumer consumer = b.session().createConsumer(queue);
            refuses(JMSException.class, queue::delete);
            consumer.close();
            queue.delete();
            refuses(JMSException.class, () -> b.session().createProducer(queue)
                    .send(b.session().createMessage()));
        });
        test("4.1.5", "a temporary queue ends with its connection", b -> {
            Connection owner = b.client(b.name());
            String name = owner.createSession().createTemporaryQueue().getQueueName();
            owner.close();
            refuses(InvalidDestinationException.class,
                    () -> b.session().createConsumer(b.session().createQueue(name)));
        });
        test("4.1.6", "a browser sees messages in order and leaves them", b -> {
            b.send("one", "two", "three");
            List<?> seen = Collections.list(b.session().createBrowser(b.queue()).getEnumeration());
            same(3, seen.size());
            same("three", text((Message) seen.get(2)));
            b.texts(b.consumer(), "one", "two", "three");
        });
        test("4.1.6", "a browser has a selector", b -> {
            for (int n = 1; n <= 4; n++) {
                Message message = b.session().createTextMessage("" + n);
                message.setIntProperty("n", n);
                b.send(message);
            }
            List<?> seen = Collections.list(b.session().createBrowser(b.queue(), "n > 2").getEnumeration());
            same(2, seen.size());
        });
        test("4.1.6", "an empty queue is browsed to its end", b ->
                check(!b.session().createBrowser(b.queue()).getEnumeration().hasMoreElements(), "there is one"));
        test("4.1.7", "a requestor is given its answer", b -> {
            Heard heard = new Heard();
            QueueConnection asked = b.factory.createQueueConnection();
            Session answers = b.session(Session.AUTO_ACKNOWLEDGE);
            answers.createConsumer(b.queue()).setMessageListener(question -> {
                try {
                    answers.createProducer(question.getJMSReplyTo())
                            .send(answers.createTextMessage("re: " + text(question)));
                } catch (JMSException error) {
                    heard.onMessage(null);
                }
            });
            asked.start();
            QueueSession session = asked.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(session, b.queue());
            same("re: q", text(requestor.request(session.createTextMessage("q"))));
            asked.close();
        });
        test("4.1.8", "persistent messages are there for another connection after the sender's end", b -> {
            Connection sender = b.client(b.name());
            Session session = sender.createSession();
            session.createProducer(b.queue()).send(session.createTextMessage("kept"));
            sender.close();
            b.texts(b.consumer(), "kept");
        });
    }

    private static void topics() {
        test("4.2.2", "each subscriber has each publication, and none from before", b -> {
            Topic topic = b.topic();
            MessageProducer producer = b.session().createProducer(topic);
            producer.send(b.session().createTextMessage("before"));
            MessageConsumer one = b.session().createConsumer(topic);
            MessageConsumer two = b.session().createConsumer(topic);
            producer.send(b.session().createTextMessage("after"));
            for (MessageConsumer consumer : List.of(one, two)) {
                b.texts(consumer, "after");
                b.nothing(consumer);
            }
        });
        test("4.2.2", "a subscriber leaves out its own connection's publications", b -> {
            Topic topic = b.topic();
            Connection own = b.client(b.name());
            Session session = own.createSession();
            MessageConsumer consumer = session.createConsumer(topic, null, true);
            session.createProducer(topic).send(session.createTextMessage("own"));
            b.session().createProducer(topic).send(b.session().createTextMessage("other's"));
            b.texts(consumer, "other's");
            b.nothing(consumer);
        });
        test("4.2.2", "a selector of a subscriber is its own", b -> {
            Topic topic = b.topic();
            MessageConsumer all = b.session().createConsumer(topic);
            MessageConsumer some = b.session().createConsumer(topic, "n = 2");
            MessageProducer producer = b.session().createProducer(topic);
            for (int n = 1; n <= 2; n++) {
                Message message = b.session().createTextMessage("" + n);
                message.setIntProperty("n", n);
                producer.send(message);
            }
            b.texts(all, "1", "2");
            b.texts(some, "2");
            b.nothing(some);
        });
        for (String name : new String[] {"plain", "with.dots", "with-minus", "with_underscore", "x".repeat(128)}) {
            test("4.2.4", "a subscription has a name of " + (name.length() > 20 ? "128 letters" : name), b -> {
                Connection client = b.client(b.name());
                Session session = client.createSession();
                Topic topic = b.topic();
                MessageConsumer consumer = session.createDurableConsumer(topic, name);
                session.createProducer(topic).send(session.createTextMessage("one"));
                b.texts(consumer, "one");
                consumer.close();
                session.unsubscribe(name);
            });
        }
        test("4.2.6", "a topic is known by its name", b -> {
            Topic topic = b.session().createTopic("price/tin");
            same("price/tin", topic.getTopicName());
        });
        test("4.2.7", "only the connection of a temporary topic consumes from it", b -> {
            TemporaryTopic topic = b.session().createTemporaryTopic();
            MessageConsumer consumer = b.session().createConsumer(topic);
            Session other = b.client(b.name()).createSession();
            other.createProducer(topic).send(other.createTextMessage("one"));
            refuses(JMSException.class, () -> other.createConsumer(topic));
            b.texts(consumer, "one");
        });
        test("4.2.7", "a temporary topic has no durable subscription", b -> {
            Session session = b.client(b.name()).createSession();
            refuses(JMSException.class,
                    () -> session.createDurableConsumer(session.createTemporaryTopic(), b.name()));
        });
        test("4.2.8", "what a durable subscriber did not acknowledge is redelivered", b -> {
            String name = b.name();
            Connection client = b.client(b.name());
            Topic topic = b.topic();
            Session first = client.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = first.createDurableConsumer(topic, name);
            first.createProducer(topic).send(first.createTextMessage("one"));
            b.receive(consumer);
            first.close();
            Session next = client.createSession();
            Message again = b.receive(next.createDurableConsumer(topic, name));
            check(again.getJMSRedelivered(), "it is new");
            same("one", text(again));
        });
        test("4.2.9", "a subscription in use is not removed", b -> {
            String name = b.name();
            Session session = b.client(b.name()).createSession();
            MessageConsumer consumer = session.createDurableConsumer(b.topic(), name);
            refuses(JMSException.class, () -> session.unsubscribe(name));
            consumer.close();
            session.unsubscribe(name);
            refuses(InvalidDestinationException.class, () -> session.unsubscribe(name));
        });
        test("4.2.10", "a requestor of a topic is given its answer", b -> {
            Topic topic = b.topic();
            Session answers = b.session(Session.AUTO_ACKNOWLEDGE);
            MessageProducer answerer = answers.createProducer(null);
            answers.createConsumer(topic).setMessageListener(question -> {
                try {
                    answerer.send(question.getJMSReplyTo(), answers.createTextMessage("answer"));
                } catch (JMSException error) {
                    throw new java.lang.IllegalStateException(error);
                }
            });
            TopicConnection asked = b.factory.createTopicConnection();
            asked.start();
            TopicSession session = asked.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            same("answer", text(new TopicRequestor(session, topic).request(session.createMessage())));
            asked.close();
        });
    }
}
