//! What all layers may use and none of them is about: files, memory, text, the processor.

pub mod atomic_file;
pub mod checked_file;
pub mod cpu;
pub mod frames;
pub mod generation;
pub mod huge_pages;
pub mod prefetch;
pub mod text;
