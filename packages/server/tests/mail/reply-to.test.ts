import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url } });
const { client, store } = inside;
const port = inside.smtp?.port ?? 0;

interface Case {
  readonly reply_to: string;
  readonly behavior?: { readonly name: string };
  readonly claimed?: boolean;
  readonly from?: string;
}

/** Where the answer to a mail with this `Reply-To` went, and the message. */
async function answered({ reply_to, behavior = { name: 'agent' }, claimed = true, from }: Case) {
  const home = await client.newNamespace();
  if (claimed) await store.namespaces.claim(home.id, inside.now());
  const { address } = await client.newMailbox(home, { behavior });
  const author = from ?? `${unique('form')}@shop.example`;
  const subject = unique('subject');
  const head = {
    From: `Form <${author}>`,
    To: address,
    Subject: subject,
    'Reply-To': reply_to,
    Cc: 'Bo <bo@far.example>',
  };
  const response = await sendMail(port, { from: author, to: [address], text: mailText(head, 'Do you deliver?') });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(response)?.[1] ?? assert.fail(response);
  if (behavior.name === 'agent') {
    const given = await client.api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'Yes.' } });
    assert.equal(given.status, 200, given.text);
  }
  const look = async () => sink.arrived.filter(({ mail }) => mail.subject?.endsWith(subject));
  const { seen } = await until(60_000, look, (mails) => mails.length > 0);
  const { body } = await client.read(home.key, id);
  return {
    to: seen[0]?.to,
    author,
    data: (body as Envelope & { data: { email: Record<string, unknown> } }).data.email,
  };
}

test('an answer of a person or a program goes to Reply-To of the domain of its proven author, which the message keeps', async () => {
  const customer = `${unique('customer')}@mail.shop.example`;
  const { to, data } = await answered({ reply_to: `Customer <${customer}>` });
  assert.deepEqual(to, [customer]);
  assert.deepEqual(data.reply_to, [{ name: 'Customer', address: customer }]);
  assert.deepEqual(data.cc, [{ name: 'Bo', address: 'bo@far.example' }]);
});

test('an answer goes to the author where Reply-To is of another domain, of a public suffix, or no address', async () => {
  for (const reply_to of ['victim@far.example', 'nobody', 'ann@co.uk', 'ann@shop.example.evil.example']) {
    const { to, author } = await answered({ reply_to });
    assert.deepEqual(to, [author], reply_to);
  }
});

test('an automatic answer goes to the proven author alone', async () => {
  const { to, author } = await answered({ reply_to: 'customer@shop.example', behavior: { name: 'proofread' } });
  assert.deepEqual(to, [author]);
});

test('a namespace without a verified owner answers the author alone', async () => {
  const { to, author } = await answered({ reply_to: 'customer@shop.example', claimed: false });
  assert.deepEqual(to, [author]);
});
