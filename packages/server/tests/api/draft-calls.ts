import assert from 'node:assert/strict';
import type { Answer, Client, Home } from '../../../../tests/harness/client.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

export interface Draft {
  id: string;
  draft_id?: string;
  status: 'draft' | 'scheduled' | 'failed' | 'sent';
  to: string | null;
  from: string | null;
  subject: string | null;
  body: string | null;
  data: unknown;
  attachments: unknown[];
  thread_id: string | null;
  in_reply_to: string | null;
  sync: boolean;
  send_at: string | null;
  message_id: string | null;
  error: { code: string; message: string } | null;
  created_at: string;
  updated_at: string;
}
export const PATH = '/mail/drafts';
/** A time that many milliseconds from now. */
export const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Calls about drafts. */
export function draftCalls({ api, newNamespace, newMailbox, all }: Client) {
  const create = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    api<Draft>('POST', PATH, { key, body, headers });
  const get = (key: string, id: string) => api<Draft>('GET', `${PATH}/${id}`, { key });
  const patch = (key: string, id: string, body: unknown, headers: Record<string, string> = {}) =>
    api<Draft>('PATCH', `${PATH}/${id}`, { key, body, headers });
  const remove = (key: string, id: string, headers: Record<string, string> = {}) =>
    api('DELETE', `${PATH}/${id}`, { key, headers });
  const sendIt = (key: string, id: string, headers: Record<string, string> = {}) =>
    api<Envelope>('POST', `${PATH}/${id}/send`, { key, headers });
  const draftOf = (answer: Answer<Draft>): Draft => {
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const becomes = async (key: string, id: string, status: Draft['status'], ms = 5000): Promise<Draft> =>
    (
      await until(
        ms,
        async () => (await get(key, id)).body,
        (draft) => draft.status === status,
      )
    ).seen;
  const received = (of: Home, address: string) => all<Envelope>(`/mailboxes/${address}/messages`, of.key);
  const fresh = async () => {
    const of = await newNamespace();
    return { of, address: (await newMailbox(of)).address };
  };
  return { create, get, patch, remove, sendIt, made: draftOf, becomes, received, fresh };
}
