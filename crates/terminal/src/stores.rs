//! Failures of the stores of a queue manager: its keys and its users.

use ca::IssueError;
use identity::{FileError, UsersError};
use tls::StoreError;

use crate::failure::{Exit, Failure};

impl From<IssueError> for Failure {
    fn from(error: IssueError) -> Self {
        let exit = match error {
            IssueError::Unknown(_) | IssueError::NoAuthority(_) | IssueError::KeyInBundle(_) => {
                Exit::NotFound
            }
            IssueError::Label(_) => Exit::Usage,
            _ => Exit::Failed,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::new(Exit::Failed, error.to_string())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::new(Exit::Failed, error.to_string())
    }
}

impl From<UsersError> for Failure {
    fn from(error: UsersError) -> Self {
        let exit = match error {
            UsersError::Unknown(_) => Exit::NotFound,
            UsersError::Name(_) | UsersError::Hash { .. } => Exit::Usage,
            _ => Exit::Failed,
        };
        Self::new(exit, error.to_string())
    }
}
