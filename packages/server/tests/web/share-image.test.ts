import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { showBehaviors } from '../../transports/web/looks.ts';
import { fitAddress, wrap } from '../../transports/web/share/fit.ts';
import { FONT, textWidth } from '../../transports/web/share/text.ts';
import { homeImage, namespaceImage, shareImage } from '../../transports/web/share-image.ts';

showBehaviors(testBehaviors());
const DOMAIN = 'mailroom.localhost';
const mailbox = {
  local_part: 'proofread',
  namespace: 'agents',
  behavior: 'proofread',
  description: 'Corrects your text and says why.',
  status: 'online',
} as const;

/** Width and height from the header (ISO/IEC 15948, section 11.2.2). */
function sizeOf(png: Uint8Array): readonly number[] {
  const bytes = Buffer.from(png);
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('a picture is a PNG of 1200 by 630 under 65 KB, however long the names are', async () => {
  const long = { local_part: 'w'.repeat(64), namespace: 'm'.repeat(63), description: 'Words and words '.repeat(18) };
  const pictures = [
    shareImage(mailbox, DOMAIN),
    shareImage({ ...mailbox, ...long }, DOMAIN),
    shareImage(
      { ...mailbox, ...long, status: 'paused', behavior: 'unknown' },
      `${'a'.repeat(60)}.${'b'.repeat(60)}.example`,
    ),
    namespaceImage({ name: 'agents', display_name: 'Mailroom' }, ['hello', 'auth', 'hello'], 3, DOMAIN),
    namespaceImage({ name: 'm'.repeat(63), display_name: null }, [], 0, DOMAIN),
    homeImage(),
  ];
  for (const picture of pictures) {
    const png = await picture.png();
    assert.deepEqual(sizeOf(png), [1200, 630]);
    assert.ok(png.length < 65_000, `${png.length} bytes`);
  }
  assert.equal(new Set(pictures.map(({ etag }) => etag)).size, pictures.length);
});

test('the same content is the same picture, drawn once; other content is another', async () => {
  const [one, same] = [shareImage(mailbox, DOMAIN), shareImage({ ...mailbox }, DOMAIN)];
  assert.match(one.etag, /^"[\w-]{22}"$/);
  assert.equal(one.etag, same.etag);
  assert.equal(await one.png(), await same.png());
  assert.notEqual(shareImage({ ...mailbox, status: 'paused' }, DOMAIN).etag, one.etag);
});

test('a description that the typeface cannot draw is left out, and so is markup', () => {
  const none = shareImage({ ...mailbox, description: '' }, DOMAIN).etag;
  for (const description of ['שלום', '日本語', 'Nice 😀'])
    assert.equal(shareImage({ ...mailbox, description }, DOMAIN).etag, none);
  assert.notEqual(shareImage({ ...mailbox, description: 'Größe, été, Łódź' }, DOMAIN).etag, none);
});

test('a description with marks of markup is drawn', async () => {
  assert.deepEqual(
    sizeOf(await shareImage({ ...mailbox, description: '</text><image href="x"/>&' }, DOMAIN).png()),
    [1200, 630],
  );
});

test('an address that fits stands on one line; else it is broken before the domain or after the @', () => {
  const fit = (local: string, namespace: string) =>
    fitAddress(
      local,
      namespace,
      DOMAIN,
      1040,
      (text) => textWidth(text, 600, 1),
      (text) => textWidth(text, 400, 1),
    );
  assert.deepEqual(fit('do', 'ada').lines, [{ strong: 'do@ada', faint: `.${DOMAIN}` }]);
  assert.equal(fit('front-desk.and-other-questions', 'the-northwind-trading-company').lines.length, 2);
  for (const local of ['a', 'a'.repeat(20), 'w'.repeat(64)]) {
    for (const namespace of ['ab', 'n'.repeat(30), 'm'.repeat(63), '']) {
      const { lines, size } = fit(local, namespace);
      assert.equal(lines.map(({ strong, faint }) => strong + faint).join(''), `${local}@${namespace}.${DOMAIN}`);
      for (const { strong, faint } of lines)
        assert.ok(textWidth(strong, 600, size) + textWidth(faint, 400, size) <= 1041, `${strong}${faint} at ${size}`);
    }
  }
});

test('a long text goes on; a longer one ends with an ellipsis', () => {
  const measure = (text: string): number => text.length;
  assert.deepEqual(wrap('one two three four', 9, 3, measure), ['one two', 'three', 'four']);
  assert.deepEqual(wrap('one two three four', 9, 2, measure), ['one two', 'three…']);
  assert.deepEqual(wrap('', 9, 2, measure), []);
  assert.deepEqual(wrap('abcdefghijkl', 9, 2, measure), ['abcdefgh…']);
});

test('widths are those that are drawn, or a little more as kerning is left out', () => {
  for (const text of ['proofread@agents', 'mailroom.localhost', 'Answers questions about opening hours']) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="12000" height="300"><text x="100" y="200" font-family="Geist" font-size="100">${text}</text></svg>`;
    const drawn = new Resvg(svg, { font: FONT }).innerBBox()?.width ?? 0;
    const excess = textWidth(text, 400, 100) / drawn - 1;
    assert.ok(excess >= 0 && excess < 0.06, `${text}: ${excess}`);
  }
});
