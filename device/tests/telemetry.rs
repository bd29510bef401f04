//! Telemetry: what is sent, what a reader makes of it, and what happens if nobody reads or bytes are lost.

use embassy_futures::block_on;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::pipe::Pipe;
use ipse::environment::Canvas;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::*;
use ipse_tasks::Foraging;
use std::cell::Cell;

const ITERATIONS: u32 = 60;

fn settings() -> Settings {
    Settings {
        iterations: Some(ITERATIONS),
        ..Settings::default()
    }
}

/// A session that has learned nothing yet, and a clock that goes on by a tenth of a second at each look.
fn foraging() -> Session<Agent<Foraging, Ipse>> {
    thread_local!(static TIME: Cell<u64> = const { Cell::new(0) });
    TIME.set(0);
    let now = || {
        TIME.set(TIME.get() + 100_000);
        TIME.get()
    };
    let learner = Ipse::new().check().unwrap();
    Session::new(settings(), now, |rng| Agent::new(Foraging, learner, rng))
}

/// Everything that is sent while a session learns, and takes a hundred actions then.
fn stream<D: Driver>(session: &mut Session<D>) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        stream.extend_from_slice(frame);
        true
    });
    block_on(session.learn(&mut telemetry));
    let mut player = session.player();
    for _ in 0..100 {
        session.play(&mut player, &mut telemetry);
    }
    assert_eq!(telemetry.dropped(), 0);
    stream
}

/// What a reader makes of bytes: every event as its own frame, so that it can be kept.
fn frames(bytes: &[u8]) -> (Vec<Vec<u8>>, Reader) {
    let (mut reader, mut frames) = (Reader::new(), Vec::new());
    reader.read(bytes, |event| frames.push(frame(&event)));
    (frames, reader)
}

fn frame(event: &Event<'_>) -> Vec<u8> {
    encode(event, &mut [0; MAX_FRAME]).unwrap().to_vec()
}

/// Calls `visit` with every event.
fn visit(bytes: &[u8], visit: impl FnMut(Event<'_>)) {
    Reader::new().read(bytes, visit);
}

fn last_weights(bytes: &[u8]) -> Option<List<f32>> {
    let mut weights = None;
    visit(bytes, |event| {
        if let Event::Ended(ended) = event {
            weights = Some(ended.weights);
        }
    });
    weights
}

/// One event of each kind, with values of all lengths.
fn examples() -> Vec<Event<'static>> {
    let features = [
        FeatureName {
            name: "seeds",
            unit: 0.5,
            bound: 300,
        },
        FeatureName {
            name: "größe",
            unit: 1.0,
            bound: i16::MAX,
        },
    ];
    let mut session = foraging();
    while session.iterations() < 3 {
        session.slice();
    }
    vec![
        Event::Hello(Hello {
            version: VERSION,
            task: "foraging",
            learner: "IPSE",
            seed: u64::MAX,
            budget: Some(Budget::Calls(1_360_000)),
            features: features.into_iter().collect(),
        }),
        Event::Hello(foraging().hello()),
        Event::Booted(Boot::Resumed(7)),
        Event::Booted(Boot::New),
        Event::Booted(Boot::Refused(Refusal::TooFar(400))),
        Event::Booted(Boot::Unreadable),
        Event::Learned(Learned {
            iteration: 57,
            phase: Phase::Weights,
            calls: 1 << 40,
            reward: -12,
            episodes: 3,
            micros: 1_234_567,
            directions: [Direction::Con, Direction::Undecided, Direction::Pro]
                .into_iter()
                .collect(),
            votes: [[0, 9], [300, 299], [u16::MAX, 0]].into_iter().collect(),
            weights: [-1.25, 0.0, f32::MAX].into_iter().collect(),
        }),
        Event::Evaluated(Evaluated {
            iteration: 56,
            calls: 99,
            reward: 250,
            actions: 1000,
            episodes: 2,
            is_whole: false,
        }),
        Event::Saved(Saved {
            iteration: 50,
            failure: None,
            bad_pages: 1,
            erases: 1000,
        }),
        Event::Saved(Saved {
            iteration: 51,
            failure: Some(Failure::Block(0x1f_0000, Operation::Erase)),
            bad_pages: 2,
            erases: 1064,
        }),
        Event::Ended(session.result()),
        Event::Acted(Acted {
            actions: 12,
            reward: -3,
            episodes: 1,
            micros: 0,
        }),
        Event::Picture(Picture {
            width: 9,
            pixels: &[0, 1, 0, 0xff, 0],
        }),
        Event::Beat(Beat {
            micros: 5,
            longest_slice: 1200,
            dropped: 3,
        }),
        Event::Obeyed(Command::Seed(7)),
        Event::Part(Part {
            of: 1664,
            at: 1632,
            bytes: std::array::from_fn(|byte| byte as u8),
        }),
        Event::Loaded(Loaded {
            iteration: 57,
            refusal: None,
        }),
        Event::Loaded(Loaded {
            iteration: 3,
            refusal: Some(Refusal::Foreign),
        }),
    ]
}

