import { Type } from 'typebox';
import { PeerBatch } from '../../core/entities/peer-message.ts';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import type { PeerMail } from '../../core/mail-in/peer-mail.ts';
import { PEER_MAIL_PATH, PEER_MESSAGES_PATH } from '../../core/values/peer-doors.ts';
import { count, type Limiters } from '../../http/limits.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Route } from '../../http/route.ts';
import { resultsOf } from './results.ts';

export interface PeerParts {
  /** Undefined where mail is taken by mail alone. */
  readonly peerMail: PeerMail | undefined;
  /** Memory for the mails that are taken at a time. */
  readonly importing: { readonly max: number; readonly held: HeldBytes };
  readonly limiters: Pick<Limiters, 'oidc'>;
  /** The limits, where limits are applied. */
  readonly applied: Pick<Limiters, 'oidc'> | undefined;
}

/** Signed mail of other servers, one recipient a request, and batches of messages; the answer says what is durable. */
export const peerRoutes = ({ peerMail, importing, limiters, applied }: PeerParts): readonly Route[] =>
  peerMail === undefined
    ? []
    : [
        pageRoute('POST', PEER_MAIL_PATH, {
          limits: [limiters.oidc],
          query: Type.Object({
            to: Type.String({ maxLength: 320 }),
            from: Type.Optional(Type.String({ maxLength: 320 })),
          }),
          takes: { type: 'message/rfc822', ...importing },
          async handle({ query, bytes, gone }) {
            const { id } = await peerMail.take(bytes, query, gone());
            return { status: 202, body: { id } };
          },
        }),
        pageRoute('POST', PEER_MESSAGES_PATH, {
          limits: [limiters.oidc],
          body: PeerBatch,
          async handle({ caller, headers, bytes, body: { messages } }) {
            // The request was counted as one message.
            const further = applied === undefined ? [] : messages.slice(1);
            const counted = await Promise.all(further.map(async () => count([limiters.oidc], caller.network)));
            const refusals = counted.flatMap(({ refused }) => refused ?? []);
            const allowed = messages.slice(0, messages.length - refusals.length);
            const taken = await peerMail.takeMessages({
              path: PEER_MESSAGES_PATH,
              headers,
              body: bytes,
              messages: allowed,
            });
            return { status: 200, body: { results: resultsOf([...taken, ...refusals]) } };
          },
        }),
      ];
