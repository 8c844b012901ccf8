//! Files as everybody should open and write them: no pipe or device where a file is meant, no more in memory than was
//! expected, and nothing half written under a name that somebody reads.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Error;

/// Fails unless there is a regular file: opening a pipe would wait for a writer, and a device has no end.
pub fn check_regular(path: &Path) -> Result<(), Error> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(Error::new("is a folder, not a file"));
    }
    if !kind.is_file() {
        return Err(Error::new("is no regular file"));
    }
    Ok(())
}

/// Opens a regular file for reading.
pub fn open(path: &Path) -> Result<File, Error> {
    check_regular(path)?;
    Ok(File::open(path)?)
}

/// The content of a regular file of at most so many bytes.
pub fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(Error::new(format!("is larger than {} MB", max_bytes.div_ceil(1 << 20))));
    }
    Ok(bytes)
}

/// The text of a regular file of at most so many bytes.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, Error> {
    String::from_utf8(read(path, max_bytes)?).map_err(|_| Error::new("is no text in UTF-8"))
}

/// A file in the making. It has a name that nobody else uses, in the folder of the file it will be, and is gone if it is
/// never finished.
pub struct Draft {
    file: NamedTempFile,
    target: PathBuf,
}

impl Draft {
    /// Begins a file that will be `path`.
    pub fn of(path: &Path) -> io::Result<Draft> {
        // Behind a link the file itself is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rosada-");
        if let Some(permissions) = usual_permissions() {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Draft { file, target })
    }

    /// Puts the finished file in its place, when all of it is on the disk. A file that was there before keeps its
    /// permissions.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(before) = std::fs::metadata(&self.target) {
            std::fs::set_permissions(self.file.path(), before.permissions())?;
        }
        self.file.as_file().sync_all()?;
        self.file.persist(&self.target).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file whole: whoever reads it sees the old one or the new one, never a part.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let replace = || -> io::Result<()> {
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            // A terminal or a pipe takes the bytes as they come.
            return std::fs::write(path, bytes);
        }
        let mut draft = Draft::of(path)?;
        draft.write_all(bytes)?;
        draft.finish()
    };
    replace().map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))
}

/// Temporary files are for their owner alone, a finished one is as readable as any file.
#[cfg(unix)]
fn usual_permissions() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<std::fs::Permissions> {
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["first", "second"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(read_text(&path, 100).unwrap(), text);
        }
        // What is not finished was never there.
        let mut draft = Draft::of(&path).unwrap();
        draft.write_all(b"third").unwrap();
        drop(draft);
        assert_eq!(read_text(&path, 100).unwrap(), "second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left behind");
        assert!(replace(&folder.path().join("missing/file"), b"").is_err());
    }

    #[test]
    fn large_files_and_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"ten bytes.").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"ten bytes.");
        assert!(read(&path, 9).unwrap_err().to_string().contains("larger than 1 MB"));
        assert!(read(folder.path(), 9).unwrap_err().to_string().contains("folder"));
        std::fs::write(&path, [0xFF, 0xFE]).unwrap();
        assert!(read_text(&path, 9).unwrap_err().to_string().contains("UTF-8"));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            assert!(read(path, 9).unwrap_err().to_string().contains("no regular file"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
        std::fs::write(&path, b"old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
