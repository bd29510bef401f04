#![no_std]
#![no_main]
use ipse::environment::Environment;
use ipse::tetris::Tetris;
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use semihosting::println;

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut p = cortex_m::Peripherals::take().unwrap();
    p.SYST.set_reload(0xff_ffff);
    p.SYST.clear_current();
    p.SYST.set_clock_source(cortex_m::peripheral::syst::SystClkSource::Core);
    p.SYST.enable_counter();
    let env = Tetris::<10, 10, u16>::default();
    let mut rng = XorShiftRng::seed_from_u64(1);
    let w: [i32; 8] = core::hint::black_box([-12629/2, 6602, -9216, -19774, -13083, -10487, -1612, -24041]);
    let mut s = env.reset(&mut rng);
    let mut placements = 0;
    let start = cortex_m::peripheral::SYST::get_current();
    for _ in 0..5000 {
        let mut best = i32::MIN; let mut pick = None;
        env.outcomes(&s, |o| {
            placements += 1;
            let mut v = 0;
            for i in 0..8 { v += w[i] * o.features[i] as i32; }
            if v > best { best = v; pick = Some(o.action); }
        });
        match pick { Some(a) => { let (t, _) = env.step(&s, a, &mut rng); s = t; }
          None => { s = env.reset(&mut rng); } }
    }
    let end = cortex_m::peripheral::SYST::get_current();
    let mut dot = 0;
    let c = start.wrapping_sub(end) & 0xff_ffff;
    println!("ticks {} placements {}", c, placements);
    semihosting::process::exit(0)
}
