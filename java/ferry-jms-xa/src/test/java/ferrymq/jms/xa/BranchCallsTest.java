package ferrymq.jms.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import javax.transaction.xa.XAException;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.junit.jupiter.api.Test;

class BranchCallsTest {
    @Test
    void theNumberOfAnAnswerIsReadThoughItsNameIsNoneOfJms() throws Exception {
        var facade = new AmqpJmsMessageFacade();
        facade.setProperty("ferry.result", -4);
        assertEquals(-4, BranchCalls.number(new JmsMessage(facade)));
        var other = new JmsMessage(new AmqpJmsMessageFacade());
        var error = assertThrows(XAException.class, () -> BranchCalls.number(other));
        assertEquals(XAException.XAER_RMERR, error.errorCode);
    }
}
