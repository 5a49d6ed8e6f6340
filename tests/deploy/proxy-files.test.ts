// Other programs: nginx, Caddy.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { after, test } from 'node:test';
import type { Answer } from '../harness/client.ts';
import { formData } from '../harness/form.ts';
import { isProblem } from '../harness/problem.ts';
import { serve } from '../harness/service.ts';
import { MAIL_DOMAIN } from '../harness/wire.ts';
import { before, freePorts, kinds, lackingOf } from './proxies.ts';

const MiB = 1024 * 1024;
const HELLO = `hello@agents.${MAIL_DOMAIN}`;

/** A form with a part for each field, and with files of these bytes. */
async function formOf(fields: Readonly<Record<string, string>>, files: readonly Buffer<ArrayBuffer>[]) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [at, bytes] of files.entries()) form.append('files', new File([bytes], `file-${at}`));
  const body = new Response(form);
  const headers = { 'content-type': body.headers.get('content-type') ?? '' };
  return { raw: new Uint8Array(await body.arrayBuffer()), headers };
}

const service = await serve({ env: { BASE_URL: 'https://mail.example.org', TRUST_PROXY: '127.0.0.1' } });

for (const kind of kinds) {
  const lacking = lackingOf(kind);
  if (lacking !== false) {
    test(`behind ${kind.name} files go wherever files go`, { skip: lacking });
    continue;
  }
  const [port = 0] = await freePorts(1);
  const proxy = await kind.start([service.port, service.port, service.port], port);
  after(() => proxy[Symbol.asyncDispose]());
  const client = proxy.caller();
  const key = service.ownerKey;

  test(`behind ${kind.name} 20 MiB of files go wherever files go, byte for byte`, async () => {
    const files = [randomBytes(10 * MiB), randomBytes(10 * MiB)];
    const hashes = files.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    const home = await client.newNamespace();
    const { address } = await client.newMailbox(home, { behavior: { name: 'agent' } });
    const ours = { key: home.key };
    const filesIn = async (path: string): Promise<unknown[]> => {
      const { body, text } = await client.api<{ attachments: { sha256: string }[] }>('GET', path, ours);
      return body.attachments?.map(({ sha256 }) => sha256) ?? text;
    };
    const upload = async (method: string, path: string, message: unknown): Promise<string> => {
      const form = await formOf({ message: JSON.stringify(message) }, files);
      const answer = await client.api<{ id: string }>(method, path, { ...ours, ...form });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body.id;
    };
    const sent = await upload('POST', '/mail/send', { to: address, body: 'With files.' });
    assert.deepEqual(await filesIn(`/mail/messages/${sent}`), hashes);
    await upload('POST', `/mail/messages/${sent}/answer`, { body: 'And back.' });
    const draft = await upload('POST', '/mail/drafts', {});
    await upload('PATCH', `/mail/drafts/${draft}`, { attachments: [] });
    assert.deepEqual(await filesIn(`/mail/drafts/${draft}`), hashes);

    const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const asForm = { ...page, 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await client.api('POST', '//console', { raw: `key=${home.key}`, headers: asForm });
    const cookie = String(signedIn.headers.get('set-cookie')).split(';', 1)[0] as string;
    const { text } = await client.api('GET', '//console/write', { headers: { ...page, cookie } });
    const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<void> => {
      const { raw, headers } = await formOf({ csrf: formData(text).get('csrf') ?? '', ...fields }, files);
      const answer = await client.api('POST', path, { raw, headers: { ...page, ...headers, cookie } });
      assert.equal(answer.status, 303, answer.text);
    };
    const fields = Object.fromEntries(formData(text, { button: ['do', 'send'] }));
    await submit('//console/write', { ...fields, to: address, subject: 'Files', body: 'By hand.' });
    const waiting = await client.send(home.key, { to: address, body: 'Answer me by hand.' });
    await submit(`//console/answers/${waiting.body.id}`, { do: 'answer', body: 'Here.' });
    const { body } = await client.read(home.key, waiting.body.id);
    assert.deepEqual(
      body.reply?.attachments.map(({ sha256 }) => sha256),
      hashes,
    );
  });

  test(`behind ${kind.name} what is larger than it takes is refused as the service does, for programs and for people`, async () => {
    const large = async (bytes: number): Promise<Answer<unknown>> => {
      const form = await formOf({ message: JSON.stringify({ to: HELLO, body: 'Hi' }) }, [Buffer.alloc(bytes)]);
      return client.api('POST', '/mail/send', { key, ...form });
    };
    for (const bytes of [11 * MiB, 29 * MiB, 32 * MiB, 40 * MiB]) isProblem(await large(bytes), 'body_too_large');
    const raw = JSON.stringify({ local_part: 'x'.repeat(5_000_000) });
    isProblem(await client.api('POST', '/namespaces/agents/mailboxes', { key, raw }), 'body_too_large');
    const people = await client.api('POST', '//console/keys', {
      raw: `key=${'x'.repeat(5_000_000)}`,
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(people.status, 413);
    assert.match(people.headers.get('content-type') ?? '', /^text\/html/);
  });

  test(`behind ${kind.name} files reach a node as they arrive, and are written to no disk on the way`, async () => {
    const arrived = Promise.withResolvers<void>();
    await using there = await before(kind, (request, response) => {
      request.once('data', () => arrived.resolve()).on('end', () => response.end('{}'));
    });
    const asking = request(`${there.url}/api/v1/mail/send`, {
      method: 'POST',
      agent: new Agent({ rejectUnauthorized: false }),
      family: 4,
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 20 * MiB },
    });
    const answered = once(asking, 'response');
    asking.write(Buffer.alloc(MiB));
    await arrived.promise;
    asking.end(Buffer.alloc(19 * MiB));
    const [answer] = (await answered) as [IncomingMessage];
    assert.equal(answer.statusCode, 200);
    answer.resume();
  });
}