#[test]
fn every_event_is_read_as_it_was_sent() {
    for event in examples() {
        let mut read = 0;
        visit(&frame(&event), |found| {
            assert_eq!(found, event);
            read += 1;
        });
        assert_eq!(read, 1, "{event:?}");
    }
}

/// Frames of protocol version 2. If one of these changes, so must the version.
#[test]
fn the_bytes_of_a_frame_are_those_of_its_version() {
    assert_eq!(VERSION, 2);
    let hex = |event: &Event<'_>| -> String {
        let bytes = frame(event);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let golden = include_str!("golden/frames.txt");
    let frames: Vec<String> = examples().iter().map(hex).collect();
    assert_eq!(frames.join("\n"), golden.trim_end());
}

#[test]
fn every_event_is_one_line_of_text() {
    for event in examples() {
        let line = event.to_string();
        assert!(
            !line.is_empty() && !line.contains('\n') && line.len() < 250,
            "{line}"
        );
    }
}

#[test]
fn the_description_of_the_run_comes_first_and_is_repeated() {
    let mut since = None;
    let mut hellos = 0;
    visit(&stream(&mut foraging()), |event| match event {
        Event::Hello(hello) => {
            assert_eq!((hello.task, hello.learner), ("foraging", "IPSE"));
            assert_eq!(hello.budget, Some(Budget::Iterations(ITERATIONS)));
            let names: Vec<_> = hello.features.iter().map(|feature| feature.name).collect();
            assert_eq!(names, ["seeds", "distance", "owls"]);
            (since, hellos) = (Some(0), hellos + 1);
        }
        _ => {
            let since = since.as_mut().expect("the description comes first");
            *since += 1;
            // The end is told with a description of its own.
            assert!(*since <= 8 + 1 + 1, "{since} events without a description");
        }
    });
    assert!(hellos > 10);
}

#[test]
fn a_search_is_told_in_calls() {
    let search = Search::survival().calls(2_000).cap(1).check().unwrap();
    let new = |rng: &mut _| Searcher::new(Tetris10x10::default(), search, rng);
    let mut session = Session::new(Settings::default(), || 0, new);
    let (mut calls, mut learner) = (0, String::new());
    visit(&stream(&mut session), |event| match event {
        Event::Hello(hello) => {
            assert_eq!(hello.budget, Some(Budget::Calls(2_000)));
            learner = hello.learner.into();
        }
        Event::Learned(learned) => {
            assert!(learned.calls >= calls);
            calls = learned.calls;
        }
        _ => {}
    });
    assert!((1_900..=2_000).contains(&calls), "{calls} calls");
    assert_eq!(learner, "survival search");
}

#[test]
fn telemetry_tells_every_iteration_and_changes_none() {
    let mut told = foraging();
    let stream = stream(&mut told);
    let mut alone = foraging();
    let mut steps = Vec::new();
    while !alone.is_done() {
        steps.extend(alone.slice());
    }
    assert_eq!(told.fingerprint(), alone.fingerprint());
    let mut steps = steps.iter();
    visit(&stream, |event| {
        if let Event::Learned(learned) = event {
            let step = steps.next().unwrap();
            assert_eq!(learned.iteration, step.iteration);
            assert_eq!(learned.weights, step.weights);
            assert_eq!(learned.directions, step.directions);
        }
    });
    assert_eq!(steps.next(), None);
    assert_eq!(last_weights(&stream).unwrap(), alone.driver().weights());
}

