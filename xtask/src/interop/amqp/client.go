// Stock go-amqp against the queue manager: says of each test what became of it.
//
// client HOST:PORT
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/Azure/go-amqp"
)

const queue = "AMQP.GO"

func connected(ctx context.Context) (*amqp.Conn, *amqp.Session, error) {
	options := &amqp.ConnOptions{SASLType: amqp.SASLTypeAnonymous()}
	connection, err := amqp.Dial(ctx, "amqp://"+os.Args[1], options)
	if err != nil {
		return nil, nil, err
	}
	session, err := connection.NewSession(ctx, nil)
	return connection, session, err
}

func send(ctx context.Context, session *amqp.Session, messages ...*amqp.Message) error {
	sender, err := session.NewSender(ctx, queue, nil)
	if err != nil {
		return err
	}
	for _, message := range messages {
		message.Header = &amqp.MessageHeader{Durable: true}
		if err := sender.Send(ctx, message, nil); err != nil {
			return err
		}
	}
	return sender.Close(ctx)
}

func receive(ctx context.Context, session *amqp.Session, count int, options *amqp.ReceiverOptions) ([][]byte, error) {
	receiver, err := session.NewReceiver(ctx, queue, options)
	if err != nil {
		return nil, err
	}
	var bodies [][]byte
	for range count {
		message, err := receiver.Receive(ctx, nil)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, message.GetData())
		if err := receiver.AcceptMessage(ctx, message); err != nil {
			return nil, err
		}
	}
	return bodies, receiver.Close(ctx)
}

func same(expected string, bodies [][]byte) error {
	if actual := string(bytes.Join(bodies, []byte(" "))); actual != expected {
		return fmt.Errorf("expected %q, had %q", expected, actual)
	}
	return nil
}

func putAndGet(ctx context.Context, session *amqp.Session) error {
	err := send(ctx, session, amqp.NewMessage([]byte("one")), amqp.NewMessage([]byte("two")))
	if err != nil {
		return err
	}
	bodies, err := receive(ctx, session, 2, nil)
	if err != nil {
		return err
	}
	return same("one two", bodies)
}

func selector(ctx context.Context, session *amqp.Session) error {
	for _, colour := range []string{"red", "green", "red"} {
		message := amqp.NewMessage([]byte(colour))
		message.ApplicationProperties = map[string]any{"colour": colour}
		if err := send(ctx, session, message); err != nil {
			return err
		}
	}
	some := &amqp.ReceiverOptions{Filters: []amqp.LinkFilter{amqp.NewSelectorFilter("colour = 'green'")}}
	bodies, err := receive(ctx, session, 1, some)
	if err != nil {
		return err
	}
	if err := same("green", bodies); err != nil {
		return err
	}
	if bodies, err = receive(ctx, session, 2, nil); err != nil {
		return err
	}
	return same("red red", bodies)
}

func drain(ctx context.Context, session *amqp.Session) error {
	if err := send(ctx, session, amqp.NewMessage([]byte("one")), amqp.NewMessage([]byte("two"))); err != nil {
		return err
	}
	receiver, err := session.NewReceiver(ctx, queue, &amqp.ReceiverOptions{Credit: -1})
	if err != nil {
		return err
	}
	if err := receiver.IssueCredit(20); err != nil {
		return err
	}
	for range 2 {
		message, err := receiver.Receive(ctx, nil)
		if err != nil {
			return err
		}
		if err := receiver.AcceptMessage(ctx, message); err != nil {
			return err
		}
	}
	if err := receiver.DrainCredit(ctx, nil); err != nil {
		return err
	}
	if err := send(ctx, session, amqp.NewMessage([]byte("later"))); err != nil {
		return err
	}
	time.Sleep(200 * time.Millisecond)
	if receiver.Prefetched() != nil {
		return fmt.Errorf("a message came without credit")
	}
	if err := receiver.Close(ctx); err != nil {
		return err
	}
	bodies, err := receive(ctx, session, 1, nil)
	if err != nil {
		return err
	}
	return same("later", bodies)
}

func large(ctx context.Context, session *amqp.Session) error {
	body := bytes.Repeat([]byte("large "), ((100<<20)-1024)/6)
	if err := send(ctx, session, amqp.NewMessage(body)); err != nil {
		return err
	}
	bodies, err := receive(ctx, session, 1, nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(body, bodies[0]) {
		return fmt.Errorf("the body came back changed")
	}
	return nil
}

func main() {
	tests := []struct {
		name string
		run  func(context.Context, *amqp.Session) error
	}{
		{"put and get", putAndGet}, {"selector", selector}, {"drain", drain}, {"large", large},
	}
	for _, test := range tests {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		connection, session, err := connected(ctx)
		if err == nil {
			err = test.run(ctx, session)
			connection.Close()
		}
		cancel()
		if err != nil {
			why := strings.Join(strings.Fields(err.Error()), " ")
			fmt.Printf("FAILED\tgo-amqp\t%s\t%s\n", test.name, why)
			continue
		}
		fmt.Printf("ok\tgo-amqp\t%s\n", test.name)
	}
}
