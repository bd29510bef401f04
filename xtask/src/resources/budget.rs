//! What learning may take at most.

use super::figures::{Figures, Long};

/// Flash of an image without telemetry, on the board that has nothing but what learning needs.
const FLASH: u32 = 43_000;
/// All of the RAM of that image, and of the one that searches: every variable and the highest stack.
const RAM: f64 = 8_192.0;

/// All of the RAM of the sensor node on that board, with telemetry and storage.
const NODE_RAM: f64 = 9_216.0;

/// The longest that a full run may take, by the key of the board.
fn seconds(key: &str) -> f64 {
    match key {
        "stm32f405" => 40.0,
        _ => 95.0,
    }
}

/// Fails with a line for each figure that is beyond its budget.
pub fn check(boards: &[Figures]) -> Result<(), String> {
    let beyond: Vec<String> = boards.iter().flat_map(beyond).collect();
    match beyond.is_empty() {
        true => Ok(()),
        false => Err(beyond.join("\n")),
    }
}

fn beyond(board: &Figures) -> Vec<String> {
    let mut beyond = Vec::new();
    let name = board.board;
    let is_bare = board.key == "stm32f405";
    if is_bare && board.silent.flash > FLASH {
        let flash = board.silent.flash;
        beyond.push(format!("{name}: {flash} B of flash, of at most {FLASH}"));
    }
    let Some(run) = &board.run else {
        return beyond;
    };
    let ram = board.ram_total(run);
    if is_bare && ram > RAM {
        beyond.push(format!("{name}: {ram} B of RAM, of at most {RAM}"));
    }
    if let Some(image) = &run.surface.image
        && image.ram_total() > RAM
    {
        let ram = image.ram_total();
        beyond.push(format!(
            "{name}, surface search: {ram} B of RAM, of at most {RAM}"
        ));
    }
    let ram = run.node.image.ram_total();
    if is_bare && ram > NODE_RAM {
        beyond.push(format!(
            "{name}, sensor node: {ram} B of RAM, of at most {NODE_RAM}"
        ));
    }
    let most = seconds(board.key);
    if let Some(Long { seconds, .. }) = run.run
        && seconds > most
    {
        beyond.push(format!("{name}: {seconds:.1} s, of at most {most}"));
    }
    beyond
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::elf::Footprint;
    use crate::resources::figures::{Image, Node, Run, Surface};

    fn board(flash: u32, stack: f64, seconds: f64) -> Figures {
        let footprint = Footprint { flash, ram: 4_000 };
        Figures {
            board: "a board",
            key: "stm32f405",
            logging: footprint,
            silent: footprint,
            run: Some(Run {
                unit: "cycles",
                agent: 3_192.0,
                stack,
                decision: 7_000.0,
                short_run: 4e8,
                short_search: 3e8,
                run: Some(Long {
                    count: 5e9,
                    seconds,
                }),
                surface: Surface {
                    image: Some(Image { footprint, stack }),
                    search: None,
                },
                hz: 168e6,
                node: Node {
                    image: Image {
                        footprint,
                        stack: stack + 1_024.0,
                    },
                    short_search: 3e8,
                    search: None,
                },
            }),
        }
    }

    #[test]
    fn a_board_at_the_edge_of_its_budgets_is_within_them() {
        assert_eq!(check(&[board(FLASH, 4_192.0, 40.0)]), Ok(()));
    }

    #[test]
    fn each_budget_that_is_exceeded_has_a_line() {
        let error = check(&[board(FLASH + 1, 4_193.0, 40.1)]).unwrap_err();
        assert_eq!(error.lines().count(), 5, "{error}");
        assert!(error.contains("43001 B of flash"), "{error}");
        assert!(error.contains("board: 8193 B of RAM"), "{error}");
        assert!(error.contains("surface search: 8193 B of RAM"), "{error}");
        assert!(error.contains("9217 B of RAM"), "{error}");
    }
}
