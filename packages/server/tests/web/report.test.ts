import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { mailsIn } from '../../../../tests/harness/outbox.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const CONTACT = 'security@example.com';
const service = await serveInside({ env: { SECURITY_CONTACT: `mailto:${CONTACT}` } });
const client = connect(service.url);
const INBOX = '/mailboxes/reports@agents.mailroom.localhost/messages';

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly page: string;
}
const seen = async (response: Response): Promise<Seen> => ({
  status: response.status,
  headers: response.headers,
  page: await response.text(),
});
const get = async (path: string, accept = 'text/html', url = service.url): Promise<Seen> =>
  seen(await fetch(`${url}/${path}`, { headers: { accept } }));
const post = async (form: URLSearchParams, url = service.url): Promise<Seen> =>
  seen(await fetch(`${url}/report`, { method: 'POST', body: form, headers: { accept: 'text/html', origin: url } }));

const ABOUT = 'spam@ada.mailroom.localhost';
async function filled(fields: Record<string, string> = {}, url = service.url): Promise<URLSearchParams> {
  const form = formData((await get('report', 'text/html', url)).page);
  const all = { about: ABOUT, what: 'It asks people for passwords.', ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return form;
}
const reference = (page: string): string => /Your reference: <code>(msg_[0-9a-z]+)</.exec(page)?.[1] ?? '';
const inbox = async (url = service.url, key = service.ownerKey): Promise<readonly Envelope[]> =>
  (await connect(url).api<Page<Envelope>>('GET', INBOX, { key })).body.items;

test('the footer leads to a form of reports and to a status for people', async () => {
  for (const path of ['', 'new', 'report', 'status']) {
    const { page } = await get(path);
    assert.match(page, /<a href="status">Status<\/a>/);
    assert.match(page, /<a href="report">Report abuse<\/a>/);
  }
});

test('a report is a message in the inbox of the house, answered by nobody, with its id as the reference', async () => {
  const what = 'It asks <b>people</b> for passwords.\nTwice & "again". 🍎 مرحبا';
  const sent = await post(await filled({ what, answer_to: 'Ada@Example.com' }));
  assert.equal(sent.status, 201, sent.page);
  const message = (await inbox()).find(({ id }) => id === reference(sent.page));
  assert.ok(message);
  assert.equal(message.subject, `Report: ${ABOUT}`);
  assert.equal(message.body, `About: ${ABOUT}\nAnswer to: Ada@Example.com\n\n${what}`);
  assert.deepEqual([message.status, message.reply, message.sender.kind], ['completed', null, 'guest']);
  // Only the service's own namespace may see the inbox and write to it.
  assert.equal((await client.api('GET', '/mailboxes/reports@agents.mailroom.localhost')).status, 404);
  assert.equal((await client.tryOut({ to: 'reports@agents.mailroom.localhost', body: 'Hi' })).status, 404);
});

test('the security contact gets a copy by mail, with the reference', async () => {
  const sent = await post(await filled({ about: 'mailed@ada\r\nBcc: all@example.com' }));
  const id = reference(sent.page);
  const { seen: all } = await until(
    15_000,
    async () => [...(await mailsIn(service.outbox)).values()],
    (found) => found.some(({ text }) => text?.includes(id) === true),
  );
  const mail = all.find(({ text }) => text?.includes(id) === true);
  assert.deepEqual(
    mail?.to?.map(({ address }) => address),
    [CONTACT],
  );
  assert.equal(mail?.bcc, undefined);
  assert.equal(mail?.subject, 'Report: mailed@ada Bcc: all@example.com');
  assert.match(mail?.text ?? '', /It asks people for passwords\./);
});

test('what is missing or wrong is said at its field and in a summary; nothing that was typed is lost or runs', async () => {
  const countBefore = (await inbox()).length;
  const evil = '"><script>alert(1)</script>';
  const wrong = await post(await filled({ about: evil, what: ' ', answer_to: evil }));
  assert.equal(wrong.status, 422);
  assert.match(wrong.page, /<title>Error: /);
  assert.match(wrong.page, /id="summary".*Two things to fix.*href="#what">Say what happened\./s);
  assert.match(wrong.page, /id="answer_to-error"/);
  assert.doesNotMatch(wrong.page, /<script>alert/);
  const kept = formData(wrong.page);
  assert.deepEqual([kept.get('about'), kept.get('answer_to')], [evil, evil]);
  const none = await post(new URLSearchParams());
  assert.match(none.page, /Say which address or page it is about\./);
  const long = await post(await filled({ what: 'x'.repeat(8193) }));
  assert.match(long.page, /This has 8193 bytes; 8192 are allowed\./);
  assert.equal((await post(await filled({ about: 'x'.repeat(501) }))).status, 422);
  assert.equal((await inbox()).length, countBefore);
});

test('a report sent twice is one, and another text with the same form is another', async () => {
  const form = await filled();
  const [first, second] = await Promise.all([post(form), post(form)]);
  assert.equal(reference(first.page), reference(second.page));
  form.set('what', 'Something else.');
  assert.notEqual(reference((await post(form)).page), reference(first.page));
});

test('many first reports at once make one inbox, and one that was deleted is made anew', async () => {
  const service = await serveInside();
  const forms = await Promise.all([1, 2, 3, 4].map((at) => filled({ what: `Report ${at}` }, service.url)));
  const sent = await Promise.all(forms.map((form) => post(form, service.url)));
  assert.deepEqual(
    sent.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  assert.equal((await inbox(service.url, service.ownerKey)).length, 4);
  const { api } = connect(service.url);
  await api('DELETE', '/mailboxes/reports@agents.mailroom.localhost', { key: service.ownerKey });
  assert.equal((await post(await filled({}, service.url), service.url)).status, 201);
  assert.equal((await inbox(service.url, service.ownerKey)).length, 1);
  // Without its namespace the service has no recipient for reports, and the page says so.
  await api('DELETE', '/namespaces/agents', { key: service.ownerKey });
  const unread = await post(await filled({}, service.url), service.url);
  assert.equal(unread.status, 404);
  assert.match(unread.page, /Your report was not filed\..*Reports cannot be filed/s);
  assert.equal(formData(unread.page).get('about'), ABOUT);
});

test('reports are counted as what guests send, and nothing is lost over the limit', async () => {
  const limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '2' } });
  const form = await filled({}, limited.url);
  for (const what of ['one', 'two']) {
    form.set('what', what);
    assert.equal((await post(form, limited.url)).status, 201);
  }
  form.set('what', 'three');
  const waits = await post(form, limited.url);
  assert.equal(waits.status, 429);
  assert.ok(Number(waits.headers.get('retry-after')) > 0);
  assert.match(waits.page, /Next report in <span data-left="\d+">/);
  assert.equal(formData(waits.page).get('what'), 'three');
  assert.equal((await inbox(limited.url, limited.ownerKey)).length, 2);
});

