import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import { makeFetch } from '../../tasks/fetch/index.ts';
import { type Fetched, type Limits, TaskError } from '../../tasks/task.ts';
import { FETCH } from './examples/fetch.ts';
import { clause, context, examplesOf } from './harness.ts';

const PAGE = `<!doctype html><html><head><title>The
  page</title><style>p { color: red }</style><script>alert("<p>no</p>")</script></head><body>
<nav><p>Menu</p></nav><h1>A heading</h1><p>Hello &amp; <a href="/more?a=1&amp;b=2#part" hidden>welcome</a>.</p>
</body></html>`;

interface Answer {
  readonly type: string;
  readonly text: string;
  readonly status?: number;
  readonly cut?: boolean;
}
const PATHS: Record<string, Answer> = {
  '/': { type: 'text/plain', text: 'plain' },
  '/page': { type: 'text/html', text: PAGE },
  '/items': { type: 'application/json', text: '[{"id":1,"name":"\\u00e9"}]' },
  '/broken': { type: 'application/json', text: '{"a":' },
  '/deep': { type: 'application/json', text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
  '/long': { type: 'application/json', text: JSON.stringify('x'.repeat(70_000)) },
  '/odd': { type: 'application/json', text: '["\\u0000","\\ud800","\\ud83d\\ude00","\\\\u0000"]' },
  '/book': { type: 'text/plain', text: '€"\n'.repeat(50_000), cut: true },
  '/picture': { type: 'image/png', text: '\ufffdPNG' },
  '/untitled': { type: 'text/html', text: '<p>only text' },
  '/none': { type: 'text/html', text: '<h1>404', status: 404 },
  '/fence': { type: 'text/html', text: '<title>*a* [b](c) <script></title><p>```<p># not a heading' },
  '/table': { type: 'text/html', text: '<table><tr><th>a<th>b<tr><td>1<td>2</table><ul><li>x<li>y</ul><h2>Case</h2>' },
};
const asked: { url: string; accept: string }[] = [];
const fetched = async (url: string, accept: string): Promise<Fetched> => {
  asked.push({ url, accept });
  const { pathname, href } = new URL(url);
  const { type, text, status = 200, cut = false } = PATHS[pathname] ?? { type: 'text/plain', text: '' };
  return { url: href, status, media_type: type, text, cut };
};

const within = context({ fetch: fetched });
const fetch = makeFetch({ workers: 1, read_ms: 800 });
after(() => fetch.close?.());

const run = async (url: string, as?: string, limits: Limits = within.limits) =>
  (await fetch.run(as === undefined ? { url } : { url, as }, context({ fetch: fetched, limits }))) as {
    result: Json;
    title?: string;
    cut: boolean;
  };
const failure = async (ran: Promise<unknown>): Promise<string> =>
  await ran.then(
    () => assert.fail('it should fail'),
    (error: unknown) => {
      assert.ok(error instanceof TaskError, String(error));
      return error.message;
    },
  );

examplesOf(fetch, FETCH, within);

test('it leaves alone what is about something else', () => {
  for (const says of [
    'summarize https://site.example/page',
    'translate https://site.example/page',
    'remember https://site.example/page',
    'send https://site.example to anna@site.example',
    'compare https://a.example and https://b.example',
    'open package.json',
    'read notes.txt',
    'get 3.5 apples',
    'read it',
    'open the door',
    'get the answer',
    'what is 1.5 times 3.2',
    'write to ada@example.com',
    'example.com',
    'encode https://site.example/page as base64',
    'count the words of https://site.example/page',
  ]) {
    assert.equal(fetch.read(clause(says)), undefined, says);
  }
});

test('what it does not know it knows quickly', async () => {
  const texts = [
    'calculate 12*(3+4)',
    'a.'.repeat(2_000),
    'https://'.repeat(500),
    'get the '.repeat(400),
    'x'.repeat(4_000),
  ];
  for (const says of texts) {
    await assertEffort(10, says.slice(0, 40), () => {
      for (let round = 0; round < 20; round += 1) fetch.read(clause(says));
    });
  }
});

test('it says what it wants', async () => {
  await run('https://site.example/items', 'json');
  assert.match(asked.at(-1)?.accept ?? '', /^application\/json/);
  await run('https://site.example/page', 'title');
  assert.match(asked.at(-1)?.accept ?? '', /^text\/html/);
});

test('what cannot be given is said', async () => {
  const at = 'https://site.example';
  assert.equal(await failure(run(`${at}/none`)), 'site.example answered with status 404 (Not Found).');
  assert.match(await failure(run(`${at}/picture`)), /is not text: it is image\/png/);
  assert.match(await failure(run(`${at}/broken`)), /is not JSON/);
  assert.match(await failure(run(`${at}/page`, 'json')), /is not JSON/);
  assert.match(await failure(run(`${at}/deep`)), /nested too deep/);
  assert.match(await failure(run(`${at}/long`)), /longer than a step may give/);
  assert.match(await failure(run(`${at}/book`, 'json')), /longer than can be read/);
  assert.match(await failure(run(`${at}/untitled`, 'title')), /has no title/);
  assert.match(await failure(run(`${at}/items`, 'links')), /no page, and has no links/);
});

test('a text that is too long is cut so that it fits, and says so', async () => {
  const { result, cut } = await run('https://site.example/book');
  assert.equal(cut, true);
  assert.ok(Buffer.byteLength(JSON.stringify(result)) <= within.limits.output_bytes);
  assert.ok(Buffer.byteLength(JSON.stringify(result)) > within.limits.output_bytes * 0.9);
});

test('JSON is given as stores can keep it', async () => {
  assert.deepEqual((await run('https://site.example/odd')).result, ['\ufffd', '\ufffd', '😀', '\\u0000']);
});

test('tables, lists and headings read as text', async () => {
  assert.equal((await run('https://site.example/table')).result, 'a b\n1 2\n\n- x\n- y\n\nCase');
});

test('a page cannot put its own Markdown into the answer', async () => {
  const output = await run('https://site.example/fence');
  const shown = fetch.show(output, { url: 'https://site.example/fence' });
  assert.ok(shown.startsWith('**\\*a\\* \\[b\\](c)**\n\nFrom https://site.example/fence:\n\n````\n'), shown);
  assert.ok(shown.endsWith('# not a heading\n````'), shown);
});

const HOSTILE_PAGES: Readonly<Record<string, string>> = {
  deep: '<div>'.repeat(200_000),
  links: '<a href=x>'.repeat(50_000),
  tables: '<table><tr><td>'.repeat(50_000),
  titles: '<title '.repeat(100_000),
  spans: `<table><tr><td colspan=1000000000 rowspan=1000000000>x</table>`,
  lists: '<ul><li>'.repeat(50_000),
  entities: '&amp;&#0;&#xd800;'.repeat(50_000),
  comments: '<!--'.repeat(200_000),
  attributes: `<p ${'a="b" '.repeat(150_000)}>`,
  spaces: `<pre>${' \n'.repeat(300_000)}</pre>`,
};
for (const [name, text] of Object.entries(HOSTILE_PAGES)) {
  test(`a hostile page blocks nobody, and the next one is read: ${name}`, async () => {
    PATHS['/hostile'] = { type: 'text/html', text };
    let longest = 0;
    // Only the work of this thread counts between two measurements, not that of other processes.
    let last = process.threadCpuUsage();
    const watch = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.threadCpuUsage();
    }, 5);
    // The title is read by the same parser.
    for (const as of LONG ? [undefined, 'links', 'title'] : ['links']) {
      await run('https://site.example/hostile', as).catch((error: unknown) => assert.ok(error instanceof TaskError));
    }
    clearInterval(watch);
    assert.ok(longest < 500, `the event loop stood for ${Math.round(longest)} ms`);
    assert.equal((await run('https://site.example/page', 'title')).result, 'The page');
  });
}
