#!/usr/bin/env bash
# Fuzzes the stream parser for SECONDS: client/fuzz/run.sh [SECONDS], 60 unless told.
#
# Works with stable Rust and a C++ compiler, without cargo-fuzz: these are the flags that cargo-fuzz passes for
# coverage, without a sanitizer (there is no unsafe code; overflow and debug checks are on). A finding is a failure and
# is left in the corpus folder as crash-*; `TARGET FILE` runs it again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

seconds=${1:-60}
targets=(stream)
built=${CARGO_TARGET_DIR:-$PWD/../../target}/client-fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$built RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module \
  -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
  -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1" \
  cargo build --quiet --locked --release --target "$host" --bins

for target in "${targets[@]}"; do
  corpus=$built/corpus/$target
  mkdir -p "$corpus"
  cp "seeds/$target"/* "$corpus"/
  "$built/$host/release/$target" -max_total_time="$((seconds / ${#targets[@]}))" -timeout=10 -rss_limit_mb=1024 \
    -print_final_stats=1 -verbosity=0 -max_len=4096 -artifact_prefix="$corpus/" "$corpus"
done
