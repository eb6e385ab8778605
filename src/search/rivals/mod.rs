//! The search that the paper compares with: by depth.

mod depth;
mod plausible;
