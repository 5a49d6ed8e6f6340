import assert from 'node:assert/strict';
import type { Context, Incoming, Outcome, Services } from '@mailroom/behavior';
import type { Sender } from '@mailroom/behavior/message';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import type { Receipt } from '@mailroom/steps/running/receipt';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { mailboxOf, namespaceOf } from '../../../server/tests/store/made.ts';
import type { Settings } from '../owner/settings.ts';

const namespace = namespaceOf('acme');
export const box = mailboxOf(namespace, 'do', { behavior: 'do' });
const OWN: Sender = { kind: 'key', id: 'key_1', namespace_id: namespace.id, key_id: 'key_1', from: null };

export interface Situation {
  readonly settings?: Settings;
  readonly sender?: Sender;
  readonly services?: Partial<Services>;
  readonly again?: boolean;
  readonly signal?: AbortSignal;
  readonly report?: (text: string) => void;
}

const nothing = (): never => {
  throw new Error('This reaches outside of the message.');
};

/** A context without access to anything but the message, unless the test provides it. */
export function contextOf({
  settings = {},
  sender = OWN,
  services = {},
  again = false,
  signal,
  report = () => {},
}: Situation = {}): Context<Settings> {
  return {
    mailbox: { ...box, settings: settings as { [name: string]: Json } },
    settings,
    sender,
    clock: () => NOW,
    attachments: { list: [], open: nothing },
    signal: signal ?? new AbortController().signal,
    again,
    report,
    services: {
      checkpoint: async () => undefined,
      approved: async () => undefined,
      save: async () => {},
      first: async () => true,
      thread: async () => [],
      owner: { mailbox_id: box.id, owner: 'key:key_1' },
      notes: { get: async () => undefined, find: nothing, count: nothing },
      get schedules() {
        return nothing();
      },
      planning: async () => ({ most: 100, left: 100, interval_ms: 60_000, claimed: true }),
      ask: nothing,
      checkRecipient: async () => {},
      ...services,
    },
  } as unknown as Context<Settings>;
}

/** A message that begins a thread. */
export function messageOf(body: string, fields: Partial<Incoming> = {}): Incoming {
  const id = newId('msg', NOW);
  return {
    id,
    thread_id: threadOf(id),
    in_reply_to: null,
    retry_of: null,
    subject: null,
    body,
    data: null,
    tag: null,
    created_at: NOW,
    channel: 'api',
    hops: 0,
    ...fields,
  };
}

/** The receipt of an outcome, serialized as it is sent. */
export function proofIn(outcome: Outcome): Receipt {
  const data = 'data' in outcome ? outcome.data : undefined;
  assert.ok(data instanceof JsonText, JSON.stringify(outcome));
  return JSON.parse(data.text) as Receipt;
}
