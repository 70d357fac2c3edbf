package orders;

import jakarta.jms.ConnectionFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/**
 * Sends orders to a queue and hears of them: a program of Spring Boot with Qpid JMS.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
@SpringBootApplication
public class Orders {
    private final CountDownLatch received = new CountDownLatch(3);

    /** The connection of the program: ferry.uri is the address of the queue manager. */
    @Bean
    ConnectionFactory connectionFactory(@Value("${ferry.uri}") String uri) {
        return new JmsConnectionFactory(uri);
    }

    @JmsListener(destination = "DEV.QUEUE.1")
    void receive(String order) {
        System.out.println("received " + order);
        received.countDown();
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (var context = SpringApplication.run(Orders.class, arguments)) {
            JmsTemplate template = context.getBean(JmsTemplate.class);
            for (int number = 1; number <= 3; number++) {
                template.convertAndSend("DEV.QUEUE.1", "order " + number);
            }
            boolean all = context.getBean(Orders.class).received.await(30, TimeUnit.SECONDS);
            System.out.println(all ? "ok\tSpring Boot\torders" : "FAILED\tSpring Boot\torders\tnot all came");
        }
    }
}
