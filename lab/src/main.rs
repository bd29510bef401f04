//! `ipse`, the lab.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    lab::main()
}
