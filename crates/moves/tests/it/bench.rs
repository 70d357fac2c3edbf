//! A queue manager in this process, and what is on its queues.

use bytes::Bytes;
use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Verbs as _, Wait};
use server::embedded::{Connection, Listeners, QueueManager};
use server::{DataDirectory, instances};

pub(crate) struct Bench {
    pub(crate) manager: QueueManager,
    _folder: tempfile::TempDir,
}

impl Bench {
    /// One with these objects.
    pub(crate) fn new(mqsc: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, name) = (DataDirectory::at(folder.path()), "QM1".parse().unwrap());
        instances::create(&data, &name, Some("[log]\nextent_size = \"4 MiB\"\n")).unwrap();
        let manager = QueueManager::open_with(folder.path(), &name, Listeners::None).unwrap();
        manager.command(mqsc).unwrap();
        Self { manager, _folder: folder }
    }

    pub(crate) fn connect(&self) -> Connection {
        self.manager.connect("mover").unwrap()
    }

    /// Takes all messages off a queue.
    pub(crate) fn take(&self, queue: &str) -> Vec<(MessageDescriptor, Bytes)> {
        let mut connection = self.connect();
        let queue = ObjectDescriptor::queue(queue.parse().unwrap());
        let handle = connection.open(&queue, OpenOptions::INPUT_SHARED).unwrap().handle;
        let mut taken = Vec::new();
        loop {
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            match connection.get(handle, &mut descriptor, &mut options, 1 << 20) {
                Ok(got) => taken.push((descriptor, got.body)),
                Err(reason) => {
                    assert_eq!(reason, Reason::NO_MSG_AVAILABLE);
                    return taken;
                }
            }
        }
    }
}
