//! `ipse`, the lab.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    ipse_lab::main()
}
