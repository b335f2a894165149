//! What the README says that the program needs is what it opens when it runs.

use std::{collections::BTreeSet, fs, path::Path};

/// Libraries of every system, by how their names begin.
const EVERYWHERE: [&str; 3] = ["libc.", "libm.", "libgcc_s."];

/// The names of libraries with a version in the program: those that it is linked with and those that it opens.
fn libraries(program: &Path) -> BTreeSet<String> {
    let bytes = fs::read(program).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    let name = |(at, _): (usize, &str)| {
        // Names may stand next to each other: each begins with the last "lib" before its version.
        let before = &text[..at];
        let begin = before.rfind(|c| !of_a_name(c)).map_or(0, |place| place + 1);
        let begin = begin + before.get(begin..)?.rfind("lib")?;
        let rest = text[at + ".so.".len()..].chars();
        let version: String = rest.take_while(char::is_ascii_digit).collect();
        (!version.is_empty()).then(|| format!("{}.so.{version}", &before[begin..]))
    };
    let names = text.match_indices(".so.").filter_map(name);
    names.filter(|name| !EVERYWHERE.iter().any(|all| name.starts_with(all))).collect()
}

#[test]
fn the_packages_of_the_readme_have_what_the_program_opens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let check = fs::read_to_string(root.join("check.sh")).unwrap();
    let list = check.split_once("window_libraries=(").unwrap().1.split_once(')').unwrap().0;
    let installed: Vec<(&str, &str)> =
        list.split_whitespace().map(|entry| entry.split_once('=').unwrap()).collect();
    let opened = libraries(Path::new(env!("CARGO_BIN_EXE_client-egui")));
    let (wayland, x11): (BTreeSet<_>, BTreeSet<_>) =
        opened.iter().map(String::as_str).partition(|name| name.starts_with("libwayland"));
    let known: BTreeSet<&str> = installed.iter().map(|(_, library)| *library).collect();
    assert_eq!(x11, known, "the list of check.sh is what is opened on X11");
    assert_eq!(wayland, BTreeSet::from(["libwayland-client.so.0", "libwayland-egl.so.1"]));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let packages = installed.iter().map(|(package, _)| *package);
    for package in packages.chain(["libwayland-client0", "libwayland-egl1", "libgl1-mesa-dri"]) {
        assert!(readme.contains(package), "the README does not name {package}");
    }
}
