import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import { domainOfAddress } from '../values/domain.ts';

type Storage = Pick<StorageMeter, 'reserve' | 'add' | 'use'>;

/** Its network and, where that is proven, the domain that it is from: each in all, and for what it sends to the namespace. */
async function payersOf(
  storage: Storage,
  { from, network, authentication: { verified, verified_by } }: ReceivedEmail,
  namespaceId: string,
): Promise<readonly Payer[]> {
  // A server whose word is taken hands on the mail of many.
  const networks = network === null || verified_by === 'network' ? [] : [network];
  const sources = [...networks, ...(verified ? [domainOfAddress(from.address)] : [])];
  if (sources.length === 0) return [];
  const { max_bytes } = await storage.use(namespaceId);
  const to = { id: namespaceId, max_bytes };
  return sources.flatMap((source): Payer[] => [
    { kind: 'mails', source },
    { kind: 'mails', source, to },
  ]);
}

/**
 * Counts the bytes of a stranger's mail to this namespace for those that sent it; disposing gives them back, unless the
 * mail was kept. AppError `storage_full`.
 */
export async function receivedBytes(
  storage: Storage,
  mail: ReceivedEmail,
  namespaceId: string,
): Promise<AsyncDisposable & { keep(): void }> {
  const { body, text, files } = mail;
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(body) + Buffer.byteLength(text));
  const taken: Payer[] = [];
  const refund = (): void => {
    for (const payer of taken.splice(0)) storage.add(payer, -bytes);
  };
  try {
    for (const payer of await payersOf(storage, mail, namespaceId)) {
      await storage.reserve(payer, bytes);
      taken.push(payer);
    }
  } catch (error) {
    refund();
    throw error;
  }
  return {
    keep: () => void taken.splice(0),
    async [Symbol.asyncDispose]() {
      refund();
    },
  };
}
