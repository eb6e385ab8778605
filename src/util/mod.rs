//! What every layer may use and none is about: files, memory, text, threads, the processor.

pub mod atomic_file;
pub mod available_memory;
pub mod checked_file;
pub mod cpu;
pub mod frames;
pub mod input_file;
pub mod memory;
pub mod text;
pub mod workers;
