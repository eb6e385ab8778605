//! The expanded tables of the built-in evaluation in a file of the user's cache folder: a second start has them at once, and
//! processes share them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use parking_lot::Mutex;

use crate::eval::compact;
use crate::eval::tables_file::{self, Origin, TablesError};
use crate::eval::weights::Weights;
use crate::util::memory::{self, USUAL_STACK};

/// Names the folder in place of the user's cache folder; empty for none.
pub const FOLDER_VARIABLE: &str = "JITSUGEN_CACHE";

/// How files of tables end.
const EXTENSION: &str = "tables";

/// Files of other versions that were used within this time stay: the user may have two versions.
const IN_USE: Duration = Duration::from_secs(7 * 24 * 3600);

/// A file's time of its last use is noted when the last one is so long ago.
const USE_NOTED: Duration = Duration::from_secs(24 * 3600);

/// The check of a file begins so much later, so that the engine is ready before.
const CHECKED_AFTER: Duration = Duration::from_millis(500);

/// After each block that is checked or written there is a pause: a search that runs meanwhile waits for a processor no longer
/// than a block takes. All pauses of a file take about a second.
const PAUSE: Duration = Duration::from_millis(5);

/// Where the file is, and what its check has found.
pub struct TablesCache {
    /// `None` where there is no such folder.
    folder: Option<PathBuf>,
    /// What replaces a damaged file, once it is made.
    mended: Arc<Mutex<Option<Mended>>>,
}

/// What replaces a damaged file.
pub struct Mended {
    /// What was wrong.
    pub message: String,
    /// Tables in memory of this process; `None` where there was no room for them.
    pub weights: Option<Arc<Weights>>,
}

impl Default for TablesCache {
    fn default() -> TablesCache {
        TablesCache { folder: folder(), mended: Arc::default() }
    }
}

/// The folder for the files: the one that the environment names, or `jitsugen` in the user's cache folder.
pub fn folder() -> Option<PathBuf> {
    match std::env::var_os(FOLDER_VARIABLE) {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => Some(etcetera::base_strategy::choose_native_strategy().ok()?.cache_dir().join("jitsugen")),
    }
}

/// The compact file that the tables come from.
fn origin() -> Origin {
    let (length, checksum) = compact::built_in_size_and_checksum();
    Origin { length: length as u64, checksum }
}

/// The file of this version in `folder`.
fn path_in(folder: &Path) -> PathBuf {
    let Origin { checksum, .. } = origin();
    folder.join(format!("evaluation-{}-{checksum:08x}.{EXTENSION}", tables_file::VERSION))
}

impl TablesCache {
    /// A cache in this folder; `None` for none.
    #[cfg(test)]
    pub fn in_folder(folder: Option<PathBuf>) -> TablesCache {
        TablesCache { folder, mended: Arc::default() }
    }

    /// The tables of the file, if there is one whose length and header are in order. A thread checks the rest: see
    /// [`take_mended`](TablesCache::take_mended).
    pub fn open(&self) -> Option<Arc<Weights>> {
        let path = path_in(self.folder.as_ref()?);
        let (weights, checksums) = match tables_file::open(&path, origin()) {
            Ok(found) => found,
            // No thread is needed for that: another start makes it anew.
            Err(TablesError::Length(_) | TablesError::Header) => {
                let _ = fs::remove_file(&path);
                return None;
            }
            Err(TablesError::Read(_)) => return None,
        };
        let weights = Arc::new(weights);
        let (checked, mended) = (Arc::clone(&weights), Arc::clone(&self.mended));
        in_background(move || {
            std::thread::sleep(CHECKED_AFTER);
            match checksums.first_damaged(&checked, pause) {
                None => note_use(&path),
                Some(block) => {
                    drop(checked);
                    mend(&path, block, &mended);
                }
            }
        });
        Some(weights)
    }

    /// Writes the file with `weights`, in the background. Where that is not possible there is none.
    pub fn keep(&self, weights: &Arc<Weights>) {
        let Some(folder) = self.folder.clone() else { return };
        let weights = Arc::clone(weights);
        in_background(move || write(&folder, &weights));
    }

    /// What replaces a file that was found to be damaged, once.
    pub fn take_mended(&self) -> Option<Mended> {
        self.mended.lock().take()
    }
}

fn pause() {
    std::thread::sleep(PAUSE);
}

/// Does `work` in a thread of its own, if the system has one.
fn in_background(work: impl FnOnce() + Send + 'static) {
    if memory::has_addresses(USUAL_STACK) {
        // Without the thread a damaged file is not found, and none is written: it can wait for another start.
        let _ = Builder::new().name("tables".into()).spawn(work);
    }
}

