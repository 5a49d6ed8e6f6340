import assert from 'node:assert/strict';
import type { DomainView } from '@mailroom/server/core/entities/domain';
import type { Store } from '@mailroom/server/core/ports/store';
import type { Client, Home } from './client.ts';
import type { Dns, Zone } from './dns.ts';

/** Gives a namespace an owner, as claiming it in the console does: a mailbox of the other namespace, as an account. */
export async function claimFor(home: Home, by: string, store: Store, now = Date.now()): Promise<void> {
  const joined = await store.accounts.join({
    namespace_id: home.id,
    account_id: by,
    key_id: home.keyId,
    created_at: now,
    role: 'owner',
    mailbox_ids: null,
    name: 'owner',
  });
  assert.equal(joined, 'joined');
  await store.namespaces.claim(home.id, now);
}

export const domainsPath = ({ name }: Home): string => `/namespaces/${name}/domains`;

/** Adds a domain. */
export async function addDomain(client: Client, home: Home, domain: string): Promise<DomainView> {
  const { status, body, text } = await client.api<DomainView>('POST', domainsPath(home), {
    key: home.key,
    body: { domain },
  });
  assert.equal(status, 201, text);
  return body;
}

export const verifyDomain = (client: Client, home: Home, domain: string) =>
  client.api<DomainView & { readonly code?: string }>('POST', `${domainsPath(home)}/${domain}/verify`, {
    key: home.key,
  });

/** The zone with these records of domains. */
export function published(...domains: readonly DomainView[]): Zone {
  const zone: Record<string, { TXT: string[]; MX: [number, string][] }> = {};
  for (const { name, type, value } of domains.flatMap(({ records }) => records)) {
    const records = zone[name] ?? { TXT: [], MX: [] };
    zone[name] = records;
    const [preference = '', host = ''] = value.split(' ');
    if (type === 'MX') records.MX.push([Number(preference), host]);
    else records.TXT.push(value);
  }
  return zone;
}

/** Adds a domain, publishes its records beside what the zone has, and verifies it. */
export async function verifiedDomain(client: Client, home: Home, domain: string, dns: Dns): Promise<DomainView> {
  const added = await addDomain(client, home, domain);
  dns.zone = { ...dns.zone, ...published(added) };
  const { status, body, text } = await verifyDomain(client, home, domain);
  assert.deepEqual([status, body.status], [200, 'verified'], text);
  return body;
}
