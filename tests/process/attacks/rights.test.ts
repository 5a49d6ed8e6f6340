import { sharedService } from '../../harness/service.ts';
import { amount } from '../../soak/length.ts';
import { tryEndpoints } from './rights-endpoints.ts';

await tryEndpoints(await sharedService(), amount(2, 1));
