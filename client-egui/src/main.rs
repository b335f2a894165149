//! Starts the desktop client.

use std::process::ExitCode;

use clap::Parser;
use client_egui::options::Options;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match client_egui::run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("no window can be opened: {error}");
            ExitCode::FAILURE
        }
    }
}
