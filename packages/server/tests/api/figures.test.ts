import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { readConfig } from '../../config.ts';
import { makeLog } from '../../log.ts';

const SOON_MS = 60_000;
const ROOT = new URL('../../../../', import.meta.url).pathname;
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key } = newCertificate(folder, ['localhost']);
const relay = await startSmtp();
const database = join(folder, 'figures.db');
const service = await startInside({
  env: {
    DATABASE_URL: `sqlite:${database}`,
    SMTP_URL: relay.url,
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TLS_CERT: cert,
    SMTP_TLS_KEY: key,
  },
});
// It ends after the service, which may be connected.
after(() => relay[Symbol.asyncDispose]());
const figures = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();
const figure = async (name: string): Promise<number | undefined> => {
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await figures()) ?? [];
  return value === undefined ? undefined : Number(value);
};
/** What Prometheus itself makes of each scrape. */
const OF_PROMETHEUS = new Set(['up']);
const FUNCTIONS = /\b(?:sum|max|min|rate|increase|deriv|time|histogram_quantile|by|and|on|le)\b/g;

/** The names of metrics in an expression. */
const namesIn = (expression: string): string[] =>
  [
    ...expression
      .replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '')
      .replace(FUNCTIONS, '')
      .matchAll(/[a-z_][a-z0-9_]*/g),
  ].map(([name]) => name);

interface Panel {
  readonly targets: readonly { readonly expr: string }[];
}
const expressions = {
  'deploy/alerts.yml': (parse(read('deploy/alerts.yml')) as { groups: { rules: { expr: string }[] }[] }).groups.flatMap(
    ({ rules }) => rules.map(({ expr }) => expr),
  ),
  'deploy/grafana.json': (JSON.parse(read('deploy/grafana.json')) as { panels: Panel[] }).panels.flatMap(
    ({ targets }) => targets.map(({ expr }) => expr),
  ),
};

for (const [file, all] of Object.entries(expressions))
  test(`every metric in ${file} is one of a running service`, async () => {
    await until(
      SOON_MS,
      () => figure('mailroom_relay_up'),
      (up) => up === 1,
    );
    const text = await figures();
    const names = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    const used = all.flatMap(namesIn);
    assert.ok(used.length >= 18, String(used.length));
    assert.deepEqual(
      [...new Set(used)].filter((name) => !names.has(name) && !OF_PROMETHEUS.has(name)),
      [],
    );
  });

test('the figures of the machine: disk, descriptors, the end of the certificate, and the last backup', async () => {
  const [free = 0, size = 0] = [await figure('mailroom_disk_free_bytes'), await figure('mailroom_disk_size_bytes')];
  assert.ok(free > 0 && free < size, `${free} of ${size}`);
  assert.ok(((await figure('process_open_fds')) ?? 0) > 0 && ((await figure('process_max_fds')) ?? 0) > 0);
  const days = (((await figure('mailroom_certificate_expiry_timestamp_seconds')) ?? 0) - Date.now() / 1000) / 86_400;
  assert.ok(days > 1 && days < 2.1, String(days));
  assert.equal(await figure('mailroom_backup_timestamp_seconds'), 0, 'there was none');
  const from = Date.now() / 1000;
  const backup = spawnSync(process.execPath, ['packages/server/commands/backup.ts', join(folder, 'copy.db')], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: `sqlite:${database}` },
    encoding: 'utf8',
  });
  assert.equal(backup.status, 0, backup.stderr);
  // A scrape soon after another one may have its figures.
  await until(
    SOON_MS,
    () => figure('mailroom_backup_timestamp_seconds'),
    (at = 0) => at >= from - 2,
  );
});

test('a relay that is down is a figure, and the status says so in all of its forms until it is back', async () => {
  const lost = await startSmtp();
  const { port } = lost;
  const other = await startInside({ env: { SMTP_URL: lost.url } });
  const { api } = connect(other.url);
  const relayIs = (state: string) =>
    until(
      SOON_MS,
      async () => (await api<{ relay?: string }>('GET', '//status.json')).body.relay,
      (relayState) => relayState === state,
    );
  await relayIs('up');
  assert.match((await api('GET', '//status.md')).text, /- Mail leaves: yes/);
  await lost[Symbol.asyncDispose]();
  await other.restart();
  await relayIs('down');
  const text = (await api('GET', '//status.md')).text;
  assert.match(text, /^# Mail does not leave at the moment\.\n/);
  assert.match(text, /- Mail leaves: not now/);
  assert.match(await (await fetch(`${other.url}/status`)).text(), /Mail does not leave at the moment/);
  assert.match((await api('GET', '//metrics')).text, /^mailroom_relay_up 0$/m);
  await using _ = await startSmtp({ port });
  await other.restart();
  await relayIs('up');
});

test('probes that succeed are not in the log', async () => {
  const marked = (path: string) => service.lines.filter((line) => line.includes(path));
  for (const path of ['/livez', '/readyz', '/status.json']) assert.equal((await fetch(service.url + path)).status, 200);
  await until(
    SOON_MS,
    async () => marked('/status.json').length,
    (count) => count > 0,
  );
  assert.deepEqual([...marked('/livez'), ...marked('/readyz')], []);
});

test('with LOG_SAMPLE the log has that share of the requests, and all that fail', async () => {
  assert.equal(readConfig({ LOG_SAMPLE: '0.25' }).LOG_SAMPLE, 0.25);
  for (const wrong of ['2', '-1', 'some', '1e-3']) assert.throws(() => readConfig({ LOG_SAMPLE: wrong }), /LOG_SAMPLE/);
  const linesOf = async (share: number): Promise<number> => {
    const lines: string[] = [];
    const { access } = await makeLog('info', { write: (line: string) => void lines.push(line) }, share);
    for (let nth = 0; nth < 2000; nth++) access?.(`req_${nth}`, 'GET', '/new', 200, 1, '');
    access?.('req_failed', 'GET', '/new', 503, 1, '');
    assert.ok(lines.some((line) => line.includes('req_failed')));
    return lines.length - 1;
  };
  assert.deepEqual([await linesOf(0), await linesOf(1)], [0, 2000]);
  const half = await linesOf(0.5);
  assert.ok(half > 800 && half < 1200, String(half));
});
