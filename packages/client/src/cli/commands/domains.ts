import type { Domain } from '../../types.generated.ts';
import type { Command, Context } from '../command.ts';
import { confirm, namespaceOf, shortTime, YES } from './shared.ts';

const DOMAIN = 'mail.example.com';
/** How long others may keep a record, in seconds. */
const TTL = 3600;
/** The longest string of a TXT record (RFC 1035, section 3.3.14). */
const MAX_STRING = 255;

type DomainEntry = Domain['records'][number];

/** The record as a line of a zone file (RFC 1035, section 5). */
function zoneLine({ name, type, value }: DomainEntry): string {
  if (type === 'MX') return `${name}. ${TTL} IN MX ${value}.`;
  const strings = value.match(new RegExp(`.{1,${MAX_STRING}}`, 'gu')) ?? [];
  return `${name}. ${TTL} IN TXT ${strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ')}`;
}

/** The domain with its records, which standard output has as a zone file. */
function report({ terminal, json }: Context, domain: Domain): void {
  if (json) {
    terminal.json(domain);
    return;
  }
  for (const record of domain.records) {
    const state = record.error === null ? record.status : `${record.status}: ${record.error}`;
    terminal.line(`; ${record.purpose} (${state})`);
    terminal.line(zoneLine(record));
  }
  terminal.note(`${domain.domain} is ${domain.status}${domain.error === null ? '.' : `: ${domain.error}`}`);
}

export const domainCommands: readonly Command[] = [
  {
    name: 'domains',
    summary: 'List your domains at which the addresses receive mail, too',
    count: [0, 0],
    examples: [['domains', 'Which are verified, and what DNS says of the others']],
    async run(context) {
      const { terminal, json, signal } = context;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, signal);
      const domains = await mailroom.domains.list(name, { limit: 200 }, { signal }).all();
      if (json) terminal.json(domains);
      else
        terminal.table(
          ['DOMAIN', 'STATUS', 'CHECKED', 'ERROR'],
          domains.map(({ domain, status, checked_at, error }) => [
            domain,
            status,
            checked_at === null ? '' : shortTime(checked_at),
            error ?? '',
          ]),
        );
      return 0;
    },
  },
  {
    name: 'domains add',
    summary: 'Add a domain of yours; the records to publish are printed as lines of a zone file',
    args: 'DOMAIN',
    count: [1, 1],
    examples: [[`domains add ${DOMAIN}`, 'hello@ that domain then reaches the address hello']],
    async run(context) {
      const [domain = ''] = context.positionals;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, context.signal);
      report(context, await mailroom.domains.add(name, { domain }, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'domains show',
    summary: 'Show the records of a domain, and what the last check found',
    args: 'DOMAIN',
    count: [1, 1],
    examples: [[`domains show ${DOMAIN} > zone.txt`, 'The records as a file']],
    async run(context) {
      const [domain = ''] = context.positionals;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, context.signal);
      report(context, await mailroom.domains.get(name, domain, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'domains verify',
    summary: 'Look up the records of a domain now',
    args: 'DOMAIN',
    count: [1, 1],
    examples: [[`domains verify ${DOMAIN}`, 'Exit code 1 when it is not verified']],
    async run(context) {
      const [domain = ''] = context.positionals;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, context.signal);
      const checked = await mailroom.domains.verify(name, domain, { signal: context.signal });
      report(context, checked);
      return checked.status === 'verified' ? 0 : 1;
    },
  },
  {
    name: 'domains rotate',
    summary: 'Make new signing keys for a domain, which sign once DNS has their records',
    args: 'DOMAIN',
    count: [1, 1],
    examples: [[`domains rotate ${DOMAIN}`, 'Publish the new records; the keys before sign until then']],
    async run(context) {
      const [domain = ''] = context.positionals;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, context.signal);
      report(context, await mailroom.domains.rotateDomainKeys(name, domain, { signal: context.signal }));
      return 0;
    },
  },
  {
    name: 'domains rm',
    summary: 'Remove a domain with its keys',
    args: 'DOMAIN',
    count: [1, 1],
    options: { yes: YES },
    examples: [[`domains rm ${DOMAIN}`, 'Asks before']],
    async run(context) {
      const [domain = ''] = context.positionals;
      const mailroom = context.client();
      const name = await namespaceOf(mailroom, context.signal);
      if (!(await confirm(context, `Remove ${domain}? Mail to its addresses is refused from then on.`))) return 1;
      await mailroom.domains.remove(name, domain, { signal: context.signal });
      if (context.json) context.terminal.json({ removed: domain });
      else context.terminal.note(`Removed ${domain}.`);
      return 0;
    },
  },
];
