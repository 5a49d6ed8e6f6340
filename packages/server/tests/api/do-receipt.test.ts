import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { type Key, type Receipt, verifyReceipt } from '../../../client/verify-receipt.ts';
import { commitsOf } from '../core/house.ts';

// A receipt proves offline and for years what was done, and costs no second write.
const DAY = 86_400_000;
const service = await startInside();
const { api, newNamespace, newMailbox, send, tryOut } = service.client;
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' }, access: 'public', try_out: true });

interface Proof extends Receipt {
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}
async function ask(
  body: string,
  fields: Record<string, unknown> = {},
): Promise<{ envelope: Envelope; receipt: Proof }> {
  const sent = await send(home.key, { to, body, sync: true, ...fields }, { prefer: 'wait=20' });
  assert.ok(sent.status < 300, sent.text);
  return { envelope: sent.body, receipt: sent.body.reply?.data as Proof };
}
const jwks = async (): Promise<{ keys: Key[] }> => (await api<{ keys: Key[] }>('GET', '//.well-known/jwks.json')).body;
const { receipt } = await ask('calculate 2+3 then multiply it by 4 then say: ünïcode 🦄 {{2}}');
const old = await jwks();

test('a receipt holds the hash of the instructions, the planner, the plan and every step as it went', async () => {
  const body = 'calculate 2+3\nuppercase: grüße';
  const done = await ask(body);
  assert.equal(done.receipt.instruction_sha256, createHash('sha256').update(body).digest('hex'));
  assert.equal(done.receipt.planner, 'builtin');
  assert.equal((done.receipt.plan as unknown[]).length, 2);
  for (const step of done.receipt.steps) {
    for (const field of ['task', 'input', 'output', 'started_at', 'duration_ms', 'status', 'effects']) {
      assert.ok(field in step, field);
    }
    assert.ok(Math.abs(Date.parse(step.started_at as string) - Date.now()) < 60_000);
    assert.ok(Number.isFinite(step.duration_ms) && (step.duration_ms as number) >= 0);
  }
});

test('it verifies with a library of JOSE against the published keys, and holds no private part', async () => {
  const { payload } = await compactVerify(receipt.jws, createLocalJWKSet(old as never), { algorithms: ['ES256'] });
  const { jws, ...rest } = receipt;
  assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), rest);
  for (const key of old.keys) {
    assert.equal(key.alg, 'ES256');
    assert.equal((key as { d?: string }).d, undefined);
  }
  assert.ok(jws.split('.').length === 3);
});

test('it verifies offline with the script that comes along, also after a trip through other JSON programs', async () => {
  await verifyReceipt(receipt, old);
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, one]) => [name, sorted(one)]),
          )
        : value;
  await verifyReceipt(sorted(JSON.parse(JSON.stringify(receipt))) as Receipt, old);
});

test('a changed receipt fails, wherever it was changed', async () => {
  const { jws } = receipt;
  const change = (fields: Record<string, unknown>): Receipt => ({ ...receipt, ...fields }) as Receipt;
  const inStep = (at: number, fields: Record<string, unknown>): Receipt =>
    change({ steps: receipt.steps.map((step, index) => (index === at ? { ...step, ...fields } : step)) });
  const flip = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  const [header = '', payload = '', signature = ''] = receipt.jws.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: old.keys[0]?.kid })).toString('base64url');
  const hs = Buffer.from(JSON.stringify({ alg: 'HS256', kid: old.keys[0]?.kid })).toString('base64url');
  const stranger = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'nobody' })).toString('base64url');
  const forged = Buffer.from(JSON.stringify({ ...receipt, jws: undefined, status: 'failed' })).toString('base64url');
  const { mailbox: _, ...without } = receipt;
  for (const changed of [
    change({ status: 'failed' }),
    inStep(1, { output: { result: 21 } }),
    inStep(0, { duration_ms: 0 }),
    change({ steps: receipt.steps.slice(1) }),
    change({ steps: receipt.steps.toReversed() }),
    change({ instruction_sha256: '0'.repeat(64) }),
    change({ more: 1 }),
    without as Receipt,
    change({ jws: `${header}.${payload}.${flip(signature, 5)}` }),
    change({ jws: `${header}.${flip(payload, 50)}.${signature}` }),
    change({ jws: `${header}.${forged}.${signature}` }),
    change({ jws: `${none}.${payload}.` }),
    change({ jws: `${hs}.${payload}.${signature}` }),
    change({ jws: `${stranger}.${payload}.${signature}` }),
    change({ jws: `${jws}.x` }),
    change({ jws: '' }),
    change({ jws: undefined }),
    change({ jws: 5 }),
  ]) {
    await assert.rejects(verifyReceipt(changed, old), Error, JSON.stringify(changed).slice(0, 300));
  }
});

