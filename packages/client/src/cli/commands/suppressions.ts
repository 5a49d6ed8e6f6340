import type { Command } from '../command.ts';
import { shortTime } from './shared.ts';

export const suppressionCommands: readonly Command[] = [
  {
    name: 'suppressions',
    summary: 'List the addresses outside to which nothing is sent, because mail to them came back',
    count: [0, 0],
    examples: [['suppressions', 'Which, since when, and why']],
    async run({ client, terminal, json, signal }) {
      const found = await client().messages.listSuppressions({ limit: 200 }, { signal }).all();
      if (json) terminal.json(found);
      else
        terminal.table(
          ['ADDRESS', 'SINCE', 'REASON'],
          found.map(({ address, created_at, reason }) => [address, shortTime(created_at), reason]),
        );
      return 0;
    },
  },
  {
    name: 'suppressions rm',
    summary: 'Send to such an address again',
    args: 'ADDRESS',
    count: [1, 1],
    examples: [['suppressions rm ada@example.com', 'It takes mail again']],
    async run({ client, positionals, terminal, json, signal }) {
      const [address = ''] = positionals;
      await client().messages.liftSuppression(address, { signal });
      if (json) terminal.json({ lifted: address });
      else terminal.note(`Mail is sent to ${address} again.`);
      return 0;
    },
  },
];
