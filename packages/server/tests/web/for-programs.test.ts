import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';
import { renderMarkdown } from '../../http/markdown.ts';
import {
  homeMarkdown,
  type Listed,
  llmsTxt,
  mailboxMarkdown,
  namespaceMarkdown,
  newMarkdown,
  robotsTxt,
  type SiteUrls,
  securityTxt,
} from '../../transports/web/for-programs.ts';

const run = promisify(execFile);
const service = await serveInside({ env: { LIMIT_TRIES_PER_MINUTE: '100' } });
const client = connect(service.url);
const place: SiteUrls = {
  baseUrl: service.url,
  mailDomain: MAIL_DOMAIN,
  takesMail: 'no',
  triesPerMinute: 10,
  triesPerDay: 100,
  sendsPerMinute: 600,
  namespacesPerHour: 20,
  guestBody: 8192,
  body: 262_144,
};
const DOCUMENTS = [{ path: 'docs', title: 'Docs', line: 'All there is to read.' }];
const proofread: Listed = {
  local_part: 'proofread',
  domains: [],
  namespace: 'agents',
  behavior: 'proofread',
  description: 'Corrects your text and says why.',
  display_name: null,
  status: 'online',
  access: 'public',
  try_out: true,
};
const address = `proofread@agents.${MAIL_DOMAIN}`;
const commands = (text: string): string[] =>
  [...text.matchAll(/```sh\n(curl[\s\S]*?)\n```/g)].map(([, code]) => code as string);

test('with the text of a mailbox alone one can write to it: its commands work as they are pasted', async () => {
  const text = mailboxMarkdown(proofread, "It could of been 'worse'", place);
  const [guest, keyed, ...more] = commands(text);
  assert.deepEqual(more, []);
  const env = { PATH: process.env.PATH, MAILROOM_KEY: service.ownerKey };
  for (const command of [guest, keyed]) {
    const { stdout } = await run('sh', ['-c', command as string], { env });
    const answer = JSON.parse(stdout);
    assert.equal(answer.to, address);
    assert.equal(answer.reply.data.corrected_text, "It could have been 'worse'");
  }
  for (const word of [
    'thread_token',
    'data.edits',
    '10 messages a minute',
    '100 a day',
    '8 KiB',
    'MAILROOM_KEY',
    'openapi.json',
  ])
    assert.ok(text.includes(word), word);
});

