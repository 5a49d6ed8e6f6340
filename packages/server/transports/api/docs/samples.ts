import { AT, connectionSamples } from './connection-samples.ts';

/** The behaviors, and the addresses of them here, that the examples name. */
export interface ExampleNames {
  readonly profile: string;
  readonly proofreader: string;
  /** Answered by a program of the owner. */
  readonly program: string;
  readonly signIn: string;
}

/** The hash of the message in the example of a review. */
export const REVIEW_HASH = '80af6cefd20dcae3b7d2626b0cee610b57697fccdc8f3fd06709295f14a2e945';

/** The domain, the namespace and the behaviors of this service that the examples use. */
export interface Scene {
  readonly mailDomain: string;
  readonly namespace: string;
  readonly names: ExampleNames;
}

const TOKEN = 'mt_0d8m3xk2q5v7w9y1a3c0vT3nQm0s8Yx1Lr6Kd2Wf9Hb4Jc7Pz5Ug';

const CLAIM = 'clm_0d8m3xk2q5v7w9y1a3c0';
const ROOM = 'The blue room is free from 10:00 to 12:00.';

const FAULTY = 'I has a apple.';
const HAVE = '“I” takes “have”.';
const AN = 'The article is “an” before a vowel sound and “a” before a consonant sound.';
const edit = (offset: number, original: string, replacement: string, kind: string, explanation: string) => ({
  offset,
  length: original.length,
  original,
  replacement,
  kind,
  explanation,
  suggestions: [replacement],
});

/**
 * One valid example for each schema that stands alone in a request or an answer, by name; `sampleOf` derives those of
 * pages.
 */
