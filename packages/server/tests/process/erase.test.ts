import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import { type Client, connect, type Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

/** Obviously English, so that no thread loads statistics of languages to tell. */
const ENGLISH = 'Who are you, and what is this?';
/** How many messages a mailbox gets. */
const FILLS = amount(21, 60);

const { client, folder, stop, restart } = await startInside({ env: { SEARCH_INDEX: 'on' } });
const { api, newNamespace, newKey, newPaused, send } = client;

/** The form of a text that was made here. */
const MADE = /^z[0-9a-f]{20}$/;
const MADE_ONES = /z[0-9a-f]{20}/g;

/** Unique texts, by their kind. */
class Marks {
  readonly #texts = new Map<string, string>();

  /** A new text of characters that every field accepts. */
  make(what: string): string {
    const text = `z${randomBytes(10).toString('hex')}`;
    this.#texts.set(`${what} ${this.#texts.size}`, text);
    return text;
  }

  add(what: string, text: string): void {
    this.#texts.set(`${what} ${this.#texts.size}`, text);
  }

  /** The texts that are found in the raw bytes of any file of the folder. */
  found(of = folder): string[] {
    const found: string[] = [];
    for (const entry of readdirSync(of, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(of, entry.name), 'latin1');
      // One search for all of that form, because there are hundreds.
      const made = new Set(bytes.match(MADE_ONES));
      for (const [what, text] of this.#texts) {
        if (MADE.test(text) ? made.has(text) : bytes.includes(text)) found.push(`${what} in ${entry.name}`);
      }
    }
    return found;
  }

  get size(): number {
    return this.#texts.size;
  }
}

/** A mailbox with a unique text in each field, changed once so that it was written twice. */
async function marked(client: Client, home: Home, marks: Marks): Promise<Mailbox> {
  const settings = (): object => ({
    name: marks.make('setting'),
    introduction: marks.make('reply'),
    languages: { de: marks.make('setting') },
  });
  const mailbox = await client.newMailbox(home, {
    display_name: marks.make('display name'),
    description: marks.make('description'),
    behavior: { name: 'hello', settings: settings() },
  });
  return client.change(home.key, mailbox.address, {
    display_name: marks.make('display name'),
    description: marks.make('description'),
    behavior: { settings: settings() },
  });
}

/** Writes to the mailbox in every possible way. */
async function fill(client: Client, from: Home, to: Mailbox, marks: Marks): Promise<void> {
  const submission = (size = 1): Record<string, unknown> => ({
    to: to.address,
    body: `${ENGLISH} ${marks.make('body').repeat(size)}`,
    subject: marks.make('subject'),
    data: { [marks.make('data name')]: marks.make('data') },
  });
  for (let i = 0; i < FILLS; i++) {
    // Some texts do not fit one page of the database, some fill many.
    const size = i % 20 === 0 ? 1500 : i % 5 === 0 ? 200 : 1;
    const sent = await client.send(from.key, { ...submission(size), sync: i % 2 === 0 });
    assert.ok(sent.status < 300, sent.text);
    if (i % 2 === 1) await client.read(from.key, sent.body.id, '?wait=10');
  }
  assert.equal(
    (await client.tryOut({ to: to.address, body: `${ENGLISH} ${marks.make('body of a guest')}` })).status,
    200,
  );
  const canceled = await client.send(from.key, submission());
  await client.api('POST', `/mail/messages/${canceled.body.id}/cancel`, { key: from.key });
}

/** At most so many texts of a mailbox or a namespace are replaced. */
const REPLACED = 12;

/** Replaced texts may already be gone; the others must be found, or finding none later would prove nothing. */
function assertThere(marks: Marks): void {
  const found = new Set(marks.found().map((where) => where.replace(/ in .*/, '')));
  assert.ok(found.size >= marks.size - REPLACED, `${found.size} of ${marks.size}`);
}

const gone = (marks: Marks, of = folder): Promise<unknown> =>
  until(
    30_000,
    async () => marks.found(of),
    (found) => found.length === 0,
  );

/** Runs SQLite's own integrity check. */
function assertWhole(of = folder): void {
  const db = new DatabaseSync(join(of, 'm.db'), { readOnly: true });
  const rows = db.prepare('pragma integrity_check').all();
  db.close();
  assert.deepEqual(
    rows.map((row) => row.integrity_check),
    ['ok'],
  );
}

test('a deleted namespace leaves no text of its own in any file, and its name stays taken', async () => {
  const other = await newNamespace();
  const theirs = await client.newMailbox(other);
  const marks = new Marks();
  const home = await newNamespace({ display_name: marks.make('display name') });
  const renamed = { display_name: marks.make('display name') };
  assert.equal((await api('PATCH', `/namespaces/${home.name}`, { key: home.key, body: renamed })).status, 200);
  const mailbox = await marked(client, home, marks);
  const second = await marked(client, home, marks);
  marks.add('local part', mailbox.local_part);
  marks.add('key hash', sha256(home.key));
  marks.add('key prefix', home.key.slice(0, 16));
  for (let i = 0; i < 20; i++) {
    const key = await newKey(home, { scopes: ['mail:send'], name: marks.make('key name') });
    marks.add('key hash', sha256(key.secret));
    if (i % 2 === 0) await api('DELETE', `/keys/${key.id}`, { key: home.key });
  }
  const kept = await Promise.all([
    fill(client, other, mailbox, marks),
    fill(client, other, second, marks),
    ...Array.from({ length: 60 }, (_, i) =>
      send(other.key, { to: theirs.address, body: `kept ${i}`, sync: i % 2 === 0 }),
    ),
  ]);
  const inner = { to: second.address, from: mailbox.address, body: marks.make('body'), sync: true };
  const headers = { 'idempotency-key': marks.make('idempotency key') };
  assert.equal((await send(home.key, inner, headers)).status, 200);
  const paused = await newPaused(home, { description: marks.make('description') });
  assert.equal((await send(other.key, { to: paused.address, body: marks.make('held body') })).status, 202);
  assert.equal(
    (await send(home.key, { to: theirs.address, from: mailbox.address, body: 'Hi', sync: true })).status,
    200,
  );
  assertThere(marks);

  assert.equal((await api('DELETE', `/namespaces/${home.name}`, { key: home.key })).status, 204);
  await gone(marks);
  isProblem(await api('GET', `/namespaces/${home.name}`), 'namespace_gone');
  isOneOf(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone', 'namespace_gone');
  isProblem(await api('POST', '/namespaces', { body: { name: home.name } }), 'namespace_taken');
  isProblem(await api('GET', '/me', { key: home.key }), 'invalid_key');
  const left = await client.all<{ body: string }>(`/mailboxes/${theirs.address}/messages`, other.key);
  assert.equal(left.length, kept.length - 1);

  await stop();
  assert.deepEqual(marks.found(), []);
  assertWhole();
});

test('a deleted mailbox leaves no text of its own in any file, and its address answers 410', async () => {
  await restart();
  const other = await newNamespace();
  const home = await newNamespace();
  const marks = new Marks();
  const kept = new Marks();
  const mailbox = await marked(client, home, marks);
  const neighbor = await marked(client, home, new Marks());
  await Promise.all([fill(client, other, mailbox, marks), fill(client, other, neighbor, kept)]);
  assertThere(marks);

  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  await gone(marks);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone');
  const recreated = await client.newMailbox(home, { local_part: mailbox.local_part });
  assert.equal(recreated.address, mailbox.address);
  assert.deepEqual((await api('GET', `/mailboxes/${neighbor.address}`, { key: home.key })).body, neighbor);
  assert.equal((await client.all(`/mailboxes/${neighbor.address}/messages`, home.key)).length, FILLS + 2);

  await stop();
  assert.deepEqual(marks.found(), []);
  assert.ok(kept.found().length >= kept.size, 'what others hold is still there');
  assertWhole();
});

test('what was deleted just before the process was killed is gone after the next start', async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  await using first = await startService({ folder });
  const there = connect(first.url);
  const home = await there.newNamespace();
  const marks = new Marks();
  const mailbox = await marked(there, home, marks);
  await fill(there, home, mailbox, marks);
  assert.equal((await there.api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  await first.kill();
  assert.ok(marks.found(folder).length > 0);
  const second = await startInside({ env: { DATABASE_URL: first.databaseUrl } });
  await gone(marks, folder);
  isProblem(await second.client.api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone');
  await second.stop();
  assert.deepEqual(marks.found(folder), []);
  assertWhole(folder);
});
