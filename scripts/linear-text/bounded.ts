import { MAX_CLAUSE } from '@mailroom/english-instructions/tasks/clause';

/** An expression that is not linear, and the maximum number of characters that it reads. */
export interface Bounded {
  readonly file: string;
  /** The beginning of its source, long enough to be unique in the file. */
  readonly begins: string;
  readonly length: number;
  /** What bounds the length. */
  readonly why: string;
}

const clause = (file: string, ...begins: readonly string[]): Bounded[] =>
  begins.map((one) => ({ file, begins: one, length: MAX_CLAUSE, why: 'reads one instruction (MAX_CLAUSE)' }));
const bounded = (file: string, begins: string, length: number, why: string): Bounded => ({ file, begins, length, why });

/** The check measures each expression at its length. None may be exponential or a high power. */
export const BOUNDED: readonly Bounded[] = [
  ...clause('english-instructions/tasks/calculate/index.ts', '^\\d{4}-'),
  ...clause('english-instructions/tasks/convert/quantities.ts', '(\\d+) and a half '),
  ...clause('english-instructions/tasks/plans/schedule.ts', '^[\\s,;:–-]*(?:please'),
  ...clause('english-instructions/tasks/send.ts', '<([^<>\\s]+@'),
  ...clause('english-instructions/tasks/send-doubts.ts', ' (?:on|to|with|at)? *$'),
  bounded('english-instructions/tasks/grammar/text-asks.ts', '^\\s*[{<]?(', 4_000, 'checked where it is used'),
  ...['^[^A-Z]*(?:[A-Z]', '([NM]\\d+)[^A-Z]*', '(N\\d+) (?:and|plus)'].map((begins) =>
    bounded('english-instructions/planner/slot-amounts.ts', begins, 300, 'reads a message of at most 300 characters'),
  ),
  ...['\\s*\\n\\s*', '[?!.;, ]+$'].map((begins) =>
    bounded('english-instructions/planner/slots.ts', begins, 300, 'reads a message of at most 300 characters'),
  ),
  ...[
    ['measures', '\\b(?:left|remains?'],
    ['measure-conditions', '(\\S*\\d\\S*(?: '],
  ].map(([file, begins = '']) =>
    bounded(`english-instructions/planner/${file}.ts`, begins, 300, 'reads a sentence of at most 300 characters'),
  ),
  ...['\\s*\\t', '\\s*\\|', '\\s*:\\s+', '\\s*=', '\\s*(?:->', '\\s*\\.{3,}', ' +[–', '\\s*;', '^[^?!.:]*'].map(
    (begins) =>
      bounded('english-instructions/tasks/table/rows.ts', begins, 160, 'reads a line of at most 160 characters'),
  ),
  bounded('english-instructions/tasks/table/values.ts', "[.,' ]+$", 40, 'reads a value of at most 40 characters'),
  ...clause('english-instructions/planner/account.ts', '\\S*(?:@|'),
  ...clause('english-instructions/tasks/plans/remind.ts', '"[^"]*"|“'),
  bounded('english-instructions/planner/wording.ts', '(?<=[.!?]["”»]?)', 200, 'sliced where it is used'),
  bounded('english-instructions/tasks/plans/when.ts', '"[^"]*"|“', 300, 'sliced where it is used'),
  bounded('server/http/connections/malformed.ts', '^https?:', 16_384, 'a target of a request, which Node.js bounds'),
  bounded('server/transports/web/excerpt.ts', '(`+)([^`]+)', 400, 'sliced where it is used'),
  bounded('english-instructions/tasks/notes/name.ts', '[,;:.!?"“”()', 400, 'sliced where it is used'),
  bounded('english-proofreader/likely.ts', '(?:(\\p{L}+|', 60, 'sliced where it is used'),
  bounded('english-proofreader/likely.ts', '(?:^|[.!?:]["”’)]*', 5, 'sliced where it is used'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:import\\s', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:(?:async', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:class', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:if|else', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:if|elif', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:await', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*[^\\s.!?]', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\s*(?:SELECT', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^(\\s*)(?:- )?', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/code-ranges.ts', '^\\W*\\d', 200, 'reads the beginning of a line (MAX_LINE)'),
  bounded('english-proofreader/cut.ts', '\\n[ \\t]*\\r?\\n\\s*$', 100, 'sliced where it is used'),
  bounded('english-proofreader/likely.ts', '(?:^|\\n)\\s*\\d+', 60, 'sliced where it is used'),
  bounded('english-proofreader/unknown-words.ts', '([A-Za-z]+(?:', 40, 'sliced where it is used'),
  bounded('english-proofreader/unknown-words.ts', '(?:^|[.!?]["”’)]*\\s+', 12, 'sliced where it is used'),
  bounded('server/transports/web/words.ts', '\\s+\\S*$', 90, 'sliced where it is used (MAX_LINE)'),
  bounded('server/transports/web/new/line.ts', '^ {0,3}(?:#{1,6}', 1_000, 'sliced before (MAX_READ)'),
  bounded('server/transports/web/new/line.ts', '^ {0,3}(?:([-=_*])', 1_000, 'sliced before (MAX_READ)'),
  bounded('server/transports/web/new/address.ts', '-?\\d+$', 64, 'the name of a namespace, checked before'),
  bounded('server/http/authenticate.ts', '(\\d+)\\.(\\d+)\\.', 64, 'an IPv6 address, checked before'),
  bounded('server/settings/email.ts', '^(?:"?([^\\p{C}<>"]', 1_000, "the operator's own setting"),
  bounded('server/config.ts', '^(https?:', 1_000, "the operator's own setting"),
];

/** Places that build expressions at run time: from what, and what bounds their input. */
export const BUILT_LATER: Readonly<Record<string, string>> = {
  'behaviors/do/owner/procedures.ts': 'names that an owner chose, escaped, around one instruction',
  'behaviors/do/owner/read-outside.ts': 'names that an owner and a server chose, escaped, around one instruction',
  'server/http/methods.ts': 'paths of routes',
  'server/http/mount.ts': 'paths of routes',
  'english-instructions/tasks/plans/rule-pieces.ts': 'words for days and times, for at most 200 characters',
  'english-instructions/tasks/plans/cancel.ts': 'nouns, for one instruction',
  'english-instructions/planner/slots.ts': 'those of the laws, with other flags, for at most 300 characters',
  'english-instructions/planner/slot-laws.ts': 'those of the same file joined, for at most 300 characters',
  'english-instructions/planner/slot-amounts.ts': 'signs of things, and patterns of the same file joined',
  'english-instructions/tasks/grammar/name-forms.ts': 'names of the pieces of a name, for one instruction',
  'english-instructions/planner/measures.ts': 'words for orders and a part, for at most 300 characters',
  'english-instructions/planner/measure-conditions.ts': 'words for limits and a value, for at most 300 characters',
  'english-instructions/planner/measured.ts': 'the name of a column, for one instruction',
  'english-instructions/planner/facts.ts': 'words that own, and the name of a fact, for at most 500 characters',
  'english-instructions/tasks/send.ts': 'QUOTED of send-doubts.ts, once more with the flag g',
  'english-instructions/tasks/send-recipients.ts': 'QUOTED of send-doubts.ts, once more with the flag g',
  'english-instructions/tasks/send-doubts.ts': 'QUOTED and ADDRESS of the same file, with other flags',
  'english-instructions/tasks/words/spelled-numbers.ts': 'words for numbers, in a run of them',
  'server/transports/web/form/kind.ts': 'patterns of our own settings',
  'server/transports/web/form/read.ts': 'patterns of our own settings',
};