#[test]
fn evaluations_are_what_the_policy_of_their_iteration_earns() {
    let stream = stream(&mut foraging());
    let mut policies = vec![foraging().driver().policy()];
    let mut session = foraging();
    while !session.is_done() {
        if session.slice().is_some() {
            policies.push(session.driver().policy());
        }
    }
    let (mut evaluations, mut actions) = (0, 0);
    visit(&stream, |event| {
        let Event::Evaluated(evaluated) = event else {
            return;
        };
        let iteration = evaluated.iteration;
        let rng = XorShiftRng::seed_from_u64(!1 ^ u64::from(iteration));
        let mut player = Player::new(&Foraging, policies[iteration as usize], rng);
        while player.actions() < evaluated.actions {
            player.act(&Foraging);
        }
        assert_eq!(player.reward(), evaluated.reward);
        assert_eq!(player.episodes(), evaluated.episodes);
        assert!(evaluated.is_whole && evaluated.actions >= 250);
        evaluations += 1;
        actions += u64::from(evaluated.actions);
    });
    assert!(evaluations >= 2, "{evaluations} evaluations");
    let calls = session.calls();
    assert!(
        10 * actions < calls,
        "{actions} actions beside {calls} calls"
    );
}

/// An episode that never ends is evaluated as far as it goes.
#[test]
fn an_evaluation_ends_even_if_its_episode_does_not() {
    let known = Known(ipse::tetris::DIRECTIONS).then(MLearning::scheduled());
    let learner = known.check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    let mut session = Session::new(settings(), || 0, new);
    let mut longest = None;
    visit(&stream(&mut session), |event| {
        if let Event::Evaluated(evaluated) = event
            && !evaluated.is_whole
        {
            longest = Some(evaluated);
        }
    });
    let longest = longest.expect("games with the right directions are long");
    assert_eq!((longest.actions, longest.episodes), (1000, 1));
    assert!(longest.mean() > 300.);
}

#[test]
fn pictures_are_what_the_task_draws() {
    struct Drawn(Vec<Vec<bool>>);
    impl Canvas for Drawn {
        fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
            for row in self.0.iter_mut().skip(y.into()).take(height.into()) {
                let pixels = row.iter_mut().skip(x.into()).take(width.into());
                pixels.for_each(|pixel| *pixel = true);
            }
        }
    }
    let mut session = foraging();
    let first = *session.driver().state();
    let mut drawn = Drawn(vec![vec![false; 32]; 32]);
    Foraging.draw(&first, &mut drawn);
    let mut pixels = [0; 512];
    let picture = draw(&Foraging, &first, &mut pixels).unwrap();
    assert_eq!((picture.width, picture.height()), (32, 32));
    for (y, row) in (0..).zip(&drawn.0) {
        for (x, pixel) in (0..).zip(row) {
            assert_eq!(picture.is_set(x, y), *pixel, "{x} {y}");
        }
    }
    assert!(!picture.is_set(32, 0) && !picture.is_set(0, 32));
    let mut pictures = 0;
    visit(&stream(&mut session), |event| {
        pictures += u32::from(matches!(event, Event::Picture(_)));
    });
    assert!(pictures > 10);
}

#[test]
fn a_reader_finds_its_feet_wherever_it_starts() {
    let stream = stream(&mut foraging());
    let weights = last_weights(&stream);
    assert!(weights.is_some());
    let (whole, reader) = frames(&stream);
    assert_eq!(reader.skipped(), 0);
    for start in (0..stream.len()).step_by(stream.len() / 97) {
        let (found, reader) = frames(&stream[start..]);
        // All but the one in the middle of which it starts.
        assert!(whole.ends_with(&found), "from byte {start}");
        assert!(reader.skipped() < MAX_FRAME as u64);
        // The end is told again while actions are told.
        if start < stream.len() * 9 / 10 {
            assert_eq!(last_weights(&stream[start..]), weights);
        }
    }
}

