import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { type Answer, connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { CODES } from '../../../../tests/harness/wire.ts';
import { anchorOf } from '../../transports/api/docs/markdown.ts';

const service = await sharedService();
const { api, newNamespace } = connect(service.url);
const pages = new Map<string, Promise<Answer<unknown>>>();
/** The answer for a page, asked for once. */
function answerOf(path: string): Promise<Answer<unknown>> {
  const asked = pages.get(path) ?? api('GET', `/${path}`);
  pages.set(path, asked);
  return asked;
}
const page = async (path: string): Promise<string> => (await answerOf(path)).text;
const PROOFREADER = 'proofread@agents.mailroom.localhost';
const GUIDES = [
  '/docs/connect',
  '/docs/client',
  '/docs/webhooks',
  '/docs/a2a',
  '/docs/email',
  '/docs/mcp',
  '/docs/discovery',
  '/docs/do',
  '/docs/proofreading',
  '/docs/outside',
  '/docs/sign-in',
  '/docs/security',
  '/docs/operations',
  '/docs/api',
];
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');
const start = await page('/docs');
const NOUNS = [...new Set(all(start, /href="(docs\/api\/[a-z-]+)"/g))].map((path) => `/${path}`);
/** The reference has one page per noun. */
const reference = (await Promise.all(NOUNS.map(page))).join('\n');
const PAGES = [
  '/docs',
  ...GUIDES,
  ...NOUNS,
  '/docs/search?query=status',
  '/docs/search?query=zzzz',
  '/problems',
  ...Object.keys(CODES).map((code) => `/problems/${code}`),
];

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly 'x-codes'?: readonly string[] }>>;
}
const openapi = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));

test('the reference holds every endpoint of the OpenAPI document', () => {
  assert.ok(operations.length >= 27);
  for (const { operationId } of operations) assert.ok(reference.includes(`<h2 id="${operationId}">`), operationId);
});

test('every code is in the OpenAPI document, with its status', () => {
  const seen = new Map<string, string>();
  for (const { responses } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      for (const code of answer['x-codes'] ?? []) seen.set(code, status);
    }
  }
  for (const [code, status] of Object.entries(CODES)) assert.equal(seen.get(code), String(status), code);
});

test('pages load nothing from elsewhere and run only what every page runs', async () => {
  for (const path of PAGES) {
    const { text, headers } = await answerOf(path);
    assert.doesNotMatch(text, /<(iframe|object|embed|img|base)\b|\son\w+=|\sstyle=|<style/i, path);
    for (const action of all(text, /<form[^>]* action="([^"]*)"/g)) assert.match(action, /^(?:\.\.\/)*docs\/search$/);
    for (const script of all(text, /(<script[\s\S]*?<\/script>)/g)) {
      assert.match(
        script,
        /^<script type="module" src="(?:\.\.\/)*static\/(?:page|docs)\.[0-9a-f]{10}\.js"><\/script>$/,
        path,
      );
    }
    // External links of a guide are not loaded with it.
    const elsewhere = new Set(GUIDES.includes(path) ? all(text, /<a href="(https:[^"]*)"/g) : []);
    for (const link of all(text, /(?:href|src)="([^"]*)"/g)) {
      if (elsewhere.has(link)) continue;
      assert.ok(!/^([a-z]+:)?\/\//i.test(link) && !link.startsWith('/'), `${path}: ${link} is relative`);
    }
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      assert.ok(policy.includes(rule), `${path}: ${rule}`);
    }
  }
});

/** The content behind a link; AssertionError when there is none. */
async function endpointUrl(path: string): Promise<string> {
  const { status, text } = await answerOf(path);
  assert.equal(status, 200, path);
  assert.notEqual(text, '', path);
  return text;
}

test('links lead somewhere, and ids are there once', async () => {
  const reachable = new Map<string, string>();
  for (const path of PAGES) {
    const text = await page(path);
    const ids = all(text, /\sid="([^"]*)"/g);
    assert.equal(new Set(ids).size, ids.length, `${path}: ids`);
    for (const link of new Set(all(text, /href="([^"]*)"/g))) {
      if (/^(?:data|https):/.test(link)) continue;
      const { pathname, search, hash } = new URL(link, service.url + path);
      const known = reachable.get(pathname + search) ?? (await endpointUrl(pathname + search));
      reachable.set(pathname + search, known);
      if (hash !== '') assert.ok(known.includes(`id="${hash.slice(1)}"`), `${path}: ${link}`);
    }
  }
});

