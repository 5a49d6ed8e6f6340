import type { Answer } from '../../http/route.ts';
import type { Envelope } from './tool.ts';

/** The messages of a stream of server-sent events that the API answers with; ends the stream when it is left. */
export async function* messagesOf(answer: Promise<Answer>, reader: AbortController): AsyncGenerator<Envelope> {
  try {
    const { body } = await answer;
    for await (const text of body as AsyncIterable<string>) {
      for (const event of text.split('\n\n')) {
        const data = event.startsWith('event: message\n') ? event.slice(event.indexOf('\ndata: ') + 7) : undefined;
        if (data !== undefined) yield JSON.parse(data) as Envelope;
      }
    }
  } finally {
    reader.abort();
  }
}
