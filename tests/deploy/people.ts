import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unique } from '../harness/client.ts';
import { runProgram } from '../harness/program.ts';

/** A mail that a person writes. */
export interface Writing {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly body: string;
  /** The mail that it answers to all, as it came to the person. */
  readonly answers?: string;
}

/** A program of others that hands a mail to a server of this machine; rejects where that does not take it. */
export type MailProgram = (port: number, folder: string, mail: Writing) => Promise<void>;

const headerOf = (raw: string, name: string): string =>
  (new RegExp(`^${name}: ((?:.|\\r?\\n[ \\t])*)`, 'im').exec(raw.slice(0, raw.search(/\r?\n\r?\n/)))?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

function fieldsOf({ from, to, cc, answers }: Writing): Readonly<Record<string, string>> {
  const id = answers === undefined ? '' : headerOf(answers, 'Message-ID');
  const references = answers === undefined ? '' : headerOf(answers, 'References');
  return {
    From: from,
    To: to.join(', '),
    ...(cc.length > 0 && { Cc: cc.join(', ') }),
    Subject: answers === undefined ? 'Plans' : 'Re: Plans',
    Date: new Date().toUTCString(),
    'Message-ID': `<${unique()}@author.example>`,
    ...(id !== '' && { 'In-Reply-To': id, References: `${references} ${id}`.trim() }),
  };
}

const text = (mail: Writing): string =>
  `${Object.entries(fieldsOf(mail))
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n${mail.body}\n`;

async function succeed(program: string, args: readonly string[], options = {}): Promise<void> {
  const { code, stdout, stderr } = await runProgram(program, args, options);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
}

const swaks: MailProgram = (port, _folder, mail) =>
  succeed('swaks', [
    ...['--server', '127.0.0.1', '--port', String(port), '--from', mail.from],
    ...['--to', [...mail.to, ...mail.cc].join(','), '--body', mail.body],
    // It replaces fields of its own by their exact names.
    ...Object.entries(fieldsOf(mail)).flatMap(([name, value]) => [
      '--header',
      `${name === 'Message-ID' ? 'Message-Id' : name}: ${value}`,
    ]),
  ]);

/** Takes the recipients from the header. */
const msmtp: MailProgram = (port, _folder, mail) =>
  succeed('msmtp', ['--file=/dev/null', '--host=127.0.0.1', `--port=${port}`, `--from=${mail.from}`, '-t'], {
    input: text(mail),
  });

const SMTPLIB = `
import smtplib, sys
from email import message_from_string, policy
mail = message_from_string(sys.stdin.read(), policy=policy.default)
with smtplib.SMTP('127.0.0.1', int(sys.argv[1])) as server:
    refused = server.send_message(mail)
    assert refused == {}, refused
`;
const python: MailProgram = (port, _folder, mail) =>
  succeed('/usr/bin/python3', ['-c', SMTPLIB, String(port)], { input: text(mail) });

/** Answers to all by its own rules: the program reads who they are from the mail. */
const neomutt: MailProgram = async (port, folder, mail) => {
  const { from, to, cc, body, answers } = mail;
  const [rc, editor, box] = ['rc', 'editor', 'box'].map((name) => join(folder, `${unique()}-${name}`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(editor, `#!/bin/sh\nprintf '%s\\n' '${body}' > "$1"\n`);
  chmodSync(editor, 0o755);
  writeFileSync(
    rc,
    `set folder="${folder}" record="" header_cache="" from="${from}" use_from=yes use_envelope_from=yes envelope_from_address="${from}"
set hostname="author.example" smtp_url="smtp://127.0.0.1:${port}" ssl_starttls=no ssl_force_tls=no charset=utf-8
set editor="${editor}" fast_reply=yes include=no abort_nosubject=no abort_unmodified=no copy=no quit=yes wait_key=no
set metoo=no reply_self=no mark_old=no confirmappend=no autoedit=yes edit_headers=no
`,
  );
  if (answers === undefined) {
    const names = cc.flatMap((address) => ['-c', address]);
    const command = ['neomutt', '-n', '-F', rc, '-s', 'Plans', ...names, '--', ...to];
    return succeed('script', ['-qec', `printf '%s\\n' '${body}' | ${command.join(' ')}`, '/dev/null'], {
      home: folder,
    });
  }
  writeFileSync(
    box,
    `From MAILER Mon Nov 23 10:00:00 2026\n${answers
      .replaceAll('\r\n', '\n')
      .replace(/^From /gm, '>From ')
      .trimEnd()}\n\n`,
    'latin1',
  );
  writeFileSync(rc, 'push "<group-reply><send-message><exit>"\n', { flag: 'a' });
  return succeed('script', ['-qec', `neomutt -n -F ${rc} -f ${box}`, '/dev/null'], { home: folder });
};

export const PROGRAMS: Readonly<Record<string, MailProgram>> = { swaks, msmtp, python, neomutt };
