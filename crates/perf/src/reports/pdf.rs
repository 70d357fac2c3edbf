//! The page on paper: printed by a browser that is installed, from the same file that is read on the screen
//! (`docs/decisions/0015-the-report-is-one-page-and-a-browser-prints-it.md`).

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context as _, Result, bail, ensure};

use crate::server_process::temporary_directory;

/// What browsers that can print without a window are called.
const BROWSERS: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// A page that is not printed by then never is.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often the browser is looked at.
const LOOK: Duration = Duration::from_millis(50);

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
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.with_context(|| format!("cannot start {}", self.0.display()))?;
        wait(child).with_context(|| format!("{} does not print", self.0.display()))?;
        ensure!(pdf.is_file(), "{} ended and printed nothing", self.0.display());
        Ok(())
    }
}

fn wait(mut child: Child) -> Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "it ended with {status}");
            return Ok(());
        }
        thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    bail!("it was ended after {} s", PATIENCE.as_secs());
}
