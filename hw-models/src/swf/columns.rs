//! The names of the columns.

/// What a column is called in errors, and whether the format lets its values have a fraction.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) fraction: bool,
}

const fn whole(name: &'static str) -> Column {
    Column { name, fraction: false }
}

const fn measure(name: &'static str) -> Column {
    Column { name, fraction: true }
}

/// The columns in their order.
pub(super) const COLUMNS: [Column; 18] = [
    whole("job number"),
    measure("submit time"),
    measure("wait time"),
    measure("run time"),
    whole("processors"),
    measure("cpu time"),
    measure("memory"),
    whole("requested processors"),
    measure("requested time"),
    measure("requested memory"),
    whole("status"),
    whole("user"),
    whole("group"),
    whole("executable"),
    whole("queue"),
    whole("partition"),
    whole("preceding job"),
    measure("think time"),
];

pub(crate) const NUMBER: &str = COLUMNS[0].name;
pub(crate) const SUBMIT: &str = COLUMNS[1].name;
pub(crate) const PROCESSORS: &str = COLUMNS[4].name;
pub(crate) const REQUESTED_PROCESSORS: &str = COLUMNS[7].name;
pub(crate) const USER: &str = COLUMNS[11].name;
pub(crate) const GROUP: &str = COLUMNS[12].name;
