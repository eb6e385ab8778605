//! The evaluations that tests search with. Full tables are 858 MB, so they are mapped once, or never written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jitsugen::eval::compact;
use jitsugen::eval::files::{self, Files};
#[cfg(feature = "learn")]
use jitsugen::eval::sparse::Sparse;
#[cfg(feature = "learn")]
use jitsugen::eval::terms::Terms;
use jitsugen::eval::weights::{Blank, Weights};
#[cfg(feature = "learn")]
use jitsugen::eval::yss;

/// Tables of zeros: material alone counts. They are never written to, so they take no memory.
pub fn material_only() -> &'static Arc<Weights> {
    static WEIGHTS: OnceLock<Arc<Weights>> = OnceLock::new();
    WEIGHTS.get_or_init(|| Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory")))
}

/// YSS's evaluation without its pairs of pieces: it depends on where the pieces and kings are, and takes a tenth of the
/// memory of full tables.
#[cfg(feature = "learn")]
pub fn pieces_and_kings() -> &'static Arc<Weights> {
    static WEIGHTS: OnceLock<Arc<Weights>> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let terms = Terms { pairs: Sparse::default(), ..yss::terms() };
        Arc::new(terms.expand().expect("there is memory"))
    })
}

/// Held by a test while it has full tables in memory, so that no two tests have them at the same time.
pub fn alone_with_full_tables() -> MutexGuard<'static, ()> {
    built_in_files();
    alone()
}

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    // A test that failed has given its tables back.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Full files of the built-in evaluation. All engines that the tests start map them into one piece of memory, where
/// each would need 858 MB of its own and up to two seconds to fill them. The path has blanks and Japanese letters, as
/// users' paths do.
pub fn built_in_files() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let (_, checksum) = compact::built_in_size_and_checksum();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("evaluation 評価 {checksum:08x}"));
        if Files::find(&folder).is_err() {
            let _alone = alone();
            let weights = compact::built_in().expect("it is part of the program").expand();
            // Runs of the tests at the same time write to folders of their own. The last one stays.
            let unfinished = folder.with_file_name(format!("unfinished {}", std::process::id()));
            files::save(&weights.expect("there is memory"), &unfinished, &mut |_, _| ())
                .expect("the files can be written");
            if fs::rename(&unfinished, &folder).is_err() {
                fs::remove_dir_all(&unfinished).expect("our own folder can be removed");
            }
        }
        folder
    })
}
