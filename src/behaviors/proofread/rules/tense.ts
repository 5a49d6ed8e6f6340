import { baseOf, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { isOne, isWord, type Rule, replace, skipAdverbs, words } from './rule.ts';

const TIME =
  /^(?:night|week|month|year|summer|winter|spring|autumn|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/;

/** "Last summer we go", "Yesterday I see": a time that is over takes the past. */
export const pastAfterTime: Rule = function* (sentence) {
  const [first, second] = sentence;
  if (first === undefined || first.locked) return;
  const from = first.lower === 'yesterday' ? 1 : first.lower === 'last' && TIME.test(second?.lower ?? '') ? 2 : 0;
  if (from === 0) return;
  const at = sentence[from]?.text === ',' ? from + 1 : from;
  const subject = sentence[at];
  if (!isOne(subject, words('i he she it we they'))) return;
  const verb = sentence[skipAdverbs(sentence, at + 1)];
  if (!isWord(verb)) return;
  const base =
    verb.pos === 'VERB' || /^(?:is|are|am|has|have|do|does)$/.test(verb.lower) ? baseOf(verb.lower) : undefined;
  if (base === undefined || frequency(base) < 3_000_000) return;
  const right = base === 'be' ? (/^(?:we|they)$/.test(subject?.lower ?? '') ? 'were' : 'was') : past(base);
  if (
    /^(?:am|is|are)$/.test(verb.lower) ||
    ((verb.lower === base || verb.lower === thirdPerson(base)) && right !== base)
  )
    yield replace(
      verb,
      verb,
      right,
      'verb_form',
      `“${first.text}” names a time that is over, so the past “${right}” follows.`,
    );
};
