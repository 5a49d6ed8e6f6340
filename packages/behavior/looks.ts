/** Labels and hints of a field of the settings for people; those of the schema are for programs. */
export interface FieldWords {
  readonly label?: string;
  readonly hint?: string;
  /** Shown beside the label where the schema alone does not say that the field is required. */
  readonly need?: string;
  /** Labels of the options, in the order shown. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** The option that is selected where nothing is set. */
  readonly initial?: string;
  /** The label of the keys of a record. */
  readonly key?: string;
  /** The label of the values of a record. */
  readonly value?: string;
  /** The keys of a record to choose from, with their labels. */
  readonly keys?: Readonly<Record<string, string>>;
  /** How a row is called, before its number, in the list of errors. */
  readonly row?: string;
  /** The label of the button that adds a row. */
  readonly add?: string;
  /** The autofill token (WHATWG HTML, section 4.10.18.7). */
  readonly autocomplete?: string;
}

/** Words by JSON pointer into the settings; `*` stands for a row. */
export type FormWords = Readonly<Record<string, FieldWords>>;

/**
 * What pages show of an answer beside its Markdown. `corrections`: its data has `corrected_text` and `edits`, shown in the
 * text. `steps`: its data is a receipt. `suggestions`: a question's data has `question.suggestions`, shown as buttons.
 * `files`: its attachments.
 */
export type AnswerPart = 'text' | 'corrections' | 'steps' | 'suggestions' | 'files';

/** Pages of the console for addresses of a behavior: their procedures, servers and agents of others, apps that sign in. */
export type ConsolePage = 'procedures' | 'outside' | 'clients';

/** A part of a text, or what a correction takes out of it or puts in. */
export type MarkedText = string | { readonly deleted: string } | { readonly inserted: string };

/** How the addresses of a behavior look to people. */
export interface Looks {
  /** What it does, as an imperative: "Proofread". */
  readonly title: string;
  /** The same in a sentence. */
  readonly line: string;
  /** What its addresses do: "Proofreads". */
  readonly verb: string;
  /** The glyph of its stamp on a 16 × 16 grid, drawn by strokes of 1.5: the `d` of an SVG path. */
  readonly glyph?: string;
  /** The hue of its stamp in degrees (OKLCH). */
  readonly hue?: number;
  /** The place of its stamp on the picture of the whole service, where it is there. */
  readonly cover?: number;
  /** It is preferred on the home page, for people to try; the text is in its empty field there. */
  readonly showcase?: string;
  /** What is in the empty field for a first message: "Write to it" by default. */
  readonly placeholder?: string;
  /** Messages to click, for an address with these settings; by default that of its example. */
  readonly examples?: (settings: { readonly [name: string]: unknown }) => readonly string[];
  /** A message and the beginning of its answer, for its card; by default those of its example. */
  readonly card?: { readonly body: string; readonly reply: readonly MarkedText[] };
  /** The heading of its settings. */
  readonly heading?: string;
  /** Shown where it has no settings. */
  readonly nothing?: string;
  /** `rights`: who may use which of its tasks, in place of the fields of its schema. */
  readonly settings?: 'fields' | 'rights';
  /** The words of its settings. */
  readonly form?: FormWords;
  /** Settings that are rarely needed. */
  readonly more?: readonly string[];
  /** Settings for an example of a new address. */
  readonly sample?: { readonly [name: string]: unknown };
  /** Settings of which people give one at least where they make an address, each with what says so beside its label. */
  readonly needs?: { readonly words: Readonly<Record<string, string>>; readonly missing: string };
  /**
   * Settings that say what an address is, where its owner wrote no description: a Markdown text, of which the first
   * sentence is taken, else a name, which follows `verb`.
   */
  readonly describes?: { readonly text: string; readonly name: string };
  /** How programs read an answer and its data, as Markdown. */
  readonly reading?: string;
  /** What its answers have; `text`, `suggestions` and `files` by default. */
  readonly answers?: readonly AnswerPart[];
  readonly pages?: readonly ConsolePage[];
}
