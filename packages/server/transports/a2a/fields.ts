import { Type } from 'typebox';

/** A field that may be left out, or be null. */
export const given = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** The id of a task or a context. */
export const Id = given(Type.String({ maxLength: 200 }));

/** The id that its sender gave a message. */
export const MessageId = Type.String({ minLength: 1, maxLength: 255 });

/** Bytes in base64 or base64url. */
export const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$' });

/** A push configuration, but for the task that it is of. */
export const PushFields = Type.Object({
  id: given(Type.String()),
  url: Type.String({ minLength: 1 }),
  token: given(Type.String()),
  authentication: given(Type.Object({ scheme: Type.String(), credentials: given(Type.String()) })),
});
