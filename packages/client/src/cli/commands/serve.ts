import { MailroomError } from '../../error.ts';
import type { Handler } from '../../handler.ts';
import type { Mailroom } from '../../mailroom.ts';
import { serve } from '../../serve.ts';
import { agentHandler } from '../agents/index.ts';
import { type Command, numberOf, textOf, UsageError } from '../command.ts';
import { jsonOf, oneLine } from '../terminal.ts';
import { answerOf, checkProgram } from './agent-program.ts';
import { dataOf, filesOf, inputOf } from './input.ts';
import { namespaceOf, ownAddress } from './shared.ts';

/** Throws the error, with the command that makes the address one that a program answers, where one does. */
async function withNextStep(error: unknown, address: string, mailroom: Mailroom, signal: AbortSignal): Promise<never> {
  if (!(error instanceof MailroomError)) throw error;
  const [name = '', domain] = address.split('@');
  const own = domain === undefined ? [] : [`${await namespaceOf(mailroom, signal).catch(() => '')}.`];
  // An address in a namespace of others cannot be made.
  if (own.some((namespace) => !`${domain}.`.startsWith(namespace))) throw error;
  const steps: Readonly<Record<string, string>> = {
    mailbox_not_found: `To make it: mailroom address add ${name} --behavior agent`,
    not_waiting: `mailroom address edit ${address} --behavior agent`,
  };
  const step = steps[error.code];
  throw step === undefined ? error : new MailroomError(`${error.message}\n${step}`, error);
}

const serveCommand: Command = {
  name: 'serve',
  summary: 'Answer the messages of an address with a program',
  args: 'ADDRESS [--agent COMMAND|URL] [-- COMMAND…]',
  count: [1, 1],
  program: true,
  options: {
    concurrency: { type: 'string', short: 'c', value: 'NUMBER', help: 'messages at a time, 1 by default' },
    agent: {
      type: 'string',
      value: 'COMMAND|URL',
      help: "an assistant's command line, an OpenAI-compatible server or an A2A agent, in place of a program",
    },
    instructions: { type: 'string', value: 'TEXT|@FILE', help: 'what the agent is told before each conversation' },
    model: { type: 'string', value: 'NAME', help: 'the model of an OpenAI-compatible server; its first by default' },
    timeout: { type: 'string', value: 'SECONDS', help: 'how long the program has for one, 900 by default' },
  },
  examples: [
    ['serve echo@ada.mailroom.localhost -- tr a-z A-Z', 'The message is its input, its output is the answer'],
    [
      `serve shell@ada.mailroom.localhost -c 4 -- sh -c 'echo "$MAILROOM_FROM"'`,
      'MAILROOM_… variables describe the message',
    ],
    [
      `serve zip@ada.mailroom.localhost -- sh -c 'zip -jq "$MAILROOM_OUT/all.zip" "$MAILROOM_ATTACHMENTS"/*'`,
      'Its files are in MAILROOM_ATTACHMENTS; what is left in MAILROOM_OUT is attached',
    ],
    [
      'serve desk@ada.mailroom.localhost --agent "claude -p" --instructions @desk.md',
      'An assistant, one session a thread (MAILROOM_SESSION); what senders write is fenced as data',
    ],
    [
      'serve desk@ada.mailroom.localhost --agent http://localhost:11434/v1 --model llama3.2',
      'A model, or an A2A agent by the URL of its card; MAILROOM_AGENT_KEY is its bearer token',
    ],
  ],
  async run(context) {
    const { terminal, rest, json, signal } = context;
    const [program] = rest;
    const agent = textOf(context, 'agent');
    if ((program === undefined) === (agent === undefined))
      throw new UsageError('Give a program after --, or --agent: mailroom serve ADDRESS -- tr a-z A-Z');
    if (program !== undefined) checkProgram(program, context.env);
    const handler: Handler =
      agent === undefined
        ? (message, handling) => answerOf(rest, message, handling, context)
        : await agentHandler(agent, context);
    const mailroom = context.client();
    const timeout = numberOf(context, 'timeout', 1);
    const [given = ''] = context.positionals;
    const address = await ownAddress(mailroom, given, signal).catch((error: unknown) =>
      withNextStep(error, given, mailroom, signal),
    );
    await serve(address, handler, {
      mailroom,
      signal,
      handleSignals: false,
      concurrency: numberOf(context, 'concurrency', 1),
      handlerMs: timeout === undefined ? undefined : timeout * 1000,
      onReady: () => {
        if (!json) terminal.note(`Answering ${address}. Ctrl-C ends it after the messages at hand.`);
      },
      onError: (error, message) =>
        terminal.note(
          `${message === undefined ? '' : `${message.id}: `}${oneLine(error instanceof Error ? error.message : String(error))}`,
        ),
      onAnswer: (message) => {
        if (json) terminal.line(jsonOf({ id: message.id, status: message.status }));
        else terminal.note(`${message.id}: ${message.status}`);
      },
    }).catch((error: unknown) => withNextStep(error, address, mailroom, signal));
    return 0;
  },
};

const STATUSES: ReadonlySet<string> = new Set(['completed', 'input_required', 'rejected', 'failed']);

const answerCommand: Command = {
  name: 'answer',
  summary: 'Answer a message by hand',
  args: 'ID [TEXT|-]',
  count: [1, 2],
  options: {
    attach: { type: 'string', short: 'a', multiple: true, value: 'FILE', help: 'attach a file' },
    status: {
      type: 'string',
      short: 's',
      value: 'STATUS',
      help: 'completed, input_required (asks back), rejected, failed',
    },
    data: { type: 'string', value: 'JSON', help: 'a structured part beside the text' },
    error: { type: 'string', value: 'TEXT', help: 'why it is rejected or failed; then no text is needed' },
  },
  examples: [
    ['answer msg_0d8m3xk2q5v7w9y1a3c0 "Tomorrow at ten."', 'The first answer settles the message'],
    ['answer msg_0d8m3xk2q5v7w9y1a3c0 "Which day?" --status input_required', 'Asks back'],
    ['answer msg_0d8m3xk2q5v7w9y1a3c0 --status rejected --error "Not here."', 'Refuses it'],
  ],
  async run(context) {
    const { terminal, json, signal, positionals } = context;
    const [id = ''] = positionals;
    const status = textOf(context, 'status') ?? 'completed';
    if (!STATUSES.has(status)) throw new UsageError(`--status is one of ${[...STATUSES].join(', ')}.`);
    const error = textOf(context, 'error');
    const data = dataOf(context);
    const files = await filesOf(context);
    const mailroom = context.client();
    const body = error !== undefined && positionals.length === 1 ? undefined : await inputOf(context, 'answer ID');
    const answer = {
      status: status as 'completed',
      ...(body !== undefined && { body }),
      ...(data !== undefined && { data }),
      ...(error !== undefined && { error }),
    };
    const answered = await mailroom.answers.answer(id, answer, { signal, files });
    if (json) terminal.json(answered);
    else
      terminal.note(
        answered.answer.settles ? `Answered: ${answered.status}.` : 'Added a reply; the message was settled before.',
      );
    return 0;
  },
};

export const answerCommands: readonly Command[] = [serveCommand, answerCommand];
