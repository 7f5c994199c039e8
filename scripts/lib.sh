# shellcheck shell=bash
# Sourced by the scripts beside it: messages, exit statuses, numbers of this machine. Sets nothing but functions and readonly names.

# Exit statuses of sysexits.h that the programs use too.
# shellcheck disable=SC2034
readonly EX_USAGE=64 EX_NOINPUT=66 EX_UNAVAILABLE=69 EX_SOFTWARE=70 EX_NOPERM=77 EX_CONFIG=78

# One line for a person, on stderr.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# die STATUS MESSAGE: one line, then the end.
die() {
    local status=$1
    shift
    say "$*"
    exit "$status"
}

# The folder of the checkout that holds this file.
checkout() { (cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P); }

# Compilers to run at once: one a core, and 1.5 GiB of memory for each.
build_jobs() {
    local cores memory_kib jobs
    cores=$(nproc)
    memory_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
    jobs=$((memory_kib / (1536 * 1024)))
    ((jobs >= 1)) || jobs=1
    ((jobs <= cores)) || jobs=$cores
    printf '%s\n' "$jobs"
}

# step MESSAGE LOG COMMAND...: says what is done and how long it took; the output goes to LOG, of which the end is shown on failure.
step() {
    local message=$1 log=$2 began=$SECONDS status=0
    shift 2
    say "$message ..."
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        say "$message: failed (status $status); the end of $log:"
        tail -n 20 "$log" >&2
        return "$status"
    fi
    ((SECONDS - began < 5)) || say "$message: done in $((SECONDS - began)) s"
}

# The log of a run, under .tools (which git ignores); emptied.
new_log() {
    local folder
    folder=$(checkout)/.tools
    mkdir -p "$folder"
    : >"$folder/$1.log"
    printf '%s\n' "$folder/$1.log"
}

# The comment at the head of a script, as its help.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$1"; }
