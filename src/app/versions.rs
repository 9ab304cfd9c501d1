//! What is said of the two versions of a scene whose file holds another one by now: yours, which is here, and that of the file.

use super::recover::ago;
use super::state::App;
use super::watch::{Became, Version};

/// What became of the file.
pub fn became_in_words(app: &App, became: Became) -> String {
    let name = app.title();
    match became {
        Became::Changed => asked(&name, app.is_unsaved(), app.files.version),
        Became::Gone => format!(
            "{name} is gone from the disk. What you see is kept here; saving writes it again."
        ),
        Became::NoFile => format!(
            "{name} is no file any more. What you see is kept here; save it under another name."
        ),
        Became::Unreadable => {
            format!("{name} may not be read any more. What you see is kept here.")
        }
    }
}

/// What is said before yours replaces that of the file.
pub fn to_replace(app: &App) -> String {
    replaced(app.is_unsaved(), app.files.version)
}

/// That of the file has come, and one of both is wanted.
fn asked(name: &str, is_unsaved: bool, version: Version) -> String {
    let (yours, of_file) = (yours(is_unsaved), of_file(version));
    format!(
        "There are two versions of {name}: {yours}, and the file {of_file}. Reload opens that of the file; undo brings yours back."
    )
}

fn replaced(is_unsaved: bool, version: Version) -> String {
    let (yours, of_file) = (yours(is_unsaved), of_file(version));
    format!(
        "There are two versions: {yours}, and the file {of_file}. Replace writes yours over that of the file. Reload opens that of the file; undo brings yours back."
    )
}

/// Yours, as it is here.
const fn yours(is_unsaved: bool) -> &'static str {
    match is_unsaved {
        true => "yours, with unsaved changes",
        false => "yours, as it is open here",
    }
}

/// Who has written that of the file, and how long ago.
fn of_file(version: Version) -> String {
    let who = match (version.is_ours, version.is_known) {
        (true, _) => "as it was saved here",
        (false, true) => "as it was read here, written",
        (false, false) => "as another program wrote it",
    };
    match version.written {
        Some(when) => format!("{who} {}", ago(when)),
        // A disk that keeps no times.
        None => who.trim_end_matches(", written").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_two_versions_are_told_apart() {
        let version = Version {
            written: Some(SystemTime::now() - Duration::from_secs(200)),
            ..Version::default()
        };
        assert_eq!(
            asked("row.ron", true, version),
            "There are two versions of row.ron: yours, with unsaved changes, and the file as another program wrote it 3 minutes ago. \
             Reload opens that of the file; undo brings yours back."
        );
        let said = asked("row.ron", false, version);
        assert!(
            said.contains(": yours, as it is open here, and the file"),
            "{said}"
        );
        let of = |is_ours, is_known, written| {
            of_file(Version {
                written,
                is_ours,
                is_known,
            })
        };
        let written = version.written;
        assert_eq!(
            of(true, true, written),
            "as it was saved here 3 minutes ago"
        );
        assert_eq!(of(true, true, None), "as it was saved here");
        assert_eq!(
            of(false, true, written),
            "as it was read here, written 3 minutes ago"
        );
        assert_eq!(of(false, true, None), "as it was read here");
        assert_eq!(of(false, false, None), "as another program wrote it");
        let said = replaced(true, version);
        assert!(
            said.contains("yours, with unsaved changes, and the file as another program wrote it 3 minutes ago."),
            "{said}"
        );
    }
}
