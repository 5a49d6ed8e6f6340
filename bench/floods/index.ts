import type { Flood } from '../harness/flood-client.ts';
import { AGENTS } from './agents.ts';
import { EVERYTHING } from './everything.ts';
import { FILES } from './files.ts';
import { MAIL } from './mail.ts';
import { READING } from './reading.ts';
import { control, SENDING } from './sending.ts';
import { SIGN_IN } from './sign-in.ts';

/** All floods; the first is the control. */
export const FLOODS: readonly Flood[] = [
  control,
  ...SENDING,
  ...FILES,
  ...READING,
  ...AGENTS,
  ...SIGN_IN,
  ...EVERYTHING,
  ...MAIL,
];
