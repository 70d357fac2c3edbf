import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/** Administers a queue manager for the joram tests: names by JNDI, objects by MQSC. */
public class FerryAdmin implements Admin {
    private final Hashtable<String, String> names = new Hashtable<>();

    public FerryAdmin() {
        names.put(Context.INITIAL_CONTEXT_FACTORY, "org.apache.qpid.jms.jndi.JmsInitialContextFactory");
    }

    /** Runs commands, which must succeed. */
    private static void mqsc(String commands) {
        try {
            Process ferry = new ProcessBuilder(System.getProperty("ferry.bin"), "mqsc")
                    .redirectErrorStream(true).start();
            try (Writer script = new OutputStreamWriter(ferry.getOutputStream())) {
                script.write(commands + "\n");
            }
            String said = new String(ferry.getInputStream().readAllBytes());
            if (ferry.waitFor() != 0) {
                throw new IllegalStateException(commands + ": " + said);
            }
        } catch (java.io.IOException | InterruptedException error) {
            throw new IllegalStateException(commands, error);
        }
    }

    private void factory(String name) {
        names.put("connectionfactory." + name, System.getProperty("ferry.uri"));
    }

    @Override
    public String getName() {
        return "FerryMQ";
    }

    @Override
    public Context createContext() throws NamingException {
        return new InitialContext(names);
    }

    @Override
    public void createConnectionFactory(String name) {
        factory(name);
    }

    @Override
    public void createQueueConnectionFactory(String name) {
        factory(name);
    }

    @Override
    public void createTopicConnectionFactory(String name) {
        factory(name);
    }

    @Override
    public void createQueue(String name) {
        names.put("queue." + name, name);
        mqsc("DEFINE QLOCAL('" + name + "')");
    }

    @Override
    public void createTopic(String name) {
        names.put("topic." + name, name);
    }

    @Override
    public void deleteQueue(String name) {
        names.remove("queue." + name);
        mqsc("DELETE QLOCAL('" + name + "') PURGE");
    }

    @Override
    public void deleteTopic(String name) {
        names.remove("topic." + name);
    }

    @Override
    public void deleteConnectionFactory(String name) {
        names.remove("connectionfactory." + name);
    }

    @Override
    public void deleteQueueConnectionFactory(String name) {
        deleteConnectionFactory(name);
    }

    @Override
    public void deleteTopicConnectionFactory(String name) {
        deleteConnectionFactory(name);
    }

    /** The queue manager runs already, and goes on to. */
    @Override
    public void startServer() { }

    @Override
    public void stopServer() { }

    @Override
    public void start() { }

    @Override
    public void stop() { }
}
