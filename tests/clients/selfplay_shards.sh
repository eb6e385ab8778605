#!/usr/bin/env bash
# Two parts of a self-play run, played through GNU parallel and merged: the file of one run, byte for byte.
#
#     tests/clients/selfplay_shards.sh target/debug/jitsugen
#
# Needs GNU parallel and a build with the feature `learn`.
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

play() { "$program" learn selfplay --from yss --nodes 30 --random-moves 2 --max-moves 60 --threads 1 "$@" >"${2##*/}.log"; }
export program
export -f play

play --output one.play --games 12
parallel --will-cite --halt now,fail=1 play --output part{}.play --first {} --games 6 ::: 0 6
"$program" learn merge part6.play part0.play --output merged.play --games 12
cmp merged.play one.play
echo "self-play: two parts through GNU parallel are the file of one run"
