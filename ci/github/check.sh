#!/usr/bin/env bash
# Previews and judges; says in GITHUB_OUTPUT what came of it. The action ends with that status once the reports are delivered.
set -uo pipefail

# A folder for each category: the reports of another use in the same job stay, and code scanning sees the same paths in each run.
folder="$RUNNER_TEMP/hypershift-network/${CATEGORY//[^A-Za-z0-9-]/_}"
mkdir -p "$folder"
previewed=0
paths=()
if [ -n "$PATHS" ]; then
  while IFS= read -r path; do
    [ -n "$path" ] && paths+=("$path")
  done <<< "$PATHS"
else
  pulumi preview --json --show-sames --non-interactive ${STACK:+--stack "$STACK"} > "$folder/plan.json" || previewed=$?
  paths=("$folder/plan.json")
fi

# COMMAND is a command with its arguments, hence without quotes.
judge() { $COMMAND check "${paths[@]}" --fail-on "$FAIL_ON" --format "$1"; }

judge text
status=$?
case $status in 0 | 1) ;; *) status=2 ;; esac
# A preview that failed is never a pass, whatever it wrote before.
[ "$previewed" -eq 0 ] || status=2

if [ "$status" -ne 2 ]; then
  judge sarif > "$folder/findings.sarif"
  # This folder, from the root of the repository, or from the workspace if git does not say.
  from_root=$(git rev-parse --show-prefix 2> /dev/null) || from_root=$(realpath --relative-to "$GITHUB_WORKSPACE" .)
  [ -z "$from_root" ] || node "$GITHUB_ACTION_PATH/fromRoot.mjs" "$folder/findings.sarif" "${from_root%/}"
  judge markdown > "$folder/findings.md"
  cat "$folder/findings.md" >> "$GITHUB_STEP_SUMMARY"
  {
    echo "sarif=$folder/findings.sarif"
    echo "markdown=$folder/findings.md"
  } >> "$GITHUB_OUTPUT"
fi
echo "status=$status" >> "$GITHUB_OUTPUT"