test('a form from another site files nothing', async () => {
  const response = await fetch(`${service.url}/report`, {
    method: 'POST',
    body: await filled(),
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(response.status, 403);
});

test('report and status are names of the service', async () => {
  for (const name of ['report', 'status'])
    assert.equal((await client.api('POST', '/namespaces', { body: { name } })).status, 422);
});

test('security.txt leads to the contact, and without one to the form', async () => {
  assert.match((await get('.well-known/security.txt')).page, new RegExp(`Contact: mailto:${CONTACT}`));
  const other = await serveInside();
  assert.match((await get('.well-known/security.txt', '*/*', other.url)).page, /Contact: .*\/report\n/);
});

test('the status says in words, Markdown and JSON whether it answers and writes, since when, and which version', async () => {
  const page = await get('status');
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.page, /<h1>Everything works\.<\/h1>/);
  assert.match(page.page, /It stores messages<\/b><\/div><span class="tag answered">Yes/);
  assert.match(page.page, /This process recorded none\./);
  const json = JSON.parse((await get('status.json')).page) as Record<string, unknown>;
  assert.deepEqual([json.status, json.answers, json.writes, json.trouble], ['ok', true, true, []]);
  assert.deepEqual(json.deliveries, { waiting: 0, oldest_at: null });
  assert.match(page.page, /Mail waiting to be sent<\/b><\/div><span>none</);
  assert.ok(Date.parse(String(json.since)) <= Date.parse(String(json.checked_at)));
  assert.ok(page.page.includes(String(json.version)));
  for (const [path, accept] of [
    ['status.md', '*/*'],
    ['status', 'text/markdown'],
  ] as const) {
    const { page: text, headers } = await get(path, accept);
    assert.match(headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(text, /^# Everything works\.\n/);
    assert.match(text, /^- Mail waiting to be sent: none$/m);
  }
});
