import { type Db, step } from '../db.ts';

/** Deletes up to `max` rows of a table, selected by key. */
const some = (table: string, key: string, from: string, max: number): string => `
  delete from ${table} where (${key}) in (select ${key} from ${from} limit ${max}) returning 1 as gone`;

const statesOf = (whose: string): string => `
  (select s.kind, s.id from subjects o join states s on s.subject = o.subject where ${whose}) signed_in`;
const subjectsOf = (whose: string): string => `
  subjects where ${whose} and not exists (select 1 from states s where s.subject = subjects.subject)`;

/**
 * The order matters: rows that are found through another row are deleted before it, and the other row stays until they
 * are gone.
 */
function batches(
  max: number,
  sources: {
    readonly subjects: string;
    readonly rest: readonly (readonly [table: string, key: string, from: string])[];
  },
): readonly string[] {
  return [
    some('states', 'kind, id', statesOf(sources.subjects), max),
    some('subjects', 'namespace_id, account_id', subjectsOf(sources.subjects), max),
    some('states', 'kind, id', 'states where subject = $1', max),
    ...sources.rest.map(([table, key, from]) => some(table, key, from, max)),
  ];
}

const ALLOWANCE = 'mailbox_id, issuer_id, client_id';
/** Webhooks with their deliveries. */
const hooksOf = (whose: string): readonly (readonly [table: string, key: string, from: string])[] => [
  [
    'deliveries',
    'id',
    `(select d.id from webhooks w join deliveries d on d.target = w.id and d.event_id is not null where w.${whose}) made`,
  ],
  [
    'webhooks',
    'id',
    `webhooks where ${whose} and not exists (
      select 1 from deliveries d where d.target = webhooks.id and d.event_id is not null)`,
  ],
];

/** Its data as an account, as an agent, and as the address of registered services; its webhooks. */
const ofMailbox = (max: number): readonly string[] =>
  batches(max, {
    subjects: 'account_id = $1',
    rest: [
      ['passkeys', 'id', 'passkeys where account_id = $1'],
      ['members', 'namespace_id, account_id', 'members where account_id = $1'],
      ['allowances', ALLOWANCE, 'allowances where mailbox_id = $1'],
      [
        'allowances',
        ALLOWANCE,
        `(select a.mailbox_id, a.issuer_id, a.client_id from clients c
          join allowances a on a.issuer_id = c.namespace_id and a.client_id = c.id where c.mailbox_id = $1) allowed`,
      ],
      [
        'clients',
        'id',
        `clients where mailbox_id = $1 and not exists (
          select 1 from allowances a where a.issuer_id = clients.namespace_id and a.client_id = clients.id)`,
      ],
      ...hooksOf('mailbox_id = $1'),
    ],
  });
/** Its data as an issuer with its keys, its deliveries, its webhooks, and its members. */
const ofNamespace = (max: number): readonly string[] =>
  batches(max, {
    subjects: 'namespace_id = $1',
    rest: [
      ['members', 'namespace_id, account_id', 'members where namespace_id = $1'],
      ['invitations', 'id', 'invitations where namespace_id = $1'],
      ['allowances', ALLOWANCE, 'allowances where issuer_id = $1'],
      ['signing_keys', 'id', 'signing_keys where subject = $1'],
      ['deliveries', 'id', 'deliveries where namespace_id = $1'],
      ...hooksOf('namespace_id = $1'),
    ],
  });

/**
 * Removes the sign-in data of a deleted mailbox or namespace, up to `most` rows of each kind, and the states of it and of
 * its accounts' subjects. Returns true when there may be more.
 */
export function purgeAccounts(db: Db, max: number) {
  const batch = (statements: readonly string[]) => async (id: string) => {
    const results = await db.write(
      statements.map((sql) => step(sql, id)),
      'erase',
    );
    return results.some((rows) => rows.length >= max);
  };
  return { ofMailbox: batch(ofMailbox(max)), ofNamespace: batch(ofNamespace(max)) };
}
