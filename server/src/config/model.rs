//! The settings of the hosted model, from the options.

use std::time::Duration;

use super::{ConfigError, Options, TranscriptTo};
use crate::jev;

/// The shortest and the longest time for one decision of the hosted model.
const MIN_DEADLINE_SECONDS: f64 = 0.1;
const MAX_DEADLINE_SECONDS: f64 = 120.0;

/// Where its transcript goes: a program that serves prints it unless it was told not to.
pub(super) fn transcript(options: &Options) -> TranscriptTo {
    if options.no_transcript == Some(true) { TranscriptTo::Nowhere } else { TranscriptTo::Output }
}

/// How the model is asked; its key is looked for in the environment of this process.
pub(super) fn settings(options: &Options) -> Result<jev::Settings, ConfigError> {
    let default = jev::Settings::default();
    // What is set to nothing is not set, in the environment as in a file.
    let named = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let threshold = options.jev_threshold.unwrap_or(default.threshold);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(ConfigError::Range { option: "--jev-threshold", range: "0 to 1" });
    }
    let seconds = options.jev_deadline_seconds.unwrap_or(default.deadline.as_secs_f64());
    if !(MIN_DEADLINE_SECONDS..=MAX_DEADLINE_SECONDS).contains(&seconds) {
        return Err(ConfigError::Range { option: "--jev-deadline-seconds", range: "0.1 to 120" });
    }
    Ok(jev::Settings {
        key: jev::KeySource::of_process(),
        base_url: named(&options.jev_base_url).map_or(Ok(default.base_url), |url| url.parse())?,
        model: named(&options.jev_model).unwrap_or(default.model),
        threshold,
        deadline: Duration::from_secs_f64(seconds),
        session_budget: options.jev_session_budget.unwrap_or(default.session_budget),
        day_budget: options.jev_day_budget.unwrap_or(default.day_budget),
        ..default
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::config::Config;

    fn config(args: &[&str]) -> Result<Config, ConfigError> {
        Config::new(Options::try_parse_from([&["serve2048"], args].concat()).unwrap())
    }

    #[test]
    fn the_model_is_asked_as_the_options_say() {
        let usual = config(&["--data", "somewhere"]).unwrap();
        assert_eq!(usual.transcript, TranscriptTo::Output);
        assert_eq!(usual.jev.deadline, Duration::from_secs(20));
        assert_eq!(usual.jev.key, jev::KeySource::of_process());
        let args = ["--no-transcript", "--jev-base-url=http://127.0.0.1:8000/", "--jev-model=m"];
        let set = config(&args).unwrap();
        assert_eq!((set.transcript, set.jev.model.as_str()), (TranscriptTo::Nowhere, "m"));
        assert_eq!(set.jev.base_url.endpoint(), "http://127.0.0.1:8000/v1/systemone");
        let set = config(&["--jev-session-budget=0", "--jev-day-budget=7"]).unwrap().jev;
        assert_eq!((set.session_budget, set.day_budget), (0, 7));
        let set = config(&["--jev-base-url=", "--jev-model= "]).unwrap().jev;
        assert_eq!((set.base_url, set.model), (usual.jev.base_url, usual.jev.model));
        assert_eq!(Config::default().transcript, TranscriptTo::Nowhere);
        assert_eq!(Config::default().jev.key, jev::KeySource::Nowhere);
    }

    #[test]
    fn a_setting_of_the_model_that_makes_no_sense_is_refused_by_name() {
        for (wrong, said) in [
            (
                "--jev-base-url=http://example.org",
                "--jev-base-url: http is possible on this machine only",
            ),
            (
                "--jev-base-url=https://me:x@example.org",
                "--jev-base-url: a name or password in the address",
            ),
            ("--jev-base-url=example.org", "--jev-base-url: an address such as https://"),
            ("--jev-threshold=1.1", "--jev-threshold: a number from 0 to 1"),
            ("--jev-threshold=NaN", "--jev-threshold: a number from 0 to 1"),
            ("--jev-deadline-seconds=0", "--jev-deadline-seconds: a number from 0.1 to 120"),
        ] {
            let text = config(&[wrong]).unwrap_err().to_string();
            assert!(text.starts_with(said), "{wrong}: {text}");
        }
    }
}
