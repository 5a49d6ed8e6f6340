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

/** Maximum number of messages of a request. */
export const MAX_PEER_MESSAGES = 64;
/** What a request hands over. */
export const PeerBatch = Type.Object({
  messages: Type.Array(PeerMessage, { minItems: 1, maxItems: MAX_PEER_MESSAGES }),
});

/**
 * What became of a message: the HTTP status that it would have alone, the receiver's id where it took it, the answer where
 * that is there, else what is wrong, and the seconds after which it may be sent again.
 */
export const PeerResult = Type.Object({
  status: Type.Integer({ minimum: 100, maximum: 599 }),
  id: Type.Optional(Type.String({ maxLength: 998 })),
  answer: Type.Optional(PeerMessage),
  code: Type.Optional(Type.String({ maxLength: 998 })),
  detail: Type.Optional(Type.String()),
  retry_after: Type.Optional(Type.Number({ minimum: 0 })),
});
export type PeerResult = Type.Static<typeof PeerResult>;
/** A result for each message, in their order. */
export const PeerResults = Type.Object({ results: Type.Array(PeerResult, { maxItems: MAX_PEER_MESSAGES }) });

/** The status of a message that was taken in a batch whose response has no room for its answer: alone it gets it. */
export const ASK_ALONE = 425;

/** Messages as they came by HTTP, read from its body. */
export interface PeerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly messages: readonly PeerMessage[];
}
