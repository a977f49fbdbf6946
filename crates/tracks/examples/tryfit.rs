use flockscope_tracks::fit::*;
use flockscope_tracks::{ReadOptions, read};
fn main() {
    for file in std::env::args().skip(1) {
        let start = std::time::Instant::now();
        let (recording, _) = read(&[std::path::PathBuf::from(&file)], &ReadOptions::default(), &|_| ()).unwrap();
        match fit(&recording, None, &|_| ()) {
            Err(error) => println!("{file}: ERROR {error}"),
            Ok(fit) => {
                println!("{file}: exact {} limited {} noise {:.3} delay {} R2 {:.3} {:?} cond {:?} {:.1}s memory", fit.is_exact, fit.is_limited, fit.tracking_noise, fit.delay, fit.r_squared, fit.surrogates, fit.collinear, start.elapsed().as_secs_f64());
                for rule in &fit.rules {
                    let w: Vec<String> = rule.weights.iter().map(|w| format!("{:.5} ± {:.5}", w.value, w.error)).collect();
                    println!("   {:10} {:15} {:?} {} {:?} speed {:?} shifted {:?} {:?}", rule.rule.name(), rule.form, rule.radius, w.join(","), rule.verdict, rule.speed.map(|s| (s.value,s.error)), rule.shifted, rule.other_forms);
                }
                let p = fit.setup.params;
                println!("   noise {} {} cruise {:?} speeds {:?} limits {:?}", p.noise.force, p.noise.angle, p.cruise, p.speed, p.limits);
                if std::env::var_os("COMPARE").is_some() {
                    for c in compare(&fit, &std::sync::Arc::new(recording)) { println!("   {:18} {:?} first {:?} {} scratch {:?} {}", c.measure.name, c.data, c.first, c.agrees(c.first), c.scratch, c.agrees(c.scratch)); }
                }
            }
        }
    }
}
