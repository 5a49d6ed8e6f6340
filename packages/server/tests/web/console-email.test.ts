import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { donePage } from '../../transports/web/new/done-page.ts';

const dns = await startDns({
  'spf.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  'fail.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'quarantine.example': { TXT: ['v=spf1 -all'] },
  '_dmarc.quarantine.example': { TXT: ['v=DMARC1; p=quarantine'] },
});
after(() => dns[Symbol.asyncDispose]());
const service = await openConsole({
  SMTP_LISTEN: '127.0.0.1:0',
  SMTP_TRUSTED: 'none',
  DNS_SERVERS: dns.address,
});
const { client, visitor } = service;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home);
const ada = visitor();
assert.equal((await ada.signIn(home.key)).status, 303);

const BODY = `Who are you?

On Mon, 23 Nov 2026 at 10:01, hello wrote:
> I am the <b>quoted</b> text.
`;

/** Sends a mail as Ada of this domain; gives the page of its conversation. */
async function page(domain: string, more: Readonly<Record<string, string>> = {}, body = BODY) {
  const from = `ada@${domain}`;
  const fields = {
    From: `Ada <${from}>`,
    To: address,
    Subject: 'Re: A question',
    'Message-ID': `<${unique()}@${domain}>`,
  };
  const text = mailText({ ...fields, ...more }, body);
  const reply = await sendMail(service.smtp?.port ?? 0, { from, to: [address], text });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  await client.read(home.key, id, '?wait=60');
  const { html } = await ada.get(`/console/messages/${id}`);
  return { id, html: html.replaceAll('&#39;', "'") };
}

test('the page of an address, its console and /new have a link that writes an e-mail to it', async () => {
  const link = `<a href="mailto:${address}">Write an e-mail</a>`;
  for (const path of [`/${address}`, `/console/addresses/${address.split('@')[0]}`]) {
    const { html } = await ada.get(path);
    assert.ok(html.includes(`by e-mail from this machine. ${link}`), path);
  }
  const made = { address: { local_part: 'hello', namespace: 'ada' }, behavior: 'hello', listed: true } as const;
  const done = (takesMail: 'machine' | 'no'): string => {
    const of = { ...made, secret: 'mr_live_key', form: new URLSearchParams(), at: 0 };
    return donePage(of as never, { mailDomain: 'mail.test', takesMail, baseUrl: 'https://mail.test' }).main.text;
  };
  assert.match(done('machine'), /<a href="mailto:hello@ada\.mail\.test">Write an e-mail<\/a>/);
  assert.match(done('no'), /E-mail to it is not delivered\.<\/p>/);
});

test('the conversation says how the sender of a mail is proven, and shows its subject', async () => {
  const { html } = await page('spf.example');
  assert.match(html, /<p>The sender's address is proven \(SPF of spf\.example\)\.<\/p>/);
  assert.match(html, /<h2 id="subject" dir="auto">Re: A question<\/h2>/);
  assert.doesNotMatch(html, /Not answered automatically/);
});

test('the conversation says why a mail got no answer, and that its sender may be forged', async () => {
  const forged = await page('fail.example');
  assert.match(forged.html, /is not proven, and may be forged: fail\.example does not confirm this mail\./);
  assert.match(forged.html, /Not answered automatically\.<\/b> It is not proven who sent this mail/);
  const unknown = await page('unknown.example');
  assert.match(unknown.html, /is not proven: nothing in the mail shows that unknown\.example sent it\./);
  const list = await page('spf.example', { 'List-Id': '<cats.example.com>' });
  assert.match(list.html, /Not answered automatically\.<\/b> This mail is from a mailing list/);
  const quarantine = await page('quarantine.example');
  assert.match(quarantine.html, /Not answered automatically\.<\/b> The domain of its sender asks/);
  assert.match(quarantine.html, /quarantine/);
  assert.ok((await ada.get('/console?label=quarantine')).html.includes(quarantine.id));
});

test('what a mail quotes is folded below what it says, as text, and a link in it shows where it leads', async () => {
  const { html } = await page(
    'spf.example',
    {},
    `${BODY}> https://evil.example/ and [a link](https://evil.example/)\n`,
  );
  const [, folded = ''] =
    /<details class="quoted"[^>]*><summary><svg.*?<\/svg>Quoted text, \d+ lines<\/summary>(.*?)<\/details>/s.exec(
      html,
    ) ?? [];
  assert.match(folded, /I am the &lt;b&gt;quoted&lt;\/b&gt; text\./);
  assert.match(folded, /\[a link\]\(/);
  const links = [...html.matchAll(/<a href="(https?:\/\/evil[^"]*)"[^>]*>([^<]*)<\/a>/g)];
  assert.equal(links.length, 2);
  for (const [, href, shown] of links) assert.equal(shown, href);
  const plain = await page('spf.example', {}, 'Who are you?');
  assert.doesNotMatch(plain.html, /class="quoted"/);
});

test('an export has how each mail was authenticated, and why it was not answered', async () => {
  const { id } = await page('fail.example');
  const { text } = await client.api('GET', `/namespaces/${home.name}/export`, { key: home.key });
  const line = text.split('\n').find((one) => one.includes(`"id":"${id}"`)) ?? '{}';
  const { authentication, not_answered } = JSON.parse(line) as {
    readonly authentication?: { readonly spf: string; readonly verified: boolean };
    readonly not_answered?: string;
  };
  assert.deepEqual([authentication?.spf, authentication?.verified, not_answered], ['fail', false, 'unverified']);
});
