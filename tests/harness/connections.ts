import type { ConnectionLimits } from '@mailroom/server/http/connections/connections';

/** The default settings for connection limits. */
export const USUAL: ConnectionLimits = {
  max_connections: 10_000,
  max_of_network: 500,
  max_per_second: 200,
  max_in_flight: 32,
  max_unread: 1024 * 1024,
  max_unread_total: 64 * 1024 * 1024,
  max_receiving: 64 * 1024 * 1024,
  max_body: 2 * 1024 * 1024,
};
