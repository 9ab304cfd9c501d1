//! Whether the desktop is dark: asked of it on a thread of its own, every few seconds while the theme is left to it.
//!
//! # Algorithm
//!
//! 1. The desktop's portal, over the session's D-Bus: one question, `org.freedesktop.appearance color-scheme`. Who is not there
//!    is not started for it, and nobody is waited for longer than a moment.
//! 2. `GTK_THEME`, then GTK's `settings.ini`, then KDE's `kdeglobals`.
//! 3. Nothing says anything: dark.
//!
//! The libraries that speak D-Bus bring an asynchronous runtime or a C library with them; one question needs neither.

use crate::app::wake;
use skirmish::files;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two questions.
const AGAIN: Duration = Duration::from_secs(4);
/// A longer file is none of those, in bytes.
const LONGEST: u64 = 64 << 10;

/// What the desktop said last.
#[derive(Debug, Default)]
pub struct System {
    /// 0 is nothing yet, 1 dark, 2 light.
    said: Arc<AtomicU8>,
    asked: Option<Instant>,
    thread: Option<JoinHandle<()>>,
}

impl System {
    /// Whether the desktop is light, as far as it is known; asks again where that is some time ago. Never waits.
    pub fn is_light(&mut self) -> bool {
        let is_at_work = self.thread.as_ref().is_some_and(|it| !it.is_finished());
        if !is_at_work && self.asked.is_none_or(|asked| asked.elapsed() > AGAIN) {
            self.asked = Some(Instant::now());
            let said = Arc::clone(&self.said);
            let ask = move || {
                let light = is_light().unwrap_or(false);
                let now = 1 + u8::from(light);
                if said.swap(now, Ordering::Relaxed) != now {
                    wake::ring();
                }
            };
            // Without a thread it stays as it is.
            self.thread = std::thread::Builder::new()
                .name("desktop".to_owned())
                .spawn(ask)
                .ok();
        }
        self.said.load(Ordering::Relaxed) == 2
    }
}

/// Whether the desktop is light; `None` where nothing says so.
fn is_light() -> Option<bool> {
    portal()
        .or_else(|| {
            std::env::var("GTK_THEME")
                .ok()
                .and_then(|it| of_gtk_theme(&it))
        })
        .or_else(|| {
            let config = config_folder()?;
            let text = |name: &str| {
                let bytes = files::read(&config.join(name), LONGEST).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            };
            ["gtk-4.0/settings.ini", "gtk-3.0/settings.ini"]
                .iter()
                .find_map(|name| of_gtk_settings(&text(name)?))
                .or_else(|| of_kde(&text("kdeglobals")?))
        })
}

fn config_folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    named
        .filter(|path| path.is_absolute())
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))
}

/// `Adwaita:dark`, `Yaru-dark`, `Adwaita`.
fn of_gtk_theme(name: &str) -> Option<bool> {
    let name = name.trim().to_lowercase();
    (!name.is_empty()).then(|| !name.contains("dark"))
}

/// The value of a key of a section of an `ini` file.
fn value<'a>(text: &'a str, section: &str, key: &str) -> Option<&'a str> {
    let mut is_in = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            is_in = name.trim_end_matches(']') == section;
        } else if is_in
            && let Some((name, value)) = line.split_once('=')
            && name.trim() == key
        {
            return Some(value.trim());
        }
    }
    None
}

fn of_gtk_settings(text: &str) -> Option<bool> {
    match value(text, "Settings", "gtk-application-prefer-dark-theme") {
        Some("1" | "true" | "TRUE") => Some(false),
        _ => of_gtk_theme(value(text, "Settings", "gtk-theme-name")?),
    }
}

/// The ground of KDE's windows: whether that is light.
fn of_kde(text: &str) -> Option<bool> {
    let ground = value(text, "Colors:Window", "BackgroundNormal")?;
    let parts: Vec<u32> = ground
        .split(',')
        .map_while(|part| part.trim().parse::<u8>().ok().map(u32::from))
        .collect();
    match parts[..] {
        [red, green, blue, ..] => Some(299 * red + 587 * green + 114 * blue > 127_500),
        _ => None,
    }
}

#[cfg(not(unix))]
fn portal() -> Option<bool> {
    None
}

#[cfg(unix)]
fn portal() -> Option<bool> {
    let addresses = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok()?;
    let mut bus = addresses.split(';').find_map(bus::connect)?;
    bus::color_scheme(&mut bus)
}

/// The little of D-Bus that one question takes.
#[cfg(unix)]
mod bus {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    use std::time::{Duration, Instant};

    /// Nobody is waited for longer.
    const PATIENCE: Duration = Duration::from_millis(800);
    /// A longer message is no answer to this question, in bytes.
    const LONGEST: usize = 64 << 10;
    /// The number of the question.
    const QUESTION: u32 = 2;

    /// The socket that an address of the session's bus names.
    pub fn connect(address: &str) -> Option<UnixStream> {
        let pairs = address.strip_prefix("unix:")?;
        let value = |key: &str| {
            let mut pairs = pairs.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
        };
        let stream = match value("path") {
            Some(path) => UnixStream::connect(path).ok()?,
            None => abstract_socket(value("abstract")?)?,
        };
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        Some(stream)
    }

