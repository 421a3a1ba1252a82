//! Tables of levels by hosts: every answer against a naive model, and who passes whom.

mod first_come;
mod in_step;
mod placements;
mod planted;
