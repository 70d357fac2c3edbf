//! Names of the machine's users and groups.

/// The name of the user this process acts as.
#[must_use]
pub fn current() -> String {
    name_of(rustix::process::geteuid().as_raw())
}

/// The number of the group this process acts as.
#[must_use]
pub fn current_group() -> u32 {
    rustix::process::getegid().as_raw()
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

/// Tells if the files of the machine have a user of this name.
#[must_use]
pub fn has_user(name: &str) -> bool {
    let table = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    !name.is_empty() && table.lines().any(|line| line.split(':').next() == Some(name))
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

/// Tells if anybody but this user is in a group, as far as the files of the machine say.
#[must_use]
pub fn group_has_others(group: u32, user: u32) -> bool {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    has_others(&read("/etc/passwd"), &read("/etc/group"), group, user)
}

fn has_others(passwd: &str, groups: &str, group: u32, user: u32) -> bool {
    let (group, user) = (group.to_string(), user.to_string());
    let fields = |line: &str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
    let users: Vec<_> = passwd.lines().map(fields).filter(|line| line.len() > 3).collect();
    let own: Vec<&str> = users.iter().filter(|line| line[2] == user).map(|line| &*line[0]).collect();
    let is_first_group = users.iter().any(|line| line[3] == group && line[2] != user && line[2] != "0");
    let listed = groups.lines().map(fields).filter(|line| line.len() > 3 && line[2] == group);
    let is_other = |member: &str| !member.is_empty() && member != "root" && !own.contains(&member);
    is_first_group || listed.into_iter().any(|line| line[3].split(',').map(str::trim).any(is_other))
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
        assert!(super::has_user("root") && !super::has_user("") && !super::has_user("no such user"));
    }

    #[test]
    fn a_group_is_private_where_nobody_else_has_it_first_or_is_listed() {
        let passwd = "root:x:0:0::/:\nada:x:1000:1000::/:\neve:x:1001:100::/:\nbob:x:1002:100::/:\n";
        let groups = "ada:x:1000:\nusers:x:100:\nops:x:50:ada,eve\nown:x:51:ada, root\nbad\n";
        for (group, expected) in [(1000, false), (100, true), (50, true), (51, false), (77, false)] {
            assert_eq!(super::has_others(passwd, groups, group, 1000), expected, "{group}");
        }
        assert!(super::has_others(passwd, groups, 1000, 1001), "it is another's");
    }

    #[test]
    fn a_group_has_its_number_and_none_has_that_of_another() {
        assert_eq!((super::group_number("root"), super::group_name(0).as_deref()), (Some(0), Some("root")));
        assert_eq!((super::group_number(""), super::group_number("no such group")), (None, None));
    }
}
