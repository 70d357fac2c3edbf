package ferrymq.jms.xa;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jms.JMSRuntimeException;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Test;

class FerryXAConnectionFactoryTest {
    @Test
    void anAddressOfSeveralQueueManagersAndAClientIdentifierAreRefusedInWords() {
        var several = assertThrows(IllegalArgumentException.class,
                () -> new FerryXAConnectionFactory("failover:(amqp://one:5672,amqp://two:5672)"));
        assertTrue(several.getMessage().contains("failover"), several.getMessage());
        var factory = new JmsConnectionFactory("amqp://localhost:5672");
        factory.setClientID("app");
        var identified = assertThrows(IllegalArgumentException.class, () -> new FerryXAConnectionFactory(factory));
        assertTrue(identified.getMessage().contains("setClientID"), identified.getMessage());
    }

    @Test
    void aContextIsNotOffered() {
        var factory = new FerryXAConnectionFactory("amqp://localhost:5672");
        assertThrows(JMSRuntimeException.class, factory::createXAContext);
    }
}
