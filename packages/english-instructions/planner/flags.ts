import { tableIn } from '../tasks/grammar/tables.ts';
import { textOf } from '../tasks/table/table.ts';

const ROWS = '(?:ones|rows|items|entries|people|records|users|members|customers|lines)';
const GET = '(?:keep|show|list|give|get|find|return|select|print|filter)(?: me)?(?: for)?(?: all)?(?: just| only)?';
/** What asks for the rows of which a word is true, or of which it is not. */
const ASKED: readonly RegExp[] = [
  new RegExp(`^(?:${GET} |just |only )(?:the |those )?(?<not>not |un)?(?<flag>\\p{L}{3,}) ${ROWS}$`, 'iu'),
  new RegExp(
    `^(?:who|which(?: of (?:them|these|those)| ${ROWS})?|${GET} (?:the |those )?${ROWS} (?:that|who|which))(?: (?:has|have|is|are|was|were|did|does|do|had))?(?<not>n[’']?t| not)? (?<flag>\\p{L}{3,})(?: yet| already)?$`,
    'iu',
  ),
];
const VALUES: readonly (readonly [yes: string, no: string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
];

/** A request for some rows of a table by a column of yes and no, in the words of the rules: "who hasn't paid yet". */
export function ofFlag(request: string, data: string): readonly string[] {
  const { flag, not } = ASKED.map((one) => one.exec(request)?.groups).find((found) => found !== undefined) ?? {};
  const table = flag === undefined || flag.length + data.length > 20_000 ? undefined : tableIn(data);
  const at = table?.names.findIndex((name) => name.toLowerCase() === flag?.toLowerCase()) ?? -1;
  if (table === undefined || at < 0) return [];
  const cells = new Set(table.rows.map((row) => textOf(row[at] ?? '').toLowerCase()));
  const pair = VALUES.find((both) => [...cells].every((cell) => both.includes(cell)));
  return pair === undefined ? [] : [`rows where ${table.names[at]} is ${pair[not === undefined ? 0 : 1]}`];
}
