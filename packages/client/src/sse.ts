import { chunksOf } from './multipart.ts';

/** An event of a stream of server-sent events. */
export interface ServerEvent {
  /** The last id that the stream sent, with this event or before it; empty without one. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** The fields of one block of lines (WHATWG HTML, section 9.2.6). */
function fieldsOf(block: string): { readonly id?: string; readonly event: string; readonly data?: string } {
  const data: string[] = [];
  let id: string | undefined;
  let event = 'message';
  for (const line of block.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  }
  return { event, ...(id !== undefined && { id }), ...(data.length > 0 && { data: data.join('\n') }) };
}

/**
 * The events of a stream, in order; `onId` is called with each id, also with one that comes without an event. `alive` is
 * called for everything that arrives, heartbeats included.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onId, alive }: { readonly onId?: (id: string) => void; readonly alive?: () => void } = {},
): AsyncGenerator<ServerEvent, void> {
  let rest = '';
  let id = '';
  for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    alive?.();
    const blocks = (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = fieldsOf(block);
      if (fields.id !== undefined) {
        id = fields.id;
        onId?.(id);
      }
      if (fields.data !== undefined) yield { id, event: fields.event, data: fields.data };
    }
  }
}
