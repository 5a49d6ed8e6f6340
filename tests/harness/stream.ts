import assert from 'node:assert/strict';

/** An event as received. */
export interface Streamed {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The events received so far, in order. */
  readonly events: readonly Streamed[];
  /** The text received so far. */
  readonly text: () => string;
  /** What a client would send as `Last-Event-ID`. */
  readonly lastId: () => string;
  /** Resolves when the service or `close` ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream of server-sent events, parsed as in WHATWG HTML, section 9.2.6; resolves with its headers. */
export async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
  const gone = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: gone.signal });
  const events: Streamed[] = [];
  let text = '';
  let rest = '';
  let id = '';
  const take = (block: string): void => {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (name !== '') fields.set(name, value);
    }
    id = fields.get('id') ?? id;
    const data = fields.get('data');
    if (data !== undefined) events.push({ id, event: fields.get('event') ?? 'message', data });
  };
  const read = async (): Promise<void> => {
    assert.ok(response.body !== null);
    try {
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) take(block);
      }
    } catch {
      // The stream broke off, or was closed here.
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    lastId: () => id,
    ended: read(),
    close: () => gone.abort(),
  };
}