test('pages are in order for who listens to them', async () => {
  for (const path of PAGES) {
    const text = await page(path);
    const levels = all(text, /<h([1-6])\b/g).map(Number);
    assert.equal(levels.filter((level) => level === 1).length, 1, `${path}: one h1`);
    levels.forEach((level, at) => {
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `${path}: h${level} after h${levels[at - 1]}`);
    });
    assert.match(text, /<html lang="en">/);
    assert.match(text, /<a class="skip" href="#main">/);
    assert.equal(all(text, /<(main)\b/g).length, 1);
    for (const table of all(text, /<table([\s\S]*?)<\/table>/g)) assert.match(table, /<th[^>]* scope="col"/, path);
  }
});

test('the longest page of the reference and its styles are under 60 KB on the wire', async () => {
  const longest = (await Promise.all(NOUNS.map(page))).reduce((a, b) => (a.length > b.length ? a : b));
  const styles = all(longest, /rel="stylesheet" href="([^"]*)"/g);
  assert.equal(styles.length, 2);
  let bytes = brotliCompressSync(longest).length;
  for (const style of styles) {
    const css = await api('GET', `//${style.replaceAll('../', '')}`);
    assert.match(css.headers.get('content-type') ?? '', /^text\/css/);
    assert.match(css.headers.get('cache-control') ?? '', /immutable/);
    bytes += brotliCompressSync(css.text).length;
  }
  assert.ok(bytes < 60_000, `${bytes} bytes`);
});

test('the pages are of the same site as all others: its header, its footer, its typeface, and code to copy', async () => {
  const home = await page('/');
  const place = (text: string, pattern: RegExp): string =>
    (pattern.exec(text)?.[0] ?? '').replaceAll(/href="(?:(?:\.\.\/)+|\.\/)?/g, 'href="');
  for (const path of PAGES) {
    const text = await page(path);
    for (const part of [/<header[\s\S]*?<\/header>/, /<footer[\s\S]*?<\/footer>/, /<link rel="preload"[^>]*>/]) {
      assert.equal(place(text, part), place(home, part), path);
    }
    const copied = all(text, /data-copy-from="([^"]*)"/g);
    assert.deepEqual(copied, all(text, /<pre><code id="([^"]*)">/g), path);
  }
});

test('a page that did not change is not sent again', async () => {
  for (const path of ['/docs', '/docs/do', '/docs/api/messages', '/docs/do.md', '/problems', '/problems/internal']) {
    const etag = (await api('GET', `/${path}`)).headers.get('etag') ?? '';
    assert.match(etag, /^W\/"/, path);
    const again = await api('GET', `/${path}`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304, path);
    assert.equal(again.text, '');
    assert.equal((await api('GET', `/${path}`, { headers: { 'if-none-match': 'W/"other"' } })).status, 200);
  }
});

test('the way to the reference', async () => {
  for (const [path, status, to] of [
    ['/docs/', 308, '/docs'],
    ['/docs/do/', 308, '/docs/do'],
    ['/docs/api/', 308, '/docs/api'],
    ['/docs/api/messages/', 308, '/docs/api/messages'],
    ['/problems/', 308, '/problems'],
    ['/problems/internal/', 308, '/problems/internal'],
  ] as const) {
    const answer = await api('GET', `/${path}`);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('location'), to);
  }
});

