//! `ipse weather`, on traces that are simulated here and on files as public data sets have them.

mod common;

use common::{Ran, answer, run, scratch};
use ipse_lab::formats;
use ipse_tasks::SensorNode;
use ipse_tasks::sensor_node::Weather;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::fs;

/// A simulated trace: the date and the light of each hour. Clouds go on at night.
fn simulate(weather: &Weather, days: u32) -> Vec<([u32; 4], u16)> {
    let mut rng = XorShiftRng::seed_from_u64(7);
    let mut clouds = 3;
    let mut trace = Vec::new();
    for day in 0..days {
        for hour in 0..24 {
            let mut number = (rng.next_u32() >> 24) as u16;
            let next = weather.next[clouds];
            clouds = (0..4)
                .find(|level| match number.checked_sub(next[*level]) {
                    Some(rest) => {
                        number = rest;
                        false
                    }
                    None => true,
                })
                .unwrap();
            let light = u32::from(weather.clear_sky[hour]) * u32::from(weather.light[clouds]);
            // As many Decembers as it takes.
            let date = [2000 + day / 31, 12, 1 + day % 31, hour as u32];
            trace.push((date, (light >> 8) as u16));
        }
    }
    trace
}

/// The trace as `timestamp,ghi`.
fn plain(trace: &[([u32; 4], u16)]) -> String {
    let mut text = String::from("timestamp,ghi\n");
    for ([year, month, day, hour], light) in trace {
        text += &format!("{year:04}-{month:02}-{day:02}T{hour:02}:00,{light}\n");
    }
    text
}

/// As PVGIS writes an hourly series.
fn pvgis(trace: &[([u32; 4], u16)]) -> String {
    let mut text = String::from(
        "Latitude (decimal degrees):\t53.550\r\nLongitude (decimal degrees):\t9.990\r\n\
         Elevation (m):\t14\r\nRadiation database:\tPVGIS-SARAH3\r\n\r\n\r\n\
         Slope: 0 deg. \r\nAzimuth: 0 deg. \r\n\
         time,G(i),H_sun,T2m,WS10m,Int\r\n",
    );
    for ([year, month, day, hour], light) in trace {
        let time = format!("{year:04}{month:02}{day:02}:{hour:02}10");
        text += &format!("{time},{light}.0,12.3,4.5,6.7,0.0\r\n");
    }
    text + "\r\nG(i): Global irradiance on the inclined plane (plane of the array) (W/m2)\r\n\
            H_sun: Sun height (degree)\r\n\r\nPVGIS (c) European Union, 2001-2024\r\n"
}

/// As NSRDB writes it, every half hour: the mean of each hour is that of the trace.
fn nsrdb(trace: &[([u32; 4], u16)]) -> String {
    let mut text = String::from(
        "Source,Location ID,City,State,Country,Latitude,Longitude,Time Zone\n\
         NSRDB,1234,-,-,-,53.55,9.99,1\n\
         Year,Month,Day,Hour,Minute,GHI,Temperature\n",
    );
    for ([year, month, day, hour], light) in trace {
        for (minute, light) in [(0, light + light / 8), (30, light - light / 8)] {
            text += &format!("{year},{month},{day},{hour},{minute},{light},1.5\n");
        }
    }
    text
}

/// A file of the test that needs it.
fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = scratch(&format!("weather-{name}.csv"));
    fs::write(&path, text).unwrap();
    path
}

