import { AppError } from '@mailroom/behavior/values/error';
import type { Caller } from '../../core/access/caller.ts';
import { hasScope } from '../../core/entities/key.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { LocalCall, LocalRoutes } from '../../http/local-routes.ts';
import type { Call } from '../../http/route.ts';
import { type AttachmentCalls, attachmentResources } from './attachment-resources.ts';
import type { Offer } from './offer.ts';
import { messagesOf } from './sse.ts';
import type { ToolCall } from './tool.ts';

/** What calls of the API take of a request. */
export type Requested = Pick<Call<unknown, unknown, unknown>, 'caller' | 'request_id' | 'secure'>;

const localCall = (
  { caller, request_id, secure }: Requested,
  signal: AbortSignal,
): Pick<LocalCall, 'caller' | 'channel' | 'request_id' | 'secure' | 'signal'> => ({
  caller,
  channel: 'mcp',
  request_id,
  secure,
  signal,
});

export interface CallParts {
  readonly routes: LocalRoutes;
  readonly authenticator: Pick<Authenticator, 'threadOf'>;
}

/** What tools and resources may do as the caller of a request: call routes of the API, with their checks. */
export function callsOf(
  request: Requested,
  { routes, authenticator }: CallParts,
  namespace: string,
): Pick<Offer, 'toolCall' | 'resources'> {
  const { caller } = request;
  const as = (token: string): Caller => {
    const thread_id = authenticator.threadOf(token);
    if (thread_id === undefined)
      throw new AppError('invalid_key', 'This thread token is not valid. Use the one that ask returned.');
    return { kind: 'thread', thread_id, network: caller.network };
  };
  const attachments: AttachmentCalls = {
    attachment: (id, signal) => routes.call('getAttachment', { ...localCall(request, signal), params: { id } }),
    messages:
      (caller.kind === 'account' && caller.scopes.includes('messages:read')) ||
      (caller.kind === 'key' && hasScope(caller.key, 'messages:read'))
        ? (query, signal) => routes.json('listSentMessages', { ...localCall(request, signal), query })
        : undefined,
  };
  return {
    resources: attachmentResources(attachments),
    toolCall({ signal, progress, user }): ToolCall {
      return {
        namespace,
        checkAccess: (id) => routes.checkAccess(id, caller),
        call: (id, more) => routes.json(id, { ...localCall(request, signal), ...more }),
        callAs: async (token, id, more) =>
          routes.json(id, { ...localCall({ ...request, caller: as(token) }, signal), ...more }),
        follow: (id, over) => {
          const reader = new AbortController();
          const ended = AbortSignal.any([signal, over, reader.signal]);
          const headers = { accept: 'text/event-stream' };
          const answer = routes.call('getMessage', { ...localCall(request, ended), params: { id }, headers });
          return messagesOf(answer, reader);
        },
        progress,
        user,
        signal,
      };
    },
  };
}
