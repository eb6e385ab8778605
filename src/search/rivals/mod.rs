//! The paper's rival: a search by depth.

mod depth;
mod plausible;
