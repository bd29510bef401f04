//! A server for the folder of the page, on this machine only.

use std::fs;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use tiny_http::{Header, Request, Response};

pub struct Server {
    server: tiny_http::Server,
    folder: PathBuf,
    pub address: SocketAddr,
}

impl Server {
    /// A server on a port, or on any that is free.
    pub fn new(folder: PathBuf, port: u16) -> Result<Self, String> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let server = tiny_http::Server::http(address).map_err(|error| {
            format!("port {port} cannot be used: {error}; give another by --port")
        })?;
        let address = server.server_addr().to_ip().unwrap_or(address);
        Ok(Server {
            server,
            folder,
            address,
        })
    }

    /// Serves while others work, and returns where.
    pub fn in_background(self) -> SocketAddr {
        let address = self.address;
        std::thread::spawn(move || self.run());
        address
    }

    /// Serves until the process ends.
    pub fn run(&self) {
        for request in self.server.incoming_requests() {
            self.answer(request);
        }
    }

    fn answer(&self, request: Request) {
        let path = request.url().split(['?', '#']).next().unwrap_or("/");
        let file = file(&self.folder, path);
        // Whoever has gone does not need an answer.
        let _ = match file.and_then(|file| Some((fs::read(&file).ok()?, kind(&file)))) {
            Some((bytes, kind)) => {
                let header = Header::from_bytes("Content-Type", kind);
                let response = Response::from_data(bytes);
                request.respond(match header {
                    Ok(header) => response.with_header(header),
                    Err(()) => response,
                })
            }
            None => request.respond(Response::from_string("not here").with_status_code(404)),
        };
    }
}

/// The file of a path, if that stays in the folder.
fn file(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path.trim_start_matches('/'));
    let is_below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let file = folder.join(path);
    is_below.then(|| match file.is_dir() {
        true => file.join("index.html"),
        false => file,
    })
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = Path::new("pages");
        assert_eq!(
            file(folder, "/modules/a.js"),
            Some(folder.join("modules/a.js"))
        );
        assert_eq!(file(folder, "/../secret"), None);
        assert_eq!(file(folder, "/a/../../secret"), None);
    }
}
