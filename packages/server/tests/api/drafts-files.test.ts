import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Attachment, Envelope } from '../../../../tests/harness/wire.ts';
import { amount, LONG_ONLY } from '../../../../tests/soak/length.ts';

const MiB = 1024 * 1024;
/** Within this time what nothing needs any more is removed. */
const SWEPT_MS = 20_000;
/** Of a file of which four fit. */
const LARGE = amount(1, 9) * MiB;
const service = await serveInside({
  env: { RATE_LIMITS: 'off', LIMIT_STORAGE_UNCLAIMED: String(4.5 * LARGE), LIMIT_STORAGE_NETWORK: String(1024 * MiB) },
});
const { api, newNamespace, newMailbox, newKey, read, all } = connect(service.url);

interface Draft {
  readonly id: string;
  readonly draft_id?: string;
  readonly status: string;
  readonly attachments: readonly Attachment[];
  readonly message_id: string | null;
  readonly subject: string | null;
}
interface File {
  readonly filename: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
}

const PATH = '/mail/drafts';
const json = (filename: string, text: string) => ({
  filename,
  content_type: 'text/plain',
  content: Buffer.from(text).toString('base64'),
});
const request = <T = Draft>(
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => api<T>(method, path, { key, body, headers });

/** Sends a form with these files. */
async function form(
  method: string,
  path: string,
  key: string,
  message: unknown,
  files: readonly File[],
  headers: Record<string, string> = {},
): Promise<Answer<Draft>> {
  const body = new FormData();
  body.append('message', JSON.stringify(message));
  for (const { filename, bytes } of files) body.append('file', new Blob([bytes], { type: 'text/plain' }), filename);
  const url = `${service.url}/api/v1${path}`;
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${key}`, ...headers }, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Draft };
}
const draftOf = (answer: Answer<Draft>): Draft => {
  assert.ok(answer.status === 201 || answer.status === 200, answer.text);
  return answer.body;
};
const download = (id: string, key: string): Promise<Response> =>
  fetch(`${service.url}/api/v1/mail/attachments/${id}`, { headers: { authorization: `Bearer ${key}` } });
const textsOf = ({ attachments }: { readonly attachments: readonly Attachment[] }, key: string): Promise<string[]> =>
  Promise.all(
    attachments.map(async ({ id }) => {
      const response = await download(id, key);
      assert.equal(response.status, 200, id);
      return response.text();
    }),
  );
const namesOf = ({ attachments }: { readonly attachments: readonly Attachment[] }): string[] =>
  attachments.map(({ filename }) => filename);
const fresh = async (): Promise<{ of: Home; to: string }> => {
  const of = await newNamespace();
  return { of, to: (await newMailbox(of)).address };
};
const received = (of: Home, to: string) => all<Envelope>(`/mailboxes/${to}/messages`, of.key);
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

test('a draft has files of its JSON and of a form, shows them, and gives their bytes to its reader', async () => {
  const { of } = await fresh();
  const draft = draftOf(
    await form('POST', PATH, of.key, { subject: 'x', attachments: [json('b 🍏.txt', 'two')] }, [
      { filename: '../a.txt', bytes: 'one' },
    ]),
  );
  assert.deepEqual(namesOf(draft), ['a.txt', 'b 🍏.txt']);
  assert.deepEqual(await textsOf(draft, of.key), ['one', 'two']);
  assert.deepEqual((await request('GET', `${PATH}/${draft.id}`, of.key)).body, draft);
  assert.deepEqual((await all<Draft>(PATH, of.key))[0], draft);
});

test('the files of a draft are for whoever may read the draft', async () => {
  const { of, to } = await fresh();
  const writer = await newKey(of, { scopes: ['mail:send'] });
  const draft = draftOf(await request('POST', PATH, writer.secret, { to, attachments: [json('a.txt', 'secret')] }));
  const id = draft.attachments[0]?.id as string;
  for (const key of [writer.secret, of.key]) assert.equal((await download(id, key)).status, 200);
  const others = [
    (await newKey(of, { scopes: ['mail:send'] })).secret,
    (await newKey(of, { scopes: ['messages:read'] })).secret,
    (await newKey(of, { scopes: ['mail:send', 'messages:read'], mailbox: to })).secret,
    (await newNamespace()).key,
  ];
  for (const key of others) assert.equal((await download(id, key)).status, 404);
});

test('a draft is sent with its files, once, and the message has files of its own', async () => {
  const { of, to } = await fresh();
  const files = [json('a.txt', 'one'), json('b.txt', 'two')];
  const draft = draftOf(await request('POST', PATH, of.key, { to, body: 'Hi', sync: true, attachments: files }));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => request<Envelope>('POST', `${PATH}/${draft.id}/send`, of.key)),
  );
  for (const answer of answers) {
    assert.ok(answer.status === 200 || answer.status === 202, answer.text);
    assert.deepEqual(namesOf(answer.body), ['a.txt', 'b.txt']);
  }
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  const [message, ...more] = await received(of, to);
  assert.ok(message);
  assert.deepEqual(more, []);
  assert.deepEqual(await textsOf(message, of.key), ['one', 'two']);
  const sent = (await request('GET', `${PATH}/${draft.id}`, of.key)).body;
  assert.deepEqual([sent.status, sent.attachments], ['sent', []]);
  for (const { id } of draft.attachments) assert.equal((await download(id, of.key)).status, 404);
  assert.equal((await request('DELETE', `${PATH}/${draft.id}`, of.key)).status, 204);
  assert.deepEqual(await textsOf((await read(of.key, message.id)).body, of.key), ['one', 'two']);
});

test('a send with send_at keeps its files until then, from a form and from JSON', async () => {
  const { of, to } = await fresh();
  const bytes = randomBytes(700_000);
  const first = await form('POST', '/mail/send', of.key, { to, body: 'Later', send_at: soon(1500) }, [
    { filename: 'big.bin', bytes },
  ]);
  const second = await request('POST', '/mail/send', of.key, {
    to,
    body: 'Later too',
    send_at: soon(1500),
    attachments: [json('a.txt', 'later')],
  });
  for (const answer of [first, second]) assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(namesOf(first.body), ['big.bin']);
  const { seen } = await until(
    8000,
    () => received(of, to),
    (messages) => messages.length === 2,
  );
  const files = new Map(seen.map(({ body, attachments }) => [body, attachments]));
  const [big] = files.get('Later') ?? [];
  assert.deepEqual(Buffer.from(await (await download(big?.id as string, of.key)).arrayBuffer()), bytes);
  assert.deepEqual(await textsOf({ attachments: files.get('Later too') ?? [] }, of.key), ['later']);
});

test('a failed send keeps the files of the draft for the next try', async () => {
  const { of } = await fresh();
  const gone = (await newMailbox(of)).address;
  const attachments = [json('a.txt', 'one')];
  const draft = draftOf(await request('POST', PATH, of.key, { to: gone, body: 'Hi', attachments }));
  await api('DELETE', `/mailboxes/${gone}`, { key: of.key });
  isProblem(await request('POST', `${PATH}/${draft.id}/send`, of.key), 'mailbox_gone');
  const { to } = { to: (await newMailbox(of)).address };
  await request('PATCH', `${PATH}/${draft.id}`, of.key, { to });
  const sent = await request<Envelope>('POST', `${PATH}/${draft.id}/send`, of.key);
  assert.deepEqual(await textsOf(sent.body, of.key), ['one'], sent.text);
});

test('a change keeps, orders, removes and adds files as its list says, and else leaves them', async () => {
  const { of } = await fresh();
  const files = ['one', 'two', 'three'].map((name) => json(`${name}.txt`, name));
  const draft = draftOf(await request('POST', PATH, of.key, { attachments: files }));
  const [one, two, three] = draft.attachments.map(({ id }) => ({ id }));
  const path = `${PATH}/${draft.id}`;
  const patched = async (body: unknown): Promise<Draft> => draftOf(await request('PATCH', path, of.key, body));
  assert.deepEqual((await patched({ subject: 'x' })).attachments, draft.attachments);
  const changed = await patched({ attachments: [three, json('four.txt', 'four'), one] });
  assert.deepEqual(await textsOf(changed, of.key), ['three', 'one', 'four']);
  assert.equal((await download(two?.id as string, of.key)).status, 404);
  const added = draftOf(await form('PATCH', path, of.key, {}, [{ filename: 'five.txt', bytes: 'five' }]));
  assert.deepEqual(await textsOf(added, of.key), ['three', 'one', 'four', 'five']);
  const both = draftOf(
    await form('PATCH', path, of.key, { attachments: [one] }, [{ filename: 'six.txt', bytes: 'six' }]),
  );
  assert.deepEqual(await textsOf(both, of.key), ['one', 'six']);
  assert.deepEqual((await patched({ attachments: null })).attachments, []);
  assert.deepEqual((await patched({ attachments: [json('a', 'x')] })).attachments.length, 1);
  assert.deepEqual((await patched({ attachments: [] })).attachments, []);
});

test('wrong files are refused with their place, and the draft keeps what it has', async () => {
  const { of, to } = await fresh();
  const other = draftOf(await request('POST', PATH, of.key, { attachments: [json('o.txt', 'other')] }));
  const draft = draftOf(await request('POST', PATH, of.key, { attachments: [json('a.txt', 'one')] }));
  const path = `${PATH}/${draft.id}`;
  const id = draft.attachments[0]?.id as string;
  const wrong: [string, unknown][] = [
    ['/attachments/0/id', [{ id: 'att_00000000000000000000' }]],
    ['/attachments/0/id', [{ id: other.attachments[0]?.id }]],
    ['/attachments/1/id', [{ id }, { id }]],
    ['/attachments/0/id', [{ id, filename: 'renamed.txt' }]],
    ['/attachments/0', [{ filename: 'a.txt' }]],
    ['/attachments/0', [{}]],
    ['/attachments/1/content', [{ id }, { filename: 'a.txt', content: '!' }]],
    ['/attachments/0/content_type', [{ filename: 'a.txt', content_type: 'text', content: '' }]],
    ['/attachments/0/size', [{ id, size: 1 }]],
    ['/attachments', 'x'],
  ];
  for (const [pointer, attachments] of wrong)
    isProblem(await request('PATCH', path, of.key, { subject: 'no', attachments }), 'validation_error', pointer);
  isProblem(await request('POST', PATH, of.key, { attachments: [{ id }] }), 'validation_error', '/attachments/0/id');
  isProblem(await form('PATCH', path, of.key, {}, []), 'validation_error');
  isProblem(
    await form('PATCH', `${PATH}/drf_00000000000000000000`, of.key, {}, [{ filename: 'a', bytes: 'x' }]),
    'not_found',
  );
  isProblem(
    await form('POST', '/mail/send', of.key, { to, body: 'Hi', send_at: 'tomorrow' }, [{ filename: 'a', bytes: 'x' }]),
    'validation_error',
    '/send_at',
  );
  const now = (await request('GET', path, of.key)).body;
  assert.deepEqual([now.subject, now.attachments], [null, draft.attachments]);
});

test('a draft has at most 20 files, those that it has included', async () => {
  const { of } = await fresh();
  const texts = Array.from({ length: 20 }, (_, at) => json(`${at}.txt`, `${at}`));
  const full = draftOf(await request('POST', PATH, of.key, { attachments: texts }));
  const more = [{ filename: 'more.txt', bytes: 'more' }];
  isProblem(await form('PATCH', `${PATH}/${full.id}`, of.key, {}, more), 'body_too_large', '/attachments');
  isProblem(await request('POST', PATH, of.key, { attachments: [...texts, json('x', 'x')] }), 'body_too_large');
});

test('a draft has at most 25 MiB of files, those that it has included', LONG_ONLY, async () => {
  const { of } = await fresh();
  const nine = (): File => ({ filename: 'x.bin', bytes: randomBytes(9 * MiB) });
  const draft = draftOf(await form('POST', PATH, of.key, {}, [nine(), nine()]));
  isProblem(await form('PATCH', `${PATH}/${draft.id}`, of.key, {}, [nine()]), 'body_too_large', '/attachments');
  assert.equal(
    draftOf(await form('PATCH', `${PATH}/${draft.id}`, of.key, { attachments: [] }, [nine()])).attachments.length,
    1,
  );
});

test('files of drafts count as storage, and come back when they are replaced or deleted', async () => {
  const { of } = await fresh();
  const large = (): File => ({ filename: 'x.bin', bytes: randomBytes(LARGE) });
  const first = draftOf(await form('POST', PATH, of.key, {}, [large(), large()]));
  const second = draftOf(await form('POST', PATH, of.key, {}, [large(), large()]));
  isProblem(await form('POST', PATH, of.key, {}, [large()]), 'storage_full');
  isProblem(await form('PATCH', `${PATH}/${second.id}`, of.key, { attachments: [] }, [large()]), 'storage_full');
  const fits = (status: number) => status < 300;
  assert.equal((await request('PATCH', `${PATH}/${first.id}`, of.key, { attachments: null })).status, 200);
  await until(SWEPT_MS, async () => (await form('PATCH', `${PATH}/${first.id}`, of.key, {}, [large()])).status, fits);
  assert.equal((await request('DELETE', `${PATH}/${second.id}`, of.key)).status, 204);
  await until(SWEPT_MS, async () => (await form('POST', PATH, of.key, {}, [large()])).status, fits);
});

test('a repeated request makes one draft with its files, and other bytes are another request', async () => {
  const { of, to } = await fresh();
  const send_at = soon(60_000);
  for (const [path, message] of [
    [PATH, { to }],
    ['/mail/send', { to, body: 'Hi', send_at }],
  ] as const) {
    const headers = { 'idempotency-key': unique() };
    const ask = (bytes: string) => form('POST', path, of.key, message, [{ filename: 'a.txt', bytes }], headers);
    const [first, second] = [await ask('one'), await ask('one')];
    assert.equal(second.headers.get('idempotency-replayed'), 'true', second.text);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(await textsOf(second.body, of.key), ['one']);
    isProblem(await ask('two'), 'idempotency_mismatch');
  }
});

test('changes of the files and sends of one draft at once leave whole results', async () => {
  const { of, to } = await fresh();
  for (let round = 0; round < 5; round++) {
    const draft = draftOf(
      await request('POST', PATH, of.key, { to, body: 'Hi', attachments: [json('0.txt', 'start')] }),
    );
    const path = `${PATH}/${draft.id}`;
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, at) =>
        request('PATCH', path, of.key, { subject: `s${at}`, attachments: [json(`s${at}.txt`, `s${at}`)] }),
      ),
      request('POST', `${path}/send`, of.key),
    ]);
    for (const answer of answers) assert.ok(answer.status < 300 || answer.status === 409, answer.text);
    const [message] = await received(of, to);
    assert.ok(message);
    assert.deepEqual(await textsOf(message, of.key), [message.subject ?? 'start']);
  }
  assert.doesNotMatch(service.logs(), /"level":(50|60)/);
});
