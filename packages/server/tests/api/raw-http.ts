import { connect } from '../../../../tests/harness/client.ts';
import { wire } from '../../../../tests/harness/raw.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

/** The shared service, spoken to by bytes, with a mailbox in a namespace of its own. */
export async function openRawHttp() {
  const service = await sharedService();
  const { api, newNamespace, newMailbox, send, all } = connect(service.url);
  const raw = (...chunks: (string | Uint8Array)[]) => wire(service.port, { chunks });
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const { key } = home;
  const auth = { Authorization: `Bearer ${key}` };
  const json = { ...auth, 'Content-Type': 'application/json' };
  const good = JSON.stringify({ to, body: 'Hi', sync: true });
  return { service, api, send, all, raw, home, to, key, auth, json, good };
}
