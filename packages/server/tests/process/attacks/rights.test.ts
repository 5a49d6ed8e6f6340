import { sharedService } from '../../../../../tests/harness/service.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { tryEndpoints } from './rights-endpoints.ts';

await tryEndpoints(await sharedService(), amount(2, 1));
