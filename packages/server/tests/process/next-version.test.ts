import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, connect, type Home } from '../../../../tests/harness/client.ts';
import { afterWaiting, startNodes } from '../../../../tests/harness/nodes.ts';
import { query, sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, run, runMain } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { openStore } from '../../store/open.ts';
import { SCHEMA } from '../../store/postgres/migrate.ts';
import { schemaOf } from '../../store/schema-version.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const MAIN = join(ROOT, 'packages/server/main.js');
const postgres = await sharedPostgres();
const folder = newFolder();
after(async () => {
  await postgres[Symbol.asyncDispose]();
  removeFolder(folder);
});

const fingerprintOf = ({ versions }: ReturnType<typeof schemaOf>): string => String(versions.at(-1)?.fingerprint);
const FROM = `{ sqlite: '${fingerprintOf(schemaOf('sqlite'))}', postgres: '${fingerprintOf(SCHEMA)}' }`;
const NOW = SCHEMA.versions.length;
/** A step that adds to the tables in constant use, and one that takes it away again, so that versions before it end. */
const EXPAND = `{ from: ${FROM}, sql: () => \`
  alter table messages add column next_text text;
  alter table attachments add column next_text text;
  alter table handlings add column next_number integer not null default 7;
  create table next_things (id text primary key not null);
  create index next_messages on messages (next_text);\` }`;
const CONTRACT = `{ from: ${FROM}, oldest: ${NOW + 1}, sql: () => 'drop index next_messages; alter table messages drop column next_text' }`;

const SERVER = pathToFileURL(join(ROOT, 'packages', 'server')).href;
const manifest = join(folder, 'package.json');
writeFileSync(manifest, JSON.stringify({ version: '99.0.0' }));

/** What a process loads first to be this version with further migrations: two modules change, the others are as compiled. */
function versionWith(...steps: readonly string[]): Record<string, string> {
  const released = readFileSync(join(ROOT, 'packages/server/store/migrations.ts'), 'utf8');
  assert.match(released, /^export const MIGRATIONS\b/m);
  const changes = {
    [`${SERVER}/store/migrations.ts`]: [
      ['export const MIGRATIONS', 'const RELEASED'],
      [/$/.source, `\nexport const MIGRATIONS: readonly Migration[] = [...RELEASED, ${steps.join(', ')}];\n`],
    ],
    [`${SERVER}/core/values/version.ts`]: [
      [/new URL\([^)]*\)/.source, `new URL(${JSON.stringify(pathToFileURL(manifest).href)})`],
    ],
  };
  const file = join(folder, `version-${steps.length}.mjs`);
  writeFileSync(
    file,
    `import { registerHooks } from 'node:module';
    const CHANGES = ${JSON.stringify(changes)};
    const change = (source, [from, to]) => String(source).replace(new RegExp(from), () => to);
    registerHooks({
      load(url, context, next) {
        const loaded = next(url, context);
        return CHANGES[url] === undefined ? loaded : { ...loaded, source: CHANGES[url].reduce(change, loaded.source) };
      },
    });\n`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}
const next = versionWith(EXPAND);
const later = versionWith(EXPAND, CONTRACT);

/** Opens and closes a database with another version. */
async function openWith(version: Record<string, string>, url: string): Promise<void> {
  const program = `const { openStore } = await import(${JSON.stringify(`${SERVER}/store/open.ts`)});
    await (await openStore(${JSON.stringify(url)}))[Symbol.asyncDispose]();`;
  const opening = run(process.execPath, ['--input-type=module', '--eval', program], { env: version });
  assert.deepEqual(await opening.exited, { code: 0, signal: null }, opening.stderr());
}
const openHere = async (url: string): Promise<void> => (await openStore(url))[Symbol.asyncDispose]();

