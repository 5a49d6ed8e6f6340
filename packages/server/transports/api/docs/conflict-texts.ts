import type { ProblemText } from './problem-text.ts';

/** Of what clashes with what is there, or with what is there no more (409, 410, 412). */
export const CONFLICT_TEXTS = {
  namespace_taken: {
    means:
      'This name is taken. Names of deleted namespaces stay taken too, so that no one receives mail meant for the previous owner.',
    fixes: [
      'Choose another name.',
      'If you created it and the answer was lost, repeat the request with the same `Idempotency-Key`, from the same network unless that is a UUID: it answers with a new owner key.',
    ],
    detail: '"ada" is taken. Choose another name.',
  },
  domain_taken: {
    means:
      'Another namespace verified this domain, and its TXT record is still published. A domain is verified in one namespace at a time.',
    fixes: [
      'If the other namespace is yours too, remove the domain there: `DELETE /api/v1/namespaces/{name}/domains/{domain}`.',
      'If the domain came to you from someone else, remove every TXT record at `_mailroom.` below it but yours, then verify it again.',
    ],
    detail:
      'mail.example.com is verified in another namespace, whose TXT record is still published. Remove that record first.',
  },
  mailbox_taken: {
    means: 'Your namespace already has a mailbox with this local part.',
    fixes: [
      'Choose another local part.',
      'To change the existing one, use `PATCH /api/v1/mailboxes/{address}`.',
      'To start over, delete it first; a new one starts empty.',
    ],
    detail: 'hello@ada is taken. Choose another local part.',
  },
  claim_lost: {
    means:
      'The message is not held by this claim any more: its lease ended, it was given back, so that another program may have it, or someone answered it by hand.',
    fixes: [
      'Claim again, and report progress before the lease ends.',
      'Ask for a longer lease with `lease_seconds`.',
      'When it was answered by hand, drop your answer, or send it without `claim` to add a reply.',
    ],
    detail: 'The claim no longer holds msg_0d8m3xk2q5v7w9y1a3c0. It was given back; claim it again.',
  },
  webhook_disabled: {
    means:
      'The webhook is switched off, by its owner, because its endpoint answered 410, or because nothing arrived for five days.',
    fixes: [
      'Switch it on with `PATCH` and `{"status": "enabled"}`, then ask for what it missed with `replay`.',
      'Its `error` says why attempts failed; `POST …/test` tries it out while it is off.',
    ],
    detail:
      'This webhook is switched off. Switch it on first: PATCH /api/v1/webhooks/whk_0d8m3xk2q5v7w9y1a3c0 with {"status": "enabled"}.',
  },
  not_waiting: {
    means: 'The message waits for no decision: it was decided on, canceled, or never asked for one.',
    fixes: [
      'Read the message: `waiting_for` is `approval` while it waits, and `approval.plan` is what you would decide on.',
      'Another owner, or the console in another tab, may have decided already.',
    ],
    detail: 'msg_0d8m3xk2q5v7w9y1a3c0 waits for no decision; it is completed.',
  },
  mailbox_gone: {
    means: 'There was a mailbox at this address. Its owner deleted it with everything it had received.',
    fixes: [
      'Remove the address from your list: it will not come back unless its owner creates it again.',
      'If it is yours and you want it back, create it again. It starts empty.',
    ],
    detail: 'quotes@ada was deleted by its owner.',
  },
  namespace_gone: {
    means:
      'There was a namespace with this name. Its owner deleted it with its mailboxes and keys. The name stays taken.',
    fixes: [
      'Remove its addresses from your list: none of them will come back.',
      'If it was yours, start with another name: `POST /api/v1/namespaces`.',
    ],
    detail: 'The namespace ada was deleted by its owner.',
  },
  raw_gone: {
    means:
      'The message came or left by e-mail, and the exact bytes of that mail are not kept any more: they are for `RAW_DAYS` days (30 unless the operator set another number), and not at all where the storage was full.',
    fixes: [
      'Read the message: its text, its headers and what its HTML hid are in `data.email`, and its files are attachments.',
      'Fetch the original sooner after the message came, if you need it.',
    ],
    detail: 'The original of msg_0d8m3xk2q5v7w9y1a3c0 is not kept any more.',
  },
  draft_sent: {
    means: 'The draft was sent already, or is being sent at this moment, so it cannot be changed or deleted.',
    fixes: [
      '`GET /api/v1/mail/drafts/{id}` shows the message it became as `message_id`.',
      'To send a correction, write a new message or draft.',
    ],
    detail: 'This draft was sent: it became msg_0d8m3xk2q5v7w9y1a3c0.',
  },
  precondition_failed: {
    means: 'It was changed since the version that your `If-Match` names, so nothing was done.',
    fixes: [
      'Read it again and repeat your change on the version you find, with its `ETag`.',
      'Leave `If-Match` out to change it whatever its version.',
    ],
    detail: 'The draft was changed since: its ETag is "3". Read it again, then repeat the change.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
