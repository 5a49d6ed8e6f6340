const OPENS = /["“`']|\{\{/g;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
const LETTER_BEHIND = /^[\p{L}\p{N}]/u;

/** The start and end of each quotation and placeholder; each closing sign is searched once, however many open before it. */
export function quotationsIn(text: string): readonly (readonly [number, number])[] {
  const closes = new Map<string, number>();
  const closeFrom = (sign: string, from: number): number => {
    const known = closes.get(sign);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const at = text.indexOf(sign, from);
    closes.set(sign, at);
    return at;
  };
  const found: [number, number][] = [];
  for (const { 0: opens, index } of text.matchAll(OPENS)) {
    if (index < (found.at(-1)?.[1] ?? 0)) continue;
    const end = closeFrom(opens === '“' ? '”' : opens === '{{' ? '}' : opens, index + opens.length);
    if (end < 0 || !isQuoted(text, opens, index, end)) continue;
    found.push([index, opens === '{{' ? end + 2 : end + 1]);
  }
  return found;
}

/** An apostrophe between letters is no quotation mark. */
function isQuoted(text: string, opens: string, from: number, end: number): boolean {
  if (opens === '{{') return text[end + 1] === '}';
  if (opens !== "'") return true;
  return (
    !LETTER_BEFORE.test(text.slice(Math.max(0, from - 2), from)) && !LETTER_BEHIND.test(text.slice(end + 1, end + 3))
  );
}
