/**
 * `npm run mail -- ADDRESS TEXT [--from ADDRESS] [--subject TEXT]`: sends a mail to the running service by SMTP, to try
 * an address out as a mail program would. It finds the service by SMTP_LISTEN or, without it, by what the service with
 * the same DATABASE_URL kept. Without TEXT it reads standard input.
 */
import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { ConfigError, readConfig } from '../config.ts';
import { keptSmtpAddress } from './smtp-address.ts';

const USAGE = 'npm run mail -- proofread@agents.mailroom.localhost "She have two cat."';

const REFUSED = new Set(['ESOCKET', 'ECONNREFUSED', 'ECONNECTION']);

async function send(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string', default: 'ada@example.com' },
      subject: { type: 'string', default: 'Hello' },
    },
  });
  const [to, ...words] = positionals;
  if (to === undefined) throw new ConfigError(`Name the address to write to: ${USAGE}`);
  const { DATABASE_URL, SMTP_LISTEN, SMTP_PROTOCOL } = readConfig(process.env);
  const listen = (process.env.SMTP_LISTEN === undefined && keptSmtpAddress(DATABASE_URL)) || SMTP_LISTEN;
  if (listen === undefined) throw new ConfigError('SMTP_LISTEN is off, so the service receives no mail.');
  const body = words.length > 0 ? words.join(' ') : await readText(process.stdin);
  const transport = createTransport({
    host: listen.host,
    port: listen.port,
    lmtp: SMTP_PROTOCOL === 'lmtp',
    // The certificate names the domain, not this machine.
    tls: { rejectUnauthorized: false },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const place = `${listen.host}:${listen.port}`;
  const { response } = await transport
    .sendMail({ from: values.from, to, subject: values.subject, text: body })
    .catch((error: NodeJS.ErrnoException) => {
      if (!REFUSED.has(error.code ?? '')) throw error;
      throw new ConfigError(
        `No service receives mail at ${place}. Start it with npm start, or set SMTP_LISTEN to its address.`,
      );
    });
  process.stdout.write(
    `${response}\nThe answer goes to ${values.from}: without a mail server it is printed where the service runs.\n`,
  );
}

await send().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`mail: ${error.message.split('\n', 1)[0]}\n`);
  process.exitCode = 1;
});
