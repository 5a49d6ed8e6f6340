import {
  APPROVE,
  approve,
  type Call,
  json,
  kinds,
  LIST,
  list,
  ME,
  me,
  message,
  page,
  problem,
  replied,
  revoke,
  type Scenario,
  SEND,
  safe,
  send,
} from './scenario.ts';
import { files, streams, webhooks } from './streams.ts';

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
    call: { do: 'me', args: { timeout: 2, retries: 0 } },
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
  const credentials = { to, key };
  const refused = (call: Call, code: string, status: number): Scenario => ({
    name: `${call.do}: a service refuses with ${code}`,
    call,
    result: { error: { code, status } },
  });
  return [
    { name: 'ask: an address answers', call: { do: 'ask', args: credentials }, result: { value: introduction } },
    {
      name: 'upload: a service takes a file',
      call: { do: 'upload', args: { ...credentials, filename: 'ü.txt', text: 'x', streamed: false } },
      result: {},
    },
    {
      name: 'upload: a service takes a stream',
      call: { do: 'upload', args: { ...credentials, filename: 'ü.txt', text: 'x', streamed: true } },
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
    refused({ do: 'approve', args: credentials }, 'message_not_found', 404),
    refused({ do: 'revoke', args: credentials }, 'not_found', 404),
    refused({ do: 'download', args: credentials }, 'not_found', 404),
  ];
}
