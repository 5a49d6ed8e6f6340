import { MailDelivery } from '../../../src/core/delivery/mail-delivery.ts';
import { newId } from '../../../src/core/values/ids.ts';
import { openStore } from '../../../src/store/open.ts';

/**
 * Adds mail from `hello@agents` to the database of a service, one after the other until it is killed or has added as
 * many as its argument says, and prints the id of each once it is durable. It sends none.
 */
const max = Number(process.argv[2]);
const store = await openStore(process.env.DATABASE_URL ?? '', { alongside: process.env.ALONGSIDE !== undefined });
const from = await store.mailboxes.byAddress('hello', 'agents');
if (from === undefined) throw new Error('The service was not started before.');
const mailDelivery = new MailDelivery({
  store,
  sealed: { seal: async () => {} },
  dispatch: {
    register: () => {},
    announceDue: () => store.shared?.publish({ kind: 'due' }),
    yieldSlot: (_id, until) => until,
    publishEvents: () => {},
  },
  clock: Date.now,
  mailDomain: 'mailroom.localhost',
  deliver: async () => ({ kind: 'failed', permanent: false, reason: 'not here' }),
  log: () => {},
});
for (let posted = 0; posted < max; posted++) {
  const id = newId('mail', Date.now());
  await mailDelivery.enqueue({
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
await store[Symbol.asyncDispose]();
