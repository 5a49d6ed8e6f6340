import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Static } from 'typebox';
import { readBy } from '../grammar/index.ts';
import { type Task, type TaskContext, TaskError, task } from '../task.ts';
import { asText, plainly, verbatim } from '../text/input.ts';
import { CODECS, type Codec, decoded, encoded, wellFormed } from './codecs.ts';
import { digest, HASHES, type Hash, mac } from './hash.ts';
import { readJwt } from './jwt.ts';
import { Input, Output } from './schema.ts';

const definition: Task<typeof Input, typeof Output> = {
  name: 'encode',
  description:
    'Encodes and decodes text: base64, hex, binary, URL, HTML entities, rot13, Morse; hashes it and makes HMACs; shows what a JWT says, without checking its signature.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  examples: [
    'decode this base64: aGVsbG8=',
    'url-encode: a b&c',
    'sha256 of hello',
    "hmac sha256 of 'hello' with key 'secret'",
  ],
  read: readBy('encode'),
  run: (input, context) => run(input, context),
  show: (output) => show(output),
};

/** Encodings, hashes and tokens. */
export const encode = task(definition);

function run(input: Static<typeof Input>, { clock, limits }: TaskContext): Static<typeof Output> {
  const text = asText(input.text);
  if (input.op === 'jwt') return readJwt(text, clock());
  if (input.op === 'hash' || input.op === 'hmac') {
    const hash: Hash | undefined = input.as === undefined ? 'sha256' : HASHES.find((one) => one === input.as);
    if (hash === undefined) throw new TaskError(`“${input.as}” is no hash; there are ${HASHES.join(', ')}.`);
    if (input.op === 'hash') return { result: digest(text, hash), as: hash };
    if (input.key === undefined || input.key === '') throw new TaskError('An HMAC needs a key.');
    return { result: mac(text, input.key, hash), as: `hmac-${hash}` };
  }
  const codec: Codec | undefined = input.as === undefined ? 'base64' : CODECS.find((one) => one === input.as);
  if (codec === undefined) throw new TaskError(`“${input.as}” is no encoding; there are ${CODECS.join(', ')}.`);
  if (input.op === 'encode') return { result: encoded(wellFormed(text), codec, limits.output_bytes), as: codec };
  return { ...decoded(text, codec), as: codec };
}

function show({ result, note, header, times }: Static<typeof Output>): string {
  const body =
    typeof result === 'string' ? (result === '' ? '(empty)' : verbatim(result)) : verbatim(indentedJson(result));
  if (header === undefined) return note === undefined ? body : `${body}\n\n${note}`;
  const lines = Object.values(times ?? {}).map((one) => `- ${plainly(one)}`);
  return [`**${note ?? ''}**`, `Header: ${verbatim(JSON.stringify(header))}`, 'Payload:', body, lines.join('\n')]
    .filter((one) => one !== '')
    .join('\n\n');
}