test('a code is explained as JSON to who prefers it, else as a page', async () => {
  for (const [accept, type] of [
    ['application/json', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
  ] as const) {
    const answer = await api<{ code: string } & Record<'mend', string[]>>('GET', '//problems/mailbox_full', {
      headers: { accept },
    });
    assert.ok(answer.headers.get('content-type')?.startsWith(type), accept);
    assert.match(answer.headers.get('vary') ?? '', /accept/i);
    if (type === 'application/json') assert.ok(answer.body.code === 'mailbox_full' && answer.body.mend.length > 0);
  }
  const list = await api<{ items: { code: string }[] }>('GET', '//problems', {
    headers: { accept: 'application/json' },
  });
  assert.deepEqual(list.body.items.map(({ code }) => code).sort(), Object.keys(CODES).sort());
  for (const name of ['constructor', '__proto__', 'toString'])
    isProblem(await api('GET', `//problems/${name}`), 'not_found');
});

test('each code has a text of its own', async () => {
  const texts = await Promise.all(
    Object.keys(CODES).map(async (code) => {
      const { body } = await api<{ means: string } & Record<'mend', string[]>>('GET', `//problems/${code}`, {
        headers: { accept: 'application/json' },
      });
      return [body.means, body.mend.join(' ')];
    }),
  );
  assert.equal(new Set(texts.map(([means]) => means)).size, texts.length);
  assert.equal(new Set(texts.map(([, fixes]) => fixes)).size, texts.length);
});

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
const asText = (html: string): string =>
  html.replace(/<[^>]+>/g, '').replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

test('the answer shown for a message that is tried is what the service answers to it', async () => {
  const { key } = await newNamespace({ name: unique('docs') });
  const body = { to: PROOFREADER, body: 'I has a apple.', sync: true };
  const { body: sample } = await api('POST', '/mail/send', { key, body });
  const { reply } = sample as { reply: { body: string; data: unknown } };
  const shown = asText(await page('/docs/api/messages'));
  assert.ok(shown.includes(JSON.stringify(reply.body)), reply.body);
  assert.ok(shown.replace(/\s+/g, '').includes(JSON.stringify(reply.data).replace(/\s+/g, '')));
});

test('links that led into the one page that the reference was lead to the right place', () => {
  const ids = new Set(all(start, /\sid="([^"]*)"/g));
  const sections = ['start', 'answers', 'authentication', 'idempotency', 'limits', 'errors', 'paging'];
  for (const id of [...sections, 'messages', 'sign-in', ...operations.map(({ operationId }) => operationId)])
    assert.ok(ids.has(id), id);
});

test('the guides are pages with a table of contents and anchors as code hosts make them, moved to this service', async () => {
  const guide = await page('/docs/do');
  for (const heading of ['what-it-can-do', 'who-may-do-what', 'receipts', 'with-a-language-model']) {
    assert.match(guide, new RegExp(`<h2 id="${heading}"><a href="#${heading}">`));
    assert.match(guide, new RegExp(`<li><a href="#${heading}">`), 'in the contents');
  }
  const { port } = new URL(service.url);
  assert.ok(guide.includes(`localhost:${port}/api/v1/mail/try`));
  for (const path of GUIDES)
    assert.doesNotMatch(await page(path), /localhost:8080|href="[^"]*\.(?:ts|conf)\b|href="[^":]*\.md#/, path);
  assert.match(await page('/docs/security'), /<a href="\.\.\/docs\/operations#rate-limits">/);
  assert.match(await page('/docs/security'), /<a href="\.\.\/docs\/sign-in">/);
});

