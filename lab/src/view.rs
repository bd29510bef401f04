//! How states and actions of a task are shown to a person.

use crate::commands::watch;
use ipse::checkpoint::fields;
use ipse::environment::{Action, Environment, Resumable};
use serde_json::{Map, Value, json};

/// Shows states and actions. Everything has a default, which asks the task.
pub trait View<E: Resumable>: Send + Sync {
    /// What an action is called, in the singular.
    fn noun(&self) -> &'static str {
        "action"
    }

    /// What is over if no action is legal.
    fn whole(&self) -> &'static str {
        "episode"
    }

    /// What the actions of a state are about, after the noun: " of S", or nothing.
    fn subject(&self, _: &E::State) -> String {
        String::new()
    }

    /// The state, above everything that is said about it.
    fn state(&self, task: &E, state: &E::State) -> Vec<String> {
        let mut lines = watch::picture_of(task, state, PICTURE);
        lines.extend(field_lines(task, state));
        lines
    }

    /// A picture of what an action leads to, in lines of the same width, if there is one.
    fn picture(&self, _: &E, _: &E::State, _: Action) -> Vec<String> {
        Vec::new()
    }

    /// What an action does, as the beginning of a sentence.
    fn action(&self, task: &E, state: &E::State, action: Action) -> String {
        capitalised(&description(task, state, action))
    }

    /// The state, for programs.
    fn state_facts(&self, task: &E, state: &E::State) -> Map<String, Value> {
        let mut facts = Map::new();
        let state: Vec<Value> = named_fields(task, state)
            .into_iter()
            .map(|(name, value)| json!([name, value]))
            .collect();
        facts.insert("state".into(), state.into());
        facts
    }

    /// An action, for programs.
    fn action_facts(&self, task: &E, state: &E::State, action: Action) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("action".into(), action.into());
        facts.insert("does".into(), description(task, state, action).into());
        facts
    }

    /// Shows a game from its first action on. By default that is the picture of each state.
    fn film(&self) -> Film<E> {
        Box::new(|task, state, _| vec![watch::picture_of(task, state, PICTURE)])
    }

    /// Reads a state that someone typed. By default states are not read, but found by playing.
    fn read(&self, _: &[u8]) -> Option<Result<E::State, String>> {
        None
    }

    /// What a state that can be read looks like.
    fn expected(&self) -> Option<&'static str> {
        None
    }
}

/// Makes pictures, in lines of text, of each action that is taken in a state; the last one shows what came of it.
pub type Film<E> = Box<dyn FnMut(&E, &<E as Environment>::State, Action) -> Vec<Vec<String>>>;

/// By the picture and the descriptions of the task itself.
pub struct Plain;

impl<E: Resumable> View<E> for Plain {}

/// What an action does, in the words of the task.
pub fn description<E: Environment>(task: &E, state: &E::State, action: Action) -> String {
    let mut text = String::new();
    match task.describe(state, action, &mut text) {
        Ok(()) if !text.is_empty() => text,
        _ => format!("action {action}"),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The fields of a state, in the order in which they are saved.
fn named_fields<E: Resumable>(task: &E, state: &E::State) -> Vec<(&'static str, f64)> {
    let mut named = Vec::new();
    fields(task, state, |name, value| named.push((name, value)));
    named
}

/// The most columns and rows of a picture.
const PICTURE: (usize, usize) = (64, 20);
/// The width of the lines in which fields are listed.
const WIDTH: usize = 78;

/// The fields of a state as text: `hour 12 · clouds 0 · …`.
fn field_lines<E: Resumable>(task: &E, state: &E::State) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in named_fields(task, state) {
        let field = format!("{name} {value}");
        match lines.last_mut() {
            Some(line) if line.chars().count() + field.chars().count() + 3 <= WIDTH => {
                *line += &format!(" · {field}");
            }
            _ => lines.push(field),
        }
    }
    lines
}