    #[cfg(target_os = "linux")]
    fn abstract_socket(name: &str) -> Option<UnixStream> {
        use std::os::linux::net::SocketAddrExt;
        let address = std::os::unix::net::SocketAddr::from_abstract_name(name).ok()?;
        UnixStream::connect_addr(&address).ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn abstract_socket(_: &str) -> Option<UnixStream> {
        None
    }

    /// Whether the portal prefers light; `None` where it prefers nothing, or is not there.
    pub fn color_scheme(stream: &mut (impl Read + Write)) -> Option<bool> {
        let begun = Instant::now();
        // The socket itself says who asks.
        stream.write_all(b"\0AUTH EXTERNAL\r\nDATA\r\n").ok()?;
        loop {
            let line = line(stream)?;
            if line.starts_with(b"OK ") {
                break;
            }
            if !line.starts_with(b"DATA") || begun.elapsed() > PATIENCE {
                return None;
            }
        }
        let bus = "org.freedesktop.DBus";
        let hello = call(1, (bus, "/org/freedesktop/DBus", bus, "Hello"), &[]);
        let question = call(
            QUESTION,
            (
                "org.freedesktop.portal.Desktop",
                "/org/freedesktop/portal/desktop",
                "org.freedesktop.portal.Settings",
                "Read",
            ),
            &["org.freedesktop.appearance", "color-scheme"],
        );
        // All at once: who answers and goes, having heard enough, breaks nothing that is still to be said.
        let words = [&b"BEGIN\r\n"[..], &hello, &question].concat();
        stream.write_all(&words).ok()?;
        while begun.elapsed() < 2 * PATIENCE {
            let (kind, reply_to, body) = message(stream)?;
            if reply_to == Some(QUESTION) {
                // Of the answers, 1 is "prefers dark" and 2 is "prefers light".
                return match (kind, number(&body)) {
                    (2, Some(1)) => Some(false),
                    (2, Some(2)) => Some(true),
                    _ => None,
                };
            }
        }
        None
    }

    fn line(stream: &mut impl Read) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut byte = [0];
        while !line.ends_with(b"\r\n") {
            stream.read_exact(&mut byte).ok()?;
            line.push(byte[0]);
            if line.len() > 512 {
                return None;
            }
        }
        Some(line)
    }

    fn pad(bytes: &mut Vec<u8>, to: usize) {
        while !bytes.len().is_multiple_of(to) {
            bytes.push(0);
        }
    }

    fn string(bytes: &mut Vec<u8>, text: &str) {
        pad(bytes, 4);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.push(0);
    }

    /// A call of a method that takes texts.
    pub fn call(
        serial: u32,
        (who, path, interface, method): (&str, &str, &str, &str),
        texts: &[&str],
    ) -> Vec<u8> {
        let mut body = Vec::new();
        for text in texts {
            string(&mut body, text);
        }
        // A call (1) that starts nobody who is not there (flag 2).
        let mut bytes = vec![b'l', 1, 2, 1];
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(serial.to_le_bytes());
        bytes.extend([0; 4]);
        for (code, kind, text) in [
            (1, b'o', path),
            (2, b's', interface),
            (3, b's', method),
            (6, b's', who),
        ] {
            pad(&mut bytes, 8);
            bytes.extend([code, 1, kind, 0]);
            string(&mut bytes, text);
        }
        if !texts.is_empty() {
            pad(&mut bytes, 8);
            bytes.extend([8, 1, b'g', 0, texts.len() as u8]);
            bytes.extend(std::iter::repeat_n(b's', texts.len()));
            bytes.push(0);
        }
        let length = (bytes.len() - 16) as u32;
        bytes[12..16].copy_from_slice(&length.to_le_bytes());
        pad(&mut bytes, 8);
        bytes.extend(body);
        bytes
    }

    fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    }

    /// The next message: its kind, to which it replies, and its body.
    fn message(stream: &mut impl Read) -> Option<(u8, Option<u32>, Vec<u8>)> {
        let mut head = [0; 16];
        stream.read_exact(&mut head).ok()?;
        // Whoever answers on the same machine has its order of bytes, and this is asked in the little one.
        if head[0] != b'l' {
            return None;
        }
        let (body, fields) = (u32_at(&head, 4)? as usize, u32_at(&head, 12)? as usize);
        let padded = fields.checked_next_multiple_of(8)?;
        if padded > LONGEST || body > LONGEST {
            return None;
        }
        let mut rest = vec![0; padded + body];
        stream.read_exact(&mut rest).ok()?;
        let reply_to = reply_serial(&rest[..fields]);
        Some((head[1], reply_to, rest.split_off(padded)))
    }

    /// The field of a message that says to which it replies.
    fn reply_serial(fields: &[u8]) -> Option<u32> {
        let mut at = 0;
        while at < fields.len() {
            let code = *fields.get(at)?;
            let (1, kind) = (*fields.get(at + 1)?, *fields.get(at + 2)?) else {
                return None;
            };
            at += 4;
            match kind {
                b'u' => {
                    let value = u32_at(fields, at)?;
                    if code == 5 {
                        return Some(value);
                    }
                    at += 4;
                }
                b's' | b'o' => at += 5 + u32_at(fields, at)? as usize,
                b'g' => at += 2 + usize::from(*fields.get(at)?),
                _ => return None,
            }
            at = at.checked_next_multiple_of(8)?;
        }
        None
    }

    /// The number in a body of variants in each other.
    fn number(body: &[u8]) -> Option<u32> {
        let mut at = 0;
        // The portal puts one into another; more are none of its answers.
        for _ in 0..4 {
            let [1, kind, 0] = *body.get(at..at + 3)? else {
                return None;
            };
            at += 3;
            if kind == b'u' {
                return u32_at(body, at.next_multiple_of(4));
            }
            if kind != b'v' {
                return None;
            }
        }
        None
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::net::Shutdown;
        use std::os::unix::net::UnixListener;

        fn variant(value: u32) -> Vec<u8> {
            let mut body = vec![1, b'v', 0, 1, b'u', 0, 0, 0];
            body.extend(value.to_le_bytes());
            body
        }

        fn reply(kind: u8, to: u32, body: &[u8]) -> Vec<u8> {
            let mut bytes = vec![b'l', kind, 1, 1];
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(9_u32.to_le_bytes());
            let mut fields = vec![6, 1, b's', 0];
            string(&mut fields, ":1.7");
            pad(&mut fields, 8);
            fields.extend([5, 1, b'u', 0]);
            fields.extend(to.to_le_bytes());
            bytes.extend((fields.len() as u32).to_le_bytes());
            bytes.extend(fields);
            pad(&mut bytes, 8);
            bytes.extend(body);
            bytes
        }

        /// Asks somebody who greets and then says these bytes.
        fn asked(says: Vec<u8>) -> Option<bool> {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("bus");
            let listener = UnixListener::bind(&path).unwrap();
            let bus = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut greeting = [0; 22];
                stream.read_exact(&mut greeting).unwrap();
                assert_eq!(&greeting, b"\0AUTH EXTERNAL\r\nDATA\r\n");
                stream.write_all(b"DATA\r\nOK 1234\r\n").unwrap();
                let mut begin = [0; 7];
                stream.read_exact(&mut begin).unwrap();
                let _ = stream.write_all(&says);
                // Nothing follows, and the question is heard to its end: a socket that is closed with words unread
                // is an error to who wrote them.
                let _ = stream.shutdown(Shutdown::Write);
                let _ = std::io::copy(&mut stream, &mut std::io::sink());
            });
            let address = format!("unix:path={},guid=1", path.display());
            let mut stream = connect(&address).unwrap();
            let said = color_scheme(&mut stream);
            drop(stream);
            bus.join().unwrap();
            said
        }

        #[test]
        fn the_portal_is_understood_and_whoever_talks_nonsense_is_not() {
            let noise = reply(4, 0, &[1, 2, 3]);
            let with = |bytes: Vec<u8>| [noise.clone(), reply(2, 1, &[]), bytes].concat();
            assert_eq!(asked(with(reply(2, QUESTION, &variant(1)))), Some(false));
            assert_eq!(asked(with(reply(2, QUESTION, &variant(2)))), Some(true));
            assert_eq!(asked(with(reply(2, QUESTION, &variant(0)))), None);
            assert_eq!(asked(with(reply(3, QUESTION, &variant(2)))), None);
            assert_eq!(asked(with(reply(2, QUESTION, &[1, b'v', 0]))), None);
            assert_eq!(asked(b"l\x02".to_vec()), None);
            assert_eq!(asked(vec![0xff; 4096]), None);
            let mut huge = reply(2, QUESTION, &variant(1));
            huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
            assert_eq!(asked(huge), None);
            assert!(connect("unix:path=/nowhere/at/all").is_none());
            assert!(connect("tcp:host=localhost").is_none());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desktops_that_have_no_portal_say_it_in_files() {
        assert_eq!(of_gtk_theme("Adwaita:dark"), Some(false));
        assert_eq!(of_gtk_theme("Adwaita"), Some(true));
        assert_eq!(of_gtk_theme(" "), None);
        let gtk = "[Settings]\ngtk-theme-name = Yaru\ngtk-application-prefer-dark-theme=1\n";
        assert_eq!(of_gtk_settings(gtk), Some(false));
        assert_eq!(
            of_gtk_settings("[Settings]\ngtk-theme-name=Yaru"),
            Some(true)
        );
        assert_eq!(of_gtk_settings("[Other]\ngtk-theme-name=Yaru"), None);
        let kde = "[General]\nx=1\n[Colors:Window]\nBackgroundNormal=";
        for (ground, light) in [
            ("239,240,241", Some(true)),
            ("42,46,50", Some(false)),
            ("42,46", None),
            ("", None),
            ("999,1,1", None),
        ] {
            assert_eq!(of_kde(&format!("{kde}{ground}\n")), light, "{ground}");
        }
    }
}
