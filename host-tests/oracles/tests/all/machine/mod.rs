//! Machines: the law that halving relies on, what is found against all places that there are, and timetables tick by tick.

mod law;
mod timetables;
