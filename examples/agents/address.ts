import { randomUUID } from 'node:crypto';
import { Mailroom, MailroomError } from '@mailroom/client';

export interface OwnAddress {
  readonly address: string;
  readonly mailroom: Mailroom;
  /** The mail domain of the service, such as `mailroom.localhost`. */
  readonly domain: string;
  /** Of a new address with a `webhook_url`. */
  readonly webhook_secret?: string | undefined;
}

/**
 * The address that an example answers: `MAILROOM_ADDRESS`, with a key in `MAILROOM_KEY`; without them, a new one in a new
 * namespace, so that an example needs no preparation. The service is at `MAILROOM_URL`, else on http://localhost:8080.
 */
export async function ownAddress(local_part: string, settings: Record<string, unknown> = {}): Promise<OwnAddress> {
  const { MAILROOM_URL: url = 'http://localhost:8080', MAILROOM_ADDRESS, MAILROOM_KEY } = process.env;
  if (MAILROOM_ADDRESS !== undefined && MAILROOM_KEY !== undefined)
    return { address: MAILROOM_ADDRESS, mailroom: new Mailroom({ url }), domain: domainOf(MAILROOM_ADDRESS) };
  const name = `example-${randomUUID().slice(0, 8)}`;
  const { key } = await new Mailroom({ url, key: '' }).namespaces.create({ name }).catch(ended);
  const mailroom = new Mailroom({ url, key: key.secret ?? '' });
  const behavior = { name: 'agent', settings };
  const mailbox = { local_part, behavior, visibility: 'unlisted' } as const;
  const { address, webhook_secret } = await mailroom.mailboxes.create(name, mailbox).catch(ended);
  console.log(`Write to ${address}, or try it in the browser: ${url}/${address}`);
  return { address, mailroom, domain: domainOf(address), webhook_secret };
}

/** Says what the service or the network answered, without a stack, and ends the program. */
function ended(error: unknown): never {
  if (!(error instanceof MailroomError)) throw error;
  console.error(`No address could be made: ${error.message}`);
  process.exit(1);
}

const domainOf = (address: string): string => address.slice(address.indexOf('.', address.indexOf('@')) + 1);