test('the links of the guides lead to what is there in the source, too', () => {
  const folder = join(import.meta.dirname, '../../../../docs');
  for (const file of ['do.md', 'auth.md', 'security.md', 'operations.md']) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const target of all(text, /\]\(([^()\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', hash] = target.split('#');
      const there = path === '' ? join(folder, file) : join(folder, path);
      assert.ok(existsSync(there), `${file}: ${target}`);
      if (hash === undefined) continue;
      const taken = new Set<string>();
      const anchors = all(readFileSync(there, 'utf8'), /^#{2,6} (.+)$/gm).map((title) =>
        anchorOf(title.replaceAll('`', ''), taken),
      );
      assert.ok(anchors.includes(hash), `${file}: ${target}`);
    }
  }
});

test('each page is there as Markdown, by its path and for who prefers it', async () => {
  for (const path of ['/docs', ...GUIDES, ...NOUNS, '/problems', '/problems/rate_limited']) {
    const named = await api('GET', `/${path}.md`);
    const markdownPage = await api('GET', `/${path}`, { headers: { accept: 'text/markdown' } });
    for (const answer of [named, markdownPage]) {
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/markdown/, path);
      assert.match(answer.headers.get('vary') ?? '', /accept/i);
    }
    assert.equal(named.text, markdownPage.text, path);
    assert.match(named.text, /^# /);
    assert.doesNotMatch(named.text, /\[object|\]\(\//, path);
    assert.match(
      await page(path),
      new RegExp(`<link rel="alternate" type="text/markdown" href="[./]*${path.slice(1)}\\.md">`),
    );
  }
  const problems = await page('/problems.md');
  for (const code of Object.keys(CODES)) assert.ok(problems.includes(`## ${code}\n`), code);
  const messages = await page('/docs/api/messages.md');
  for (const part of [
    '`POST /api/v1/mail/send` (`sendMessage`). Key with `mail:send`.',
    '- `status` (string)',
    'Example answer:',
  ])
    assert.ok(messages.includes(part), part);
});

test('links of the Markdown pages lead somewhere', async () => {
  const links = new Set<string>();
  for (const path of ['/docs', ...GUIDES, ...NOUNS, '/problems']) {
    for (const link of all(await page(`${path}.md`), /\]\((http:\/\/localhost:[^)#\s]+)/g))
      links.add(new URL(link).pathname);
  }
  assert.ok(links.size > 30);
  for (const link of links) await endpointUrl(link);
});

test('the search finds operations, fields, codes and guides without a script', async () => {
  for (const [query, kind, path] of [
    ['send a message', 'Operations', '../docs/api/messages#sendMessage'],
    ['How do I send a message?', 'Operations', '../docs/api/messages#sendMessage'],
    ['how can people sign in', 'Guides', '../docs/sign-in'],
    ['createKey', 'Operations', '../docs/api/keys#createKey'],
    ['status', 'Fields', '../docs/api/messages#'],
    ['status', 'Guides', '../docs/api#status-of-a-message'],
    ['422', 'Codes', '../problems/validation_error'],
    ['RATE_LIMITED', 'Codes', '../problems/rate_limited'],
    ['passkey', 'Guides', '../docs/sign-in#for-people'],
    ['receipt', 'Guides', '../docs/do#receipts'],
  ] as const) {
    const text = await page(`/docs/search?query=${encodeURIComponent(query)}`);
    const section = text.split('<section>').find((one) => one.startsWith(`<h2>${kind}</h2>`));
    assert.ok(section?.includes(`href="${path}`), `${query}: ${path}`);
    assert.ok(text.includes(`value="${query}"`));
  }
});

test('a search is bounded, and what was searched for is text', async () => {
  const hostile = '"><script>alert(1)</script>';
  const text = await page(`/docs/search?query=${encodeURIComponent(hostile)}`);
  assert.ok(text.includes('Nothing found for “&quot;&gt;&lt;script&gt;'));
  assert.doesNotMatch(text, /<script>/);
  assert.match(await page('/docs/search'), /Type a word/);
  assert.match(await page('/docs/search?query=a&query=b'), /Type a word/);
  const max = await page('/docs/search?query=e');
  assert.ok(
    all(max, /(<li><a href="\.\.\/(?:docs|problems)[^"]*">(?:<code>|[A-Z]))/g).length <= 32 + 40,
    'eight of a kind',
  );
  const long = await api('GET', `//docs/search?query=${'a%20'.repeat(2_000)}`);
  assert.equal(long.status, 200);
  assert.ok(long.text.length < 20_000);
});

test('a search costs a page of the limit, as it is made for each who asks', async () => {
  const limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_PAGES_PER_MINUTE: '2' } });
  const statuses: number[] = [];
  for (let asked = 0; asked < 3; asked++) statuses.push((await fetch(`${limited.url}/docs/search?query=a`)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal((await fetch(`${limited.url}/docs`)).status, 200);
});

test('a guide links to the pages of the site that it names', async () => {
  const guide = await page('/docs/connect');
  for (const path of ['new', 'docs/api/keys', 'docs/a2a'])
    assert.match(guide, new RegExp(`href="(?:/|\\.\\./)*${path}"`), path);
  assert.doesNotMatch(guide, /<code>\/new<\/code>/);
});
