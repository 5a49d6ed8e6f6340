import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole } from '../../../../tests/harness/console.ts';
import { html } from '../../http/html.ts';
import { markupWithHits } from '../../transports/web/console/hits.ts';

const { client, visitor } = await openConsole({ SEARCH_INDEX: 'on' });
const { newNamespace, newMailbox, send } = client;

async function desk() {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home), await newMailbox(home)];
  const write = async (to: string, subject: string, body: string) => {
    const { status, text } = await send(home.key, { to, subject, body, sync: true });
    assert.equal(status, 200, text);
  };
  await write(one.address, 'Crane hire', 'The crane is due on Monday');
  await write(two.address, 'Invoice 17', 'Please pay the crane');
  const ownVisitor = visitor();
  assert.equal((await ownVisitor.signIn(home.key)).status, 303);
  const rows = async (query: string, more = '') => {
    const { html } = await ownVisitor.get(`/console?query=${encodeURIComponent(query)}${more}`);
    const plain = html.replaceAll(/<\/?mark[^>]*>/g, '');
    return { html, subjects: ['Crane hire', 'Invoice 17'].filter((subject) => plain.includes(`${subject}<`)) };
  };
  return { rows, one, home, own: ownVisitor };
}

test('the search of the console takes operators and phrases, says how far it is, and offers what narrows', async () => {
  const { rows, one } = await desk();
  assert.deepEqual((await rows('crane')).subjects, ['Crane hire', 'Invoice 17']);
  assert.deepEqual((await rows('"due on"')).subjects, ['Crane hire']);
  assert.deepEqual((await rows('subject:invoice')).subjects, ['Invoice 17']);
  assert.deepEqual((await rows('crane -pay')).subjects, ['Crane hire']);
  assert.deepEqual((await rows('crane', `&mailbox=${one.local_part}`)).subjects, ['Crane hire']);
  const { html } = await rows('crane');
  assert.match(html, /Searched up to/);
  assert.match(html, /<a class="chip" href="console\?query=crane\+is%3Aunread"/);
  assert.match(html, /data-operator="from:"/);
});

test('what narrows a search says how many it leaves, as the narrowed search finds them; what leaves none is left out', async () => {
  const { rows, one, home, own } = await desk();
  const agent = await newMailbox(home, { behavior: { name: 'agent' } });
  const file = { filename: 'plan.txt', content: Buffer.from('A plan').toString('base64'), content_type: 'text/plain' };
  for (const attachments of [[file], undefined])
    await send(home.key, {
      from: one.address,
      to: agent.address,
      body: 'A crane',
      ...(attachments && { attachments }),
    });
  const { html } = await rows('crane', '&direction=all');
  const offered = [
    ...html.matchAll(/<a class="chip" href="console([^"]+)"><code>([^<]+)<\/code> <span[^>]*>(\d+)<span/g),
  ];
  const counts = new Map(offered.map(([, link = '', operator = '', count = '']) => [operator, { link, count }]));
  assert.equal(counts.get('has:attachment')?.count, '1');
  assert.equal(counts.get('is:answered')?.count, '2');
  assert.equal(counts.get(`from:${one.local_part}@${home.name}`)?.count, '2');
  assert.ok(!counts.has('is:failed'), html);
  for (const [operator, { link, count }] of counts) {
    const narrowed = await own.get(`/console${link.replaceAll('&amp;', '&')}`);
    assert.equal([...narrowed.html.matchAll(/<li[^>]* data-row=/g)].length, Number(count), operator);
  }
});

test('each operator of a search is a chip that takes it out of the search', async () => {
  const { rows, own } = await desk();
  const { html } = await rows('crane subject:invoice -is:failed "due on" after:2020-01-01', '&direction=all');
  const chips = [...html.matchAll(/<a class="chip op" href="console([^"]+)"><code dir="auto">([^<]+)<\/code>/g)];
  assert.deepEqual(
    chips.map(([, , operator]) => operator),
    ['subject:invoice', '-is:failed', 'after:2020-01-01'],
  );
  const [, link = ''] = chips[0] ?? [];
  const without = new URLSearchParams(link.replaceAll('&amp;', '&'));
  assert.equal(without.get('query'), 'crane -is:failed "due on" after:2020-01-01');
  assert.match((await own.get(`/console${link.replaceAll('&amp;', '&')}`)).html, /Crane hire/);
});

test('a word that is no operator is told at the field, with the one that was meant', async () => {
  const { rows } = await desk();
  const { html, subjects } = await rows('form:ann');
  assert.deepEqual(subjects, []);
  assert.match(html, /“form:” is no operator\. Did you mean from:\?/);
  assert.match(html, /aria-invalid="true" aria-describedby="query-error"/);
  assert.match(html, /value="form:ann"/);
});

test('what a search found is underlined in titles, in the words around it, and in the conversation', async () => {
  const { rows, own, home } = await desk();
  const { html } = await rows('crane due');
  assert.match(html, /<span class="line"[^>]*><mark class="hit">Crane<\/mark> hire/);
  assert.match(
    html,
    /<span class="last"[^>]*>The <mark class="hit">crane<\/mark> is <mark class="hit">due<\/mark> on Monday/,
  );
  const bare = await rows('is:answered');
  assert.doesNotMatch(bare.html, /class="hit"/);
  const { items } = (
    await client.api<{ items: { message: { id: string } }[] }>('GET', '/mail/search?query=monday', { key: home.key })
  ).body;
  const opened = await own.get(
    `/console?direction=all&query=${encodeURIComponent('"crane is"')}&message=${items[0]?.message.id}`,
  );
  assert.match(opened.html, /<h2 id="subject" dir="auto">Crane hire/);
  assert.match(opened.html, /<p dir="auto">The <mark class="hit">crane is<\/mark> due/);
});

test('a hit in markup is underlined across its elements, and nothing that was escaped is let out', () => {
  const spans = (text: string) => [{ offset: text.indexOf('a & <b>'), length: 'a & <b>'.length }];
  const { text } = markupWithHits(html`<p>x a &amp; <strong>${'<b>'}</strong> y</p>`, spans);
  const marked = (part: string): string => `<mark class="hit">${part}</mark>`;
  assert.equal(
    text,
    `<p>x ${marked('a ')}${marked('&amp;')}${marked(' ')}<strong>${marked('&lt;')}${marked('b')}${marked('&gt;')}</strong> y</p>`,
  );
});

test('the trash is left out of a search until it is asked for, and then searched alone', async () => {
  const { rows, home } = await desk();
  const { items } = (
    await client.api<{ items: { message: { id: string } }[] }>('GET', '/mail/search?query=monday', { key: home.key })
  ).body;
  await client.api('POST', `/mail/messages/${items[0]?.message.id}/trash`, { key: home.key });
  const left = await rows('crane', '&direction=all');
  assert.deepEqual(left.subjects, ['Invoice 17']);
  const [, link = ''] = /The trash is left out\. <a href="console([^"]+)">Search it too/.exec(left.html) ?? [];
  assert.equal(link.replaceAll('&amp;', '&'), '?direction=all&label=trash&query=crane');
  const trash = await rows('crane', '&direction=all&label=trash');
  assert.deepEqual(trash.subjects, ['Crane hire']);
  const none = await rows('zebra', '&direction=all');
  assert.match(none.html, /No message matches[\s\S]*Search it too/);
  assert.match((await rows('zebra', '&direction=all&label=trash')).html, /No message in the trash matches/);
});
