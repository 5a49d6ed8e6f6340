import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home);
const weak = (await newKey(home, { scopes: ['messages:read'] })).secret;
const WRONG = `mr_live_${'0'.repeat(46)}`;
const LARGE = 2_200_000;

const plain = { 'content-type': 'text/plain' };
const unshaped = JSON.stringify({ to, body: 5 });
const meaningless = JSON.stringify({ to: `nobody@${home.name}.${MAIL_DOMAIN}`, body: 'Hi' });

// Each request fails all later checks too; the first in the contract's order must answer.

test('the path comes before the method and the key', async () => {
  isProblem(await api('POST', '/nothing', { key: WRONG, raw: '{', headers: plain }), 'not_found');
  isProblem(await api('DELETE', '/mail', { raw: 'x'.repeat(LARGE), headers: plain }), 'not_found');
});

test('the method comes before the key', async () => {
  isProblem(await api('PUT', '/mail/send', { key: WRONG, raw: '{', headers: plain }), 'method_not_allowed');
  isProblem(await api('PUT', '/mail/send', { raw: '{', headers: plain }), 'method_not_allowed');
});

test('the key comes before its scope, the media type, the size and the JSON', async () => {
  for (const ask of [
    { raw: '{', headers: plain },
    { raw: 'x'.repeat(LARGE), headers: plain },
    { raw: '{' },
    { raw: unshaped },
  ]) {
    isProblem(await api('POST', '/mail/send', ask), 'missing_key');
    isProblem(await api('POST', '/mail/send', { ...ask, key: WRONG }), 'invalid_key');
  }
});

test('the scope comes before the media type, the size and the JSON', async () => {
  for (const ask of [
    { raw: '{', headers: plain },
    { raw: 'x'.repeat(LARGE), headers: plain },
    { raw: 'x'.repeat(LARGE) },
    { raw: '{' },
    { raw: unshaped },
    { raw: meaningless },
  ]) {
    isProblem(await api('POST', '/mail/send', { ...ask, key: weak }), 'insufficient_scope');
  }
});

test('the media type comes before the size', async () => {
  isProblem(
    await api('POST', '/mail/send', { key: home.key, raw: 'x'.repeat(LARGE), headers: plain }),
    'unsupported_media_type',
  );
});

test('the size comes before the JSON', async () => {
  isProblem(await api('POST', '/mail/send', { key: home.key, raw: `{${'x'.repeat(LARGE)}` }), 'body_too_large');
});

test('the JSON comes before the shape', async () => {
  isProblem(await api('POST', '/mail/send', { key: home.key, raw: `${unshaped.slice(0, -1)},` }), 'malformed_json');
});

test('the shape comes before what is meant', async () => {
  isProblem(
    await api('POST', '/mail/send', { key: home.key, raw: meaningless.replace('"Hi"', '5') }),
    'validation_error',
    '/body',
  );
  isProblem(await api('POST', '/mail/send', { key: home.key, raw: meaningless }), 'mailbox_not_found');
});

test('a refused send is not counted as sent', async () => {
  assert.deepEqual((await api<{ items: unknown[] }>('GET', '/mail/messages', { key: home.key })).body.items, []);
});
