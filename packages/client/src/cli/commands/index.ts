import type { Command } from '../command.ts';
import { accountCommands } from './accounts.ts';
import { addressCommands } from './address.ts';
import { auditCommands } from './audit.ts';
import { completion } from './completion.ts';
import { doctor } from './doctor.ts';
import { domainCommands } from './domains.ts';
import { exportMail } from './export.ts';
import { forward } from './forward.ts';
import { importMail } from './import.ts';
import { keyCommands } from './keys.ts';
import { listen } from './listen.ts';
import { listCommands } from './lists.ts';
import { mark } from './mark.ts';
import { open } from './open.ts';
import { readCommands } from './read.ts';
import { reviewCommands } from './reviews.ts';
import { send } from './send.ts';
import { answerCommands } from './serve.ts';
import { suppressionCommands } from './suppressions.ts';
import { tail } from './tail.ts';
import { webhookCommands } from './webhooks.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...addressCommands,
  send,
  forward,
  ...listCommands,
  mark,
  ...readCommands,
  exportMail,
  importMail,
  ...answerCommands,
  ...reviewCommands,
  tail,
  ...keyCommands,
  ...webhookCommands,
  listen,
  ...domainCommands,
  ...auditCommands,
  ...suppressionCommands,
  open,
  doctor,
  completion(() => COMMANDS),
];
