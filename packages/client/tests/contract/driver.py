"""Reads scenarios as JSON lines, and prints what the Python client makes of each; with `--async`, that for asyncio."""
import asyncio
import inspect
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from mailroom_client import AsyncMailroom, File, Mailroom, MailroomError, verify_webhook

TO = "echo@ada.mailroom.localhost"


async def value_of(task, client):
    args = task["call"].get("args", {})
    mailroom = client(task["url"], args.get("key", "k"), max_retries=args.get("retries", 3))
    to = args.get("to", TO)
    timeout = {"timeout": args["timeout"]} if "timeout" in args else {}

    async def done(given):
        return await given if inspect.isawaitable(given) else given

    do = task["call"]["do"]
    if do == "me":
        return (await done(mailroom.keys.me(**timeout))).namespace
    if do == "send":
        return (await done(mailroom.send(to, "Hi"))).id
    if do == "ask":
        return (await done(mailroom.ask(to, "Hi"))).body
    if do == "wait":
        return (await done(mailroom.wait_for_message(args["id"], **timeout))).status
    if do == "list":
        return [one.id for one in await done(mailroom.messages.list_sent().all(args.get("max")))]
    if do == "approve":
        return (await done(mailroom.messages.approve("msg_1"))).id
    if do == "revoke":
        return await done(mailroom.keys.revoke("key_1"))
    if do == "events":
        ids = []
        events = mailroom.events(args.get("after"))
        while len(ids) < args["count"]:
            ids.append((await events.__anext__() if hasattr(events, "__anext__") else next(events)).id)
        await done(events.aclose() if hasattr(events, "aclose") else events.close())
        return ids
    if do == "upload":
        content = iter([args["text"].encode()]) if args["streamed"] else args["text"]
        return (await done(mailroom.send(to, "Hi", files=[File(args["filename"], content)]))).id
    if do == "download":
        answer = await done(mailroom.messages.get_attachment("att_1"))
        return answer.read().decode()
    return verify_webhook(args["headers"], args["body"], args["secret"], now=args["now"])


async def run(task, client):
    try:
        return {"value": await value_of(task, client)}
    except MailroomError as error:
        return {"error": {"code": error.code, "status": error.status, "retry_after": error.retry_after}}
    except Exception as error:
        return {"error": {"code": repr(error)}}


async def together(tasks):
    return await asyncio.gather(*(run(task, AsyncMailroom) for task in tasks))


tasks = [json.loads(line) for line in sys.stdin]
if "--async" in sys.argv:
    results = asyncio.run(together(tasks))
else:
    with ThreadPoolExecutor(32) as pool:
        results = list(pool.map(lambda task: asyncio.run(run(task, Mailroom)), tasks))
print(json.dumps(results))
sys.stdout.flush()
