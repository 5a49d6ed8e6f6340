#!/usr/bin/env python3
"""An agent in Python: python3 examples/agents/agent.py

MAILROOM_ADDRESS and MAILROOM_KEY say which address it answers; without them it makes a new one. The service is at
MAILROOM_URL, else on http://localhost:8080.
"""
import os
import sys
import uuid

from mailroom_client import Mailroom, MailroomError, serve


def answer(message):
    """The reply to a message. What it says is text of a stranger: judge it, never run it."""
    words = message.body.split()
    return f"{len(words)} words, the longest is {max(words, key=len)}." if words else "There were no words."


def own_address(url):
    """The address to answer, and a key for it."""
    if "MAILROOM_ADDRESS" in os.environ and "MAILROOM_KEY" in os.environ:
        return os.environ["MAILROOM_ADDRESS"], os.environ["MAILROOM_KEY"]
    name = f"example-{uuid.uuid4().hex[:8]}"
    mailbox = {"local_part": "words", "behavior": {"name": "agent"}, "visibility": "unlisted"}
    key = Mailroom(url, "").namespaces.create({"name": name}).key.secret
    address = Mailroom(url, key).mailboxes.create(name, mailbox).address
    print(f"Write to {address}, or try it in the browser: {url}/{address}", flush=True)
    return address, key


try:
    url = os.environ.get("MAILROOM_URL", "http://localhost:8080")
    address, key = own_address(url)
    serve(address, answer, url=url, key=key)
except MailroomError as error:
    sys.exit(str(error))
