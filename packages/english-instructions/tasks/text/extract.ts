import { withoutTrailing } from '@mailroom/behavior/values/trailing';

/** What can be found in a text. */
export const EXTRACTED = [
  'links',
  'emails',
  'numbers',
  'dates',
  'hashtags',
  'mentions',
  'phones',
  'amounts',
  'ips',
] as const;
export type Extracted = (typeof EXTRACTED)[number];

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

/** Each pattern begins where nothing of its kind precedes and is bounded or possessive in effect, so that it is linear. */
export const PATTERNS: { readonly [name in Extracted]: RegExp } = {
  links: /\b(?:https?:\/\/|www\.)[^\s<>"“”`]+/giu,
  emails: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  numbers: /(?:(?<![\p{L}\p{N}.,])[-−])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/gu,
  dates: new RegExp(
    [
      '(?<!\\d)\\d{4}-\\d{2}-\\d{2}(?!\\d)',
      '(?<![\\d./])\\d{1,2}([./])\\d{1,2}\\1\\d{2,4}(?!\\d)',
      `\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?!\\d)`,
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\.? (?:of )?${MONTH}(?![a-z])(?:,? \\d{4}(?!\\d))?`,
    ].join('|'),
    'gi',
  ),
  phones:
    /(?<![\p{L}\p{N}.,/-])(?:\+?\(?\d{1,5}\)?(?:[ -]\(?\d{2,8}\)?){1,4}|\+\d{7,15}|0\d{8,12})(?![\p{L}\p{N}]|[.,/-]\d)/gu,
  amounts:
    /(?<![\p{L}\p{N}.,])(?:(?:[$€£]|(?:USD|EUR|GBP|CHF)\b) ?\d[\d,]{0,15}(?:\.\d{1,4})?|\d[\d,]{0,15}(?:\.\d{1,4})? ?(?:[$€£]|(?:USD|EUR|GBP|CHF|euros?|dollars?|pounds?|francs?)(?!\p{L})))/giu,
  ips: /(?<![\p{L}\p{N}.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\.?\d|\p{L})/gu,
  hashtags: /(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]{0,60}\p{L})[\p{L}\p{M}\p{N}_]+/gu,
  mentions: /(?<![\p{L}\p{N}_.@/])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?/gu,
};

/** Removes punctuation after a link, and a closing bracket that was not opened inside. */
function linkOnly(found: string): string {
  let end = found.length;
  let open = 0;
  for (const sign of found) open += sign === '(' ? 1 : sign === ')' ? -1 : 0;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    if (last === ')' && open < 0) open += 1;
    else if (!/[.,;:!?'’*\]}…]/.test(last)) break;
  }
  return found.slice(0, end);
}

const YEARS = /^(?:19|20)\d\d-(?:(?:19|20)\d\d|\d\d-\d\d)$/;

/** All matches of a kind in order, with repetitions; numbers without thousands separators. */
export function extract(text: string, what: Extracted): string[] {
  const found = text.match(PATTERNS[what]) ?? [];
  if (what === 'links') return found.map(linkOnly).filter((link) => link.length > 7);
  if (what === 'numbers') return found.map((one) => one.replaceAll(',', '').replace('−', '-'));
  // Fewer digits are two numbers, and others are a date or a range of years.
  if (what === 'phones') return found.filter((one) => one.replace(/\D/g, '').length > 5 && !YEARS.test(one));
  if (what === 'emails') return found.map((one) => withoutTrailing(one.replace(/^\.+/, ''), '.-'));
  return [...found];
}
