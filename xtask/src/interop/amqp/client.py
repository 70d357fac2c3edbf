"""Stock python-qpid-proton against the queue manager: says of each test what became of it.

python client.py HOST:PORT
"""

import hashlib
import sys

from proton import Message
from proton.handlers import MessagingHandler, TransactionHandler
from proton.reactor import Container, Selector
from proton.utils import BlockingConnection

ADDRESS = sys.argv[1]
LARGE = bytes(range(256)) * ((100 << 12) - 4)


def connected():
    """A connection that sends and receives in turns."""
    return BlockingConnection(ADDRESS, allowed_mechs="ANONYMOUS", timeout=120, max_frame_size=1 << 18)


def put_and_get():
    connection = connected()
    sender = connection.create_sender("AMQP.PYTHON")
    for number in range(10):
        sender.send(Message(body=f"text {number}", durable=True, properties={"number": number}))
    receiver = connection.create_receiver("AMQP.PYTHON")
    for number in range(10):
        message = receiver.receive(timeout=10)
        assert message.body == f"text {number}" and message.properties == {"number": number}, message
        assert message.durable
        receiver.accept()
    connection.close()


def selector():
    connection = connected()
    sender = connection.create_sender("AMQP.PYTHON")
    for colour in ("red", "green", "red"):
        sender.send(Message(body=colour, properties={"colour": colour}))
    some = connection.create_receiver("AMQP.PYTHON", options=Selector("colour = 'green'"))
    assert some.receive(timeout=10).body == "green"
    some.accept()
    some.close()
    rest = connection.create_receiver("AMQP.PYTHON")
    for _ in range(2):
        assert rest.receive(timeout=10).body == "red"
        rest.accept()
    connection.close()


def drain():
    connection = connected()
    sender = connection.create_sender("AMQP.PYTHON")
    for number in range(3):
        sender.send(Message(body=str(number)))
    receiver = connection.create_receiver("AMQP.PYTHON", credit=0)
    receiver.link.drain(20)
    connection.wait(lambda: receiver.link.credit == 0, timeout=10, msg="the credit is used up")
    assert len(receiver.fetcher.incoming) == 3, receiver.fetcher.incoming
    for number in range(3):
        assert receiver.receive(timeout=1).body == str(number)
        receiver.accept()
    connection.close()


def large():
    connection = connected()
    connection.create_sender("AMQP.PYTHON").send(Message(body=LARGE, durable=True))
    receiver = connection.create_receiver("AMQP.PYTHON")
    # Its body is a view of bytes that end with the message: proton itself fails where nothing keeps that.
    message = receiver.receive(timeout=120)
    assert hashlib.sha256(message.body).digest() == hashlib.sha256(LARGE).digest()
    receiver.accept()
    connection.close()


class InTransaction(MessagingHandler, TransactionHandler):
    """Sends a message within a transaction, and ends that."""

    def __init__(self, commits):
        super().__init__()
        self.commits = commits
        self.ended = None

    def on_start(self, event):
        self.container = event.container
        self.connection = event.container.connect(ADDRESS, allowed_mechs=["ANONYMOUS"], reconnect=False)
        self.sender = event.container.create_sender(self.connection, "AMQP.PYTHON")
        self.container.declare_transaction(self.connection, handler=self)

    def on_transaction_declared(self, event):
        event.transaction.send(self.sender, Message(body=str(self.commits), durable=True))
        if self.commits:
            event.transaction.commit()
        else:
            event.transaction.abort()

    def on_transaction_committed(self, event):
        self.end("committed")

    def on_transaction_aborted(self, event):
        self.end("aborted")

    def end(self, how):
        self.ended = how
        self.connection.close()


def transactions():
    for commits in (False, True):
        handler = InTransaction(commits)
        Container(handler).run()
        assert handler.ended == ("committed" if commits else "aborted"), handler.ended
    connection = connected()
    receiver = connection.create_receiver("AMQP.PYTHON", credit=0)
    receiver.link.drain(5)
    connection.wait(lambda: receiver.link.credit == 0, timeout=10, msg="the credit is used up")
    assert [message.body for message, _ in receiver.fetcher.incoming] == ["True"]
    receiver.receive(timeout=1)
    receiver.accept()
    connection.close()


for test in (put_and_get, selector, drain, transactions, large):
    name = test.__name__.replace("_", " ")
    try:
        test()
        print(f"ok\tpython-qpid-proton\t{name}", flush=True)
    except Exception as error:
        why = " ".join(f"{type(error).__name__} {error}".split())
        print(f"FAILED\tpython-qpid-proton\t{name}\t{why}", flush=True)
