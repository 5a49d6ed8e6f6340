import { sharedService } from '../../harness/service.ts';
import { amount } from '../../soak/length.ts';
import { tryDoors } from './rights-at-doors.ts';

await tryDoors(await sharedService(), amount(2, 1));
