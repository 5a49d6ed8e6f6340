import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { qrCard } from '../../transports/web/qr.ts';

const URL = 'https://mail.example/proofread@agents.mail.example?a=1&b="2"';

test('a code is one path on white with a free margin of four, named for who does not see it', () => {
  const { text } = qrCard(URL, 'page') || assert.fail();
  const { data, size } = encode(URL, { ecc: 'M', border: 4 });
  assert.match(text, new RegExp(`viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for https:`));
  assert.doesNotMatch(text, /style|currentColor|<script/);
  const [path = ''] = text.match(/ d="[^"]*"/) ?? [];
  const dark = data.map((row) => row.map(() => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let i = 0; i < Number(width); i++) (dark[Number(y)] as boolean[])[Number(x) + i] = true;
  }
  assert.deepEqual(dark, data, 'the path draws the code');
  assert.ok(data.slice(0, 4).every((row) => row.every((module) => !module)));
});

test('a page of this machine alone has no code, because no phone reaches it', () => {
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', 'mail.localhost'])
    assert.equal(qrCard(`http://${host}/hello@ada`, 'page'), false, host);
  for (const url of [URL, 'http://192.168.1.5:8080/hello@ada'])
    assert.match(String(qrCard(url, 'page') && 'shown'), /shown/, url);
});
