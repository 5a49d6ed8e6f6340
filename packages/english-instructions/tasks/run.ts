import { fenced } from '@mailroom/behavior/values/backticks';
import { closed } from '@mailroom/behavior/values/closed';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Json } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { type Clause, operand, placeholder, type Reading, unquote } from './clause.ts';
import { type Sandbox, SandboxError } from './sandbox/index.ts';
import { type Task, TaskError, task } from './task.ts';

const MAX_CODE = 65_536;
const LOG_BYTES = 4_096;

const Input = closed({
  code: Type.String({
    minLength: 1,
    maxLength: MAX_CODE,
    description:
      'JavaScript: an expression, statements of which the last gives the result, or a body with return. Its data is the global input. No network, no files, no timers.',
  }),
  'input?': Type.Unknown({ description: 'Any JSON: what the script finds as the global input.' }),
});

const Output = closed({
  result: Type.Unknown({ description: 'What the script came to, as JSON.' }),
  logs: Type.Array(Type.String(), { description: 'What it wrote to the console.' }),
});

const JAVASCRIPT = /^(?:js|javascript|mjs|cjs|node|ecmascript)$/;
const VERB = '(?:run|execute|exec|evaluate|eval|try|test)';
const LANGUAGE = '(?:js|javascript|node(?:\\.?js)?|ecmascript)';
const THING = `(?:${LANGUAGE}|(?:${LANGUAGE} )?(?:script|code|program|function|snippet|expression|block|lines?))`;
const WHICH = '(?:(?:this|that|the|my|a|an|some|these|following|above|below|attached|piece of|bit of) )*';
const ON =
  '(?:,? (?:on|with|over|using|for|against)(?: (?:the |this |an? )?(?:input|data|argument|value))?(?: of)? (.+))?';

/** "run", "run this script on it", "execute the following javascript with the result of step 2". */
const COMMAND = new RegExp(`^(${VERB})(?: (${WHICH}${THING}(?: (?:below|above|here))?|this|that|it))?${ON}$`, 'i');
/** "what does this script return", "what is the result of this code". */
const QUESTION = new RegExp(
  `^what(?:['’]?s| is| does| will| would) (?:(?:the )?(?:result|output|value) of )?${WHICH}(?:${THING}|this|it)(?: (?:return|print|output|log|give|evaluate to|come to|produce|do))?\\??$`,
  'i',
);
/** "run \`1 + 1\`", "what does \`[1,2].length\` return". */
const INLINE = new RegExp(
  `^(?:${VERB}|what (?:does|is|will|would))(?: ${WHICH}${THING})? \`([^\`]+)\`(?: (?:as|in) ${LANGUAGE})?(?: (?:return|print|output|log|give|evaluate to))?${ON}\\??$`,
  'i',
);
const TAILS = [
  'for me|now|below|above|here|in (?:a|the|your) sandbox|in (?:javascript|js|node)',
  'and (?:then )?(?:(?:tell|give|show|send) me|return|print|show|report)(?: back)?(?: (?:the|its|me|what) ?(?:results?|outputs?|answers?|values?|it (?:returns|prints|says))?)?',
];
/** Words after an instruction that change nothing. */
const TAIL = new RegExp(`(?:,? (?:${TAILS.join('|')}))+[?.!]?$`, 'i');
/** "with the result, run this". */
const ON_FIRST = /^(?:with|on|using|for) (.{1,200}?),? (run|execute|evaluate|eval) (.+)$/i;
const NAMES_CODE = new RegExp(`\\b(?:${LANGUAGE}|scripts?|code|program|snippet|function)\\b`, 'i');
const LOOKS_LIKE_CODE =
  /=>|;\s*(?:$|\n)|\b(?:const|let|var|return|function|await)\b|\b(?:console|Math|JSON|Object|Array|Date|input)\.\w|^[\w.]+\(.*\)$|[)\]]\.\w+\(|\*\*|===|`[^`]*\$\{/m;

/** Languages that are not run, by what a fence calls them. */
const OTHERS = new Map(
  'py Python|python Python|sh a shell script|bash a shell script|shell a shell script|ts TypeScript|typescript TypeScript|rb Ruby|ruby Ruby|php PHP|go Go|rust Rust|java Java|c C|cpp C++|sql SQL'
    .split('|')
    .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)] as const),
);

