//! What the README says that the program needs is what it is linked with.

use std::{collections::BTreeSet, process::Command};

use super::{program, text};

#[test]
fn it_needs_no_more_than_every_debian_has() {
    let output = Command::new("ldd").arg(program()).output().unwrap();
    let printed = text(&output.stdout);
    let names = printed.lines().filter_map(|line| line.split_whitespace().next());
    let names = names.map(|name| name.rsplit('/').next().unwrap_or(name));
    let linked: BTreeSet<&str> = names.filter_map(|name| name.split(".so").next()).collect();
    assert!(linked.contains("libc"), "{printed}");
    let everywhere = ["libc", "libm", "libgcc_s", "libdl", "libpthread", "librt"];
    let other = |name: &&&str| {
        !(everywhere.contains(name) || name.starts_with('l') && name.contains("linux"))
    };
    let others: Vec<_> = linked.iter().filter(other).collect();
    assert!(others.is_empty(), "{printed}");
}
