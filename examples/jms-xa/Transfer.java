import com.arjuna.ats.jta.TransactionManager;
import ferrymq.jms.xa.FerryXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.sql.SQLException;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.postgresql.xa.PGXADataSource;

/**
 * Takes an amount off an account and sends it to a queue, in one transaction of Narayana: both, or neither.
 *
 * <p>The first argument is the address of the queue manager, the second the URL of a database with the table
 * {@code account(id, balance)}.
 */
public final class Transfer {
    public static void main(String[] arguments) throws Exception {
        var transactions = TransactionManager.transactionManager();
        var connections = new JmsPoolXAConnectionFactory();
        connections.setConnectionFactory(new FerryXAConnectionFactory(arguments[0]));
        connections.setTransactionManager(transactions);
        var database = new PGXADataSource();
        database.setUrl(arguments[1]);
        var accounts = database.getXAConnection();

        transactions.begin();
        try (Connection connection = connections.createConnection()) {
            // The pool enlists the session, and the program the database.
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            transactions.getTransaction().enlistResource(accounts.getXAResource());
            try (var statement = accounts.getConnection().createStatement()) {
                if (statement.executeUpdate("UPDATE account SET balance = balance - 1 WHERE id = 1") != 1) {
                    throw new SQLException("there is no account 1");
                }
            }
            session.createProducer(session.createQueue("MONEY")).send(session.createTextMessage("1"));
            transactions.commit();
        } catch (Exception failure) {
            if (transactions.getTransaction() != null) {
                transactions.rollback();
            }
            throw failure;
        }
        System.out.println("ok\tguide\ttransfer");
        accounts.close();
        connections.stop();
        System.exit(0);
    }
}
