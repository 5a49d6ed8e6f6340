import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { chance } from '../../../tests/harness/chance.ts';
import { startInside } from '../../../tests/harness/inside.ts';
import { type AuditReport, verifyAudit } from '../src/cli/audit-chain.ts';
import { mailroomCommand } from './command.ts';
import type { Finished } from './old-node.ts';
import { scriptedServer } from './scripted-server.ts';

const { client, store, folder } = await startInside();
const home = await client.newNamespace();
const { address } = await client.newMailbox(home);
for (const description of ['Sales', 'Support'])
  await client.api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { description } });
await client.newKey(home, { scopes: ['mail:send'], name: 'Shop' });

const mailroom = (args: readonly string[]): Promise<Finished> =>
  mailroomCommand(args, { XDG_CONFIG_HOME: folder, MAILROOM_URL: client.url, MAILROOM_KEY: home.key });
const file = join(folder, 'audit.jsonl');
assert.equal((await mailroom(['audit', 'export', file])).status, 0);
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const entries = lines.length - 2;

type Line = Record<string, unknown>;
const parse = (text: string | undefined): Line => JSON.parse(text ?? '') as Line;

/** The fields of a value and of those within it, each with a function that changes it. */
function changes(value: Line, change: (to: Line) => Line = (to) => to): [name: string, changed: Line][] {
  return Object.entries(value).flatMap(([name, field]): [string, Line][] => {
    if (typeof field === 'object' && field !== null)
      return changes(field as Line, (to) => change({ ...value, [name]: to })).map(([below, to]) => [
        `${name}.${below}`,
        to,
      ]);
    const { [name]: _, ...without } = value;
    return [
      [name, change({ ...value, [name]: `${field}x` })],
      [`${name} left out`, change(without)],
    ];
  });
}
const faultLines = ({ faults }: AuditReport): readonly number[] => faults.map(({ line }) => line);

