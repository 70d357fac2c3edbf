//! Requesters and responders by JMS in one process of Java, on queues of any broker that speaks AMQP 1.0.

/// The clients, and the queues they use.
#[derive(Debug)]
pub struct Requests<'a> {
    /// Host and port of the broker.
    pub address: &'a str,
    /// Queues of requests; clients are dealt out to them by their numbers.
    pub requests: &'a [String],
    /// Queues of replies, dealt out likewise.
    pub replies: &'a [String],
    /// True if requesters share a reply queue and select their replies by correlation.
    pub is_shared: bool,
    /// Numbers of the requesters.
    pub requesters: &'a [u32],
    /// Numbers of the responders.
    pub responders: &'a [u32],
    /// Bytes of a message.
    pub bytes: usize,
    /// True if messages are persistent.
    pub persistent: bool,
}

impl Requests<'_> {
    /// The words by which the program in Java is ordered to do so.
    pub(crate) fn order(&self) -> Vec<String> {
        let numbers = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        vec![
            "work=requests".to_owned(),
            format!("bytes={}", self.bytes),
            format!("persistent={}", self.persistent),
            format!("shared={}", self.is_shared),
            format!("requests={}", self.requests.join(",")),
            format!("replies={}", self.replies.join(",")),
            format!("requesters={}", numbers(self.requesters)),
            format!("responders={}", numbers(self.responders)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_queues_and_clients() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let requests = Requests {
            address: "127.0.0.1:5672",
            requests: &names(&["bench0.request"]),
            replies: &names(&["bench0.reply.0", "bench0.reply.1"]),
            is_shared: false,
            requesters: &[0, 1],
            responders: &[0],
            bytes: 2048,
            persistent: true,
        };
        let order = requests.order();
        for word in
            ["persistent=true", "replies=bench0.reply.0,bench0.reply.1", "requesters=0,1", "responders=0"]
        {
            assert!(order.contains(&word.to_owned()), "{word} in {order:?}");
        }
    }
}
