//! Databases for the run: those of the system, else packages of Debian that are fetched and unpacked below
//! `target`, which needs no rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::interop::table::prepare;

/// A database server with its client library.
pub(super) struct Packages {
    /// The folder that stands for `/`.
    root: PathBuf,
    /// The server.
    pub(super) server: PathBuf,
    client: ClientLibrary,
}

/// The library of a client.
#[derive(Clone, Copy)]
struct ClientLibrary {
    /// The folder of its headers, below `usr/include`, and one of them.
    headers: &'static str,
    header: &'static str,
    /// Its name, as a compiler is told it.
    name: &'static str,
}

/// PostgreSQL.
pub(super) fn of_postgres(place: &Path) -> Result<Packages, String> {
    found(
        place,
        &["postgresql", "libpq-dev"],
        |root| {
            let mut versions: Vec<_> =
                fs::read_dir(root.join("usr/lib/postgresql")).ok()?.filter_map(Result::ok).collect();
            versions.sort_by_key(fs::DirEntry::file_name);
            versions.pop().map(|version| version.path().join("bin/postgres"))
        },
        ClientLibrary { headers: "postgresql", header: "libpq-fe.h", name: "pq" },
    )
}

/// MariaDB. The package of the server alone would start one for the machine.
pub(super) fn of_mariadb(place: &Path) -> Result<Packages, String> {
    found(
        place,
        &["mariadb-server-core", "libmariadb-dev"],
        |root| Some(root.join("usr/sbin/mariadbd")),
        ClientLibrary { headers: "mariadb", header: "mysql.h", name: "mariadb" },
    )
}

/// Looks in the system, then in what an earlier run fetched, and fetches it at last.
fn found(
    place: &Path,
    names: &[&str],
    server: impl Fn(&Path) -> Option<PathBuf>,
    client: ClientLibrary,
) -> Result<Packages, String> {
    let fetched = place.join("packages");
    let look = |root: &Path| {
        let server = server(root)?;
        let header = root.join("usr/include").join(client.headers).join(client.header);
        let is_whole = server.is_file() && header.is_file();
        is_whole.then(|| Packages { root: root.to_owned(), server, client })
    };
    if let Some(packages) = look(Path::new("/")).or_else(|| look(&fetched)) {
        return Ok(packages);
    }
    fetch(names, &fetched)?;
    look(&fetched).ok_or_else(|| format!("{} have no server and header where they were", names.join(", ")))
}

/// Fetches packages with those that they need and the system lacks, and unpacks them.
fn fetch(names: &[&str], to: &Path) -> Result<(), String> {
    let fetch =
        |why: String| format!("{} cannot be fetched: {why}; apt-get update may help", names.join(", "));
    fs::create_dir_all(to).map_err(|error| fetch(error.to_string()))?;
    let mut list = Command::new("apt-get");
    list.args(["-qq", "--print-uris", "--no-install-recommends", "install", "-y"]).args(names);
    let listed = list.output().map_err(|error| fetch(error.to_string()))?;
    if !listed.status.success() {
        return Err(fetch(String::from_utf8_lossy(&listed.stderr).trim().to_owned()));
    }
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    let mut download = Command::new("apt-get");
    download.args(["-qq", "download"]).args(files.iter().map(|file| name_of(file))).current_dir(to);
    prepare(&mut download).map_err(fetch)?;
    for file in files {
        let mut unpack = Command::new("dpkg-deb");
        unpack.arg("-x").arg(to.join(file)).arg(to);
        prepare(&mut unpack).map_err(fetch)?;
    }
    Ok(())
}

/// The name of the package of a file.
fn name_of(file: &str) -> &str {
    file.split('_').next().unwrap_or(file)
}

impl Packages {
    /// The folders of libraries that the system does not search.
    pub(super) fn libraries(&self) -> Vec<PathBuf> {
        if self.root == Path::new("/") {
            return Vec::new();
        }
        let folders = fs::read_dir(self.root.join("usr/lib")).into_iter().flatten().filter_map(Result::ok);
        folders
            .map(|folder| folder.path())
            .filter(|path| path.to_string_lossy().contains("-linux-"))
            .collect()
    }

    /// The folder of files that the server reads.
    pub(super) fn shared(&self) -> PathBuf {
        self.root.join("usr/share")
    }

    /// Names headers and library to a compiler.
    pub(super) fn add_to(&self, cc: &mut Command) {
        cc.arg("-I").arg(self.root.join("usr/include").join(self.client.headers));
        for folder in self.libraries() {
            cc.arg("-L").arg(folder);
        }
        cc.arg(format!("-l{}", self.client.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_whole_with_server_and_header_and_that_of_an_earlier_run_counts() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("packages");
        let server = |root: &Path| Some(root.join("usr/sbin/no-such-database"));
        fs::create_dir_all(root.join("usr/sbin")).unwrap();
        fs::create_dir_all(root.join("usr/include/none")).unwrap();
        fs::write(root.join("usr/sbin/no-such-database"), "").unwrap();
        let client = ClientLibrary { headers: "none", header: "none.h", name: "none" };
        let ask = || found(place.path(), &["no-such-package-of-debian"], server, client);
        let why = ask().err().unwrap();
        assert!(why.contains("no-such-package-of-debian cannot be fetched"), "{why}");
        fs::write(root.join("usr/include/none/none.h"), "").unwrap();
        assert_eq!(ask().ok().unwrap().server, root.join("usr/sbin/no-such-database"));
    }

    #[test]
    fn the_name_of_a_package_ends_before_its_version() {
        assert_eq!(name_of("libmariadb3_1%3a10.11.19-0+deb12u1_amd64.deb"), "libmariadb3");
    }
}
