//! The links of all documents: each must lead to something that is there.
//!
//! A README that a registry shows is read outside the repository, so that its links have to be absolute. Those to the
//! repository begin with the address in `Cargo.toml`.

use crate::packages::PACKAGES;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders in which there is nothing of ours.
const FOREIGN: [&str; 3] = ["target", "node_modules", "corpus"];

pub fn check() -> Result<(), String> {
    let root = workspace::root();
    let mut documents = Vec::new();
    find(root, &mut documents)?;
    let repository = repository()?;
    let mut errors = Vec::new();
    let mut links = 0;
    for document in &documents {
        let text = read(document)?;
        let is_shown = is_shown_by_a_registry(document);
        let name = document.strip_prefix(root).unwrap_or(document);
        for label in undefined(&text) {
            errors.push(format!(
                "{}: no line defines `[{label}]: …`",
                name.display()
            ));
        }
        for link in links_in(&text) {
            links += 1;
            if let Err(error) = follow(document, link, is_shown, &repository) {
                errors.push(format!("{}: `{link}` {error}", name.display()));
            }
        }
    }
    println!("{links} links in {} documents", documents.len());
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors.join("\n")),
    }
}

/// The pages of docs.rs that the documents of packages link to: the name of the crate there, and the page.
pub fn pages_of_documentation() -> Result<Vec<String>, String> {
    let mut pages = Vec::new();
    for (_, folder) in PACKAGES {
        let text = read(&workspace::root().join(folder).join("README.md"))?;
        for link in links_in(&text) {
            let latest = link
                .strip_prefix("https://docs.rs/")
                .and_then(|rest| rest.split_once("/latest/"));
            if let Some((_, page)) = latest {
                pages.push(page.split('#').next().unwrap_or(page).into());
            }
        }
    }
    Ok(pages)
}

/// Whether a link leads somewhere, as far as that can be known without the network.
fn follow(document: &Path, link: &str, is_shown: bool, repository: &str) -> Result<(), String> {
    let path = link.split('#').next().unwrap_or(link);
    if let Some(path) = in_repository(path, repository) {
        return exists(&workspace::root().join(path));
    }
    if path.contains("://") || path.starts_with("mailto:") {
        let host = repository
            .rsplit_once("/ipse")
            .map_or(repository, |(owner, _)| owner);
        return match path.starts_with(host) {
            true => Err(format!("is no file of {repository}")),
            false => Ok(()),
        };
    }
    // Items are links of the documentation, which rustdoc follows.
    if path.is_empty() || path.contains("::") {
        return Ok(());
    }
    if is_shown {
        return Err(format!(
            "is relative, but a registry shows this document: begin with {repository}/blob/main/"
        ));
    }
    exists(&document.parent().unwrap_or(document).join(path))
}

/// The file that an absolute link to the repository is about. Pictures have an address of their own.
fn in_repository<'a>(link: &'a str, repository: &str) -> Option<&'a str> {
    let pictures = repository.replace("//github.com/", "//raw.githubusercontent.com/");
    let rest = link.strip_prefix(repository);
    let file = rest.and_then(|rest| match rest {
        "" | "/" | "/issues" => Some(""),
        rest => ["/blob/main/", "/tree/main/"]
            .iter()
            .find_map(|kind| rest.strip_prefix(kind)),
    });
    file.or_else(|| link.strip_prefix(&pictures)?.strip_prefix("/main/"))
}

fn exists(path: &Path) -> Result<(), String> {
    match path.exists() {
        true => Ok(()),
        false => Err("leads nowhere".into()),
    }
}

/// The address of the repository, which the manifest of the workspace says once.
fn repository() -> Result<String, String> {
    let manifest = read(&workspace::root().join("Cargo.toml"))?;
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("repository = \""));
    line.and_then(|rest| rest.strip_suffix('"'))
        .map(str::to_string)
        .ok_or_else(|| "Cargo.toml has no line `repository = \"…\"`".into())
}

