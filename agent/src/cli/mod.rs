//! The command `locox-agent`.

mod admin;
mod answer;
mod args;
mod folder;
mod host;
mod html;
mod log;
mod manual;
mod migrate;
mod query;
mod release;
mod run;
mod status;
mod summary;
mod times;
mod usage;
mod verify;
mod view;

use crate::config::Config;
use crate::estimates::Asked;
use answer::{Done, note};
use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// Does what the arguments say: 0 is done, or yes; 1 is no; 2 is an error.
pub fn main() -> ExitCode {
    let done = match Args::try_parse() {
        Ok(args) => perform(&args),
        // Help and version are answers, not errors.
        Err(answer) if !answer.use_stderr() => {
            let text = answer.render().to_string();
            answer::print(text.as_bytes()).map(|()| true).map_err(Into::into)
        }
        Err(error) => Err(usage::one_line(&error)),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            note(error);
            ExitCode::from(2)
        }
    }
}

fn perform(args: &Args) -> Done {
    // What needs no configuration.
    match &args.command {
        Command::Completions { shell } => return manual::completions(*shell),
        Command::Man { folder } => return manual::man(folder.as_deref()),
        _ => {}
    }
    let config = Config::open(&args.config)?;
    match &args.command {
        Command::Run { once, dry_run: false, salvage, despite_warnings } => {
            run::run(&config, *once, *salvage, *despite_warnings)
        }
        Command::Run { dry_run: true, .. } => run::dry(&config),
        Command::Why { job } => query::why(&config, job),
        Command::When { job } => query::when(&config, job),
        Command::Would { nodes, limit, by, user, now } => {
            let user = user.unwrap_or_else(host::own_uid);
            let asked = Asked { user, nodes: *nodes, limit: limit.as_secs() };
            query::would(&config, asked, by.as_deref(), *now)
        }
        Command::Status { json, html } => status::status(&config, *json, *html),
        Command::Gate => admin::gate(&config),
        Command::Doctor => admin::doctor(&config),
        Command::Migrate => migrate::migrate(&config),
        Command::Verify { history } => verify::verify(&config, history),
        Command::ReleaseAll { force } => release::release_all(&config, *force),
        Command::Completions { .. } | Command::Man { .. } => Ok(true),
    }
}
