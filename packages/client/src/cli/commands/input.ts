import { openAsBlob, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileInput } from '../../multipart.ts';
import { type Context, textOf, textsOf, UsageError } from '../command.ts';
import { mediaTypeOf } from '../media-type.ts';

/** The text of a message: an argument, or standard input for `-` and where it is no terminal. */
export async function inputOf({ positionals, typed, input }: Context, call: string): Promise<string> {
  const [, text] = positionals;
  if (text === undefined && typed)
    throw new UsageError(`Give the text: mailroom ${call} "text", or - for standard input (end with Ctrl-D).`);
  const body = text === undefined || text === '-' ? await input() : text;
  if (body.trim() === '') throw new UsageError('The text is empty.');
  return body;
}

/** Files to attach; they are read as they leave. */
export async function filesOf(context: Context): Promise<readonly FileInput[]> {
  return Promise.all(
    textsOf(context, 'attach').map(async (file) => {
      try {
        if (!statSync(file).isFile()) throw new Error('it is not a file');
        return { filename: basename(file), content_type: mediaTypeOf(file), content: await openAsBlob(file) };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const why = code === 'ENOENT' ? 'there is no such file' : message;
        throw new UsageError(`${file} cannot be attached: ${why}.`);
      }
    }),
  );
}

/** The JSON of `--data`; undefined without it. */
export function dataOf(context: Context): unknown {
  const text = textOf(context, 'data');
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--data is JSON, such as \'{"dialect": "british"}\'.');
  }
}