function read(clause: Clause): Reading | undefined {
  const { data, language } = clause;
  if (clause.text.length > 2_000) return undefined;
  const text = clause.text.replace(TAIL, '').replace(ON_FIRST, '$2 $3 on $1');
  const inline = data === undefined ? INLINE.exec(text) : null;
  if (inline !== null) {
    const code = inline[1] as string;
    return readingOf(
      code,
      inline[2],
      clause,
      NAMES_CODE.test(text.replace(code, '')) || LOOKS_LIKE_CODE.test(code) ? 0.95 : 0.7,
    );
  }
  const command = COMMAND.exec(text);
  if (command === null && !(data !== undefined && QUESTION.test(text))) return undefined;
  const [, verb = '', what = '', on] = command ?? ['', '', text, undefined];
  const named = NAMES_CODE.test(what);
  const foreign = OTHERS.get(language ?? '');
  if (foreign !== undefined && data !== undefined) return other(foreign);
  // "Run it" means a script only where one was pasted.
  if (/^(?:what .*\b)?it\b/i.test(what) && (language === undefined || !JAVASCRIPT.test(language))) return undefined;
  if (data === undefined) return named && !/^(?:try|test)$/i.test(verb) ? asked(on) : undefined;
  if (language !== undefined && JAVASCRIPT.test(language)) return readingOf(data, on, clause, 1);
  if (named) return readingOf(data, on, clause, 0.95);
  // "run: errands with Bob".
  if (/^(?!return\b)[\p{L}\s,.'’!?-]+$/u.test(data)) return undefined;
  if (!LOOKS_LIKE_CODE.test(data))
    return /^(?:run|execute|exec)$/i.test(verb) ? readingOf(data, on, clause, 0.5) : undefined;
  return readingOf(data, on, clause, /^(?:run|execute|exec)$/i.test(verb) ? 0.9 : 0.75);
}

function readingOf(code: string, on: string | undefined, clause: Clause, sure: number): Reading | undefined {
  if (code.trim() === '' || code.length > MAX_CODE) return undefined;
  const input = on === undefined ? undefined : given(on, clause);
  return { sure, input: input === undefined ? { code } : { code, input } };
}

/** The script's input: a placeholder, JSON, or a text. "It" without an earlier result is the pasted script itself. */
function given(on: string, clause: Clause): Json | undefined {
  const said = on.replace(/ as (?:(?:the|its|an?) )?(?:input|data|argument)$/i, '');
  const meant = operand(said.replace(/^the (?=result|output|answer|value)/i, ''), clause);
  if (meant.startsWith('{{')) return meant;
  if (/^(?:it|this|that|the result|result)$/i.test(meant)) {
    return clause.it === undefined ? undefined : placeholder(clause.it);
  }
  for (const one of [meant, meant.replace(KIND_OF_INPUT, '')]) {
    try {
      return JSON.parse(one) as Json;
    } catch {
      // The next step's result, or a text.
    }
  }
  return unquote(meant);
}

const KIND_OF_INPUT =
  /^(?:the |this |an? )?(?:list|array|object|numbers?|string|text|json|data|values?)(?: of)? (?=[[{"\d-])/i;

const asked = (on: string | undefined): Reading => ({
  sure: 0.8,
  ask: 'Which script? Paste it, best between ``` and ```.',
  answered: (answer) => `run this script${on === undefined ? '' : ` on ${on}`}:\n${answer}`,
});

const other = (language: string): Reading => ({
  sure: 0.9,
  ask: `I run JavaScript only, and this is ${language}. How does it read in JavaScript?`,
  answered: (answer) => `run this script:\n${answer}`,
});

function report({ result, logs }: { readonly result: unknown; readonly logs: readonly string[] }): string {
  const parts: string[] = [];
  if (typeof result === 'string') parts.push(/[\n`*_<[#|~\\]/.test(result) || result === '' ? fenced(result) : result);
  else if (typeof result === 'object' && result !== null) parts.push(fenced(indentedJson(result), 'json'));
  else if (result !== null) parts.push(JSON.stringify(result));
  else if (logs.length === 0) parts.push('The script ran and came to nothing.');
  if (logs.length > 0) parts.push(`Console:\n\n${fenced(logs.join('\n'))}`);
  return parts.join('\n\n');
}

function explained(error: SandboxError): string {
  const line = /script:(\d+)/.exec(error.guest_stack ?? '')?.[1];
  const sentence = error.kind === 'syntax' ? `The script is not valid JavaScript: ${error.message}` : error.message;
  const logs = error.logs.length === 0 ? '' : `\n\nConsole until then:\n\n${fenced(error.logs.join('\n'))}`;
  return `${sentence}${error.kind === 'thrown' && line !== undefined ? ` (line ${line})` : ''}${logs}`;
}

/** Runs JavaScript in the sandbox, under the step's limits. The caller keeps the sandbox and closes it. */
export const makeRun = (sandbox: Sandbox): Task =>
  task({
    name: 'run',
    description:
      'Runs a script in JavaScript on its input and gives its result and console output. No network, no files; bounded in time and memory.',
    input: Input,
    output: Output,
    effects: 'none',
    repeatable: true,
    examples: [
      'run: return "a b c".split(" ").length',
      'run: [3, 1, 2].toSorted().join(" < ")',
      'evaluate this javascript: [1, 2, 3].map((n) => n * n)',
    ],
    read,
    async run({ code, input }, context) {
      const { limits, signal, caller } = context;
      const { ms, memory_bytes, output_bytes } = limits;
      try {
        const script = input === undefined ? { code } : { code, input: input as Json };
        const max = { ms, memory_bytes, output_bytes, log_bytes: LOG_BYTES };
        const turn = { ...(caller !== undefined && { caller }), started: context.pause?.() };
        const ran = await sandbox.run(script, max, signal, turn);
        return { result: ran.value, logs: [...ran.logs] };
      } catch (error) {
        throw error instanceof SandboxError ? new TaskError(explained(error)) : error;
      }
    },
    says: ({ code, input }) => ({
      does: 'Run a script',
      text: input === undefined ? code : `${code}\n\n// input:\n${indentedJson(input)}`,
    }),
    show: report,
    prepare: () => void sandbox.warm(),
  });
