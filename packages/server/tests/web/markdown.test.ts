import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount, everyNth } from '../../../../tests/soak/length.ts';
import type { Html } from '../../http/html.ts';
import { MARKDOWN_ALLOWS, plainText, renderMarkdown } from '../../http/markdown.ts';
import { XSS_PAYLOADS } from './xss-payloads.ts';

/** Stricter than a browser: reports everything but well-formed allowed tags with quoted allowed attributes. */
function errors({ text }: Html): string[] {
  const found: string[] = [];
  const rest = text.replace(/<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g, (tag, end, name, attributes) => {
    if (!MARKDOWN_ALLOWS.tags.includes(name)) found.push(tag);
    if (end !== '' && attributes !== '') found.push(tag);
    for (const [, attribute, value] of String(attributes).matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (!MARKDOWN_ALLOWS.attributes[name]?.includes(attribute as string)) found.push(tag);
      if (attribute === 'href' && !/^(https?:\/\/|mailto:)[!-~]/i.test(value as string)) found.push(tag);
    }
    return '';
  });
  if (/[<>]/.test(rest)) found.push(rest);
  return found;
}

const rendered = async (text: string): Promise<string> => (await renderMarkdown(text)).text;

test('no text makes markup that is not on the list', async () => {
  assert.ok(XSS_PAYLOADS.length >= 60);
  for (const payload of XSS_PAYLOADS) {
    for (const text of [payload, `Hi ${payload} there`, `> - ${payload}`, `**${payload}**\n\n${payload}`]) {
      assert.deepEqual(errors(await renderMarkdown(text)), [], JSON.stringify(text));
      assert.deepEqual(errors(plainText(text)), [], JSON.stringify(text));
    }
  }
  const all = XSS_PAYLOADS.join('\n\n');
  assert.deepEqual(errors(await renderMarkdown(all)), []);
});

test('the check can fail', () => {
  for (const text of ['<b>x</b>', '<p onclick="x">', '<a href="javascript:x">', '<p x', '<a href="https://a" id="x">'])
    assert.notDeepEqual(errors({ text } as Html), [], text);
});

test('what Markdown is for comes through', async () => {
  assert.equal(await rendered('Hi *you*,\n**all**.'), '<p dir="auto">Hi <em>you</em>,\n<strong>all</strong>.</p>\n');
  assert.equal(await rendered('# A\n\n###### B'), '<h3 dir="auto">A</h3>\n<h6 dir="auto">B</h6>\n');
  assert.match(await rendered('- a\n- b'), /^<ul dir="auto">\n<li dir="auto">a<\/li>/);
  assert.match(await rendered('3. a'), /^<ol dir="auto" start="3">/);
  assert.match(await rendered('|a|b|\n|-|:-:|\n|1|2|'), /<td dir="auto">2<\/td>/);
  assert.match(await rendered('```js\nlet a;\n```'), /^<pre dir="auto"><code>let a;\n<\/code><\/pre>/);
  assert.match(await rendered('~~of~~ have'), /<s>of<\/s> have/);
  assert.match(await rendered('שלום'), /^<p dir="auto">/);
});

test('links are links of strangers, to the web and to mail alone', async () => {
  const rel = 'rel="nofollow noopener noreferrer ugc"';
  assert.match(
    await rendered('[x](https://a.example/?a=1&b=2)'),
    new RegExp(`<a href="https://a.example/\\?a=1&amp;b=2" ${rel}>x</a>`),
  );
  assert.match(
    await rendered('See https://a.example.'),
    new RegExp(`<a href="https://a.example" ${rel}>https://a.example</a>\\.`),
  );
  assert.match(await rendered('ada@a.example'), /href="mailto:ada@a.example"/);
  for (const text of ['ftp://a.example', '//a.example', 'a.example', '[x](./y)', '[x](#y)'])
    assert.doesNotMatch(await rendered(text), /<a/, text);
});

