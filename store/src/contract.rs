//! What every adapter must do: one suite, run on each of them.
//!
//! A check gets a store of its own, empty, and panics with a sentence when the store does something else.
#![expect(clippy::missing_panics_doc, clippy::unwrap_used, reason = "these are tests")]

mod table;

mod sessions;

mod appends;

mod commands;

mod archive;

mod links;

mod verifying;

use std::sync::Arc;

pub use self::table::{Table, decided, seeded};
use crate::Store;

/// Runs the suite; `fresh` gives an empty store each time.
pub async fn run(fresh: impl Fn() -> Arc<dyn Store>) {
    sessions::created_session_is_loaded_as_it_was(fresh()).await;
    sessions::unknown_session_is_none(fresh()).await;
    sessions::second_session_of_an_id_is_refused(fresh()).await;
    sessions::closed_session_is_gone_and_its_games_stay(fresh()).await;
    sessions::session_expires_unless_it_has_changed(fresh()).await;
    sessions::open_sessions_are_listed_newest_first_in_pages(fresh()).await;
    sessions::driven_sessions_are_those_whose_agent_plays(fresh()).await;
    sessions::unchanged_sessions_are_given_longest_first(fresh()).await;

    appends::moves_come_back(fresh()).await;
    appends::old_position_is_a_conflict_that_says_the_new_one(fresh()).await;
    appends::append_without_changes_moves_the_head(fresh()).await;
    appends::refused_append_changes_nothing(fresh()).await;
    appends::contradictions_are_refused(fresh()).await;
    appends::requests_of_a_session_are_carried_out_in_order(fresh()).await;
    appends::answers_need_not_be_waited_for(fresh()).await;
    appends::two_writers_never_both_win(fresh()).await;
    appends::head_comes_back_to_the_last_digit(fresh()).await;

    commands::reply_is_remembered_with_its_effect(fresh()).await;
    commands::last_256_commands_are_remembered(fresh()).await;
    commands::commands_of_sessions_are_apart(fresh()).await;

    links::link_leads_to_its_session_until_it_is_revoked(fresh()).await;
    links::link_to_no_open_session_is_refused(fresh()).await;
    links::a_session_has_so_many_links_and_no_more(fresh()).await;

    archive::new_game_files_the_old_one(fresh()).await;
    archive::game_without_a_move_is_left_out(fresh()).await;
    archive::several_games_in_one_append(fresh()).await;
    archive::game_over_ends_when_it_happens(fresh()).await;
    archive::drivers_are_kept_as_stretches(fresh()).await;
    archive::class_is_by_who_chose_the_moves(fresh()).await;
    archive::any_part_of_a_games_moves_can_be_read(fresh()).await;
    archive::lists_are_filtered(fresh()).await;
    archive::lists_are_sorted_and_paged(fresh()).await;
    archive::cursor_of_another_list_is_refused(fresh()).await;
    archive::best_scores_are_by_class_without_custom_and_imported_games(fresh()).await;
    archive::imported_game_is_filed(fresh()).await;
    archive::import_that_does_not_fit_is_refused(fresh()).await;
    archive::custom_start_comes_back(fresh()).await;

    verifying::games_that_were_played_are_right(fresh()).await;
    verifying::first_wrong_move_is_named(fresh()).await;
}
