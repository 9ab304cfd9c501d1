//! `skirmish structures`

use super::Failure;
use super::output::{print, print_json};
use clap::Args;
use serde_json::{Value, json};
use skirmish::partition::{Knob, KnobRange};
use skirmish::structure::{AnyKind, StructureKind};
use std::fmt::Write as _;

/// List the structures, on a plane and in space, with their knobs and defaults
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print a list of JSON objects
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Prints both registries.
    pub fn run(self) -> Result<(), Failure> {
        if self.json {
            let all = StructureKind::ALL.iter();
            let rows: Vec<Value> = all.map(|kind| structure_json(*kind)).collect();
            return print_json(&rows.into());
        }
        let mut text = String::new();
        let mut heading = "";
        for &kind in StructureKind::ALL {
            if heading != dimension(kind) {
                let gap = if heading.is_empty() { "" } else { "\n" };
                heading = dimension(kind);
                let _ = writeln!(text, "{gap}{heading}\n");
            }
            let info = kind.info();
            let _ = writeln!(text, "{:<16} {}: {}", info.key, info.name, info.tagline);
            for knob in info.knobs {
                let default = knob.format(knob.default);
                let unit = if knob.unit.is_empty() || knob.may_be_auto() {
                    String::new()
                } else {
                    format!(" {}", knob.unit)
                };
                let expected = knob.expectation();
                let _ = writeln!(text, "    {}={default}{unit} ({expected})", knob.key);
                let _ = writeln!(text, "        {}", knob.help);
            }
        }
        print(&text)
    }
}

/// Where its units are.
const fn dimension(kind: StructureKind) -> &'static str {
    if kind.is_of_space() {
        "in space"
    } else {
        "on a plane"
    }
}

fn structure_json(kind: StructureKind) -> Value {
    let info = kind.info();
    json!({
        "key": info.key,
        "space": kind.is_of_space(),
        "name": info.name,
        "tagline": info.tagline,
        "placement": info.placement.name(),
        "what": info.what,
        "cost": info.cost,
        "wins": info.wins,
        "loses": info.loses,
        "source": info.source,
        "knobs": info.knobs.iter().map(knob_json).collect::<Vec<_>>(),
    })
}

fn knob_json(knob: &Knob) -> Value {
    let mut row = json!({
        "key": knob.key,
        "name": knob.name,
        "help": knob.help,
        "unit": knob.unit,
        "picture_only": knob.picture_only,
        "acts_on_update": knob.acts_on_update,
    });
    match knob.range {
        KnobRange::Number {
            min, max, whole, ..
        } => {
            row["type"] = if whole { "whole" } else { "number" }.into();
            row["default"] = if knob.may_be_auto() {
                knob.format(knob.default).into()
            } else {
                knob.default.into()
            };
            row["min"] = min.into();
            row["max"] = max.into();
        }
        KnobRange::Choice(words) => {
            row["type"] = "choice".into();
            row["default"] = knob.format(knob.default).into();
            row["choices"] = words.into();
        }
        KnobRange::Switch => {
            row["type"] = "switch".into();
            row["default"] = (knob.default != 0.0).into();
        }
    }
    row
}
