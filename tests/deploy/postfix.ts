import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCertificate } from '../harness/certificate.ts';
import { smtpClient } from '../harness/mail.ts';
import { runProgram } from '../harness/program.ts';
import { newFolder, removeFolder, run } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { instead } from './instead.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy/postfix');
/** Debian's own file, of which only the port and the chroot are changed. */
export const MASTER = '/usr/share/postfix/master.cf.dist';
const START_MS = 60_000;

/** A Postfix of its own, with the files of deploy/postfix. */
export interface Postfix extends AsyncDisposable {
  readonly port: number;
  log(): string;
  /** The mails that wait in its queue. */
  queued(): number;
  /** What `postfix check` and `postconf` say about the files; '' when they are right. */
  complaints(): Promise<string>;
}

export interface PostfixOptions {
  readonly port: number;
  readonly mail_domain: string;
  /** Where Mailroom listens by LMTP. */
  readonly lmtp: number;
  /** A port of this machine that takes all mail to the outside. */
  readonly outside: number;
  /** A port of this machine where a milter listens, such as one that signs. */
  readonly milter?: number;
}

const deployed = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Starts it, as root, with its own folders. */
export async function startPostfix({ port, mail_domain, lmtp, outside, milter }: PostfixOptions): Promise<Postfix> {
  const folder = newFolder();
  // Its processes run as the user postfix.
  chmodSync(folder, 0o755);
  const [config, queue, data] = ['etc', 'spool', 'lib'].map((name) => join(folder, name)) as [string, string, string];
  const log = join(folder, 'log');
  const logged = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  for (const path of [config, queue, data]) mkdirSync(path);
  await runProgram('chown', ['postfix', data]);
  const { cert, key } = newCertificate(folder, ['localhost']);
  let main = instead(deployed('main.cf'), 'mail.example.com', mail_domain);
  main = instead(main, '127.0.0.1:2424', `127.0.0.1:${lmtp}`);
  // So that a test need not wait for it.
  main = instead(main, 'negative_refresh_time = 20s', 'negative_refresh_time = 2s');
  main = instead(main, /\/etc\/letsencrypt\S+fullchain\.pem/g, cert);
  main = instead(main, /\/etc\/letsencrypt\S+privkey\.pem/g, key);
  const mailbox = {
    compatibility_level: '3.6',
    config_directory: config,
    queue_directory: queue,
    data_directory: data,
    // Not its output, since /dev/stdout cannot be opened where that is a socket, as Node's pipes are.
    maillog_file: log,
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mydestination: '',
    alias_maps: '',
    relayhost: `[127.0.0.1]:${outside}`,
    ...(milter !== undefined && { smtpd_milters: `inet:127.0.0.1:${milter}` }),
    // A test ends sooner than the first retry, and the pauses would double with the age of a mail.
    queue_run_delay: '1s',
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
  };
  writeFileSync(
    join(config, 'main.cf'),
    `${Object.entries(mailbox)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}\n${main}`,
  );
  const dist = instead(readFileSync(MASTER, 'utf8'), /^smtp +inet .*/gm, `127.0.0.1:${port} inet n - n - - smtpd`);
  const replies = join(config, 'mailroom-replies');
  const more = instead(deployed('master.cf'), '/etc/postfix/mailroom-replies', replies);
  // The fifth field is the chroot, which a distribution's start script fills.
  const free = (text: string): string => text.replace(/^(\S+ +(?:unix|unix-dgram) +\S+ +\S+ +)y/gm, '$1n');
  writeFileSync(join(config, 'master.cf'), free(`${dist}\n${more}`));
  copyFileSync(join(DEPLOY, 'mailroom-replies'), replies);
  copyFileSync('/usr/share/postfix/dynamicmaps.cf', join(config, 'dynamicmaps.cf'));
  // Makes the folders of its queue.
  const check = await runProgram('postfix', ['-c', config, 'check']);
  const { stdout: daemons } = await runProgram('postconf', ['-c', config, '-h', 'daemon_directory']);
  // Not by `postfix start`, whose process would outlive a test that is killed.
  const running = run(join(daemons.trim(), 'master'), ['-d', '-c', config]);
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    await running.exited;
    removeFolder(folder);
  };
  try {
    const look = async (): Promise<boolean> => ended || (await greets(port));
    await until(START_MS, look, (there) => there);
    if (ended) throw new Error(`Postfix did not start:\n${check.stderr}${logged()}${running.stderr()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    log: logged,
    queued: () =>
      ['maildrop', 'incoming', 'active', 'deferred']
        .flatMap((name) => readdirSync(join(queue, name), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile()).length,
    async complaints() {
      const checked = await runProgram('postfix', ['-c', config, 'check']);
      const read = await runProgram('postconf', ['-c', config, '-n']);
      return `${checked.stdout}${checked.stderr}${read.stderr}`;
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function greets(port: number): Promise<boolean> {
  await using smtp = await smtpClient(port);
  return smtp.greeting.startsWith('220');
}
