import pg from 'pg';

const BACKEND = 'select pg_backend_pid() as backend';

/**
 * Throws when a connection is not a session of its own, as behind pgbouncer in `transaction` or `statement` mode: LISTEN,
 * prepared statements and settings belong to a session. While a second connection holds a transaction, a pool that lends
 * its servers by transaction gives the first one another server.
 */
export async function checkSessions(config: pg.ClientConfig): Promise<void> {
  const [first, second] = [new pg.Client(config), new pg.Client(config)];
  const backend = async (client: pg.Client): Promise<unknown> => (await client.query(BACKEND)).rows[0]?.backend;
  try {
    for (const client of [first, second]) {
      client.on('error', () => {});
      await client.connect();
    }
    const before = await backend(first);
    await second.query('begin').catch((error: Error) => {
      throw /statement pooling/.test(error.message) ? shared() : error;
    });
    await backend(second);
    if ((await backend(first)) !== before) throw shared();
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => {})));
  }
}

const shared = (): Error =>
  new Error(
    'its connections are pooled by transaction or statement. Set pool_mode = session in pgbouncer, or name the server itself',
  );
