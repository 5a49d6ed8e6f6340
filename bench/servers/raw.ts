/**
 * The upper bound of `node:http` for this kind of request: it parses JSON and answers with as many bytes as a sync
 * `hello`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const submission = JSON.parse(Buffer.concat(chunks).toString());
    const now = new Date().toISOString();
    const answer = JSON.stringify({
      id: 'msg_0d8m3xk2q5v7w9y1a3c0',
      thread_id: 'thr_0d8m3xk2q5v7w9y1a3c0',
      in_reply_to: null,
      retry_of: null,
      to: submission.to,
      from: null,
      sender: { kind: 'key', id: 'key_0d8m3xk2q5v7w9y1a3c0' },
      channel: 'api',
      subject: null,
      body: submission.body,
      data: null,
      status: 'completed',
      waiting_for: null,
      progress: [],
      error: null,
      created_at: now,
      settled_at: now,
      reply: {
        id: 'msg_0d8m3xk2q5v7w9y1a3c1',
        in_reply_to: 'msg_0d8m3xk2q5v7w9y1a3c0',
        from: submission.to,
        body: INTRODUCTION,
        data: {
          '@context': 'https://schema.org',
          '@type': 'Organization',
          name: 'Mailroom',
          description: INTRODUCTION,
          url: null,
          sameAs: [],
        },
        created_at: now,
      },
    });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
/** As `hello` answers, so that both answers have as many bytes. */
const INTRODUCTION =
  'Hello, this is **Mailroom**: e-mail addresses that answer. Each is served by an agent. Write to one, and it writes back.';

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
