import { AppError, problems } from '@mailroom/behavior/values/error';
import type { JsonObject } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { type Caller, isOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { count, type Limiters } from '../../http/limits.ts';
import { problemHeaders } from '../../http/problems.ts';
import { isKnown } from '../../http/range.ts';
import { type Answer, type Call, type Route, route } from '../../http/route.ts';
import type { AgentParts } from './agent.ts';
import type { CardParts } from './card.ts';
import { httpError, problemError, rpcError } from './errors.ts';
import { idOf, isNotification } from './json-rpc.ts';
import type { Asked } from './protocol.ts';

export interface A2aParts extends AgentParts, CardParts {
  readonly registry: Registry;
  readonly limiters: AgentParts['limiters'] & Pick<Limiters, 'pages'>;
}

type AnyCall = Call<Record<string, string>, Record<string, unknown>, unknown>;

const AnyJson = Type.Unknown();
/** The media type of HTTP+JSON (A2A 1.0.1, section 14.1.1). */
const A2A_JSON = 'application/a2a+json';
/** How long clients may keep a card. */
const CARD_SECONDS = 300;

/** The parts that need the SDK, which is loaded with the first request. */
async function load(parts: A2aParts) {
  const [{ AddressAgent }, { Cards }, protocol] = await Promise.all([
    import('./agent.ts'),
    import('./card.ts'),
    import('./protocol.ts'),
  ]);
  return { AddressAgent, cards: new Cards(parts), ...protocol };
}

/** Every address as an agent of A2A 1.0: JSON-RPC, HTTP+JSON below `/v1`, and its card. */
export function a2aRoutes(parts: A2aParts): readonly Route[] {
  const { registry, rateLimits, limiters, heartbeat_ms } = parts;
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load(parts);
    return loading;
  };

  /** The mailbox that a request is for; AppError for one that its caller may not know. Guests are counted as by pages. */
  function located({ caller, params }: AnyCall): ReturnType<Registry['locate']> {
    const locate = () => registry.locate(caller, params.address as string);
    if (!rateLimits || caller.kind === 'key') return locate();
    return (async () => {
      const { refused } = await count([limiters.pages], caller.network);
      if (refused !== undefined) throw refused;
      return locate();
    })();
  }

  async function agentOf(call: AnyCall, waits = true) {
    const found = located(call);
    const { mailbox, to } = found instanceof Promise ? await found : found;
    const protocol = await loaded();
    const card = async (extended: boolean) => {
      checkCard(call.caller, mailbox);
      return (await protocol.cards.of(mailbox, extended)).card;
    };
    const agent = new protocol.AddressAgent(parts, { mailbox, to, card, waits }, call);
    const { 'A2A-Version': asked } = call.query as { 'A2A-Version'?: string };
    const version = String(call.headers['a2a-version'] ?? asked ?? '');
    const signed = (legacy: JsonObject) => protocol.cards.legacy(mailbox, legacy);
    return { agent, protocol, of: { version, heartbeat_ms, signed } };
  }

  /** Answers an operation of HTTP+JSON. */
  async function http(call: AnyCall, asked: Asked, done?: number): Promise<Answer> {
    const { agent, protocol, of } = await agentOf(call);
    const answer = await protocol.answerHttp(agent, asked, of, done);
    return answer.status === 204 || isStream(answer) ? answer : { ...answer, ...typed(answer, call) };
  }

  /** A mailbox whose card the caller may see: a listed one, or one of its own namespace. */
  async function carded(call: AnyCall): Promise<Mailbox> {
    const { mailbox } = await located(call);
    checkCard(call.caller, mailbox);
    return mailbox;
  }

  const shared = { tag: 'A2A', access: 'public', problems: [] } as const;
  const hidden = (method: Route['method'], path: string) => ({
    ...shared,
    method,
    path,
    id: `${method} ${path}`,
    summary: path,
  });
  /** Two types, so that any `Accept` is taken: an error is JSON whatever was asked for. */
  const answers = { 200: { description: 'The result.', type: A2A_JSON }, 201: { description: 'The result.' } };
  const rest = { answers, types: [A2A_JSON], refusal: (error: AppError) => ofProblem(error) };

  /** An operation of HTTP+JSON; a POST takes an empty body as an empty object. */
  const operation = (
    method: Route['method'],
    path: string,
    callOf: (call: AnyCall) => Asked,
    done?: number,
  ): readonly Route[] =>
    withSlash(`/a2a/{address}/v1${path}`, (at) =>
      route({
        ...hidden(method, at),
        ...rest,
        ...(method === 'POST' && { body: AnyJson, body_optional: true as const, signed: true as const }),
        handle: (call) => http(call as AnyCall, callOf(call as AnyCall), done),
      }),
    );

  return [
    ...withSlash('/a2a/{address}', (path) =>
      route({
        ...hidden('POST', path),
        answers,
        types: [A2A_JSON],
        body: AnyJson,
        signed: true,
        refusal: (error) => {
          const known = problemError(error);
          return { status: known.rpc_status, body: rpcError(known) };
        },
        async handle(call) {
          const { body } = call;
          const notified = isNotification(body);
          try {
            const { agent, protocol, of } = await agentOf(call as AnyCall, !notified);
            return await protocol.answerRpc(agent, body, of);
          } catch (error) {
            // The id is known here, unlike where a request is refused before it is read.
            if (!(error instanceof AppError) || problems[error.code].status >= 500) throw error;
            const known = problemError(error);
            const answer = { status: known.rpc_status, headers: problemHeaders(error) };
            return notified ? answer : { ...answer, body: rpcError(known, idOf((body ?? {}) as object)) };
          }
        },
      }),
    ),
    // Clients that are given the URL of the interface alone look for the card there, old ones at `agent.json`.
    ...['', '/.well-known/agent-card.json', '/.well-known/agent.json']
      .map((at) => `/a2a/{address}${at}`)
      .flatMap((at) =>
        withSlash(at, (path) =>
          route({
            ...hidden('GET', path),
            answers,
            refusal: ofProblem,
            async handle(call) {
              const mailbox = await carded(call as AnyCall);
              const { cards } = await loaded();
              const { text, etag } = await cards.of(mailbox, false);
              const open = mailbox.visibility === 'listed' && mailbox.access === 'public';
              const headers = {
                etag,
                'cache-control': `${open ? 'public' : 'private'}, max-age=${CARD_SECONDS}`,
                'last-modified': new Date(mailbox.updated_at).toUTCString(),
                // The card is public, and agents run in browsers too.
                'access-control-allow-origin': '*',
              };
              if (isKnown(call.headers['if-none-match'], etag.slice('W/'.length))) return { status: 304, headers };
              return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body: text };
            },
          }),
        ),
      ),
    ...withSlash('/a2a/{address}/.well-known/jwks.json', (path) =>
      route({
        ...hidden('GET', path),
        answers,
        refusal: ofProblem,
        async handle(call) {
          const mailbox = await carded(call as AnyCall);
          const { jwks } = await parts.keyring.issuer(mailbox.namespace_id);
          return { status: 200, headers: { 'cache-control': `public, max-age=${CARD_SECONDS}` }, body: jwks };
        },
      }),
    ),
    ...operation('POST', '/{operation}', ({ params, body }) => ({ method: sendOf(params.operation), params: body })),
    ...operation('GET', '/{operation}', ({ params, query }) => readOf(params.operation, query)),
    ...operation('GET', '/tasks/{task}', ({ params, query }) => {
      const { id, action } = taskIn(params.task);
      if (action === 'subscribe') return { method: 'SubscribeToTask', params: { id } };
      if (action !== undefined) throw nothing();
      return { method: 'GetTask', params: { id, ...numbers(query, 'historyLength') } };
    }),
    ...operation('POST', '/tasks/{task}', ({ params, body }) => {
      const { id, action } = taskIn(params.task);
      if (action === 'cancel') return { method: 'CancelTask', params: { ...(body as object), id } };
      if (action === 'subscribe') return { method: 'SubscribeToTask', params: { id } };
      throw nothing();
    }),
    ...operation(
      'POST',
      '/tasks/{task}/pushNotificationConfigs',
      ({ params, body }) => ({
        method: 'CreateTaskPushNotificationConfig',
        params: { ...(body as object), taskId: params.task },
      }),
      201,
    ),
    ...operation('GET', '/tasks/{task}/pushNotificationConfigs', ({ params }) => ({
      method: 'ListTaskPushNotificationConfigs',
      params: { taskId: params.task },
    })),
    ...operation('GET', '/tasks/{task}/pushNotificationConfigs/{config}', ({ params }) => ({
      method: 'GetTaskPushNotificationConfig',
      params: { taskId: params.task, id: params.config },
    })),
    ...operation('DELETE', '/tasks/{task}/pushNotificationConfigs/{config}', ({ params }) => ({
      method: 'DeleteTaskPushNotificationConfig',
      params: { taskId: params.task, id: params.config },
    })),
  ];
}

