import { open } from 'node:fs/promises';
import { SECOND } from '@mailroom/behavior/values/clock';
import { help } from './commands/help.ts';
import { keepSmtpAddress } from './commands/smtp-address.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { makeLog } from './log.ts';
import type { Service } from './service/index.ts';

/**
 * Reads the environment, starts the service and handles signals. Sets the exit code; the process ends when nothing is
 * left to do.
 */
export async function run(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help());
    return;
  }
  let flush = (): void => {};
  try {
    if (args.length > 0)
      throw new ConfigError(
        `There is no option ${args[0]}. Settings are environment variables: see npm start -- --help.`,
      );
    const config = readConfig(env);
    const logs = await makeLog(config.LOG_LEVEL, undefined, config.LOG_SAMPLE);
    const { log, access } = logs;
    flush = logs.flush;
    // On a terminal the first screen says what these lines would, and is not to be searched for among them.
    if (process.stderr.isTTY && config.LOG_LEVEL === 'info') log.level = 'warn';
    const stop = Promise.withResolvers<string>();
    const stopping = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        stop.resolve(signal);
        stopping.abort();
      });
    const onFailure = (error: Error): void => {
      log.fatal({ err: error }, 'the service cannot go on');
      process.exitCode = 1;
      stop.resolve('failure');
    };
    // Modules are loaded only now, so that --help and an error in a setting are printed at once, those of the store first:
    // it is opened on its own thread meanwhile.
    await import('@mailroom/workers/modules/resolve');
    const { openStore } = await import('./store/open.ts');
    const opening = openStore(config.DATABASE_URL, {
      blobs: config.BLOBS_URL,
      compactHour: config.COMPACT_HOUR,
      index: config.SEARCH_INDEX,
      onFailure,
      wait_ms: config.DATABASE_SECONDS * SECOND,
      onWait: (why, left_ms) =>
        log.warn(
          `the database does not answer yet, and is waited for another ${Math.ceil(left_ms / SECOND)} s: ${why}`,
        ),
      signal: stopping.signal,
    });
    opening.catch(() => {});
    const { startService } = await import('./service/index.ts').catch(async (error: unknown) => {
      // Its thread would keep the process alive.
      await (await opening)[Symbol.asyncDispose]();
      throw error;
    });
    const service = await startService({
      config,
      log,
      access,
      onFailure,
      openStore: () => opening,
      // Printed rather than logged, because logs are kept, and this is for people who try the service out.
      print: (text) => process.stdout.write(text),
      keepOwnerKey: (secret) => keepOwnerKey(config, secret),
    });
    keepSmtpAddress(config.DATABASE_URL, service.smtp);
    process.stdout.write(welcome(config, service));
    log.info({ url: service.url }, 'listening');
    log.level = config.LOG_LEVEL;
    if (config.PREPARE_BEHAVIORS) service.prepare();
    log.info({ signal: await stop.promise }, 'stopping');
    await service[Symbol.asyncDispose]();
    keepSmtpAddress(config.DATABASE_URL, undefined);
    log.info('stopped');
  } catch (error) {
    // It was told to stop while it waited for its database.
    if (error instanceof Error && (error.cause as Error | undefined)?.name === 'AbortError') return;
    process.stderr.write(`mailroom: ${error instanceof Error ? oneLine(error, env.HOST) : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    flush();
  }
}

/** What to print of an error; one of the system does not name the setting that it comes from. */
function oneLine(error: Error, host?: string): string {
  const { code, port, syscall, address, hostname } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
    hostname?: string;
  };
  if (code === 'EADDRINUSE') return `PORT ${port} is in use. Set PORT to another, or to 0 for a free one.`;
  if (code === 'EACCES' && syscall === 'listen')
    return `PORT ${port} is not open to this user. Set PORT to one above 1023.`;
  if (host !== undefined && (hostname === host || (syscall === 'listen' && address === host)))
    return `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; it is "${host}" (${code}).`;
  return error.message.split('\n', 1)[0] as string;
}

async function keepOwnerKey({ OWNER_KEY_FILE }: Config, secret: string): Promise<void> {
  if (OWNER_KEY_FILE === undefined) return;
  await using file = await open(OWNER_KEY_FILE, 'a', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`OWNER_KEY_FILE cannot be written: ${error.message}`);
  });
  // The file may hold a key that still works.
  if ((await file.stat()).size > 0)
    throw new Error(`OWNER_KEY_FILE ${OWNER_KEY_FILE} is not empty. Name another file.`);
  await file.chmod(0o600);
  await file.writeFile(`${secret}\n`);
  await file.sync();
}

/** The first screen that a person sees. */
function welcome(config: Config, { url, ownerKey, greeter, smtp }: Omit<Service, 'prepare'>): string {
  const { HOUSE_NAMESPACE: house, OWNER_KEY_FILE: file } = config;
  const lines = [
    '',
    `  Mailroom is listening on ${url}`,
    '',
    `  Make an address  ${url}/new`,
    `  Console          ${url}/console`,
    `  API              ${url}/docs`,
    ...(smtp === undefined
      ? []
      : [`  Mail (SMTP)      ${smtp.host.includes(':') ? `[${smtp.host}]` : smtp.host}:${smtp.port}`]),
    '',
  ];
  if (ownerKey !== undefined && file === undefined)
    lines.push(`  Owner key of ${house}, shown now and never again:`, `  ${ownerKey}`, '');
  else if (ownerKey !== undefined) lines.push(`  The owner key of ${house} is in ${file}`, '');
  if (greeter === undefined) return `${lines.join('\n')}\n`;
  const first = { to: `${greeter}@${house}.${config.MAIL_DOMAIN}`, body: 'She have two cat, and they is hungry.' };
  const json = "-H 'Content-Type: application/json' -d";
  if (ownerKey === undefined)
    lines.push(
      '  Write to an address, no key needed:',
      '',
      `curl -s ${url}/api/v1/mail/try ${json} '${JSON.stringify(first)}'`,
    );
  else {
    const key = file === undefined ? `'Authorization: Bearer ${ownerKey}'` : `"Authorization: Bearer $(cat '${file}')"`;
    lines.push(
      '  Write to an address:',
      '',
      `curl -s ${url}/api/v1/mail/send -H ${key} ${json} '${JSON.stringify({ ...first, sync: true })}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
