import type { Message } from '../entities/message.ts';
import type { Accepted, Messages, Settlement } from '../ports/messages.ts';
import type { HandedTerms, Notice, Shared } from '../ports/shared.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { firstIdAt, isReplyId, newId } from '../values/ids.ts';

/** How long the node that may have a message may take to say what became of it; the store is read after. */
const ASK_MS: Millis = 300;
/** A program that does not answer within this time has the message for longer than its node waits to write it. */
const KEPT_MS: Millis = 100;
/** For this long the node that has a message may ask whether a program got it. */
const HANDED_MS: Millis = 10 * SECOND;
/** A node that was handed a message writes it with its answer within this time; later the node that has it is asked. */
const WRITE_MS: Millis = 2 * SECOND;
/** For how long a message with a young id may be on another node, not written so far. */
const YOUNG_MS: Millis = 2 * SECOND;

/** A program's answer, which settles a message as it is written. */
export interface EarlyAnswer {
  readonly settlement: Settlement;
  /** The API key of the program. */
  readonly key_id: string | null;
}

/** The node of the program wrote the message with its answer; undefined where that has to be read. */
export interface WrittenAnswer {
  readonly written: Settlement | undefined;
}

/** `settled`: it was written with the answer; `written`: without; `gone`: it was not, and will not be. */
export type Outcome = 'settled' | 'written' | 'gone';

/** A message that a program may have and the store does not. Its sender waits and knows no id of it. */
export class Unwritten {
  readonly message: Message;
  /** The claim of the program that has it; undefined while none has. */
  claimed: { readonly claim: string; readonly until: Millis } | undefined;
  readonly #wanted = Promise.withResolvers<EarlyAnswer | WrittenAnswer | undefined>();
  readonly #ended = Promise.withResolvers<Outcome>();
  /** How it is accepted by another node that writes it; undefined: none may. */
  readonly terms: HandedTerms | undefined;
  #decided = false;

  constructor(message: Message, terms?: HandedTerms) {
    this.message = message;
    this.terms = terms;
  }

  /** Whether it waits for an answer still. */
  get isOpen(): boolean {
    return !this.#decided;
  }

  /** Resolves once it is written, or will not be. */
  get ended(): Promise<Outcome> {
    return this.#ended.promise;
  }

  /** The answer to write it with, or undefined after `ms`, when it has to be written without one, or the signal aborts. */
  async within(ms: Millis, signal: AbortSignal): Promise<EarlyAnswer | WrittenAnswer | undefined> {
    const write = (): void => this.write();
    const timer = setTimeout(write, ms);
    signal.addEventListener('abort', write, { once: true });
    if (signal.aborted) write();
    const answer = await this.#wanted.promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', write);
    return answer;
  }

  /** The first answer under its claim is written with it, or was. */
  answer(answer: EarlyAnswer | WrittenAnswer): void {
    this.#decide(answer);
  }

  /** It is written now, without an answer. */
  write(): void {
    this.#decide(undefined);
  }

  /** The program that was to have it is gone, so it is written without a claim. */
  decline(): void {
    if (!this.#decided) this.claimed = undefined;
    this.write();
  }

  end(outcome: Outcome): void {
    this.#ended.resolve(outcome);
  }

  #decide(answer: EarlyAnswer | WrittenAnswer | undefined): void {
    this.#decided = true;
    this.#wanted.resolve(answer);
  }
}

/** Bytes of a message or an answer in a notice; PostgreSQL allows 8,000 for the whole. */
const MAX_IN_NOTICE = 7_000;

export const fitsNotice = (content: object): boolean => Buffer.byteLength(JSON.stringify(content)) <= MAX_IN_NOTICE;

type Handed = Extract<Notice, { kind: 'handed' }>;

/** What the message of a settlement is, as it is written at once. */
export function writtenWith(message: Message, settlement: Settlement): Message {
  // The clock of the program's node may be behind.
  const settled_at = Math.max(settlement.settled_at, message.created_at);
  return { ...message, ...settlement, settled_at, replies_count: settlement.reply === null ? 0 : 1 };
}

interface UnwrittenParts {
  readonly shared: Shared | undefined;
  readonly accept: Messages['accept'];
  readonly clock: Clock;
}

/**
 * Messages that are handed to a program before they are written, for a sender who waits: with a quick answer the exchange
 * is one durable write, as of a behavior that runs here: by this node, or by the node of the program that it was handed
 * to. Where both write it only one does, as the id is the key of its row. What refers to such a message by its id makes it
 * durable first; other nodes ask for that by a notice.
 */
export class UnwrittenMessages {
  /** Tells this node's notices from those of others. */
  readonly node: string;
  readonly #shared: Shared | undefined;
  readonly #accept: Messages['accept'];
  readonly #clock: Clock;
  readonly #own = new Map<string, Unwritten>();
  /** The messages of other nodes which programs here were handed, by id; `at` is when, by this process's clock. */
  readonly #elsewhere = new Map<string, { readonly handed: Handed; readonly at: number }>();
  /** What programs here were handed lately. */
  readonly #handed = new Set<string>();
  /** Calls that wait for another node to say what became of a message. */
  readonly #asking = new Map<string, (outcome: Outcome) => void>();

