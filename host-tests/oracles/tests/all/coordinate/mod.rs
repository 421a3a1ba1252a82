//! What is stored and sent: words that stay what they are from one version to the next.

mod images;
mod records;
