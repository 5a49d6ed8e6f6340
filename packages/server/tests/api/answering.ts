import assert from 'node:assert/strict';
import { connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

export interface Item {
  message: Envelope;
  thread: { id: string; kind: string; body: string }[];
  claim: string;
  lease_expires_at: string;
}

export type Answered = Envelope & { answer: { id: string | null; settles: boolean } };

/** A service of its own with a namespace whose agents are answered by its key. */
export async function openAnswering() {
  const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
  const { api, newNamespace, newMailbox, newKey, send, read, change } = connect(service.url);
  const home = await newNamespace();
  const other = await newNamespace();
  const newAgent = async (settings: object = {}, of: Home = home): Promise<string> =>
    (await newMailbox(of, { behavior: { name: 'agent', settings } })).address;
  const claim = (address: string, body: object = {}, key = home.key) =>
    api<{ items: Item[] }>('POST', `/mailboxes/${address}/claim`, { key, body });
  const claimOne = async (address: string, body: object = {}): Promise<Item> => {
    const { status, body: claimed, text } = await claim(address, body);
    assert.equal(status, 200, text);
    assert.equal(claimed.items.length, 1, text);
    return claimed.items[0] as Item;
  };
  const answer = (id: string, body: object, key = home.key, headers: Record<string, string> = {}) =>
    api<Answered>('POST', `/mail/messages/${id}/answer`, { key, body, headers });
  const post = async (to: string, body = unique('a question')): Promise<Envelope> => {
    const sent = await send(other.key, { to, body });
    assert.equal(sent.status, 202, sent.text);
    return sent.body;
  };
  return {
    service,
    api,
    newNamespace,
    newMailbox,
    newKey,
    send,
    read,
    change,
    home,
    other,
    newAgent,
    claim,
    claimOne,
    answer,
    post,
  };
}
