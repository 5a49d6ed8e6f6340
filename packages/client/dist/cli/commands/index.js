import { accountCommands } from './accounts.js';
import { addressCommands } from './address.js';
import { auditCommands } from './audit.js';
import { completion } from './completion.js';
import { doctor } from './doctor.js';
import { domainCommands } from './domains.js';
import { exportMail } from './export.js';
import { forward } from './forward.js';
import { importMail } from './import.js';
import { keyCommands } from './keys.js';
import { listen } from './listen.js';
import { listCommands } from './lists.js';
import { mark } from './mark.js';
import { open } from './open.js';
import { readCommands } from './read.js';
import { reviewCommands } from './reviews.js';
import { send } from './send.js';
import { answerCommands } from './serve.js';
import { suppressionCommands } from './suppressions.js';
import { tail } from './tail.js';
import { webhookCommands } from './webhooks.js';
/** Every command, in the order of the help. */
export const COMMANDS = [
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
