import type { Behavior } from '@mailroom/behavior';
import { type Caller, isOwn } from '../../core/access/caller.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { plain } from './for-programs.ts';
import {
  callOf,
  knownTasks,
  may,
  type Party,
  type ProcedureSettings,
  procedureInputs,
  type TaskDescription,
  type TaskSettings,
} from './tasks.ts';

/** The party of the reader of a page; without a key they may still write with one where guests may not. */
function partyOf(mailbox: Mailbox, caller: Caller): Party {
  if (mailbox.access === 'key' || isOwn(caller, mailbox.namespace_id)) return 'own';
  return caller.kind === 'key' || !mailbox.try_out ? 'others' : 'guests';
}

const READERS: Readonly<Record<Party, string>> = {
  guests: 'Without a key',
  others: 'With a key',
  own: 'With a key of its namespace',
};

const MORE: readonly (readonly [Party, string])[] = [
  ['others', 'With any key, also'],
  ['own', 'With a key of its namespace, also'],
];

/** What a mailbox can do for the reader of its page, as Markdown; empty for a behavior without tasks. */
export function tasksMarkdown(
  mailbox: Mailbox,
  behavior: Pick<Behavior, 'tasks'> | undefined,
  caller: Caller,
  baseUrl: string,
): string {
  const settings = mailbox.settings as TaskSettings;
  const all = knownTasks(behavior, settings);
  if (all.length === 0) return '';
  const party = partyOf(mailbox, caller);
  const usable = all.filter((task) => may(task, party, settings));
  const listed = new Set(usable);
  const more = MORE.map(([other, words]) => {
    const those = all.filter((task) => !listed.has(task) && may(task, other, settings));
    for (const task of those) listed.add(task);
    return those.length === 0 ? '' : `\n\n${words}: ${those.map(({ name }) => `\`${name}\``).join(', ')}.`;
  });
  const approval = settings.approval ?? [];
  const list = usable.map((task) => taskEntry(task, approval.includes(task.name))).join('\n');
  return `## What it can do

${READERS[party]}, in one message or several:

${list === '' ? 'Nothing.' : list}${more.join('')}

- Several instructions in one message run in order; \`{{1}}\` or "it" is the result of an earlier one. The message \`help\` lists what you may use.
- If an instruction is not understood, the answer is a question (\`input_required\`) and nothing is done.
- The full guide: ${baseUrl}/docs/do.md

## Receipts

\`reply.data\` is a receipt of what was done: \`plan\`, then \`steps\` with the task, input, output, time and status of each, and \`jws\`, which is all of it signed (RFC 7515, ES256).

- To verify one: fetch ${baseUrl}/.well-known/jwks.json, check \`jws\` with the key that its \`kid\` names, and compare its payload with the rest of \`reply.data\`. Any JOSE library can do this without the service. More: ${baseUrl}/docs/do.md#receipts

`;
}

function taskEntry({ name, description, examples, procedure }: TaskDescription, asks: boolean): string {
  const [first = ''] = description.split(/(?<=[.!?])\s+/);
  const approval = asks ? ' Runs once the owner has approved the plan.' : '';
  if (procedure !== undefined)
    return `- \`${name}\`: ${plain(description) || 'Taught by its owner.'} Taught by its owner.${approval}${inputTexts(
      procedure,
    )
      .map((text) => `\n  - ${text}`)
      .join('')}\n  - Example: ${code(callOf(procedure))}`;
  const example = examples[0] === undefined ? '' : ` Example: ${code(examples[0])}`;
  return `- \`${name}\`: ${plain(first)}${approval}${example}`;
}

/** A message as inline code on one line. */
const code = (text: string): string => `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;

/** The inputs of a procedure, one line each. */
const inputTexts = ({ parameters }: ProcedureSettings): readonly string[] =>
  procedureInputs(parameters).map(
    ({ name, type, text, required }) =>
      `\`${name}\`: ${required ? '' : 'optional '}${type}${text && `. ${plain(text)}`}`,
  );
