//! The page on paper: printed by a browser that is installed, from the same file that is read on the screen
//! (`docs/decisions/0015-the-report-is-one-page-and-a-browser-prints-it.md`).

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use crate::belongings::Group;
use crate::server_process::temporary_directory;

/// Names of browsers that can print without a window.
const BROWSERS: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// A page that is not printed by then never is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser that prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser(PathBuf);

impl Browser {
    /// This one.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The first on the path that has one of the names that such browsers have.
    #[must_use]
    pub fn installed() -> Option<Self> {
        let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
        let programs = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        programs.into_iter().find(|path| path.is_file()).map(Self)
    }

    /// Prints a page.
    ///
    /// # Errors
    /// When the browser cannot be started, fails or does not come to an end.
    pub fn print(&self, page: &Path, pdf: &Path) -> Result<()> {
        let profile = temporary_directory(&env::temp_dir())?;
        self.print_with(page, pdf, profile.path())
    }

    fn print_with(&self, page: &Path, pdf: &Path, profile: &Path) -> Result<()> {
        let page = page.canonicalize().with_context(|| format!("no page at {}", page.display()))?;
        let mut command = Command::new(&self.0);
        command.args(["--headless", "--disable-gpu", "--no-first-run", "--disable-extensions"]);
        command.args(["--disable-background-networking", "--no-pdf-header-footer"]);
        if rustix::process::geteuid().is_root() {
            // Chromium has no sandbox for root. The page is ours and has no script.
            command.arg("--no-sandbox");
        }
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(format!("--print-to-pdf={}", pdf.display()));
        command.arg(format!("file://{}", page.display()));
        // Who ends this program on a second Ctrl-C takes the browser along.
        let group = Group::start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()));
        let group = group.with_context(|| format!("cannot start {}", self.0.display()))?;
        wait(group).with_context(|| format!("{} does not print", self.0.display()))?;
        ensure!(pdf.is_file(), "{} ended and printed nothing", self.0.display());
        Ok(())
    }
}

fn wait(mut group: Group) -> Result<()> {
    let Some(status) = group.wait_within(PATIENCE)? else {
        bail!("it was ended after {} s", PATIENCE.as_secs());
    };
    ensure!(status.success(), "it ended with {status}");
    Ok(())
}
