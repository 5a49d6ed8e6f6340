import { connect } from 'node:net';
import type { Answer } from './client.ts';

export interface Wire {
  readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Closes our side after the last chunk. */
  readonly end?: boolean;
  /** Maximum time to wait for an answer, in ms. */
  readonly patience_ms?: number;
  /** The request is a HEAD, so its answer ends after its head. */
  readonly head?: boolean;
}

/**
 * Writes bytes to the port and returns the first answer, for requests that no HTTP client would send. Status 0 when the
 * connection closed or the time ran out without an answer. Interim answers (1xx) are skipped.
 */
export const wire = (
  port: number,
  { chunks, end = false, patience_ms = 5_000, head = false }: Wire,
): Promise<Answer<unknown>> =>
  new Promise((resolve) => {
    const got: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      clearTimeout(patience);
      socket.destroy();
      resolve(readAnswer(Buffer.concat(got), head) ?? { status: 0, headers: new Headers(), body: undefined, text: '' });
    };
    const patience = setTimeout(finish, patience_ms);
    socket.setNoDelay(true);
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('data', (bytes: Buffer) => {
      got.push(bytes);
      if (readAnswer(Buffer.concat(got), head)?.whole === true) finish();
    });
    socket.on('connect', () => {
      void (async () => {
        for await (const chunk of chunks) {
          if (over) return;
          socket.write(chunk);
          // Each chunk is to be its own packet.
          await new Promise((next) => setImmediate(next));
        }
        if (end) socket.end();
      })();
    });
  });

/** Parses an answer; `whole` when its declared length has arrived. Undefined while its head is incomplete. */
function readAnswer(bytes: Buffer, head: boolean): (Answer<unknown> & { readonly whole: boolean }) | undefined {
  const text = bytes.toString('latin1');
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const [line = '', ...lines] = text.slice(0, split).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
  if (status >= 100 && status < 200) return readAnswer(bytes.subarray(split + 4), head);
  const headers = new Headers();
  for (const header of lines) {
    const colon = header.indexOf(':');
    if (colon > 0) headers.append(header.slice(0, colon), header.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(split + 4);
  const length = headers.get('content-length');
  const chunked = headers.get('transfer-encoding') === 'chunked';
  const body = head
    ? ''
    : chunked
      ? unchunk(rest)
      : rest.toString('utf8', 0, length === null ? rest.length : Number(length));
  const ended = chunked ? rest.includes('\r\n0\r\n\r\n') : length !== null && rest.length >= Number(length);
  const whole = head || ended || status === 204 || status === 304;
  const json = /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
  let parsed: unknown;
  if (json && body !== '') {
    try {
      parsed = JSON.parse(body);
    } catch {
      parsed = undefined;
    }
  }
  return { status, headers, body: parsed, text: body, whole };
}

function unchunk(bytes: Buffer): string {
  const parts: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', offset);
    if (end < 0) break;
    const size = Number.parseInt(bytes.toString('latin1', offset, end), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    offset = end + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The text of a request's head and body, with `Content-Length` unless it is among the headers. */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all: Record<string, string> = { Host: 'localhost', ...headers };
  if (body !== '' && !Object.keys(all).some((name) => /^(content-length|transfer-encoding)$/i.test(name))) {
    all['Content-Length'] = String(Buffer.byteLength(body));
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Writes bytes to the port and returns every byte received until the other side closes. */
export const dialogue = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      got += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });
