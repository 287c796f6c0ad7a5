#!/bin/sh
# Run a command and record how long it took: sh scripts/step.sh NAME COMMAND...
name=$1
shift
start=$(date +%s)
"$@"
status=$?
mkdir -p _build
printf '%6d s  %s\n' $(($(date +%s) - start)) "$name" >>_build/seconds
exit $status
