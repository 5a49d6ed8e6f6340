import { createHmac } from 'node:crypto';

/** An answer of the server that misbehaves on purpose; `cut` breaks the connection after what was written. */
export interface Step {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** Parts that are written one after the other. */
  readonly parts?: readonly string[];
  readonly gzip?: true;
  readonly cut?: true;
  /** Never answers. */
  readonly hang?: true;
}

/** What a client is to do; `args` by the name of the operation, see the drivers. */
export interface Call {
  readonly do:
    | 'me'
    | 'send'
    | 'ask'
    | 'wait'
    | 'list'
    | 'approve'
    | 'revoke'
    | 'events'
    | 'upload'
    | 'download'
    | 'verify';
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface Result {
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly status?: number | null; readonly retry_after?: number | null };
}

/** A guarantee of every client. */
export interface Scenario {
  readonly name: string;
  readonly call: Call;
  readonly server?: readonly Step[];
  readonly result: Result;
  /** Requests as `METHOD path`, in order; all with one idempotency key where the first has one. */
  readonly requests?: readonly string[];
}

const json = (body: unknown, status = 200, headers = {}): Step => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});
const problem = (code: string, status: number, headers = {}): Step =>
  json(
    {
      type: `urn:mailroom:problem:${code}`,
      title: code,
      status,
      code,
      detail: code,
      errors: [],
      docs: `/problems/${code}`,
      request_id: 'r',
    },
    status,
    headers,
  );
const message = (fields = {}) => ({
  id: 'msg_1',
  thread_id: 'thr_1',
  status: 'submitted',
  reply: null,
  error: null,
  ...fields,
});
const replied = (body: string, status = 'completed') => message({ status, reply: { body, status, attachments: [] } });
const SEND = 'POST /api/v1/mail/send';
const ME = 'GET /api/v1/me';
const LIST = 'GET /api/v1/mail/messages';
const APPROVE = 'POST /api/v1/mail/messages/msg_1/approve';
const REVOKE = 'DELETE /api/v1/keys/key_1';
const page = (ids: readonly string[], next: string | null = null) =>
  json({ items: ids.map((id) => ({ ...message(), id })), next_cursor: next });

interface Kind {
  readonly call: Call;
  readonly good: Step;
  readonly value: unknown;
  readonly request: string;
}
const send: Kind = { call: { do: 'send' }, good: json(message(), 202), value: 'msg_1', request: SEND };
const list: Kind = { call: { do: 'list' }, good: page(['msg_1']), value: ['msg_1'], request: LIST };
const me: Kind = { call: { do: 'me' }, good: json({ namespace: 'ada' }), value: 'ada', request: ME };
const approve: Kind = { call: { do: 'approve' }, good: json(message()), value: 'msg_1', request: APPROVE };
const revoke: Kind = { call: { do: 'revoke' }, good: { status: 204 }, value: null, request: REVOKE };
const kinds: readonly Kind[] = [send, list, me, approve, revoke];
const safe = kinds.filter((kind) => kind !== approve);

const REFUSALS: readonly (readonly [string, number])[] = [
  ['validation_error', 422],
  ['missing_key', 401],
  ['invalid_key', 401],
  ['insufficient_scope', 403],
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['conflict', 409],
  ['gone', 410],
  ['body_too_large', 413],
  ['loop_detected', 422],
  ['internal', 500],
  ['a_code_of_a_newer_service', 418],
];
const refusals = REFUSALS.flatMap(([code, status]) =>
  kinds.map(
    ({ call, request }): Scenario => ({
      name: `${call.do}: ${code} is an error with its code, and is not repeated`,
      call,
      server: [problem(code, status)],
      result: { error: { code, status, retry_after: null } },
      requests: [request],
    }),
  ),
);

const retries: readonly Scenario[] = [
  ...[429, 502, 503, 504].flatMap((status) =>
    kinds.map(
      ({ call, good, value, request }): Scenario => ({
        name: `${call.do}: ${status} is repeated after Retry-After`,
        call,
        server: [problem('unavailable', status, { 'retry-after': '0' }), good],
        result: { value },
        requests: [request, request],
      }),
    ),
  ),
  ...safe.map(
    ({ call, good, value, request }): Scenario => ({
      name: `${call.do}: a broken connection is tried again`,
      call,
      server: [{ cut: true }, good],
      result: { value },
      requests: [request, request],
    }),
  ),
  {
    name: 'approve: a POST without a key is not repeated when the connection broke',
    call: approve.call,
    server: [{ cut: true }],
    result: { error: { code: 'network_error', status: null } },
    requests: [APPROVE],
  },
  ...[send, list, approve].map(
    ({ call, request }): Scenario => ({
      name: `${call.do}: after three repetitions the error is the caller's`,
      call,
      server: Array.from({ length: 4 }, () => problem('unavailable', 503, { 'retry-after': '0' })),
      result: { error: { code: 'unavailable', status: 503, retry_after: 0 } },
      requests: [request, request, request, request],
    }),
  ),
  ...kinds.map(
    ({ call, request }): Scenario => ({
      name: `${call.do}: a Retry-After of more than a minute is left to the caller`,
      call,
      server: [problem('rate_limited', 429, { 'retry-after': '3600' })],
      result: { error: { code: 'rate_limited', status: 429, retry_after: 3600 } },
      requests: [request],
    }),
  ),
  ...['Wed, 21 Oct 2026 07:28:00 GMT', 'soon'].map(
    (date): Scenario => ({
      name: `me: a Retry-After of ${date} is a pause of the client's own`,
      call: me.call,
      server: [problem('rate_limited', 429, { 'retry-after': date }), me.good],
      result: { value: 'ada' },
      requests: [ME, ME],
    }),
  ),
  {
    name: 'me: an answer that never comes is a time-out',
    call: { do: 'me', args: { timeout: 0.3, retries: 0 } },
    server: [{ hang: true }],
    result: { error: { code: 'timeout', status: null } },
    requests: [ME],
  },
];

