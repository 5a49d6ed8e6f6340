import type { Dialect } from './schema/table.ts';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** The fingerprints of the version that it starts from, as the release of that version wrote them. */
  readonly from: Readonly<Record<Dialect, string>>;
  readonly sql: (dialect: Dialect) => string;
  /**
   * The first version whose statements still work afterwards. Absent for a step that expands: all of them do. One that
   * contracts names it, and comes a release after the last statement that used what it takes away.
   */
  readonly oldest?: number;
}

/**
 * Forward only: the first makes version 2 of version 1, and a released one is never changed. The tables of a new database
 * come from `schema/tables.ts`, which changes with each step. docs/decisions/0033-migrations.md
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    from: { sqlite: '4b2165d08bfc', postgres: '8f9a40299597' },
    sql: () =>
      [
        ...['copy_of', 'recipients', 'filed', 'mail', 'metadata'].map(
          (name) => `alter table messages add column ${name} text;`,
        ),
        "alter table mailboxes add column wake text not null default 'to';",
        // The service sets these alone; quarantine was its own already.
        "update labels set label = 'own/' || label where label in ('trash', 'gone', 'spam', 'cc') or (label like 'finding/%' and length(label) <= 46);",
        'create index messages_copies on messages (copy_of) where copy_of is not null;',
      ].join('\n'),
  },
];
