import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { MailroomError } from '../../../client/src/error.ts';
import { Mailroom } from '../../../client/src/mailroom.ts';

// What cannot be done to a conversation: in the console and by the client, as by the API.

const service = await openConsole();
const { client, store, visitor, url } = service;
const { newNamespace, newMailbox, api, send } = client;
const [home, other] = [await newNamespace(), await newNamespace()];
const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
const left = await joinAs(store, home, { address: `${unique('left')}@example.com`, role: 'answerer' });
const at = { namespace_id: home.id, account_id: left.id };
assert.equal(await store.accounts.removeMember(at, undefined, service.now()), 'removed');
const { id, thread_id } = (await send(other.key, { to: address, body: 'Are you there?' })).body;
const past = new Date(service.now() - 60_000).toISOString();
const LONG = 'x'.repeat(1024 * 1024);

interface Bad {
  readonly form: Record<string, string>;
  readonly change: (mailroom: Mailroom) => Promise<unknown>;
  readonly says: RegExp;
}
const change = (fields: object) => (mailroom: Mailroom) => mailroom.messages.changeThread(thread_id, fields);
const BAD: Readonly<Record<string, Bad>> = {
  'an assignee who left': {
    form: { assignee: left.id },
    change: change({ assignee: left.id }),
    says: /no member/,
  },
  'later in the past': {
    form: { until: past },
    change: change({ state: 'later', until: past }),
    says: /past/,
  },
  'a note of 1 MB': {
    form: { do: 'note', note: LONG },
    change: (mailroom) => mailroom.messages.addNote(thread_id, { body: LONG }),
    says: /10000 characters|more than \d+ bytes/,
  },
};

const standing = async (): Promise<string> => {
  const { body } = await api<Record<string, unknown>>('GET', `/mail/threads/${thread_id}`, { key: home.key });
  return JSON.stringify([body.state, body.until, body.assignee, body.items]);
};

for (const [name, { form, change: by, says }] of Object.entries(BAD))
  test(`${name} is refused with what is wrong, in the console and by the client, and changes nothing`, async () => {
    const before = await standing();
    const owner = visitor();
    await owner.signIn(home.key);
    const page = await owner.post(`/console/conversations/${id}`, { csrf: await owner.token(), ...form });
    assert.ok(page.status >= 400 && page.status < 500, `${page.status} ${page.to}`);
    assert.match(page.html.replace(/<[^>]*>/g, ''), says);
    const mailroom = new Mailroom({ url, key: home.key });
    await assert.rejects(by(mailroom), (error) => {
      assert.ok(error instanceof MailroomError);
      assert.match(error.message, says);
      return true;
    });
    assert.equal(await standing(), before);
  });
