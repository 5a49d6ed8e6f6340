import type { Event } from '../../types.generated.ts';
import { type Command, textOf } from '../command.ts';
import { eventTypes } from '../event-types.ts';
import { jsonOf, oneLine } from '../terminal.ts';
import { interruptions, reachable, shortTime } from './shared.ts';

function textOfEvent({ data }: Event): string {
  if ('body' in data) return data.subject ?? data.body;
  // Before the state of a conversation, which has no status.
  if ('assignee' in data) return data.note === undefined ? data.state : `note of ${data.note.author.name ?? 'a key'}`;
  return 'status' in data ? data.status : `${Math.floor((100 * data.bytes) / data.max_bytes)} % full`;
}

export const tail: Command = {
  name: 'tail',
  summary: 'Show what happens as it happens, until Ctrl-C',
  args: '[ADDRESS]',
  count: [0, 1],
  options: {
    after: { type: 'string', value: 'EVENT', help: 'start after this event instead of now' },
    type: { type: 'string', short: 't', value: 'TYPE', help: 'only these events, such as message.failed or message.*' },
  },
  examples: [
    ['tail', 'All of the namespace'],
    ['tail hello@ada.mailroom.localhost --type message.received', 'What arrives at one address'],
    ['tail --json | while read -r event; do …; done', 'One JSON text per line, for programs'],
  ],
  async run(context) {
    const { terminal, signal, json, positionals } = context;
    const type = textOf(context, 'type');
    const types = type === undefined ? undefined : eventTypes([type]);
    const options = { signal, after: textOf(context, 'after'), types, onInterrupted: interruptions(terminal) };
    const mailroom = context.client();
    const address = await reachable(mailroom, positionals[0] ?? '', signal);
    if (terminal.interactive && !json) terminal.note('Waiting for events; Ctrl-C ends it.');
    try {
      for await (const event of mailroom.events(options)) {
        if (address !== '' && event.mailbox !== address.toLowerCase()) continue;
        if (json) terminal.line(jsonOf(event));
        else {
          const text = oneLine(textOfEvent(event)).slice(0, 200);
          const when = terminal.style('dim', shortTime(event.created_at));
          terminal.line([when, event.type, event.mailbox, 'id' in event.data ? event.data.id : '', text].join('  '));
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return 0;
  },
};
