//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason. Levels of significance are the judge's own ([`locox_report::judge::LEVEL`]).
