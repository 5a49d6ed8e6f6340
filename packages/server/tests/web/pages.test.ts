// Other programs: Chromium.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertFits, assertPage, type Browser, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, type Home, PROOFREAD } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { LONG } from '../../../../tests/soak/length.ts';

const service = await sharedService();
const { newNamespace, newMailbox, newPaused } = connect(service.url);
const browser: Browser = await openBrowser();

/** Bytes on the wire for all of a public page with an empty cache. */
const MAX_BYTES = 60 * 1024;

const PROCEDURES = {
  procedures: [
    {
      name: 'quote-price',
      description: 'The price with tax, as a sentence.',
      parameters: {
        type: 'object',
        properties: { net: { type: 'number', description: 'Before tax' } },
        required: ['net'],
      },
      steps: [{ task: 'calculate', input: { expression: '{{input.net}} * 1.19' } }],
    },
  ],
};

let home: Home;
let pages: Readonly<Record<string, string>>;
before(async () => {
  home = await newNamespace({ display_name: 'Ada Lovelace' });
  const hello = await newMailbox(home, { local_part: 'hello', description: 'مرحبا، من أنت؟', behavior: HELLO });
  const closed = await newMailbox(home, { local_part: 'keys-only', try_out: false, behavior: PROOFREAD });
  const paused = await newPaused(home, { local_part: 'quotes', description: 'A price for your parcel, door to door.' });
  const long = await newMailbox(home, { local_part: 'l'.repeat(64), description: 'W'.repeat(300) });
  const tasks = await newMailbox(home, { local_part: 'tasks', behavior: { name: 'do', settings: PROCEDURES } });
  const agent = await newMailbox(home, { local_part: 'bot', behavior: { name: 'agent' } });
  pages = {
    home: '/',
    'no-results': '/?query=invoice#addresses',
    namespace: `/${home.name}`,
    proofread: '/proofread@agents.mailroom.localhost',
    hello: `/${hello.address}`,
    'no-try-out': `/${closed.address}`,
    paused: `/${paused.address}`,
    long: `/${long.address}`,
    python: `/${hello.address}?lang=python`,
    'connect-a2a': `/${closed.address}?lang=a2a`,
    'connect-claude': `/${long.address}?lang=claude`,
    'not-found': '/nobody@agents.mailroom.localhost',
    new: '/new?local=hello&name=ada',
    'new-agent': '/new?local=bot&name=ada&behavior=agent',
    agent: `/${agent.address}`,
    'console-sign-in': '/console',
    report: '/report',
    status: '/status',
    docs: '/docs',
    'docs-connect': '/docs/connect',
    'docs-do': '/docs/do',
    'docs-sign-in': '/docs/sign-in',
    'docs-security': '/docs/security',
    'docs-client': '/docs/client',
    'docs-webhooks': '/docs/webhooks',
    'docs-a2a': '/docs/a2a',
    'docs-email': '/docs/email',
    'docs-mcp': '/docs/mcp',
    'docs-discovery': '/docs/discovery',
    'docs-proofreading': '/docs/proofreading',
    'docs-outside': '/docs/outside',
    'docs-operations': '/docs/operations',
    'docs-api': '/docs/api',
    'docs-keys': '/docs/api/keys',
    'docs-messages': '/docs/api/messages',
    'docs-answers': '/docs/api/answers',
    'docs-search': '/docs/search?query=status',
    'docs-nothing': '/docs/search?query=invoice',
    do: '/do@agents.mailroom.localhost',
    tasks: `/${tasks.address}`,
    problems: '/problems',
    problem: '/problems/rate_limited',
  };
});

/** Pages too long for a full-page picture. */
const TALL = new Set(['docs', 'docs-security', 'docs-operations', 'docs-messages']);
/** Pages of thousands of elements, guides and pages of an address, made as others are: axe sees them in the long form alone. */
const ALIKE = new Set([
  ...['no-results', 'long', 'no-try-out', 'python', 'connect-claude', 'new-agent', 'problem', 'docs-api', 'docs-do'],
  ...['docs-security', 'docs-operations', 'docs-messages'],
  ...['docs-sign-in', 'docs-client', 'docs-webhooks', 'docs-a2a', 'docs-email', 'docs-mcp', 'docs-answers'],
  ...['docs-connect', 'docs-discovery', 'docs-outside', 'docs-keys'],
]);

// The phone comes first, so that axe sees these pages there; it sees those of other files on a wide window.
for (const [width, theme] of looks([
  [390, 'dark'],
  [1280, 'light'],
] as const)) {
  test(`each page is accessible, fits and keeps to its policy: ${width} px`, async () => {
    const { page, wrongs } = await browser.open('about:blank', { width, theme, touch: width === 390 });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(service.url + path);
      if (ALIKE.has(name) && !LONG) await assertFits(page, name);
      else await assertPage(page, name, theme, !TALL.has(name));
    }
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

describe('over the wire', () => {
  for (const name of ['home', 'namespace', 'proofread', 'hello', 'new']) {
    test(`all of the page ${name} is under 60 KB`, async (t) => {
      const tab = await browser.open('about:blank', { fresh: true });
      await tab.page.goto(service.url + pages[name], { waitUntil: 'networkidle' });
      t.diagnostic(`${(tab.bytes() / 1024).toFixed(1)} KB`);
      assert.ok(tab.bytes() < MAX_BYTES, `${tab.bytes()} bytes`);
      await tab.page.context().close();
    });
  }
});

test('each public page says all it says without scripts', async () => {
  const { page, wrongs } = await browser.open('about:blank', { scripts: false });
  for (const name of ['home', 'namespace', 'proofread', 'hello', 'new', 'console-sign-in', 'report']) {
    await page.goto(service.url + pages[name]);
    assert.equal(await page.locator('h1').first().isVisible(), true, name);
    assert.equal((await page.locator('main button:visible').count()) > 0 || name === 'namespace', true, name);
  }
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('the search of the docs shows what it finds as it is typed, and the same without scripts', async () => {
  const tab = await browser.open(`${service.url}/docs/search`);
  await tab.page.keyboard.press('/');
  await tab.page.keyboard.type('rate_limited');
  const link = tab.page.locator('[data-results] a', { hasText: 'rate_limited' });
  await link.waitFor();
  assert.equal(new URL(tab.page.url()).search, '?query=rate_limited');
  assert.deepEqual(tab.wrongs, []);
  await tab.page.context().close();
  const plain = await browser.open(`${service.url}/docs/do`, { scripts: false, width: 390 });
  await plain.page.getByRole('searchbox').fill('rate_limited');
  await plain.page.getByRole('button', { name: 'Search' }).click();
  await plain.page.locator('[data-results] a', { hasText: 'rate_limited' }).click();
  assert.equal(new URL(plain.page.url()).pathname, '/problems/rate_limited');
  await plain.page.context().close();
});
