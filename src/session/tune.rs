//! Streaming's settings by name, as scripts and recordings write them.

use crate::partition::typed_key;
use crate::streaming::{Index, Settings};

/// One of streaming's settings.
#[derive(Clone, Copy, Debug)]
pub struct Tune {
    /// The word in scripts and recordings.
    pub key: &'static str,
    get: fn(&Settings) -> f64,
    set: fn(&mut Settings, f64),
}

macro_rules! tunes {
    ($($key:ident: $type:ty),+ $(,)?) => {
        &[$(Tune {
            key: stringify!($key),
            // Whole numbers are read and written exactly up to 2⁵³; budgets end below that.
            get: |settings| settings.$key as f64,
            set: |settings, value| settings.$key = value as $type,
        }),+]
    };
}

impl Tune {
    /// Every setting that is a number.
    pub const ALL: &'static [Self] = tunes![
        need_factor: f32,
        need_min: f32,
        need_max: f32,
        lead: f32,
        margin: f32,
        predict_seconds: f32,
        requests_in_flight: u32,
        bytes_in_flight: u64,
        uploads_per_update: u32,
        upload_bytes_per_update: u64,
        unloads_per_update: u32,
        memory_cap: u64,
        retry_seconds: f32,
        retry_max_seconds: f32,
        mbps: f32,
        latency_ms: f32,
    ];

    /// Its value as text.
    pub fn text(&self, settings: &Settings) -> String {
        // An f32 that was widened is written as the f32 that it is.
        let value = (self.get)(settings);
        if value.fract() == 0.0 {
            format!("{value}")
        } else {
            format!("{}", value as f32)
        }
    }
}

/// The word of the setting that is no number.
const INDEX: &str = "index";

/// Whether `key` names a setting of the disk.
pub(super) fn is_of_disk(key: &str) -> bool {
    matches!(typed_key(key).as_str(), "mbps" | "latency_ms")
}

/// Sets what `key` names. Gives its name for the menu, or a sentence.
pub(super) fn set(settings: &mut Settings, key: &str, value: &str) -> Result<String, String> {
    let key = typed_key(key);
    if key == INDEX {
        let index = Index::ALL.iter().find(|index| index.key() == value);
        let words: Vec<_> = Index::ALL.iter().map(|index| index.key()).collect();
        settings.index = *index
            .ok_or_else(|| format!("index must be one of {} (found {value})", words.join(", ")))?;
        return Ok(INDEX.to_owned());
    }
    let Some(tune) = Tune::ALL.iter().find(|tune| tune.key == key) else {
        let words: Vec<_> = Tune::ALL.iter().map(|tune| tune.key).collect();
        return Err(format!(
            "streaming has no setting '{key}'; it has index, {}",
            words.join(", ")
        ));
    };
    let number = value
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number >= 0.0);
    let number =
        number.ok_or_else(|| format!("{key} must be a number from 0 on (found {value})"))?;
    (tune.set)(settings, number);
    Ok(match tune.key {
        // As the panel calls them.
        "mbps" => "throughput".to_owned(),
        "latency_ms" => "latency".to_owned(),
        "predict_seconds" => "predict ahead".to_owned(),
        "need_factor" => "need grows by".to_owned(),
        "requests_in_flight" => "requests".to_owned(),
        "uploads_per_update" => "uploads a tick".to_owned(),
        "unloads_per_update" => "releases a tick".to_owned(),
        key => key.replace('_', " "),
    })
}

/// The actions that turn one state of the settings into another: what differs, by key and text.
pub fn differences(from: &Settings, to: &Settings) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if from.index != to.index {
        all.push((INDEX.to_owned(), to.index.key().to_owned()));
    }
    for tune in Tune::ALL {
        if (tune.get)(from) != (tune.get)(to) {
            all.push((tune.key.to_owned(), tune.text(to)));
        }
    }
    all
}
