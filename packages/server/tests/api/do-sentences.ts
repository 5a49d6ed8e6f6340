import assert from 'node:assert/strict';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

export interface Step {
  task: string;
  input: Record<string, unknown>;
  output: { result: unknown } | null;
  status: string;
  effects: string;
  error: string | null;
}

export interface Data {
  kind?: string;
  plan?: { task: string; input: unknown }[];
  steps?: Step[];
  planner?: string;
}

export const dataOf = (envelope: Envelope): Data => (envelope.reply?.data ?? {}) as Data;

export const tasksOf = (envelope: Envelope): string[] => (dataOf(envelope).steps ?? []).map(({ task }) => task);

export const resultsOf = (envelope: Envelope): unknown[] =>
  (dataOf(envelope).steps ?? []).map(({ output }) => output?.result);

export const brief = (envelope: Envelope): string =>
  JSON.stringify({ status: envelope.status, error: envelope.error, reply: envelope.reply }).slice(0, 1200);

export function completed(envelope: Envelope, ...tasks: string[]): unknown[] {
  assert.equal(envelope.status, 'completed', brief(envelope));
  if (tasks.length > 0) assert.deepEqual(tasksOf(envelope), tasks, brief(envelope));
  return resultsOf(envelope);
}

/** The shared service, with an address of `do` that gets instructions in words. */
export async function openSentences() {
  const service = await sharedService();
  const { api, newNamespace, newMailbox, newKey, send } = connect(service.url);
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
  async function sendBody(body: string, fields: Record<string, unknown> = {}, key = home.key): Promise<Envelope> {
    const sent = await send(key, { to, body, sync: true, ...fields }, { prefer: 'wait=30' });
    assert.ok(sent.status === 200 || sent.status === 201, `${body.slice(0, 80)}: ${sent.text.slice(0, 500)}`);
    return sent.body;
  }
  /** Deletions ask for approval first. */
  async function agreed(body: string): Promise<Envelope> {
    const asked = await sendBody(body);
    assert.equal(asked.status, 'input_required', brief(asked));
    assert.match(asked.reply?.body ?? '', /^This deletes permanently:/, brief(asked));
    return sendBody('yes', { thread_id: asked.thread_id });
  }
  const notes = async (key = home.key): Promise<string> =>
    (await sendBody('steps', { data: { steps: [{ task: 'recall', input: {} }] } }, key)).reply?.body ?? '';
  return { api, newMailbox, newKey, send, home, to, sendBody, agreed, notes };
}
