import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';

const DAY = 24 * 60 * 60_000;

const dns = await startDns({ 'spf.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } });
after(() => dns[Symbol.asyncDispose]());
const service = await openConsole({ SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address });
const { client, visitor, url, pass } = service;
const { newNamespace, newMailbox } = client;

const home = await newNamespace();
const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
const ownVisitor = visitor();
assert.equal((await ownVisitor.signIn(home.key)).status, 303);

async function mail(body: string, more: Record<string, string> = {}): Promise<string> {
  const from = 'jonas@spf.example';
  const fields = {
    From: `Jonas Berg <${from}>`,
    To: address,
    Subject: 'Drawings',
    'Message-ID': `<${unique()}@spf.example>`,
  };
  const reply = await sendMail(service.smtp?.port ?? 0, {
    from,
    to: [address],
    text: mailText({ ...fields, ...more }, body),
  });
  return /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
}

const HTML = '<p onclick="x()">Hello <b>all</b><img src="https://pixel.example/x.png"></p><script>alert(1)</script>';

test('a mail is shown as text, as HTML that runs and loads nothing, and as it came, until its original is gone', async () => {
  const id = await mail(HTML, { 'Content-Type': 'text/html', Cc: 'Lena Fuchs <lena@spf.example>' });
  const view = async (mail: string) => (await ownVisitor.get(`/console/messages/${id}?mail=${mail}+${id}`)).html;
  const { html, headers } = await ownVisitor.get(`/console/messages/${id}`);
  for (const word of ['HTML', 'Original']) assert.match(html, new RegExp(`data-mode><svg.*?</svg>${word}</a>`));
  assert.match(html, /Jonas Berg<\/b><span class="kind" dir="ltr">jonas@spf\.example<\/span> <span class="ver">/);
  assert.match(html, /<span>Cc<\/span><span class="who-chip" title="lena@spf\.example">[\s\S]*Lena Fuchs/);
  assert.match(headers.get('content-security-policy') ?? '', /frame-src 'self'/);
  const viewed = await view('html');
  const [, frame = ''] =
    /<iframe[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox"[^>]* src="([^"]+)"/.exec(viewed) ?? [];
  assert.match(viewed, /Pictures are off/);
  for (const word of ['Text', 'HTML', 'Original']) assert.match(viewed, new RegExp(`data-mode[^>]*>${word}</a>`));
  const framed = await ownVisitor.get(new URL(frame, `${url}/console/messages/x`).pathname);
  assert.match(framed.html, /Hello <b>all<\/b>/);
  assert.doesNotMatch(framed.html, /script|onclick|pixel\.example/);
  const policy = framed.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", 'sandbox', "frame-ancestors 'self'"])
    assert.ok(policy.includes(part), policy);
  assert.notEqual(framed.headers.get('x-frame-options'), 'DENY');
  assert.match(await view('images'), /src="[^"]+\?images=1"/);
  assert.match(await view('original'), /&lt;script&gt;alert\(1\)/);
  const raw = await ownVisitor.get(`/console/originals/${id}`);
  assert.equal(raw.headers.get('content-type'), 'message/rfc822');
  const stranger = visitor();
  await stranger.signIn((await newNamespace()).key);
  for (const path of [`/console/originals/${id}`, `/console/html/${id}`])
    assert.equal((await stranger.get(path)).status, 404);
  pass(31 * DAY);
  await ownVisitor.signIn(home.key);
  const { seen } = await until(
    10_000,
    () => view('html'),
    (text) => text.includes('Originals are kept'),
  );
  assert.match(seen, /Originals are kept for 30 days\. The text stays\./);
  assert.doesNotMatch(seen, /<iframe/);
});
