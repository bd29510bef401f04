//! Decisions per second on one core: by the engine, one game at a time, and in lockstep.
use ipse::policy::Policy;
use ipse::prelude::*;
use ipse::tetris::{BCTS, Tetris10x10};
use ipse_lockstep::{Club, Job, Limit, Played, Eight, play};
use std::time::Instant;
struct Games<'a> { policy: &'a Policy<Eight>, seed: u64, actions: u64, until: u64 }
impl<'a> Club<'a> for Games<'a> {
    fn next(&mut self) -> Option<Job<'a>> {
        self.seed += 1;
        (self.actions < self.until).then_some(Job { number: 0, policy: self.policy, seed: self.seed })
    }
    fn played(&mut self, _: usize, _: Played) {}
    fn acted(&mut self, n: u64) { self.actions += n }
}
fn main() {
    let n: u64 = std::env::args().nth(1).map_or(3_000_000, |n| n.parse().unwrap());
    let task = Tetris10x10::default();
    let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
    for _ in 0..3 {
    let start = Instant::now();
    if std::env::args().nth(2).is_none_or(|w| w != "e") {
    let mut g = Games { policy: &policy, seed: 0, actions: 0, until: n };
    play(&task, Limit { reward: i64::MAX, actions: 3000, games: usize::MAX }, &mut g);
    println!("lockstep {:.2} M/s", g.actions as f64 / start.elapsed().as_secs_f64() / 1e6);
    eprintln!("{}", g.actions);    if std::env::args().nth(2).is_some_and(|w| w == "x") { return } }
    let start = Instant::now();
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut state = task.reset(&mut rng);
    for _ in 0..n {
        state = match policy.choose(&task, &state, &mut rng) { Some(a) => task.step(&state, a, &mut rng).0, None => task.reset(&mut rng) };
    }
    if std::env::args().nth(2).is_some() { return }
    println!("engine {:.2} M/s", n as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
}
