//! The table and the JSON.

use crate::run::{Row, Times};
use crate::work::Work;
use crate::world::{Scene, word};
use serde::Serialize;

/// Whether all of it was built for the machine that it was built on.
const NATIVE: bool = cfg!(feature = "native");

/// What came of one work on one crowd.
pub struct Scored {
    /// The crowd.
    pub scene: Scene,
    /// The work.
    pub work: Work,
    /// Everybody who was entered.
    pub rows: Vec<Row>,
}

impl Scored {
    /// Those that were measured, and their medians.
    pub fn measured(&self) -> impl Iterator<Item = (&Row, &Times)> {
        self.rows
            .iter()
            .filter_map(|row| Some((row, row.result.as_ref().ok()?)))
    }

    /// The least median of those that `takes` takes, and whose it is.
    pub fn best(&self, takes: impl Fn(&Row) -> bool) -> Option<(&Row, f64)> {
        self.measured()
            .filter(|(row, _)| takes(row))
            .map(|(row, times)| (row, times.median()))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Which work on which crowd, in words.
    pub fn title(&self) -> String {
        let threads = match self.scene.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let machine = if NATIVE { " · native" } else { "" };
        format!("{} · {} · {threads}{machine}", self.work(), self.crowd())
    }

    /// Which work, in a word.
    pub fn work(&self) -> String {
        match self.work {
            Work::Rectangles if self.scene.in_space => "boxes".to_owned(),
            work => word(work),
        }
    }

    /// Which crowd, in words.
    pub fn crowd(&self) -> String {
        let Scene {
            distribution,
            ids,
            sizes,
            units,
            in_space,
            ..
        } = self.scene;
        format!(
            "{}{} · {} ids · {} · {units} units",
            if in_space { "space, " } else { "" },
            word(distribution),
            word(ids),
            word(sizes),
        )
    }
}

/// A time, in the unit that fits.
fn readable(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1.0e4 => format!("{nanoseconds:.1} ns"),
        ..1.0e6 => format!("{:.1} µs", nanoseconds * 1.0e-3),
        _ => format!("{:.3} ms", nanoseconds * 1.0e-6),
    }
}

/// Prints the table of one work on one crowd, and who is how far ahead of whom.
pub fn print(scored: &Scored) {
    println!("\n{}", scored.title());
    println!(
        "  {:<20} {:<16} {:>11} {:>11} {:>7} {:>11} {:>6}  set up",
        "name", "family", "median", "least", "spread", "wall", "turns"
    );
    let mut measured: Vec<_> = scored.measured().collect();
    measured.sort_by(|a, b| a.1.median().total_cmp(&b.1.median()));
    for (row, times) in &measured {
        println!(
            "{} {:<20} {:<16} {:>11} {:>11} {:>6.0}% {:>11} {:>6}  {}",
            if row.ours { '*' } else { ' ' },
            row.name,
            row.family,
            readable(times.median()),
            readable(times.min()),
            times.spread() * 100.0,
            readable(times.wall()),
            times.turns(),
            row.setup
        );
    }
    for row in &scored.rows {
        if let Err(why) = row.result {
            println!(
                "{} {:<20} {:<16} {why}",
                if row.ours { '*' } else { ' ' },
                row.name,
                row.family
            );
        }
    }
    let ahead = |of: &str, ours: Option<(&Row, f64)>, peer: Option<(&Row, f64)>| {
        if let (Some((ours, our_time)), Some((peer, peer_time))) = (ours, peer) {
            println!(
                "  {of}: {} against {}: {:.2}×",
                ours.name,
                peer.name,
                peer_time / our_time
            );
        }
    };
    ahead(
        "best of all",
        scored.best(|row| row.ours),
        scored.best(|row| !row.ours),
    );
    let mut families: Vec<&str> = scored.rows.iter().map(|row| row.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        ahead(
            family,
            scored.best(|row| row.ours && row.family == family),
            scored.best(|row| !row.ours && row.family == family),
        );
    }
}

/// Prints how far each structure, and the best of them, is ahead of the best peer.
pub fn print_ratios(results: &[Scored]) {
    let mut names: Vec<&str> = Vec::new();
    for row in results.iter().flat_map(|it| &it.rows) {
        if row.ours && !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    print!("\nbest peer ÷ ours\n  {:<62}", "");
    names.iter().for_each(|name| print!(" {name:>10}"));
    println!(" {:>10}  best peer", "best");
    for it in results {
        let Some((peer, time)) = it.best(|row| !row.ours) else {
            continue;
        };
        let ratio = |takes: &dyn Fn(&Row) -> bool| match it.best(takes) {
            Some((_, ours)) => print!(" {:>10.2}", time / ours),
            None => print!(" {:>10}", "-"),
        };
        print!("  {:<62}", format!("{} · {}", it.work(), it.crowd()));
        for name in &names {
            ratio(&|row| row.ours && row.name == *name);
        }
        ratio(&|row| row.ours);
        println!("  {} {}", peer.name, peer.setup);
    }
}

/// A row of the JSON.
#[derive(Serialize)]
struct JsonRow<'a> {
    work: String,
    dimensions: usize,
    distribution: String,
    ids: String,
    sizes: String,
    units: usize,
    threads: usize,
    native: bool,
    name: &'a str,
    family: &'a str,
    ours: bool,
    median_ms: f64,
    min_ms: f64,
}

/// Prints everything that was measured as a list of rows. Who gave a wrong answer is named on stderr.
pub fn print_json(results: &[Scored]) {
    let mut rows = Vec::new();
    for scored in results {
        for row in &scored.rows {
            let Ok(times) = &row.result else {
                eprintln!(
                    "{}: {}: {}",
                    scored.title(),
                    row.name,
                    row.result.as_ref().err().unwrap_or(&"")
                );
                continue;
            };
            rows.push(JsonRow {
                work: scored.work(),
                dimensions: if scored.scene.in_space { 3 } else { 2 },
                distribution: word(scored.scene.distribution),
                ids: word(scored.scene.ids),
                sizes: word(scored.scene.sizes),
                units: scored.scene.units,
                threads: scored.scene.threads,
                native: NATIVE,
                name: &row.name,
                family: row.family,
                ours: row.ours,
                median_ms: times.median() * 1.0e-6,
                min_ms: times.min() * 1.0e-6,
            });
        }
    }
    match serde_json::to_string_pretty(&rows) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("error: {error}"),
    }
}
