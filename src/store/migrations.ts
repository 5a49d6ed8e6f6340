import { createHash } from 'node:crypto';
import { VERSION } from '../core/values/version.ts';
import type { Dialect } from './schema/table.ts';
import { createSql } from './schema/table.ts';
import { TABLES } from './schema/tables.ts';

/**
 * The schema, forward only: a released entry is never changed, and the version is the number of entries run. The first
 * version creates all tables; a later one changes a table in SQL, together with its declaration in `schema/tables.ts`.
 */
export const MIGRATIONS: readonly ((dialect: Dialect) => string)[] = [
  (dialect) => TABLES.map((of) => createSql(of, dialect)).join('\n'),
];

/** The one row of `schema_version`. */
export interface SchemaVersion {
  readonly version: number;
  /** Of the SQL that made it; null where a build wrote it that kept none. */
  readonly fingerprint: string | null;
  /** The version of the service that wrote it last; null as above. */
  readonly build: string | null;
}

export const CREATE_VERSION =
  'create table schema_version (version integer not null, fingerprint text not null, build text not null)';

/** SHA-256 of SQL in any layout, as 12 hexadecimal digits. */
const fingerprintOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n').replace(/\s+/g, ' ')).digest('hex').slice(0, 12);

/** What `schema_version` holds after all of `texts`. */
export const versionAfter = (texts: readonly string[]): SchemaVersion => ({
  version: texts.length,
  fingerprint: fingerprintOf(texts),
  build: VERSION,
});

const spoken = ({ version, fingerprint, build }: SchemaVersion): string =>
  `schema ${version}${fingerprint === null ? '' : ` ${fingerprint}`}${build === null ? '' : ` of ${build}`}`;

/**
 * The SQL that is left to run of `texts`, one for each version. Throws when the database that `where` names does not fit
 * them, and `alongside` a running service also when it is older, as the service may still run that version's statements.
 */
export function missingOf(
  texts: readonly string[],
  {
    found,
    where,
    alongside,
  }: { readonly found: SchemaVersion | undefined; readonly where: string; readonly alongside: boolean },
): readonly string[] {
  if (found === undefined) return texts;
  const versions = `${spoken(found)}, this build has ${spoken(versionAfter(texts))}`;
  const wayOut =
    'Start the build that wrote it, or name a new database in DATABASE_URL (docs/operations.md, Upgrading)';
  if (found.version > texts.length) throw new Error(`${where} was written by a newer version (${versions}). ${wayOut}`);
  if (found.fingerprint !== fingerprintOf(texts.slice(0, found.version)))
    throw new Error(`${where} was written by another build, whose tables differ (${versions}). ${wayOut}`);
  if (alongside && found.version < texts.length)
    throw new Error(`${where} was written by an older version: start the service once to upgrade it`);
  return texts.slice(found.version);
}

/** The row as a build left it that may be another. Throws when it is of another program. */
export function schemaVersionFrom(row: Readonly<Record<string, unknown>> | undefined, where: string): SchemaVersion {
  const version = Number(row?.version);
  if (!Number.isInteger(version) || version < 1) throw new Error(otherProgram(where));
  return {
    version,
    fingerprint: typeof row?.fingerprint === 'string' ? row.fingerprint : null,
    build: typeof row?.build === 'string' ? row.build : null,
  };
}

/** The error for a database with tables of something else. */
export const otherProgram = (where: string): string =>
  `${where} holds tables of another program: name an empty database in DATABASE_URL`;