test('a service without an endpoint of the command is said to be older', async () => {
  const { url } = await scriptedServer(({ path }, response) => {
    const problem = { code: 'not_found', detail: `There is nothing at ${path}.`, docs: '/problems/not_found' };
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  const env = { XDG_CONFIG_HOME: folder, MAILROOM_URL: url, MAILROOM_KEY: home.key };
  const { status, stderr } = await mailroomCommand(['audit', 'export', file], env);
  assert.equal(status, 4);
  assert.match(stderr, /nothing at \/api\/v1\/.*\nThe service is older than this command line/);
});

test('an export is whole, from its first entry to that of the export itself', async () => {
  assert.ok(entries >= 5);
  const report = await verifyAudit(lines);
  assert.deepEqual(report.faults, []);
  assert.deepEqual([report.complete, report.entries, report.namespace], [true, entries, home.name]);
  assert.equal(parse(lines.at(-2)).action, 'audit.exported');
  const verified = await mailroom(['audit', 'verify', file]);
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, new RegExp(`Whole: ${entries} entries of ${home.name}, from its first entry on`));
});

test('each change of each field of each entry is found with its line', async () => {
  let count = 0;
  for (let index = 1; index <= entries; index++) {
    for (const [name, changed] of changes(parse(lines[index]))) {
      const report = await verifyAudit(lines.with(index, JSON.stringify(changed)));
      assert.ok(faultLines(report).includes(index + 1), `${name} of line ${index + 1}`);
      count++;
    }
  }
  assert.ok(count > 100);
});

test('each entry that is left out, moved, doubled or cut is found with its line', async () => {
  for (let index = 1; index <= entries; index++) {
    const line = lines[index] as string;
    const without = await verifyAudit(lines.toSpliced(index, 1));
    assert.ok(faultLines(without).includes(index + 1), `line ${index + 1} left out`);
    const doubled = await verifyAudit(lines.toSpliced(index, 0, line));
    assert.ok(faultLines(doubled).includes(index + 2), `line ${index + 1} doubled`);
    const cut = await verifyAudit(lines.with(index, line.slice(0, -3)));
    assert.ok(faultLines(cut).includes(index + 1), `line ${index + 1} cut`);
    if (index === entries) continue;
    const swapped = lines.with(index, lines[index + 1] as string).with(index + 1, line);
    const moved = await verifyAudit(swapped);
    assert.ok(faultLines(moved).includes(index + 1), `line ${index + 1} moved`);
    assert.ok(moved.faults.some(({ message }) => /was moved/.test(message)));
  }
});

test('a file that ends anywhere before its end is found, at the line where it ends', async () => {
  const text = `${lines.join('\n')}\n`;
  for (let length = 0; length < text.length - 2; length += 97) {
    const lines = text.slice(0, length).split('\n');
    if (lines.at(-1) === '') lines.pop();
    const report = await verifyAudit(lines);
    assert.ok(
      faultLines(report).some((line) => line >= lines.length),
      `after ${length} characters`,
    );
  }
  const part = join(folder, 'cut.jsonl');
  writeFileSync(part, text.slice(0, text.length / 2));
  const verified = await mailroom(['audit', 'verify', part]);
  assert.equal(verified.status, 1);
  assert.match(verified.stdout, /Line \d+: .*(cut|damaged)/);
});

test('of 2,000 exports that were damaged by chance each is found: bytes changed, lines moved, doubled, removed, cut', async () => {
  const random = chance(42);
  const below = (max: number): number => Math.floor(random() * max);
  const values = (text: readonly string[]): unknown[] =>
    text.map((line) => {
      try {
        const value = parse(line);
        // Of the first line only what precedes the first entry is proven.
        return value.type === 'audit' ? [value.type, value.previous_hash] : value;
      } catch {
        return line;
      }
    });
  const bytes = (text: readonly string[]): readonly string[] => {
    const whole = text.join('\n');
    const place = below(whole.length);
    const put = ['', '0', 'x', '"', '}', 'é', String.fromCharCode(32 + below(90))][below(7)] ?? '';
    return (whole.slice(0, place) + put + whole.slice(place + below(3))).split('\n');
  };
  const damages: readonly ((text: readonly string[]) => readonly string[])[] = [
    bytes,
    (text) => text.with(below(text.length), text[below(text.length)] as string),
    (text) => text.toSpliced(below(text.length), 1 + below(5)),
    (text) => text.toSpliced(below(text.length), 0, text[below(text.length)] as string),
    (text) => text.slice(0, below(text.length)),
    (text) => text.toSorted(() => random() - 0.5),
  ];
  for (let round = 0; round < 2_000; round++) {
    const damaged = damages[round % damages.length]?.(lines) ?? assert.fail();
    const { faults } = await verifyAudit(damaged);
    const isSame = isDeepStrictEqual(values(damaged), values(lines));
    assert.equal(faults.length === 0, isSame, `round ${round}: ${damaged.join('\n')}`);
  }
});

test('an entry that was hashed again gives itself away in the one after it', async () => {
  const forged = parse(lines[2]);
  const { type: _, hash: __, ...fields } = { ...forged, at: '2020-01-01T00:00:00.000Z' } as Line;
  const hashes = await verifyAudit([lines[0] as string, JSON.stringify({ type: 'entry', ...fields, hash: 'x' })]);
  assert.ok(hashes.faults.length > 0);
  const { createHash } = await import('node:crypto');
  const { canonicalJson } = await import('@mailroom/server/core/values/canonical-json');
  const hash = createHash('sha256')
    .update(canonicalJson(fields as never))
    .digest('hex');
  const report = await verifyAudit(lines.with(2, JSON.stringify({ type: 'entry', ...fields, hash })));
  assert.deepEqual(faultLines(report), [4]);
});

test('an export after old entries were removed says from when it is', async () => {
  const first = () => store.audit.chain(home.id, 0, 1, 1);
  while ((await first()).length > 0) await store.audit.retire(Date.now() + 60_000, 1);
  const { text } = await client.api('GET', `/namespaces/${home.name}/audit/export`, { key: home.key });
  const report = await verifyAudit(text.trimEnd().split('\n'));
  assert.deepEqual(report.faults, []);
  assert.equal(report.complete, false);
  assert.ok(report.since !== null);
});

test('the list names who did what to what, and a wrong file what it is', async () => {
  const { stdout } = await mailroom(['audit', '--action', 'key.created']);
  assert.match(stdout, /key\.created\s+Shop/);
  const only = JSON.parse((await mailroom(['audit', '--json', '--actor', home.keyId])).stdout) as { action: string }[];
  assert.ok(only.some(({ action }) => action === 'mailbox.updated'));
  const none = await mailroom(['audit', 'verify', join(folder, 'none.jsonl')]);
  assert.equal(none.status, 2);
  assert.match(none.stderr, /there is no such file/);
});
