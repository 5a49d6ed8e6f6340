import { sharedPostgres } from '../../../../../tests/harness/postgres.ts';
import { serve } from '../../../../../tests/harness/service.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { tryDoors } from './rights-at-doors.ts';
import { tryEndpoints } from './rights-endpoints.ts';

// Long form of: rights.test.ts.

const postgres = await sharedPostgres();
const service = await serve({ env: { DATABASE_URL: await postgres.newDatabase() } });
await tryEndpoints(service, amount(23, 1));
await tryDoors(service, amount(23, 1));
