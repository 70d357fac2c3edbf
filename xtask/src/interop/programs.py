"""Programs that the open Python binding runs against the library: each prints its name when it did what it should.

python programs.py QUEUE_MANAGER QUEUE [CHANNEL HOST(PORT)]
"""

import sys
import threading
import traceback

import ibmmq as mq


def connected(arguments):
    """A connection: over the network when a channel is given, to a queue manager of this machine otherwise."""
    name = arguments[0]
    if len(arguments) == 2:
        return mq.connect(name)
    return mq.connect(name, arguments[2], arguments[3])


def emptied(queue):
    """Takes what an earlier program has left."""
    options = mq.GMO(Options=mq.CMQC.MQGMO_NO_WAIT | mq.CMQC.MQGMO_ACCEPT_TRUNCATED_MSG)
    while True:
        try:
            queue.get(0, mq.MD(), options)
        except mq.MQMIError as error:
            if error.reason == mq.CMQC.MQRC_TRUNCATED_MSG_ACCEPTED:
                continue
            assert error.reason == mq.CMQC.MQRC_NO_MSG_AVAILABLE, error
            return


def refusal(call, *arguments):
    """The reason with which a call is refused."""
    try:
        call(*arguments)
    except mq.MQMIError as error:
        return error.reason
    raise AssertionError("the call was not refused")


BOTH = mq.CMQC.MQOO_INPUT_SHARED | mq.CMQC.MQOO_OUTPUT | mq.CMQC.MQOO_BROWSE | mq.CMQC.MQOO_INQUIRE | mq.CMQC.MQOO_SET


def put_and_get(manager, queue):
    queue.put(b"plain bytes")
    assert queue.get() == b"plain bytes"
    descriptor = mq.MD(Format=mq.CMQC.MQFMT_STRING, Persistence=mq.CMQC.MQPER_PERSISTENT, Priority=7)
    queue.put("a text \u00e4", descriptor)
    wanted = mq.MD(MsgId=descriptor.MsgId)
    options = mq.GMO(
        Options=mq.CMQC.MQGMO_WAIT | mq.CMQC.MQGMO_CONVERT,
        WaitInterval=5000,
        MatchOptions=mq.CMQC.MQMO_MATCH_MSG_ID,
    )
    assert queue.get(None, wanted, options) == "a text \u00e4".encode()
    assert wanted.Priority == 7 and wanted.Persistence == mq.CMQC.MQPER_PERSISTENT
    assert refusal(queue.get) == mq.CMQC.MQRC_NO_MSG_AVAILABLE
    manager.put1(queue.get_name(), b"by name")
    assert queue.get() == b"by name"
    queue.put(b"x" * 3_000_000)
    assert queue.get() == b"x" * 3_000_000


def browse(_manager, queue):
    for number in range(3):
        queue.put(f"message {number}")
    seen = []
    options = mq.GMO(Options=mq.CMQC.MQGMO_BROWSE_FIRST)
    while True:
        try:
            seen.append(queue.get(None, mq.MD(), options))
        except mq.MQMIError as error:
            assert error.reason == mq.CMQC.MQRC_NO_MSG_AVAILABLE, error
            break
        options.Options = mq.CMQC.MQGMO_BROWSE_NEXT
    assert seen == [b"message 0", b"message 1", b"message 2"], seen
    assert [queue.get() for _ in range(3)] == seen


def units_of_work(manager, queue):
    in_unit = mq.PMO(Options=mq.CMQC.MQPMO_SYNCPOINT)
    queue.put(b"backed out", mq.MD(), in_unit)
    manager.backout()
    queue.put(b"committed", mq.MD(), in_unit)
    manager.commit()
    get_in_unit = mq.GMO(Options=mq.CMQC.MQGMO_SYNCPOINT)
    descriptor = mq.MD()
    assert queue.get(None, descriptor, get_in_unit) == b"committed"
    manager.backout()
    descriptor = mq.MD()
    assert queue.get(None, descriptor, get_in_unit) == b"committed"
    assert descriptor.BackoutCount == 1
    manager.commit()
    assert refusal(queue.get) == mq.CMQC.MQRC_NO_MSG_AVAILABLE