test('every other text holds a command too, and names what it lists', async () => {
  for (const text of [
    homeMarkdown([proofread], place),
    namespaceMarkdown({ name: 'agents', display_name: 'Mailroom' }, [proofread], place),
    llmsTxt([proofread], place, DOCUMENTS),
  ]) {
    const { stdout } = await run('sh', ['-c', commands(text)[0] as string], { env: { PATH: process.env.PATH } });
    assert.equal(JSON.parse(stdout).status, 'completed');
    assert.match(text, /^# /);
    assert.ok(text.includes(`(${service.url}/${address}.md): Corrects your text and says why.`));
  }
  assert.match(
    llmsTxt([], place, DOCUMENTS),
    /^# Mailroom\n\n> [^\n]+\n\n[^#]+\n## API\n\n- \[/,
    'as llmstxt.org has it',
  );
  assert.match(namespaceMarkdown({ name: 'ada', display_name: null }, [], place), /No address is listed here\./);
});

test('with the text about new addresses alone one can make one', async () => {
  const made = testBehaviors();
  const name = unique('n');
  const text = newMarkdown(made, place);
  const [first, second, ...more] = commands(text.replaceAll('your-name', name));
  assert.deepEqual(more, []);
  const env = { PATH: process.env.PATH };
  const { stdout } = await run('sh', ['-c', first as string], { env });
  const { secret } = JSON.parse(stdout).key;
  const answer = await run('sh', ['-c', second as string], { env: { ...env, MAILROOM_KEY: secret } });
  const { address: own, description } = JSON.parse(answer.stdout);
  assert.equal(own, `hello@${name}.${MAIL_DOMAIN}`);
  assert.equal(description, 'What it does, in one line.');
  assert.ok((await (await fetch(`${service.url}/${own}.md`)).text()).startsWith(`# ${own}`));
  for (const part of [
    '### hello',
    '### proofread',
    '- `introduction`: optional text, at most 8192 characters. Markdown, up to 8 KiB.',
    '- `links`: optional list of `{"label", "url"}`, at most 20.',
    '- `type`: optional one of `"Person"`, `"Organization"`.',
    '`"harper"` if left out',
    '20 an hour',
    'To solve a challenge:',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
  assert.doesNotMatch(text, /undefined|\[object/);
});

test('a mailbox that takes no guests, or is away, is said to', () => {
  const text = mailboxMarkdown({ ...proofread, try_out: false, status: 'paused' }, 'Hi', place);
  assert.equal(commands(text).length, 1);
  assert.match(text, /with a key only/);
  assert.match(text, /paused by its owner/);
});

test('what people wrote stays on its line, and is text', async () => {
  const description =
    '](javascript:x) <script> # a\n## b\n- [c](https://evil.example) `d` https://evil.example ![x](y)';
  const text = llmsTxt([{ ...proofread, description }], place, []);
  assert.doesNotMatch(text, /^## b/m);
  const { text: shown } = await renderMarkdown(text);
  assert.doesNotMatch(shown, /evil\.example"|javascript:x"/);
});

test('the page that makes addresses has its text, and unfolds where its link is pasted', async () => {
  const page = await fetch(`${service.url}/new`, { headers: { accept: 'text/html' } });
  const html = await page.text();
  assert.match(html, /<meta property="og:image" content="[^"]+\/static\/card\.png">/);
  assert.match(html, /<link rel="alternate" type="text\/markdown" href="new\.md">/);
  const [asked, named] = await Promise.all([
    fetch(`${service.url}/new`, { headers: { accept: 'text/markdown' } }),
    fetch(`${service.url}/new.md`),
  ]);
  for (const response of [asked, named]) {
    assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(response.headers.get('vary') ?? '', /accept/i);
  }
  assert.equal(await asked.text(), await named.text());
  for (const path of ['llms.txt', 'index.md', 'proofread@agents.mailroom.localhost.md'])
    assert.ok((await (await fetch(`${service.url}/${path}`)).text()).includes('/new.md)'), path);
  // Link previews respect robots.txt.
  assert.doesNotMatch(robotsTxt('https://m.example'), /Disallow: \/new\$/);
});

test('robots.txt names the sitemap, and security.txt is valid for less than a year', () => {
  assert.match(
    robotsTxt('https://m.example'),
    /^User-agent: \*\n(Disallow|Allow): [\s\S]*\nSitemap: https:\/\/m\.example\/sitemap\.xml\n$/,
  );
  const now = Date.UTC(2026, 10, 20, 8);
  const security = securityTxt('https://m.example', 'mailto:a@m.example', now);
  const fields = new Map(
    security
      .trim()
      .split('\n')
      .map((line) => line.split(': ', 2) as [string, string]),
  );
  assert.deepEqual([...fields.keys()], ['Contact', 'Expires', 'Preferred-Languages', 'Canonical']);
  const expires = Date.parse(fields.get('Expires') as string);
  assert.ok(expires > now && expires < now + 365 * 86_400_000);
});

const QUOTE = {
  name: 'quote-price',
  description: 'The price with tax, as a sentence.',
  parameters: {
    type: 'object',
    properties: { net: { type: 'number', description: 'Before tax, in euros' }, for: { type: 'string' } },
    required: ['net'],
  },
  steps: [{ task: 'calculate', input: { expression: '{{input.net}} * 1.19' } }],
};
const textOf = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await fetch(`${service.url}/${path}`, { headers })).text();

test('the text of a mailbox with tasks names those that its reader may use, each with an example that works', async () => {
  const guest = await textOf(`do@agents.${MAIL_DOMAIN}.md`);
  const usable = guest.slice(guest.indexOf('## What it can do'), guest.indexOf('## Receipts'));
  const entries = [...usable.matchAll(/^- `(\w+)`: .+ Example: `(.+)`$/gm)];
  assert.deepEqual(entries.map(([, name]) => name as string).sort(), [
    'calculate',
    'convert',
    'encode',
    'json',
    'random',
    'run',
    'table',
    'text',
    'time',
  ]);
  for (const [, name, body] of entries) {
    const answer = await client.tryOut({ to: `do@agents.${MAIL_DOMAIN}`, body: body ?? '' });
    assert.equal(answer.body.status, 'completed', `${name}: ${body}`);
  }
  assert.match(usable, /With a key of its namespace, also: .*`send`/);
  const owner = await textOf(`do@agents.${MAIL_DOMAIN}.md`, { authorization: `Bearer ${service.ownerKey}` });
  assert.match(owner, /^- `send`: .+ Example: `.+`$/m);
  for (const part of ['`jws`', 'RFC 7515', '/.well-known/jwks.json', 'compare its payload'])
    assert.ok(guest.includes(part), part);
});

test('the text and the page of a mailbox with procedures tell what its owner taught it, with their inputs', async () => {
  const home = await client.newNamespace();
  const created = await client.newMailbox(home, {
    local_part: 'tasks',
    behavior: { name: 'do', settings: { procedures: [QUOTE] } },
  });
  const text = await textOf(`${created.address}.md`);
  for (const part of [
    '- `quote-price`: The price with tax, as a sentence. Taught by its owner.',
    '  - `net`: number. Before tax, in euros',
    '  - `for`: optional text',
    '  - Example: `quote price: {"net":100,"for":"some text"}`',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
  const answer = await client.tryOut({ to: created.address, body: 'quote price: {"net":100,"for":"some text"}' });
  assert.match(answer.body.reply?.body ?? '', /119/);
  const page = await textOf(created.address, { accept: 'text/html' });
  assert.match(page, /<code>net<\/code> number\. <span dir="auto">Before tax, in euros<\/span>/);
  assert.match(page, /<code>for<\/code> text, optional/);
  assert.match(page, /href="docs\/do#receipts"/);
});

test('every page that offers an address says that e-mail to it is not delivered while that is off', async () => {
  const address = `proofread@agents.${MAIL_DOMAIN}`;
  for (const path of ['', address, `${address}.md`, 'index.md', 'llms.txt', 'new.md', 'agents.md'])
    assert.match(await textOf(path), /E-mail to (?:it|them) is not delivered\./, path);
});

test('llms.txt names the Markdown of every page of the docs and of the problems, and the sitemap the pages', async () => {
  const text = await textOf('llms.txt');
  const section = text.slice(text.indexOf('## Docs'), text.indexOf('## Addresses'));
  const paths = [...section.matchAll(/\]\(https?:\/\/[^/]+\/([^)]+)\.md\)/g)].map(([, path]) => path as string);
  for (const path of ['docs', 'docs/do', 'docs/sign-in', 'docs/security', 'docs/api', 'docs/api/messages', 'problems'])
    assert.ok(paths.includes(path), path);
  const map = await textOf('sitemap.xml');
  for (const path of paths) {
    const response = await fetch(`${service.url}/${path}.md`);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(await response.text(), /^# /);
    assert.match(map, new RegExp(`<loc>[^<]+/${path}</loc>`));
  }
});
