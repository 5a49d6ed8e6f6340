import pg from 'pg';

const BACKEND = 'select pg_backend_pid() as backend';
/** How long a statement waits for a server of the pool: a pool of one has none left. */
const LENT_MS = 3000;

/**
 * Throws when a connection is not a session of its own, as behind pgbouncer in `transaction` or `statement` mode: LISTEN,
 * prepared statements and settings belong to a session. A pool names its connections otherwise than the server does. While
 * a second connection holds a transaction, a pool that lends its servers by transaction gives the first one another server,
 * or has none for it. A second connection that is not served proves nothing.
 */
export async function checkSessions(config: pg.ClientConfig): Promise<void> {
  const probing = { ...config, query_timeout: LENT_MS };
  const [first, second] = [new pg.Client(probing), new pg.Client(probing)];
  const backend = async (client: pg.Client): Promise<unknown> => (await client.query(BACKEND)).rows[0]?.backend;
  for (const client of [first, second]) client.on('error', () => {});
  try {
    await first.connect();
    const before = await backend(first);
    // A server itself gives each connection the number of its process.
    if (before === (first as { readonly processID?: unknown }).processID) return;
    const holds = await second
      .connect()
      .then(() => second.query('begin'))
      .then(() => backend(second))
      .then(
        () => true,
        (error: Error) => {
          if (/statement pooling/.test(error.message)) throw shared();
          return false;
        },
      );
    if (!holds) return;
    const after = await backend(first).catch((error: Error) => {
      if (/time-?out/i.test(error.message)) throw shared();
      throw error;
    });
    if (after !== before) throw shared();
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => {})));
  }
}

const shared = (): Error =>
  new Error(
    'its connections are pooled by transaction or statement. Set pool_mode = session in pgbouncer, or name the server itself',
  );
