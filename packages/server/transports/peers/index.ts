import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { PeerMessage } from '../../core/entities/peer-message.ts';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import type { PeerMail } from '../../core/mail-in/peer-mail.ts';
import { PEER_MAIL_PATH, PEER_MESSAGE_PATH } from '../../core/values/peer-doors.ts';
import type { Limiters } from '../../http/limits.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';

export interface PeerParts {
  /** Undefined where mail is taken by mail alone. */
  readonly peerMail: PeerMail | undefined;
  /** Memory for the mails that are taken at a time. */
  readonly importing: { readonly max: number; readonly held: HeldBytes };
  readonly limiters: Pick<Limiters, 'oidc'>;
}

/** Signed mail of other servers, one recipient a request; the answer says that it is durable. */
export const peerRoutes = ({ peerMail, importing, limiters }: PeerParts): readonly Route[] =>
  peerMail === undefined
    ? []
    : [
        route({
          ...pageRoute('POST', PEER_MAIL_PATH),
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
        route({
          ...pageRoute('POST', PEER_MESSAGE_PATH),
          limits: [limiters.oidc],
          body: PeerMessage,
          async handle({ headers, bytes, body: message }) {
            const taken = await peerMail.takeMessage({ path: PEER_MESSAGE_PATH, headers, body: bytes, message });
            const answer = answerIn(taken);
            const body = { id: taken.message.id, ...(answer !== undefined && { answer }) };
            return { status: answer === undefined ? 202 : 200, body };
          },
        }),
      ];

/** The answer as a message of its own. */
const answerIn = ({ message, answer, rfc_id }: Awaited<ReturnType<PeerMail['takeMessage']>>) =>
  answer && {
    ...{ id: answer.rfc_id, from: answer.from, to: message.sender_id, body: answer.body, date: rfc3339(answer.at) },
    ...{ references: [rfc_id], automatic: 'auto-replied' },
  };
