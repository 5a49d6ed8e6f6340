import { MailroomError } from '../../error.ts';
import type { Mailroom } from '../../mailroom.ts';
import { isSettled, replyOf } from '../../sending.ts';
import type { Message } from '../../types.generated.ts';
import { type Command, type Context, numberOf, textOf, textsOf } from '../command.ts';
import { saveFiles } from './files.ts';
import { dataOf, filesOf, inputOf } from './input.ts';
import { fileLine, ownAddress } from './shared.ts';

const WAIT_S = 30;
/** After this time a person is shown the progress, in seconds. */
const PATIENCE_S = 2;
const MAX_SYNC_S = 120;

/** The message once it is settled, or as it stands when the time is over; a person sees what happens meanwhile. */
async function settled(mailroom: Mailroom, message: Message, left_ms: number, context: Context): Promise<Message> {
  if (isSettled(message) || left_ms <= 0) return message;
  const { terminal, signal } = context;
  let last = message;
  let statusText = '';
  const began = Date.now();
  terminal.progress(
    () =>
      `${statusText === '' ? `Waiting for ${message.to}` : statusText} · ${Math.round((Date.now() - began) / 1000)} s`,
  );
  const over = AbortSignal.timeout(left_ms);
  try {
    for await (const update of mailroom.follow(message.id, { signal: AbortSignal.any([signal, over]) })) {
      if (update.type === 'draft') statusText = update.text.slice(-200);
      else {
        last = update.message;
        statusText =
          last.waiting_for === 'approval' ? 'Waiting for the owner to approve it' : (last.progress.at(-1)?.text ?? '');
      }
    }
  } catch (error) {
    if (!signal.aborted && over.aborted) return last;
    if (signal.aborted) {
      terminal.done();
      terminal.note(`The message was sent, and its answer still comes: mailroom read ${message.id} --wait 60`);
    }
    if (!(error instanceof MailroomError)) throw error;
    throw new MailroomError(`${error.message}\nThe message was sent: mailroom read ${message.id} --wait 60`, error);
  } finally {
    terminal.done();
  }
  return last;
}

