//! Names of the machine's users.

/// The name of the user this process acts as.
#[must_use]
pub fn current() -> String {
    name_of(rustix::process::geteuid().as_raw())
}

/// The name of a user, or its number when it has none.
#[must_use]
pub fn name_of(user: u32) -> String {
    let table = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let number = user.to_string();
    let named = table.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1) == Some(&number)).then(|| name.to_owned())
    });
    named.unwrap_or(number)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_superuser_has_a_name_and_nobody_else_a_wrong_one() {
        assert_eq!(super::name_of(0), "root");
        assert_eq!(super::name_of(4_294_000_000), "4294000000");
    }
}
