import { closed } from '@mailroom/behavior/values/closed';
import { type Static, Type } from 'typebox';
import { CODECS } from './codecs.ts';
import { HASHES } from './hash.ts';

export const Input = closed({
  op: Type.Enum(['encode', 'decode', 'hash', 'hmac', 'jwt'], {
    description: 'jwt: reads a JSON Web Token without checking its signature.',
  }),
  'as?': Type.Enum([...CODECS, ...HASHES], {
    description: 'encode, decode: the encoding, base64 by default. hash, hmac: the hash, sha256 by default.',
  }),
  text: Type.Unknown({
    description: 'What to work on: a text of up to 256 KB; a list is its lines, other JSON as it is written.',
  }),
  'key?': Type.String({ minLength: 1, maxLength: 4_096, description: 'hmac: the key, as UTF-8.' }),
});
export type Input = Static<typeof Input>;

export const Output = closed({
  result: Type.Unknown({ description: 'A text; of a JWT its claims.' }),
  'as?': Type.String({ description: 'The encoding or the hash.' }),
  'note?': Type.String(),
  'header?': Type.Unknown({ description: 'jwt: its header.' }),
  'payload?': Type.Unknown({ description: 'jwt: its claims.' }),
  'times?': Type.Record(Type.String(), Type.String(), { description: 'jwt: what its times are, in words.' }),
  'signature_checked?': Type.Boolean({ description: 'jwt: always false.' }),
});
export type Output = Static<typeof Output>;
