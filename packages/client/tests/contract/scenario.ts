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

export const json = (body: unknown, status = 200, headers = {}): Step => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});
export const problem = (code: string, status: number, headers = {}): Step =>
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
export const message = (fields = {}) => ({
  id: 'msg_1',
  thread_id: 'thr_1',
  status: 'submitted',
  reply: null,
  error: null,
  ...fields,
});
export const replied = (body: string, status = 'completed') =>
  message({ status, reply: { body, status, attachments: [] } });
export const SEND = 'POST /api/v1/mail/send';
export const ME = 'GET /api/v1/me';
export const LIST = 'GET /api/v1/mail/messages';
export const APPROVE = 'POST /api/v1/mail/messages/msg_1/approve';
export const REVOKE = 'DELETE /api/v1/keys/key_1';
export const page = (ids: readonly string[], next: string | null = null) =>
  json({ items: ids.map((id) => ({ ...message(), id })), next_cursor: next });

export interface Kind {
  readonly call: Call;
  readonly good: Step;
  readonly value: unknown;
  readonly request: string;
}
export const send: Kind = { call: { do: 'send' }, good: json(message(), 202), value: 'msg_1', request: SEND };
export const list: Kind = { call: { do: 'list' }, good: page(['msg_1']), value: ['msg_1'], request: LIST };
export const me: Kind = { call: { do: 'me' }, good: json({ namespace: 'ada' }), value: 'ada', request: ME };
export const approve: Kind = { call: { do: 'approve' }, good: json(message()), value: 'msg_1', request: APPROVE };
export const revoke: Kind = { call: { do: 'revoke' }, good: { status: 204 }, value: null, request: REVOKE };
export const kinds: readonly Kind[] = [send, list, me, approve, revoke];
export const safe = kinds.filter((kind) => kind !== approve);
