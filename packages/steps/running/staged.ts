import type { Incoming, Services } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import type { Sender } from '@mailroom/behavior/message';
import type { Owner } from '@mailroom/behavior/note';
import { type Schedule, tooManySchedules } from '@mailroom/behavior/schedule';
import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import { finder } from '@mailroom/behavior/values/text-search';
import { wellFormed } from '@mailroom/behavior/values/well-formed';
import { shortestGap } from '@mailroom/english-instructions/tasks/plans/gap';
import {
  type Agenda,
  type Notebook,
  type NoteView,
  type ScheduleView,
  TaskError,
} from '@mailroom/english-instructions/tasks/task';

/** Maximum notes of a sender in a mailbox. */
const MAX_NOTES = 1_000;
const NOTE_BYTES = 8_192;
/** Maximum schedules of a sender that are listed. */
const SCHEDULES_SHOWN = 1_000;
const SHOWN = 100;

/**
 * The notes and schedules as this message leaves them: those in the store with the changes of its steps, which are written
 * only with its outcome.
 */
export class Staged {
  readonly effects: Effect[];
  readonly #services: Services;
  readonly #clock: Clock;

  /** `effects`: those of an earlier run of the message. */
  constructor(services: Services, clock: Clock, effects: readonly Effect[] = []) {
    this.#services = services;
    this.#clock = clock;
    this.effects = [...effects];
  }

  /** A copy for one step, whose changes count only when the step completes. */
  copy(): Staged {
    return new Staged(this.#services, this.#clock, this.effects);
  }

  get #owner(): Owner {
    const { owner } = this.#services;
    if (owner === undefined) throw new TaskError('The sender of this message was deleted: nothing can be kept for it.');
    return owner;
  }

  /** A note's changed text; null when a step removed it, undefined when no step changed it. */
  #changed(name: string): string | null | undefined {
    const last = this.effects.findLast((effect) => effect.kind === 'note' && effect.name === name);
    return last?.kind === 'note' ? last.text : undefined;
  }

  /** The number of notes including this one; exact only near the limit. */
  async #countWith(name: string): Promise<number> {
    const { notes } = this.#services;
    const stored = await notes.count(this.#owner);
    const names = new Set([name, ...this.effects.flatMap((effect) => (effect.kind === 'note' ? [effect.name] : []))]);
    if (stored + names.size <= MAX_NOTES) return stored + names.size;
    let count = stored;
    for (const one of names) {
      const was = (await notes.get(this.#owner, one)) !== undefined;
      const is = one === name || this.#changed(one) !== null;
      count += Number(is) - Number(was);
    }
    return count;
  }

  get notebook(): Notebook {
    return {
      get: async (name) => {
        const changed = this.#changed(name);
        if (changed === undefined) return this.#services.notes.get(this.#owner, name);
        return changed === null ? undefined : { name, text: changed, updated_at: this.#clock() };
      },
      find: async (query) => {
        const stored = await this.#services.notes.find(this.#owner, query, SHOWN);
        const found = new Map<string, NoteView>(stored.map((note) => [note.name, note]));
        const finds = finder(query);
        for (const effect of this.effects) {
          if (effect.kind !== 'note') continue;
          const { name, text } = effect;
          const fits = text !== null && (finds(name) || finds(text));
          if (fits) found.set(name, { name, text, updated_at: this.#clock() });
          else found.delete(name);
        }
        return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, SHOWN);
      },
      put: async (name, text) => {
        if (Buffer.byteLength(text) > NOTE_BYTES) {
          throw new TaskError(`This is too long to remember: a note has up to ${NOTE_BYTES} bytes.`);
        }
        if ((await this.#countWith(name)) > MAX_NOTES) {
          throw new TaskError(`You have ${MAX_NOTES} notes here, and no more are kept. Forget one first.`);
        }
        this.effects.push({ kind: 'note', name: wellFormed(name), text: wellFormed(text) });
      },
      remove: async (name) => {
        if ((await this.notebook.get(name)) === undefined) return false;
        this.effects.push({ kind: 'note', name, text: null });
        return true;
      },
    };
  }

  /** The schedules of this message's sender; their messages arrive in its thread. */
  agenda(message: Pick<Incoming, 'thread_id' | 'hops'>, sender: Sender): Agenda {
    const who = { sender: JSON.stringify(sender), from_mailbox_id: sender.kind === 'mailbox' ? sender.id : null };
    return {
      list: async () => this.#planned(),
      add: async (wanted) => {
        await this.#checkPlan(wanted.rule);
        const id = newId('sch', this.#clock());
        this.effects.push({ kind: 'schedule', schedule: this.#schedule(id, wanted, message, who) });
        return { ...wanted, id };
      },
      remove: async (id) => {
        if (!(await this.#planned()).some((one) => one.id === id)) return false;
        this.effects.push({ kind: 'unschedule', id });
        return true;
      },
    };
  }

  /** Throws TaskError when the namespace has too many schedules or the rule is too frequent. */
  async #checkPlan(rule: string | null): Promise<void> {
    const { left: room, max, interval_ms, claimed, claim_url } = await this.#services.planning();
    const added = this.effects.filter(({ kind }) => kind === 'schedule').length;
    const removed = this.effects.filter(({ kind }) => kind === 'unschedule').length;
    if (room + removed - added <= 0) throw new TaskError(tooManySchedules(max));
    if (rule === null || shortestGap(rule) >= interval_ms) return;
    const often = interval_ms === MINUTE ? 'a minute' : `${interval_ms / MINUTE} minutes`;
    const more = claimed ? '' : ` Once a person has claimed the namespace at ${claim_url}, a minute is enough.`;
    throw new TaskError(
      `That is too often: between two times of a schedule there are at least ${often}. Say, as an example, “every ${interval_ms === MINUTE ? 'minute' : often}”.${more}`,
    );
  }

  #schedule(
    id: string,
    wanted: Omit<ScheduleView, 'id'> & { readonly data?: Json },
    { thread_id, hops }: Pick<Incoming, 'thread_id' | 'hops'>,
    who: Pick<Schedule, 'sender' | 'from_mailbox_id'>,
  ): Schedule {
    const { name, instructions, data, rule, time_zone, next_at } = wanted;
    const now: Millis = this.#clock();
    return {
      id,
      ...this.#owner,
      ...who,
      thread_id,
      hops: hops + 1,
      name: wellFormed(name),
      body: wellFormed(instructions),
      data: data === undefined ? null : JSON.stringify(data),
      rule,
      time_zone,
      next_at,
      last_at: null,
      created_at: now,
    };
  }

  async #planned(): Promise<ScheduleView[]> {
    const planned = new Map<string, ScheduleView>();
    for (const one of await this.#services.schedules.of(this.#owner, SCHEDULES_SHOWN)) planned.set(one.id, viewOf(one));
    for (const effect of this.effects) {
      if (effect.kind === 'schedule') planned.set(effect.schedule.id, viewOf(effect.schedule));
      else if (effect.kind === 'unschedule') planned.delete(effect.id);
    }
    return [...planned.values()].sort((a, b) => a.next_at - b.next_at);
  }
}

const viewOf = ({ id, name, body, rule, time_zone, next_at }: Schedule): ScheduleView => ({
  id,
  name,
  instructions: body,
  rule,
  time_zone,
  next_at,
});
