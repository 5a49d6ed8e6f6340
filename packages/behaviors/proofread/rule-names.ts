import { RULE_IDS } from '@mailroom/english-proofreader/rule-ids';

const MAX_NEAR = 3;

/** An error for each id of no rule, with those that share the most words with it. */
export const unknownRules = (ids: readonly string[]): { readonly pointer: string; readonly message: string }[] =>
  ids.flatMap((id, place) => {
    if (RULE_IDS.includes(id)) return [];
    const near = nearRules(id).map((name) => `"${name}"`);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    return [{ pointer: `/ignore/${place}`, message: `No rule has this id.${hint} All ids are at /docs/proofreading.` }];
  });

/** The rules whose ids are most like a text, best first. */
function nearRules(text: string): readonly string[] {
  const parts = pairsOf(text);
  return RULE_IDS.map((id) => ({ id, likeness: likeness(parts, pairsOf(id)) }))
    .filter((rule) => rule.likeness > 0.4)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_NEAR)
    .map(({ id }) => id);
}

const pairsOf = (text: string): ReadonlySet<string> => {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;
  return new Set(Array.from({ length: plain.length - 1 }, (_, at) => plain.slice(at, at + 2)));
};

/** The coefficient of Dice (1945): 1 for the same pairs of letters, 0 for none in common. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
