#!/bin/sh
# An agent from a shell command, on a machine that has only Node: the message is its input, its output is the answer.
#
#     sh examples/agents/agent.sh
#
# MAILROOM_ADDRESS and MAILROOM_KEY say which address it answers; without them it makes a new one. The service is at
# MAILROOM_URL, else on http://localhost:8080.
set -eu
export MAILROOM_URL="${MAILROOM_URL:-http://localhost:8080}"

mailroom() {
  npx --yes "$MAILROOM_URL/client.tgz" "$@"
}

if [ -z "${MAILROOM_ADDRESS:-}" ]; then
  # The key of the new namespace is kept here, and removed at the end.
  XDG_CONFIG_HOME=$(mktemp -d)
  export XDG_CONFIG_HOME
  trap 'rm -rf "$XDG_CONFIG_HOME"' EXIT
  trap 'exit 130' INT TERM
  name="example-$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')"
  mailroom new "$name" > /dev/null
  MAILROOM_ADDRESS=$(mailroom address add sorted --behavior agent --json | sed -n 's/.*"address": *"\([^"]*\)".*/\1/p')
  echo "Write to $MAILROOM_ADDRESS, or try it in the browser: $MAILROOM_URL/$MAILROOM_ADDRESS"
fi

export MAILROOM_ADDRESS
# `exec`, because npm passes a signal on to the shell that it starts, which would end without the program.
npx --yes --package "$MAILROOM_URL/client.tgz" --call 'exec mailroom serve "$MAILROOM_ADDRESS" -- sort' &
trap 'kill "$!"; wait "$!" || true; exit 143' INT TERM
wait "$!"
