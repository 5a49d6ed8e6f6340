import assert from 'node:assert/strict';
import { newId } from '@mailroom/behavior/values/ids';
import { type Inside, startInside } from './inside.ts';
import { Outbox } from './outbox.ts';
import { Person } from './person.ts';
import { openRelying, type Relying } from './relying.ts';

export interface PeopleService extends Omit<Inside, 'outbox'> {
  /** The mail it would send. */
  readonly outbox: Outbox;
  /** A service that uses the house's issuer. */
  relying(name: string): Promise<Relying>;
}

/** The service in this process, with the mail it would send. */
export async function openPeopleService(env: Record<string, string> = {}): Promise<PeopleService> {
  const inside = await startInside({ env });
  const { store, url } = inside;
  return {
    ...inside,
    outbox: new Outbox(inside.outbox),
    relying: (name) =>
      openRelying(new URL(`${url}/oidc/agents`), async (redirect_uri) => {
        const mailbox = await store.mailboxes.byAddress('auth', 'agents');
        assert.ok(mailbox !== undefined);
        const now = Date.now();
        const id = newId('cli', now);
        const client = await store.clients.create({
          id,
          namespace_id: mailbox.namespace_id,
          mailbox_id: mailbox.id,
          source: 'owner',
          name,
          metadata: JSON.stringify({
            client_name: name,
            redirect_uris: [redirect_uri],
            response_types: ['code'],
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'none',
          }),
          secret: null,
          created_at: now,
          updated_at: now,
        });
        assert.equal(client, 'created');
        return { client_id: id };
      }),
  };
}

/** A browser that is signed in to an account by the code that it was sent. */
export async function signIn({ url, outbox }: Pick<PeopleService, 'url' | 'outbox'>, address: string): Promise<Person> {
  const person = new Person(url);
  const page = await person.send(await person.get('/account/sign-in'), ['do', 'code'], { address });
  await person.send(page, ['do', 'verify'], { code: (await outbox.code(address)).code });
  return person;
}
