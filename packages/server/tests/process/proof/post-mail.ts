import { newId } from '@mailroom/behavior/values/ids';
import { Deliverer } from '../../../core/outgoing/deliver.ts';
import { ServiceMail } from '../../../core/outgoing/service-mail.ts';
import { openStore } from '../../../store/open.ts';

/**
 * Adds mail from `hello@agents` to the database of a service, one after the other until it is killed or has added as
 * many as its argument says, and prints the id of each once it is durable. It sends none.
 */
const max = Number(process.argv[2]);
const store = await openStore(process.env.DATABASE_URL ?? '', { alongside: process.env.ALONGSIDE !== undefined });
const from = await store.mailboxes.byAddress('hello', 'agents');
if (from === undefined) throw new Error('The service was not started before.');
const deliverer = new Deliverer(
  // It knows no kind, so the nodes are notified of each delivery.
  { store, clock: Date.now, kinds: [] },
  { lease_ms: 1000, poll_ms: 1000, onError: () => {}, log: () => {} },
);
const serviceMail = new ServiceMail({ deliverer, clock: Date.now, mailDomain: 'mailroom.localhost' });
for (let posted = 0; posted < max; posted++) {
  const id = newId('mail', Date.now());
  await serviceMail.enqueue({
    id,
    to: `ada${posted}@outside.example`,
    subject: 'Sign in',
    text: `Your code is ${id}`,
    html: `<p>Your code is ${id}</p>`,
    expires_at: Date.now() + 600_000,
    from_mailbox_id: from.id,
    note: 'A code was here.',
  });
  process.stdout.write(`${id}\n`);
}
process.stdout.write('all\n');
await deliverer.stop(0);
await store[Symbol.asyncDispose]();
