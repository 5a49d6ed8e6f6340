import type { Previous } from '../../../tasks/clause.ts';

const TABLE = 'item,city,price\napple,Rome,3\npear,Oslo,4\nfig,Rome,9';
const SUM: Previous = { task: 'table', input: { op: 'sum', column: 'price', table: TABLE }, result: 16 };
const ROWS: Previous = { task: 'fetch', input: { url: 'https://example.org/a.csv' }, result: TABLE };
const TOTAL: Previous = { task: 'calculate', input: { expression: 'sum(3, 5, 9)' }, result: 17 };
const LIST: Previous = { task: 'text', input: { op: 'sort', text: '9, 3, 5' }, result: '3, 5, 9' };

/** A message, the step before it in its thread, and the step that it means; the table itself is left out. */
export const FOLLOW_UPS: readonly (readonly [says: string, previous: Previous, means: string])[] = [
  ['and the average?', SUM, 'table average column=price'],
  ['and per city?', SUM, 'table sum column=price by=city'],
  ['only for Rome', SUM, 'table sum column=price where=[{"column":"city","is":"equal","values":["Rome"]}]'],
  ['now sort them by price', SUM, 'table rows order=[{"column":"price"}]'],
  ['sort them by price, highest first', ROWS, 'table rows order=[{"column":"price","descending":true}]'],
  ['and the average price?', ROWS, 'table average column=price'],
  ['which is the cheapest?', ROWS, 'table rows order=[{"column":"price"}] limit=1'],
  ['group them by city', ROWS, 'table count by=city'],
  ['how many are in Rome?', ROWS, 'table count where=[{"column":"city","is":"equal","values":["Rome"]}]'],
  ['only the ones over 4', ROWS, 'table rows where=[{"column":"price","is":"more","values":["4"]}]'],
  ['the second one', ROWS, 'table rows at=2'],
  ['as json', ROWS, 'json from_csv json={{0}}'],
  ['only the ones over 4 unless it rains', ROWS, 'not read'],
  ['and the average?', TOTAL, 'calculate mean(3, 5, 9)'],
  ["what's the median?", TOTAL, 'calculate median(3, 5, 9)'],
  ['and the average?', LIST, 'calculate mean(3, 5, 9)'],
  ['the second one', LIST, 'text parts text={{0}} selection={"of":"items","at":2} does=list'],
  ['and per city?', TOTAL, 'not read'],
];