fn is_shown_by_a_registry(document: &Path) -> bool {
    let root = workspace::root();
    PACKAGES.iter().any(|(_, folder)| {
        document
            == root
                .join(folder)
                .join("README.md")
                .components()
                .collect::<PathBuf>()
    })
}

pub fn find(folder: &Path, documents: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let is_foreign = FOREIGN.contains(&&*name) || name == ".git";
        if path.is_dir() && !is_foreign {
            find(&path, documents)?;
        } else if name.ends_with(".md") {
            documents.push(path);
        }
    }
    documents.sort();
    Ok(())
}

pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The lines of a document that are not code.
pub fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code && !line.starts_with("    ")
    })
}

/// The labels that links refer to and no line defines.
fn undefined(text: &str) -> Vec<&str> {
    let is_defined =
        |label: &&str| prose(text).any(|line| line.starts_with(&format!("[{label}]: ")));
    let labels = prose(text).flat_map(|line| {
        line.split("][")
            .skip(1)
            .filter_map(|rest| rest.split(']').next())
    });
    labels.filter(|label| !is_defined(label)).collect()
}

/// The links of a document: in line, by reference and in HTML.
fn links_in(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    for line in prose(text) {
        for (before, after) in [
            ("](", ')'),
            ("src=\"", '"'),
            ("srcset=\"", '"'),
            ("href=\"", '"'),
        ] {
            links.extend(
                line.split(before)
                    .skip(1)
                    .filter_map(|rest| rest.split(after).next()),
            );
        }
        if line.starts_with('[') {
            links.extend(line.split_once("]: ").map(|(_, link)| link.trim()));
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPOSITORY: &str = "https://github.com/someone/ipse";

    #[test]
    fn links_are_found_in_line_by_reference_and_in_html_but_not_in_code() {
        let text = "A [link](a.md), ![picture](b.png).\n[c]: c.rs\n<img src=\"d.png\">\n```\n[x](y)\n```\n    [x](y)\n";
        assert_eq!(links_in(text), ["a.md", "b.png", "c.rs", "d.png"]);
    }

    #[test]
    fn a_label_that_no_line_defines_is_found() {
        assert_eq!(
            undefined("A [link][a] and [another][b].\n\n[a]: a.md\n"),
            ["b"]
        );
    }

    #[test]
    fn links_to_the_repository_must_lead_to_a_file_of_it() {
        let follow =
            |link: &str| follow(&workspace::root().join("README.md"), link, true, REPOSITORY);
        for link in ["blob/main/src/lib.rs#L1", "tree/main/tasks"] {
            assert_eq!(follow(&format!("{REPOSITORY}/{link}")), Ok(()), "{link}");
        }
        let picture = "https://raw.githubusercontent.com/someone/ipse/main/docs/images";
        assert_eq!(follow(picture), Ok(()));
        for link in ["blob/main/src/lost.rs", "wiki"] {
            assert!(follow(&format!("{REPOSITORY}/{link}")).is_err(), "{link}");
        }
        assert!(follow("https://github.com/someone/other").is_err());
        assert_eq!(follow("https://arxiv.org/abs/1912.02532"), Ok(()));
    }

    #[test]
    fn what_a_registry_shows_has_no_relative_links_and_the_rest_may() {
        let readme = workspace::root().join("README.md");
        assert!(follow(&readme, "src/lib.rs", true, REPOSITORY).is_err());
        assert_eq!(follow(&readme, "src/lib.rs", false, REPOSITORY), Ok(()));
        assert!(follow(&readme, "src/lost.rs", false, REPOSITORY).is_err());
        assert_eq!(follow(&readme, "#limits", true, REPOSITORY), Ok(()));
    }

    #[test]
    fn the_pages_of_the_packages_are_known() {
        for (_, folder) in PACKAGES {
            let mut documents = Vec::new();
            find(&workspace::root().join(folder), &mut documents).unwrap();
            assert!(
                documents
                    .iter()
                    .any(|document| is_shown_by_a_registry(document)),
                "{folder}"
            );
        }
        assert!(!is_shown_by_a_registry(
            &workspace::root().join("ARCHITECTURE.md")
        ));
    }
}
