#!/bin/sh
# Sets up, builds, runs, tests and installs Hearth. POSIX sh; run it as often as you like.
#
#   ./install.sh serve [ARGUMENTS…]   sets up, builds and runs Hearth (arguments go to `hearth serve`)
#   ./install.sh test                 sets up and runs every check and test
#   ./install.sh build [ARGUMENTS…]   sets up and builds dist/hearth (for example --target all)
#   ./install.sh install [PREFIX]     copies the executable to PREFIX/bin (default /usr/local) and, as root on a
#                                     machine with systemd, makes a user and a service
#
# Needs a shell and, once, the package registry. On Debian and Ubuntu what is missing is installed with apt.
set -eu

BUN_VERSION=1.4.5
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"

say() { printf '==> %s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Installs Debian packages, once, and says so. Quiet unless it fails.
need_packages() {
  have apt-get || fail "please install: $*"
  run=''
  [ "$(id -u)" = 0 ] || { have sudo || fail "please install as root: $*"; run=sudo; }
  say "installing with apt: $*"
  log=$(mktemp)
  if ! { $run env DEBIAN_FRONTEND=noninteractive apt-get update && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt could not install: $*"
  fi
  rm -f "$log"
}

# The pinned Bun: one on the PATH of the same version, or the one of the package registry, kept in .bun/.
use_bun() {
  if have bun && [ "$(bun --version 2>/dev/null)" = "$BUN_VERSION" ]; then return; fi
  PATH="$here/.bun/bin:$PATH"
  export PATH
  if [ -x "$here/.bun/bin/bun" ] && [ "$("$here/.bun/bin/bun" --version 2>/dev/null)" = "$BUN_VERSION" ]; then return; fi
  have npm || need_packages npm
  say "fetching Bun $BUN_VERSION from the package registry"
  rm -rf "$here/.bun"
  mkdir -p "$here/.bun/bin"
  npm install --prefix "$here/.bun" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "bun@$BUN_VERSION" >/dev/null ||
    fail "Bun could not be fetched from the package registry"
  # The package's own install step only picks one of these; with scripts off we do it.
  for candidate in "$here"/.bun/node_modules/@oven/bun-*/bin/bun; do
    if [ -x "$candidate" ] && [ "$("$candidate" --version 2>/dev/null)" = "$BUN_VERSION" ]; then
      ln -sf "$candidate" "$here/.bun/bin/bun"
      ln -sf "$candidate" "$here/.bun/bin/bunx"
      return
    fi
  done
  fail "the Bun of the package registry does not run on this machine ($(uname -sm))"
}

set_up() {
  use_bun
  if [ ! -d node_modules ] || [ bun.lock -nt node_modules/.hearth ] || [ ! -e node_modules/.hearth ]; then
    say "installing the pinned packages"
    bun install --frozen-lockfile --silent || fail "the packages could not be installed"
    : >node_modules/.hearth
  fi
}

build() {
  say "building"
  bun build.ts "$@"
}

# The tests use real git as their oracle and a real browser for the pages; Hearth itself needs neither.
set_up_tests() {
  missing=''
  have git || missing="$missing git"
  have curl || missing="$missing curl ca-certificates"
  # Keys to sign commits with, and the client for git over SSH.
  have ssh-keygen || missing="$missing openssh-client"
  have gpg || missing="$missing gnupg"
  [ -x /usr/bin/chromium ] || have chromium || missing="$missing chromium"
  # shellcheck disable=SC2086
  [ -z "$missing" ] || need_packages $missing
}

install_service() {
  have systemctl && [ "$(id -u)" = 0 ] && [ -d /etc/systemd/system ] || { say "no systemd here, or not root: only the executable was copied"; return; }
  if ! id hearth >/dev/null 2>&1; then
    say "making the user hearth"
    useradd --system --home-dir /var/lib/hearth --shell /usr/sbin/nologin hearth
  fi
  say "writing /etc/systemd/system/hearth.service"
  cat >/etc/systemd/system/hearth.service <<UNIT
[Unit]
Description=Hearth, a git forge
After=network.target

[Service]
User=hearth
StateDirectory=hearth
StateDirectoryMode=0700
ExecStart=$1/bin/hearth serve
Environment=HEARTH_DATA=/var/lib/hearth
EnvironmentFile=-/etc/hearth.env
UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN
Restart=on-failure
TimeoutStopSec=60
NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
PrivateDevices=true
RestrictSUIDSGID=true
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
UNIT
  if systemctl daemon-reload 2>/dev/null && systemctl enable --now hearth 2>/dev/null && systemctl restart hearth 2>/dev/null; then
    say "the service runs: journalctl -u hearth shows the address and, the first time, the setup link"
  else
    say "systemd does not answer here; start the service with: systemctl enable --now hearth"
  fi
}

command=${1:-help}
[ $# -eq 0 ] || shift
case $command in
  serve)
    set_up
    build
    exec ./dist/hearth serve "$@"
    ;;
  build)
    set_up
    build "$@"
    ;;
  test)
    set_up
    set_up_tests
    say "checking types, style and arrows"
    bun run check
    say "building, and running the tests"
    bun run test
    ;;
  install)
    set_up
    build
    prefix=${1:-/usr/local}
    mkdir -p "$prefix/bin"
    # A new name and a rename, so that a running Hearth keeps its file.
    cp dist/hearth "$prefix/bin/.hearth.new"
    chmod 0755 "$prefix/bin/.hearth.new"
    mv "$prefix/bin/.hearth.new" "$prefix/bin/hearth"
    say "copied to $prefix/bin/hearth"
    install_service "$prefix"
    ;;
  help | --help | -h)
    sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'
    ;;
  *)
    fail "there is no command $command; see ./install.sh --help"
    ;;
esac
