import { type Html, html, prose } from '../../../http/html.ts';
import { type ApiDocument, nameOf, type Parameter, resolve, type Schema } from './document.ts';

/** A field or a parameter as a row of a table. */
export interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
  readonly limits: readonly string[];
}

const inWords = (type: string): string => (type === 'array' ? 'list' : type);

/** A schema's type in words: `string or null`, `list of Message`, `time`. */
function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'array') {
    const item = schema.items === undefined ? 'any JSON' : typeOf(schema.items);
    return item === 'any JSON' ? 'list' : `list of ${item === 'string' ? 'strings' : item}`;
  }
  return schema.type === undefined ? 'any JSON' : inWords(schema.type);
}

/** The branch of `… or null` that is not null. */
const mainOf = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

function limitsOf(schema: Schema, text: string): readonly string[] {
  const main = mainOf(schema);
  const values = (main.enum ?? main.items?.enum)?.map(String);
  const limits: string[] = [];
  if (values !== undefined && values.length > 1) {
    const left = values.filter((value) => !text.includes(`\`${value}\``));
    if (left.length > 0) limits.push(`One of ${values.map((value) => `\`${value}\``).join(', ')}.`);
  }
  const { minLength: least, maxLength: max } = main;
  // A maximum length that the description names is not repeated.
  const inText = max !== undefined && text.includes(String(max));
  if (!inText && least !== undefined && max !== undefined) limits.push(`${least} to ${max} characters.`);
  else if (!inText && max !== undefined) limits.push(`Up to ${max} characters.`);
  if (main.minItems !== undefined) limits.push(`At least ${main.minItems}.`);
  if (schema.default !== undefined) limits.push(`Default \`${JSON.stringify(schema.default)}\`.`);
  return limits;
}

function rowOf(name: string, schema: Schema, required: boolean): Row {
  const text = schema.description ?? mainOf(schema).description ?? mainOf(schema).items?.description ?? '';
  return { name, type: typeOf(schema), required, text, limits: limitsOf(schema, text) };
}

/** The fields of an object, each followed by the fields of the objects in it. */
export function rowsOf(schema: Schema, document: ApiDocument, prefix = ''): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const resolved = resolve(mainOf(field), document);
    const referred = { ...field, description: field.description ?? resolved.description ?? '' };
    const row = rowOf(prefix + name, referred, (schema.required ?? []).includes(name));
    return [row, ...rowsOf(resolved, document, `${prefix}${name}.`)];
  });
}

/** A name that may wrap after its dots and underscores on narrow screens. */
const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._])/).map((piece, at) => (at === 0 ? piece : html`<wbr>${piece}`))}`;

// Explicit roles keep the table readable for screen readers when it is laid out as blocks on phones.
function table(first: string, rows: readonly Row[], showRequired: boolean): Html {
  return html`<table role="table" class="fields">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${first}</th><th role="columnheader" scope="col">Type</th><th role="columnheader" scope="col">Meaning</th></tr></thead>
<tbody role="rowgroup">${rows.map(
    ({ name, type, required, text, limits }) => html`
<tr role="row"><th role="rowheader" scope="row"><code>${breakable(name)}</code>${showRequired && required && html` <span class="required">required</span>`}</th><td role="cell">${type}</td><td role="cell">${prose(text)}${limits.map((limit) => html` <span class="limit">${prose(limit)}</span>`)}</td></tr>`,
  )}
</tbody></table>`;
}

/** The fields of a request body, marked when required. */
export const requestTable = (schema: Schema, document: ApiDocument): Html =>
  table('Field', rowsOf(schema, document), true);

/** The fields of an answer, all of which are present. */
export const answerTable = (schema: Schema, document: ApiDocument): Html =>
  table('Field', rowsOf(schema, document), false);

/** Parameters as rows of a table. */
export const parameterRows = (parameters: readonly Parameter[]): readonly Row[] =>
  parameters.map(({ name, required, description, schema }) =>
    rowOf(name, { description: description ?? '', ...schema }, required),
  );

export const parameterTable = (first: string, parameters: readonly Parameter[]): Html =>
  table(first, parameterRows(parameters), true);
