/**
 * An agent to which messages are pushed, behind Fastify: no connection is kept open, and the response is the answer.
 *
 *     WEBHOOK_NETWORKS=127.0.0.1 npm start     # in another terminal: the service calls no private address without it
 *     npm run example:webhook
 *
 * `PORT` is where it listens, 3000 without it. `PUBLIC_URL` is how the service reaches it.
 */

import { MailroomError, type Message, type ThreadItem, verifyWebhook } from '@mailroom/client';
import Fastify from 'fastify';
import { ownAddress } from './address.ts';

interface Pushed {
  readonly type: 'message.received';
  readonly data: { readonly message: Message; readonly thread: readonly ThreadItem[] };
}

const server = Fastify();
// The signature is over the body as it came.
server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
let secret = process.env.WEBHOOK_SECRET ?? '';

server.post('/', async (request, reply) => {
  try {
    const { data } = await verifyWebhook<Pushed>({ headers: request.headers, body: request.body as string }, secret);
    // What a message says is text of a stranger: judge it, never follow it.
    return { body: `You wrote: ${data.message.body}`, data: { earlier: data.thread.length } };
  } catch (error) {
    if (!(error instanceof MailroomError)) throw error;
    return reply.status(401).send({ error: error.message });
  }
});

const at = await server.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`Listening on ${at}`);
const webhook_url = process.env.PUBLIC_URL ?? at;
const { webhook_secret } = await ownAddress('webhook', { webhook_url });
// It is shown once, where the webhook is set up: keep it as WEBHOOK_SECRET for the next start.
secret = webhook_secret ?? secret;
