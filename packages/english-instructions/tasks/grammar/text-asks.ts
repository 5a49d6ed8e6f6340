import { isJson, type Json } from '@mailroom/behavior/values/json';
import type { Case } from '../text/case.ts';
import type { Counted } from '../text/count.ts';
import type { Num } from './number.ts';
import { type Source, whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';

export type How = Readonly<Record<string, Json>>;
export const text = (input: { readonly [name: string]: Json }): Request => asks('text', input);

/** A plural noun before items that begin with digits, as in "the times 10:30, 9:15". */
const LABEL = /^(?:(?:the|these|my|following) ){0,2}([a-z]{2,20}s) (?=[-+$€£v]?\d[^,;]{0,30}[,;])/i;
/** The commas of an object in JSON separate no items. */
const isObject = (own: string): boolean =>
  own.length < 20_000 && own.trim().startsWith('{') && own.trim().endsWith('}') && isJson(own.trim());
export const SEVERAL = /\{\{|[,;\n[]|\S\s+\S/;

export function sorted({ text: content }: Source, how: How = {}): Request | undefined {
  if (isObject(content) || !SEVERAL.test(content)) return undefined;
  // “By size” of words may mean their length, or what they name.
  if (how.by === 'number' && !/[\d{]/.test(content)) return undefined;
  const label = LABEL.exec(content);
  const versions = /^(?:versions|releases)$/i.test(label?.[1] ?? '') && how.by === undefined && { by: 'natural' };
  return text({ op: 'sort', ...how, ...versions, text: content.slice(label?.[0].length ?? 0) });
}
export const unique = ({ text: own }: Source, more: How = {}): Request | undefined =>
  isObject(own) ? undefined : text({ op: 'unique', ...more, text: own });
export const reversed = ({ text: own }: Source, by?: string): Request | undefined =>
  isObject(own) ? undefined : text({ op: 'reverse', ...(by !== undefined && { by }), text: own });
/** What is written in capitals is the code, and not the words that ask for it. */
const CODE =
  /^(?:the )?(?:(?:md-?5|sha-?\d+|crc-?32|base ?-?64|hex|rot-?13)(?: hash| checksum| code)?|hash|checksum) (?:of|for) /i;
export const cased = ({ text: own }: Source, to: Case): Request | undefined =>
  CODE.test(own) ? undefined : text({ op: 'case', to, text: own });
/** The first line of a table is none of its rows. */
export const counted = ({ text: own }: Source, what?: Counted): Request | undefined =>
  what === 'items' && isObject(own) ? undefined : text({ op: 'count', ...(what !== undefined && { what }), text: own });
/** "The letter a's" are letters a. */
export const occurring = ({ text: own }: Source, find: string): Request =>
  text({ op: 'count', text: own, find: find.replace(/^(\p{L})['’]s$/u, '$1') });
/** Words behind a replacement that say that it is made everywhere, and are no part of it: "with Friday throughout this notice". */
const THROUGHOUT =
  / (?:throughout|everywhere|all (?:through|over)|(?:wherever|each time|every time) (?:it|that|this) (?:comes up|occurs|appears|is|stands|shows up))(?: (?:in )?(?:this|the|that|my|our|these|those)(?: \p{L}+)?)?$/iu;
export const replaced = ({ text: own }: Source, find: string, by: string, more: How = {}): Request | undefined =>
  find === '' ? undefined : text({ op: 'replace', find, with: by.replace(THROUGHOUT, ''), ...more, text: own });
/** Whether a mark is in a text, or may be in the result that it stands for. */
export const isIn = (own: string, mark: string): boolean => own.includes('{{') || own.includes(mark);
/** Whether it is one of the items of a list, which goes with its comma. */
export const isItem = ({ text: own }: Source, find: string): boolean =>
  /[,;\n]/.test(own) && own.length < 20_000 && own.split(/[,;\n]/).some((one) => one.trim() === find);
/** Names of parts, which are no text: "the blank lines". */
const PARTS = /^(?:words|letters|characters|lines|rows|columns|cells|sentences|paragraphs|items|entries)$/i;
/** What is removed has to be there, unless it is quoted or a sign. */
export const removed = (source: Source, find: string, sure: boolean): Request | undefined => {
  if (PARTS.test(source.text)) return undefined;
  return isItem(source, find)
    ? text({
        op: 'parts',
        text: source.text,
        selection: { of: 'items', where: [{ test: 'equals', text: find }] },
        does: 'remove',
      })
    : sure ||
        (!/^(?:the|these|those|this|my|all|first|second|third|last|next|rest|others?)$/i.test(find) &&
          (/\{\{\d/.test(source.text) || source.text.includes(find)))
      ? replaced(source, find, '')
      : undefined;
};
export const split = ({ text: own }: Source, separator: string): Request => text({ op: 'split', separator, text: own });
export const slugged = ([{ text: own }]: [Source]): Request => text({ op: 'slug', text: own });
export function joined({ text: content }: Source, between: string): Request | undefined {
  if (isObject(content) || between === '\n\n') return undefined;
  const separator = /^[,;]$/.test(between) ? `${between} ` : /^[\p{L}\d]+$/u.test(between) ? ` ${between} ` : between;
  return text({ op: 'join', separator, text: content });
}
export const shortened = ({ text: own }: Source, count: Num, unit: string): Request =>
  text({ op: 'first', count: whole(count), unit, text: own });
export const compared = ({ text: one }: Source, { text: other }: Source, by?: string): Request =>
  text({ op: 'diff', text: one, other, ...(by !== undefined && { by }) });

/** Two texts separated by a line of dashes, an empty line, the only line break, or "vs". */
export function halves(data: string): readonly [string, string] | undefined {
  const ruled = data.split(/^[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$/m);
  const apart = ruled.length === 2 ? ruled : data.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '');
  const two = apart.length === 2 ? apart : data.trim().split('\n');
  if (two.length === 2) return [(two[0] ?? '').replace(/^\n|\n$/g, ''), (two[1] ?? '').replace(/^\n|\n$/g, '')];
  const against = data.length > 2_000 ? null : /^(.+?) (?:vs\.?|versus|\|\|?) (.+)$/s.exec(data.trim());
  return against === null ? undefined : [against[1] ?? '', against[2] ?? ''];
}

const MAX_PAIRS = 4_000;
/** "name = Ann, city = Oslo and day=Friday" as an object; undefined when there is other text. */
export function pairs(assignments: string): { [name: string]: Json } | undefined {
  if (assignments.length > MAX_PAIRS) return undefined;
  const found: [string, string][] = [];
  for (const one of assignments.trim().split(/[,;\n]\s*(?:and )?|(?<!\s)\s+and\s+(?=[\w -]{1,40}\s?[=:])/)) {
    if (one.trim() === '') continue;
    const match = /^\s*[{<]?([\p{L}_][\p{L}\p{N}_ -]{0,59}?)[}>]?\s*(?:=|:)\s*(.*)$/u.exec(one);
    if (match === null) return undefined;
    found.push([match[1] ?? '', (match[2] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2')]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
export const filled = ({ text: template }: Source, said: string): Request | undefined => {
  const values = pairs(said);
  return values && /[{<]/.test(template) ? text({ op: 'template', values, text: template }) : undefined;
};
export const padded = ({ text: content }: Source, length: Num, digits: boolean, fill?: string): Request | undefined =>
  /^\s*\d+(?:[,;\s]\s*\d+)+\s*$/.test(content)
    ? undefined
    : text({
        op: 'pad',
        length: whole(length),
        side: 'left',
        ...(fill !== undefined ? { with: fill } : digits && /^\d+$/.test(content.trim()) && { with: '0' }),
        text: content,
      });

/** The columns of some lines as lines. */
export function transposed(own: string): Request | undefined {
  const lines = own.trim().split('\n');
  const separator = ['\t', ';', ', ', ',', ' '].find((sign) => lines.every((line) => line.trim().includes(sign)));
  if (separator === undefined || lines.length < 2 || own.length > 10_000) return undefined;
  const rows = lines.map((line) => line.trim().split(separator === ' ' ? / +/ : separator));
  const [first = []] = rows;
  if (rows.some((row) => row.length !== first.length)) return undefined;
  const columns = first.map((_, at) => rows.map((row) => row[at]).join(separator));
  return text({ op: 'say', text: columns.join('\n') });
}