test('a picture is a link that says what it shows', async () => {
  assert.match(
    await rendered('![A "cat"](https://a.example/c.png)'),
    /<a href="https:\/\/a.example\/c.png" rel="[^"]+">A "cat"<\/a>|A &quot;cat&quot;<\/a>/,
  );
  assert.doesNotMatch(await rendered('![x](data:image/png;base64,AAAA)'), /<a|<img/);
});

test('what people wrote keeps its lines and shows its marks', () => {
  assert.equal(plainText('a\r\nb\n\n\n*c*').text, '<p dir="auto">a<br>b</p><p dir="auto">*c*</p>');
  assert.equal(plainText('').text, '');
});

test('a web address in what people wrote is a link, and the text stays the same', () => {
  const link = (url: string): string =>
    `<a href="${url}" rel="nofollow noopener noreferrer ugc">${url}</a>`.replaceAll('&', '&amp;');
  for (const [before, url, after] of [
    ['', 'https://a.example', ''],
    ['See ', 'HTTPS://a.example/b?c=1&d=%202#e', '.'],
    ['(', 'https://en.wiki.example/wiki/Foo_(bar)', ').'],
    ['&lt;', 'http://a.example/x', '&gt;'],
    ['“', 'https://a.example/x', '”, he said'],
    ['', 'https://a.example/', '…'],
    ['_', 'https://a.example/x_y-', '_~*'],
    ['见', 'https://a.example/路', '。然后'],
    ['[', 'https://a.example/x', ']: y'],
    ['a<br>', 'http://localhost:8080/x', '<br>b'],
    ['', 'https://a.example/', '&quot;b'],
  ] as const) {
    const text = `${before}${url}${after}`.replaceAll('<br>', '\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const shown = plainText(text.replaceAll('&quot;', '"')).text;
    assert.equal(shown, `<p dir="auto">${before}${link(url)}${after}</p>`);
    assert.deepEqual(errors(plainText(text)), [], text);
  }
  for (const text of [
    'javascript:alert(1)',
    'ftp://a.example',
    'www.a.example',
    'xhttps://a.example',
    'https://',
    'https://?',
    'http://user:password@a.example/',
    `https://a.example/${'x'.repeat(3000)}`,
  ])
    assert.doesNotMatch(plainText(text).text, /<a/, text);
  assert.equal((plainText('https://a.example/b, https://a.example/c').text.match(/<a /g) ?? []).length, 2);
});

test('what would take long is shown as it was written', async () => {
  const units = [
    '[',
    '![',
    '*a_',
    '**a ',
    '> ',
    '- ',
    '`a``b',
    '<',
    '<http:',
    '[a](',
    'a|',
    '&',
    '~~',
    '- - - - - a\n',
    'a\n\n',
    '1. a\n',
    '[a]: b\n',
    '"(',
    '\\',
    'http://a.',
    '> > > a\n',
    '<!--',
    'a@',
    'http://a.b/c ',
    '|\n',
  ];
  await renderMarkdown('warm');
  for (const unit of units) {
    for (const length of everyNth([4_096, 16_384, 65_536, 262_144], 2)) {
      // A hundred times the measured effort; quadratic time would take minutes.
      await assertEffort(500, `${JSON.stringify(unit)} × ${length}`, async () =>
        assert.deepEqual(errors(await renderMarkdown(unit.repeat(length / unit.length))), []),
      );
    }
  }
  const nested = Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n');
  assert.deepEqual(errors(await renderMarkdown(nested)), []);
});

test('a text of a quarter of a MiB, in the long form of a whole one, is shown as it was written in no time, whatever it is made of', async () => {
  for (const unit of ['- a\n', '> ', 'a\n\n', "'&", 'word ', 'http://a.b ', 'http://', 'http://a.b)))))']) {
    const text = unit.repeat(amount(256 * 1024, 1024 * 1024) / unit.length);
    // Three times the measured effort; quadratic time would take minutes.
    await assertEffort(100, JSON.stringify(unit), () => assert.ok(plainText(text).text.length > 1000));
  }
});
