import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { verifyAudit } from '../audit-chain.ts';
import { type Command, type Context, numberOf, textOf, UsageError } from '../command.ts';
import { namespaceOf, shortTime } from './shared.ts';

const LIMIT = 20;

async function list(context: Context): Promise<number> {
  const { client, terminal, json, signal } = context;
  const mailroom = client();
  const limit = numberOf(context, 'limit', 1) ?? LIMIT;
  const query = { limit: Math.min(200, limit), action: textOf(context, 'action'), actor: textOf(context, 'actor') };
  const name = await namespaceOf(mailroom, signal);
  const entries = await mailroom.namespaces.listAudit(name, query, { signal }).all(limit);
  if (json) terminal.json(entries);
  else
    terminal.table(
      ['WHEN', 'WHO', 'ACTION', 'WHAT', 'FROM'],
      entries.map(({ at, actor, action, target, origin }) => [
        shortTime(at),
        actor.name ?? actor.id ?? actor.kind,
        action,
        target.name ?? target.id,
        [origin.channel, origin.network].filter((part) => part !== null).join(' '),
      ]),
    );
  return 0;
}

async function save({ client, positionals, terminal, json, signal }: Context): Promise<number> {
  const mailroom = client();
  const name = await namespaceOf(mailroom, signal);
  const file = positionals[0] ?? `${name}-audit.jsonl`;
  const part = `${file}.part`;
  try {
    const lines = mailroom.namespaces.exportAudit(name, { signal });
    await pipeline(Readable.from(textsOf(lines)), createWriteStream(part, { mode: 0o600 }), { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  if (json) terminal.json({ file });
  else terminal.line(file);
  return 0;
}

async function* textsOf(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function verify({ positionals, terminal, json }: Context): Promise<number> {
  const [file = ''] = positionals;
  const input = createReadStream(file, 'utf8');
  const report = await verifyAudit(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(
        `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
      );
    },
  );
  const { faults, entries, since, complete, head, namespace } = report;
  if (json) terminal.json(report);
  else {
    for (const { line, message } of faults) terminal.line(`Line ${line}: ${message}`);
    const from = complete ? 'from its first entry on' : `since ${since ?? 'its last entry'}; older ones were removed`;
    if (faults.length === 0)
      terminal.line(`Whole: ${entries} entries of ${namespace}, ${from}. The last one has the hash ${head}.`);
  }
  return faults.length === 0 ? 0 : 1;
}

export const auditCommands: readonly Command[] = [
  {
    name: 'audit',
    summary: 'List who changed what in your namespace, newest first',
    count: [0, 0],
    options: {
      limit: { type: 'string', short: 'n', value: 'NUMBER', help: `how many, ${LIMIT} by default` },
      action: { type: 'string', value: 'ACTION', help: 'only this action, such as key.created' },
      actor: { type: 'string', value: 'ID', help: 'only what this member or key did' },
    },
    examples: [
      ['audit', 'The newest entries'],
      ['audit --action key.created', 'Who made keys'],
    ],
    run: list,
  },
  {
    name: 'audit export',
    summary: 'Save the audit log as JSON Lines',
    args: '[FILE]',
    count: [0, 1],
    examples: [['audit export', 'To NAME-audit.jsonl']],
    run: save,
  },
  {
    name: 'audit verify',
    summary: 'Find what was changed, left out or moved in such a file since it was written',
    args: 'FILE',
    count: [1, 1],
    examples: [['audit verify ada-audit.jsonl', 'Exit code 0 if the file is whole, else 1; needs no key']],
    run: verify,
  },
];
