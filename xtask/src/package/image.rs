//! The OCI image: a layout of blobs, which `podman load`, `skopeo copy oci:…` and registries take.
//!
//! Its one layer has the program, which needs no library, and a folder for data. It runs as any user, with a
//! root that is read-only; only the data is written.

use super::facts::{Facts, say};
use super::laid_out::LaidOut;
use super::tree::{self, Tree, archive, compress, empty};
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The user that the image names; any other will do, as long as its group is 0 or it owns the data.
const USER: &str = "1001:0";

/// Most bytes of an image, as it is pulled.
const BYTES_MAX: u64 = 30 << 20;

/// The familiar names that an image has: those of probes.
const PROBES: [&str; 3] = ["chkmqstarted", "chkmqready", "chkmqhealthy"];

/// Makes the layout; where it is.
pub(super) fn make(root: &Path, laid_out: &LaidOut, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let tree = Tree::at(out.join("trees/image"))?;
    lay_out(root, laid_out, &tree)?;
    let image = out.join("image");
    empty(&image)?;
    let blobs = image.join("blobs/sha256");
    fs::create_dir_all(&blobs)?;
    say(&format!("packing {}", image.display()));
    let layer = out.join("layer.tar");
    archive(tree.path(), ".", &layer, facts.time)?;
    let plain = tree::sum(&layer)?;
    let compressed = compress(&layer)?;
    let layer = keep(&blobs, &fs::read(&compressed)?, "application/vnd.oci.image.layer.v1.tar+gzip")?;
    fs::remove_file(&compressed)?;
    let created = facts.date("--iso-8601=seconds")?.replace("+00:00", "Z");
    let configuration = configuration(facts, &created, &plain);
    let configuration =
        keep(&blobs, &serde_json::to_vec(&configuration)?, "application/vnd.oci.image.config.v1+json")?;
    let manifest = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": configuration, "layers": [layer],
    });
    let mut manifest =
        keep(&blobs, &serde_json::to_vec(&manifest)?, "application/vnd.oci.image.manifest.v1+json")?;
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": facts.version });
    let index = json!({ "schemaVersion": 2, "manifests": [manifest] });
    fs::write(image.join("index.json"), serde_json::to_vec(&index)?)?;
    fs::write(image.join("oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#)?;
    let bytes = layer["size"].as_u64().unwrap_or(u64::MAX);
    ensure!(bytes <= BYTES_MAX, "the image has {bytes} bytes, more than the {BYTES_MAX} that it may have");
    Ok(image)
}

fn lay_out(root: &Path, laid_out: &LaidOut, tree: &Tree) -> Result<()> {
    tree.copy(&laid_out.path("bin/ferry"), "usr/bin/ferry", 0o755)?;
    for name in PROBES {
        tree.link(&format!("usr/bin/{name}"), "ferry")?;
    }
    tree.file(
        "etc/passwd",
        "root:x:0:0::/:/sbin/nologin\nferrymq:x:1001:0::/var/lib/ferrymq:/sbin/nologin\n",
        0o644,
    )?;
    tree.file("etc/group", "root:x:0:\n", 0o644)?;
    tree.copy(&root.join("LICENSE"), "usr/share/doc/ferrymq/LICENSE", 0o644)?;
    tree.file("usr/share/doc/ferrymq/sbom.cdx.json", laid_out.read("share/sbom.cdx.json")?, 0o644)?;
    tree.folder("etc/ferrymq/mqsc", 0o755)?;
    // Group 0 may write, so that any user of that group can run it.
    tree.folder("var/lib/ferrymq", 0o770)?;
    // Places where a root that is read-only has what the system puts there.
    for folder in ["proc", "dev", "sys"] {
        tree.folder(folder, 0o755)?;
    }
    tree.folder("tmp", 0o1777)
}

/// Keeps bytes under their sum; their descriptor.
fn keep(blobs: &Path, bytes: &[u8], media_type: &str) -> Result<Value> {
    let beside = blobs.join("new");
    fs::write(&beside, bytes)?;
    let sum = tree::sum(&beside)?;
    fs::rename(&beside, blobs.join(&sum))?;
    Ok(json!({ "mediaType": media_type, "digest": format!("sha256:{sum}"), "size": bytes.len() }))
}

fn configuration(facts: &Facts, created: &str, layer: &str) -> Value {
    json!({
        "created": created, "architecture": facts.target.architecture, "os": "linux",
        "config": {
            "User": USER,
            "Env": ["PATH=/usr/bin", "FERRY_DATA=/var/lib/ferrymq"],
            "Entrypoint": ["/usr/bin/ferry", "container"],
            "ExposedPorts": { "1414/tcp": {}, "9414/tcp": {} },
            "Volumes": { "/var/lib/ferrymq": {} },
            "WorkingDir": "/var/lib/ferrymq",
            "StopSignal": "SIGTERM",
            "Healthcheck": { "Test": ["CMD", "/usr/bin/ferry", "check", "live"], "Interval": 10_000_000_000_u64 },
            "Labels": {
                "org.opencontainers.image.title": "FerryMQ",
                "org.opencontainers.image.version": facts.version,
                "org.opencontainers.image.revision": facts.commit,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": created, "created_by": "cargo xtask package" }],
    })
}
