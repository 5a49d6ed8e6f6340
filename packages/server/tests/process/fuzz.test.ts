import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../../tests/harness/chance.ts';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { request, wire } from '../../../../tests/harness/raw.ts';
import { serve } from '../../../../tests/harness/service.ts';
import { CODES, type Problem } from '../../../../tests/harness/wire.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';
import { thrower } from './fuzz.ts';

const COUNT = Number(process.env.FUZZ_COUNT ?? amount(250, 10_000));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const NAMED = new Set([503, 508]);

// Short limits, so that waiting requests are answered soon on a busy machine too.
const env = { REQUEST_SECONDS: '5', SYNC_SECONDS: '3', LOG_LEVEL: 'error' };
const service = await (LONG ? serve({ env }) : serveInside({ env }));
const { api, newNamespace, newMailbox, newKey, send, tryOut, read } = connect(service.url);

test(`${COUNT} generated requests make no 5xx but those that are named, and every refusal is a problem`, async (t) => {
  const calm = await newNamespace();
  const { address: to } = await newMailbox(calm, { local_part: 'calm' });
  const kept = await send(calm.key, { to, body: 'Kept', sync: true });

  const [one, two] = [await newNamespace(), await newNamespace()];
  const a = await newMailbox(one);
  // Its dictionaries take as long to load as all requests of the short form.
  const b = await newMailbox(two, { behavior: LONG ? { name: 'proofread' } : HELLO });
  const c = await newMailbox(one, { access: 'key' });
  const sent = await Promise.all(
    [a, b].map((mailbox) => send(one.key, { to: mailbox.address, body: 'Hi', sync: true })),
  );
  const tried = await tryOut({ to: a.address, body: 'Hi' });
  const weak = await newKey(one, { scopes: ['mail:send'] });
  const spare = await newKey(one, { scopes: ['mail:send'] });
  const bound = await newKey(one, { scopes: ['mail:send', 'messages:read'], mailbox: a.address });
  const next = thrower(chance(SEED), {
    keys: [one.key, one.key, two.key, weak.secret, bound.secret],
    addresses: [a.address, b.address, c.address, to, 'hello@agents.mailroom.localhost', 'do@agents.mailroom.localhost'],
    namespaces: [one.name, two.name, 'agents', 'never-was'],
    messages: [...sent.map((answer) => answer.body.id), tried.body.id, kept.body.id],
    threads: [...sent.map((answer) => answer.body.thread_id), tried.body.thread_id],
    keyIds: [spare.id, 'key_00000000000000000000'],
    tokens: [tried.body.thread_token],
  });

  const seen = new Map<number, number>();
  const wrong: string[] = [];
  let left = COUNT;
  const shoot = async (): Promise<void> => {
    while (left-- > 0) {
      const { chunks, unfinished, method } = next();
      const answer = await wire(service.port, {
        chunks,
        end: unfinished,
        patience_ms: unfinished ? 300 : 20_000,
        head: method === 'HEAD',
      });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      const described = () =>
        `${answer.status} ${answer.text.slice(0, 200)} to ${JSON.stringify(
          Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
            .toString('latin1')
            .slice(0, 700),
        )}`;
      if (answer.status >= 500 && !NAMED.has(answer.status)) wrong.push(described());
      // CONNECT asks for a tunnel; only a proxy has to answer it.
      if (answer.status === 0 && !unfinished && method !== 'CONNECT') wrong.push(described());
      // Problems may be HTML for pages, never for the API.
      const page = (answer.headers.get('content-type') ?? '').startsWith('text/html');
      const asked = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString('latin1');
      if (page && /^\w+ \/api\//.test(asked)) wrong.push(described());
      if (answer.status >= 400 && method !== 'HEAD' && !page) {
        const problem = answer.body as Problem | undefined;
        const right =
          problem !== undefined && CODES[problem.code] === answer.status && problem.status === answer.status;
        if (!right || !(answer.headers.get('content-type') ?? '').startsWith('application/problem+json'))
          wrong.push(described());
      }
    }
  };
  const slow = Array.from({ length: 30 }, (_, i) =>
    wire(service.port, {
      chunks: [
        request('POST', '/api/v1/mail/send', {
          Authorization: `Bearer ${calm.key}`,
          'Content-Type': 'application/json',
          'Content-Length': '100',
        }),
        '{"to":'.slice(0, i % 7),
      ],
      patience_ms: 20_000,
    }),
  );
  await Promise.all(Array.from({ length: 48 }, shoot));
  for (const answer of await Promise.all(slow)) assert.equal(answer.status, 408, answer.text);
  t.diagnostic(
    `FUZZ_SEED=${SEED}: ${[...seen]
      .sort((x, y) => x[0] - y[0])
      .map(([status, n]) => `${status}×${n}`)
      .join(' ')}`,
  );
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} in all\n${service.logs().slice(-3_000)}`);
  assert.ok(
    (seen.get(200) ?? 0) > COUNT / 100 && (seen.get(422) ?? 0) > COUNT / 100,
    'requests of both kinds got through',
  );

  assert.equal((await api('GET', '//livez')).status, 200);
  assert.equal((await api('GET', '//readyz')).status, 200);
  assert.deepEqual((await read(calm.key, kept.body.id)).body, kept.body, 'data of others did not change');
  const after = await send(calm.key, { to, body: 'After', sync: true });
  assert.equal(after.status, 200, after.text);
  assert.equal(service.logs(), '', 'nothing was an error to the service itself');
});
