// Stock rhea against the queue manager: says of each test what became of it.
//
// node client.js PORT

const rhea = require('rhea');
const filter = require('rhea/lib/filter.js');
const { createHash } = require('crypto');

const QUEUE = 'AMQP.NODE';
const LARGE = Buffer.alloc((100 << 20) - 1024, 'large');

function connected() {
    const container = rhea.create_container();
    return container.connect({ host: '127.0.0.1', port: Number(process.argv[2]), username: 'anonymous', reconnect: false });
}

/** The next event of an emitter; an error or ten seconds of silence end it. */
function next(emitter, name, milliseconds = 10000) {
    return new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`no ${name} came`)), milliseconds);
        emitter.once(name, (context) => { clearTimeout(timer); done(context); });
    });
}

function same(expected, actual) {
    if (JSON.stringify(expected) !== JSON.stringify(actual)) {
        throw new Error(`expected ${JSON.stringify(expected)}, had ${JSON.stringify(actual)}`);
    }
}

async function send(connection, messages, milliseconds) {
    const sender = connection.open_sender(QUEUE);
    await next(sender, 'sendable');
    for (const message of messages) {
        const accepted = next(sender, 'accepted', milliseconds);
        sender.send(message);
        await accepted;
    }
}

/** Receives so many messages, one at a time. */
async function receive(connection, count, source = QUEUE, milliseconds = 10000) {
    const receiver = connection.open_receiver({ source, credit_window: 0, autoaccept: false });
    await next(receiver, 'receiver_open');
    const bodies = [];
    for (let n = 0; n < count; n++) {
        const came = next(receiver, 'message', milliseconds);
        receiver.add_credit(1);
        const { message, delivery } = await came;
        bodies.push(message.body);
        delivery.accept();
    }
    receiver.close();
    await next(receiver, 'receiver_close');
    return bodies;
}

async function closed(connection) {
    const ended = next(connection, 'connection_close');
    connection.close();
    await ended;
}

const tests = {
    'put and get': async () => {
        const connection = connected();
        await send(connection, [0, 1, 2].map((n) => ({ body: `text ${n}`, durable: true })));
        same(['text 0', 'text 1', 'text 2'], await receive(connection, 3));
        await closed(connection);
    },
    selector: async () => {
        const connection = connected();
        const colours = ['red', 'green', 'red'];
        await send(connection, colours.map((colour) => ({ body: colour, application_properties: { colour } })));
        const some = { address: QUEUE, filter: filter.selector("colour = 'green'") };
        same(['green'], await receive(connection, 1, some));
        same(['red', 'red'], await receive(connection, 2));
        await closed(connection);
    },
    drain: async () => {
        const connection = connected();
        await send(connection, [{ body: '0' }, { body: '1' }, { body: '2' }]);
        const receiver = connection.open_receiver({ source: QUEUE, credit_window: 0 });
        await next(receiver, 'receiver_open');
        const bodies = [];
        receiver.on('message', ({ message }) => bodies.push(message.body));
        const drained = next(receiver, 'receiver_drained');
        receiver.drain_credit();
        receiver.add_credit(20);
        await drained;
        same(['0', '1', '2'], bodies);
        await closed(connection);
    },
    large: async () => {
        const connection = connected();
        const section = rhea.message.data_section(LARGE);
        await send(connection, [{ body: section, durable: true }], 120000);
        const [body] = await receive(connection, 1, QUEUE, 120000);
        const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
        same(digest(LARGE), digest(body.content || body));
        await closed(connection);
    },
};

(async () => {
    for (const [name, test] of Object.entries(tests)) {
        try {
            await test();
            console.log(`ok\trhea\t${name}`);
        } catch (error) {
            console.log(`FAILED\trhea\t${name}\t${String(error.message || error).replace(/\s+/g, ' ')}`);
        }
    }
    process.exit(0);
})();
