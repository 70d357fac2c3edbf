//! Names of the machine's users and groups.

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

/// The number of a group, by its name.
#[must_use]
pub fn group_number(name: &str) -> Option<u32> {
    groups().find(|(group, _)| group == name).map(|(_, number)| number)
}

/// The name of a group, by its number.
#[must_use]
pub fn group_name(number: u32) -> Option<String> {
    groups().find(|(_, of)| *of == number).map(|(name, _)| name)
}

fn groups() -> impl Iterator<Item = (String, u32)> {
    let table = std::fs::read_to_string("/etc/group").unwrap_or_default();
    let named = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        Some((name.to_owned(), fields.nth(1)?.parse().ok()?))
    };
    table.lines().filter_map(named).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_superuser_has_a_name_and_nobody_else_a_wrong_one() {
        assert_eq!(super::name_of(0), "root");
        assert_eq!(super::name_of(4_294_000_000), "4294000000");
    }

    #[test]
    fn a_group_has_its_number_and_none_has_that_of_another() {
        assert_eq!((super::group_number("root"), super::group_name(0).as_deref()), (Some(0), Some("root")));
        assert_eq!((super::group_number(""), super::group_number("no such group")), (None, None));
    }
}