test('a property named __proto__ in a receipt is under its signature too', async () => {
  const done = await ask('x', {
    data: { steps: [{ task: 'run', input: { code: 'return JSON.parse(\'{"__proto__": {"a": 1}, "b": 2}\')' } }] },
  });
  const text = JSON.stringify(done.receipt);
  await verifyReceipt(JSON.parse(text) as Receipt, old);
  if (!text.includes('"__proto__":{"a":1}')) return;
  const changed = JSON.parse(text.replace('"__proto__":{"a":1}', '"__proto__":{"a":2}')) as Receipt;
  await assert.rejects(verifyReceipt(changed, old));
});

test('numbers at the edges, a long text and empty things survive the signature', async () => {
  const done = await ask('x', {
    data: {
      steps: [
        {
          task: 'run',
          input: { code: 'return [-0, 1e21, 1e-7, 0.1+0.2, 2**53, 5e-324, {}, [], null, "", " ", "\\u2028"]' },
        },
      ],
    },
  });
  await verifyReceipt(done.receipt, old);
});

/** The JSON as it was sent. */
const bytesOf = ({ reply }: Envelope): number =>
  Buffer.byteLength(JSON.stringify(reply?.body)) + Buffer.byteLength(JSON.stringify(reply?.data));

test('lists within each other are not made into megabytes of indentation', async () => {
  const code = 'let a=Array(31000).fill(1);for(let i=0;i<110;i++)a=[a];return a';
  const done = await ask('x', { data: { steps: Array.from({ length: 4 }, () => ({ task: 'run', input: { code } })) } });
  assert.equal(done.envelope.status, 'completed');
  assert.ok(bytesOf(done.envelope) <= 1024 * 1024, `${bytesOf(done.envelope)}`);
  await verifyReceipt(done.receipt, old);
});

test('a receipt with inputs and outputs that are too long for a reply names them by their hash, and verifies', async () => {
  const text = 'abcdefgh '.repeat(7_000);
  const repeats = { task: 'run', input: { code: 'return "\\n".repeat(30_000)' } };
  const done = await ask('x', { data: { steps: [repeats, repeats, repeats, repeats] } });
  assert.ok(bytesOf(done.envelope) <= 1024 * 1024, `${bytesOf(done.envelope)}`);
  await verifyReceipt(done.receipt, old);
  const body = `uppercase: ${text.repeat(4).slice(0, 250_000)}`;
  const long = await ask(body);
  assert.ok(bytesOf(long.envelope) <= 1024 * 1024, `${bytesOf(long.envelope)}`);
  const [step] = (long.receipt.plan as { input: Record<string, unknown> }[]) ?? [];
  assert.deepEqual(Object.keys(step?.input ?? {}).sort(), ['bytes', 'cut', 'sha256']);
  await verifyReceipt(long.receipt, old);
});

test('a failed message has a receipt of what was done before', async () => {
  const done = await ask('calculate 2+3\ncalculate 1001!\ncalculate 4+4');
  assert.equal(done.envelope.status, 'failed');
  await verifyReceipt(done.receipt, old);
  assert.equal(done.receipt.status, 'failed');
});

/** The commits of the work, without those that happen each second anyway or because a busy machine is late. */
async function fewest(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let round = 0; round < 20 && Math.min(...counts) > 1; round++) counts.push((await commitsOf(work)).length);
  return Math.min(...counts);
}

test('a plan without effects costs one durable write, of one step or of many, for a key and for a guest', async () => {
  await ask('calculate 2+3');
  for (const body of ['calculate 2+3', 'calculate 2+3 then multiply it by 4 then say: done', 'uppercase: a']) {
    const writes = await fewest(() => ask(body));
    assert.equal(writes, 1, body);
  }
  const guest = await fewest(async () => {
    const tried = await tryOut({ to, body: 'calculate 2+3' }, { prefer: 'wait=60' });
    assert.ok(tried.status < 300, tried.text);
    await api('GET', `/mail/messages/${tried.body.id}?wait=5`, { key: tried.body.thread_token });
  });
  assert.ok(guest <= 1, `${guest} writes`);
});

test('after a hundred days another key signs, and the old receipts still verify', async () => {
  await service.restart(100 * DAY);
  const sent = await send(home.key, { to, body: 'calculate 1+1', sync: true });
  const fresh = sent.body.reply?.data as Receipt;
  assert.notEqual(decodeProtectedHeader(fresh.jws).kid, decodeProtectedHeader(receipt.jws).kid);
  const now = (await api<{ keys: Key[] }>('GET', '//.well-known/jwks.json')).body;
  await verifyReceipt(fresh, now);
  await verifyReceipt(receipt, now);
  await assert.rejects(verifyReceipt(fresh, old), /key/i);
});
