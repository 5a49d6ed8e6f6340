import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook } from '../dist/index.js';

const bytes = randomBytes(24);
const SECRET = `whsec_${bytes.toString('base64')}`;
const NOW = 1_800_000_000_000;
const BODY = JSON.stringify({ type: 'message.received', data: { text: 'Grüße' } });

const sign = (body = BODY, id = 'evt_1', at = NOW / 1000, by = bytes): string =>
  `v1,${createHmac('sha256', by).update(`${id}.${at}.${body}`).digest('base64')}`;

const request = (fields: Readonly<Record<string, string>> = {}, body = BODY): Request =>
  new Request('https://agent.test/', {
    method: 'POST',
    body,
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': `${NOW / 1000}`, 'webhook-signature': sign(), ...fields },
  });
const verify = (one: Request, secret: string | readonly string[] = SECRET) => verifyWebhook(one, secret, { now: NOW });

test('a webhook that the service signed is its event, from a Request or from headers and bytes', async () => {
  const event = JSON.parse(BODY);
  assert.deepEqual(await verify(request()), event);
  const headers = Object.fromEntries(request().headers);
  assert.deepEqual(await verifyWebhook({ headers, body: BODY }, SECRET, { now: NOW }), event);
  assert.deepEqual(await verifyWebhook({ headers, body: new TextEncoder().encode(BODY) }, SECRET, { now: NOW }), event);
});

test('the example of the specification is verified', async () => {
  // github.com/standard-webhooks/standard-webhooks, the test vector of its libraries.
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const body = '{"test": 2432232314}';
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  assert.deepEqual(await verifyWebhook({ headers, body }, secret, { now: 1_614_265_330_000 }), { test: 2432232314 });
});

test('while a secret is replaced, one of several signatures and one of several secrets is enough', async () => {
  const other = randomBytes(24);
  const both = { 'webhook-signature': `v1a,xx ${sign(BODY, 'evt_1', NOW / 1000, other)} ${sign()}` };
  assert.ok(await verify(request(both)));
  assert.ok(await verify(request(), [`whsec_${other.toString('base64')}`, SECRET]));
});

test('what was changed, signed by another, is old or incomplete is refused', async () => {
  const cases: readonly Request[] = [
    request({}, `${BODY} `),
    request({ 'webhook-id': 'evt_2' }),
    request({ 'webhook-timestamp': `${NOW / 1000 + 1}` }),
    request({ 'webhook-timestamp': `${NOW / 1000 - 301}`, 'webhook-signature': sign(BODY, 'evt_1', NOW / 1000 - 301) }),
    request({ 'webhook-timestamp': `${NOW / 1000 + 301}`, 'webhook-signature': sign(BODY, 'evt_1', NOW / 1000 + 301) }),
    request({ 'webhook-timestamp': 'NaN', 'webhook-signature': sign(BODY, 'evt_1', Number.NaN) }),
    request({ 'webhook-signature': sign(BODY, 'evt_1', NOW / 1000, randomBytes(24)) }),
    request({ 'webhook-signature': sign().replace('v1,', 'v2,') }),
    request({ 'webhook-signature': 'v1,' }),
    request({ 'webhook-signature': 'v1,***' }),
    request({ 'webhook-signature': sign().slice(0, -2) }),
    request({ 'webhook-signature': '' }),
  ];
  for (const one of cases) await assert.rejects(verify(one), { code: 'invalid_signature' });
  assert.ok(
    await verify(
      request({
        'webhook-timestamp': `${NOW / 1000 - 299}`,
        'webhook-signature': sign(BODY, 'evt_1', NOW / 1000 - 299),
      }),
    ),
  );
  await assert.rejects(verify(request(), 'whsec_'), { code: 'configuration' });
});
