//! How to keep a promise.

use super::super::contract::{Breach, Promise};
use super::{Finding, Kind, Severity};

pub fn broken(breach: &Breach) -> Finding {
    let kind = Kind::Promise(breach.promise);
    let fact = capitalised(&breach.fact);
    Finding {
        severity: Severity::Broken,
        ..Finding::problem(kind, &[&breach.about], fact, advice(breach.promise))
    }
}

fn advice(promise: Promise) -> &'static str {
    match promise {
        Promise::Panic => "A panic stops a board: repair the method.",
        Promise::Bound => {
            "Raise the bound in FEATURES, or clamp the value in `outcomes`: scores may overflow, and a wrong action may \
             be taken."
        }
        Promise::Once => "Visit every legal action once in `outcomes`.",
        Promise::Order => {
            "Let `outcomes` depend on the state alone: a learner asks again for the features of choices that it \
             remembers."
        }
        Promise::Room => "Make `Actions` as long as the largest number of legal actions.",
        Promise::Terminal => {
            "A state is terminal if, and only if, `outcomes` visits nothing; it is worth 0 and not safe."
        }
        Promise::Chance => {
            "Take all chance from the generator that is passed in: a seed has to repeat a run to the bit."
        }
        Promise::Equal => {
            "Compare in `PartialEq` everything on which the future depends: a search takes equal states for one."
        }
        Promise::Illegal => {
            "Return the state as it is, and a reward of 0, for actions that are not legal."
        }
        Promise::Saved => {
            "Let `code_state` hand on every field, with the range that it can have, and count the bits in STATE_BITS."
        }
        Promise::Reward => "Scale rewards down: what is beyond the end of their range is lost.",
        Promise::Expected => {
            "Promise the expected reward, or 0: rollouts of LFD take the action with the highest promise."
        }
        Promise::Picture => {
            "Draw within PICTURE, and keep it to what a frame of telemetry has room for."
        }
        Promise::Names => {
            "Give the task and every feature a name of its own, and features a finite unit above 0."
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>() + "."
}
