/** The bytes of a file: held in memory, a `Blob`, or read as they are sent. */
export type FileContent =
  | string
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file to send with a message; a `File` is one too. */
export type FileInput =
  | { readonly filename: string; readonly content: FileContent; readonly content_type?: string | undefined }
  | File;

/** A request's body and its type. */
export interface Encoded {
  readonly body: string | Blob | ReadableStream<Uint8Array>;
  readonly type: string;
  /** Whether it can be sent again, which a stream cannot. */
  readonly repeatable: boolean;
  /** Filled with what a file's stream throws while it is sent. */
  readonly failures?: readonly unknown[];
}

type Part = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
type Streamed = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

const isPart = (content: Part | Streamed): content is Part =>
  typeof content === 'string' ||
  content instanceof Blob ||
  content instanceof ArrayBuffer ||
  content instanceof Uint8Array;

const isStreamed = (content: unknown): content is Streamed =>
  typeof content === 'object' && content !== null && ('getReader' in content || Symbol.asyncIterator in content);

const contentOf = (file: FileInput): FileContent => (file instanceof Blob ? file : file.content);

/** Whether the files can be read more than once. */
export const areRepeatable = (files: readonly FileInput[]): boolean =>
  !files.some((file) => isStreamed(contentOf(file)));

/** A file name as browsers write it (WHATWG HTML, multipart/form-data encoding). */
const quoted = (name: string): string => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

const plainType = (type: string | undefined): string =>
  type === undefined || type === '' || /[\r\n]/.test(type) ? 'application/octet-stream' : type;

/** `multipart/form-data` (RFC 7578) with the JSON in a part `message`, then the files. */
export function multipart(message: unknown, files: readonly FileInput[]): Encoded {
  const boundary = `mailroom-${crypto.randomUUID()}`;
  const type = `multipart/form-data; boundary=${boundary}`;
  const head = (disposition: string, contentType: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`;
  const parts: (Part | Streamed)[] = [
    `${head('name="message"', 'application/json')}${JSON.stringify(message ?? {})}\r\n`,
  ];
  for (const file of files) {
    const { filename, content_type } = file instanceof Blob ? { filename: file.name, content_type: file.type } : file;
    const content = contentOf(file);
    if (typeof filename !== 'string') throw new TypeError('A file has no filename.');
    if (!isPart(content) && !isStreamed(content))
      throw new TypeError(
        `The file "${filename}" has no content: give text, bytes, a Blob, a stream or an async iterable of bytes.`,
      );
    const declared = content_type ?? (content instanceof Blob ? content.type : undefined);
    parts.push(head(`name="file"; filename="${quoted(filename)}"`, plainType(declared)), content, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  if (parts.every(isPart)) return { body: new Blob(parts), type, repeatable: true };
  const failures: unknown[] = [];
  return { body: streamOf(parts, failures), type, repeatable: false, failures };
}

function streamOf(parts: readonly (Part | Streamed)[], failures: unknown[]): ReadableStream<Uint8Array> {
  const bytes = bytesOf(parts);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
    async cancel() {
      await bytes.return();
    },
  });
}

async function* bytesOf(parts: readonly (Part | Streamed)[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) {
    if (isPart(part)) yield* chunksOf(new Blob([part]).stream());
    else if ('getReader' in part) yield* chunksOf(part);
    else yield* part;
  }
}

/** The chunks of a stream; not every browser iterates over streams. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    // Stopping early closes the connection.
    if (!ended) await reader.cancel().catch(() => {});
  }
}
