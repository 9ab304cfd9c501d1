//! What is said of the two versions of a scene whose file holds another one by now: yours, which is here, and that of the file.

use super::recover::ago;
use super::state::App;
use super::watch::{Became, InFile, Version};

/// What became of the file.
pub fn became_in_words(app: &App, became: Became) -> String {
    let name = app.title();
    match became {
        Became::Changed => asked(&name, yours(app), app.files.version),
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
    if app.files.on_disk == Some(Became::Unreadable) {
        let yours = yours(app);
        return format!(
            "The file may not be read any more, so nobody knows what is in it by now. Replace writes {yours}, over that."
        );
    }
    replaced(yours(app), app.files.version)
}

/// That of the file has come, and one of both is wanted.
fn asked(name: &str, yours: &str, version: Version) -> String {
    let of_file = of_file(version);
    format!(
        "There are two versions of {name}: {yours}, and the file {of_file}. Reload opens that of the file; undo brings yours back."
    )
}

fn replaced(yours: &str, version: Version) -> String {
    let of_file = of_file(version);
    format!(
        "There are two versions: {yours}, and the file {of_file}. Replace writes yours over that of the file. Reload opens that of the file; undo brings yours back."
    )
}

/// What is said of yours, as it is here.
fn yours(app: &App) -> &'static str {
    in_words(app.is_unsaved(), app.files.in_file)
}

const fn in_words(is_unsaved: bool, in_file: InFile) -> &'static str {
    match (is_unsaved, in_file) {
        (false, _) => "yours, as it is open here",
        // Nobody needs to have changed anything: the file holds another one since.
        (true, InFile::Another) => "yours, which no file holds",
        (true, _) => "yours, with unsaved changes",
    }
}

/// Who has written that of the file, and how long ago. What another program has put there may have been written long before that.
fn of_file(version: Version) -> String {
    let (who, written) = match (version.is_ours, version.is_known) {
        (true, _) => ("as it was saved here", ""),
        (false, true) => ("as it was read here", ", written"),
        (false, false) => ("as another program left it", ", last written"),
    };
    match version.written {
        Some(when) => format!("{who}{written} {}", ago(when)),
        // A disk that keeps no times.
        None => who.to_owned(),
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
            asked("row.ron", in_words(true, InFile::Same), version),
            "There are two versions of row.ron: yours, with unsaved changes, and the file as another program left it, last written 3 minutes ago. \
             Reload opens that of the file; undo brings yours back."
        );
        let said = asked("row.ron", in_words(false, InFile::Same), version);
        assert!(
            said.contains(": yours, as it is open here, and the file"),
            "{said}"
        );
        assert_eq!(
            in_words(true, InFile::Another),
            "yours, which no file holds"
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
        assert_eq!(of(false, false, None), "as another program left it");
        let said = replaced(in_words(true, InFile::AsBefore), version);
        assert!(
            said.contains("yours, with unsaved changes, and the file as another program left it, last written 3 minutes ago."),
            "{said}"
        );
    }
}