for (const [kind, newUrl] of [
  ['SQLite', async () => `sqlite:${join(folder, 'm.db')}`],
  ['PostgreSQL', () => postgres.newDatabase()],
] as const) {
  test(`${kind}: this version opens what the next one only expanded, and not what a later one contracted`, async () => {
    const url = await newUrl();
    await openHere(url);
    await openWith(next, url);
    await openHere(url);
    await openWith(later, url);
    const why = new RegExp(
      `written by a newer version, and works from schema ${NOW + 1} on \\(schema ${NOW + 2} .* of 99.0.0, this build has schema ${NOW} .*Start the build that wrote it`,
    );
    await assert.rejects(openHere(url), why);
    await assert.rejects(openStore(url, { alongside: true }), why);
    await openWith(later, url);
  });
}

const COUNT = amount(10, 1000);
/** Senders of each node. */
const SENDERS = 2;

test('a node of this version and one of the next, which expands the schema as it starts, serve one PostgreSQL under load', async () => {
  await using nodes = await startNodes({ postgres, count: 1, main: MAIN });
  const here = nodes.named('a');
  const home = await here.client.newNamespace();
  const { address } = await here.client.newMailbox(home);
  const counts = { here: 0, next: 0 };
  let over = false;
  const use = async (client: Client, other: () => Client, which: keyof typeof counts): Promise<void> => {
    while (!over) {
      const sent = await exchange(client, home, address);
      assert.equal((await other().read(home.key, sent)).body.status, 'completed');
      counts[which]++;
    }
  };
  const senders = (client: Client, other: () => Client, which: keyof typeof counts) =>
    Array.from({ length: SENDERS }, () => use(client, other, which));
  const reached = (which: keyof typeof counts, count: number) =>
    until(
      60_000,
      async () => counts[which],
      (value) => value >= count,
    );

  let there = here.client;
  const onHere = senders(here.client, () => there, 'here');
  const all = Promise.all(onHere);
  // A failure is thrown below, not by an event of the process.
  all.catch(() => {});
  await reached('here', COUNT);
  const running = runMain([], { ...ENV, ...next, DATABASE_URL: nodes.database });
  try {
    const [, port] = await running.says(/http:\/\/localhost:(\d+)/);
    there = connect(`http://127.0.0.1:${port}`);
    const versions = await query(nodes.database, 'select version, oldest from schema_version order by version');
    assert.deepEqual(versions.at(-1), { version: NOW + 1, oldest: 1 });
    counts.here = 0;
    const onNext = Promise.all(senders(there, () => here.client, 'next'));
    onNext.catch(() => {});
    await Promise.race([Promise.all([reached('here', COUNT), reached('next', COUNT)]), all, onNext]);
    over = true;
    await all;
    await onNext;
    assert.equal(here.logs(), '');
    assert.equal(afterWaiting(running.stderr()), '');
    await here.stop();
    await here.start();
    await exchange(here.client, home, address);
    await exchange(there, home, address);
  } finally {
    over = true;
    running.child.kill('SIGTERM');
    await running.exited;
  }
});

const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
const FILE = { filename: 'a.txt', content_type: 'text/plain', content: 'QQ==' };

/** A message with a file, its answer, and a draft that is sent; returns the message's id. */
async function exchange(client: Client, home: Home, to: string): Promise<string> {
  const sent = await client.send(home.key, { to, body: 'Who are you?', attachments: [FILE], sync: true });
  assert.equal(sent.status, 200, sent.text);
  const body = { to, body: 'And you?', attachments: [FILE] };
  const draft = await client.api<{ id: string }>('POST', '/mail/drafts', { key: home.key, body });
  assert.equal(draft.status, 201, draft.text);
  const left = await client.api('POST', `/mail/drafts/${draft.body.id}/send`, { key: home.key });
  assert.ok(left.status === 200 || left.status === 202, left.text);
  const listed = await client.api('GET', `/mailboxes/${to}/messages?limit=5`, { key: home.key });
  assert.equal(listed.status, 200, listed.text);
  return sent.body.id;
}
