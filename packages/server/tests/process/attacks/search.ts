import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld } from '../../../../../tests/harness/attack.ts';
import { connect, unique } from '../../../../../tests/harness/client.ts';
import type { Envelope, Mailbox, Page } from '../../../../../tests/harness/wire.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { attack } from './shared.ts';

/** A text that is never found, although nearly all of it matches at every position. */
const ALMOST = `${'a'.repeat(100)}b${'a'.repeat(99)}`;
const LONG = 'a'.repeat(256 * 1024);
/** Long messages, and mailboxes, that are searched. */
const MANY = amount(25, 60);
const query = encodeURIComponent(ALMOST);

test('searches for what is almost there hold nobody up: of long messages, of the directory, of notes', async () => {
  const report = await attack(async (service) => {
    const { api, newNamespace, newMailbox, newPaused, send, all } = connect(service.url);
    const home = await newNamespace();
    const held = await newPaused(home, { local_part: unique() });
    for (let sent = 0; sent < MANY; sent++) {
      assert.equal((await send(home.key, { to: held.address, body: LONG })).status, 202);
    }
    const found = await send(home.key, { to: held.address, body: `${LONG.slice(0, 1000)}B${'A'.repeat(99)}` });
    await Promise.all(
      Array.from({ length: MANY }, () =>
        newMailbox(home, { local_part: unique(), description: 'a'.repeat(300), display_name: 'a'.repeat(64) }),
      ),
    );
    const messages = `/mailboxes/${held.address}/messages?query=${query}`;
    const searches = Array.from({ length: 4 }, async () => {
      assert.deepEqual(
        (await all<Envelope>(messages, home.key)).map(({ id }) => id),
        [found.body.id],
      );
      assert.equal((await all<Envelope>(`/mail/messages?query=${query}`, home.key)).length, 1);
    });
    const guests = Array.from({ length: 4 }, async () => {
      const { status, body } = await api<Page<Mailbox>>('GET', `/mailboxes?query=${query}`);
      assert.equal(status, 200);
      assert.deepEqual(body.items, []);
    });
    await Promise.all([...searches, ...guests]);
    await askNotes(
      service.url,
      home.key,
      (await newMailbox(home, { local_part: unique(), behavior: { name: 'do' } })).address,
    );
  });
  assertHeld(report);
});

/** Makes as many notes as one message can, each of maximum length, and searches them. */
async function askNotes(url: string, key: string, to: string): Promise<void> {
  const { send } = connect(url);
  const text = 'a'.repeat(8_000);
  const steps = Array.from({ length: 7 }, (_, at) => ({ task: 'remember', input: { name: `n${at}`, text } }));
  const kept = await send(key, { to, body: 'do this', data: { steps }, sync: true });
  assert.equal(kept.body.status, 'completed', kept.text.slice(0, 500));
  const recall = { task: 'recall', input: { query: ALMOST.slice(51, 151) } };
  const asked = await send(key, { to, body: 'do this', data: { steps: [recall] }, sync: true });
  assert.match(asked.body.reply?.body ?? asked.text, /no note/);
}
