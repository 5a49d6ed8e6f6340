import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { controlsOf, decode, formData } from '../../../../tests/harness/form.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { firstSentence } from '../../transports/web/new/line.ts';
import { filled, HELLO, MAKE, openNewForm, ready } from './new-form.ts';

const { client, get, post, begin } = await openNewForm();

describe('a name', () => {
  test('that is taken comes with others that are free', async () => {
    const name = unique('n');
    await client.newNamespace({ name });
    const taken = await begin(name);
    assert.equal(taken.status, 422);
    assert.match(taken.title, /^Error: /);
    assert.match(taken.page, /One thing to fix/);
    assert.match(taken.page, new RegExp(`“${name}” is taken\\. Choose another, or one of these:`));
    const links = [...taken.page.matchAll(/href="(new\?local=hello&amp;name=([^"]+))"/g)];
    assert.equal(links.length, 3);
    for (const [, href] of links) assert.equal((await get(decode(href as string))).status, 200);
    const control = controlsOf(taken.page).find(({ attributes }) => attributes.get('id') === 'name');
    assert.equal(control?.attributes.get('aria-invalid'), 'true');
    assert.equal(control?.attributes.get('value'), name);
    // After a step back the visitor may be the owner.
    assert.match(taken.page, new RegExp(`Is it yours\\? <a href="./${name}">Open ${name}</a>, or <a href="console">`));
    const house = await begin('agents');
    assert.match(house.page, /<a href="\.\/hello@agents\.mailroom\.localhost">Open hello@agents<\/a>/);
  });

  test('that is reserved comes with others too', async () => {
    const { page } = await begin('admin');
    assert.match(page, /“admin” is reserved for the service\. Choose another, or one of these:/);
    assert.equal([...page.matchAll(/data-suggested="[^"]+"/g)].length, 3);
    assert.doesNotMatch(page, /Is it yours/);
  });

  test('that is reserved, malformed or missing is told in a sentence', async () => {
    const wrong: [string, RegExp][] = [
      ['admin', /“admin” is reserved for the service\./],
      ['a', /at least 2 characters/],
      ['', /Choose a name for the part after the @\./],
      ['x'.repeat(64), /at most 63 characters/],
      ['two words', /letters a to z, digits and hyphens/],
      ['-ada', /must start and end with/],
      ['xn--ada', /hyphens as both its third and fourth character/],
      ['\u212aada', /letters a to z/],
    ];
    for (const [name, sentence] of wrong) {
      const { status, page } = await begin(encodeURIComponent(name));
      assert.equal(status, 422, name);
      assert.match(page, sentence);
      const state = await get(`new/name?name=${encodeURIComponent(name)}`);
      assert.equal(state.status, 200);
      assert.match(state.page, sentence);
    }
    for (const [local, sentence] of [
      ['abuse', /reserved for the postmaster/],
      ['a..b', /two dots in a row/],
      ['.a', /must start and end/],
      ['', /such as hello/],
    ] as const) {
      const { status, page } = await get(`new?local=${local}&name=${unique('n')}`);
      assert.equal(status, 422, local);
      assert.match(page, sentence);
      // Shown below its field, by the page and while the visitor types.
      assert.match(page, /id="local-state"[^>]*><p class="error">/);
      const result = JSON.parse((await get(`new/name?local=${local}&name=${unique('n')}`)).page);
      assert.match(result.local.html, sentence);
      assert.deepEqual([result.local.fine, result.name.fine], [false, true]);
    }
  });

  test('that is free is said to be, as one types', async () => {
    const name = unique('n');
    const { page, headers } = await get(`new/name?name=${name.toUpperCase()}&local=hello`);
    assert.match(page, new RegExp(`${name} is free\\.`));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.doesNotMatch(page, /<html/);
  });

  test('that someone took meanwhile loses nothing that was typed', async () => {
    const name = unique('n');
    const choose = await begin(name);
    await client.newNamespace({ name });
    const text = 'A long introduction, "quoted" & <b>tagged</b>.\nTwo lines.';
    const back = await post('new', filled(choose, MAKE, { [`${HELLO}.introduction`]: text }));
    assert.equal(back.status, 422);
    assert.match(back.page, /is taken/);
    const other = unique('n');
    const on = await post('new', filled(back, ['', ''], { name: other }));
    assert.equal(on.status, 200);
    assert.match(on.title, new RegExp(`hello@${other}`));
    assert.equal(formData(on.page).get(`${HELLO}.introduction`), text);
    assert.equal((await post('new', ready(on))).status, 201);
  });
});

describe('the line about it', () => {
  const lineOf = async (fields: Record<string, string>, behavior = 'hello'): Promise<string> => {
    const name = unique('n');
    const done = await post('new', ready(await begin(name, `&behavior=${behavior}`), fields));
    assert.equal(done.status, 201);
    const address = `hello@${name}.mailroom.localhost`;
    const { body } = await client.api<Mailbox>('GET', `/mailboxes/${address}`);
    const shared = await get(address);
    assert.ok(decode(shared.page).includes(`<meta property="og:description" content="${body.description}">`));
    return body.description;
  };

  test('is its owner’s, else what the introduction begins with, else what it does', async () => {
    assert.equal(await lineOf({ line: '  Bridges,\tand what holds them. ' }), 'Bridges, and what holds them.');
    const introduction = '# Ada\n\nI check **bridges** for [a living](https://ada.example). Ask me.';
    assert.equal(await lineOf({ [`${HELLO}.introduction`]: introduction }), 'I check bridges for a living.');
    assert.equal(await lineOf({ [`${HELLO}.name`]: 'Ada Okafor' }), 'Introduces Ada Okafor.');
    assert.equal(await lineOf({}, 'proofread'), 'Corrects a text and gives each reason.');
  });

  test('that is too long is told at its field, with all else that is wrong', async () => {
    const line = 'x'.repeat(301);
    const wrong = await post(
      'new',
      filled(await begin(unique('n')), MAKE, { line, [`${HELLO}.links.0.label`]: 'Blog' }),
    );
    assert.equal(wrong.status, 422);
    const summary = /id="summary".*?<\/ul>/s.exec(wrong.page)?.[0] ?? '';
    assert.match(summary, /href="#line">One line about it: This has 301 characters; 300 are allowed\./);
    assert.match(summary, /Name: Write a name or an introduction\./);
    assert.match(summary, /Link 1, address: /);
    assert.equal(formData(wrong.page).get('line'), line);
  });
});

test('the first sentence of an introduction is plain, short and whole', () => {
  for (const [text, sentence] of [
    ['Hi! I am Ada, a structural engineer in Lagos. I check bridges.', 'Hi! I am Ada, a structural engineer in Lagos.'],
    ['Hallo\n=====\n\n> Ich bin *Ada*, Ingenieurin\n> in Lagos.', 'Ich bin Ada, Ingenieurin in Lagos.'],
    ['```js\nno();\n```\nAfter the code it goes on.', 'After the code it goes on.'],
    ['# Only a heading', 'Only a heading'],
    ['snake_case_stays and \\*so does this\\*.', 'snake_case_stays and *so does this*.'],
    ['See [this](https://a.example/b_(c) "title").', 'See this.'],
    ['---\n\n***', ''],
  ] as const)
    assert.equal(firstSentence(text), sentence);
  const long = firstSentence(
    'I check bridges for a living, and write about them on Sundays, on a blog that few people read.',
  );
  assert.equal(long, 'I check bridges for a living, and write about them on Sundays, on a blog that few people…');
  assert.ok(firstSentence('😀'.repeat(80)).isWellFormed());
  for (const mark of ['*', '`', '[', '_', '*_', '[](', '> ', '~~~\n', '- ', '=\n', '#'])
    assert.ok(firstSentence(mark.repeat(4096)).length <= 91, mark);
});