def properties(manager, queue):
    handle = mq.MessageHandle(manager)
    handle.properties.set("text", "a value")
    handle.properties.set("number", 77, property_type=mq.CMQC.MQTYPE_INT32)
    options = mq.PMO(Version=mq.CMQC.MQPMO_VERSION_3, OriginalMsgHandle=handle.get_handle())
    queue.put(b"with properties", mq.MD(), options)
    got = mq.MessageHandle(manager)
    options = mq.GMO(
        Version=mq.CMQC.MQGMO_VERSION_4,
        Options=mq.CMQC.MQGMO_PROPERTIES_IN_HANDLE,
        MsgHandle=got.get_handle(),
    )
    assert queue.get(None, mq.MD(), options) == b"with properties"
    assert got.properties.get("text") == "a value"
    assert got.properties.get("number") == 77
    handle.dlt()
    got.dlt()


def inquire_and_set(manager, queue):
    name = manager.inquire(mq.CMQC.MQCA_Q_MGR_NAME)
    assert (name.decode() if isinstance(name, bytes) else name).strip() == manager.get_name().strip()
    assert manager.inquire(mq.CMQC.MQIA_COMMAND_LEVEL) >= 800
    depth = queue.inquire(mq.CMQC.MQIA_CURRENT_Q_DEPTH)
    queue.put(b"one more")
    assert queue.inquire(mq.CMQC.MQIA_CURRENT_Q_DEPTH) == depth + 1
    queue.set(mq.CMQC.MQIA_INHIBIT_PUT, mq.CMQC.MQQA_PUT_INHIBITED)
    assert refusal(queue.put, b"refused") == mq.CMQC.MQRC_PUT_INHIBITED
    queue.set(mq.CMQC.MQIA_INHIBIT_PUT, mq.CMQC.MQQA_PUT_ALLOWED)
    assert queue.get() == b"one more"


def callbacks(manager, queue):
    messages, arrived = [], threading.Event()

    def consume(**called):
        if called["cbc"].CallType in (mq.CMQC.MQCBCT_MSG_REMOVED, mq.CMQC.MQCBCT_MSG_NOT_REMOVED):
            messages.append(called["msg"])
            if len(messages) == 3:
                arrived.set()

    description = mq.CBD(CallbackFunction=consume)
    queue.cb(
        operation=mq.CMQC.MQOP_REGISTER,
        cbd=description,
        gmo=mq.GMO(Options=mq.CMQC.MQGMO_NO_SYNCPOINT | mq.CMQC.MQGMO_WAIT, WaitInterval=5000),
        md=mq.MD(),
    )
    for number in range(3):
        queue.put(f"message {number}")
    manager.ctl(mq.CMQC.MQOP_START, mq.CTLO())
    assert arrived.wait(10), messages
    manager.ctl(mq.CMQC.MQOP_STOP, mq.CTLO())
    queue.cb(operation=mq.CMQC.MQOP_DEREGISTER)
    assert messages == [b"message 0", b"message 1", b"message 2"], messages


def administration(manager, _queue):
    command = mq.PCFExecute(manager, response_wait_interval=5000)
    command.MQCMD_PING_Q_MGR()
    queues = command.MQCMD_INQUIRE_Q({mq.CMQC.MQCA_Q_NAME: b"SYSTEM.DEFAULT.*"})
    assert len(queues) >= 4, queues
    command.disconnect()


def publish_and_subscribe(manager, _queue):
    subscription = mq.Subscription(manager)
    description = mq.SD(
        Options=mq.CMQC.MQSO_CREATE | mq.CMQC.MQSO_NON_DURABLE | mq.CMQC.MQSO_MANAGED
    )
    description.set_vs("ObjectString", "interop/python")
    subscription.sub(sub_desc=description)
    topic = mq.Topic(manager, topic_string="interop/python")
    topic.open(open_opts=mq.CMQC.MQOO_OUTPUT)
    topic.pub(b"published")
    assert subscription.get() == b"published"
    subscription.close(sub_close_options=mq.CMQC.MQCO_NONE, close_sub_queue=True)
    topic.close()


PROGRAMS = [
    put_and_get,
    browse,
    units_of_work,
    properties,
    inquire_and_set,
    callbacks,
    administration,
    publish_and_subscribe,
]


def main():
    arguments = sys.argv[1:]
    failures = 0
    for program in PROGRAMS:
        manager = connected(arguments)
        queue = mq.Queue(manager, arguments[1], BOTH)
        emptied(queue)
        try:
            program(manager, queue)
            print(f"{program.__name__}: ok", flush=True)
        except mq.MQMIError as error:
            failures += 1
            print(f"{program.__name__}: reason {error.reason}", flush=True)
            traceback.print_exc()
        except Exception as error:
            failures += 1
            print(f"{program.__name__}: {error!r}", flush=True)
            traceback.print_exc()
        queue.close()
        manager.disconnect()
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