/// Makes tables anew in place of a file with a damaged block.
fn mend(path: &Path, block: usize, mended: &Mutex<Option<Mended>>) {
    let _ = fs::remove_file(path);
    let weights = compact::built_in().ok().and_then(|terms| terms.expand().ok()).map(Arc::new);
    let message = format!(
        "{}: block {block} is damaged: the evaluation is unpacked and the file made anew",
        path.display()
    );
    *mended.lock() = Some(Mended { message, weights: weights.clone() });
    if let (Some(folder), Some(weights)) = (path.parent(), weights) {
        write(folder, &weights);
    }
}

/// Notes that the file is in use, for other versions that look for files to remove.
fn note_use(path: &Path) {
    let now = SystemTime::now();
    let is_due = |file: &File| {
        let last = file.metadata().ok()?.modified().ok()?;
        Some(now.duration_since(last).is_ok_and(|since| since >= USE_NOTED))
    };
    if let Ok(file) = File::options().write(true).open(path)
        && is_due(&file) == Some(true)
    {
        // A file that only may be read works as well.
        let _ = file.set_modified(now);
    }
}

/// Whether a disk with so many free bytes has room for the file and as much again, so that other programs are not left
/// without. Where nobody knows what is free, writing will tell.
fn has_room(free: Option<u64>) -> bool {
    free.is_none_or(|free| free >= 2 * tables_file::LENGTH)
}

/// Writes the file, unless another process does or the disk is nearly full, and removes those of other versions.
fn write(folder: &Path, weights: &Weights) {
    let path = path_in(folder);
    if fs::create_dir_all(folder).is_err() || !has_room(fs4::available_space(folder).ok()) {
        return;
    }
    let Ok(lock) = File::create(path.with_extension("lock")) else { return };
    if lock.try_lock().is_err() || path.exists() {
        return;
    }
    if tables_file::save(weights, origin(), &path, pause).is_ok() {
        remove_others(folder, &path);
    }
}

/// Removes files of other versions that were not used for a while, and what processes have left which ended while they
/// wrote one.
fn remove_others(folder: &Path, path: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let other = entry.path();
        let is_ours = other
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with("evaluation-") && name.contains(&format!(".{EXTENSION}")));
        let is_unused = || {
            let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
            Some(age >= IN_USE)
        };
        if is_ours && other != path && is_unused() == Some(true) {
            // What another process has open stays on some systems.
            let _ = fs::remove_file(&other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};
    use std::time::Instant;

    use super::*;
    use crate::eval::weights::Blank;

    fn empty(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("jitsugen tables {name} {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn wait_until(is_there: impl Fn() -> bool) {
        let begin = Instant::now();
        while !is_there() {
            assert!(begin.elapsed() < Duration::from_secs(120), "nothing has happened");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = TablesCache::in_folder(None);
        assert!(cache.open().is_none() && cache.take_mended().is_none());
    }

    #[test]
    fn a_file_leaves_as_much_room_again() {
        for (free, is_enough) in
            [(0, false), (2 * tables_file::LENGTH - 1, false), (2 * tables_file::LENGTH, true)]
        {
            assert_eq!(has_room(Some(free)), is_enough, "{free}");
        }
        assert!(has_room(None));
    }

    /// One test, because a file has 858 MB.
    #[test]
    fn a_file_is_written_once_shared_checked_and_made_anew() {
        let folder = empty("whole");
        fs::create_dir_all(&folder).unwrap();
        let path = path_in(&folder);
        let [unused, used, foreign] =
            ["evaluation-0-00000000.tables", "evaluation-0-00000001.tables", "letter.txt"].map(|name| {
                fs::write(folder.join(name), "of another version").unwrap();
                folder.join(name)
            });
        for old in [&unused, &foreign] {
            File::options().write(true).open(old).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let cache = TablesCache::in_folder(Some(folder.clone()));
        assert!(cache.open().is_none());
        let mut blank = Blank::new().unwrap();
        blank.kk()[5] = [7, -7];
        let kept = Arc::new(blank.finish().unwrap());
        cache.keep(&kept);
        wait_until(|| path.exists() && !unused.exists());
        assert!(used.exists() && foreign.exists());

        let found = cache.open().unwrap();
        assert!(found.is_shared() && !kept.is_shared());
        assert_eq!((found.all_kk()[5], found.all_kk()[6]), ([7, -7], [0, 0]));
        drop(found);
        // A file that only may be read is read.
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(cache.open().is_some());
        fs::remove_file(&path).unwrap();

        // Half of a file, one with a damaged header, another evaluation's: none is used, and none stays.
        for (length, byte) in [(tables_file::LENGTH / 2, None), (tables_file::LENGTH, Some(100)), (0, None)] {
            let mut file = File::create(&path).unwrap();
            file.set_len(length).unwrap();
            if let Some(byte) = byte {
                file.seek(SeekFrom::Start(byte)).unwrap();
                file.write_all(&[1]).unwrap();
            }
            drop(file);
            assert!(cache.open().is_none() && !path.exists());
        }
        assert!(cache.take_mended().is_none());
        fs::remove_dir_all(&folder).unwrap();
    }
}