const answers: readonly Scenario[] = [
  ...[301, 302, 307, 308].flatMap((status) =>
    [send, list, approve].map(
      ({ call, request }): Scenario => ({
        name: `${call.do}: a redirect ${status} is refused, so that the key stays here`,
        call,
        server: [{ status, headers: { location: 'https://other.test/' } }],
        result: { error: { code: 'unexpected_answer', status } },
        requests: [request],
      }),
    ),
  ),
  ...(['<p>', '', '{"id": ', '{"code": 7}'] as const).flatMap((text) =>
    [send, list, revoke].map(
      ({ call, request }): Scenario => ({
        name: `${call.do}: a refusal with the text ${JSON.stringify(text)} is not of this service`,
        call,
        server: [{ status: 404, headers: { 'content-type': 'text/html' }, text }],
        result: { error: { code: 'unexpected_answer', status: 404 } },
        requests: [request],
      }),
    ),
  ),
  ...(['<html>', '', '{"id": "msg_1"', 'NaN,'] as const).flatMap((text) =>
    [send, me].map(
      ({ call, request }): Scenario => ({
        name: `${call.do}: success with ${JSON.stringify(text)} is no JSON, and is not repeated`,
        call,
        server: [{ status: 200, headers: { 'content-type': 'application/json' }, text }],
        result: { error: { code: 'unexpected_answer', status: 200 } },
        requests: [request],
      }),
    ),
  ),
  ...safe.slice(0, 3).map(
    ({ call, good, value, request }): Scenario => ({
      name: `${call.do}: JSON that breaks off is asked for again`,
      call,
      server: [{ ...good, headers: { ...good.headers, 'content-length': '100000' }, cut: true }, good],
      result: { value },
      requests: [request, request],
    }),
  ),
  ...[list, me].map(
    ({ call, good, value, request }): Scenario => ({
      name: `${call.do}: a compressed answer is read`,
      call,
      server: [{ ...good, gzip: true }],
      result: { value },
      requests: [request],
    }),
  ),
  {
    name: 'me: fields of a newer service, and those that an older one lacks, are no error',
    call: me.call,
    server: [json({ namespace: 'ada', field_of_tomorrow: { items: [1] } })],
    result: { value: 'ada' },
  },
  {
    name: 'list: an answer of several megabytes arrives whole',
    call: list.call,
    server: [page(Array.from({ length: 40_000 }, () => 'msg_2'))],
    result: { value: Array.from({ length: 40_000 }, () => 'msg_2') },
  },
];

const waiting: readonly Scenario[] = [
  {
    name: 'ask: the reply comes in one exchange',
    call: { do: 'ask' },
    server: [json(replied('Hello'))],
    result: { value: 'Hello' },
    requests: [SEND],
  },
  {
    name: 'ask: a question is a reply',
    call: { do: 'ask' },
    server: [json(replied('Which?', 'input_required'))],
    result: { value: 'Which?' },
  },
  ...['ä', '𝒳y', '\u0000', '"\\'].map(
    (body): Scenario => ({
      name: `ask: the text ${JSON.stringify(body)} arrives as it is`,
      call: { do: 'ask' },
      server: [json(replied(body))],
      result: { value: body },
    }),
  ),
  {
    name: 'wait: 202 is waited for',
    call: { do: 'wait', args: { id: 'msg_1' } },
    server: [json(message(), 202), json(replied('x'))],
    result: { value: 'completed' },
  },
  ...['completed', 'input_required', 'failed', 'canceled', 'rejected'].map(
    (status): Scenario => ({
      name: `wait: ${status} is settled`,
      call: { do: 'wait', args: { id: 'msg_1' } },
      server: [json(message({ status }))],
      result: { value: status },
    }),
  ),
  {
    name: 'wait: the end of the time is a time-out',
    call: { do: 'wait', args: { id: 'msg_1', timeout: 0 } },
    server: [json(message())],
    result: { error: { code: 'timeout', status: null } },
  },
  ...['failed', 'canceled', 'rejected'].map(
    (status): Scenario => ({
      name: `ask: ${status} without a reason is an error of that name`,
      call: { do: 'ask' },
      server: [json(message({ status }))],
      result: { error: { code: status, status: null } },
    }),
  ),
  {
    name: 'ask: the reason of a failure is its code',
    call: { do: 'ask' },
    server: [json(message({ status: 'failed', error: { code: 'agent', message: 'No' } }))],
    result: { error: { code: 'agent', status: null } },
  },
  {
    name: 'ask: what was filed and is not handled says so',
    call: { do: 'ask' },
    server: [json(message({ status: 'completed', not_answered: 'copy' }))],
    result: { error: { code: 'not_answered' } },
  },
];

