import { clockFinding, type Finding, fail, ok, reasonOf, warn } from '@mailroom/client/doctor';
import type { Config } from '../../config.ts';
import { inspectDatabase, SCHEMA_VERSION } from '../../store/inspect.ts';

/** A read that takes longer than this makes every message slow: they need several, and one write. */
const SLOW_MS = 20;

/** By the SQLSTATE, or the code of the connection's error. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'The password in DATABASE_URL is wrong: correct it, or set it there (ALTER ROLE … PASSWORD).',
  '28000': 'The user in DATABASE_URL may not connect: see pg_hba.conf of the server.',
  '3D000': 'There is no such database: createdb, or correct its name in DATABASE_URL.',
  ECONNREFUSED: 'No server listens there: start PostgreSQL, or correct host and port in DATABASE_URL.',
  ENOTFOUND: 'The host in DATABASE_URL has no address: correct it, or the DNS of this machine.',
  '53300': 'The server has no connection left: raise max_connections.',
};
const OTHER = 'Check DATABASE_URL, and that this machine and user may read it.';

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown };
  return code ?? (cause instanceof Error ? codeOf(cause) : '');
};

/** The database, and its clock where it has one; `usable` when commands may open it. Never rejects. */
export async function databaseFindings({
  DATABASE_URL: url,
}: Pick<Config, 'DATABASE_URL'>): Promise<{ readonly findings: readonly Finding[]; readonly usable: boolean }> {
  const state = await inspectDatabase(url).catch((error: unknown) => error as Error);
  if (state instanceof Error) {
    const code = codeOf(state);
    return { findings: [fail('database', reasonOf(state), ADVICE[code] ?? OTHER)], usable: false };
  }
  if (state === undefined || state.schema === null) {
    const found =
      state === undefined ? `no file at ${url.slice('sqlite:'.length)}` : `${state.version}, without tables`;
    return {
      findings: [warn('database', found, 'The first npm start makes it. Is DATABASE_URL the one of the service?')],
      usable: false,
    };
  }
  const { version, latency_ms, schema, time } = state;
  const clock = time === undefined ? [] : [clockFinding(time, Date.now(), 'the database')];
  const found = `${version}, schema ${schema}, a read takes ${latency_ms.toFixed(1)} ms`;
  if (schema !== SCHEMA_VERSION) {
    const advice =
      schema < SCHEMA_VERSION
        ? `This build has schema ${SCHEMA_VERSION}: start it once to upgrade the database (docs/operations.md, Upgrading).`
        : `This build has schema ${SCHEMA_VERSION}: run the newer build that wrote the database.`;
    return { findings: [warn('database', found, advice), ...clock], usable: false };
  }
  const finding =
    latency_ms > SLOW_MS
      ? warn('database', found, 'Put the database nearer: the same machine or network.')
      : ok('database', found);
  return { findings: [finding, ...clock], usable: true };
}
