import { sharedService } from '../../../../../tests/harness/service.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { tryDoors } from './rights-at-doors.ts';

await tryDoors(await sharedService(), amount(2, 1));
