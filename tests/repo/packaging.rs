//! Packages have every manual page, and the completions of every shell.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use flockscope::commands::args::{MAN_PAGES, Shell};
use flockscope::commands::{completions, man};
use tempfile::TempDir;

use crate::documents::root;
use crate::program::{clean_command, path};

#[test]
fn packages_have_every_page_and_script() {
    let folder = TempDir::new().unwrap();
    let written = clean_command(root().join("packaging/pages")).arg(path()).arg(folder.path()).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let names = |path: &Path| -> BTreeSet<String> {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };

    let file = |page: &str| match page {
        "flockscope" => "flockscope.1".to_owned(),
        "config" => "flockscope-config.5".to_owned(),
        command => format!("flockscope-{command}.1"),
    };
    let pages = folder.path().join("man");
    assert_eq!(names(&pages), MAN_PAGES.map(file).into());
    for page in MAN_PAGES {
        assert_eq!(fs::read_to_string(pages.join(file(page))).unwrap(), man::page(page), "{page}");
    }

    let scripts = folder.path().join("completions");
    let shells = [
        ("flockscope.bash", Shell::Bash),
        ("_flockscope", Shell::Zsh),
        ("flockscope.fish", Shell::Fish),
        ("_flockscope.ps1", Shell::PowerShell),
        ("flockscope.nu", Shell::Nushell),
    ];
    assert_eq!(names(&scripts), shells.iter().map(|(file, _)| (*file).to_owned()).collect());
    for (file, shell) in shells {
        assert_eq!(fs::read_to_string(scripts.join(file)).unwrap(), completions::script(shell), "{file}");
    }
}