const pages: readonly Scenario[] = [
  { name: 'list: no items', call: list.call, server: [page([])], result: { value: [] }, requests: [LIST] },
  {
    name: 'list: three pages are one list',
    call: list.call,
    server: [page(['a'], 'c 1'), page(['b'], 'c2'), page(['c'])],
    result: { value: ['a', 'b', 'c'] },
    requests: [LIST, `${LIST}?cursor=c+1`, `${LIST}?cursor=c2`],
  },
  {
    name: 'list: an empty page in the middle is not the end',
    call: list.call,
    server: [page(['a'], 'c1'), page([], 'c2'), page(['c'])],
    result: { value: ['a', 'c'] },
  },
  {
    name: 'list: the end of what is asked for asks for no more',
    call: { do: 'list', args: { max: 2 } },
    server: [page(['a', 'b', 'c'], 'c1')],
    result: { value: ['a', 'b'] },
    requests: [LIST],
  },
  {
    name: 'list: a page that fails is asked for again, and those before it are not',
    call: list.call,
    server: [page(['a'], 'c1'), problem('unavailable', 503, { 'retry-after': '0' }), page(['b'])],
    result: { value: ['a', 'b'] },
    requests: [LIST, `${LIST}?cursor=c1`, `${LIST}?cursor=c1`],
  },
];

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
const streams: readonly Scenario[] = [
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

const files: readonly Scenario[] = [
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
const at = (seconds: number) => ({
  headers: { 'webhook-timestamp': `${NOW + seconds}`, 'webhook-signature': sign(BODY, 'evt_1', NOW + seconds) },
});
const webhooks: readonly Scenario[] = [
  hook('what the service signed', true),
  hook('one of several signatures', true, {
    headers: { 'webhook-signature': `v1a,xx ${sign(BODY, 'evt_1', NOW, other)} ${sign()}` },
  }),
  hook('one of several secrets', true, { secret: [`whsec_${other.toString('base64')}`, SECRET] }),
  ...[-299, -1, 299].map((seconds) => hook(`a time ${seconds} s away`, true, at(seconds))),
  ...[-301, -86_400, 301].map((seconds) => hook(`a time ${seconds} s away`, false, at(seconds))),
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

/** What every client of Mailroom does, whatever the server does. */
export const SCENARIOS: readonly Scenario[] = [
  ...refusals,
  ...retries,
  ...answers,
  ...waiting,
  ...pages,
  ...streams,
  ...files,
  ...webhooks,
];

/** What a real service answers, at an address of `hello` and by a key of its namespace. */
export function plainScenarios({
  to,
  key,
  introduction,
}: Readonly<Record<'to' | 'key' | 'introduction', string>>): readonly Scenario[] {
  const own = { to, key };
  const refused = (call: Call, code: string, status: number): Scenario => ({
    name: `${call.do}: a service refuses with ${code}`,
    call,
    result: { error: { code, status } },
  });
  return [
    { name: 'ask: an address answers', call: { do: 'ask', args: own }, result: { value: introduction } },
    {
      name: 'upload: a service takes a file',
      call: { do: 'upload', args: { ...own, filename: 'ü.txt', text: 'x', streamed: false } },
      result: {},
    },
    {
      name: 'upload: a service takes a stream',
      call: { do: 'upload', args: { ...own, filename: 'ü.txt', text: 'x', streamed: true } },
      result: {},
    },
    refused({ do: 'ask', args: { key, to: to.replace('@', 'x@') } }, 'mailbox_not_found', 404),
    refused({ do: 'send', args: { key, to: to.replace('@', 'x@') } }, 'mailbox_not_found', 404),
    refused({ do: 'send', args: { to, key: 'mr_live_none' } }, 'invalid_key', 401),
    refused({ do: 'me', args: { key: 'k' } }, 'invalid_key', 401),
    refused({ do: 'me', args: { key: '' } }, 'missing_key', 401),
    refused({ do: 'list', args: { key: '' } }, 'missing_key', 401),
    refused({ do: 'events', args: { key: '', count: 1 } }, 'missing_key', 401),
    refused({ do: 'wait', args: { key, id: 'msg_1' } }, 'message_not_found', 404),
    refused({ do: 'approve', args: own }, 'message_not_found', 404),
    refused({ do: 'revoke', args: own }, 'not_found', 404),
    refused({ do: 'download', args: own }, 'not_found', 404),
  ];
}
