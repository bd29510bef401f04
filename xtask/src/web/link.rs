//! One file from many: the page with its style, its scripts and its worker in it.
//!
//! Browsers load neither modules nor workers from a folder without a server, so the modules of the page become one
//! script, in the order of their imports. For that they share a scope: what one declares at its top level must have a
//! name of its own, or the browser refuses the whole script, which no test of the page survives.

use super::read;
use std::path::Path;

/// The page in a folder, with the figures that were measured.
pub fn link(page: &Path, measured: &str) -> Result<String, String> {
    let mut script = Script::default();
    script.add(page, "main.js")?;
    let worker = compact(&read(&page.join("worker.js"))?);
    let style = compact(&read(&page.join("style.css"))?);
    let html = compact(&read(&page.join("index.html"))?);
    let link = "<link rel=\"stylesheet\" href=\"style.css\">";
    for (text, name) in [(&worker, "worker.js"), (&script.text, "main.js")] {
        if text.contains("</script") {
            return Err(format!("{name}: `</script` would end the script"));
        }
    }
    let scripts = format!(
        "<script type=\"application/json\" id=\"measured\">{measured}</script>\n\
         <script type=\"text/plain\" id=\"worker\">{worker}</script>\n\
         <script type=\"module\">{}</script>\n</body>",
        script.text
    );
    if !html.contains(link) || !html.contains("</body>") {
        return Err(format!("index.html: expected `{link}` and `</body>`"));
    }
    let html = html.replace(link, &format!("<style>{style}</style>"));
    Ok(html.replace("</body>", &scripts))
}

#[derive(Default)]
struct Script {
    added: Vec<String>,
    text: String,
}

impl Script {
    /// Adds a module after those that it imports.
    fn add(&mut self, page: &Path, name: &str) -> Result<(), String> {
        if self.added.iter().any(|added| added == name) {
            return Ok(());
        }
        self.added.push(name.into());
        let source = read(&page.join(name))?;
        let mut own = String::new();
        for line in source.lines() {
            if line.starts_with("import ") {
                self.add(
                    page,
                    imported(line).ok_or_else(|| {
                        format!(
                            "{name}: `{line}` is not of the form `import {{ … }} from \"./x.js\";`"
                        )
                    })?,
                )?;
            } else {
                own += line.strip_prefix("export ").unwrap_or(line);
                own.push('\n');
            }
        }
        self.text += &compact(&own);
        Ok(())
    }
}

fn imported(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("import { ")?;
    let (_, file) = rest.split_once(" } from \"./")?;
    file.strip_suffix("\";")
}

/// Without indentation, and without lines that are comments.
fn compact(text: &str) -> String {
    let mut compact = String::new();
    let mut is_comment = false;
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        let is_whole = !is_comment && !line.starts_with("//") && !line.is_empty();
        if is_whole {
            compact += line;
            compact.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_has_one_form() {
        assert_eq!(imported("import { a, b } from \"./x.js\";"), Some("x.js"));
        assert_eq!(imported("import a from \"./x.js\";"), None);
        assert_eq!(imported("import { a } from \"elsewhere\";"), None);
    }

    #[test]
    fn comments_and_indentation_are_left_out_and_nothing_else() {
        let text = "// one\n  /** two\n   * three */\n  a(\"//\"); // stays\n\n/* four */\nb\n";
        assert_eq!(compact(text), "a(\"//\"); // stays\nb\n");
    }
}
