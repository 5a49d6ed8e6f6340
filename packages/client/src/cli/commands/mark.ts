import type { Thread } from '../../types.generated.ts';
import { type Command, textOf, UsageError } from '../command.ts';

export const STATES = ['open', 'waiting', 'done', 'later'] as const;

/** The state that an option names; another word is an error of usage. */
export function stateOf(given: string | undefined): Thread['state'] | undefined {
  const state = STATES.find((one) => one === given);
  if (given !== undefined && state === undefined)
    throw new UsageError(`--state is one of ${STATES.join(', ')}, not "${given}".`);
  return state;
}

/** Says where a conversation stands, who takes care of it, and notes something beside it. */
export const mark: Command = {
  name: 'mark',
  summary: 'Change the state or the assignee of a conversation, or note something beside it',
  args: 'THREAD',
  count: [1, 1],
  options: {
    state: { type: 'string', value: 'STATE', help: STATES.join(', ') },
    until: { type: 'string', value: 'TIME', help: 'when one for later opens again, such as 2026-12-01T09:00:00Z' },
    assign: { type: 'string', value: 'MEMBER', help: 'the id of a member, me, or none' },
    note: { type: 'string', value: 'TEXT', help: 'for members alone; @name tells that member' },
    in: { type: 'string', value: 'ADDRESS', help: 'in this address, where several of yours are in it' },
  },
  examples: [
    ['mark thr_0d8m3xk2q5v7w9y1a3c0 --state done', 'Take it out of the inbox'],
    ['mark thr_0d8m3xk2q5v7w9y1a3c0 --assign me --note "I call them"', 'Take care of it, and say so'],
  ],
  async run(context) {
    const { positionals, signal, terminal, json } = context;
    const [id = ''] = positionals;
    const [until, assign, note, mailbox] = ['until', 'assign', 'note', 'in'].map((name) => textOf(context, name));
    const state = stateOf(textOf(context, 'state'));
    const change = {
      ...(state !== undefined && { state }),
      ...(until !== undefined && { until }),
      ...(assign !== undefined && { assignee: assign === 'none' ? null : assign }),
    };
    if (Object.keys(change).length === 0 && note === undefined)
      throw new UsageError('Give --state, --until, --assign or --note.');
    const { messages } = context.client();
    const within = mailbox === undefined ? {} : { mailbox };
    const changed =
      Object.keys(change).length === 0
        ? undefined
        : await messages.changeThread(id, { ...within, ...change }, { signal });
    const noted = note === undefined ? undefined : await messages.addNote(id, { ...within, body: note }, { signal });
    if (json) terminal.json({ ...(changed && { thread: changed }), ...(noted && { note: noted }) });
    else if (changed !== undefined)
      terminal.note(
        `${changed.state}${changed.until === null ? '' : ` until ${changed.until}`}, ${changed.assignee === null ? 'assigned to none' : `assigned to ${changed.assignee}`}.`,
      );
    if (!json && noted !== undefined) terminal.note(`Noted: ${noted.id}.`);
    return 0;
  },
};
