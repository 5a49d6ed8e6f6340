import { readFileSync } from 'node:fs';
import type { Mailbox, MailboxChange } from '../../types.generated.ts';
import { type Command, type Context, type Option, objectOf, textOf, UsageError } from '../command.ts';
import { confirm, namespaceOf, ownAddress, YES } from './shared.ts';

const FIELDS: Readonly<Record<string, Option>> = {
  behavior: {
    type: 'string',
    short: 'b',
    value: 'NAME',
    help: 'how it answers: agent (your own program), hello, proofread, do, …',
  },
  settings: { type: 'string', short: 's', value: 'JSON', help: "the behavior's settings, or @FILE with them" },
  name: { type: 'string', value: 'TEXT', help: 'a name for people' },
  description: { type: 'string', value: 'TEXT', help: 'what it is for' },
  visibility: { type: 'string', value: 'listed|unlisted', help: 'whether the directory lists it' },
  access: { type: 'string', value: 'public|key', help: 'who may write: everyone, or your own keys' },
};

const readFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

/** The fields of a mailbox that the options set. */
function fieldsOf(context: Context): MailboxChange {
  const name = textOf(context, 'behavior');
  const settings = objectOf(context, 'settings', readFile);
  const behavior = name === undefined && settings === undefined ? undefined : { name, settings };
  return {
    behavior,
    display_name: textOf(context, 'name'),
    description: textOf(context, 'description'),
    // The service says what is allowed.
    visibility: textOf(context, 'visibility') as MailboxChange['visibility'],
    access: textOf(context, 'access') as MailboxChange['access'],
  };
}

const row = ({ address, behavior, status, visibility, access, description }: Mailbox): readonly string[] => [
  address,
  behavior.name,
  status,
  access === 'key' ? 'private' : visibility,
  description ?? '',
];

const HEAD = ['ADDRESS', 'BEHAVIOR', 'STATUS', 'SEEN', 'DESCRIPTION'];

function show({ terminal, json }: Context, mailbox: Mailbox): void {
  if (json) terminal.json(mailbox);
  else terminal.line(mailbox.address);
}

export const addressCommands: readonly Command[] = [
  {
    name: 'address list',
    summary: 'List your addresses',
    count: [0, 0],
    examples: [['address list', 'All of the namespace']],
    async run(context) {
      const { terminal, json, signal } = context;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, signal);
      const mailboxes = await mailroom.mailboxes.listOf(name, { limit: 200 }, { signal }).all();
      if (json) terminal.json(mailboxes);
      else if (mailboxes.length === 0) terminal.note('None yet: mailroom address add NAME');
      else terminal.table(HEAD, mailboxes.map(row));
      return 0;
    },
  },
  {
    name: 'address add',
    summary: 'Make an address that answers',
    args: 'NAME',
    count: [1, 1],
    options: FIELDS,
    examples: [
      [`address add hello --settings '{"name": "Ada", "introduction": "I write programs."}'`, 'Introduces you'],
      ['address add proof --behavior proofread', 'Corrects texts'],
      ['address add echo --behavior agent', 'A program of yours answers: mailroom serve echo -- COMMAND…'],
    ],
    async run(context) {
      const mailroom = context.client();
      const [name = ''] = context.positionals;
      const [local_part = ''] = name.split('@');
      const { behavior, display_name, ...fields } = fieldsOf(context);
      const body = {
        ...fields,
        local_part,
        behavior: { name: behavior?.name ?? 'hello', settings: behavior?.settings },
        ...(typeof display_name === 'string' && { display_name }),
      };
      const namespace = await namespaceOf(mailroom, context.signal);
      const mailbox = await mailroom.mailboxes.create(namespace, body, { signal: context.signal });
      show(context, mailbox);
      if (mailbox.status === 'offline') context.terminal.note(`Next: mailroom serve ${local_part} -- COMMAND…`);
      return 0;
    },
  },
  {
    name: 'address edit',
    summary: 'Change, pause or resume an address',
    args: 'ADDRESS',
    count: [1, 1],
    options: {
      ...FIELDS,
      pause: { type: 'boolean', help: 'hold its messages' },
      resume: { type: 'boolean', help: 'answer them again' },
    },
    examples: [
      ['address edit hello --pause', 'Holds what arrives; a name alone is one of your own'],
      ['address edit hello@ada.mailroom.localhost --settings @settings.json', 'Replaces all settings'],
    ],
    async run(context) {
      const { values, positionals, signal } = context;
      if (values.pause === true && values.resume === true) throw new UsageError('Give --pause or --resume, not both.');
      const status = values.pause === true ? 'paused' : values.resume === true ? 'online' : undefined;
      const change = { ...fieldsOf(context), status } as const;
      if (Object.values(change).every((value) => value === undefined))
        throw new UsageError('Nothing to change. mailroom address edit --help lists the options.');
      const mailroom = context.client();
      const address = await ownAddress(mailroom, positionals[0] ?? '', signal);
      show(context, await mailroom.mailboxes.update(address, change, { signal }));
      return 0;
    },
  },
  {
    name: 'address rm',
    summary: 'Delete an address and what it received',
    args: 'ADDRESS',
    count: [1, 1],
    options: { yes: YES },
    examples: [['address rm hello@ada.mailroom.localhost', 'Asks before']],
    async run(context) {
      const { positionals, signal, json, terminal } = context;
      const mailroom = context.client();
      const address = await ownAddress(mailroom, positionals[0] ?? '', signal);
      if (!(await confirm(context, `Delete ${address} and every message in it?`))) return 1;
      await mailroom.mailboxes.delete(address, { signal });
      if (json) terminal.json({ deleted: address });
      else terminal.note(`Deleted ${address}.`);
      return 0;
    },
  },
];