/// All numbers of the answer, from the first line of the weather on.
fn numbers(rust: &str) -> Vec<u16> {
    let rust = rust.split_once("Weather {").unwrap().1;
    let numbers = rust.split(|c: char| !c.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The weather that was printed, which the task accepts.
fn printed(rust: &str) -> Weather {
    let numbers = numbers(rust);
    assert_eq!(numbers.len(), 24 + 4 + 16, "{rust}");
    let mut weather = Weather::HAMBURG;
    weather.clear_sky.copy_from_slice(&numbers[..24]);
    weather.light.copy_from_slice(&numbers[24..28]);
    let next = weather.next.as_flattened_mut();
    next.copy_from_slice(&numbers[28..]);
    SensorNode::new(weather).unwrap();
    weather
}

/// The clear sky is found to the watt, light to 3 of 256 (irradiance comes in whole watts), and the probabilities, of
/// which each row has hundreds of hours, to 12 of 256.
fn is_recovered(found: &Weather, expected: &Weather) {
    assert_eq!(found.clear_sky, expected.clear_sky);
    let near = |a: &[u16], b: &[u16], most: u16| {
        let is_near = a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= most);
        assert!(is_near, "{a:?}, not {b:?}");
    };
    near(&found.light, &expected.light, 3);
    near(found.next.as_flattened(), expected.next.as_flattened(), 12);
}

#[test]
fn the_weather_behind_a_simulated_trace_is_found_again() {
    let trace = simulate(&Weather::HAMBURG, 31 * 60);
    let rust = answer(&["weather", &file("hamburg", plain(&trace))], "");
    is_recovered(&printed(&rust), &Weather::HAMBURG);
    assert!(rust.starts_with("// Fitted to 1860 days: 11160 hours of daylight, "));
    assert!(rust.contains(" and 9300 pairs of hours.\nWeather {\n    clear_sky: [\n"));
    // Weather whose clouds leave no other trace than their persistence.
    let fickle = Weather {
        next: [[64; 4]; 4],
        ..Weather::HAMBURG
    };
    let trace = simulate(&fickle, 31 * 60);
    is_recovered(
        &formats::weather(plain(&trace).as_bytes()).unwrap(),
        &fickle,
    );
}

#[test]
fn every_format_gives_the_same_weather() {
    let trace = simulate(&Weather::HAMBURG, 31 * 10);
    let expected = formats::weather(plain(&trace).as_bytes()).unwrap();
    let rust = answer(&["weather", &file("pvgis", pvgis(&trace))], "");
    assert_eq!(printed(&rust), expected);
    assert!(rust.contains("\n// G(i) is horizontal only if the slope of the plane was 0.\n"));
    let typical = pvgis(&trace)
        .replace("time,G(i)", "time(UTC),G(h)")
        .replace("Elevation", "H\u{f6}he");
    let latin: Vec<u8> = typical.chars().map(|c| c as u8).collect();
    assert_eq!(formats::weather(&latin), Ok(expected));
    assert!(!answer(&["weather", &file("tmy", &latin)], "").contains("horizontal"));
    assert_eq!(formats::weather(nsrdb(&trace).as_bytes()), Ok(expected));
    let mut turned = String::from("GHI,station,Date Time\n");
    for line in plain(&trace).lines().skip(1) {
        let (time, light) = line.split_once(',').unwrap();
        turned += &format!("{light},\"Hamburg, harbour\",{time}\n");
    }
    assert_eq!(formats::weather(turned.as_bytes()), Ok(expected));
    for (from, to) in [
        ("timestamp,ghi", "Time,GHI (W/m2)"),
        (
            "timestamp,ghi",
            "\u{feff}\"timestamp\",\"shortwave_radiation (W/m\u{b2})\"",
        ),
        (",", ";"),
        (",", "\t"),
        ("T", " "),
        (":00,", ":00:00Z,"),
    ] {
        let text = plain(&trace).replace(from, to);
        assert_eq!(
            formats::weather(text.as_bytes()),
            Ok(expected),
            "{from} as {to}"
        );
    }
}

#[test]
fn months_are_selected_times_are_shifted_and_ends_of_days_left_out() {
    let december = simulate(&Weather::HAMBURG, 31 * 4);
    let mut all = plain(&december);
    // A bright June would be the clear sky of all.
    for day in 1..=30 {
        for hour in 0..24 {
            let light = if hour == 12 { 900 } else { 0 };
            all += &format!("2000-06-{day:02}T{hour:02}:00,{light}\n");
        }
    }
    let path = file("months", &all);
    let expected = formats::weather(plain(&december).as_bytes()).unwrap();
    let found = printed(&answer(&["weather", &path, "--month", "12"], ""));
    assert_eq!(found, expected);
    let both = printed(&answer(&["weather", &path, "--month", "6,12"], ""));
    assert_eq!(both, formats::weather(all.as_bytes()).unwrap());
    assert!(both.clear_sky[12] > 800);

    let path = file("shift", plain(&december));
    let shifted = answer(&["weather", &path, "--shift", "2"], "");
    let mut clear_sky = expected.clear_sky;
    clear_sky.rotate_right(2);
    assert_eq!(printed(&shifted).clear_sky, clear_sky);
    // Every December now begins at two, and ends at two of the first of January.
    assert!(shifted.starts_with("// Fitted to 120 days"), "{shifted}");
    let back = answer(&["weather", &path, "--shift", "-2"], "");
    assert!(back.starts_with("// Fitted to "), "{back}");
}

/// What must have failed, in one line with all of these words in it.
fn refused(ran: &Ran, words: &[&str]) {
    assert!(!ran.ok && ran.out.is_empty(), "{}", ran.out);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_line_field_value_and_what_to_do() {
    let good = plain(&simulate(&Weather::HAMBURG, 31));
    let edited = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let nine = format!("{}timestamp,ghi\n", "x,y\n".repeat(3)) + good.split_once('\n').unwrap().1;
    let cases: [(&str, String, &[&str]); 19] = [
        (
            "empty",
            String::new(),
            &["the file is empty", "give a CSV file"],
        ),
        ("blank", "\n \n".into(), &["the file is empty"]),
        (
            "no-header",
            "a,b\n1,2\n".into(),
            &[
                "no line is a header",
                "ghi, g(h)",
                "timestamp",
                "year, month, day and hour",
                "`a,b`",
            ],
        ),
        (
            "no-data",
            "time,ghi\n".into(),
            &["no data after the header in line 1"],
        ),
        (
            "negative",
            edited("2000-12-02T03:00,0", "2000-12-02T03:00,-9999"),
            &[
                "line 29: ghi (-9999) must be from 0 to 1500 W/m²",
                "remove the day",
            ],
        ),
        (
            "nan",
            edited("2000-12-02T03:00,0", "2000-12-02T03:00,NaN"),
            &["line 29: ghi (NaN)"],
        ),
        (
            "hole",
            edited("2000-12-02T03:00,0", "2000-12-02T03:00,"),
            &["line 29: ghi ()"],
        ),
        (
            "bright",
            edited("2000-12-02T03:00,0", "2000-12-02T03:00,1501"),
            &["ghi (1501)"],
        ),
        (
            "time",
            edited("2000-12-02T03:00", "02.12.2000 03:00"),
            &["line 29: time (02.12.2000 03:00) must be like 20201231:2310 or 2020-12-31T23:10"],
        ),
        (
            "month",
            edited("2000-12-02T03:00", "2000-13-02T03:00"),
            &["line 29: month (13)", "12"],
        ),
        (
            "day",
            edited("2000-12-02T03:00", "2000-02-30T03:00"),
            &["line 29: day (30)", "29"],
        ),
        (
            "duplicate",
            edited("2000-12-02T03:00", "2000-12-02T04:00"),
            &["line 30: time (2000-12-02 04:00) must not be that of line 29, too: remove one"],
        ),
        (
            "gap",
            edited("2000-12-02T03:00,0\n", ""),
            &[
                "line 26: hours of 2000-12-02 must be 24, and 3 is missing",
                "--skip-gaps",
            ],
        ),
        (
            "cut",
            format!("{good}2001-01-01T00:00"),
            &["line 746: fields (1) must be 2, as in the header: is the file cut off?"],
        ),
        (
            "interrupted",
            format!("{good}note\n2001-01-01T00:00,0\n"),
            &["line 747: data after line 746, which has none"],
        ),
        (
            "few-days",
            good.lines()
                .take(1 + 9 * 24)
                .fold(String::new(), |text, line| text + line + "\n"),
            &["whole days (9) must be 10 or more", "longer trace"],
        ),
        (
            "dark",
            good.lines()
                .fold(String::new(), |text, line| match line.split_once(',') {
                    Some((time, "ghi")) => text + time + ",ghi\n",
                    Some((time, _)) => text + time + ",0\n",
                    None => text,
                }),
            &["brightest hour (0 W/m²) must be 20 W/m² or more"],
        ),
        (
            "same",
            good.lines()
                .fold(String::new(), |text, line| match line.split_once(',') {
                    Some((time, "ghi")) => text + time + ",ghi\n",
                    Some((time, _)) => text + time + ",500\n",
                    None => text,
                }),
            &[
                "different shares of the clear sky (1) must be 4 or more",
                "with clouds",
            ],
        ),
        ("good", nine, &[]),
    ];
    for (name, text, words) in cases {
        let path = file(name, text);
        let ran = run(&["weather", &path], "");
        match words {
            [] => assert!(ran.ok, "{}", ran.err),
            _ => {
                refused(&ran, words);
                assert!(
                    ran.err.starts_with(&format!("error: {path}: ")),
                    "{}",
                    ran.err
                );
            }
        }
    }
    let nsrdb = nsrdb(&simulate(&Weather::HAMBURG, 31)).replacen("2000,12,2,3,", "2000,12,2,x,", 1);
    let ran = run(&["weather", &file("hour", nsrdb)], "");
    refused(&ran, &["line 58: hour (x) must be a whole number"]);
}

#[test]
fn options_and_files_that_cannot_be_are_refused() {
    let path = file("options", plain(&simulate(&Weather::HAMBURG, 31)));
    for (args, words) in [
        (vec!["weather"], vec!["FILE"]),
        (
            vec!["weather", "no such file"],
            vec!["no such file: cannot be read"],
        ),
        (
            vec!["weather", &path, "--month", "13"],
            vec!["13", "1..=12"],
        ),
        (
            vec!["weather", &path, "--month", "6"],
            vec!["no whole day", "2000-12-01 to 2000-12-31"],
        ),
        (vec!["weather", &path, "--shift", "15"], vec!["15"]),
    ] {
        refused(&run(&args, ""), &words);
    }
}

#[test]
fn days_with_gaps_are_left_out_if_one_says_so() {
    let good = plain(&simulate(&Weather::HAMBURG, 31));
    let path = file("skipped", good.replacen("2000-12-02T03:00,0\n", "", 1));
    let rust = answer(&["weather", &path, "--skip-gaps"], "");
    assert!(rust.starts_with("// Fitted to 30 days"), "{rust}");
}

#[test]
fn a_file_that_is_too_large_is_not_read_to_its_end() {
    let path = scratch("weather-large.csv");
    // Without any blocks on the disk.
    fs::File::create(&path).unwrap().set_len(65 << 20).unwrap();
    refused(
        &run(&["weather", &path], ""),
        &["larger than 64 MiB", "fewer years"],
    );
    fs::remove_file(&path).unwrap();
}
