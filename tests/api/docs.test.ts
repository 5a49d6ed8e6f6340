import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { connect, unique } from '../harness/client.ts';
import { isProblem } from '../harness/problem.ts';
import { serve } from '../harness/service.ts';
import { CODES } from '../harness/wire.ts';

const service = await serve();
const { api, newNamespace } = connect(service.url);
const page = async (path: string): Promise<string> => (await api('GET', `/${path}`)).text;
const docs = await page('/docs');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');
const PAGES = ['/docs', '/problems', ...Object.keys(CODES).map((code) => `/problems/${code}`)];

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly 'x-codes'?: readonly string[] }>>;
}
const openapi = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));

test('the reference holds every endpoint of the OpenAPI document', () => {
  assert.ok(operations.length >= 27);
  for (const { operationId } of operations) assert.ok(docs.includes(`<h3 id="${operationId}">`), operationId);
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
    const { text, headers } = await api('GET', `/${path}`);
    assert.doesNotMatch(text, /<(iframe|object|embed|img|form|base)\b|\son\w+=|\sstyle=|<style/i, path);
    for (const script of all(text, /(<script[\s\S]*?<\/script>)/g)) {
      assert.match(script, /^<script type="module" src="(\.\.\/)?static\/page\.[0-9a-f]{10}\.js"><\/script>$/, path);
    }
    for (const link of all(text, /(?:href|src)="([^"]*)"/g)) {
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

/** What a link leads to; AssertionError when that is nothing. */
async function reached(path: string): Promise<string> {
  const { status, text } = await api('GET', `/${path}`);
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
      if (link.startsWith('data:')) continue;
      const { pathname, search, hash } = new URL(link, service.url + path);
      const known = reachable.get(pathname + search) ?? (await reached(pathname + search));
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

test('the reference and its styles are under 60 KB on the wire', async () => {
  const styles = all(docs, /rel="stylesheet" href="([^"]*)"/g);
  assert.equal(styles.length, 2);
  let bytes = brotliCompressSync(docs).length;
  for (const style of styles) {
    const css = await api('GET', `//${style}`);
    assert.match(css.headers.get('content-type') ?? '', /^text\/css/);
    assert.match(css.headers.get('cache-control') ?? '', /immutable/);
    bytes += brotliCompressSync(css.text).length;
  }
  assert.ok(bytes < 60_000, `${bytes} bytes`);
});

test('the pages are of the same site as all others: its header, its footer, its typeface, and code to copy', async () => {
  const home = await page('/');
  const place = (text: string, pattern: RegExp): string =>
    (pattern.exec(text)?.[0] ?? '').replaceAll(/href="(\.\.\/|\.\/)?/g, 'href="');
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
  for (const path of ['/docs', '/problems', '/problems/internal']) {
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
    const answer = await api<{ code: string; mend: string[] }>('GET', '//problems/mailbox_full', {
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
      const { body } = await api<{ means: string; mend: string[] }>('GET', `//problems/${code}`, {
        headers: { accept: 'application/json' },
      });
      return [body.means, body.mend.join(' ')];
    }),
  );
  assert.equal(new Set(texts.map(([means]) => means)).size, texts.length);
  assert.equal(new Set(texts.map(([, mend]) => mend)).size, texts.length);
});

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
const asText = (html: string): string =>
  html.replace(/<[^>]+>/g, '').replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

test('every command on the page works as it is pasted', async () => {
  const home = await newNamespace({ name: unique('docs') });
  const commands = all(docs, /<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)
    .map(asText)
    .filter((text) => text.includes('curl'));
  assert.ok(commands.length > operations.length);
  for (const command of commands) {
    // There is no failed message to send again, and none that waits for a decision.
    if (/\/(?:retry|approve|refuse)\b/.test(command)) continue;
    const env = { PATH: process.env.PATH ?? '', MAILROOM_KEY: home.key, NAMESPACE: home.name };
    const here = command.replaceAll('http://localhost:', 'http://127.0.0.1:');
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { env });
    assert.doesNotMatch(
      stdout,
      /"type":"urn:mailroom:problem:\w+"[\s\S]*"request_id":"(?!req_5b1c7d0e9f2a4836b1c0)/,
      command,
    );
    if (!command.includes('-X DELETE')) assert.notEqual(stdout.trim(), '', command);
  }
});
