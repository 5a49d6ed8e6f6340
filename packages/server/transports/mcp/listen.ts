import { AppError } from '@mailroom/behavior/values/error';
import type { McpServerFactory, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { InboxSubscription, Offer } from './offer.ts';

type Sdk = typeof import('@modelcontextprotocol/server');

/** Inboxes in one subscription. */
const MAX_INBOXES = 100;
/** Notices that a client may leave unread; with more its stream ends, and it goes on from its last cursor. */
const MAX_UNREAD = 1_000;

export interface ListenParts {
  readonly sdk: Sdk;
  readonly factory: McpServerFactory;
  readonly keepAliveMs: number;
  /** Aborts when the service begins to stop. */
  readonly stop: AbortSignal;
  readonly onerror: (error: Error) => void;
}

interface ListenBody {
  readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
}

/**
 * Answers `subscriptions/listen` (MCP 2026-07-28, "Subscriptions") with a stream of changes in the inboxes that the caller
 * may read; the acknowledgment names those. Throws AppError `validation_error`, `rate_limited`, `unavailable`.
 */
export async function listen(
  { request, body, offer }: { readonly request: Request; readonly body: unknown; readonly offer: Offer },
  { sdk, factory, keepAliveMs, stop, onerror }: ListenParts,
): Promise<Response> {
  const { params } = body as ListenBody;
  const wanted = params?.notifications?.resourceSubscriptions;
  const uris = Array.isArray(wanted) ? wanted.filter((uri): uri is string => typeof uri === 'string') : [];
  if (uris.length > MAX_INBOXES)
    throw new AppError('validation_error', `Subscribe to at most ${MAX_INBOXES} resources at once.`);
  const { inboxes: readable } = offer;
  const found = readable === undefined ? [] : [...new Set(uris)].map((uri) => readable.subscription(uri));
  const inboxes = (await Promise.all(found)).filter((inbox) => inbox !== undefined);
  const over = new AbortController();
  if (inboxes.length > 0) offer.countListen?.(AbortSignal.any([over.signal, request.signal]));
  const bus = new InboxBus(inboxes, over, onerror);
  const handler = sdk.createMcpHandler(factory, { onerror, bus, keepAliveMs });
  const end = (): void => void handler.close().catch(onerror);
  over.signal.addEventListener('abort', end, { once: true });
  const ends = AbortSignal.any([stop, request.signal]);
  ends.addEventListener('abort', () => over.abort(), { once: true });
  const notifications = { ...params?.notifications, ...(Array.isArray(wanted) && { resourceSubscriptions: bus.uris }) };
  const parsedBody = { ...(body as object), params: { ...params, notifications } };
  const response = await handler.fetch(request, {
    authInfo: { token: '', clientId: '', scopes: [], extra: { offer } },
    parsedBody,
  });
  if (response.body === null || inboxes.length === 0) return response;
  return new Response(ReadableStream.from(bus.counted(response.body)), response);
}

/** The changes of the inboxes of one stream, as the library takes them. */
class InboxBus implements ServerEventBus {
  readonly #inboxes: readonly InboxSubscription[];
  readonly #over: AbortController;
  readonly #onerror: (error: Error) => void;
  #unread = 0;

  constructor(inboxes: readonly InboxSubscription[], over: AbortController, onerror: (error: Error) => void) {
    this.#inboxes = inboxes;
    this.#over = over;
    this.#onerror = onerror;
  }

  get uris(): string[] {
    return this.#inboxes.map(({ uri }) => uri);
  }

  /** The library subscribes once, when its stream has begun. */
  subscribe(listener: (event: ServerEvent) => void): () => void {
    const { signal } = this.#over;
    for (const inbox of this.#inboxes)
      inbox
        .follow((notice) => {
          this.#unread += 1;
          if (this.#unread > MAX_UNREAD) this.#over.abort();
          else listener({ kind: 'resource_updated', uri: inbox.uri, params: { _meta: { ...notice } } });
        }, signal)
        .catch(this.#onerror)
        .finally(() => this.#over.abort());
    return () => this.#over.abort();
  }

  /** Nothing is published from within the library. */
  publish(): void {}

  /** The stream, counting what is read of it. */
  async *counted(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const frame of stream) {
      this.#unread = Math.max(0, this.#unread - 1);
      yield frame;
    }
  }
}
