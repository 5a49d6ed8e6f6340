import { readBy } from '../grammar/index.ts';
import { type Task, task } from '../task.ts';
import { numericSaid } from '../words/numeric-dates.ts';
import { listed, plainly, verbatim } from './input.ts';
import { numericAmong } from './items.ts';
import { runText } from './run.ts';
import { Input, type Output, Output as OutputSchema } from './schema.ts';

const definition: Task<typeof Input, typeof OutputSchema> = {
  name: 'text',
  description:
    'Works on text and lists: counts, changes case, sorts, removes duplicates, reverses, extracts links and addresses, replaces, splits, joins, compares, fills templates, cuts. `say` answers with the text itself.',
  input: Input,
  output: OutputSchema,
  effects: 'none',
  repeatable: true,
  examples: [
    'how many words in: the quick brown fox',
    'sort these alphabetically: pear, apple, fig',
    'replace foo with bar in: foo is not bar',
    'find all links in: see https://example.com and https://example.org',
  ],
  read: readBy('text'),
  run: (input, { limits }) => runText(input, limits.output_bytes),
  show: (output, input) => show(output, input),
};

/** Text and lists. */
export const text = task(definition);

function show(output: Output, input: Input): string {
  const { result } = output;
  if (typeof result === 'number') return shownCount(output, input);
  if (typeof result !== 'string') {
    const numeric = input.op === 'sort' ? numericAmong(result) : undefined;
    const said = numeric === undefined ? '' : `\n\n${numericSaid(numeric)}`;
    return listed(result, input.op === 'extract' ? `No ${input.what} found.` : 'None.') + said;
  }
  if (input.op === 'say') return result.trim() === '' ? '(nothing)' : result;
  if (input.op === 'diff') {
    if (output.equal === true) return 'They are the same.';
    const tally = `${output.added} ${output.by} added, ${output.removed} removed`;
    return `${tally}:\n\n${output.by === 'lines' ? verbatim(result).replace(/^(`{3,})\n/, '$1diff\n') : verbatim(result)}`;
  }
  const note =
    output.replaced === 0
      ? `“${plainly((input.find ?? '').slice(0, 200))}” does not occur.\n\n`
      : output.missing !== undefined && output.missing.length > 0
        ? `Without a value: ${plainly(output.missing.join(', '))}\n\n`
        : '';
  return note + (result === '' ? '(empty)' : verbatim(result));
}

const namedFor = (of = 'words', count: unknown): string => (count === 1 && of.endsWith('s') ? of.slice(0, -1) : of);

const SHOWN = ['words', 'characters', 'lines', 'sentences'] as const;

function shownCount(output: Output, { op, what, find, does, selection }: Input): string {
  if (op === 'parts' && does !== 'count') return `**${output.result}**`;
  if (op === 'parts')
    return `**${Number(output.result).toLocaleString('en')}** ${selection?.of === 'matches' ? 'times' : namedFor(selection?.of, output.result)}`;
  const count = Number(output.result).toLocaleString('en');
  if (find !== undefined) return `**${count}** ${output.result === 1 ? 'time' : 'times'}`;
  const named = (name: string, value: number): string => (value === 1 ? name.slice(0, -1) : name);
  const main = what ?? (output.words === undefined ? 'items' : 'words');
  const others = SHOWN.filter((name) => name !== main && output[name] !== undefined).map(
    (name) => `${(output[name] ?? 0).toLocaleString('en')} ${named(name, output[name] ?? 0)}`,
  );
  return [`**${count}** ${named(main, Number(output.result))}`, ...others].join(' · ');
}