#[test]
fn a_reader_goes_on_after_lost_and_foreign_bytes() {
    let stream = stream(&mut foraging());
    let weights = last_weights(&stream);
    let (whole, _) = frames(&stream);
    let mut rng = XorShiftRng::seed_from_u64(7);
    for _ in 0..50 {
        let mut damaged = stream.clone();
        for _ in 0..50 {
            let place = rng.next_u32() as usize % damaged.len();
            damaged.remove(place);
            let place = rng.next_u32() as usize % damaged.len();
            damaged.insert(place, rng.next_u32() as u8);
        }
        let (found, reader) = frames(&damaged);
        assert!(reader.skipped() > 0);
        // No event that was not sent is ever read.
        let mut sent = whole.iter();
        assert!(found.iter().all(|found| sent.any(|sent| sent == found)));
        assert!(found.len() + 110 > whole.len());
        assert_eq!(last_weights(&damaged), weights);
    }
}

#[test]
fn text_between_frames_is_skipped_and_counted() {
    let text = b"boot ok\r\n";
    let event = &examples()[2];
    let mut bytes = text.to_vec();
    bytes.extend(frame(event));
    bytes.extend([b'x'; 5000]);
    bytes.extend(frame(event));
    let (found, reader) = frames(&bytes);
    assert_eq!(found, [frame(event), frame(event)]);
    assert_eq!(reader.skipped(), text.len() as u64 + 5000);
}

#[test]
fn another_version_of_the_protocol_is_named_and_not_misread() {
    let mut hello = foraging().hello();
    hello.version = VERSION + 1;
    let mut bytes = frame(&Event::Hello(hello));
    bytes.extend(frame(&examples()[2]));
    let (found, reader) = frames(&bytes);
    assert_eq!(found, Vec::<Vec<u8>>::new());
    assert_eq!(reader.foreign_version(), Some(VERSION + 1));
}

#[test]
fn each_of_two_sinks_is_told_what_it_has_missed_itself() {
    let (mut usb, mut uart) = (Vec::new(), Vec::new());
    let mut is_read = false;
    let mut telemetry = Telemetry::new((
        |frame: &[u8]| {
            // The host fetches every other frame.
            is_read = !is_read;
            if is_read {
                usb.extend_from_slice(frame);
            }
            is_read
        },
        |frame: &[u8]| {
            uart.extend_from_slice(frame);
            true
        },
    ));
    block_on(foraging().learn(&mut telemetry));
    let (usb_dropped, uart_dropped) = telemetry.dropped();
    assert!(usb_dropped > ITERATIONS / 2, "{usb_dropped} events");
    assert_eq!(uart_dropped, 0);

    let told = |bytes: &[u8]| {
        let mut told = Vec::new();
        Reader::new().read(bytes, |event| {
            if let Event::Beat(beat) = event {
                told.push(beat.dropped);
            }
        });
        told
    };
    let told_by_usb = told(&usb);
    assert!(told_by_usb.is_sorted() && told_by_usb.last() > Some(&0));
    assert!(told(&uart).iter().all(|dropped| *dropped == 0));
}

#[test]
fn events_that_nobody_reads_are_dropped_and_counted_and_learning_goes_on() {
    // Nobody reads, and then someone does.
    let pipe = Pipe::<NoopRawMutex, 1024>::new();
    let mut telemetry = Telemetry::new(Piped(&pipe));
    let mut session = foraging();
    block_on(session.learn(&mut telemetry));
    assert_eq!(
        session.result().weights,
        last_weights(&stream(&mut foraging())).unwrap()
    );
    let dropped = telemetry.dropped();
    assert!(dropped > ITERATIONS, "{dropped} events");

    let mut player = session.player();
    let (mut reader, mut told) = (Reader::new(), None);
    let (mut hellos, mut ends) = (0, 0);
    for _ in 0..100 {
        let mut bytes = [0; 1024];
        while let Ok(len) = pipe.try_read(&mut bytes) {
            reader.read(&bytes[..len], |event| match event {
                Event::Beat(beat) => told = Some(beat.dropped),
                Event::Hello(_) => hellos += 1,
                Event::Ended(_) => ends += 1,
                _ => {}
            });
        }
        session.play(&mut player, &mut telemetry);
    }
    assert_eq!(reader.skipped(), 0, "frames are sent as a whole");
    assert_eq!(told, Some(dropped), "how many were dropped is told");
    assert!(hellos > 5 && ends > 5);
}

#[test]
fn a_frame_that_does_not_fit_is_not_begun() {
    for event in examples() {
        let len = frame(&event).len();
        assert_eq!(encode(&event, &mut vec![0; len - 1]), None);
        assert!(encode(&event, &mut vec![0; len]).is_some());
    }
}
