import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, sendMail } from '../../../../tests/harness/mail.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { everyNth, ofEachKind } from '../../../../tests/soak/length.ts';
import { KEY, lines, namesOf, signed } from './reading/signing.ts';

const dns = await startDns({
  's._domainkey.example.com': KEY,
  's._domainkey.evil.example': KEY,
  'example.com': { TXT: ['v=spf1 -all'] },
  'evil.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
});
after(() => dns[Symbol.asyncDispose]());
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address, RATE_LIMITS: 'off' },
});
const { client, outbox, url } = inside;
const { api } = client;

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly message_id: string;
  readonly refusals?: readonly { readonly from: string; readonly why: string }[];
}

interface Asked {
  readonly home: Home;
  readonly owner: string;
  readonly ownerKey: string;
  readonly address: string;
  readonly review: Review;
  /** Where an answer goes. */
  readonly to: string;
  /** A key that may decide. */
  readonly reviewer: string;
}

/** An answer that waits, of whose address the owner was asked by mail. */
async function asked(outgoing: object = {}): Promise<Asked> {
  const home = await client.newNamespace();
  const owner = `${unique('owner')}@example.com`;
  await ownedBy(inside, home, owner);
  const { address } = await client.newMailbox(home, {
    behavior: { name: 'hello', settings: { introduction: 'I am Ada.' } },
    outgoing: { review: 'always', ...outgoing },
  });
  const sender = await client.newNamespace();
  await client.send(sender.key, { to: address, body: 'Who are you?', sync: true });
  const [question] = await leftFor(outbox, owner);
  const reviewer = (await client.newKey(home, { scopes: ['mail:review', 'messages:read'] })).secret;
  const [review] = (await api<Page<Review>>('GET', '/mail/reviews', { key: reviewer })).body.items;
  const [ownership] = await inside.store.accounts.ownersOf(home.id, inside.now());
  assert.ok(review && question && ownership);
  const to = question.replyTo?.[0]?.address ?? '';
  return { home, owner, ownerKey: ownership.key_id, address, review, to, reviewer };
}

const current = async ({ review, reviewer }: Asked): Promise<Review> =>
  (await api<Review>('GET', `/mail/reviews/${review.id}`, { key: reviewer })).body;

interface Written {
  readonly from?: string;
  readonly to?: string;
  readonly fields?: readonly string[];
  readonly type?: string;
  readonly body?: string;
}

