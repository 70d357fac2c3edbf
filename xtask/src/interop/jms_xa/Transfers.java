import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import ferrymq.jms.xa.FerryXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XASession;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.DriverManager;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.postgresql.xa.PGXADataSource;

/**
 * Transfers between a row and a queue in transactions of Narayana.
 *
 * <p>{@code begin}: makes the table and fills account and queue. {@code step N ORDER DIRECTION}: recovers what an
 * earlier process left, tells the sum, then makes a transfer and stops before call N of its resources, to be killed.
 * {@code check}: recovers and tells the sum. {@code run N THREADS}: makes N transfers and tells the rate.
 */
public final class Transfers {
    private static final int BALANCE = 1000;
    private static final int MESSAGES = 100;
    private static final String QUEUE = "MONEY";

    private final String address = System.getProperty("ferry.uri");
    private final String url = System.getProperty("ferry.database");
    private final TransactionManager transactions;
    private final JmsPoolXAConnectionFactory connections = new JmsPoolXAConnectionFactory();
    private final XADataSource database = database();
    /** Calls of resources in the transfer, and the one before which the process stops. */
    private final AtomicInteger calls = new AtomicInteger();
    private int stopsAt = Integer.MAX_VALUE;

    private Transfers() throws Exception {
        String store = System.getProperty("ferry.store");
        BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class).setObjectStoreDir(store);
        for (String name : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, name).setObjectStoreDir(store);
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("interop");
        var recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryBackoffPeriod(1);
        recovery.setRecoveryListener(false);
        recovery.setRecoveryModuleClassNames(List.of(
                "com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule"));
        var jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaRecoveryNodes(List.of("interop"));
        jta.setOrphanSafetyInterval(1);
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));
        transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
        connections.setConnectionFactory(stopping(XAConnectionFactory.class, new FerryXAConnectionFactory(address)));
        connections.setTransactionManager(transactions);
        connections.setMaxConnections(4);
    }

    private XADataSource database() {
        var database = new PGXADataSource();
        database.setUrl(url);
        return database;
    }

    public static void main(String[] arguments) {
        try {
            run(arguments);
        } catch (Exception failure) {
            failure.printStackTrace();
            // Threads of connections would go on.
            Runtime.getRuntime().halt(1);
        }
        // So do those of the recovery.
        System.exit(0);
    }

    private static void run(String[] arguments) throws Exception {
        var program = new Transfers();
        switch (arguments[0]) {
            case "begin" -> program.begin();
            case "check" -> program.recover();
            case "run" -> program.run(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "step" -> {
                program.recover();
                program.stopsAt = Integer.parseInt(arguments[1]);
                program.transfer(arguments[2].equals("row-first"), arguments[3].equals("to-queue"), 1);
                say("DONE " + program.calls.get());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void begin() throws Exception {
        try (var connection = DriverManager.getConnection(url); var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS account");
            statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL)");
            for (int id = 1; id <= 16; id++) {
                statement.execute("INSERT INTO account VALUES (" + id + ", " + BALANCE + ")");
            }
        }
        try (Connection connection = new JmsConnectionFactory(address).createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            var producer = session.createProducer(session.createQueue(QUEUE));
            for (int number = 0; number < MESSAGES; number++) {
                producer.send(session.createTextMessage("1"));
            }
            session.commit();
        }
        tellSum();
    }

    /** One transfer between an account and the queue, with the resources enlisted in an order. */
    private void transfer(boolean rowFirst, boolean toQueue, int account) throws Exception {
        var rows = database.getXAConnection();
        try {
            transactions.begin();
            try {
                XAResource ofRows = new StoppingResource(rows.getXAResource());
                if (rowFirst) {
                    transactions.getTransaction().enlistResource(ofRows);
                }
                try (Connection connection = connections.createConnection()) {
                    connection.start();
                    Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                    if (!rowFirst) {
                        transactions.getTransaction().enlistResource(ofRows);
                    }
                    var queue = session.createQueue(QUEUE);
                    int amount = toQueue ? -1 : 1;
                    try (var statement = rows.getConnection().createStatement()) {
                        statement.executeUpdate("UPDATE account SET balance = balance + (" + amount + ") WHERE id = "
                                + account);
                    }
                    if (toQueue) {
                        session.createProducer(queue).send(session.createTextMessage("1"));
                    } else {
                        try (var consumer = session.createConsumer(queue)) {
                            if (consumer.receive(10_000) == null) {
                                throw new IllegalStateException("no message came");
                            }
                        }
                    }
                    transactions.commit();
                }
            } catch (Exception failure) {
                if (transactions.getTransaction() != null) {
                    transactions.rollback();
                }
                throw failure;
            }
        } finally {
            rows.close();
        }
    }

    private void run(int transfers, int threads) throws Exception {
        recover();
        var left = new AtomicInteger(transfers);
        var failures = Collections.synchronizedList(new java.util.ArrayList<Exception>());
        var nanoseconds = new AtomicLong();
        long began = System.nanoTime();
        var workers = new java.util.ArrayList<Thread>();
        for (int number = 1; number <= threads; number++) {
            int account = number;
            var worker = new Thread(() -> {
                for (int next; (next = left.getAndDecrement()) > 0; ) {
                    long from = System.nanoTime();
                    try {
                        transfer(next % 2 == 0, next % 4 < 2, account);
                    } catch (Exception failure) {
                        failures.add(failure);
                    }
                    nanoseconds.addAndGet(System.nanoTime() - from);
                }
            });
            workers.add(worker);
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        for (Exception failure : failures) {
            failure.printStackTrace();
        }
        say("RATE " + Math.round(transfers / seconds) + " " + nanoseconds.get() / transfers / 1000 + " "
                + failures.size());
        tellSum();
    }

    /** Recovers as a fresh process does, until nothing is in doubt; tells what was found, and the sum. */
    private void recover() throws Exception {
        RecoveryManager.delayRecoveryManagerThread();
        RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
        for (var module : recovery.getModules()) {
            if (module instanceof XARecoveryModule ofResources) {
                ofResources.addXAResourceRecoveryHelper(helper());
            }
        }
        int[] found = inDoubt();
        int[] left = found;
        for (int scans = 0; scans < 20 && left[0] + left[1] > 0; scans++) {
            recovery.scan();
            left = inDoubt();
        }
        say("FOUND " + found[0] + " " + found[1] + " LEFT " + left[0] + " " + left[1]);
        tellSum();
    }

    private XAResourceRecoveryHelper helper() throws Exception {
        XAConnection ofQueue = new FerryXAConnectionFactory(address).createXAConnection();
        XAResource queue = ofQueue.createXASession().getXAResource();
        XAResource rows = database.getXAConnection().getXAResource();
        return new XAResourceRecoveryHelper() {
            @Override
            public boolean initialise(String unused) {
                return true;
            }

            @Override
            public XAResource[] getXAResources() {
                return new XAResource[] {queue, rows};
            }
        };
    }

    /** Branches that are prepared, in the database and in the queue manager. */
    private int[] inDoubt() throws Exception {
        int[] counts = new int[2];
        try (var connection = DriverManager.getConnection(url); var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery("SELECT count(*) FROM pg_prepared_xacts")) {
                rows.next();
                counts[0] = rows.getInt(1);
            }
        }
        XAConnection connection = new FerryXAConnectionFactory(address).createXAConnection();
        try {
            XAResource resource = connection.createXASession().getXAResource();
            counts[1] = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
        } finally {
            connection.close();
        }
        return counts;
    }

    private void tellSum() throws Exception {
        int balance;
        try (var connection = DriverManager.getConnection(url); var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery("SELECT sum(balance) FROM account")) {
                rows.next();
                balance = rows.getInt(1);
            }
        }
        int depth = 0;
        try (Connection connection = new JmsConnectionFactory(address).createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            try (var browser = session.createBrowser(session.createQueue(QUEUE))) {
                for (var messages = browser.getEnumeration(); messages.hasMoreElements(); ) {
                    Message message = (Message) messages.nextElement();
                    depth += Integer.parseInt(message.getBody(String.class));
                }
            }
        }
        say("SUM " + (balance + depth) + " " + balance + " " + depth);
    }

    /** The same, whose resources stop the process before one of their calls and after it. */
    private <T> T stopping(Class<T> kind, Object target) {
        return kind.cast(Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (proxy, method, arguments) -> {
            Object made;
            try {
                made = method.invoke(target, arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
            if (made instanceof XAConnection) {
                return stopping(XAConnection.class, made);
            }
            if (made instanceof XASession) {
                return stopping(XASession.class, made);
            }
            return made instanceof XAResource resource ? new StoppingResource(resource) : made;
        }));
    }

    /** A call of a resource. */
    private interface Call {
        void make() throws XAException;
    }

    /** A resource that stops the process. A proxy in its place could be written down, and its manager would try. */
    private final class StoppingResource implements XAResource {
        private final XAResource resource;

        StoppingResource(XAResource resource) {
            this.resource = resource;
        }

        private void between(String name, Call call) throws XAException {
            stopAt(name);
            call.make();
            stopAt(name);
        }

        @Override
        public void start(Xid xid, int flags) throws XAException {
            between("start", () -> resource.start(xid, flags));
        }

        @Override
        public void end(Xid xid, int flags) throws XAException {
            between("end", () -> resource.end(xid, flags));
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            int[] answer = new int[1];
            between("prepare", () -> answer[0] = resource.prepare(xid));
            return answer[0];
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            between("commit", () -> resource.commit(xid, onePhase));
        }

        @Override
        public void rollback(Xid xid) throws XAException {
            between("rollback", () -> resource.rollback(xid));
        }

        @Override
        public void forget(Xid xid) throws XAException {
            resource.forget(xid);
        }

        @Override
        public Xid[] recover(int flags) throws XAException {
            return resource.recover(flags);
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() throws XAException {
            return resource.getTransactionTimeout();
        }

        @Override
        public boolean setTransactionTimeout(int seconds) throws XAException {
            return resource.setTransactionTimeout(seconds);
        }
    }

    private void stopAt(String call) {
        if (calls.incrementAndGet() == stopsAt) {
            say("AT " + call);
            // It is killed here.
            LockSupport.parkNanos(600_000_000_000L);
        }
    }
}
