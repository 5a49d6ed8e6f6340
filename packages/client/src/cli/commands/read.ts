import type { MailroomError } from '../../error.ts';
import type { Mailroom } from '../../mailroom.ts';
import { isSettled } from '../../sending.ts';
import type { Attachment, Message, ThreadItem } from '../../types.generated.ts';
import { type Command, type Context, numberOf, textOf } from '../command.ts';
import { oneLine } from '../terminal.ts';
import { saveFiles } from './files.ts';
import { confirm, fileLine, senderOf, shortTime, YES } from './shared.ts';

interface Shown {
  readonly from: string;
  readonly to: string | null;
  readonly subject: string | null;
  readonly body: string;
  readonly attachments: readonly Attachment[];
  readonly created_at: string;
}

/** A message as a person reads it. */
function show({ terminal }: Context, { from, to, subject, body, attachments, created_at }: Shown, note: string): void {
  const head = `${oneLine(from)} → ${oneLine(to ?? 'the sender')}`;
  terminal.line(`${terminal.style('bold', head)}  ${terminal.style('dim', `${shortTime(created_at)}${note}`)}`);
  if (subject !== null) terminal.line(terminal.style('bold', oneLine(subject)));
  terminal.text(body);
  for (const file of attachments) terminal.line(terminal.style('dim', `Attached: ${oneLine(fileLine(file))}`));
}

/** The replies to a message besides the one that settled it. */
async function furtherReplies(
  mailroom: Mailroom,
  { id, thread_id, reply, replies_count }: Message,
  signal: AbortSignal,
): Promise<readonly ThreadItem[]> {
  if (replies_count <= (reply === null ? 0 : 1)) return [];
  const items = await mailroom.messages.thread(thread_id, { limit: 200 }, { signal }).all();
  return items.filter((item) => item.kind === 'reply' && item.in_reply_to === id && item.id !== reply?.id);
}

function showMessage(context: Context, message: Message, further: readonly ThreadItem[]): void {
  const { terminal } = context;
  show(context, { ...message, from: senderOf(message) }, ` · ${message.id} · ${message.status}`);
  if (message.reply !== null) {
    terminal.line();
    show(context, { ...message.reply, to: message.from, subject: null }, ` · ${message.reply.id}`);
  } else if (message.error !== null) {
    terminal.line();
    terminal.line(terminal.style('red', oneLine(`${message.error.code}: ${message.error.message}`)));
  }
  if (further.length === 0) return;
  terminal.line();
  terminal.line(
    terminal.style('dim', further.length === 1 ? 'A further reply:' : `${further.length} further replies:`),
  );
  for (const item of further) {
    terminal.line();
    show(context, { ...item, from: item.from ?? 'the sender', subject: null }, ` · ${item.id}`);
  }
}

/** Removes the label `unread`; a key that may not do it still reads. */
async function markRead(mailroom: Mailroom, { id, labels }: Message, signal: AbortSignal): Promise<void> {
  if (labels?.includes('unread') !== true) return;
  await mailroom.messages.update(id, { labels: { remove: ['unread'] } }, {}, { signal }).catch(() => {});
}

export const readCommands: readonly Command[] = [
  {
    name: 'read',
    summary: 'Show a message with its replies, and mark it as read',
    args: 'ID',
    count: [1, 1],
    options: {
      wait: { type: 'string', short: 'w', value: 'SECONDS', help: 'wait until it is answered' },
      save: { type: 'string', value: 'FOLDER', help: 'save its files and those of the replies there' },
    },
    examples: [
      ['read msg_0d8m3xk2q5v7w9y1a3c0', 'Shows it'],
      ['read msg_0d8m3xk2q5v7w9y1a3c0 --save files', 'And saves its files'],
    ],
    async run(context) {
      const { terminal, signal, json } = context;
      const [id = ''] = context.positionals;
      const mailroom = context.client();
      const wait = numberOf(context, 'wait') ?? 0;
      terminal.progress(() => `Waiting for ${id}`);
      const message = await mailroom
        .waitFor(id, { signal, timeoutMs: wait * 1000 })
        // How it stands is what was asked for.
        .catch((error: MailroomError): Message => {
          if (error.code === 'timeout' && error.envelope !== undefined) return error.envelope;
          throw error;
        });
      terminal.done();
      const further = await furtherReplies(mailroom, message, signal);
      if (json) terminal.json(message);
      else showMessage(context, message, further);
      const folder = textOf(context, 'save');
      const replies = [...(message.reply === null ? [] : [message.reply]), ...further];
      const files = [...message.attachments, ...replies.flatMap(({ attachments }) => attachments)];
      if (folder !== undefined)
        await saveFiles({ mailroom, signal, saved: (path) => terminal.note(`Saved ${path}`) }, files, folder);
      await markRead(mailroom, message, signal);
      return wait > 0 && !isSettled(message) ? 5 : 0;
    },
  },
  {
    name: 'thread',
    summary: 'Show a conversation in order',
    args: 'ID',
    count: [1, 1],
    examples: [['thread msg_0d8m3xk2q5v7w9y1a3c0', 'The id of a thread, or of a message in it']],
    async run(context) {
      const { terminal, signal, json } = context;
      const [id = ''] = context.positionals;
      const mailroom = context.client();
      const thread = id.startsWith('thr_') ? id : (await mailroom.messages.get(id, {}, { signal })).thread_id;
      const items: ThreadItem[] = await mailroom.messages.thread(thread, { limit: 200 }, { signal }).all();
      if (json) terminal.json(items);
      else
        items.forEach((item, at) => {
          if (at > 0) terminal.line();
          show(context, { ...item, from: item.from ?? 'the sender' }, ` · ${item.id} · ${item.status}`);
        });
      return 0;
    },
  },
  {
    name: 'rm',
    summary: 'Delete a message that an address of yours received',
    args: 'ID',
    count: [1, 1],
    options: { yes: YES },
    examples: [['rm msg_0d8m3xk2q5v7w9y1a3c0', 'Asks before: it is gone for its sender too']],
    async run(context) {
      const { positionals, signal, json, terminal } = context;
      const [id = ''] = positionals;
      const mailroom = context.client();
      if (!(await confirm(context, `Delete ${oneLine(id)} with its answer and files, for its sender too?`))) return 1;
      await mailroom.messages.delete(id, { signal });
      if (json) terminal.json({ deleted: id });
      else terminal.note(`Deleted ${oneLine(id)}.`);
      return 0;
    },
  },
];