const samples = ({ mailDomain, namespace, names }: Scene): Readonly<Record<string, unknown>> => {
  const ada = `${names.profile}@ada.${mailDomain}`;
  const proofreader = `${names.proofreader}@${namespace}.${mailDomain}`;
  const introduction = "I'm Ada, and I write programs for engines.";
  const message = {
    id: 'msg_0d8m3xk2q5v7w9y1a3c0',
    thread_id: 'thr_0d8m3xk2q5v7w9y1a3c0',
    in_reply_to: null,
    retry_of: null,
    to: proofreader,
    from: null,
    sender: { kind: 'key', id: 'key_0d8m2vn6p3r8t0w2y4a0' },
    channel: 'api',
    subject: null,
    body: FAULTY,
    data: null,
    attachments: [],
    status: 'completed',
    waiting_for: null,
    progress: [],
    error: null,
    created_at: AT,
    settled_at: '2026-11-20T08:00:00.004Z',
    replies_count: 1,
    reply: {
      id: 'msg_0d8m3xk2q5v7w9y1a3c1',
      in_reply_to: 'msg_0d8m3xk2q5v7w9y1a3c0',
      from: proofreader,
      body: `I have an apple.\n\n---\n\n**2 corrections** (read as American English)\n\n1. \`has\` → \`have\`: ${HAVE}\n2. \`a\` → \`an\`: ${AN}\n`,
      data: {
        language: 'en',
        dialect: 'american',
        corrected_text: 'I have an apple.',
        edits: [edit(2, 'has', 'have', 'agreement', HAVE), edit(6, 'a', 'an', 'article', AN)],
        doubts: [],
      },
      attachments: [],
      created_at: '2026-11-20T08:00:00.004Z',
    },
  };
  const waitingMessage = {
    ...message,
    id: 'msg_0d8m3xk2q5v7w9y1a3d0',
    thread_id: 'thr_0d8m3xk2q5v7w9y1a3d0',
    to: `${names.program}@ada.${mailDomain}`,
    body: 'Which rooms are free on Friday?',
    status: 'working',
    waiting_for: 'answer',
    settled_at: null,
    replies_count: 0,
    reply: null,
  };
  const { id, thread_id, in_reply_to, from, to, subject, body, data, attachments, status, error, reply } = message;
  const ada_namespace = { id: 'ns_0d8m2vn6p3r8t0w2y4a0', name: 'ada', display_name: 'Ada Lovelace', created_at: AT };
  const figures = { arrived: 3, failed: 0, answered: 3, median_ms: 4, p95_ms: 9 };
  const mailbox = {
    id: 'mbx_0d8m3b1c4f7h9k2m5p0r',
    address: ada,
    local_part: names.profile,
    aliases: [`${names.profile}@mail.example.com`],
    namespace: 'ada',
    display_name: 'Ada Lovelace',
    description: 'Who I am and what I work on.',
    behavior: { name: names.profile },
    status: 'online',
    visibility: 'listed',
    access: 'public',
    try_out: true,
    wake: 'to',
    sign_answers: false,
    created_at: AT,
    updated_at: AT,
  };
  const rule = { id: 'invoices', if: { subject: ['invoice'] }, then: { label: ['money'] } };
  const key = {
    id: 'key_0d8m2vn6p3r8t0w2y4a0',
    name: 'newsletter',
    prefix: 'mr_live_4Fq9ZtB1',
    namespace: 'ada',
    scopes: ['mail:send'],
    mailbox: null,
    created_at: AT,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  };
  const draft = {
    id: 'drf_0d8m3xk2q5v7w9y1a3c0',
    status: 'scheduled',
    to: proofreader,
    from: null,
    subject: null,
    body: FAULTY,
    data: null,
    thread_id: null,
    in_reply_to: null,
    caused_by: null,
    attachments: [],
    sync: false,
    send_at: '2026-11-21T08:00:00.000Z',
    message_id: null,
    etag: '"1"',
    error: null,
    created_at: AT,
    updated_at: AT,
  };
  const secret = 'mr_live_4Fq9ZtB1…';
  const item = {
    kind: 'message',
    id,
    thread_id,
    in_reply_to,
    from,
    to,
    subject,
    body,
    data,
    attachments,
    status,
    error,
    created_at: AT,
  };
  const review = {
    id: 'rev_0d8m3xk2q5v7w9y1a3c0',
    status: 'pending',
    mailbox: waitingMessage.to,
    message_id: waitingMessage.id,
    message: {
      from: 'desk@mail.example.com',
      to: ['grace@example.com'],
      cc: null,
      bcc: null,
      reply_to: null,
      headers: null,
      subject: null,
      body: ROOM,
      html: null,
      data: null,
      attachments: null,
      in_reply_to: waitingMessage.id,
    },
    recipients: ['grace@example.com'],
    findings: [],
    hash: REVIEW_HASH,
    requested_at: AT,
    expires_at: '2026-11-21T08:00:00.000Z',
    decided_by: null,
    decided_at: null,
    reason: null,
    receipt: null,
  };
  const standing = { state: 'open', until: null, assignee: 'acc_0d8m3xk2q5v7w9y1a3c0' };
  const note = {
    id: 'nte_0d8m3xk2q5v7w9y1a3c0',
    thread_id,
    mailbox: ada,
    author: { kind: 'member', id: 'acc_0d8m3xk2q5v7w9y1a3c0', name: 'Mara' },
    body: 'The width changes the wind load.',
    mentions: [],
    created_at: AT,
  };
  return {
    ...connectionSamples(mailDomain, id),
    Message: message,
    MinimalMessage: {
      ...{ id, thread_id, status, waiting_for: null, error },
      reply: { id: reply.id, body: reply.body, attachments: [], data: reply.data },
    },
    ThreadNote: note,
    Thread: { id: thread_id, mailbox: ada, taken_over: false, taken_over_at: null, ...standing },
    TriedMessage: { ...message, sender: { kind: 'guest', id: message.thread_id }, thread_token: TOKEN },
    ThreadItem: item,
    ThreadPage: {
      items: [item, { kind: 'reply', ...reply, thread_id, to: from, subject, status, error }],
      next_cursor: null,
      ...standing,
      notes: [note],
    },
    Draft: draft,
    Review: review,
    ScheduledDraft: { draft_id: draft.id, ...draft },
    Mailbox: mailbox,
    Usage: {
      items: [
        {
          date: AT.slice(0, 10),
          runs: 12,
          input_tokens: 18_400,
          output_tokens: 3_100,
          tokens: 21_500,
          reserved: 0,
          budget: 200_000,
        },
      ],
    },
    Namespace: ada_namespace,
    MemberList: {
      items: [
        {
          id: 'acc_0d8m3xk2q5v7w9y1a3c0',
          name: 'ada',
          address: 'ada@example.com',
          role: 'answerer',
          mailboxes: [mailbox.address],
          created_at: AT,
        },
      ],
      next_cursor: null,
      invitations: [],
    },
    Overview: {
      mailboxes: [{ ...mailbox, unread: 1 }],
      mailbox_count: 1,
      unread: 1,
      labels: ['invoices'],
      to_answer: { count: 0, more: false },
      to_approve: { count: 0, more: false },
      failed: { count: 0, more: false },
      asked_back: { count: 0, more: false },
      storage: { bytes: 18_204, max_bytes: 1_073_741_824, nearly_full: false },
    },
    Activity: {
      span: '24h',
      total: figures,
      buckets: [{ from: AT, to: '2026-11-20T09:00:00.000Z', ...figures }],
      mailboxes: [{ mailbox, ...figures }],
      arrived: { [mailbox.id]: figures.arrived },
      loops: [],
    },
    NamespaceWithMailboxes: { ...ada_namespace, mailboxes: [mailbox] },
    NamespaceCreated: { namespace: ada_namespace, key: { ...key, name: 'Owner key', scopes: ['owner'], secret } },
    ExportLine: { type: 'message', ...message },
    Key: key,
    KeyWithSecret: { ...key, secret },
    Me: { key, namespace: ada_namespace, scopes: key.scopes, claimed: false },
    Behavior: {
      name: names.profile,
      title: 'Profile',
      description: "Auto-replies with the owner's self-introduction.",
      settings_schema: { type: 'object', properties: { introduction: { type: 'string' } } },
      example: { body: 'Who are you?', reply: introduction },
    },
    Alive: { status: 'ok' },
    Send: { to: proofreader, body: FAULTY, sync: true },
    Try: { to: proofreader, body: FAULTY },
    NewDraft: { to: proofreader, body: FAULTY },
    MessageChange: { labels: { add: ['invoices/paid'], remove: ['unread'] } },
    ClaimRequest: { max: 1, wait: 30 },
    Claimed: {
      items: [{ message: waitingMessage, thread: [], claim: CLAIM, lease_expires_at: '2026-11-20T08:01:00.000Z' }],
    },
    Forward: { to: proofreader, body: 'For you.' },
    MessageBatch: { ids: ['msg_0d8m3xk2q5v7w9y1a3c5'], trash: true },
    MessageBatchResult: { items: [{ id: 'msg_0d8m3xk2q5v7w9y1a3c5', status: 200 }] },
    WaitRequest: { extract: 'code', wait: 1 },
    NewRule: rule,
    Rule: rule,
    RulesToTry: { rules: [rule] },
    RuleTrial: {
      items: [
        {
          message: {
            id: waitingMessage.id,
            thread_id: waitingMessage.thread_id,
            from: 'ada@example.com',
            subject: 'Invoice 7',
            created_at: AT,
          },
          rules: ['invoices'],
          then: { label: ['money'] },
        },
      ],
    },
    Answer: { claim: CLAIM, body: ROOM },
    AnswerBatch: { answers: [{ message_id: 'msg_0d8m3xk2q5v7w9y1a3c5', claim: CLAIM, body: ROOM }] },
    AnsweredMessage: {
      ...waitingMessage,
      status: 'completed',
      waiting_for: null,
      settled_at: '2026-11-20T08:00:02.000Z',
      replies_count: 1,
      reply: {
        id: 'msg_0d8m3xk2q5v7w9y1a3d1',
        in_reply_to: waitingMessage.id,
        from: waitingMessage.to,
        body: ROOM,
        attachments: [],
        data: null,
        created_at: '2026-11-20T08:00:02.000Z',
      },
      answer: { id: 'msg_0d8m3xk2q5v7w9y1a3d1', settles: true },
    },
    ProgressRequest: { claim: CLAIM, text: 'Looking at the calendar' },
    Lease: { claim: CLAIM, lease_expires_at: '2026-11-20T08:01:00.000Z' },
    ReleaseRequest: { claim: CLAIM },
    ApproveReview: { hash: REVIEW_HASH },
    RejectReview: { reason: 'The blue room is taken.' },
    ReviewChange: { body: ROOM },
    ThreadChange: { state: 'done' },
    NewNote: { body: note.body },
    DraftChange: { subject: 'One apple' },
    NewMailbox: {
      local_part: 'editor',
      description: 'Corrects your English and says why.',
      behavior: { name: names.proofreader },
    },
    MailboxChange: { status: 'paused' },
    NewNamespace: { name: 'ada', display_name: 'Ada Lovelace' },
    NamespaceChange: { display_name: 'Ada Lovelace' },
    NewKey: { scopes: ['mail:send'], name: 'newsletter' },
  };
};

interface Page {
  readonly properties?: { readonly items?: { readonly items?: { readonly $ref?: string } } };
}

/** An example of the schema with this name, or undefined when there is none. */
export function sampleOf(name: string, schemas: Readonly<Record<string, unknown>>, scene: Scene): unknown {
  const all = samples(scene);
  if (name in all) return all[name];
  const item = (schemas[name] as Page | undefined)?.properties?.items?.items?.$ref?.split('/').at(-1);
  return item !== undefined && item in all ? { items: [all[item]], next_cursor: null } : undefined;
}
