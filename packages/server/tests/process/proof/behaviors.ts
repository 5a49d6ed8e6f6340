import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Behavior } from '@mailroom/behavior';
import { Type } from 'typebox';

/**
 * The behavior `stumbling`: asks to be retried at once when it first sees a message, and then replies. It remembers
 * messages in the folder, so that repeated kills of the service do not use up a message's attempts.
 */
export const stumbling = (folder: string): Behavior => ({
  name: 'stumbling',
  title: 'Stumbling',
  description: 'Answers at the second try.',
  settings: Type.Object({}, { additionalProperties: false }),
  example: { body: 'Who are you?', reply: 'Up again.' },
  handle({ id }) {
    const seen = join(folder, `stumbled-${id}`);
    if (existsSync(seen)) return { kind: 'reply', body: 'Up again.' };
    writeFileSync(seen, '');
    return { kind: 'retry', after_ms: 1, detail: 'It stumbled.' };
  },
});

/** The behavior `fatal`: ends the process whenever it is handed a message, and notes each time in the folder. */
export const fatal = (folder: string): Behavior => ({
  name: 'fatal',
  title: 'Fatal',
  description: 'Ends the process.',
  settings: Type.Object({}, { additionalProperties: false }),
  example: { body: 'Who are you?', reply: 'Nothing.' },
  handle() {
    appendFileSync(join(folder, 'fatal.log'), '+');
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
});
