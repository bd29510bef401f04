//! What a session on a board does, and what it tells its observers.

use embassy_futures::block_on;
use ipse::checkpoint::LoadError;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Budget, ITERATIONS, Observer, Player, Session, Settings};
use ipse_tasks::Foraging;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

fn clock() -> u64 {
    1_234_567
}

/// Three iterations of each phase.
fn short() -> Settings {
    Settings {
        iterations: Some(6),
        ..Settings::default()
    }
}

type Tetris = Session<Agent<Tetris10x10, Ipse>>;

fn session(settings: Settings) -> Tetris {
    let learner = Ipse::paper().cap(3).check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    Session::new(settings, clock, new)
}

/// A search of a thousand calls, from nothing.
fn search(settings: Settings) -> Session<Searcher<Tetris10x10>> {
    let search = Search::survival().calls(1_000).cap(1);
    let search = search.rollouts(Rollouts {
        count: 1,
        length: 1,
        ..Rollouts::paper()
    });
    let search = search.check().unwrap();
    let new = |rng: &mut _| Searcher::new(Tetris10x10::default(), search, rng);
    Session::new(settings, clock, new)
}

fn foraging<L: Learner<Foraging>>(learner: L, settings: Settings) -> Session<Agent<Foraging, L>> {
    let learner = learner.check().unwrap();
    Session::new(settings, clock, |rng| Agent::new(Foraging, learner, rng))
}

fn finish<D: Driver>(mut session: Session<D>) -> Session<D> {
    while !session.is_done() {
        session.slice();
    }
    session
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    slices: u32,
    began: u32,
    phases: Vec<Phase>,
    /// The most slices of an iteration, and those since the last one.
    longest: u32,
    since: u32,
    ended: u32,
    acted: u32,
}

impl<D: Driver> Observer<D> for Told {
    fn progress(&mut self, _: &Session<D>, _: u32) {
        self.slices += 1;
        self.since += 1;
    }

    fn began(&mut self, _: &Session<D>) {
        self.began += 1;
    }

    fn learned(&mut self, session: &Session<D>, step: &Step<ipse_device::Features<D>>) {
        self.phases.push(step.phase);
        assert_eq!(step.iteration as usize, self.phases.len());
        assert_eq!(step.iteration, session.iterations());
        self.longest = self.longest.max(self.since);
        self.since = 0;
    }

    fn ended(&mut self, session: &Session<D>) {
        assert!(session.is_done());
        self.ended += 1;
    }

    fn acted(&mut self, _: &Session<D>, player: &Player<D::Task>) {
        self.acted += 1;
        assert_eq!(self.acted, player.actions());
    }
}

#[test]
fn every_iteration_and_its_phase_is_told_between_a_beginning_and_an_end() {
    let mut told = Told::default();
    let mut session = session(short());
    block_on(session.learn(&mut told));
    assert_eq!((told.began, told.ended), (1, 1));
    assert_eq!(told.phases[..3], [Phase::Directions; 3]);
    assert_eq!(told.phases[3..], [Phase::Weights; 3]);
}

#[test]
fn both_of_a_pair_of_observers_are_told() {
    let mut pair = (Told::default(), Told::default());
    let mut session = session(short());
    block_on(session.learn(&mut pair));
    session.play(&mut session.player(), &mut pair);
    for told in [pair.0, pair.1] {
        assert_eq!((told.phases.len(), told.acted, told.ended), (6, 1, 1));
        assert!(told.slices > 6);
    }
}

#[test]
fn learning_ends_with_the_budget_of_the_driver_or_as_in_the_paper_or_as_the_settings_say() {
    let open = Settings::default();
    assert_eq!(search(open).budget(), Some(Budget::Calls(1_000)));
    let searched = finish(search(open));
    assert!(searched.calls() <= 1_000 && searched.driver().progress().is_finished);

    let agent = session(open);
    assert_eq!(agent.budget(), Some(Budget::Iterations(ITERATIONS)));
    assert_eq!(session(short()).budget(), Some(Budget::Iterations(6)));
    assert_eq!(finish(session(short())).iterations(), 6);
    let one = Settings {
        iterations: Some(1),
        ..open
    };
    assert_eq!(finish(search(one)).iterations(), 1);

    let endless = Settings {
        iterations: Some(u32::MAX),
        ..open
    };
    let lfd = finish(foraging(Lfd::paper(), endless));
    let directions = lfd.driver().directions();
    assert!(directions.iter().all(|direction| direction.is_decided()));
}

#[test]
fn whether_others_get_a_turn_makes_no_difference_to_what_is_learned() {
    let mut with = session(short());
    block_on(with.learn(&mut ()));
    assert_eq!(with.result(), finish(session(short())).result());
}

#[test]
fn a_watchdog_is_fed_after_every_slice_and_every_action() {
    check(session(short()));
    check(search(short()));

    fn check<D: Driver + Clone>(session: Session<D>)
    where
        D::Task: Clone,
    {
        let (mut alone, mut slices) = (session.clone(), 0);
        while !alone.is_done() {
            alone.slice();
            slices += 1;
        }
        let (mut watched, mut told) = (session, Told::default());
        block_on(watched.learn(&mut told));
        assert_eq!(told.slices, slices);
        let mut player = watched.player();
        for _ in 0..30 {
            watched.play(&mut player, &mut told);
        }
        assert_eq!(told.slices, slices + 30);
        assert!(told.longest > 20, "iterations come in many slices");
    }
}

