import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FetchFailed } from '@mailroom/server/net/guarded-fetch';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { makeDo } from '../index.ts';
import { contextOf, messageOf } from './context.ts';

const behavior = makeDo({
  tasks: testTasks(),
  limits: { steps: 50, ms: 20_000, output_bytes: 10_000, total_bytes: 15_000, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new FetchFailed('There is no outside here.')),
  sign: async () => 'signed',
});
after(() => behavior.close?.());

/** Arithmetic in other languages, and the number that answers it. */
const SUMS: Readonly<Record<string, string>> = {
  'Wie viel ist 15% von 80?': '12',
  'was ist 12 mal 12': '144',
  'Was ergibt 100 geteilt durch 8?': '12.5',
  'wie viel sind 2,5 plus 1,25': '3.75',
  'Combien font 18 fois 14 ?': '252',
  'combien fait 20 pour cent de 150': '30',
  '¿Cuánto es 25% de 200?': '50',
  'cuánto son 9 por 7': '63',
  'Quanto fa 7 per 8?': '56',
  'quanto é 10 mais 5': '15',
  'Hoeveel is 12 keer 7?': '84',
  '1.234,56 + 100': '1,334.56',
};
for (const [says, answer] of Object.entries(SUMS))
  test(`${JSON.stringify(says)} is calculated`, async () => {
    const outcome = await behavior.handle(messageOf(says), contextOf());
    assert.equal(outcome.kind, 'reply');
    assert.ok(outcome.kind === 'reply' && outcome.body.endsWith(`**${answer}**`), JSON.stringify(outcome));
  });

for (const says of [
  'wie viel ist 1.234 mal 3',
  'wie viel kostet 12 mal Parken',
  'sende 12 mal hallo an bob@acme.example.com',
  'combien de jours en 2027',
  'erinnere mich um 9',
])
  test(`${JSON.stringify(says)} is not calculated`, async () => {
    const outcome = await behavior.handle(messageOf(says), contextOf());
    assert.notEqual(outcome.kind, 'reply', JSON.stringify(outcome));
  });
