//! Text from the clipboard.

/// The text to paste: a single line that was copied with its line break loses it.
pub fn pasted_text(text: &str) -> &str {
    let line = text.trim_end_matches(['\r', '\n']);
    if line.contains('\n') { text } else { line }
}
