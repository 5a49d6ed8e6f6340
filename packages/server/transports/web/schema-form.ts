import type { FormWords } from '@mailroom/behavior/looks';
import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../http/html.ts';
import { choice, choices, field, flag, group, input, jsonBox, type Shown } from './form/controls.ts';
import {
  type Field,
  fits,
  hereName,
  jsonName,
  type Kind,
  keyName,
  kindOf,
  nameOf,
  pointerOf,
  type Schema,
} from './form/kind.ts';
import { describe, errorText, humanize, labelIn, labelOf } from './form/words.ts';

export { readSettings } from './form/read.ts';

/** The names and words of a form's fields. */
export interface FormOptions {
  /** The prefix of names and ids, so that two forms on a page do not collide. */
  readonly prefix: string;
  /** The pointer of the settings in errors. Default `/behavior/settings`. */
  readonly pointer?: string;
  readonly errors?: readonly FieldError[];
  /** Words for people in place of the schema's own, by pointer into the settings; `*` stands for a row. */
  readonly words?: FormWords;
  /** Top-level fields that are rarely needed: folded until one is filled or wrong. */
  readonly more?: readonly string[];
}

/** An error with a link to its field, for the list of what to fix. */
export interface ErrorLink {
  readonly href: string;
  readonly text: string;
}

/** The fields of a form for settings of this schema, filled with `values`; errors are shown at their fields. */
export const schemaFields = (schema: object, values: unknown, options: FormOptions): Html =>
  settingsForm(schema, values, options).fields;

/** As `schemaFields`, with a link to each field that is wrong. */
export function settingsForm(
  schema: object,
  values: unknown,
  options: FormOptions,
): { readonly fields: Html; readonly links: readonly ErrorLink[] } {
  const drawing = new Drawing(options);
  return { fields: drawing.settings(schema as Schema, values), links: drawing.links };
}

/** A field's position: its name, its pointer in errors, its pointer in words. */
interface FieldPath {
  readonly name: string;
  readonly pointer: string;
  readonly path: string;
  readonly level: number;
  /** The name of the row it is in; `alone` when the row has no other field. */
  readonly row?: string;
  readonly alone?: boolean;
}

const within = (place: FieldPath, name: string | number, step: string = String(name)): FieldPath => ({
  name: nameOf(place.name, name),
  pointer: pointerOf(place.pointer, name),
  path: pointerOf(place.path, step),
  level: place.level + 1,
  ...(place.row === undefined ? {} : { row: place.row }),
});

class Drawing {
  readonly links: ErrorLink[] = [];
  readonly #options: FormOptions;
  readonly #words: FormWords;
  readonly #errors: Map<string, string>;
  readonly #top: FieldPath;

  constructor(options: FormOptions) {
    this.#options = options;
    this.#words = options.words ?? {};
    this.#top = { name: options.prefix, pointer: options.pointer ?? '/behavior/settings', path: '', level: 0 };
    const own = (options.errors ?? []).filter(({ pointer }) => `${pointer}/`.startsWith(`${this.#top.pointer}/`));
    this.#errors = new Map(own.map(({ pointer, message }) => [pointer, message]));
  }

