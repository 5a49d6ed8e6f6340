/**
 * An agent that asks two other addresses before it answers: `proofread@` corrects the text, `do@` counts its words.
 *
 *     npm run example:asking
 *
 * Both belong to the first namespace of the service, `agents`; `HOUSE` is another one.
 */
import { serve } from '@mailroom/client';
import { ownAddress } from './address.ts';

const { HOUSE = 'agents' } = process.env;
const { address, mailroom, domain } = await ownAddress('editor');

await serve(
  address,
  async (message, { ask, progress }) => {
    await progress('Asking for corrections and for the length');
    // The text goes to do@ as data of a step. As part of the instruction it could ask for something else.
    const steps = [{ task: 'text', input: { op: 'count', what: 'words', text: message.body } }];
    const [corrected, count] = await Promise.all([
      ask(`proofread@${HOUSE}.${domain}`, message.body),
      ask(`do@${HOUSE}.${domain}`, { body: 'Count the words.', data: { steps } }),
    ]);
    const { corrected_text: text, edits } = corrected.data as { corrected_text: string; edits: readonly unknown[] };
    const words = (count.data as { steps: readonly [{ output: { result: number } }] }).steps[0].output.result;
    return { body: `${text}\n\n${words} words, ${edits.length} corrections.`, data: { text, words } };
  },
  { mailroom, concurrency: 4 },
);
