import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCertificate } from '../harness/certificate.ts';
import { unpack } from '../harness/install.ts';
import { smtpClient } from '../harness/mail.ts';
import { newFolder, removeFolder, run } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const START_MS = 60_000;
/** One that no other program runs as. */
const USER = 64_999;
/** Its libraries, where the machine lacks them. */
const LIBRARIES = [
  'libdb5.3',
  'libgnutls-dane0',
  'libidn12',
  'libnsl2',
  'libpcre2-8-0',
  'libunbound8',
  'libevent-2.1-7',
];

/** The Exim of Debian in a folder, since it and Postfix cannot both be installed. */
export interface EximFiles extends Disposable {
  readonly folder: string;
  readonly program: string;
}

/** Undefined where it cannot be unpacked, or not be run by a name of its own. */
export function eximFiles(): EximFiles | undefined {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const program = join(folder, 'usr', 'sbin', 'exim4');
  const lacksLibraries = (): boolean => /not found/.test(spawnSync('ldd', [program], { encoding: 'utf8' }).stdout);
  const there =
    spawnSync('unshare', ['--mount', 'true']).status === 0 &&
    unpack(folder, 'exim4-base', 'exim4-daemon-light') &&
    (!lacksLibraries() || unpack(folder, ...LIBRARIES));
  const files = { folder, program, [Symbol.dispose]: () => removeFolder(folder) };
  if (there) return files;
  files[Symbol.dispose]();
  return undefined;
}

/** A running Exim, which hands mail of one domain to a service and files all other. */
export interface Exim extends AsyncDisposable {
  readonly port: number;
  log(): string;
  /** The mails that wait in its queue. */
  queued(): number;
  /** The mails to addresses of other domains, each as it was filed. */
  filed(): readonly string[];
}

export interface EximOptions {
  readonly port: number;
  readonly mail_domain: string;
  /** Where the service listens. */
  readonly service: { readonly port: number; readonly protocol: 'smtp' | 'lmtp' };
}

/** Starts it, as root, with its own folders. */
export async function startExim(
  { folder, program }: EximFiles,
  { port, mail_domain, service }: EximOptions,
): Promise<Exim> {
  const home = join(folder, `run-${port}`);
  const [spool, logs, inbox] = ['spool', 'log', 'inbox'].map((name) => join(home, name)) as [string, string, string];
  for (const path of [home, spool, logs, inbox]) mkdirSync(path);
  const { cert, key } = newCertificate(home, ['localhost']);
  for (const path of [spool, logs, inbox, cert, key]) chownSync(path, USER, USER);
  // Its user is looked up by name as it starts, before it reads any file.
  for (const [file, line] of [
    ['passwd', `Debian-exim:x:${USER}:${USER}::/:/bin/sh`],
    ['group', `Debian-exim:x:${USER}:`],
  ] as const)
    writeFileSync(join(home, file), `${readFileSync(`/etc/${file}`, 'utf8')}${line}\n`);
  const config = join(home, 'exim.conf');
  writeFileSync(
    config,
    `exim_path = ${program}
keep_environment = LD_LIBRARY_PATH
spool_directory = ${spool}
log_file_path = ${join(logs, '%slog')}
primary_hostname = mx.exim.example
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
tls_advertise_hosts = *
tls_certificate = ${cert}
tls_privatekey = ${key}
acl_smtp_rcpt = accept_all
acl_smtp_data = accept_all
begin acl
accept_all:
  accept
begin routers
service:
  driver = manualroute
  domains = ${mail_domain} : *.${mail_domain}
  transport = service
  route_list = * 127.0.0.1
  self = send
others:
  driver = accept
  transport = others
begin transports
service:
  driver = smtp
  port = ${service.port}
  protocol = ${service.protocol}
  hosts_try_fastopen =
  allow_localhost
others:
  driver = appendfile
  directory = ${inbox}
  envelope_to_add
  user = Debian-exim
begin retry
* * F,1h,1s
`,
  );
  const libraries = join(folder, 'usr', 'lib', 'x86_64-linux-gnu');
  const start = `mount --bind ${home}/passwd /etc/passwd && mount --bind ${home}/group /etc/group && exec ${program} -bdf -q1s -C ${config}`;
  const running = run('unshare', ['--mount', 'sh', '-c', start], { env: { LD_LIBRARY_PATH: libraries } });
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  const log = (): string =>
    readdirSync(logs)
      .map((file) => readFileSync(join(logs, file), 'utf8'))
      .join('');
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    await running.exited;
  };
  try {
    await until(
      START_MS,
      async () => ended || (await greets(port)),
      (there) => there,
    );
    if (ended) throw new Error(`Exim did not start:\n${log()}${running.stderr()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const input = join(spool, 'input');
  return {
    port,
    log,
    queued: () => (existsSync(input) ? readdirSync(input).filter((file) => file.endsWith('-H')).length : 0),
    filed: () =>
      readdirSync(inbox)
        // It writes a file under another name first.
        .filter((file) => !file.startsWith('temp.'))
        .map((file) => readFileSync(join(inbox, file), 'utf8')),
    [Symbol.asyncDispose]: stop,
  };
}

async function greets(port: number): Promise<boolean> {
  await using smtp = await smtpClient(port);
  return smtp.greeting.startsWith('220');
}
