import { relayOptions } from './transport.ts';

/** EHLO, STARTTLS and the login at the server in `url`, without a mail. Rejects with what nodemailer says of a refusal. */
export async function checkRelay(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const { host, port, ...options } = relayOptions(url);
  const transport = createTransport({ ...options, host, port, pool: false });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