  constructor({ shared, accept, clock }: UnwrittenParts) {
    this.node = newId('req', clock());
    this.#shared = shared;
    this.#accept = accept;
    this.#clock = clock;
    shared?.subscribe((notice) => {
      if (notice.kind === 'answered') this.#own.get(notice.id)?.answer({ written: notice.settlement });
      else if (notice.kind === 'wanted') this.#onWanted(notice.id);
      else if (notice.kind === 'exchanged') {
        // From now on the store decides.
        this.#elsewhere.delete(notice.id);
        this.#asking.get(notice.id)?.(notice.outcome);
      }
    });
  }

  /** Nothing refers to an unwritten message while there is none. */
  get size(): number {
    return this.#own.size;
  }

  /** `terms`: how another node accepts it that it is handed to; without them it is handed to none. */
  begin(message: Message, terms?: HandedTerms): Unwritten {
    const unwritten = new Unwritten(message, terms);
    this.#own.set(message.id, unwritten);
    return unwritten;
  }

  /** It is written, or will not be: those who wait for that are notified, here and on the node of the program. */
  end(unwritten: Unwritten, outcome: Outcome, elsewhere: boolean): void {
    const { id } = unwritten.message;
    this.#own.delete(id);
    unwritten.end(outcome);
    if (elsewhere) this.#shared?.publish({ kind: 'exchanged', id, outcome });
  }

  open(id: string): Unwritten | undefined {
    return this.#own.get(id);
  }

  /** A program here was handed a message that this node has. */
  handed(handed: Handed): void {
    const { id } = handed.message;
    this.#elsewhere.set(id, { handed, at: performance.now() });
    this.#handed.add(id);
    const kept = (): void => {
      if (this.#elsewhere.has(id)) this.#shared?.publish({ kind: 'kept', ids: [id] });
    };
    setTimeout(kept, KEPT_MS).unref();
    setTimeout(() => this.declined(id), HANDED_MS).unref();
  }

  /** Whether a program here was handed it. */
  wasHanded(id: string): boolean {
    return this.#handed.has(id);
  }

  /** The program that was handed it is gone. */
  declined(id: string): void {
    this.#elsewhere.delete(id);
    this.#handed.delete(id);
  }

  /**
   * Settles a message that is not written so far with an answer under its claim, in one write; false when the store is to
   * decide, because it is written, or is not to be.
   */
  async answer(id: string, claim: string | null, answer: EarlyAnswer): Promise<boolean> {
    const own = this.#own.get(id);
    if (own !== undefined) {
      const first = own.isOpen && claim !== null && own.claimed?.claim === claim;
      if (first) own.answer(answer);
      else own.write();
      return (await own.ended) === 'settled' && first;
    }
    const elsewhere = this.#elsewhere.get(id);
    if (elsewhere === undefined || elsewhere.handed.claim !== claim) return false;
    this.#elsewhere.delete(id);
    if (performance.now() - elsewhere.at >= WRITE_MS) return false;
    const accepted = await this.#writeHanded(elsewhere.handed, answer);
    // What is refused here that node writes without the answer, or refuses it too.
    if (accepted.kind !== 'accepted' && accepted.kind !== 'known') await this.writtenElsewhere(id);
    return accepted.kind === 'accepted';
  }

  /** Writes a message of another node with its answer, and notifies that node in the same commit. */
  #writeHanded({ message, claim, until, terms }: Handed, { settlement, key_id }: EarlyAnswer): Promise<Accepted> {
    const { id } = message;
    const notice = { kind: 'answered', id, ...(fitsNotice(settlement) ? { settlement } : {}) } as const;
    return this.#accept({
      message: writtenWith(message, settlement),
      claimed: { claim, until },
      answer_key_id: key_id ?? undefined,
      notice,
      ...terms,
    });
  }

  /** Returns once the message is in the store, if this node or another has it. */
  async written(id: string): Promise<void> {
    const own = this.#own.get(id);
    if (own === undefined) return;
    own.write();
    await own.ended;
  }

  /** As `written`, of all messages here that fit, but for the one with the id `except`. */
  async allWritten(fits: (message: Message) => boolean, except?: string | null): Promise<void> {
    const all = [...this.#own.values()].filter(({ message }) => message.id !== except && fits(message));
    await Promise.all(all.map(({ message }) => this.written(message.id)));
  }

  /** Whether another node may have a message that this one does not find. */
  mayBeElsewhere(id: string): boolean {
    if (this.#shared === undefined || isReplyId(id)) return false;
    const now = this.#clock();
    return id >= firstIdAt('msg', now - YOUNG_MS) && id < firstIdAt('msg', now + YOUNG_MS);
  }

  /** Has another node write the message, if one has it. */
  async writtenElsewhere(id: string): Promise<void> {
    await this.#ask(id, { kind: 'wanted', id });
  }

  /** What the node that has the message says became of it; undefined when none does in time. */
  async #ask(id: string, notice: Notice): Promise<Outcome | undefined> {
    const { promise, resolve } = Promise.withResolvers<Outcome | undefined>();
    const before = this.#asking.get(id);
    const notified = (outcome: Outcome): void => {
      before?.(outcome);
      resolve(outcome);
    };
    this.#asking.set(id, notified);
    const timer = setTimeout(resolve, ASK_MS, undefined);
    this.#shared?.publish(notice);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      if (this.#asking.get(id) === notified) this.#asking.delete(id);
    }
  }

  #onWanted(id: string): void {
    const own = this.#own.get(id);
    if (own === undefined) return;
    own.write();
    void own.ended.then((outcome) => this.#shared?.publish({ kind: 'exchanged', id, outcome }));
  }
}
