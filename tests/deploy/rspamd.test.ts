// Other programs: rspamd.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Rspamd } from '@mailroom/server/net/rspamd';
import { lacks } from '../harness/install.ts';
import { freePort } from '../harness/postgres.ts';
import { newFolder, removeFolder } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const START_MS = 60_000;
/** What each spam filter takes for spam (https://spamassassin.apache.org/gtube/). */
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const never = new AbortController().signal;

const skip = lacks('rspamd');
if (skip !== false) test('rspamd tells spam from a plain mail', { skip });
else await withRspamd();

/** Starts the rspamd of Debian with its core alone: no other server, no name server, and one address of this machine. */
async function withRspamd(): Promise<void> {
  const folder = newFolder();
  const port = await freePort();
  const [config, log, suffixes] = ['rspamd.conf', 'log', 'suffixes'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  // Its own list of public suffixes takes it seconds to compile.
  writeFileSync(suffixes, 'com\norg\nexample\n');
  writeFileSync(
    config,
    `options {
  pidfile = "${join(folder, 'pid')}";
  tempdir = "${folder}";
  control_socket = "${join(folder, 'control')} mode=0600";
  url_tld = "${suffixes}";
  filters = "";
  gtube_patterns = "all";
  dns { nameserver = ["127.0.0.1:9"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "file"; filename = "${log}"; level = "info"; }
metric { actions { reject = 15; "add header" = 6; greylist = 4; } }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
`,
  );
  const rspamd = spawn('rspamd', ['--no-fork', '--insecure', '--config', config], {
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  const ended = once(rspamd, 'exit');
  const filter = new Rspamd({ url: `http://127.0.0.1:${port}` });
  after(async () => {
    await filter[Symbol.asyncDispose]();
    rspamd.kill();
    await ended;
    removeFolder(folder);
  });
  const judge = (subject: string, text: string) =>
    filter.judge(
      {
        raw: Buffer.from(
          `From: Ana <ana@sender.example>\r\nTo: x@mail.example\r\nSubject: ${subject}\r\nMessage-ID: <1@sender.example>\r\n\r\n${text}\r\n`,
        ),
        from: 'ana@sender.example',
        recipients: ['x@mail.example'],
        ip: '192.0.2.1',
        helo: 'mx.sender.example',
      },
      never,
    );

  test('rspamd tells spam from a plain mail, and learns its way', async () => {
    await until(
      START_MS,
      () => judge('Start', 'Hello'),
      ({ kind }) => kind === 'judged',
    );
    const spam = await judge('Offer', GTUBE);
    assert.ok(spam.kind === 'judged' && spam.spam, JSON.stringify(spam));
    assert.equal(spam.action, 'reject');
    assert.deepEqual(
      spam.symbols.map(({ name }) => name),
      ['GTUBE'],
    );
    const plain = await judge('Tuesday', 'Thanks, that works for me. See you on Tuesday.');
    assert.ok(plain.kind === 'judged' && !plain.spam, JSON.stringify(plain));
    assert.equal(plain.action, 'no action');
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .findLast((one) => one.includes('id: <1@sender.example>'));
    assert.match(line ?? '', /ip: 192\.0\.2\.1, from: <ana@sender\.example>/);
  });
}
