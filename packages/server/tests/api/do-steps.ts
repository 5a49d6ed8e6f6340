import assert from 'node:assert/strict';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { slowness } from '../../../../tests/harness/soon.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

/** A time that is still in the future when the plan is made, on a slow machine too. */
export const soon = async (): Promise<string> => new Date(Date.now() + 1_200 * (await slowness())).toISOString();

export type Approvable = Envelope & { approval?: { plan: unknown; plan_sha256: string } | null };

export const brief = (envelope: unknown): string => JSON.stringify(envelope).slice(0, 1500);

export const steps = (...list: [string, Record<string, unknown>][]) => ({
  data: { steps: list.map(([task, input]) => ({ task, input })) },
});

/** The shared service, with an address of `do` in a namespace of its own. */
export async function openSteps() {
  const service = await sharedService();
  const { api, newNamespace, newMailbox, newKey, newPaused, send, tryOut, read, change } = connect(service.url);
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { address: target } = await newPaused(home, { access: 'public' });
  const doing = async (settings: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): Promise<string> =>
    (await newMailbox(home, { behavior: { name: 'do', settings }, access: 'public', try_out: true, ...fields }))
      .address;
  const to = await doing();
  async function sendTo(
    address: string,
    body: string,
    fields: Record<string, unknown> = {},
    key = home.key,
  ): Promise<Approvable> {
    const sent = await send(key, { to: address, body, sync: true, ...fields }, { prefer: 'wait=20' });
    assert.ok(sent.status >= 200 && sent.status < 300, sent.text);
    return sent.body;
  }
  async function arrived(body: string): Promise<number> {
    const { body: page } = await api<{ items: Envelope[] }>('GET', `/mailboxes/${target}/messages?limit=100`, {
      key: home.key,
    });
    return page.items.filter((item) => item.body === body).length;
  }
  return { api, newMailbox, newKey, send, tryOut, read, change, home, stranger, target, doing, to, sendTo, arrived };
}
