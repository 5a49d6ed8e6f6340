import { createHash } from 'node:crypto';
import { VERSION } from '../core/values/version.ts';
import { MIGRATIONS } from './migrations.ts';
import { createSql, type Dialect } from './schema/table.ts';
import { TABLES } from './schema/tables.ts';

/** A row of `schema_version`: one for each version that the database has had, or was created after. */
export interface SchemaVersion {
  readonly version: number;
  /** Of the SQL that creates its tables; null where a build wrote it that kept none. */
  readonly fingerprint: string | null;
  /** The version of the service that wrote it; null as above. */
  readonly build: string | null;
  /** The first version whose statements work since then. */
  readonly oldest: number;
}

/** The schema of this build in one database. */
export interface Schema {
  readonly dialect: Dialect;
  /** SQL that creates all tables. */
  readonly create: string;
  /** Its history, the newest last. */
  readonly versions: readonly SchemaVersion[];
}

const CREATE_VERSION = `create table schema_version (
  version integer primary key not null, fingerprint text not null, build text not null, oldest integer not null);`;

/** SHA-256 of SQL in any layout, as 12 hexadecimal digits. */
const fingerprintOf = (sql: string): string =>
  createHash('sha256').update(sql.replace(/\s+/g, ' ')).digest('hex').slice(0, 12);

/** `beside` is SQL that follows the tables. */
export function schemaOf(dialect: Dialect, beside = ''): Schema {
  const create = [CREATE_VERSION, ...TABLES.map((table) => createSql(table, dialect)), beside].join('\n');
  const fingerprints = [...MIGRATIONS.map(({ from }) => from[dialect]), fingerprintOf(create)];
  const versions = fingerprints.map((fingerprint, index) => {
    const oldest = MIGRATIONS[index - 1]?.oldest ?? 1;
    return { version: index + 1, fingerprint, build: VERSION, oldest };
  });
  return { dialect, create, versions };
}

const newest = (versions: readonly SchemaVersion[]): SchemaVersion => versions.at(-1) as SchemaVersion;

const described = ({ version, fingerprint, build }: SchemaVersion): string =>
  `schema ${version}${fingerprint === null ? '' : ` ${fingerprint}`}${build === null ? '' : ` of ${build}`}`;

/** SQL that notes these versions; its texts are digests and versions, which need no quotes inside. */
const noted = (versions: readonly SchemaVersion[]): string =>
  `insert into schema_version (version, fingerprint, build, oldest) values ${versions
    .map(({ version, fingerprint, build, oldest }) => `(${version}, '${fingerprint}', '${build}', ${oldest})`)
    .join(', ')};`;

/**
 * The SQL that brings a database from the versions `found` in it, none for an empty one, to this build's; none for one
 * that a newer build only expanded. Throws when the database that `where` names does not fit, and `alongside` a running
 * service also when it is older, as the service may still run that version's statements.
 */
export function upgradeSql(
  { dialect, create, versions }: Schema,
  { found, where, alongside }: { found: readonly SchemaVersion[]; where: string; alongside: boolean },
): readonly string[] {
  if (found.length === 0) return [create, noted(versions)];
  const both = `${described(newest(found))}, this build has ${described(newest(versions))}`;
  const wayOut =
    'Start the build that wrote it, or name a new database in DATABASE_URL (docs/operations.md, Upgrading)';
  const oldest = Math.max(...found.map((row) => row.oldest));
  if (oldest > versions.length)
    throw new Error(`${where} was written by a newer version, and works from schema ${oldest} on (${both}). ${wayOut}`);
  const fits = versions
    .slice(0, newest(found).version)
    .every(({ version, fingerprint }) =>
      found.some((row) => row.version === version && row.fingerprint === fingerprint),
    );
  if (!fits) throw new Error(`${where} was written by another build, whose tables differ (${both}). ${wayOut}`);
  const missing = MIGRATIONS.slice(newest(found).version - 1);
  if (missing.length === 0) return [];
  if (alongside) throw new Error(`${where} was written by an older version: start the service once to upgrade it`);
  return [...missing.map(({ sql }) => sql(dialect)), noted(versions.slice(newest(found).version))];
}

/** The rows as a build left them that may be another, in their order. Throws when they are of another program. */
export function schemaVersionsFrom(rows: readonly Readonly<Record<string, unknown>>[], where: string): SchemaVersion[] {
  const versions = rows.map(({ version, fingerprint, build, oldest }) => ({
    version: Number(version),
    fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
    build: typeof build === 'string' ? build : null,
    oldest: Number(oldest ?? 1),
  }));
  if (versions.length === 0 || versions.some(({ version }) => !Number.isInteger(version) || version < 1))
    throw new Error(otherProgram(where));
  return versions.sort((a, b) => a.version - b.version);
}

/** The error for a database with tables of something else. */
export const otherProgram = (where: string): string =>
  `${where} holds tables of another program: name an empty database in DATABASE_URL`;
