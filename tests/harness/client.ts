import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Envelope, Key, KeyWithSecret, Mailbox, Namespace, Page, TryEnvelope } from './wire.ts';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body when its content type is JSON, else undefined. */
  readonly body: T;
  readonly text: string;
}

export interface Ask {
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, as `application/json` unless `headers` says otherwise. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Home {
  readonly id: string;
  readonly name: string;
  /** The id of its owner key. */
  readonly key: string;
  readonly keyId: string;
}

export interface NewMailbox {
  readonly local_part?: string;
  readonly behavior?: unknown;
  readonly [field: string]: unknown;
}

export interface Client {
  readonly url: string;
  api<T = unknown>(method: string, path: string, ask?: Ask): Promise<Answer<T>>;
  newNamespace(fields?: Readonly<Record<string, unknown>>): Promise<Home>;
  /** A mailbox with the behavior `hello` unless `fields` says otherwise. */
  newMailbox(home: Home, fields?: NewMailbox): Promise<Mailbox>;
  /** A paused mailbox, which holds its messages. */
  newPaused(home: Home, fields?: NewMailbox): Promise<Mailbox>;
  newKey(home: Home, fields: Readonly<Record<string, unknown>>): Promise<KeyWithSecret>;
  send(
    key: string,
    fields: Readonly<Record<string, unknown>>,
    headers?: Record<string, string>,
  ): Promise<Answer<Envelope>>;
  tryOut(fields: Readonly<Record<string, unknown>>, headers?: Record<string, string>): Promise<Answer<TryEnvelope>>;
  read(key: string, id: string, query?: string): Promise<Answer<Envelope>>;
  change(key: string, address: string, fields: Readonly<Record<string, unknown>>): Promise<Mailbox>;
  /** All items of a list, over all its pages. */
  all<T>(path: string, key?: string): Promise<T[]>;
}

/** Longer than any answer in the tests takes. */
const PATIENCE_MS = 150_000;

export const unique = (prefix = 't'): string => `${prefix}${randomBytes(6).toString('hex')}`;
export const HELLO = { name: 'hello', settings: { name: 'Ada Lovelace', introduction: 'I write programs.' } };
export const PROOFREAD = { name: 'proofread' };

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  const json = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: (json && text !== '' ? JSON.parse(text) : undefined) as T,
    text,
  };
}

/** A client of the service at `url`. Paths are under `/api/v1` unless they start with `//`, which stands for `/`. */
export function connect(url: string): Client {
  const api = async <T>(method: string, path: string, ask: Ask = {}): Promise<Answer<T>> => {
    // `fetch` would ask for compression, which takes a fifth of the processor time of an exchange.
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    if (ask.key !== undefined) headers.authorization = `Bearer ${ask.key}`;
    const body = ask.raw ?? (ask.body === undefined ? null : JSON.stringify(ask.body));
    if (body !== null) headers['content-type'] = 'application/json';
    Object.assign(headers, ask.headers);
    const response = await fetch(url + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`), {
      method,
      headers,
      body,
      redirect: 'manual',
      // Without a timeout a connection that is lost silently would be waited for forever.
      signal: ask.signal ?? AbortSignal.timeout(PATIENCE_MS),
    });
    return answerOf<T>(response);
  };
  return clientOver(url, api);
}

/** The methods of a client over a given way to send requests. */
export function clientOver(url: string, api: Client['api']): Client {
  const bodyOf = <T>(answer: Answer<T>): T => {
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  const newMailbox = async (home: Home, fields: NewMailbox = {}): Promise<Mailbox> =>
    bodyOf(
      await api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, {
        key: home.key,
        body: { local_part: unique('m'), behavior: HELLO, ...fields },
      }),
    );

  const change = async (key: string, address: string, fields: Readonly<Record<string, unknown>>): Promise<Mailbox> => {
    const answer = await api<Mailbox>('PATCH', `/mailboxes/${address}`, { key, body: fields });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };

  return {
    url,
    api,
    change,
    newMailbox,
    newNamespace: async (fields = {}) => {
      const { namespace, key } = bodyOf(
        await api<{ namespace: Namespace; key: Key & { secret: string } }>('POST', '/namespaces', {
          body: { name: unique(), ...fields },
        }),
      );
      return { id: namespace.id, name: namespace.name, key: key.secret, keyId: key.id };
    },
    newPaused: async (home, fields = {}) => {
      const mailbox = await newMailbox(home, fields);
      return change(home.key, mailbox.address, { status: 'paused' });
    },
    newKey: async (home, fields) => bodyOf(await api<KeyWithSecret>('POST', '/keys', { key: home.key, body: fields })),
    send: (key, fields, headers = {}) => api<Envelope>('POST', '/mail/send', { key, body: fields, headers }),
    tryOut: (fields, headers = {}) => api<TryEnvelope>('POST', '/mail/try', { body: fields, headers }),
    read: (key, id, query = '') => api<Envelope>('GET', `/mail/messages/${id}${query}`, { key }),
    all: async <T>(path: string, key?: string): Promise<T[]> => {
      const items: T[] = [];
      let cursor: string | null = null;
      do {
        const at: string =
          cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
        const answer: Answer<Page<T>> = await api<Page<T>>('GET', path + at, { key });
        assert.equal(answer.status, 200, answer.text);
        items.push(...answer.body.items);
        cursor = answer.body.next_cursor;
      } while (cursor !== null);
      return items;
    },
  };
}
