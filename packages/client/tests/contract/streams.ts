import { createHmac } from 'node:crypto';
import { problem, type Scenario, SEND, type Step, send } from './scenario.ts';

const stream = (parts: readonly string[], cut = true): Step => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  parts,
  ...(cut && { cut }),
});
const event = (id: string, end = '\n'): string =>
  [`id: ${id}`, 'event: message.received', `data: {"id":"${id}","type":"message.received","text":"ä"}`, '', ''].join(
    end,
  );
const EVENTS = 'GET /api/v1/events';
export const streams: readonly Scenario[] = [
  ...['\n', '\r\n', '\r'].map(
    (end): Scenario => ({
      name: `events: lines that end in ${JSON.stringify(end)}`,
      call: { do: 'events', args: { count: 2 } },
      server: [stream([event('e1', end), event('e2', end)])],
      result: { value: ['e1', 'e2'] },
    }),
  ),
  ...[3, 9, 30, 50, 70, 80].map(
    (place): Scenario => ({
      name: `events: one that breaks off after ${place} characters is read again, without a gap`,
      call: { do: 'events', args: { count: 2 } },
      server: [stream([event('e1'), event('e2').slice(0, place)]), stream([event('e2')])],
      result: { value: ['e1', 'e2'] },
      requests: [EVENTS, `${EVENTS}?after=e1`],
    }),
  ),
  {
    name: 'events: heartbeats and comments are no events',
    call: { do: 'events', args: { count: 1 } },
    server: [stream([':\n\n', 'retry: 1\n\n', event('e1')])],
    result: { value: ['e1'] },
  },
  {
    name: 'events: an id without an event is a place to continue at',
    call: { do: 'events', args: { count: 1 } },
    server: [stream(['id: e0\n\n']), stream([event('e1')])],
    result: { value: ['e1'] },
    requests: [EVENTS, `${EVENTS}?after=e0`],
  },
  {
    name: 'events: they continue after the place that was given',
    call: { do: 'events', args: { count: 1, after: 'e5' } },
    server: [stream([event('e6')])],
    result: { value: ['e6'] },
    requests: [`${EVENTS}?after=e5`],
  },
  ...[403, 410].map(
    (status): Scenario => ({
      name: `events: a refusal ${status} is an error, and not asked again`,
      call: { do: 'events', args: { count: 1 } },
      server: [problem('refused', status)],
      result: { error: { code: 'refused', status } },
      requests: [EVENTS],
    }),
  ),
];

export const files: readonly Scenario[] = [
  ...[false, true].map(
    (streamed): Scenario => ({
      name: `upload: a file ${streamed ? 'that is read as it is sent' : 'in memory'} arrives`,
      call: { do: 'upload', args: { filename: 'a "b".txt', text: 'Grüße', streamed } },
      server: [send.good],
      result: { value: 'msg_1' },
      requests: [SEND],
    }),
  ),
  {
    name: 'upload: a file in memory is sent again',
    call: { do: 'upload', args: { filename: 'a', text: 'x', streamed: false } },
    server: [problem('unavailable', 503, { 'retry-after': '0' }), send.good],
    result: { value: 'msg_1' },
    requests: [SEND, SEND],
  },
  {
    name: 'upload: a file that was read is not sent again',
    call: { do: 'upload', args: { filename: 'a', text: 'x', streamed: true } },
    server: [problem('unavailable', 503, { 'retry-after': '0' })],
    result: { error: { code: 'unavailable', status: 503 } },
    requests: [SEND],
  },
  {
    name: 'download: the bytes of a file',
    call: { do: 'download' },
    server: [{ status: 200, headers: { 'content-type': 'text/plain' }, parts: ['ab', 'c'] }],
    result: { value: 'abc' },
  },
  {
    name: 'download: a file that is gone',
    call: { do: 'download' },
    server: [problem('gone', 410)],
    result: { error: { code: 'gone', status: 410 } },
  },
];

const KEY = Buffer.from('a secret of 24 bytes ...');
const SECRET = `whsec_${KEY.toString('base64')}`;
const NOW = 1_800_000_000;
const BODY = '{"type":"message.received","data":"ä"}';
const sign = (body = BODY, id = 'evt_1', at = NOW, by: Buffer = KEY): string =>
  `v1,${createHmac('sha256', by).update(`${id}.${at}.${body}`).digest('base64')}`;
function hook(
  name: string,
  genuine: boolean,
  { headers = {}, body = BODY, secret = SECRET as string | readonly string[] } = {},
): Scenario {
  const all = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${NOW}`, 'webhook-signature': sign(), ...headers };
  return {
    name: `verify: ${name} ${genuine ? 'is genuine' : 'is refused'}`,
    call: { do: 'verify', args: { headers: all, body, secret, now: NOW } },
    result: genuine ? { value: JSON.parse(body) } : { error: { code: 'invalid_signature', status: null } },
  };
}
const other = Buffer.from('another key of 24 bytes.');
const signedAt = (seconds: number) => ({
  headers: { 'webhook-timestamp': `${NOW + seconds}`, 'webhook-signature': sign(BODY, 'evt_1', NOW + seconds) },
});
export const webhooks: readonly Scenario[] = [
  hook('what the service signed', true),
  hook('one of several signatures', true, {
    headers: { 'webhook-signature': `v1a,xx ${sign(BODY, 'evt_1', NOW, other)} ${sign()}` },
  }),
  hook('one of several secrets', true, { secret: [`whsec_${other.toString('base64')}`, SECRET] }),
  ...[-299, -1, 299].map((seconds) => hook(`a time ${seconds} s away`, true, signedAt(seconds))),
  ...[-301, -86_400, 301].map((seconds) => hook(`a time ${seconds} s away`, false, signedAt(seconds))),
  hook('a changed body', false, { body: BODY.replace('ä', 'a') }),
  hook('a body with a space more', false, { body: `${BODY} ` }),
  hook('another id', false, { headers: { 'webhook-id': 'evt_2' } }),
  hook('a time that was not signed', false, { headers: { 'webhook-timestamp': `${NOW + 1}` } }),
  hook('a signature by another key', false, { headers: { 'webhook-signature': sign(BODY, 'evt_1', NOW, other) } }),
  ...['v1,', 'v1,***', 'v2,abcd', '', 'v1', sign().slice(0, -2), sign().replace('v1,', 'v2,')].map((signature) =>
    hook(`the signature ${JSON.stringify(signature.slice(0, 12))}`, false, {
      headers: { 'webhook-signature': signature },
    }),
  ),
  ...['NaN', '', '-1', '1e9', ' 1800000000', '99999999999999999999'].map((time) =>
    hook(`the time ${JSON.stringify(time)}`, false, {
      headers: { 'webhook-timestamp': time, 'webhook-signature': sign(BODY, 'evt_1', Number(time)) },
    }),
  ),
];
