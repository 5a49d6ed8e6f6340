/**
 * `npm run mail -- ADDRESS TEXT [--from ADDRESS] [--subject TEXT]`: sends a mail to the running service by SMTP, to try
 * an address out as a mail program would. Without TEXT it reads standard input.
 */
import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { ConfigError, readConfig } from '../config.ts';

const USAGE = 'npm run mail -- proofread@agents.mailroom.localhost "She have two cat."';

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
  const { SMTP_LISTEN: listen, SMTP_PROTOCOL } = readConfig(process.env);
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
  const { response } = await transport.sendMail({ from: values.from, to, subject: values.subject, text: body });
  process.stdout.write(
    `${response}\nThe answer goes to ${values.from}: without a mail server it is printed where the service runs.\n`,
  );
}

await send().catch((error: NodeJS.ErrnoException) => {
  const refused = error.code === 'ESOCKET' || error.code === 'ECONNREFUSED' || error.code === 'ECONNECTION';
  const why = refused ? 'No service receives mail there. Start it with npm start.' : error.message.split('\n', 1)[0];
  process.stderr.write(`mail: ${why}\n`);
  process.exitCode = 1;
});
