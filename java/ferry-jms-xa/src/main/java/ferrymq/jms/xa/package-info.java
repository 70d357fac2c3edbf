/**
 * XA for programs of Jakarta Messaging: FerryMQ as a resource manager of a transaction manager, over Qpid JMS.
 *
 * <p>A branch is the transaction of one transacted session. It is named by its XID when it is prepared: a message
 * to the address {@code $xa}, sent within the transaction. From then on it outlives the session, the connection
 * and the queue manager, until the transaction manager decides it.
 *
 * <p>{@link ferrymq.jms.xa.FerryXAConnectionFactory} is where a program begins. Lives here: the branch as its
 * transaction manager sees it ({@code BranchResource}), the session with its branch ({@code BranchSession}), calls
 * on branches by their XID ({@code BranchCalls}). Lives elsewhere: AMQP and messages (Qpid JMS).
 *
 * <p>Always: a branch is reported as prepared only on an answer of the queue manager. Qpid JMS also reports a send
 * as done where the transaction is gone and nothing was sent.
 */
package ferrymq.jms.xa;
