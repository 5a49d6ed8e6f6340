import { Type } from 'typebox';

const RfcId = Type.String({ maxLength: 998, pattern: '^<[^<>@\\s]+@[^<>\\s]+>$' });
/** What servers send each other, as a message or as its answer. Further fields are ignored. */
export const PeerMessage = Type.Object({
  id: RfcId,
  from: Type.Object({ name: Type.Optional(Type.String({ maxLength: 998 })), address: Type.String({ maxLength: 320 }) }),
  to: Type.String({ maxLength: 320 }),
  subject: Type.Optional(Type.String({ maxLength: 998 })),
  body: Type.String(),
  date: Type.String({ format: 'date-time' }),
  references: Type.Optional(Type.Array(RfcId, { maxItems: 50 })),
  automatic: Type.Optional(Type.Enum(['auto-replied', 'auto-generated'])),
});
export type PeerMessage = Type.Static<typeof PeerMessage>;

/** What a server answers to a message that it took: its own id of it, and the answer where it is there. */
export const PeerResponse = Type.Object({ id: Type.String({ maxLength: 998 }), answer: Type.Optional(PeerMessage) });
export type PeerResponse = Type.Static<typeof PeerResponse>;

/** A message as it came by HTTP, read from its body. */
export interface PeerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly message: PeerMessage;
}