  settings(schema: Schema, values: unknown): Html {
    const kind = kindOf(schema);
    const value = values ?? {};
    if (kind.kind !== 'object' || !fits(kind, value)) return this.#json(schema, 'Settings', values, this.#top);
    const { more = [] } = this.#options;
    const drawn = kind.fields.map((one) => ({ one, fields: this.#field(one, (value as Schema)[one.name], this.#top) }));
    const rest = drawn.filter(({ one }) => more.includes(one.name));
    const open = rest.some(({ one }) => this.#filled(one, (value as Schema)[one.name]) || this.#wrongUnder(one.name));
    // Errors without a field are shown at the top.
    const left = [...this.#errors].filter(([pointer]) => !this.#placed.has(pointer));
    return html`${left.map(([pointer, message]) => this.#leftover(pointer, message))}
${drawn.filter(({ one }) => !more.includes(one.name)).map(({ fields }) => fields)}
${rest.length > 0 && html`<details class="more"${open && html` open`}><summary>More settings</summary>${rest.map(({ fields }) => fields)}</details>`}`;
  }

  readonly #placed = new Set<string>();

  /** Whether a field holds something other than its default. */
  #filled({ name, schema }: Field, value: unknown): boolean {
    return value !== undefined && value !== (schema.default ?? this.#words[pointerOf('', name)]?.initial);
  }

  #wrongUnder(name: string): boolean {
    const at = pointerOf(this.#top.pointer, name);
    return [...this.#errors.keys()].some((pointer) => `${pointer}/`.startsWith(`${at}/`));
  }

  #leftover(pointer: string, message: string): Html {
    const id = `${this.#top.name}~left${this.links.length}`;
    const name = pointer.slice(this.#top.pointer.length + 1);
    const text = name === '' ? message : `${humanize(name)}: ${message}`;
    this.links.push({ href: `#${id}`, text });
    return html`<p class="error" id="${id}" tabindex="-1">${text}</p>`;
  }

  #errorOf(schema: Schema, place: FieldPath, label: string, kind: Kind): string | undefined {
    const message = this.#errors.get(place.pointer);
    if (message === undefined) return undefined;
    this.#placed.add(place.pointer);
    const text = errorText(message, kind);
    const id = kind.kind === 'json' ? jsonName(place.name) : place.name;
    const { row, alone, path } = place;
    const called = alone ? row : labelIn(row, labelOf(this.#words[path], schema, label));
    this.links.push({ href: `#${id}`, text: `${called}: ${text}` });
    return text;
  }

  #field({ name, schema, required }: Field, value: unknown, parent: FieldPath): Html {
    return this.#value(schema, name, value, within(parent, name), required);
  }

  #value(schema: Schema, name: string, value: unknown, place: FieldPath, required: boolean): Html {
    const kind = kindOf(schema, place.level);
    if (kind.kind === 'fixed') return html``;
    if (!fits(kind, value, required)) return this.#json(schema, name, value, place);
    const view = this.#shown(schema, name, place, kind, required);
    switch (kind.kind) {
      case 'object':
        return group(
          view,
          html`${required && html`<input type="hidden" name="${hereName(place.name)}" value="1">`}${kind.fields.map(
            (one) => this.#field(one, (value as Schema | undefined)?.[one.name], place),
          )}`,
        );
      case 'rows':
        return this.#rows(kind, view, (value ?? []) as readonly unknown[], place, value !== undefined || required);
      case 'entries':
        return this.#entries(kind, view, (value ?? {}) as Schema, place, value !== undefined || required);
      case 'flag':
        return flag(view, value as boolean | undefined, schema.default === true);
      case 'choices':
        return choices(view, kind.options, (value ?? []) as readonly unknown[], value !== undefined || required);
      default:
        return field(view, this.#control(kind, view, value));
    }
  }

  #control(kind: Kind, shown: Shown, value: unknown): Html {
    return kind.kind === 'choice' ? choice(shown, kind.options, value) : input(shown, kind, value);
  }

  #shown(schema: Schema, name: string, place: FieldPath, kind: Kind, required: boolean): Shown {
    const words = this.#words[place.path];
    return {
      id: place.name,
      name: place.name,
      label: labelOf(words, schema, name),
      optional: !required,
      hint: describe(words, schema),
      error: this.#errorOf(schema, place, name, kind),
      schema,
      words,
      need: words?.need ?? (required && place.level === 1 && schema.default === undefined ? 'Required' : undefined),
    };
  }

  #json(schema: Schema, name: string, value: unknown, place: FieldPath): Html {
    return jsonBox(this.#shown(schema, name, place, { kind: 'json' }, false), value);
  }

  /** The rows, and an empty one while more are allowed. */
  #rows(kind: Kind & { kind: 'rows' }, view: Shown, values: readonly unknown[], place: FieldPath, here: boolean): Html {
    const spare = values.length < kind.max ? [undefined] : [];
    const rows = [...values, ...spare].map((value, index) => {
      const inner = kindOf(kind.item);
      const nth = `${index + 1}`;
      const alone = inner.kind !== 'object';
      const row = { ...within(place, index, '*'), row: rowOf(view, nth), alone };
      if (inner.kind !== 'object') {
        const one = this.#shown(kind.item, view.label, row, inner, false);
        return html`<div class="row-fields one">${field({ ...one, nth, quiet: true }, this.#control(inner, one, value))}</div>`;
      }
      const whole = this.#errors.get(row.pointer);
      if (whole !== undefined) this.#placed.add(row.pointer);
      return html`<div class="row-fields">${inner.fields.map((part) => {
        const spot = within(row, part.name);
        const partKind = kindOf(part.schema);
        // An empty row shows no default, because it would be sent as one that is filled in.
        const { default: _, ...unset } = part.schema;
        const one = this.#shown(value === undefined ? unset : part.schema, part.name, spot, partKind, true);
        const held = (value as Schema | undefined)?.[part.name];
        return field({ ...one, nth, quiet: index > 0 }, this.#control(partKind, one, held));
      })}</div>`;
    });
    return this.#list(view, rows, place, { here: here && values.length === 0, more: spare.length > 0 });
  }

  #entries(kind: Kind & { kind: 'entries' }, view: Shown, values: Schema, place: FieldPath, here: boolean): Html {
    const entries = Object.entries(values);
    const spare: [string, unknown][] = entries.length < kind.max ? [['', undefined]] : [];
    const rows = [...entries, ...spare].map(([key, value], index) => {
      // Errors refer to an entry by its key, the form by its index.
      const nth = `${index + 1}`;
      const row = { ...within(place, index, '*'), pointer: pointerOf(place.pointer, key), row: rowOf(view, nth) };
      const inner = kindOf(kind.item);
      const words = view.words;
      const valueView = this.#shown(kind.item, words?.value ?? 'Value', row, inner, true);
      const named: Shown = {
        ...valueView,
        id: keyName(row.name),
        name: keyName(row.name),
        label: words?.key ?? 'Key',
        hint: undefined,
        error: undefined,
        schema: {},
        words: { options: words?.keys },
      };
      const keys = words?.keys && Object.keys(words.keys);
      const keyField = keys === undefined ? input(named, TEXT, key) : choice(named, keys, key === '' ? undefined : key);
      return html`<div class="row-fields entry-fields">${field({ ...named, nth, quiet: index > 0 }, keyField)}${field(
        { ...valueView, nth, quiet: index > 0, label: words?.value ?? 'Value' },
        this.#control(inner, valueView, value),
      )}</div>`;
    });
    return this.#list(view, rows, place, { here: here && entries.length === 0, more: spare.length > 0 });
  }

  #list(
    view: Shown,
    rows: readonly Html[],
    { name }: FieldPath,
    { here, more }: { here: boolean; more: boolean },
  ): Html {
    return group(
      view,
      html`${here && html`<input type="hidden" name="${hereName(name)}" value="1">`}<div class="rows" data-rows>${rows}</div>
${more && html`<button class="button" name="add" value="${name}" data-add>${view.words?.add ?? 'Add another'}</button>`}`,
    );
  }
}

const rowOf = ({ label, words }: Shown, nth: string): string => `${words?.row ?? label} ${nth}`;

const TEXT: Kind = { kind: 'text', long: false, as: 'text' };
