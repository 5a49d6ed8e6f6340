import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the next requests are answered: as they should be, or as a server in trouble does. */
export type Mood = 'good' | 'slow' | 'busy' | 'cut' | 'wrong' | 'gone';

/** A server of the S3 API, behind a proxy of ours with moods. */
export interface S3Server extends AsyncDisposable {
  /** A `BLOBS_URL` for it. */
  readonly url: string;
  /** `GET /bucket/prefix/name` and so on, in their order. */
  readonly requests: string[];
  /** Sets the mood of that many requests, or of all from now on. */
  feel(mood: Mood, times?: number): void;
  /** The names of the objects that it has. */
  names(): Promise<readonly string[]>;
}

/** What is used of the package, which declares no types. */
type S3rver = new (
  options: Readonly<Record<string, unknown>>,
) => { run(): Promise<{ readonly port: number }>; close(): Promise<void> };

const BUCKET = 'mailroom';
const KEY = 'S3RVER';
/** Longer than any client waits. */
const SLOW_MS = 60_000;

/** A server with an empty bucket, whose objects are files below `folder`. */
export async function startS3(folder: string): Promise<S3Server> {
  const { default: S3rver } = (await import('s3rver' as string)) as { readonly default: S3rver };
  const directory = join(folder, 's3');
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await s3.run();
  const requests: string[] = [];
  const stop = new AbortController();
  let mood: Mood = 'good';
  let remaining = Number.POSITIVE_INFINITY;

  const proxy = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    requests.push(`${method} ${url.split('?')[0]}`);
    const now = remaining > 0 ? mood : 'good';
    remaining -= 1;
    if (now === 'gone') return void incoming.socket.destroy();
    if (now === 'busy') {
      incoming.resume();
      return void outgoing
        .writeHead(503, { 'content-type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code></Error>');
    }
    // What is cut on its way here never arrives there, as with a server that stores a whole object or none.
    const sent = await Array.fromAsync(incoming).catch(() => undefined);
    if (sent === undefined) return;
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, async (answer) => {
      if (now === 'slow') await sleep(SLOW_MS, undefined, { signal: stop.signal }).catch(() => {});
      const body = Buffer.concat(await Array.fromAsync(answer));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (now === 'cut') return void outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
      if (now === 'wrong' && body.length > 0) body[0] = (body[0] as number) ^ 1;
      outgoing.end(body);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(Buffer.concat(sent));
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  return {
    url: `s3://${KEY}:${KEY}@${BUCKET}/files?endpoint=${encodeURIComponent(endpoint)}`,
    requests,
    feel(next, times = Number.POSITIVE_INFINITY) {
      [mood, remaining] = [next, times];
    },
    async names() {
      const answer = await fetch(`http://127.0.0.1:${port}/${BUCKET}?list-type=2&max-keys=1000`);
      return [...(await answer.text()).matchAll(/<Key>([^<]*)<\/Key>/gu)].map(([, name = '']) => name);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
      await s3.close();
    },
  };
}
