import { type Limiter, Recent } from '../../core/values/limits.ts';
import { SmtpFailure } from './failure.ts';

/** How much one network may send in a minute. */
export interface MailLimiters {
  /** Mails of one network. */
  readonly networks: Limiter;
  /** Mails of one envelope sender from one network, so that none locks out another by its name. */
  readonly senders: Limiter;
  /** Recipients that one network names. */
  readonly recipients: Limiter;
  /** Those of them that do not exist. */
  readonly unknown: Limiter;
}

type Kind = keyof MailLimiters;

const TOO_MANY: Readonly<Record<Kind, () => SmtpFailure>> = {
  networks: () => new SmtpFailure(421, '4.7.0', 'Too many mails from this network. Try again later.'),
  senders: () => new SmtpFailure(450, '4.7.1', 'Too many mails from this sender. Try again later.'),
  recipients: () => new SmtpFailure(421, '4.7.0', 'Too many recipients from this network. Try again later.'),
  unknown: () => new SmtpFailure(421, '4.7.0', 'Too many addresses that do not exist. Try again later.'),
};

/** Counts mails, not commands, and the recipients that are named. */
export class MailLimits {
  readonly #limiters: MailLimiters;
  /** Those whose last mail or recipient was one too many, by kind. */
  readonly #refused = new Recent<true>();

  constructor(limiters: MailLimiters) {
    this.#limiters = limiters;
  }

  /** Refuses MAIL where a mail would be refused; counts nothing. */
  async begin(network: string, from: string): Promise<void> {
    for (const [kind, caller] of callersOf(network, from)) await this.#check(kind, caller);
  }

  /** Counts a mail; why it is not taken, if it is one too many. */
  async mail(network: string, from: string): Promise<SmtpFailure | undefined> {
    for (const [kind, caller] of callersOf(network, from)) {
      if ((await this.#limiters[kind].take(caller)).allowed) continue;
      return this.#refuse(kind, caller);
    }
    return undefined;
  }

  /** Counts a recipient, before it is looked up. */
  async recipient(network: string): Promise<void> {
    // Else those that exist would still be told from the others.
    await this.#check('unknown', network);
    if (!(await this.#limiters.recipients.take(network)).allowed) throw TOO_MANY.recipients();
  }

  /** Counts a recipient that does not exist; what is answered then. */
  async unknown(network: string, failure: SmtpFailure): Promise<SmtpFailure> {
    return (await this.#limiters.unknown.take(network)).allowed ? failure : this.#refuse('unknown', network);
  }

  #refuse(kind: Kind, caller: string): SmtpFailure {
    this.#refused.set(`${kind} ${caller}`, true);
    return TOO_MANY[kind]();
  }

  /** Whether one more would be refused, where the last one was; counts nothing. */
  async #check(kind: Kind, caller: string): Promise<void> {
    if (this.#refused.get(`${kind} ${caller}`) === undefined) return;
    const limiter = this.#limiters[kind];
    if (!(await limiter.take(caller)).allowed) throw TOO_MANY[kind]();
    limiter.refund(caller);
  }
}

function* callersOf(network: string, from: string): Generator<readonly ['networks' | 'senders', string]> {
  yield ['networks', network];
  if (from !== '') yield ['senders', `${network} ${from.toLowerCase()}`];
}
