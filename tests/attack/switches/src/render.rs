//! Writes the mutants of a file into its source, each behind its switch.

use crate::Outcome;
use crate::mutant::{Mutant, Place, State};
use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Where the switches are read, from anywhere in the crate.
const IS: &str = "crate::mutation_switch::is";

/// What is written around, before or instead of a part of the source.
#[derive(Debug)]
enum Edit {
    /// Statements at the start of a body.
    Before {
        at: usize,
        text: String,
        ids: Vec<usize>,
    },
    /// An operator between two operands, with what it becomes.
    Binary {
        whole: Range<usize>,
        operator: Range<usize>,
        choices: Vec<(usize, String)>,
    },
    /// An operator before its operand, which goes away.
    Unary {
        whole: Range<usize>,
        operand: usize,
        id: usize,
    },
    /// An arm of a match: what its guard becomes, and the switch that takes the arm away.
    Arm {
        at: usize,
        guard: Option<Range<usize>>,
        choices: Vec<(usize, String)>,
        gone: Option<usize>,
    },
}

impl Edit {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Before { at, .. } => *at..*at,
            Self::Binary { whole, .. } | Self::Unary { whole, .. } => whole.clone(),
            Self::Arm { at, guard, .. } => guard.clone().unwrap_or(*at..*at),
        }
    }

    fn ids(&self) -> Vec<usize> {
        match self {
            Self::Before { ids, .. } => ids.clone(),
            Self::Binary { choices, .. } => choices.iter().map(|choice| choice.0).collect(),
            Self::Unary { id, .. } => vec![*id],
            Self::Arm { choices, gone, .. } => {
                let ids = choices.iter().map(|choice| choice.0);
                ids.chain(*gone).collect()
            }
        }
    }
}

/// A part of what was written, and whose it is; `exact` where it is the mutated text of one mutant alone.
#[derive(Clone, Debug)]
pub struct Part {
    /// The bytes of the output.
    pub bytes: Range<usize>,
    /// The mutants.
    pub ids: Vec<usize>,
    /// Whether it is text that only this mutant has.
    pub exact: bool,
}

/// The nodes of a file that can get switches.
#[derive(Default)]
struct Nodes {
    binaries: Vec<(Range<usize>, Range<usize>)>,
    unaries: Vec<(Range<usize>, usize)>,
    arms: Vec<(Range<usize>, usize, Option<Range<usize>>)>,
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range()
}

/// Whether a condition binds names, which it can do only where it stands.
fn binds(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

impl<'a> Visit<'a> for Nodes {
    fn visit_expr_binary(&mut self, node: &'a syn::ExprBinary) {
        if !binds(&node.left) && !binds(&node.right) {
            let whole = bytes(node.left.span()).start..bytes(node.right.span()).end;
            self.binaries.push((whole, bytes(node.op.span())));
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'a syn::ExprUnary) {
        let operand = bytes(node.expr.span());
        self.unaries
            .push((bytes(node.op.span()).start..operand.end, operand.start));
        visit::visit_expr_unary(self, node);
    }

    fn visit_arm(&mut self, node: &'a syn::Arm) {
        let guard = node.guard.as_ref().map(|(_, guard)| bytes(guard.span()));
        self.arms
            .push((bytes(node.span()), bytes(node.pat.span()).end, guard));
        visit::visit_arm(self, node);
    }
}

/// The byte of a place.
pub fn byte_of(source: &str, (line, column): Place) -> usize {
    let start: usize = source
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let rest = &source[start..];
    let step = rest
        .char_indices()
        .nth(column - 1)
        .map_or(rest.len(), |(at, _)| at);
    start + step
}

/// Writes one file. Mutants that find no place become [`State::Alone`].
pub fn render(source: &str, mutants: &mut [&mut Mutant]) -> Outcome<(String, Vec<Part>)> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let mut nodes = Nodes::default();
    nodes.visit_file(&file);
    let mut edits: Vec<Edit> = Vec::new();
    for mutant in mutants
        .iter_mut()
        .filter(|mutant| mutant.state == State::Switched)
    {
        let span = byte_of(source, mutant.span.0)..byte_of(source, mutant.span.1);
        if !place(mutant, span, &nodes, &mut edits) {
            mutant.state = State::Alone;
        }
    }
    // Outer ones before inner ones.
    edits.sort_by_key(|edit| (edit.range().start, std::cmp::Reverse(edit.range().end)));
    let mut output = Output {
        source,
        text: String::new(),
        parts: Vec::new(),
    };
    output.write(0..source.len(), &edits);
    Ok((output.text, output.parts))
}

/// Finds where a mutant goes, and says whether it goes anywhere.
fn place(mutant: &Mutant, span: Range<usize>, nodes: &Nodes, edits: &mut Vec<Edit>) -> bool {
    let choice = (mutant.id, mutant.replacement.clone());
    match mutant.genre.as_str() {
        "FnValue" => {
            let statement = format!(
                "if {IS}({}) {{ return {}; }} ",
                mutant.id, mutant.replacement
            );
            edits.push(Edit::Before {
                at: span.start,
                text: statement,
                ids: vec![mutant.id],
            });
            true
        }
        "BinaryOperator" | "BinaryOperatorAssign" => {
            let Some((whole, operator)) = nodes.binaries.iter().find(|node| node.1 == span) else {
                return false;
            };
            for edit in edits.iter_mut() {
                if let Edit::Binary {
                    operator: known,
                    choices,
                    ..
                } = edit
                    && known == operator
                {
                    choices.push(choice);
                    return true;
                }
            }
            edits.push(Edit::Binary {
                whole: whole.clone(),
                operator: operator.clone(),
                choices: vec![choice],
            });
            true
        }
        "UnaryOperator" => {
            let found = nodes.unaries.iter().find(|node| node.0.start == span.start);
            let Some((whole, operand)) = found.filter(|_| mutant.replacement.is_empty()) else {
                return false;
            };
            edits.push(Edit::Unary {
                whole: whole.clone(),
                operand: *operand,
                id: mutant.id,
            });
            true
        }
        "MatchArm" | "MatchArmGuard" => {
            let is_guard = mutant.genre == "MatchArmGuard";
            let found = nodes.arms.iter().find(|(arm, _, guard)| match is_guard {
                true => guard.as_ref() == Some(&span),
                false => arm.start == span.start,
            });
            let Some((_, at, guard)) = found else {
                return false;
            };
            let known = edits
                .iter()
                .position(|edit| matches!(edit, Edit::Arm { at: known, .. } if known == at));
            let known = known.unwrap_or_else(|| {
                edits.push(Edit::Arm {
                    at: *at,
                    guard: guard.clone(),
                    choices: Vec::new(),
                    gone: None,
                });
                edits.len() - 1
            });
            if let Edit::Arm { choices, gone, .. } = &mut edits[known] {
                match is_guard {
                    true => choices.push(choice),
                    false => *gone = Some(mutant.id),
                }
            }
            true
        }
        _ => false,
    }
}

struct Output<'a> {
    source: &'a str,
    text: String,
    parts: Vec<Part>,
}

