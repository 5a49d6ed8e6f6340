import { randomUUID } from 'node:crypto';
import type { Json } from '@mailroom/behavior/values/json';
import {
  type Agenda,
  type Answer,
  type Notebook,
  type NoteView,
  type OwnMail,
  type ScheduleView,
  TaskError,
} from '../../tasks/task.ts';
import { NOW } from './harness.ts';

/** Notes in memory, by the rules of the real ones. */
export function notebook(initial: Readonly<Record<string, string>> = {}): Notebook {
  const kept = new Map<string, NoteView>(
    Object.entries(initial).map(([name, text]) => [name, { name, text, updated_at: NOW }]),
  );
  return {
    async get(name) {
      return kept.get(name);
    },
    async find(query) {
      const wanted = query.toLowerCase();
      return [...kept.values()]
        .filter(({ name, text }) => name.includes(wanted) || text.toLowerCase().includes(wanted))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, 100);
    },
    async put(name, text) {
      if (name.length > 100 || Buffer.byteLength(text) > 8_192) throw new TaskError('The note is too long.');
      kept.set(name, { name, text, updated_at: NOW });
    },
    async remove(name) {
      return kept.delete(name);
    },
  };
}

export type Planned = ScheduleView & { readonly data?: Json };

/** An agenda in memory; `planned` is what it holds. */
export function agenda(initial: readonly Planned[] = []): Agenda & { readonly planned: Map<string, Planned> } {
  const planned = new Map(initial.map((one) => [one.id, one]));
  return {
    planned,
    async list() {
      return [...planned.values()].sort((a, b) => a.next_at - b.next_at);
    },
    async add(wanted) {
      if (planned.size >= 100) throw new TaskError('There are too many.');
      const made = { id: `sch_${randomUUID().replaceAll('-', '')}`, ...wanted };
      planned.set(made.id, made);
      return made;
    },
    async remove(id) {
      return planned.delete(id);
    },
  };
}

/** A mailbox that answers everything by `You wrote: …`, or as `more` says. */
export const answering =
  (more: Partial<Answer> = {}) =>
  async ({ to, body }: OwnMail): Promise<Answer> => ({
    message_id: 'msg_1',
    from: [to].flat()[0] as string,
    status: 'completed',
    body: `You wrote: ${body}`,
    data: null,
    error: null,
    ...more,
  });
