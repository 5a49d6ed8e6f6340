import { baseOf, gerund, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isAdverb, isOne, isWord, MODALS, type Rule, replace, words } from './rule.ts';

const WANTS = words(
  'hesitate aim aims aimed want wants wanted need needs needed try tries tried have has had able going order hope decide decided plan plans planned refuse manage managed expect want like easily easy hard difficult important necessary possible ready how way allows allow allowed me us him them you people users customers students children',
);

/** "aims to investigating", "can easily to tracks", "before to run". */
export const baseAfterAnyTo: Rule = {
  id: 'base-after-any-to',
  kind: 'verb_form',
  words: 'to',
  fixes: { 'I want you to refunds me the money.': 'I want you to refund me the money.' },
  leaves: ['Set the timeout to zero if you want the client to wait forever.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'to' || token.locked || i === 0) continue;
      const previous = sentence[i - 1] as Token;
      const verb = sentence[i + 1];
      if (!isWord(verb) || !/^(?:VERB|NOUN)$/.test(verb.pos)) continue;
      // "for him to found the company", "to bore you", "all the way to apps".
      if (/^(?:found|bore|wound|ground|bound|fell|apps)$/.test(verb.lower)) continue;
      // "adapt plans to changing situations".
      if (/ing$/.test(verb.lower) && previous.pos === 'NOUN' && isPlural(sentence[i + 2]?.lower ?? '')) continue;
      const base = baseOf(verb.lower);
      if (isAdverb(previous) && MODALS.has(sentence[i - 2]?.lower ?? '') && verb.pos === 'VERB' && base !== 'be') {
        const modal = sentence[i - 2]?.text;
        yield {
          start: previous.end,
          end: token.end,
          replacement: '',
          explanation: `“${modal}” is followed by the verb without “to”.`,
        };
        yield replace(verb, verb, base, `“${modal}” is followed by the base form “${base}”.`);
        continue;
      }
      if (/^(?:before|after)$/.test(previous.lower) && verb.lower === base && verb.pos === 'VERB') {
        const right = gerund(base);
        yield {
          start: token.start,
          end: verb.end,
          replacement: right,
          explanation: `After “${previous.text}” a verb takes the form “${right}”.`,
        };
        continue;
      }
      if (base === verb.lower || frequency(base) < 1_500_000 || !WANTS.has(previous.lower)) continue;
      const next = sentence[i + 2];
      const isGerund =
        verb.lower.endsWith('ing') &&
        /^(?:aim|aims|aimed|want|wants|wanted|need|needs|try|tries|tried|decide|decided|plan|plans|planned|hope|able|refuse|hesitate|order|how|ready|manage|managed)$/.test(
          previous.lower,
        );
      const isThird =
        verb.lower === thirdPerson(base) &&
        (verb.pos === 'VERB' || /^(?:DET|PRON)$/.test(next?.pos ?? '')) &&
        (!/^(?:me|us|him|them|you|people)$/.test(previous.lower) ||
          (isOne(sentence[i - 2], words('want wants wanted ask asked tell told need would')) &&
            /^(?:DET|PRON)$/.test(next?.pos ?? '')));
      const isPast =
        verb.lower === past(base) &&
        past(base) !== base &&
        verb.pos === 'VERB' &&
        /^(?:DET|PRON|ADP)$/.test(next?.pos ?? '') &&
        next !== undefined &&
        !/ed$/.test(verb.lower);
      if (!isGerund && !isThird && !isPast) continue;
      yield replace(verb, verb, base, `“to” is followed by the base form “${base}”.`);
    }
  },
};
