/*
 * The same in C++: a connection and a queue that end with their scope, and errors as exceptions: orders QUEUE [QUEUE_MANAGER]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <cmqc.h>
#include <cmqstrc.h>

#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

/* A call that was refused. */
struct Refused : std::runtime_error {
    MQLONG reason;
    Refused(const char *call, MQLONG reason)
        : std::runtime_error(std::string(call) + ": " + MQRC_STR(reason)), reason(reason)
    {
    }
};

class Connection {
public:
    explicit Connection(const std::string &queue_manager)
    {
        MQCHAR48 name = "";
        std::strncpy(name, queue_manager.c_str(), sizeof name);
        MQCONN(name, &handle_, &completion_, &reason_);
        check("MQCONN");
    }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    /* What was not committed is backed out: that is what an exception means. */
    ~Connection()
    {
        MQBACK(handle_, &completion_, &reason_);
        MQDISC(&handle_, &completion_, &reason_);
    }

    void commit()
    {
        MQCMIT(handle_, &completion_, &reason_);
        check("MQCMIT");
    }

private:
    friend class Queue;
    void check(const char *call) const
    {
        if (completion_ == MQCC_FAILED)
            throw Refused(call, reason_);
    }

    MQHCONN handle_ = MQHC_UNUSABLE_HCONN;
    MQLONG completion_ = MQCC_OK, reason_ = MQRC_NONE;
};

class Queue {
public:
    Queue(Connection &connection, const std::string &name) : connection_(connection)
    {
        MQOD object = {MQOD_DEFAULT};
        std::strncpy(object.ObjectName, name.c_str(), sizeof object.ObjectName);
        MQOPEN(connection_.handle_, &object, MQOO_INPUT_SHARED | MQOO_OUTPUT, &handle_, &connection_.completion_,
               &connection_.reason_);
        connection_.check("MQOPEN");
    }

    void put(const std::string &text)
    {
        MQMD descriptor = {MQMD_DEFAULT};
        MQPMO how = {MQPMO_DEFAULT};
        std::memcpy(descriptor.Format, MQFMT_STRING, sizeof descriptor.Format);
        how.Options = MQPMO_SYNCPOINT;
        std::vector<char> body(text.begin(), text.end());
        MQPUT(connection_.handle_, handle_, &descriptor, &how, static_cast<MQLONG>(body.size()), body.data(),
              &connection_.completion_, &connection_.reason_);
        connection_.check("MQPUT");
    }

    std::string get()
    {
        MQMD descriptor = {MQMD_DEFAULT};
        MQGMO how = {MQGMO_DEFAULT};
        std::vector<char> body(1024);
        MQLONG length = 0;
        how.Options = MQGMO_SYNCPOINT | MQGMO_NO_WAIT;
        MQGET(connection_.handle_, handle_, &descriptor, &how, static_cast<MQLONG>(body.size()), body.data(), &length,
              &connection_.completion_, &connection_.reason_);
        connection_.check("MQGET");
        return std::string(body.data(), static_cast<std::size_t>(length));
    }

private:
    Connection &connection_;
    MQHOBJ handle_ = MQHO_UNUSABLE_HOBJ;
};

int main(int count, char **arguments)
{
    if (count < 2) {
        std::cerr << "orders QUEUE [QUEUE_MANAGER]\n";
        return 2;
    }
    const std::string queue_manager = count > 2 ? arguments[2] : "";
    try {
        Connection connection(queue_manager);
        Queue queue(connection, arguments[1]);
        queue.put("an order");
        connection.commit();
        std::cout << queue.get() << '\n';
        connection.commit();
        try {
            queue.get();
        } catch (const Refused &refused) {
            std::cout << refused.what() << '\n';
        }
    } catch (const Refused &refused) {
        std::cerr << refused.what() << '\n';
        return 1;
    }
    return 0;
}