/** AppError for a caller that may not see the card of this mailbox. */
function checkCard(caller: Caller, { visibility, namespace_id }: Mailbox): void {
  if (visibility === 'listed' || isOwn(caller, namespace_id)) return;
  throw new AppError('mailbox_not_found', 'There is no card at this address. Cards are shown of listed addresses.');
}

const withSlash = (path: string, make: (path: string) => Route): readonly Route[] => [make(path), make(`${path}/`)];

const ofProblem = (error: AppError): Answer => {
  const known = problemError(error);
  return { status: known.status, body: httpError(known) };
};

const nothing = (): AppError => new AppError('not_found', 'There is no such operation of A2A 1.0 over HTTP+JSON.');

function sendOf(operation: string | undefined): string {
  if (operation === 'message:send') return 'SendMessage';
  if (operation === 'message:stream') return 'SendStreamingMessage';
  throw nothing();
}

function readOf(operation: string | undefined, query: Readonly<Record<string, unknown>>): Asked {
  if (operation === 'extendedAgentCard') return { method: 'GetExtendedAgentCard', params: {} };
  if (operation !== 'tasks') throw nothing();
  const { includeArtifacts } = query;
  const params = { ...query, ...numbers(query, 'pageSize', 'historyLength') };
  return { method: 'ListTasks', params: { ...params, includeArtifacts: includeArtifacts === 'true' } };
}

/** The id and the action of `{id}:{action}`. */
function taskIn(text = ''): { readonly id: string; readonly action?: string | undefined } {
  const [id = '', action] = text.split(':');
  return { id, action };
}

/** These parameters of a query as numbers; what is none stays NaN, and is refused. */
const numbers = (query: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.filter((name) => query[name] !== undefined).map((name) => [name, Number(query[name])]));

const isStream = ({ body }: Answer): boolean =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** The answer in the media type of the binding for callers that use it, else as plain JSON. */
function typed({ body, headers }: Answer, { headers: asked }: AnyCall): Pick<Answer, 'headers' | 'body'> {
  const own = `${String(asked.accept ?? '')} ${String(asked['content-type'] ?? '')}`.includes(A2A_JSON);
  return own ? { headers: { ...headers, 'content-type': A2A_JSON }, body: JSON.stringify(body) } : {};
}
