import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { AttachmentView } from '../../core/entities/attachment.ts';
import { STATUSES } from '../../core/entities/message.ts';
import type { LocalRoutes } from '../../http/local-routes.ts';

/** What `resultOf` makes of a refusal. */
const Refusal = Type.Object(
  {
    code: Type.String({ description: 'Of the problem, as the API names it.' }),
    detail: Type.String({ description: 'What is wrong, and how to correct it.' }),
    errors: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }), {
      description: 'Each argument that is wrong, by its JSON Pointer (RFC 6901).',
    }),
    retry_after_ms: Type.Optional(Type.Number({ description: 'When a later call may pass, in milliseconds.' })),
  },
  { description: 'Why the call was refused; `isError` is true.' },
);

/**
 * The schema of what a tool returns: its result, or a refusal, because clients validate both. The root is an object, which
 * MCP 2025-11-25 requires (`Tool.outputSchema`).
 */
const outputOf = (result: TSchema): TSchema => ({ type: 'object', anyOf: [result, Refusal] }) as unknown as TSchema;

/** What a route answers when it succeeds, as the API declares it. */
export function answerOf(routes: LocalRoutes, id: string): TSchema {
  const { answers } = routes.route(id);
  const schema = (answers[200] ?? answers[201])?.schema;
  if (schema === undefined) throw new Error(`The route ${id} declares no answer.`);
  return outputOf(schema);
}

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

/** What `messageResult` makes of a message. */
export const MESSAGE_OUTPUT = outputOf(
  Type.Object({
    id: Type.String({ description: 'Of the message: msg_….' }),
    thread_id: Type.String({ description: 'Continues its thread.' }),
    status: Type.Enum([...STATUSES], { description: '`submitted` and `working` continue: read it later.' }),
    reply: nullable(Type.String()),
    data: Type.Unknown({ description: 'JSON beside the reply; null when there is none.' }),
    attachments: Type.Array(AttachmentView, { description: 'Files of the reply, to read as resources.' }),
    error: nullable(Type.String({ description: 'Why it failed or was rejected.' })),
    thread_token: Type.Optional(Type.String({ description: 'Without a key: reads and continues the thread.' })),
  }),
);
