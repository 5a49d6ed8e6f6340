import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress, isOutside } from '@mailroom/behavior/values/address';
import { DAY, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { parseJson } from '@mailroom/behavior/values/json';
import { forwardingKey } from '../access/rule-settings.ts';
import { isLoopField, LOOP_HEADER } from '../entities/email.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { ForwardConfirmations } from '../outgoing/forward-confirmations.ts';
import type { Claim } from '../ports/claim.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { LoopNotices } from '../submission/loop-notices.ts';
import type { Limiter } from '../values/limits.ts';
import { type ForwardParts, forward } from './forward.ts';

/** Longer than any node may be away with a claim. */
const IDEMPOTENCY_MS = 7 * DAY;
/** For how long a forward is tried. */
const TRY_MS = DAY;
/** Errors that pass. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'mailbox_full',
  'storage_full',
  'unavailable',
  'rate_limited',
  'internal',
]);
/** Why a mail is a notice of another mail's failure, which no one is to get a notice of again. */
const NOTICES: ReadonlySet<string | null | undefined> = new Set(['null_path', 'mailer_daemon', 'quarantine']);

interface Parts extends ForwardParts {
  readonly dispatch: Pick<Dispatch, 'register'>;
  readonly loops: Pick<LoopNotices, 'detected'>;
  readonly forwardConfirmations: Pick<ForwardConfirmations, 'use'>;
  /** The limit on all that a namespace sends; a refusal is retried. */
  readonly sends?: Limiter | undefined;
}

/**
 * Forwards messages as the rules of their mailbox say. A forward is a mail that the mailbox writes; its job is written with
 * the message, and its idempotency key keeps a crash from forwarding twice. Loops end: no mailbox forwards what it has
 * forwarded before, what comes from the address that it would go to, or what eight messages caused.
 */
export class RuleForwards {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('forward', (claim) => this.#run(claim));
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock } = this.#parts;
    const message = await store.messages.byId(claim.subject);
    const mailbox = message && (await store.mailboxes.byId(message.mailbox_id));
    let later = false;
    if (message !== undefined && mailbox?.deleted_at === null)
      later = (await this.#forwardAll(message, mailbox)) === 'later';
    if (later) await store.jobs.later(claim, clock() + MINUTE);
    else await store.jobs.remove(claim.id);
  }

  async #forwardAll(message: Message, mailbox: Mailbox): Promise<'done' | 'later'> {
    const { store, clock, mailDomain } = this.#parts;
    const ownAddress = fullAddress(addressOf(mailbox), mailDomain);
    const passed = forwardersOf(message);
    const key = await forwardingKey(mailbox, store, clock());
    const [email] = await store.emails.byMessages([message.id]);
    if (key === undefined || passed.includes(ownAddress) || NOTICES.has(email?.not_answered)) return 'done';
    const author = message.from ?? (message.sender_kind === 'email' ? message.sender_id : null);
    const targets = (message.rules?.forward_to ?? []).filter((target) => target !== author);
    const results: string[] = [];
    for (const target of targets)
      results.push(await this.#forward(message, mailbox, target, { key, passed, own: ownAddress }));
    return results.includes('later') ? 'later' : 'done';
  }

  async #forward(
    message: Message,
    mailbox: Mailbox,
    target: string,
    { key, passed, own }: { readonly key: Key; readonly passed: readonly string[]; readonly own: string },
  ): Promise<'done' | 'later'> {
    const { clock, mailDomain, loops, forwardConfirmations, sends } = this.#parts;
    if (isOutside(target) && !(await forwardConfirmations.use(mailbox.id, target, message.created_at))) return 'done';
    const isLate = clock() >= message.created_at + TRY_MS;
    if ((await sends?.take(mailbox.namespace_id))?.allowed === false) return isLate ? 'done' : 'later';
    const hash = `${message.id} ${target}`;
    try {
      await forward(
        message,
        { to: fullAddress(target, mailDomain), from: own },
        {
          key,
          channel: 'api',
          idempotency: { scope: `rules:${mailbox.id}`, key: hash, hash, expires_at: clock() + IDEMPOTENCY_MS },
          cause: { hops: message.hops + 1, caused_in: mailbox.id },
          headers: { [LOOP_HEADER]: [...passed, own].join(' ') },
        },
        this.#parts,
      );
      return 'done';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'loop_detected') await loops.detected([mailbox.id]);
      return TRANSIENT.has(error.code) && !isLate ? 'later' : 'done';
    }
  }
}

/** The mailboxes whose rules forwarded the message before, by its header. */
function forwardersOf({ mail, data, channel }: Message): readonly string[] {
  const given = Object.entries(mail?.headers ?? {}).map(([name, value]) => ({ name, value }));
  const received = channel === 'smtp' && data !== null ? headersIn(data) : [];
  return [...given, ...received].filter(isLoopField).flatMap(({ value }) =>
    value
      .toLowerCase()
      .split(/\s+/)
      .filter((one) => one !== ''),
  );
}

/** The header fields of a mail, which are in its data. */
function headersIn(data: string): readonly { readonly name: string; readonly value: string }[] {
  const { email } = parseJson(data) as { email?: { headers?: unknown } };
  return Array.isArray(email?.headers) ? email.headers : [];
}