/** The mail of an owner who answers. */
const answer = ({ owner, to }: Asked, { body = 'Yes', type = 'text/plain', ...more }: Written = {}): string =>
  `${lines(
    `From: ${more.from ?? `Grace Hopper <${owner}>`}`,
    `To: ${more.to ?? to}`,
    'Subject: Re: May this leave?',
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${unique()}@example.com>`,
    `Content-Type: ${type}; charset=utf-8`,
    ...(more.fields ?? []),
  )}\r\n\r\n${body.replaceAll('\n', '\r\n')}\r\n`;

/** Signs all fields of a mail, as its author’s domain does. */
const sign = (
  text: string,
  more: { domain?: string; names?: readonly string[]; tags?: readonly string[] } = {},
): string => signed(text, { names: namesOf(text), ...more });

/** Hands a mail in to this question; gives the reply of the server. */
const handIn = (text: string, { owner, to }: Pick<Asked, 'owner' | 'to'>, from = owner): Promise<string> =>
  sendMail(inside.smtp?.port ?? 0, { from, to: [to], text });

interface Forgery {
  readonly name: string;
  /** What was asked; a plain question by default. */
  readonly outgoing?: object;
  /** Hands it in; gives the replies of the server. */
  forge(asked: Asked): Promise<string | readonly string[]>;
  /** What the server says. */
  readonly says: RegExp;
  /** What the page of the review says; undefined where the question is not known any more, so that nothing is noted. */
  readonly shown?: RegExp;
  /** The owner can decide no more afterwards. */
  readonly over?: boolean;
  /** The console is closed to the owner afterwards. */
  readonly removed?: boolean;
}

const NOT_PROVEN = { says: /^550 5\.7\.1 It is not proven who wrote this/, shown: /not proven who wrote/ };
const NOT_HERE = {
  says: /^550 5\.7\.1 It is not proven that this answer was written to/,
  shown: /was written to this address/,
};
const OTHER = { says: /^550 5\.7\.1 Answer from the address/, shown: /Answer from the address/ };
const LEFT = { says: /^550 5\.7\.1 You may not decide this/, shown: /You may not decide this/ };
const PROGRAM = { says: /^250 2\.0\.0 Noted/, shown: /written by a program/ };
const UNCLEAR = { says: /^250 2\.0\.0 unclear/, shown: /neither plainly yes nor plainly no/ };
const GONE = { says: /^550 5\.1\.1 There is no such question/ };

const signedAs = (name: string, written: Written, expected: Pick<Forgery, 'says' | 'shown'>): Forgery => ({
  ...expected,
  name,
  forge: (it) => handIn(sign(answer(it, written)), it),
});
const fromEve = (name: string, written: (it: Asked) => Written): Forgery => ({
  ...OTHER,
  name,
  forge: (it) => handIn(sign(answer(it, written(it)), { domain: 'evil.example' }), it, 'eve@evil.example'),
});
const alternative = (text: string, html: string): Pick<Written, 'type' | 'body'> => ({
  type: 'multipart/alternative; boundary=b',
  body: `--b\nContent-Type: text/plain; charset=utf-8\n\n${text}\n--b\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b--`,
});

const FORGERIES: readonly Forgery[] = [
  { ...NOT_PROVEN, name: 'no signature', forge: (it) => handIn(answer(it), it) },
  {
    ...NOT_PROVEN,
    name: 'the signature of another domain',
    forge: (it) => handIn(sign(answer(it), { domain: 'evil.example' }), it),
  },
  {
    ...NOT_PROVEN,
    name: 'a return path that SPF passes, of another domain',
    forge: (it) => handIn(answer(it), it, 'eve@evil.example'),
  },
  {
    ...NOT_PROVEN,
    name: 'a signed no whose text was changed to yes',
    forge: (it) => handIn(sign(answer(it, { body: 'No' })).replace(/No\r\n$/, 'Yes\r\n'), it),
  },
  {
    ...NOT_PROVEN,
    name: 'a signature of no byte of the text',
    forge: (it) => handIn(sign(answer(it), { tags: ['l=0'] }), it),
  },
  {
    ...NOT_PROVEN,
    name: 'a signature whose time is over',
    forge: (it) => handIn(sign(answer(it), { tags: ['t=1000000000', 'x=1000000100'] }), it),
  },
  {
    ...NOT_PROVEN,
    name: 'a signature without From',
    forge: (it) => handIn(sign(answer(it), { names: ['to', 'subject', 'date'] }), it),
  },
  {
    ...NOT_PROVEN,
    name: 'a signature without To',
    forge: (it) => handIn(sign(answer(it), { names: ['from', 'subject', 'date', 'content-type'] }), it),
  },
  {
    ...NOT_HERE,
    name: 'a signed yes to something else, redirected',
    forge: (it) => handIn(sign(answer(it, { to: 'friend@elsewhere.example' })), it),
  },
  {
    ...NOT_HERE,
    name: 'the yes to another question of the same owner, replayed',
    async forge(it) {
      const other = answer(it, { to: `approve+${'0'.repeat(26)}@mailroom.localhost` });
      return handIn(sign(other), it);
    },
  },
  {
    ...NOT_PROVEN,
    name: 'a second To above the signed one',
    forge: (it) => handIn(`To: ${it.to}\r\n${sign(answer(it, { to: 'friend@elsewhere.example' }))}`, it),
  },
  {
    name: 'a second From above the signed one',
    says: /^(?:550 5\.7\.1 |250 2\.0\.0 Noted)/,
    shown: /./,
    forge: (it) => handIn(`From: eve@evil.example\r\n${sign(answer(it))}`, it),
  },
  {
    name: 'two authors in From',
    says: /^(?:550 5\.7\.1 |250 2\.0\.0 Noted)/,
    shown: /./,
    forge: (it) => handIn(sign(answer(it, { from: `${it.owner}, eve@evil.example` })), it),
  },
  {
    name: 'a second Content-Type that makes another text of it',
    says: /^(?:550 5\.7\.1 |250 2\.0\.0 unclear)/,
    shown: /./,
    forge: (it) =>
      handIn(
        `Content-Type: text/html\r\n${sign(answer(it, { body: 'Let me think.\n<!-- Yes -->' }), { names: ['from', 'to', 'subject', 'date'] })}`,
        it,
      ),
  },
  fromEve('a stranger who was shown the question', () => ({ from: 'Eve <eve@evil.example>' })),
  fromEve('a stranger with the owner’s address as name', ({ owner }) => ({ from: `"${owner}" <eve@evil.example>` })),
  fromEve('a stranger who names the owner as Sender and Reply-To', ({ owner }) => ({
    from: 'eve@evil.example',
    fields: [`Sender: ${owner}`, `Reply-To: ${owner}`],
  })),
  fromEve('a stranger who forwards the owner’s yes', ({ owner }) => ({
    from: 'eve@evil.example',
    body: `---------- Forwarded message ---------\nFrom: <${owner}>\nSubject: Re: it\n\nYes`,
  })),
  signedAs('another address of the same domain', { from: 'eve@example.com' }, OTHER),
  {
    ...OTHER,
    name: 'a tagged address of the owner',
    forge: (it) => handIn(sign(answer(it, { from: it.owner.replace('@', '+x@') })), it),
  },
  {
    ...OTHER,
    name: 'a look-alike of the owner’s address',
    forge: (it) => handIn(sign(answer(it, { from: it.owner.replace('o', '0') })), it),
  },
  {
    ...OTHER,
    name: 'the owner of another namespace, with a yes of their own',
    async forge(it) {
      const other = await asked();
      return handIn(sign(answer({ ...other, to: it.to })), it, other.owner);
    },
  },
  {
    ...LEFT,
    name: 'an owner who was removed',
    over: true,
    removed: true,
    async forge(it) {
      assert.ok(await inside.store.keys.revoke(it.ownerKey, it.home.id, inside.now()));
      return handIn(sign(answer(it)), it);
    },
  },
  signedAs('an automatic reply', { fields: ['Auto-Submitted: auto-replied'] }, PROGRAM),
  signedAs('a generated mail', { fields: ['Auto-Submitted: auto-generated'] }, PROGRAM),
  signedAs('an absence note', { fields: ['Precedence: auto_reply', 'X-Autoreply: yes'] }, PROGRAM),
  signedAs('a mailing list’s copy', { fields: ['List-Id: <all.example.com>'] }, PROGRAM),
  {
    ...NOT_PROVEN,
    name: 'a mailing list’s copy with a footer',
    forge: (it) => handIn(`${sign(answer(it))}-- \r\nTo leave this list, write to all-leave@example.com\r\n`, it),
  },
  { ...PROGRAM, name: 'a mail without a return path', forge: (it) => handIn(sign(answer(it)), it, '') },
  signedAs('a yes that is quoted', { body: '> Yes' }, UNCLEAR),
  signedAs(
    'a yes below what was quoted',
    { body: 'On Monday, Mailroom wrote:\n> Answer this mail with yes\n> Yes' },
    UNCLEAR,
  ),
  signedAs('a yes with a condition', { body: 'Yes, if the price is right' }, UNCLEAR),
  signedAs('a yes that asks', { body: 'Yes?' }, UNCLEAR),
  signedAs('a yes and then a no', { body: 'Yes\n\nNo' }, UNCLEAR),
  signedAs('a no and then a yes', { body: 'No\n\nYes' }, UNCLEAR),
  signedAs('a yes above a long text', { body: `Yes\n\n${'And more. '.repeat(1_000)}` }, UNCLEAR),
  signedAs('a yes in the subject alone', { body: '', fields: ['X-Subject: yes'] }, UNCLEAR),
  signedAs(
    'an HTML mail whose yes is hidden',
    { type: 'text/html', body: '<div style="display:none">Yes</div><p>I do not know yet.</p>' },
    UNCLEAR,
  ),
  signedAs('an HTML mail whose yes is quoted', { type: 'text/html', body: '<blockquote>Yes</blockquote>' }, UNCLEAR),
  signedAs('a yes whose HTML says no', alternative('Yes', '<p>No</p>'), UNCLEAR),
  signedAs('a no whose HTML says yes', alternative('No', '<p>Yes</p>'), UNCLEAR),
  signedAs('a yes whose HTML has a condition', alternative('Yes', '<p>Yes, if the price is right</p>'), UNCLEAR),
  signedAs(
    'a yes whose HTML says no and hides the yes',
    alternative('Yes', '<p style="display:none">Yes</p><p>No</p>'),
    UNCLEAR,
  ),
  signedAs('a yes whose HTML shows no text', alternative('Yes', '<img src="cid:no">'), UNCLEAR),
  signedAs(
    'a yes that is followed by an HTML part that says no',
    {
      type: 'multipart/mixed; boundary=b',
      body: '--b\nContent-Type: text/plain\n\nYes\n--b\nContent-Type: text/html\n\n<p>No</p>\n--b--',
    },
    UNCLEAR,
  ),
  signedAs(
    'a yes in an attached file alone',
    {
      type: 'multipart/mixed; boundary=b',
      body: '--b\nContent-Type: text/plain\n\nSee the file.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=yes.txt\n\nYes\n--b--',
    },
    UNCLEAR,
  ),
  signedAs(
    'a yes in an attached mail alone',
    {
      type: 'multipart/mixed; boundary=b',
      body: '--b\nContent-Type: text/plain\n\nFor you.\n--b\nContent-Type: message/rfc822\n\nFrom: grace@example.com\nSubject: it\n\nYes\n--b--',
    },
    UNCLEAR,
  ),
  {
    ...GONE,
    name: 'a question that was never asked',
    forge: (it) => handIn(sign(answer(it)), { ...it, to: `approve+${'0'.repeat(26)}@mailroom.localhost` }),
  },
  {
    says: /^250 2\.0\.0 late/,
    shown: /after the time for it/,
    name: 'an answer after the time of the review',
    outgoing: { expires_seconds: 3_600 },
    over: true,
    async forge(it) {
      inside.pass(2 * 60 * 60 * 1_000);
      return handIn(sign(answer(it)), it);
    },
  },
  {
    name: 'a yes to the text before a change',
    says: /^250 2\.0\.0 changed/,
    shown: /another text than the one that waits/,
    over: true,
    async forge(it) {
      const body = { body: 'I am Eve.' };
      assert.equal((await api('PATCH', `/mail/reviews/${it.review.id}`, { key: it.reviewer, body })).status, 200);
      return handIn(sign(answer(it)), it);
    },
  },
];

// How a decision is written is shown by core/mail-approvals/decision-words.test.ts, and what is proven by mail/reading.
for (const { name, outgoing, forge, says, shown, over = false, removed = false } of ofEachKind(
  FORGERIES,
  ({ says }) => says,
  2,
))
  test(`a decision by mail is refused and shown: ${name}`, async () => {
    const it = await asked(outgoing);
    const reply = await forge(it);
    assert.match([reply].flat().join('\n'), says);
    const { status, refusals = [] } = await current(it);
    assert.notEqual(status, 'approved');
    assert.notEqual(status, 'rejected');
    const events = (await api<Page<{ type: string }>>('GET', '/events?limit=200', { key: it.reviewer })).body.items;
    const told = events.filter(({ type }) => type === 'review.decision_refused').length;
    assert.deepEqual([refusals.length, told], shown === undefined ? [0, 0] : [1, 1], JSON.stringify(refusals));
    if (shown !== undefined) {
      assert.match(refusals[0]?.why ?? '', shown);
      const visitor = visitorOf(url.replace('localhost', '127.0.0.1'));
      await visitor.signIn(it.home.key);
      const { html } = await visitor.get(`/console/reviews?open=${it.review.id}`);
      assert.match(html, removed ? /<title>Sign in/ : /Refused decisions/);
    }
    if (over) return;
    assert.match(await handIn(sign(answer(it)), it), /^250 2\.0\.0 approved/, 'the owner decides all the same');
    assert.equal((await current(it)).status, 'approved');
  });

const GENUINE: Readonly<Record<string, Written>> = {
  'in HTML alone': { type: 'text/html', body: '<div dir="ltr">Yes</div>' },
  'in both forms': alternative('Yes', '<p>Yes</p>'),
  'in both forms, with the question quoted and a signature': {
    ...alternative(
      'Yes, please.\n\n-- \nGrace Hopper\nNavy\n\nOn Mon, 23 Nov 2026 at 10:01, Mailroom <approve@mailroom.localhost> wrote:\n\n> May this leave?\n> No',
      '<div dir="ltr">Yes, please.<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Grace Hopper<br><b>Navy</b></div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, 23 Nov 2026 at 10:01, Mailroom &lt;<a href="mailto:approve@mailroom.localhost">approve@mailroom.localhost</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">May this leave?<br>No</blockquote></div>',
    ),
    fields: ['In-Reply-To: <question@mailroom.localhost>', 'References: <question@mailroom.localhost>'],
  },
  'with a file beside it': {
    type: 'multipart/mixed; boundary=b',
    body: '--b\nContent-Type: text/plain\n\nYes\n--b\nContent-Type: image/png\nContent-Disposition: attachment; filename=logo.png\n\nx\n--b--',
  },
};
for (const [name, written] of everyNth(Object.entries(GENUINE), 2))
  test(`a yes of the owner counts ${name}`, async () => {
    const it = await asked();
    assert.match(await handIn(sign(answer(it, written)), it), /^250 2\.0\.0 approved/);
  });

test('of two decisions at once, by mail and by the API, one counts', async () => {
  for (let nth = 0; nth < 5; nth += 1) {
    const it = await asked();
    const [mail, rejected] = await Promise.all([
      handIn(sign(answer(it)), it),
      api('POST', `/mail/reviews/${it.review.id}/reject`, { key: it.reviewer }),
    ]);
    const byMail = mail.startsWith('250 2.0.0 approved');
    assert.notEqual(byMail, rejected.status === 200, `${mail} ${rejected.text}`);
    assert.equal((await current(it)).status, byMail ? 'approved' : 'rejected');
  }
});

test('no more than ten refused decisions of a review are kept, however many come', async () => {
  const it = await asked();
  for (let nth = 0; nth < 13; nth += 1) await handIn(answer(it), it);
  assert.equal((await current(it)).refusals?.length, 10);
  assert.match(await handIn(sign(answer(it)), it), /^250 2\.0\.0 approved/);
});

test('decisions by MCP and API of who may not decide are refused', async () => {
  const it = await asked();
  const second = await asked();
  const elsewhere = await client.newMailbox(it.home);
  const writer = await client.newKey(it.home, { scopes: ['mail:review'] });
  const { id } = it.review;
  const hash = (await current(it)).hash;
  const key = async (of: Readonly<Record<string, unknown>>, home = it.home): Promise<string> =>
    (await client.newKey(home, of)).secret;
  const gone = await client.newKey(it.home, { scopes: ['mail:review'] });
  await api('DELETE', `/keys/${gone.id}`, { key: it.home.key });
  const attempts: readonly (readonly [string, string, object, string])[] = [
    ['another namespace', second.reviewer, { hash }, 'review_not_found'],
    ['another namespace’s owner', second.home.key, { hash }, 'review_not_found'],
    [
      'no scope',
      await key({ scopes: ['mail:send', 'mail:answer', 'mailboxes:write'] }),
      { hash },
      'insufficient_scope',
    ],
    [
      'another mailbox',
      await key({ scopes: ['mail:review'], mailbox: elsewhere.address }),
      { hash },
      'review_not_found',
    ],
    ['a revoked key', gone.secret, { hash }, 'invalid_key'],
    ['the hash of another review', it.reviewer, { hash: second.review.hash }, 'review_changed'],
    ['a hash in capitals', it.reviewer, { hash: hash.toUpperCase() }, 'validation_error'],
    ['no hash', it.reviewer, {}, 'validation_error'],
  ];
  for (const [name, secret, body, code] of attempts) {
    isProblem(await api('POST', `/mail/reviews/${id}/approve`, { key: secret, body }), code);
    if (code === 'invalid_key') continue;
    await using mcp = await mcpClient(url, { key: secret });
    const refused = await callTool(mcp, 'decide_review', { id, decision: 'approve', ...body });
    assert.equal(refused.isError, true, name);
    if (name === 'no hash') assert.match(refused.content[0]?.text ?? '', /\/hash: This is needed/);
    assert.equal((await current(it)).status, 'pending', name);
  }
  const edited = await api<Review>('PATCH', `/mail/reviews/${id}`, { key: writer.secret, body: { body: 'Mine.' } });
  await using mcp = await mcpClient(url, { key: writer.secret });
  const own = await callTool(mcp, 'decide_review', { id, decision: 'approve', hash: edited.body.hash });
  assert.equal(own.structuredContent.code, 'access_denied');
  const { status, refusals = [] } = await current(it);
  assert.deepEqual([status, refusals.map(({ from }) => from)], ['pending', [writer.id]]);
});
