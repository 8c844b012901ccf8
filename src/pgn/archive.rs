//! Archives of many files of games: tar, as OpenBench hands out the games of a workload, with packed files in it.

use std::io::{BufRead, Cursor, Read};

use super::input::unpacked;
use crate::base::Error;

/// The size of a header in a tar archive, and what stands in each, and where.
const HEADER_BYTES: usize = 512;
const MAGIC: &[u8] = b"ustar";
const MAGIC_AT: usize = 257;

/// A text out of a stream, or why it cannot be read; and its name, if the stream is an archive.
pub type Text<'a> = (Option<&'a str>, Result<Box<dyn BufRead + 'a>, Error>);

/// Hands over the texts of a stream one after the other: the stream itself, or the files in it if it is a tar archive.
/// What goes wrong within the archive is handed over in place of a text; an error of `take` ends the work.
pub fn for_each_text(
    mut stream: Box<dyn BufRead>,
    take: &mut dyn FnMut(Text<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut head = Vec::new();
    if let Err(error) = stream.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut head) {
        return take((None, Err(error.into())));
    }
    let is_tar = head.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC));
    let whole = Cursor::new(head).chain(stream);
    if !is_tar {
        return take((None, Ok(Box::new(whole))));
    }
    let mut archive = tar::Archive::new(whole);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return take((None, Err(error.into()))),
    };
    for entry in entries {
        match entry {
            Ok(entry) if !entry.header().entry_type().is_file() => {}
            Ok(entry) => {
                let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                take((Some(&name), unpacked(entry)))?;
            }
            // Nobody can tell where the next file begins.
            Err(error) => return take((None, Err(error.into()))),
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The texts of a stream with their names; errors in their place.
    fn texts(bytes: Vec<u8>) -> Vec<(Option<String>, String)> {
        let mut texts = Vec::new();
        for_each_text(Box::new(Cursor::new(bytes)), &mut |(name, text)| {
            let mut content = String::new();
            let read = text.and_then(|mut text| text.read_to_string(&mut content).map_err(Error::from));
            if let Err(error) = read {
                content.push_str(&format!("error: {error}"));
            }
            texts.push((name.map(str::to_string), content));
            Ok(())
        })
        .unwrap();
        texts
    }

    fn bzip2(text: &str) -> Vec<u8> {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn what_is_no_archive_is_one_text() {
        let long = "x".repeat(5_000);
        for text in ["", "short", &long] {
            assert_eq!(texts(text.as_bytes().to_vec()), [(None, text.to_string())]);
        }
    }

    #[test]
    fn files_of_an_archive_are_unpacked_one_by_one() {
        let long_name = format!("{}/c.pgn", "folder".repeat(30));
        let archive = tar(&[("a.pgn.bz2", &bzip2("one")), ("b.pgn", b"two"), (&long_name, b"three")]);
        let named = |name: &str, text: &str| (Some(name.to_string()), text.to_string());
        let expected = [named("a.pgn.bz2", "one"), named("b.pgn", "two"), named(&long_name, "three")];
        assert_eq!(texts(archive), expected);
    }

    #[test]
    fn damage_in_one_file_leaves_the_others() {
        let mut packed = bzip2(&"some words ".repeat(100));
        packed.truncate(packed.len() - 20);
        let found = texts(tar(&[("a", &packed), ("b", b"two")]));
        assert_eq!(found.len(), 2);
        assert!(found[0].1.contains("error: "), "{found:?}");
        assert_eq!(found[1].1, "two");
    }

    #[test]
    fn a_cut_off_archive_says_so() {
        let archive = tar(&[("a", b"one"), ("b", &[b'y'; 3_000])]);
        // In a header, and in the file behind it.
        for length in [512 + 512 + 100, 512 + 512 + 512 + 700] {
            let found = texts(archive[..length].to_vec());
            assert_eq!(found[0].1, "one");
            assert!(found.last().unwrap().1.contains("error: "), "{length}: {found:?}");
        }
    }
}
