#!/usr/bin/env bash
# The pictures of a report that docs/report.md shows, by headless Chromium.
#
#   tools/report_pictures.sh REPORT [FOLDER]
#
# REPORT is a folder that `ckda report -o REPORT --certificates` wrote.  Into FOLDER (default
# docs/img): report-desk.png, the first screen on a desk, light, and report-phone.png, the same
# on a phone, dark.  Exit status: 0, or 77 without Chromium.
set -euo pipefail
report=$(realpath "${1:?usage: report_pictures.sh REPORT [FOLDER]}")
folder=$(realpath "${2:-$(dirname "$0")/../docs/img}")
browser=$(command -v chromium || command -v chromium-browser) || { echo "report_pictures: skipped: no Chromium" >&2; exit 77; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# shoot NAME WIDTH HEIGHT SCHEME: 0 is dark, 1 is light.  A window is at least 500 wide, so a phone
# is a frame of its width in a page of its own.
shoot() {
    local name=$1 width=$2 height=$3 scheme=$4
    printf '<!doctype html><style>body{margin:0}iframe{border:0;display:block}</style><iframe src="file://%s/index.html" width=%s height=%s scrolling=no></iframe>' \
        "$report" "$width" "$height" >"$profile/frame.html"
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile/user" \
        --blink-settings="preferredColorScheme=$scheme" --force-device-scale-factor=1 \
        --window-size="$width,$height" --screenshot="$profile/$name" "file://$profile/frame.html" >/dev/null 2>&1
    mv "$profile/$name" "$folder/$name"
}

shoot report-desk.png 1280 1400 1
shoot report-phone.png 390 1000 0
