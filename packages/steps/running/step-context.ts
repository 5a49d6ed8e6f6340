import type { ThreadMessage } from '@mailroom/behavior/message';
import { OutsideError, type OutsideResult } from '@mailroom/behavior/outside';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type {
  Agenda,
  Answer,
  Fetched,
  Limits,
  Notebook,
  OutsideToolOf,
  OwnMail,
  RecipientAnswer,
  TaskContext,
} from '@mailroom/english-instructions/tasks/task';
import type { ExecutionParts } from './execution-parts.ts';
import { assertPossibleLater } from './possible.ts';
import type { Staged } from './staged.ts';

/** Maximum wait for an answer of another mailbox, or of a tool of others. */
const ASK_MS: Millis = 60 * SECOND;
/** Time kept back from such a wait, at most half of the step's rest, so that the step can still report what was sent. */
const ASK_ROOM_MS: Millis = SECOND;

/** The context of a step; a class, because object literals with getters would each get a hidden class of their own. */
export class StepContext implements TaskContext {
  readonly clock: Clock;
  readonly time_zone: string;
  readonly limits: Limits;
  readonly #parts: ExecutionParts;
  readonly #before: Staged;
  readonly #number: number;
  readonly #began = performance.now();
  /** Created on first use, because few steps need it. */
  #stop: AbortController | undefined;
  #asked = 0;
  /** Waits in progress; beside it the start of the current wait and the total of the earlier ones. */
  #waits = 0;
  #since = 0;
  #paused: Millis = 0;
  #staged: Staged | undefined;

  constructor(parts: ExecutionParts, staged: Staged, number: number) {
    this.clock = parts.context.clock;
    this.time_zone = parts.time_zone;
    this.limits = parts.limits;
    this.#parts = parts;
    this.#before = staged;
    this.#number = number;
  }

  get stop(): AbortController {
    this.#stop ??= new AbortController();
    return this.#stop;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** How long the step has run, in ms, without waits. */
  get ran(): Millis {
    return performance.now() - this.#began - this.#paused - (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  pause(): () => void {
    if (this.#waits++ === 0) this.#since = performance.now();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#waits === 0) this.#paused += performance.now() - this.#since;
    };
  }

  get caller(): string {
    return this.#parts.context.caller ?? '';
  }

  /** Whether the step wrote to another mailbox, called a tool of others, or was about to. */
  get asked(): boolean {
    return this.#asked > 0;
  }

  /** The step's own changes included; they are dropped when it fails or runs past its time. */
  get staged(): Staged {
    return this.#staged ?? this.#before;
  }

  get #own(): Staged {
    this.#staged ??= this.#before.copy();
    return this.#staged;
  }

  get notes(): Notebook {
    return this.#own.notebook;
  }

  get agenda(): Agenda {
    const { message, context } = this.#parts;
    return this.#own.agenda(message, context.sender);
  }

  readonly fetch = (url: string, accept: string): Promise<Fetched> =>
    this.#parts.get(url, { accept, signal: this.signal });

  readonly checkLater = (instructions: string): Promise<void> => assertPossibleLater(instructions, this.#parts);

  readonly outside = async (tool: OutsideToolOf, input: JsonObject): Promise<OutsideResult> => {
    const { outside } = this.#parts;
    if (outside === undefined) throw new OutsideError(`${tool.server} cannot be called here.`);
    this.#asked += 1;
    return outside(tool, input, { step: this.#number, ms: this.#timeToWait(), signal: this.signal });
  };

  /** How long to wait for an answer from elsewhere, so that the step can still report what happened. */
  #timeToWait(): Millis {
    const left = Math.max(0, this.limits.ms - (performance.now() - this.#began));
    return Math.min(ASK_MS, Math.floor(left - Math.min(ASK_ROOM_MS, left / 2)));
  }

  readonly ask = async (mail: OwnMail): Promise<Answer> => {
    this.#asked += 1;
    const ms = this.#timeToWait();
    const sent = await this.#parts.context.services.ask(`${this.#number}.${this.#asked}`, { ...mail, ms });
    const { copies, recipients } = sent;
    if (copies === undefined) return { message_id: sent.id, ...this.#answerOf(sent) };
    // The copy of a tagged address is addressed to it with its tag, as To names it.
    const inTo = copies.filter(({ to }) => to !== null && recipients?.to.includes(to));
    const answers = inTo.map((copy) => this.#answerOf(copy));
    const first = answers.find(({ body }) => body !== null) ?? answers[0] ?? this.#answerOf(sent);
    return { message_id: sent.id, ...first, status: sent.status, answers };
  };

  #answerOf({ to, status, reply, error_message: error }: ThreadMessage): RecipientAnswer {
    return {
      from: fullAddress(to ?? '', this.#parts.mailDomain),
      status,
      body: reply?.body ?? null,
      data: reply?.data == null ? null : (JSON.parse(reply.data) as Json),
      error,
    };
  }
}
