#!/usr/bin/env bash
# Makes a folder that any web server can host: the page "Listen", its renderer, and packed recordings.
set -euo pipefail
if [ $# -lt 4 ] || [ $(($# % 2)) -ne 0 ]; then
	echo "usage: web/site.sh PROGRAM FOLDER RECORDING TITLE [RECORDING TITLE]..." >&2
	exit 2
fi
program=$1 site=$2
shift 2
web=$(cd "$(dirname "$0")" && pwd)
if [ -e "$site" ]; then echo "$site exists already: move it away, or name another folder." >&2; exit 1; fi
if [ ! -e "$web/renderer/renderer.wasm" ]; then echo "There is no renderer for browsers yet: run 'make renderer'." >&2; exit 1; fi
# The folder gets its name when it is complete.
made=$(mktemp -d "$site.XXXXXX")
trap 'rm -rf "$made"' EXIT
chmod 755 "$made"
mkdir -p "$made/js/head" "$made/recordings"
# The head that all pages share has the addresses of the engine's server; those of the folder are relative.
sed -e "/{{> head}}/{r $web/pages/head.html" -e 'd}' "$web/listen.html" | sed -E 's#(href|src)="/panel/#\1="#' > "$made/index.html"
cp "$web"/{listen-worker.js,favicon.svg,style.css} "$made"
cp -r "$web/css" "$web/renderer" "$made"
cp -r "$web"/js/{listen,phone,shared} "$made/js"
cp "$web/js/head/ring-picture.js" "$made/js/head"
list=() number=0
while [ $# -gt 0 ]; do
	number=$((number + 1))
	"$program" package "$1" --title "$2" --output "$made/recordings/$number"
	title=${2//\\/\\\\} title=${title//\"/\\\"}
	list+=("{\"path\": \"$number\", \"title\": \"$title\"}")
	shift 2
done
(IFS=,; echo "[${list[*]}]") > "$made/recordings/list.json"
mv -T "$made" "$site"
echo "$site: open it with any web server, by https or on this computer: python3 -m http.server -d $site"