#[test]
fn a_future_of_a_session_can_be_dropped_at_any_turn() {
    let whole = finish(foraging(Ipse::new(), short())).result();
    for turns in 1..60 {
        let mut session = foraging(Ipse::new(), short());
        let mut context = Context::from_waker(Waker::noop());
        while !session.is_done() {
            let mut nobody = ();
            let mut learning = pin!(session.learn(&mut nobody));
            for _ in 0..turns {
                if learning.as_mut().poll(&mut context).is_ready() {
                    break;
                }
            }
        }
        assert_eq!(session.result(), whole, "{turns} turns at a time");
    }
}

#[test]
fn another_seed_has_another_fingerprint() {
    let settings = Settings { seed: 2, ..short() };
    let [one, other] = [short(), settings].map(|settings| finish(session(settings)));
    assert_ne!(one.fingerprint(), other.fingerprint());
}

#[test]
fn rewards_and_calls_and_episodes_are_those_of_all_iterations() {
    let mut session = foraging(Ipse::new(), Settings::default());
    let (mut calls, mut reward, mut episodes) = (0, 0, 0);
    while session.iterations() < 100 {
        if let Some(step) = session.slice() {
            calls += u64::from(step.calls);
            reward += i64::from(step.reward);
            episodes += u32::from(step.episode_ended);
        }
    }
    assert_eq!(
        (session.calls(), session.reward(), session.episodes()),
        (calls, reward, episodes)
    );
    assert!(reward > 0 && episodes > 0);
}

#[test]
fn the_votes_behind_a_direction_are_those_that_decided_it() {
    let mut session = foraging(Ipse::new().cap(100), Settings::default());
    let mut decided: [Option<(Direction, [u16; 2])>; 3] = [None; 3];
    let mut went_on = false;
    while session.iterations() < 100 {
        let Some(step) = session.slice() else {
            continue;
        };
        for feature in 0..3 {
            let tally = step.tallies[feature];
            let (votes, now) = ([tally.pro, tally.con], step.directions[feature]);
            let (_, at_decision) = *match &mut decided[feature] {
                Some(decided) if now == decided.0 => decided,
                undecided => undecided.insert((now, votes)),
            };
            if !now.is_decided() {
                decided[feature] = None;
            }
            assert_eq!(session.votes()[feature], at_decision);
            went_on |= votes != at_decision;
        }
    }
    assert!(decided.iter().all(Option::is_some));
    assert!(went_on, "votes were counted after a decision");
}

/// The checkpoint of a session.
fn bytes_of<D: ResumableDriver>(session: &mut Session<D>) -> Vec<u8> {
    let mut buffer = vec![0; Session::<D>::MAX_BYTES];
    session.save(&mut buffer).unwrap().to_vec()
}

#[test]
fn a_session_goes_on_from_its_checkpoint_with_the_same_bits_sums_and_votes() {
    for iterations in [0, 3, 40] {
        let settings = Settings {
            iterations: Some(60),
            ..Settings::default()
        };
        let mut first = foraging(Ipse::new(), settings);
        while first.iterations() < iterations {
            first.slice();
        }
        let mut resumed = foraging(Ipse::new(), settings);
        resumed.restore(&bytes_of(&mut first)).unwrap();
        assert_eq!(resumed.iterations(), iterations);
        assert_eq!(resumed.votes(), first.votes());
        let whole = finish(foraging(Ipse::new(), settings));
        assert_eq!(finish(resumed).result(), whole.result());
    }
}

#[test]
fn a_checkpoint_with_another_seed_is_foreign_and_leaves_a_session_that_is_as_new() {
    let mut other = finish(session(Settings { seed: 2, ..short() }));
    let mut refused = session(short());
    let error = refused.restore(&bytes_of(&mut other));
    assert_eq!(error, Err(LoadError::Foreign));
    assert_eq!(finish(refused).result(), finish(session(short())).result());
}

#[test]
fn a_checkpoint_beyond_the_last_iteration_is_refused_and_changes_nothing() {
    let bytes = bytes_of(&mut finish(session(short())));
    let mut short = finish(session(Settings {
        iterations: Some(5),
        ..short()
    }));
    let too_far = LoadError::TooFar {
        iterations: 6,
        limit: 5,
    };
    assert_eq!(short.restore(&bytes), Err(too_far));
    assert_eq!(short.iterations(), 5);
}

#[test]
fn a_checkpoint_with_other_parameters_is_foreign() {
    let bytes = bytes_of(&mut finish(session(short())));
    let learner = Ipse::paper().cap(4).check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    let mut other = Session::new(short(), clock, new);
    assert_eq!(other.restore(&bytes), Err(LoadError::Foreign));
}

#[test]
fn a_player_goes_on_in_a_new_episode_when_one_is_over() {
    let one = Settings {
        iterations: Some(1),
        ..Settings::default()
    };
    let session = finish(session(one));
    let mut player = session.player();
    let (mut cells, mut rows, mut games) = (0, 0, 0);
    for actions in 1..=500 {
        session.play(&mut player, &mut ());
        assert_eq!(player.actions(), actions);
        cells += 4 - 10 * (player.reward() - rows);
        if player.episodes() > games {
            (games, cells) = (player.episodes(), 0);
        }
        rows = player.reward();
        let columns = player.state().board.columns();
        let on_board: u32 = columns.iter().map(|column| column.count_ones()).sum();
        assert_eq!(i64::from(on_board), cells);
    }
    assert!(games > 1, "{games} games");
}
