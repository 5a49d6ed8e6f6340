import { Type } from 'typebox';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import type { PeerMail } from '../../core/mail-in/peer-mail.ts';
import { PEER_MAIL_PATH } from '../../core/values/peer-doors.ts';
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
      ];
