/** The types on the wire, copied from the contract on purpose, so that a change in the product makes the tests fail. */
export type Status = 'submitted' | 'working' | 'completed' | 'input_required' | 'failed' | 'canceled' | 'rejected';

export interface Attachment {
  id: string;
  filename: string;
  content_type: string;
  size: number;
  sha256: string;
}

export interface Reply {
  id: string;
  in_reply_to: string;
  from: string;
  body: string;
  data: unknown;
  attachments: Attachment[];
  /** A person wrote it. */
  by_hand?: true;
  created_at: string;
}

export interface Envelope {
  id: string;
  thread_id: string;
  in_reply_to: string | null;
  retry_of: string | null;
  to: string;
  from: string | null;
  sender: { kind: 'mailbox' | 'key' | 'guest' | 'email'; id: string | null; verified?: boolean };
  channel: string;
  subject: string | null;
  body: string;
  data: unknown;
  attachments: Attachment[];
  /** Of a reply that a person wrote. */
  by_hand?: true;
  status: Status;
  waiting_for: string | null;
  progress: { text: string; at: string }[];
  error: { code: string; message: string } | null;
  /** For readers of a mailbox that has it. */
  labels?: string[];
  created_at: string;
  settled_at: string | null;
  replies_count: number;
  reply: Reply | null;
  /** Of one with several recipients. */
  recipients?: { to: string[]; cc: string[]; bcc?: string[] };
  copies?: { id: string; to: string; status: Status }[];
  replies?: Reply[];
  not_answered?: string | null;
  /** For readers of the mailbox that received it. */
  rules?: string[];
  metadata?: Record<string, string>;
}

export interface TryEnvelope extends Envelope {
  thread_token: string;
}

export const ENVELOPE_FIELDS = [
  'id',
  'thread_id',
  'in_reply_to',
  'retry_of',
  'to',
  'from',
  'sender',
  'channel',
  'subject',
  'body',
  'data',
  'attachments',
  'status',
  'waiting_for',
  'progress',
  'error',
  'created_at',
  'settled_at',
  'replies_count',
  'reply',
];

export interface ThreadItem {
  kind: 'message' | 'reply';
  id: string;
  thread_id: string;
  in_reply_to: string | null;
  from: string | null;
  to: string | null;
  subject: string | null;
  body: string;
  data: unknown;
  attachments: Attachment[];
  status: Status;
  error: { code: string; message: string } | null;
  created_at: string;
}

/** A rule of a mailbox, as it is shown. */
export interface Rule {
  id: string;
  if: Record<string, unknown>;
  then: Record<string, unknown>;
  forward_confirmed?: boolean;
  forward_stopped?: true;
}

export interface Mailbox {
  id: string;
  address: string;
  local_part: string;
  aliases: string[];
  namespace: string;
  display_name: string | null;
  description: string;
  behavior: { name: string; settings?: Record<string, unknown> };
  status: 'online' | 'paused' | 'offline';
  visibility: 'listed' | 'unlisted';
  access: 'public' | 'key';
  try_out: boolean;
  wake: 'to' | 'cc' | 'mention';
  sign_answers: boolean;
  senders?: { allow: string[]; block: string[] };
  outgoing?: Record<string, unknown>;
  rules?: Rule[];
  created_at: string;
  updated_at: string;
}

export const MAILBOX_FIELDS = [
  'id',
  'address',
  'local_part',
  'aliases',
  'namespace',
  'display_name',
  'description',
  'behavior',
  'status',
  'visibility',
  'access',
  'try_out',
  'wake',
  'sign_answers',
  'budget',
  'senders',
  'outgoing',
  'created_at',
  'updated_at',
];

export interface Namespace {
  id: string;
  name: string;
  display_name: string | null;
  created_at: string;
}

export interface Key {
  id: string;
  name: string | null;
  scopes: string[];
  mailbox: string | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}

export interface KeyWithSecret extends Key {
  secret: string;
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface Behavior {
  name: string;
  title: string;
  description: string;
  settings_schema: Record<string, unknown>;
  example: unknown;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  docs: string;
  request_id: string;
  errors?: { pointer: string; message: string }[];
}

/** All codes of section 6. */
export const CODES: Readonly<Record<string, number>> = {
  draft_sent: 409,
  webhook_disabled: 409,
  precondition_failed: 412,
  malformed_json: 400,
  malformed_request: 400,
  missing_key: 401,
  invalid_key: 401,
  invalid_signature: 401,
  insufficient_scope: 403,
  sender_not_allowed: 403,
  recipient_not_allowed: 403,
  review_not_found: 404,
  review_changed: 409,
  access_denied: 403,
  not_found: 404,
  namespace_not_found: 404,
  mailbox_not_found: 404,
  message_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  headers_too_large: 431,
  namespace_taken: 409,
  domain_taken: 409,
  address_suppressed: 422,
  mailbox_taken: 409,
  not_waiting: 409,
  claim_lost: 409,
  mailbox_gone: 410,
  namespace_gone: 410,
  raw_gone: 410,
  validation_error: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  mailbox_full: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
  loop_detected: 508,
};

export const SCOPES = [
  'mail:send',
  'mail:answer',
  'messages:read',
  'mailboxes:write',
  'webhooks:write',
  'keys:write',
  'auth:assert',
  'owner',
];

/** `2026-11-20T08:00:00.000Z` */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A typed prefix and at most 20 further characters. */
export const idOf = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{1,20}$`);
export const SECRET = /^mr_live_[0-9A-Za-z]{8}[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;
export const MAIL_DOMAIN = 'mailroom.localhost';
