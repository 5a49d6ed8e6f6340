import type { JsonObject } from '@mailroom/behavior/values/json';
import { asText } from '@mailroom/english-instructions/plan/references';
import { type Clause, operand, type Reading, unquote } from '@mailroom/english-instructions/tasks/clause';
import type { KnownRemote, KnownTool } from '@mailroom/steps/outside/known-remote';
import { argumentsOf, typed } from './procedures.ts';

const MAX_TEXT = 2_000;
const VERB = 'ask|use|call|query|consult|tell|have|let|get|try|run|check|message|write(?: to)?';
const LINK = /^(?:to |for |about |regarding |on |of |that |with |using |whether |if )+/i;
const WITH = /^(?:with |using |for |on |of |about |to |in |: ?)+/i;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The part of an instruction that is for a remote; undefined when it is for something else. */
function wantedOf(text: string, { name, kind, listed }: KnownRemote): string | undefined {
  const called = `(?:(?:the |our |my )?${escaped(name)}|${escaped(listed)})(?: (?:server|agent|tool|service|mcp))?`;
  const asked = new RegExp(`^(?:(?:${VERB}) )?${called}(?:['’]s)?(?:[ .,:]+([^ ].*))?$`, 'is').exec(text);
  if (asked !== null) return asked[1] ?? '';
  if (kind !== 'a2a') return undefined;
  return new RegExp(`^(?:send|write|forward|give|pass)(?: on)? (.{1,1900}) to ${called}$`, 'is').exec(text)?.[1];
}

/**
 * Reads "ask weather about Berlin", "use weather get_forecast with city Berlin", "weather.get_forecast: Berlin" and, for an
 * agent, "send this to helper". Of the tools of a remote, the one that is meant reads it.
 */
export function readOutside(clause: Clause, remote: KnownRemote, tool: KnownTool | undefined): Reading | undefined {
  if (clause.text.length > MAX_TEXT || !clause.text.toLowerCase().includes(remote.name)) {
    if (!clause.text.includes(remote.listed)) return undefined;
  }
  const wanted = wantedOf(clause.text, remote);
  if (wanted === undefined) return undefined;
  if (tool === undefined) return { sure: 1, input: {}, accounts: [clause.text] };
  if (remote.kind === 'a2a') return readMessage(wanted, clause, remote);
  const { meant, rest } = toolMeant(wanted, remote);
  if (meant === undefined) return tool === remote.tools[0] ? whichTool(wanted, remote) : undefined;
  return meant === tool ? readArguments(rest, clause, tool) : undefined;
}

function readMessage(wanted: string, clause: Clause, { name }: KnownRemote): Reading {
  const text = wanted.replace(LINK, '').trim();
  const said = text === '' ? '' : operand(unquote(text), clause);
  const { data } = clause;
  const body = [said, data].filter((part) => part !== undefined && part !== '').join(':\n');
  if (body !== '') return { sure: 1, input: { body }, accounts: [clause.text] };
  return { sure: 1, ask: `What is ${name} to be asked?`, answered: (answer) => `ask ${name}: ${answer}` };
}

const spoken = (name: string): string => escaped(name).replace(/[-_./\\]+/g, '[-_ ./]+');

/** The tool that a text names or, if only one fits, describes; and what follows its name. */
function toolMeant(wanted: string, { tools }: KnownRemote): { readonly meant?: KnownTool; readonly rest: string } {
  const text = wanted.replace(/^(?:to |for |tool |the tool |the )+/i, '');
  const named = tools.flatMap((tool) => {
    const found = new RegExp(`^${spoken(tool.tool)}(?: tool)?(?=$|[ ,:])[ ,:]*`, 'i').exec(text);
    return found === null ? [] : [{ tool, end: found[0].length }];
  });
  const [longest] = named.sort((a, b) => b.end - a.end);
  if (longest !== undefined) return { meant: longest.tool, rest: text.slice(longest.end) };
  const [only, ...more] = tools;
  if (more.length === 0 && only !== undefined) return { meant: only, rest: wanted };
  const words = new Set(wordsOf(wanted));
  const scored = tools
    .map((tool) => ({ tool, score: wordsOf(tool.tool).filter((word) => words.has(word)).length }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (best === undefined || best.score === 0 || best.score === next?.score) return { rest: wanted };
  // "The forecast for Berlin": the words of the tool's name are no argument.
  const about = /(?:^|\s)(?:for|of|about|in|on|with|to|at) (.+)$/is.exec(
    wanted.replace(/^(?:for|about|to) /i, ''),
  )?.[1];
  return { meant: best.tool, rest: about ?? '' };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{3,}/gu) ?? [];

function whichTool(wanted: string, { name, tools }: KnownRemote): Reading {
  const names = tools.slice(0, 30).map(({ tool }) => tool);
  return {
    sure: 1,
    ask: `Which tool of ${name}? It has: ${names.join(', ')}.`,
    answered: (answer) => `use ${name} ${answer}${wanted === '' ? '' : ` ${wanted}`}`,
    suggestions: [],
  };
}

interface Shape {
  readonly properties?: { readonly [name: string]: { readonly type?: unknown; readonly description?: string } };
  readonly required?: readonly string[];
}

function readArguments(rest: string, clause: Clause, { server, tool, input }: KnownTool): Reading {
  const { properties = {}, required = [] } = input as unknown as Shape;
  const names = [...required, ...Object.keys(properties).filter((name) => !required.includes(name))];
  const text = rest.replace(WITH, '').trim();
  const needs = text !== '' || clause.data !== undefined || required.length > 0;
  const read: JsonObject = needs ? argumentsOf(unquote(text), names, clause) : {};
  const given: JsonObject = Object.fromEntries(
    Object.entries(read).map(([name, value]) => [name, typeof value === 'string' ? unquote(value) : value]),
  );
  const missing = required.find((name) => !Object.hasOwn(given, name));
  if (missing === undefined) return { sure: 1, input: typed(given, properties), accounts: [clause.text] };
  const about = properties[missing]?.description;
  return {
    sure: 1,
    ask: `What is ${missing}${about === undefined ? '' : ` (${about.slice(0, 200)})`}, for ${server} ${tool}?`,
    answered: (answer) => {
      const pairs = Object.entries(given).map(([name, value]) => `${name}: ${asText(value)}`);
      return `use ${server} ${tool} with ${[...pairs, `${missing}: ${answer}`].join(', ')}`;
    },
  };
}
