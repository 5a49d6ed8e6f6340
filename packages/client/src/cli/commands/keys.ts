import type { NewKey } from '../../types.generated.ts';
import { type Command, textOf, textsOf, UsageError } from '../command.ts';
import { confirm, ownAddress, shortTime, YES } from './shared.ts';

export const keyCommands: readonly Command[] = [
  {
    name: 'keys',
    summary: 'List the API keys of the namespace',
    count: [0, 0],
    examples: [['keys', 'What each may do, and when it was used']],
    async run(context) {
      const { terminal, json, signal } = context;
      const keys = await context.client().keys.list({ limit: 200 }, { signal }).all();
      if (json) terminal.json(keys);
      else
        terminal.table(
          ['ID', 'NAME', 'SCOPES', 'MAILBOX', 'USED', 'STATE'],
          keys.map((key) => [
            key.id,
            key.name ?? '',
            key.scopes.join(' '),
            key.mailbox ?? '',
            key.last_used_at === null ? 'never' : shortTime(key.last_used_at),
            key.revoked_at !== null ? 'revoked' : key.expires_at === null ? 'works' : `until ${key.expires_at}`,
          ]),
        );
      return 0;
    },
  },
  {
    name: 'keys new',
    summary: 'Make an API key; its secret is printed, here and never again',
    count: [0, 0],
    options: {
      scope: { type: 'string', short: 's', multiple: true, value: 'SCOPE', help: 'what it may do, such as mail:send' },
      name: { type: 'string', value: 'TEXT', help: 'what you call it' },
      mailbox: { type: 'string', short: 'm', value: 'ADDRESS', help: 'bind it to this address' },
      expires: { type: 'string', value: 'TIME', help: 'when it ends, such as 2027-01-01T00:00:00Z' },
    },
    examples: [
      ['keys new -s mail:send -s messages:read --name laptop', 'For a program that writes and reads'],
      ['keys new -s mail:answer -s messages:read -m echo > echo.key', 'For an agent of one address'],
    ],
    async run(context) {
      const { terminal, json, signal } = context;
      const scopes = textsOf(context, 'scope') as NewKey['scopes'];
      if (scopes.length === 0)
        throw new UsageError(
          'Say what it may do: --scope mail:send, messages:read, mail:answer, mailboxes:write, webhooks:write, keys:write or owner.',
        );
      const name = textOf(context, 'name');
      const mailroom = context.client();
      const bound = textOf(context, 'mailbox');
      const mailbox = bound === undefined ? undefined : await ownAddress(mailroom, bound, signal);
      const expires_at = textOf(context, 'expires');
      const body = {
        scopes,
        ...(name !== undefined && { name }),
        ...(mailbox !== undefined && { mailbox }),
        ...(expires_at !== undefined && { expires_at }),
      };
      const key = await mailroom.keys.create(body, { signal });
      if (json) terminal.json(key);
      else {
        terminal.line(key.secret ?? '');
        terminal.note(`${key.id}: keep the secret, it is not shown again.`);
      }
      return 0;
    },
  },
  {
    name: 'keys rm',
    summary: 'Revoke an API key; it stops working at once',
    args: 'ID',
    count: [1, 1],
    options: { yes: YES },
    examples: [['keys rm key_0d8m3xk2q5v7w9y1a3c0', 'Asks before']],
    async run(context) {
      const [id = ''] = context.positionals;
      const mailroom = context.client();
      if (!(await confirm(context, `Revoke ${id}? Programs that use it stop working.`))) return 1;
      await mailroom.keys.revoke(id, { signal: context.signal });
      if (context.json) context.terminal.json({ revoked: id });
      else context.terminal.note(`Revoked ${id}.`);
      return 0;
    },
  },
];
