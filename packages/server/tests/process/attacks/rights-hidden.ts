import assert from 'node:assert/strict';
import { absent, type Caller, type Target, type World } from './rights-world.ts';

/** A cursor as lists write it. */
export const asCursor = (id: string): string => Buffer.from(`1${id}`).toString('base64url');

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** Sent as a form, instead of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole answer as text: its status, body and headers, without those that differ each time. */
export async function answerTo(
  url: string,
  { method, path, body, form, headers }: Asked,
  { authorization }: Caller,
): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form !== undefined && { body: new URLSearchParams(form) }),
    redirect: 'manual',
  });
  const text = await response.text();
  const shown = [...response.headers].filter(([name]) => !/^(date|x-request-id|content-length)$/.test(name));
  return `${response.status} ${text}\n${shown.map((one) => one.join(': ')).join('\n')}`;
}

/** An answer without what differs in any two: the id that was asked for, and those of the requests and of what was made. */
const alike = (answer: string, id: string): string =>
  answer
    .replace(/\b(req|msg|thr|drf|att|key|whk|cli|dlv|rgt|svc|clm)_[0-9a-z]{20,}/g, '$1')
    .replaceAll(asCursor(id), 'CURSOR')
    .replaceAll(encodeURIComponent(id), 'ID')
    .replaceAll(id, 'ID')
    .replaceAll(id.replace(/\.mailroom\.localhost$/, ''), 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"(secret|prefix|client_secret|thread_token)":"[^"]*"/g, '"$1"')
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID')
    .replace(/etag: .*/, '');

/** Targets asked about at a time: each may be a stream, of which a network has five at most. */
const TOGETHER = 2;

/** Asserts that a caller is answered about each target as about one that is not there, and sees nothing of it. */
export async function assertHidden(
  { url, canary, share }: Pick<World, 'url' | 'canary' | 'share'>,
  what: string,
  caller: Caller,
  targets: readonly Target[],
  ask: (id: string) => Asked,
) {
  const found = share.of(targets);
  const checkTarget = async ({ id, what: named }: Target): Promise<void> => {
    const none = absent(id);
    const [there, missing] = await Promise.all([answerTo(url, ask(id), caller), answerTo(url, ask(none), caller)]);
    assert.equal(alike(there, id), alike(missing, none), `${what} tells ${caller.name} of ${named}`);
    assert.ok(!there.includes(canary), `${what} shows ${caller.name} ${named}: ${there.slice(0, 1_000)}`);
    assert.ok(!there.startsWith('5'), there);
  };
  for (let at = 0; at < found.length; at += TOGETHER)
    await Promise.all(found.slice(at, at + TOGETHER).map(checkTarget));
}
