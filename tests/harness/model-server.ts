import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '@mailroom/behavior/values/json';

/** What a scripted model says in one turn. */
export interface Said {
  /** Each string is one chunk. */
  readonly text?: string | readonly string[];
  /** `raw` is sent unchanged as the arguments. */
  readonly calls?: readonly {
    readonly name: string;
    readonly input?: Json;
    readonly raw?: string;
    readonly id?: string;
  }[];
  /** The `finish_reason` on the wire; default `tool_calls` with calls, else `stop`. */
  readonly finish?: string;
  /** Null: the server reports no usage. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  /** The pause between chunks. */
  readonly pause_ms?: number;
  /** What to wait for before the string with this index. */
  readonly held?: (place: number) => Promise<unknown>;
  /**
   * `status`: answers with that status and the key it got, as some providers do. `hang`: takes the request and never
   * answers. `stall`: sends its text and then nothing. `cut`: breaks the connection after its text. `end`: ends the
   * stream there without a finish reason. `not_json`: sends chunks that are not JSON. `html`: 200 and a page.
   * `endless`: sends text forever.
   */
  readonly error?:
    | { readonly status: number }
    | 'hang'
    | 'stall'
    | 'cut'
    | 'end'
    | 'not_json'
    | 'html'
    | 'endless'
    | 'error_chunk';
}

/** A request as received. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly max_tokens?: number;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
      readonly tool_call_id?: string;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: Json } }[];
  };
}

/** Turns in order, the last one repeated, or a function from a request to a turn. */
export type Script = readonly Said[] | ((asked: Asked) => Said | Promise<Said>);

/** An OpenAI-compatible server on loopback that follows a script. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL, with `/v1`. */
  readonly url: string;
  readonly requests: readonly Asked[];
  /** The number of connections that the client broke off during an answer. */
  readonly left: number;
  /** Replaces the script. */
  say(script: Script): void;
}

export async function openModelServer(script: Script = [{ text: 'Hello.' }]): Promise<ModelServer> {
  const requests: Asked[] = [];
  let current = script;
  let turn = 0;
  let remaining = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) remaining += 1;
    });
    const handle = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        response.writeHead(404).end();
        return;
      }
      const asked: Asked = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
      requests.push(asked);
      const said = typeof current === 'function' ? await current(asked) : (current[turn++] ?? current.at(-1) ?? {});
      await answer(response, asked, said);
    };
    handle().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get left() {
      return remaining;
    },
    say(next) {
      current = next;
      turn = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(response: ServerResponse, asked: Asked, said: Said): Promise<void> {
  const { error } = said;
  if (error === 'hang') return;
  if (typeof error === 'object') {
    const message = `Wrong: ${asked.headers.authorization ?? 'no key'}; ${JSON.stringify(asked.body.messages)}`;
    // The client retries at once.
    const headers = { 'content-type': 'application/json', 'retry-after-ms': '1', location: '/elsewhere' };
    response.writeHead(error.status, headers).end(JSON.stringify({ error: { message } }));
    return;
  }
  if (error === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
    return;
  }
  const calls = (said.calls ?? []).map(({ id, name, input = {}, raw }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: raw ?? JSON.stringify(input) },
  }));
  const finish = said.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const counted = said.usage === undefined ? { input: 11, output: 7 } : said.usage;
  const usage = counted && { prompt_tokens: counted.input, completion_tokens: counted.output };
  const texts = said.text === undefined ? [] : [said.text].flat();
  const base = { id: 'chatcmpl-1', created: 1, model: asked.body.model };
  if (asked.body.stream !== true) {
    const message = {
      role: 'assistant',
      content: texts.join('') || null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finish }];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = async (data: string): Promise<void> => {
    if (said.pause_ms !== undefined) await pause(said.pause_ms);
    if (!response.write(`data: ${data}\n\n`)) await new Promise((resolve) => response.once('drain', resolve));
  };
  const chunk = (delta: object, finish_reason: string | null = null): Promise<void> =>
    write(JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }));
  await chunk({ role: 'assistant', content: '' });
  for (const [place, text] of texts.entries()) {
    await said.held?.(place);
    await chunk({ content: text });
  }
  while (error === 'endless' && !response.destroyed) await chunk({ content: 'and so on '.repeat(1_000) });
  if (error === 'stall') return;
  if (error === 'cut') {
    // Waits until the written data has been sent before the connection breaks.
    await pause(20);
    response.destroy();
    return;
  }
  if (error === 'end') {
    response.end();
    return;
  }
  if (error === 'not_json') await write('{"choices": [');
  if (error === 'error_chunk')
    await write(JSON.stringify({ error: { message: `Overloaded: ${asked.headers.authorization}` } }));
  for (const [index, { function: made, ...call }] of calls.entries()) {
    await chunk({ tool_calls: [{ index, ...call, function: { name: made.name, arguments: '' } }] });
    // Sent in chunks, as real servers do; at most a thousand, because more would take seconds.
    const size = Math.max(7, Math.ceil(made.arguments.length / 1_000));
    for (let at = 0; at < made.arguments.length; at += size) {
      await chunk({ tool_calls: [{ index, function: { arguments: made.arguments.slice(at, at + size) } }] });
    }
  }
  await chunk({}, finish);
  if (usage !== null) {
    await write(JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage }));
  }
  response.end('data: [DONE]\n\n');
}
