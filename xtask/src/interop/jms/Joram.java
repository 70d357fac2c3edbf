import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs the classes of the joram tests, and says of each test what became of it. */
public class Joram {
    private static final String[] CLASSES = {
        "connection.ConnectionTest", "connection.TopicConnectionTest", "message.headers.MessageHeaderTest",
        "message.MessageBodyTest", "message.MessageDefaultTest", "message.MessageTypeTest",
        "message.properties.JMSXPropertyTest", "message.properties.MessagePropertyConversionTest",
        "message.properties.MessagePropertyTest", "queue.QueueBrowserTest", "queue.TemporaryQueueTest",
        "selector.SelectorSyntaxTest", "selector.SelectorTest", "session.QueueSessionTest",
        "session.SessionTest", "session.TopicSessionTest", "session.UnifiedSessionTest",
        "topic.TemporaryTopicTest",
    };

    public static void main(String[] arguments) throws Exception {
        JUnitCore core = new JUnitCore();
        core.addListener(new RunListener() {
            private Failure failure;

            @Override
            public void testStarted(Description test) {
                failure = null;
            }

            @Override
            public void testFailure(Failure failed) {
                failure = failed;
            }

            @Override
            public void testFinished(Description test) {
                String name = test.getTestClass().getSimpleName() + "\t" + test.getMethodName();
                System.out.println(failure == null ? "ok\t" + name : "FAILED\t" + name + "\t"
                        + String.valueOf(failure.getException()).replaceAll("\\s+", " "));
            }
        });
        for (String name : CLASSES) {
            core.run(Class.forName("org.objectweb.jtests.jms.conform." + name));
        }
        System.exit(0);
    }
}
