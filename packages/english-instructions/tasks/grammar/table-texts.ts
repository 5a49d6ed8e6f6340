import type { Table } from '../table/table.ts';
import { asks, type Request } from './setting.ts';

/** Some rows of CSV below its names, which stand a line each. */
export function between(table: Table | undefined, written: string, from: number, to?: number): Request | undefined {
  const [names = '', ...lines] = written.trim().split('\n');
  if (table?.delimiter === undefined || lines.length !== table.rows.length || from >= lines.length) return undefined;
  const some = lines.slice(from, to);
  return asks('text', { op: 'say', text: [names, ...some].join('\n') });
}

/** A table in which one column has another name. */
export function renamed(written: string, table: Table | undefined, column: string, name: string): Request | undefined {
  const [first = '', ...more] = written.split('\n');
  const sign = table?.delimiter;
  if (table === undefined || sign === undefined || first.includes('"') || table.names.includes(name)) return undefined;
  const names = table.names.map((one) => (one === column ? name : one));
  return asks('text', { op: 'say', text: [names.join(sign), ...more].join('\n') });
}

/** A table with another sign between its cells, of which none has one. */
export const separated = (table: string, delimiter: string | undefined, sign: string): Request | undefined =>
  delimiter === undefined || table.includes('"') || table.includes(sign)
    ? undefined
    : asks('text', { op: 'replace', find: delimiter, with: sign, text: table });