export const send: Command = {
  name: 'send',
  summary: 'Write to an address, and wait for its reply',
  args: 'ADDRESS [TEXT|-]',
  count: [1, 2],
  options: {
    attach: { type: 'string', short: 'a', multiple: true, value: 'FILE', help: 'attach a file' },
    wait: { type: 'string', short: 'w', value: 'SECONDS', help: `wait for the reply, ${WAIT_S} by default; 0: do not` },
    subject: { type: 'string', value: 'TEXT', help: 'a subject line' },
    thread: { type: 'string', short: 't', value: 'ID', help: 'continue this thread' },
    from: { type: 'string', value: 'ADDRESS', help: 'write as an address of yours' },
    cc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'send it to this address too, which all see' },
    bcc: { type: 'string', multiple: true, value: 'ADDRESS', help: 'send it to this address too, which no other sees' },
    data: { type: 'string', value: 'JSON', help: 'a structured part beside the text' },
    save: { type: 'string', value: 'FOLDER', help: 'save the files of the reply there' },
  },
  examples: [
    ['send proofread@agents.mailroom.localhost "She have two cat."', 'Prints the reply'],
    ['send echo "Hello"', 'A name alone is an address of your own'],
    ['send proofread@agents.mailroom.localhost - < draft.txt', 'Reads the text from a file'],
    ['send proofread@agents.mailroom.localhost "Correct this" -a draft.md --save out', 'With a file, and files back'],
    ['send ada@example.com "Tea?" --from hello', 'By e-mail, to an address outside'],
    ['send ada@example.com "Tea?" --from hello --cc bo@example.com', 'To several'],
    ['send hello@agents.mailroom.localhost "Who are you?" --json | jq -r .reply.body', 'For programs'],
  ],
  async run(context) {
    const { terminal, signal, json } = context;
    const [given = ''] = context.positionals;
    const wait = numberOf(context, 'wait') ?? WAIT_S;
    const began = Date.now();
    const data = dataOf(context);
    const files = await filesOf(context);
    const { key } = context.guest();
    const mailroom = context.client('guest');
    const body = await inputOf(context, 'send ADDRESS');
    const to = key === '' ? given : await ownAddress(mailroom, given, signal);
    const from = textOf(context, 'from');
    const addressesOf = (name: string) =>
      Promise.all(textsOf(context, name).map(async (one) => (key === '' ? one : ownAddress(mailroom, one, signal))));
    const fields = {
      to,
      body,
      ...(data !== undefined && { data }),
      ...optional('subject', textOf(context, 'subject')),
      ...optional('thread_id', textOf(context, 'thread')),
      ...named('cc', await addressesOf('cc')),
      ...named('bcc', await addressesOf('bcc')),
      ...(from !== undefined && { from: key === '' ? from : await ownAddress(mailroom, from, signal) }),
    };
    let message: Message;
    terminal.progress(() => `Sending to ${to}`);
    if (key === '') {
      if (files.length > 0 || Object.keys(fields).length > 2)
        throw new MailroomError(
          'Without a key only a text can be sent. Log in with mailroom login, or mailroom new NAME.',
          {
            code: 'configuration',
          },
        );
      message = await mailroom.messages.tryMailbox({ to, body }, { signal });
    } else {
      const seconds = Math.min(wait, terminal.shows ? PATIENCE_S : MAX_SYNC_S);
      const headers: Record<string, string> = seconds > 0 ? { prefer: `wait=${seconds}` } : {};
      const sent = await mailroom.messages.send({ ...fields, sync: seconds > 0 }, { signal, files, headers });
      message = await settled(mailroom, sent as Message, wait * 1000 - (Date.now() - began), context);
    }
    terminal.done();
    if (json) terminal.json(message);
    if (!isSettled(message)) {
      if (wait === 0) {
        if (!json) terminal.line(message.id);
        return 0;
      }
      terminal.note(`${await noAnswer(mailroom, to, signal)}; it still comes: mailroom read ${message.id} --wait 60`);
      return 5;
    }
    if (message.status === 'completed' && message.reply === null && message.deliveries !== undefined) {
      if (json) return 0;
      terminal.line(message.id);
      terminal.note(
        `It leaves as e-mail to ${to}; its answer arrives in the thread: mailroom thread ${message.thread_id}`,
      );
      return 0;
    }
    const folder = textOf(context, 'save');
    if (folder !== undefined)
      await saveFiles(
        { mailroom, signal, saved: (path) => terminal.note(`Saved ${path}`) },
        message.reply?.attachments ?? [],
        folder,
      );
    if (json) return message.status === 'completed' || message.status === 'input_required' ? 0 : 1;
    const reply = replyOf(message);
    if (reply === null) {
      terminal.note(`${to} was not the one to answer it (${message.not_answered}).`);
      return 0;
    }
    terminal.text(reply.body);
    if (folder === undefined) for (const file of reply.attachments) terminal.note(`Attached: ${fileLine(file)}`);
    if (reply.attachments.length > 0 && folder === undefined)
      terminal.note(`Save them: mailroom read ${message.id} --save FOLDER`);
    if (message.status === 'input_required')
      terminal.note(`It asks back: mailroom send ${to} TEXT --thread ${message.thread_id}`);
    return 0;
  },
};

/** Why there is no answer so far. */
async function noAnswer(mailroom: Mailroom, to: string, signal: AbortSignal): Promise<string> {
  const { status } = await mailroom.mailboxes.get(to, { signal }).catch(() => ({ status: undefined }));
  if (status === 'offline') return `No answer yet, because the program of ${to} is not connected`;
  return status === 'paused' ? `No answer yet, because ${to} is paused` : 'No answer yet';
}

const named = (name: 'cc' | 'bcc', addresses: readonly string[]): { [name: string]: string[] } =>
  addresses.length === 0 ? {} : { [name]: [...addresses] };

const optional = (name: string, value: string | undefined): { [name: string]: string } =>
  value === undefined ? {} : { [name]: value };
