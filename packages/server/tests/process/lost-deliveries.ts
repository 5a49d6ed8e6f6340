import assert from 'node:assert/strict';
import type { Client, Home } from '../../../../tests/harness/client.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Endpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const SENDS = amount(40, 120);
/** It is killed after so many requests, while others are on their way. */
const KILLED_AFTER = 20;
const DONE_MS = 60_000;

interface Killed {
  readonly client: Client;
  kill(): Promise<unknown>;
}

interface Said {
  readonly data: { readonly id: string };
}
/** The ids of the messages of a request, with one event or a list of them. */
const idsIn = ({ text }: { readonly text: string }): readonly string[] =>
  [JSON.parse(text) as Said | readonly Said[]].flat().map(({ data }) => data.id);

/**
 * Sends messages to the service that is killed midway, then one to the service that is left. Returns the acknowledged
 * messages of which the webhook got no event once it got that one and nothing waits any more.
 */
export async function lostBy(
  first: Killed,
  next: () => Promise<Client>,
  endpoint: Endpoint,
  { batch = 1, requests = KILLED_AFTER } = {},
): Promise<readonly string[]> {
  const { newNamespace, newMailbox } = first.client;
  const home: Home = await newNamespace();
  const { address } = await newMailbox(home);
  const body = { url: endpoint.url, types: ['message.completed'], batch };
  const hook = await first.client.api<{ id: string }>('POST', '/webhooks', { key: home.key, body });
  assert.equal(hook.status, 201, hook.text);
  const acknowledged: string[] = [];
  const sends = Array.from({ length: SENDS }, async () => {
    const sent = await first.client.send(home.key, { to: address, body: 'Hello?', sync: true }).catch(() => undefined);
    if (sent?.status === 200) acknowledged.push(sent.body.id);
  });
  await endpoint.got(requests);
  await first.kill();
  await Promise.all(sends);
  assert.ok(acknowledged.length >= requests);
  const remaining = await next();
  const last = await remaining.send(home.key, { to: address, body: 'The last one', sync: true });
  const waiting = async (): Promise<number> => {
    const lists = ['queued', 'deferred'].map((status) =>
      remaining.api<Page<unknown>>('GET', `/webhooks/${hook.body.id}/deliveries?status=${status}`, { key: home.key }),
    );
    return (await Promise.all(lists)).reduce((sum, { body }) => sum + body.items.length, 0);
  };
  await until(
    DONE_MS,
    async () => (endpoint.posted.some((posted) => idsIn(posted).includes(last.body.id)) ? waiting() : 1),
    (count) => count === 0,
  );
  const got = new Set(endpoint.posted.flatMap(idsIn));
  return acknowledged.filter((id) => !got.has(id));
}
