import { setTimeout as pause } from 'node:timers/promises';
import type { Behavior } from '@mailroom/behavior';
import { Type } from 'typebox';

/**
 * The behavior `moody` does what the message says: `fail …` fails, `ask …` asks back, `reject …` rejects, `slow …`
 * works until it is canceled or for the milliseconds after the word; everything else is answered.
 */
export const moody: Behavior = {
  name: 'moody',
  title: 'Moody',
  description: 'Does what it is told.',
  settings: Type.Object({ mood: Type.Optional(Type.String({ maxLength: 20 })) }, { additionalProperties: false }),
  example: { body: 'Hello', reply: 'Hello to you.' },
  async handle({ body }, { signal }) {
    const [what, rest = ''] = body.split(/ (.*)/s);
    if (what === 'fail') return { kind: 'fail', detail: `It stopped while reading “${rest}”.` };
    if (what === 'reject') return { kind: 'reject', detail: 'It does not take this.' };
    if (what === 'ask') return { kind: 'input_required', body: 'Which day suits you?' };
    if (what === 'slow') await pause(Number(rest) || 3_600_000, undefined, { signal });
    return { kind: 'reply', body: `You wrote: ${body}` };
  },
};
