//! ActiveMQ Classic: its store forced at each put, reached over AMQP 1.0.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::amqp10::AmqpBroker;
use super::jms::Distribution;
use super::server::Server;
use crate::broker::{Offer, Program};
use crate::install::{self, Archive};

pub(super) const ACTIVEMQ: Distribution = Distribution {
    name: "activemq",
    package: "org.apache.activemq:apache-activemq (Maven Central)",
    archive: Archive { group: "org.apache.activemq", name: "apache-activemq", version: "5.18.3" },
    program: PROGRAM,
    preloaded: Offer::Nothing(
        "it selects among the messages it has paged in, so that behind many others' a reply is not found",
    ),
    durable: "KahaDB, journalDiskSyncStrategy always: on the disk before a put is confirmed, unless it was got before; \
              gets are accepted, and get and put are no unit",
    start,
};

/// The program that its own script starts, with the settings of that script: the script would stay between
/// this program and the broker, and the broker outlived it.
const PROGRAM: &str = "bin/activemq.jar";
const JAVA_OPTIONS: &[&str] = &[
    "-Xms64M",
    "-Xmx1G",
    "-Djava.awt.headless=true",
    "--add-reads=java.xml=java.logging",
    "--add-opens=java.base/java.security=ALL-UNNAMED",
    "--add-opens=java.base/java.net=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
];

/// Its own settings, with nothing but the store and one port; messages stay in the form in which they came.
const SETTINGS: &str = r#"<beans xmlns="http://www.springframework.org/schema/beans"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans.xsd
  http://activemq.apache.org/schema/core http://activemq.apache.org/schema/core/activemq-core.xsd">
  <broker xmlns="http://activemq.apache.org/schema/core" brokerName="localhost" dataDirectory="DIRECTORY"
      useJmx="false" advisorySupport="false">
    <persistenceAdapter>
      <kahaDB directory="DIRECTORY/kahadb" journalDiskSyncStrategy="always"/>
    </persistenceAdapter>
    <systemUsage><systemUsage>
      <memoryUsage><memoryUsage percentOfJvmHeap="70"/></memoryUsage>
      <storeUsage><storeUsage limit="20 gb"/></storeUsage>
      <tempUsage><tempUsage limit="20 gb"/></tempUsage>
    </systemUsage></systemUsage>
    <transportConnectors>
      <transportConnector name="amqp"
        uri="amqp+nio://ADDRESS?maximumConnections=1000&amp;wireFormat.maxFrameSize=104857600&amp;wireFormat.allowNonSaslConnections=true&amp;transport.tcpNoDelay=true&amp;transport.transformer=native"/>
    </transportConnectors>
  </broker>
</beans>
"#;

fn start(program: &Program, directory: &Path) -> Result<AmqpBroker> {
    let text = directory.to_str().context("the directory's name is no text")?;
    let settings = directory.join("activemq.xml");
    let home = program.path.ancestors().nth(2).context("the program is in no archive")?.display().to_string();
    let java = install::find("java").context("there is no java")?;
    let server = Server::start(&java, directory, |address| {
        let settings_text = SETTINGS.replace("DIRECTORY", text).replace("ADDRESS", &address.to_string());
        std::fs::write(&settings, settings_text).context("cannot write the settings")?;
        let mut arguments: Vec<String> = JAVA_OPTIONS.iter().map(|&option| option.to_owned()).collect();
        arguments.extend([
            format!("-Djava.io.tmpdir={text}"),
            format!("-Dactivemq.classpath={home}/conf"),
            format!("-Dactivemq.home={home}"),
            format!("-Dactivemq.base={home}"),
            format!("-Dactivemq.conf={home}/conf"),
            format!("-Dactivemq.data={text}"),
            "-jar".to_owned(),
            program.path.display().to_string(),
            "start".to_owned(),
            format!("xbean:file:{}", settings.display()),
        ]);
        Ok(arguments)
    })?;
    Ok(AmqpBroker { server, queues: "queue://", topics: "topic://" })
}