impl Output<'_> {
    fn part(&mut self, ids: Vec<usize>, exact: bool, write: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        write(self);
        let bytes = start..self.text.len();
        self.parts.push(Part { bytes, ids, exact });
    }

    /// Writes a range of the source; the edits are in order, and those outside of the range are left out.
    fn write(&mut self, range: Range<usize>, edits: &[Edit]) {
        let mut at = range.start;
        for (index, edit) in edits.iter().enumerate() {
            let own = edit.range();
            if own.start < at || own.end > range.end {
                continue;
            }
            self.text.push_str(&self.source[at..own.start]);
            self.part(edit.ids(), false, |output| {
                output.edit(edit, &edits[index + 1..])
            });
            at = own.end;
        }
        self.text.push_str(&self.source[at..range.end]);
    }

    fn edit(&mut self, edit: &Edit, inner: &[Edit]) {
        match edit {
            Edit::Before { text, ids, .. } => {
                self.part(ids.clone(), true, |output| output.text.push_str(text));
            }
            Edit::Binary {
                whole,
                operator,
                choices,
            } => {
                self.text.push('(');
                for (id, replacement) in choices {
                    self.text.push_str(&format!("if {IS}({id}) {{ "));
                    self.part(vec![*id], true, |output| {
                        output.write(whole.start..operator.start, inner);
                        output.text.push_str(replacement);
                        output.write(operator.end..whole.end, inner);
                    });
                    self.text.push_str(" } else ");
                }
                self.text.push_str("{ ");
                self.write(whole.start..operator.start, inner);
                self.text.push_str(&self.source[operator.clone()]);
                self.write(operator.end..whole.end, inner);
                self.text.push_str(" })");
            }
            Edit::Unary { whole, operand, id } => {
                self.text.push_str(&format!("(if {IS}({id}) {{ "));
                self.part(vec![*id], true, |output| {
                    output.write(*operand..whole.end, inner)
                });
                self.text.push_str(" } else { ");
                self.text.push_str(&self.source[whole.start..*operand]);
                self.write(*operand..whole.end, inner);
                self.text.push_str(" })");
            }
            Edit::Arm {
                guard,
                choices,
                gone,
                ..
            } => {
                if guard.is_none() {
                    self.text.push_str(" if ");
                }
                if let Some(id) = gone {
                    self.text.push_str(&format!("!{IS}({id})"));
                }
                if gone.is_some() && guard.is_some() {
                    self.text.push_str(" && ");
                }
                if let Some(guard) = guard {
                    self.text.push('(');
                    for (id, replacement) in choices {
                        self.text
                            .push_str(&format!("if {IS}({id}) {{ {replacement} }} else "));
                    }
                    self.text.push_str("{ ");
                    self.write(guard.clone(), inner);
                    self.text.push_str(" })");
                }
            }
        }
    }
}
