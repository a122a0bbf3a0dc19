#!/usr/bin/env bash
# Makes a folder that any web server can host: the page "Listen", its renderer, and packed recordings.
# Usage: web/site.sh PROGRAM FOLDER RECORDING TITLE [RECORDING TITLE]...
set -euo pipefail
program=$1 site=$2
shift 2
web=$(cd "$(dirname "$0")" && pwd)
if [ -e "$site" ]; then echo "$site exists already: move it away, or name another folder." >&2; exit 1; fi
if [ ! -e "$web/renderer/renderer.wasm" ]; then echo "There is no renderer for browsers yet: run 'make renderer'." >&2; exit 1; fi
mkdir -p "$site"/js/{head,phone} "$site/recordings"
cp "$web/listen.html" "$site/index.html"
cp "$web"/{listen-worker.js,favicon.svg,style.css} "$site"
cp -r "$web/css" "$web/renderer" "$site"
cp -r "$web"/js/{listen,shared} "$site/js"
cp "$web/js/head/ring-picture.js" "$site/js/head"
cp "$web"/js/phone/{phone-sensor,device-orientation}.js "$site/js/phone"
list=() number=0
while [ $# -ge 2 ]; do
	number=$((number + 1))
	"$program" package "$1" --title "$2" --output "$site/recordings/$number"
	title=${2//\\/\\\\} title=${title//\"/\\\"}
	list+=("{\"path\": \"$number\", \"title\": \"$title\"}")
	shift 2
done
(IFS=,; echo "[${list[*]}]") > "$site/recordings/list.json"
echo "$site: open it with any web server, by https or on this computer: python3 -m http.server -d $site"
