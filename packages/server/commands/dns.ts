/**
 * `npm run dns`: prints the DNS records with which mail of MAIL_DOMAIN arrives and is believed, as lines of a zone file;
 * `-- --check` compares them with what DNS says. The service may run or not.
 */
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../config.ts';
import type { Store } from '../core/ports/store.ts';
import { type DkimKeys, dkimKeys, publishedKeys, retireDkimKeys, rotateDkimKeys } from '../mail/writing/dkim-keys.ts';
import { dnsResolver } from '../mail/writing/dns.ts';
import { type MailDomain, mailRecords, stsFile, zoneText } from '../mail/writing/records.ts';
import { checkRecords, type RecordCheck } from '../mail/writing/records-check.ts';
import { forTerminal } from '../mail/writing/transport.ts';
import { openStore } from '../store/open.ts';
import { fetchText } from './fetch-text.ts';
import { isLocalDomain, isRelayed, mailDomainOf } from './mail-domain.ts';

const HELP = `Prints the DNS records with which mail of MAIL_DOMAIN arrives and is believed, as lines of a zone file.

  npm run dns
  npm run dns -- --check                   compare them with what DNS says; the exit code is 1 when something differs
  npm run dns -- --rotate                  make new DKIM keys, which sign once DNS has their records
  npm run dns -- --retire                  remove the DKIM keys before the newest, a week after those sign

  --host NAME       the machine that takes and sends the mail (default: the host of BASE_URL)
  --reports ADDRESS where other servers send reports on DMARC and TLS
  --include NAME    with SMTP_URL: what the operator of that server wants in SPF, as in include:NAME; may be repeated
  --sts MODE        MTA-STS: enforce, testing or off (default: the setting MTA_STS, by which the service serves the policy)
`;
const MODES = ['enforce', 'testing', 'off'] as const;

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        rotate: { type: 'boolean', default: false },
        retire: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        host: { type: 'string' },
        reports: { type: 'string' },
        include: { type: 'string', multiple: true, default: [] },
        sts: { type: 'string' },
      },
    });
  } catch (error) {
    const [why] = (error as Error).message.split('. ', 1);
    process.stderr.write(`dns: ${why}. -- --help lists the options.\n`);
    process.exit(1);
  }
})();

/** All DKIM keys, the newest first, after they were rotated or retired. The newest must be in DNS before either. */
async function keysOf(secrets: Store['secrets'], config: Config): Promise<readonly DkimKeys[]> {
  const all = await dkimKeys(secrets);
  if (!values.rotate && !values.retire) return all;
  const [newest] = all;
  const waiting =
    (await publishedKeys([newest as DkimKeys, []], config.MAIL_DOMAIN, dnsResolver(config.DNS_SERVERS))) !== newest;
  if (waiting && (all.length > 1 || values.retire)) {
    const selectors = (newest ?? []).map(({ selector }) => selector).join(' and ');
    throw new ConfigError(`DNS does not show the newest keys, ${selectors}. Publish their records first.`);
  }
  if (values.rotate) await rotateDkimKeys(secrets);
  else {
    const removed = await retireDkimKeys(secrets);
    process.stdout.write(removed.map((selector) => `; Removed: ${selector}. Delete its record in a week.\n`).join(''));
  }
  return dkimKeys(secrets);
}

async function domainOf(config: Config): Promise<MailDomain> {
  if (isLocalDomain(config)) {
    throw new ConfigError(
      `MAIL_DOMAIN is ${config.MAIL_DOMAIN}, which is this machine: set it to a domain of yours first.`,
    );
  }
  const { host, reports, include: includes } = values;
  const sts = MODES.find((mode) => mode === (values.sts ?? config.MTA_STS));
  if (sts === undefined) throw new ConfigError(`--sts must be one of ${MODES.join(', ')}.`);
  if (includes.length > 0 && !isRelayed(config))
    throw new ConfigError('--include is for mail that leaves through the server of SMTP_URL; set that too.');
  await using store = await openStore(config.DATABASE_URL, { alongside: true });
  return mailDomainOf(config, await keysOf(store.secrets, config), { host, includes, reports, sts });
}

function print(domain: MailDomain, config: Config): void {
  process.stdout.write(zoneText(mailRecords(domain)));
  const file = stsFile(domain);
  if (file === undefined) return;
  const lines = file.text.trimEnd().split('\r\n');
  const served =
    config.MTA_STS === domain.sts ? 'The service serves it, once the name has a certificate,' : 'To be served';
  process.stdout.write(`\n; ${served} at ${file.url}:\n${lines.map((line) => `;   ${line}\n`).join('')}`);
}

const checkLines = ({ status, type, name, expected, found, explanation }: RecordCheck): string =>
  status === 'ok'
    ? `ok       ${type.padEnd(5)} ${name}\n`
    : [
        `${status.padEnd(8)} ${type.padEnd(5)} ${name}`,
        `         ${explanation}`,
        `         expected: ${expected}`,
        ...found.map((one) => `         found:    ${forTerminal(one)}`),
        '',
      ].join('\n');

async function check(of: MailDomain, config: Config): Promise<void> {
  const checks = await checkRecords(of, dnsResolver(config.DNS_SERVERS), fetchText);
  const differing = checks.filter(({ status }) => status !== 'ok').length;
  process.stdout.write(checks.map(checkLines).join(''));
  process.stdout.write(
    differing === 0 ? '\nEverything is as it should be.\n' : `\n${differing} of ${checks.length} differ.\n`,
  );
  if (differing > 0) process.exitCode = 1;
}

try {
  if (values.help) process.stdout.write(HELP);
  else {
    const config = readConfig(process.env);
    const of = await domainOf(config);
    if (values.check) await check(of, config);
    else print(of, config);
  }
} catch (error) {
  process.stderr.write(`dns: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
