import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { at, certificateFinding, type Finding, fail, ok, reasonOf, request, skip, warn } from '@mailroom/client/doctor';
import type { Config } from '../../config.ts';
import { dataFolder, mailHost } from '../../settings/email.ts';

const CONNECT_MS = 5_000;
const MIB = 1024 ** 2;
/** Below this multiple of what must be free comes a warning. */
const WARN_TIMES = 4;

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Where a program on this machine reaches what listens at `host`. */
export const reachable = ({ host, port }: Place): Place => ({
  host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
  port,
});

export const placeText = ({ host, port }: Place): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The first line that a server says by itself; rejects where none listens, or it says none. */
function greeting(place: Place): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect({ ...reachable(place), timeout: CONNECT_MS });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n') && text.length < 1_000) return;
      socket.destroy();
      done(text.split('\r\n', 1)[0] as string);
    });
    socket.once('timeout', () => socket.destroy(new Error('it says nothing')));
    socket.once('error', failed);
    socket.once('close', () => failed(new Error('it says nothing')));
  });
}

async function httpPort(config: Pick<Config, 'HOST' | 'PORT'>): Promise<Finding> {
  const place = { host: config.HOST, port: config.PORT };
  if (place.port === 0)
    return skip('ports', 'PORT is 0: the service picked a free one', 'Run this with PORT set to the one it printed.');
  const options = { url: `http://${placeText(reachable(place))}`, signal: AbortSignal.timeout(CONNECT_MS) };
  const found = `PORT ${place.port} at ${place.host}`;
  const alive = await request(options, '/livez').catch((error: unknown) => reasonOf(error));
  if (typeof alive === 'string') {
    const advice = /ECONNREFUSED/.test(alive)
      ? 'Nothing listens there. Start the service: npm start.'
      : 'Stop the program that listens there, or set PORT to another.';
    return fail('ports', `${found}: ${alive}`, advice);
  }
  return at(alive.json, 'status') === 'ok'
    ? ok('ports', `${found}: the service`)
    : fail('ports', `${found}: another program`, 'Stop the program that listens there, or set PORT to another.');
}

async function mailPort(setting: string, place: Place, tls: boolean): Promise<Finding> {
  const found = `${setting} ${placeText(place)}`;
  if (tls) return skip('ports', `${found}: speaks TLS from the beginning`);
  try {
    const line = await greeting(place);
    return line.startsWith('220 ')
      ? ok('ports', `${found}: a mail server`)
      : fail('ports', `${found}: another program`, `Stop it, or set ${setting} to another port; then start again.`);
  } catch (error) {
    return fail(
      'ports',
      `${found}: ${reasonOf(error)}`,
      `Start the service, whose log says when it cannot listen there; or set ${setting} to another port.`,
    );
  }
}

/** What listens at the ports of the settings. Never rejects. */
export async function portFindings(
  config: Pick<Config, 'HOST' | 'PORT' | 'SUBMISSION_LISTEN'>,
  smtp: Place | undefined,
): Promise<readonly Finding[]> {
  return Promise.all([
    httpPort(config),
    ...(smtp === undefined ? [] : [mailPort('SMTP_LISTEN', smtp, false)]),
    ...config.SUBMISSION_LISTEN.map((place) => mailPort('SUBMISSION_LISTEN', place, place.tls)),
  ]);
}

/** The certificate of the mail server, by its files. */
export function mailCertificate(
  config: Pick<Config, 'SMTP_TLS_CERT' | 'SMTP_TLS_KEY' | 'BASE_URL' | 'MAIL_DOMAIN'>,
  now: number,
): Finding {
  const { SMTP_TLS_CERT: file, SMTP_TLS_KEY: keyFile } = config;
  if (file === undefined || keyFile === undefined)
    return config.MAIL_DOMAIN.endsWith('.localhost')
      ? skip('tls', 'mail is received without TLS, on this machine')
      : warn('tls', 'mail is received without TLS', 'Set SMTP_TLS_CERT and SMTP_TLS_KEY.');
  try {
    const certificate = new X509Certificate(readFileSync(file));
    const finding = certificateFinding('tls', certificate, { host: mailHost(config), now });
    return { ...finding, found: `SMTP_TLS_CERT: ${finding.found}` };
  } catch (error) {
    return fail('tls', `SMTP_TLS_CERT ${file}: ${reasonOf(error)}`, 'It must be a certificate chain in PEM.');
  }
}

/** Free space where the service writes; `minFree` MiB must be free. */
export async function diskFindings(
  { DATABASE_URL, OUTBOX }: Pick<Config, 'DATABASE_URL' | 'OUTBOX'>,
  minFree: number,
): Promise<readonly Finding[]> {
  const folders = new Set([dataFolder(DATABASE_URL), ...(OUTBOX === undefined ? [] : [OUTBOX])].map(existing));
  return Promise.all(
    [...folders].map(async (folder) => {
      const { bavail, bsize, blocks } = await statfs(folder);
      const free = Math.floor((bavail * bsize) / MIB);
      const share = blocks === 0 ? 0 : Math.round((100 * bavail) / blocks);
      const found = `${free} MiB free (${share} %) at ${folder}`;
      const advice = 'Free space there, or set RETENTION_DAYS; npm run compact gives back what was deleted.';
      if (free < minFree) return fail('disk', found, advice);
      return free < WARN_TIMES * minFree ? warn('disk', found, advice) : ok('disk', found);
    }),
  );
}

/** The folder, or the first above it that is there. */
function existing(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) ? path : existing(dirname(path));
}
