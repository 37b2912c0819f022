# Functions and facts that the shell scripts share. Sourced, never run.
# shellcheck shell=bash

# shellcheck disable=SC2034  # for the scripts that source this
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '== %s\n' "$*"; }

warn() { printf 'warning: %s\n' "$*" >&2; }

# die [-CODE] MESSAGE…: prints the message and exits, with 1 unless a code is given.
die() {
  local code=1
  if [[ "$1" =~ ^-[0-9]+$ ]]; then
    code="${1#-}"
    shift
  fi
  printf 'error: %s\n' "$*" >&2
  exit "$code"
}

have() { command -v "$1" >/dev/null 2>&1; }

# usage FILE: the comment block at the head of a script is its help text.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

# configured BUILD NAME: the value of a cached CMake variable, empty if there is none.
configured() {
  [[ -f "$1/CMakeCache.txt" ]] || return 0
  sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt"
}
