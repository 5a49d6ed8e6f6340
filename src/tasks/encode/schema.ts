import { type Static, Type } from 'typebox';
import { CODECS } from './codecs.ts';
import { HASHES } from './hash.ts';

export const Input = Type.Object(
  {
    op: Type.Enum(['encode', 'decode', 'hash', 'hmac', 'jwt'], {
      description: 'jwt: reads a JSON Web Token without checking its signature.',
    }),
    as: Type.Optional(
      Type.Enum([...CODECS, ...HASHES], {
        description: 'encode, decode: the encoding, base64 by default. hash, hmac: the hash, sha256 by default.',
      }),
    ),
    text: Type.Unknown({
      description: 'What to work on: a text of up to 256 KB; a list is its lines, other JSON as it is written.',
    }),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, description: 'hmac: the key, as UTF-8.' })),
  },
  { additionalProperties: false },
);
export type Input = Static<typeof Input>;

export const Output = Type.Object(
  {
    result: Type.Unknown({ description: 'A text; of a JWT its claims.' }),
    as: Type.Optional(Type.String({ description: 'The encoding or the hash.' })),
    note: Type.Optional(Type.String()),
    header: Type.Optional(Type.Unknown({ description: 'jwt: its header.' })),
    payload: Type.Optional(Type.Unknown({ description: 'jwt: its claims.' })),
    times: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'jwt: what its times are, in words.' }),
    ),
    signature_checked: Type.Optional(Type.Boolean({ description: 'jwt: always false.' })),
  },
  { additionalProperties: false },
);
export type Output = Static<typeof Output>;
