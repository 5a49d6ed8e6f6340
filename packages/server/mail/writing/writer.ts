import { BatchThread } from '@mailroom/workers/batch-thread';
import { type MailInput, NotAMail } from './compose.ts';
import type { SignOptions } from './dkim.ts';

/** What the thread does. */
export type WriterTask =
  | ({ readonly kind: 'compose'; readonly input: MailInput } & Following)
  | { readonly kind: 'sign'; readonly message: Uint8Array; readonly options: SignOptions }
  | { readonly kind: 'put'; readonly path: string; readonly message: Uint8Array };

/** What follows when a mail was composed, on the same thread. */
interface Following {
  readonly sign?: SignOptions | undefined;
  /** Where it is put instead of being returned. */
  readonly path?: string | undefined;
}

/** Its result, or what of an error `failureOf` reads. */
export type Written =
  | { readonly message: Uint8Array }
  | { readonly failed: { readonly name: string; readonly message: string; readonly code: string | undefined } };

/** How long the thread may answer nothing while it has work. */
const SILENT_MS = 60_000;

/** Writes and signs mail on a thread, since a mail takes more processor time than all else that is done to answer it. */
export class MailWriter implements AsyncDisposable {
  readonly #thread = new BatchThread<WriterTask, Written>({
    name: 'mail-writer',
    script: new URL('./writer-worker.ts', import.meta.url),
    run_ms: SILENT_MS,
  });

  /** As `composeMail`; then it is signed as by `signMail` and put as by `put`, which makes the result empty. */
  compose = async (input: MailInput, { sign, path }: Following = {}): Promise<Buffer> => {
    const files = input.attachments ?? [];
    const attachments = [];
    for (const file of files) attachments.push({ ...file, content: await bytesOf(file.content) });
    return this.#write({ kind: 'compose', input: { ...input, attachments }, sign, path });
  };

  /** As `signMail`. */
  sign = (message: Buffer, options: SignOptions): Promise<Buffer> => this.#write({ kind: 'sign', message, options });

  /** Writes a mail as a file, which readers see completely or not at all; its folder is made. Durable when it resolves. */
  put = async (path: string, message: Buffer): Promise<void> => {
    await this.#write({ kind: 'put', path, message });
  };

  /** Ends the thread; what it works on rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.close();
  }

  async #write(task: WriterTask): Promise<Buffer> {
    const written = await this.#thread.run(task);
    if ('message' in written) {
      const { buffer, byteOffset, byteLength } = written.message;
      return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    }
    const { name, message, code } = written.failed;
    throw name === 'NotAMail' ? new NotAMail(message) : Object.assign(new Error(message), { code });
  }
}

async function bytesOf(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
