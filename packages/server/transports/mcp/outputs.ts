import { STATUSES } from '@mailroom/behavior/message';
import { type TSchema, Type } from 'typebox';
import { AttachmentView } from '../../core/entities/attachment.ts';
import type { LocalRoutes } from '../../http/local-routes.ts';
import { compactSchema } from './compact-schema.ts';

/** What `resultOf` makes of a refusal; `isError` is true then. */
const Refusal = Type.Object({
  /** Of the problem, as the API names it. */
  code: Type.String(),
  detail: Type.String(),
  /** Each argument that is wrong, by its JSON Pointer (RFC 6901). */
  errors: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
  /** When a later call may pass, in milliseconds. */
  retry_after_ms: Type.Optional(Type.Number()),
});

/**
 * The schema of what a tool returns: its result, or a refusal, because clients validate both. The root is an object, which
 * MCP 2025-11-25 requires (`Tool.outputSchema`).
 */
const outputOf = (...results: readonly TSchema[]): TSchema =>
  ({ type: 'object', anyOf: [...results, compactSchema(Refusal)] }) as unknown as TSchema;

/** What a route answers when it succeeds, as the API declares it. */
export function answerOf(routes: LocalRoutes, id: string): TSchema {
  const { answers } = routes.route(id);
  const schema = (answers[200] ?? answers[201])?.schema;
  if (schema === undefined) throw new Error(`The route ${id} declares no answer.`);
  return outputOf(compactSchema(withoutDetails(schema)));
}

/** Fields that are answered too, but whose long schemas no program needs to call the next tool. */
const DETAILS: ReadonlySet<string> = new Set([
  'answered_by',
  'authentication',
  'budget',
  'copies',
  'deliveries',
  'findings',
  'not_answered',
  'outgoing',
  'progress',
  'recipients',
  'replies',
  'rules',
]);
const withoutDetails = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (DETAILS.has(name) ? undefined : value)));

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const MessageResult = compactSchema(
  Type.Object({
    id: Type.String(),
    thread_id: Type.String(),
    status: Type.Enum([...STATUSES]),
    reply: nullable(Type.String()),
    /** JSON beside the reply; null when there is none. */
    data: Type.Unknown(),
    /** Files of the reply, to read as resources. */
    attachments: Type.Array(AttachmentView),
    /** Why it failed or was rejected. */
    error: nullable(Type.String()),
    /** Without a key: reads and continues the thread. */
    thread_token: Type.Optional(Type.String()),
  }),
);

/** How a review stands once it is decided; the other fields are those of `list_reviews`. */
export const DECIDED_OUTPUT = outputOf(Type.Object({ id: Type.String(), status: Type.String(), hash: Type.String() }));

/** What `messageResult` makes of a message. */
export const MESSAGE_OUTPUT = outputOf(MessageResult);

/** The same, or what `scheduledResult` makes of a message that is sent later. */
export const SEND_OUTPUT = outputOf(
  MessageResult,
  compactSchema(
    Type.Object({
      draft_id: Type.String(),
      status: Type.Literal('scheduled'),
      to: Type.String(),
      send_at: Type.String(),
    }),
  ),
);
