/**
 * `npm run doctor`: looks at the machine and the service that runs on it, and says what to do. What it makes (a key, a
 * webhook, messages) it removes. The exit code is 1 when something failed.
 */
import { parseArgs } from 'node:util';
import { type Finding, findingLines, reasonOf, serviceFindings, skip } from '@mailroom/client/doctor';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { makeOwnerKey } from '../core/access/key-registry.ts';
import { inAuditScope, OPERATOR_SCOPE } from '../core/ports/audit-scope.ts';
import type { Store } from '../core/ports/store.ts';
import { systemClock } from '../core/values/steady-clock.ts';
import { openStore } from '../store/open.ts';
import { databaseFindings } from './doctor/database.ts';
import { diskFindings, mailCertificate, portFindings } from './doctor/machine.ts';
import { dnsFindings, guarded, incomingFinding, outgoingFinding, relayFinding } from './doctor/mail.ts';
import { webhookFinding } from './doctor/webhooks.ts';
import { keptSmtpAddress } from './smtp-address.ts';

const HELP = `Looks at this machine and the service on it: ports, TLS, DNS, clock, disk, database, relay, mail to itself,
webhooks, MCP and A2A. Run it with the settings of the service. The exit code is 1 when something failed.

  npm run doctor
  npm run doctor -- --json       findings as JSON: {check, status: ok | warn | fail | skip, found, advice}

  --min-free MIB    what must be free on the disk (default 512); a warning comes at four times as much
  --wait SECONDS    how long a mail may take to come back (default 60)

What it makes it removes again: a key of the house namespace, a webhook, and messages to postmaster@ and hello@.
`;

const START = 'Start it with npm start, with the same settings, and look at what it prints.';

interface Options {
  readonly json: boolean;
  readonly minFree: number;
  readonly arrival_ms: number;
}

function options(): Options | undefined {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      'min-free': { type: 'string', default: '512' },
      wait: { type: 'string', default: '60' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const number = (name: 'min-free' | 'wait'): number => {
    if (!/^\d{1,9}$/.test(values[name])) throw new ConfigError(`--${name} is a whole number, not "${values[name]}".`);
    return Number(values[name]);
  };
  return { json: values.json, minFree: number('min-free'), arrival_ms: 1000 * number('wait') };
}

/** Where the service receives mail: as it says itself, where no setting does. */
const smtpOf = ({ DATABASE_URL, SMTP_LISTEN }: Config) =>
  (process.env.SMTP_LISTEN === undefined && keptSmtpAddress(DATABASE_URL)) || SMTP_LISTEN;

async function examine(config: Config, { minFree, arrival_ms }: Options, signal: AbortSignal): Promise<Finding[]> {
  const smtp = smtpOf(config);
  const findings: Finding[] = [...(await portFindings(config, smtp)), mailCertificate(config, Date.now())];
  findings.push(...(await diskFindings(config, minFree)));
  const database = await databaseFindings(config);
  findings.push(...database.findings);
  await using store = database.usable ? await openStore(config.DATABASE_URL, { alongside: true }) : undefined;
  findings.push(...(await dnsFindings(config, store?.secrets)));
  const relay = await guarded('relay', () => relayFinding(config));
  findings.push(relay);
  const url = config.BASE_URL ?? `http://localhost:${config.PORT}`;
  if (store === undefined) return [...findings, ...(await serviceFindings({ url, signal }, START))];
  await using key = await temporaryKey(config, store);
  const service = { url, key: key.secret, signal };
  const seen = await serviceFindings(service, START);
  findings.push(...seen);
  if (seen.some(({ check, status }) => ['service', 'key'].includes(check) && status === 'fail'))
    return [
      ...findings,
      ...['mail in', 'mail out', 'webhooks'].map((check) => skip(check, 'the service does not answer')),
    ];
  const parts = { config, store, service, smtp, arrival_ms };
  findings.push(await guarded('mail in', () => incomingFinding(parts)));
  findings.push(
    relay.status === 'fail'
      ? skip('mail out', 'the relay takes none')
      : await guarded('mail out', () => outgoingFinding(parts)),
  );
  findings.push(await guarded('webhooks', () => webhookFinding(service)));
  return findings;
}

/** A key of the house namespace, whose mail it reads, that is gone when it is disposed of. */
async function temporaryKey(
  { HOUSE_NAMESPACE }: Config,
  store: Store,
): Promise<{ readonly secret: string } & AsyncDisposable> {
  const { key, secret } = await makeOwnerKey(store, HOUSE_NAMESPACE, systemClock, 'npm run doctor');
  return {
    secret,
    [Symbol.asyncDispose]: async () => {
      await inAuditScope(OPERATOR_SCOPE, () => store.keys.revoke(key.id, key.namespace_id, Date.now()));
      await store.keys.remove(key.id, key.namespace_id);
    },
  };
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
try {
  const chosen = options();
  if (chosen === undefined) process.stdout.write(HELP);
  else {
    const findings = await examine(readConfig(process.env), chosen, interrupted.signal);
    process.stdout.write(
      chosen.json ? `${JSON.stringify(findings, null, 2)}\n` : `${findingLines(findings).join('\n')}\n`,
    );
    if (findings.some(({ status }) => status === 'fail')) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`doctor: ${reasonOf(error)}\n`);
  process.exitCode = 1;
}
