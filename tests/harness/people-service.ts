import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import { readConfig } from '../../src/config.ts';
import type { Store } from '../../src/core/ports/store.ts';
import { newId } from '../../src/core/values/ids.ts';
import { makeLog } from '../../src/log.ts';
import { startService } from '../../src/service/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { Client } from './client.ts';
import { connect } from './client.ts';
import { Outbox } from './outbox.ts';
import type { Relying } from './relying.ts';
import { openRelying } from './relying.ts';
import { newFolder, removeFolder, storeEnv } from './service.ts';

export interface PeopleService {
  /** With a host name, since passkeys need one. */
  readonly url: string;
  readonly client: Client;
  readonly store: Store;
  readonly outbox: Outbox;
  /** Advances the clock. */
  pass(ms: number): void;
  /** A service that uses the house's issuer. */
  relying(name: string): Promise<Relying>;
}

/** The service in this process, with a clock that the test controls and the mail it would send. */
export async function openPeopleService(env: Record<string, string> = {}): Promise<PeopleService> {
  const folder = newFolder();
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: `sqlite:${folder}/m.db`,
    ...(await storeEnv({ env }, join(folder, 'outbox'))),
    RATE_LIMITS: 'off',
    PROOFREAD_WORKERS: '1',
    ...env,
  });
  const { log, access } = await makeLog('silent');
  let passed = 0;
  let store: Store | undefined;
  const service = await startService({
    config,
    log,
    access,
    clock: () => Date.now() + passed,
    onFailure: (error) => assert.fail(error),
    keepOwnerKey: async () => {},
    openStore: async (...args) => {
      store = await openStore(...args);
      return store;
    },
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  const opened = store as Store;
  return {
    url: service.url,
    client: connect(service.url.replace('localhost', '127.0.0.1')),
    store: opened,
    outbox: new Outbox(join(folder, 'outbox')),
    pass: (ms) => {
      passed += ms;
    },
    relying: (name) =>
      openRelying(new URL(`${service.url}/oidc/agents`), async (redirect_uri) => {
        const mailbox = await opened.mailboxes.byAddress('auth', 'agents');
        assert.ok(mailbox !== undefined);
        const now = Date.now();
        const id = newId('cli', now);
        const made = await opened.clients.create({
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
        assert.equal(made, 'created');
        return { client_id: id };
      }),
  };
}
