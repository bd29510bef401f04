use ipse::environment::Environment;
use ipse::tetris::Tetris;
use rand_xorshift::XorShiftRng;
use rand_core::SeedableRng;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let env = Tetris::<10,10,u16>::new(Default::default());
    let mut rng = XorShiftRng::seed_from_u64(1);
    let w: [i32; 8] = [-12629/2, 6602, -9216, -19774, -13083, -10487, -1612, -24041];
    let mut s = env.reset(&mut rng);
    let t = std::time::Instant::now();
    let (mut placements, mut rows, mut games) = (0u64, 0u64, 0u64);
    for _ in 0..n {
        let mut best = i32::MIN; let mut pick = None;
        env.outcomes(&s, |o| {
            placements += 1;
            let mut v = 0;
            for i in 0..8 { v += w[i] * o.features[i] as i32; }
            if v > best { best = v; pick = Some(o.action); }
        });
        match pick { Some(a) => { let (t, r) = env.step(&s, a, &mut rng); s = t; rows += r as u64; }
          None => { games += 1; s = env.reset(&mut rng); } }
    }
    let t = t.elapsed().as_secs_f64();
    println!("{} placements {:.1} M/s, {} games, {:.0} rows/game", placements, placements as f64 / t / 1e6, games, rows as f64 / games as f64);
}
