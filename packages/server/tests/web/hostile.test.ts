import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { readForm } from '../../http/forms.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, tryOut } = connect(service.url);

const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
    redirect: 'manual',
  });
const fields = (of: Record<string, string>): string => new URLSearchParams(of).toString();

describe('a hostile form', () => {
  test('of too many fields is refused before any of them is read', async () => {
    const flood = Buffer.from('a&'.repeat(1_000));
    flood.toString = () => assert.fail('it was read');
    assert.throws(() => readForm(flood), /no more than 1000 fields/);
    assert.equal((await post('/new', 'a&'.repeat(100_000))).status, 422);
  });

  test('that is larger than forms are is refused whole', async () => {
    assert.equal((await post('/new', `a=${'x'.repeat(300_000)}`)).status, 413);
  });

  test('makes no page that is many times as large as itself', async () => {
    const rows = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [String(at), ''])));
    const form = { do: 'choose', name: unique(), local: 'a', behavior: 'hello', 'settings.hello.languages~json': rows };
    const page = await (await post('/new', fields(form))).text();
    assert.ok(page.length < 8 * rows.length, `${page.length} characters`);
  });

  for (const [what, json] of [
    ['U+0000', '"a\\u0000b"'],
    ['half a surrogate pair', '"a\\ud800b"'],
    ['a hundred thousand levels', '['.repeat(50_000) + ']'.repeat(50_000)],
  ] as const) {
    test(`stores no ${what} that came as JSON`, async () => {
      const name = unique();
      const form = { do: 'make', name, local: 'a', behavior: 'hello', 'settings.hello.introduction~json': json };
      // JSON that our parser refuses stays text, which contains neither character.
      assert.ok((await post('/new', fields(form))).status < 500);
      const { body } = await tryOut({ to: `a@${name}.mailroom.localhost`, body: 'Hi' });
      const said = body.reply?.body ?? '';
      assert.ok(said.isWellFormed() && !said.includes('\0'));
    });
  }

  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    test(`with ${name} where a word was to be chosen is no error of ours`, async () => {
      const base = { name: unique(), local: 'a', behavior: 'hello' };
      for (const act of ['choose', 'make', 'preview']) {
        for (const field of [
          'settings.hello.type',
          'settings.hello.languages.0~key',
          'behavior',
          'do',
          'local',
          'name',
        ]) {
          const answer = await post(
            '/new',
            fields({ do: act, ...base, 'settings.hello.languages.0': 'x', [field]: name }),
          );
          assert.ok(answer.status < 500, `${act} ${field}: ${answer.status}`);
        }
      }
    });
  }
});

test('a language that is none is refused, so that no page stumbles over it', async () => {
  const home = await newNamespace();
  for (const language of ['__proto__', 'constructor', 'german']) {
    const raw = `{"local_part":"${unique()}","behavior":{"name":"hello","settings":{"languages":{"${language}":"x"}}}}`;
    assert.equal(
      (await api('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, raw })).status,
      422,
      language,
    );
  }
});

test('U+0000 in a query is refused, on pages as in the API', async () => {
  for (const path of ['/?query=%00', '/?behavior=%00', '/agents?query=a%00', '/api/v1/mailboxes?query=%00']) {
    assert.equal((await fetch(service.url + path)).status, 422, path);
  }
});

test('looking at a conversation counts, as pages do', async () => {
  await using limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_PAGES_PER_MINUTE: '3' } });
  const there = connect(limited.url);
  const { body } = await there.tryOut({ to: 'hello@agents.mailroom.localhost', body: 'Who are you?' });
  const look = () =>
    fetch(`${limited.url}/hello@agents.mailroom.localhost`, {
      method: 'POST',
      body: new URLSearchParams({ thread_token: body.thread_token, look: '1' }),
    });
  const statuses = [];
  for (let at = 0; at < 5; at++) statuses.push((await look()).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
});

test('an address that nobody listed is kept from search engines, as a page and as Markdown', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { visibility: 'unlisted' });
  for (const path of [`/${address}`, `/${address}.md`]) {
    assert.equal((await fetch(service.url + path)).headers.get('x-robots-tag'), 'noindex', path);
  }
});

test('a page that another site shows as a picture spends none of the visitor’s try-outs', async () => {
  await using limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '2' } });
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  for (let at = 0; at < 5; at++) await fetch(`${limited.url}/new?name=${unique()}&local=hello`, { headers });
  const { status } = await connect(limited.url).tryOut({ to: 'hello@agents.mailroom.localhost', body: 'Hi' });
  assert.equal(status, 200);
});
