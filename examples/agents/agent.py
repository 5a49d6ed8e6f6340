#!/usr/bin/env python3
"""An agent in Python with the standard library alone: it claims messages and answers them.

    python3 examples/agents/agent.py

MAILROOM_ADDRESS and MAILROOM_KEY say which address it answers; without them it makes a new one. The service is at
MAILROOM_URL, else on http://localhost:8080.
"""
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MAILROOM_URL", "http://localhost:8080")
stopped = False
busy = False


def answer(message):
    """The reply to a message. What it says is text of a stranger: judge it, never run it."""
    words = message["body"].split()
    return f"{len(words)} words, the longest is {max(words, key=len)}." if words else "There were no words."


def call(key, path, body, seconds=30):
    """Sends JSON with the key, and returns the JSON of the answer."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(f"{URL}/api/v1{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=seconds) as response:
        return json.load(response)


def own_address():
    """The address to answer, and a key for it."""
    if "MAILROOM_ADDRESS" in os.environ and "MAILROOM_KEY" in os.environ:
        return os.environ["MAILROOM_ADDRESS"], os.environ["MAILROOM_KEY"]
    name = f"example-{uuid.uuid4().hex[:8]}"
    mailbox = {"local_part": "words", "behavior": {"name": "agent"}, "visibility": "unlisted"}
    try:
        key = call("", "/namespaces", {"name": name})["key"]["secret"]
        address = call(key, f"/namespaces/{name}/mailboxes", mailbox)["address"]
    except urllib.error.HTTPError as error:
        sys.exit(f"No address could be made: {json.load(error)['detail']}")
    except OSError as error:
        sys.exit(f"{URL} cannot be reached: {error}")
    print(f"Write to {address}, or try it in the browser: {URL}/{address}", flush=True)
    return address, key


def handle(key, item):
    """Answers one claimed message; what goes wrong gives it back."""
    global busy
    busy = True
    message, claim = item["message"], item["claim"]
    path = f"/mail/messages/{message['id']}"
    try:
        call(key, f"{path}/answer", {"claim": claim, "body": answer(message)})
    except urllib.error.HTTPError as error:
        # 409: the claim was lost, or the message was canceled meanwhile.
        print(f"{message['id']}: {error.code} {error.read().decode()}", file=sys.stderr)
    except Exception as error:
        print(f"{message['id']}: {error!r}", file=sys.stderr)
        call(key, f"{path}/release", {"claim": claim, "after_seconds": 5})
    finally:
        busy = False


def main():
    address, key = own_address()
    while not stopped:
        try:
            # It waits up to 20 seconds for a message, and the address is online meanwhile.
            claimed = call(key, f"/mailboxes/{address}/claim", {"max": 1, "wait": 20, "lease_seconds": 60})
            for item in claimed["items"]:
                handle(key, item)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                sys.exit(f"{address} cannot be answered: {error.read().decode()}")
            time.sleep(int(error.headers.get("Retry-After", 2)))
        except OSError as error:
            print(f"{URL} cannot be reached: {error}", file=sys.stderr)
            time.sleep(2)


def stop(*_):
    """Ends it at once while it waits, and after the message at hand otherwise."""
    global stopped
    stopped = True
    if not busy:
        raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        main()
    except KeyboardInterrupt:
        pass
