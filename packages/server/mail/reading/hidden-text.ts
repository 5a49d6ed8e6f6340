import type { DomNode, FormatCallback } from 'html-to-text';

type Builder = Parameters<FormatCallback>[2];

/** By what HTML hides a text from its reader. */
export type Why =
  | 'display_none'
  | 'hidden_attribute'
  | 'invisible'
  | 'transparent'
  | 'zero_size'
  | 'tiny_text'
  | 'same_color'
  | 'off_screen';

/** What a mail says that its reader does not see. */
export interface Hidden {
  /** '' when it hides nothing; of more than 64 Ki characters the first ones. */
  readonly text: string;
  readonly why: readonly Why[];
}

/** Characters of a style, and of hidden texts, that are read. */
const MAX_STYLE = 2_000;
const MAX_HIDDEN = 64 * 1024;

/** What is hidden in a mail, as it is found while the rest becomes text. */
export class HiddenText {
  /** A style sheet may give an element a background that its own style does not show. */
  readonly sheetPaints: boolean;
  readonly #texts: string[] = [];
  readonly #why = new Set<Why>();
  #length = 0;

  constructor(html: string) {
    this.sheetPaints = /<style\b[^>]{0,200}>(?:(?!<\/style).){0,200000}?background/is.test(html);
  }

  add(text: string, why: Why): void {
    const words = text.replace(/(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/g, ' ').trim();
    if (words === '' || this.#length >= MAX_HIDDEN) return;
    this.#texts.push(words.slice(0, MAX_HIDDEN - this.#length));
    this.#length += words.length + 1;
    this.#why.add(why);
  }

  get found(): Hidden {
    return { text: this.#texts.join('\n').toWellFormed(), why: [...this.#why] };
  }
}

const hiddenOf = (builder: Builder): HiddenText => (builder as unknown as { readonly metadata: HiddenText }).metadata;

/** Elements whose text is code. */
const CODE = new Set(['script', 'style', 'template', 'title']);

/** Notes the text of a node as hidden. */
export function hideText(node: DomNode, builder: Builder, why: Why): void {
  let text = '';
  const stack = [node];
  for (let element = stack.pop(); element !== undefined && text.length < MAX_HIDDEN; element = stack.pop()) {
    if (element.type === 'text') text += element.data ?? '';
    else if (!CODE.has(element.name ?? '')) {
      text += ' ';
      stack.push(...(element.children ?? []).toReversed());
    }
  }
  hiddenOf(builder).add(text, why);
}

/** Styles of elements that are formatted already, which what is within them inherits. */
const formatted = new WeakMap<DomNode, string>();
const attributesOf = ({
  attribs,
}: DomNode): { style?: string; color?: string; bgcolor?: string; background?: string } => attribs ?? {};

/** The style of an element, in lower case with single blanks. */
export const styleOf = (element: DomNode): string =>
  formatted.get(element) ?? (attributesOf(element).style ?? '').slice(0, MAX_STYLE).toLowerCase().replace(/\s+/g, ' ');

/** Removes the style of an element, which `styleOf` still gives. */
export function withoutStyle(element: DomNode): void {
  formatted.set(element, styleOf(element));
  delete attributesOf(element).style;
}

const FLAT = /(?:^|[;\s])(?:max-)?(?:height|width) ?: ?0(?:px|pt)? ?(?:!important ?)?(?:;|$)/;
const CLIPPED = /(?:^|[;\s])overflow ?: ?hidden\b/;
const PLACED = /(?:^|[;\s])position ?: ?(?:absolute|fixed)\b/;
/** By at least a hundred units beyond the edge. */
const AWAY = /(?:^|[;\s])(?:left|top|right|bottom) ?: ?-\d{3,9}(?:\.\d{1,9})?(?:px|pt|em|rem|vw|vh|%)/;
const UNSEEN: readonly (readonly [Why, RegExp])[] = [
  ['display_none', /(?:^|[;\s])display ?: ?none\b/],
  ['invisible', /(?:^|[;\s])visibility ?: ?(?:hidden|collapse)\b/],
  ['transparent', /(?:^|[;\s])opacity ?: ?(?:0|0?\.0{1,9}|0\.0{1,9})%? ?(?:!important ?)?(?:;|$)/],
  ['off_screen', /(?:^|[;\s])text-indent ?: ?-\d{3,9}(?:px|pt|em|rem|%)/],
  ['off_screen', /(?:^|[;\s])margin-(?:left|top) ?: ?-\d{4,9}(?:px|pt)/],
  ['zero_size', /(?:^|[;\s])transform ?: ?scale\( ?0 ?\)/],
  ['zero_size', /(?:^|[;\s])clip ?: ?rect\( ?0(?:px)?[ ,]{1,3}0(?:px)?[ ,]{1,3}0(?:px)?[ ,]{1,3}0(?:px)? ?\)/],
];

/** Why no reader sees an element of this style, whatever is within it; undefined when it is seen. */
export function unseenWhy(style: string): Why | undefined {
  if (style === '') return undefined;
  if (CLIPPED.test(style) && FLAT.test(style)) return 'zero_size';
  if (PLACED.test(style) && AWAY.test(style)) return 'off_screen';
  return UNSEEN.find(([, pattern]) => pattern.test(style))?.[0];
}

const COLOR = /(?:^|[;\s])color ?: ?([^;!]{1,60})/;
const BACKGROUND = /(?:^|[;\s])background(?:-color|-image)? ?: ?([^;!]{1,200})/;
const NAMED: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' };

/** A color as six digits; its words where it is written otherwise. */
function colorOf(text: string): string {
  const color = text.trim().toLowerCase();
  if (/^#[0-9a-f]{3}$/.test(color)) return color.replace(/[0-9a-f]/g, '$&$&');
  const [, ...rgb] =
    /^rgba?\( ?(\d{1,3})[ ,]{1,3}(\d{1,3})[ ,]{1,3}(\d{1,3})(?:[ ,/]{1,3}1(?:\.0)?)? ?\)$/.exec(color) ?? [];
  if (rgb.length > 0) return `#${rgb.map((one) => Number(one).toString(16).padStart(2, '0')).join('')}`;
  return NAMED[color] ?? color;
}

const ownColor = (element: DomNode): string | undefined =>
  COLOR.exec(styleOf(element))?.[1] ?? attributesOf(element).color;
function ownBackground(element: DomNode): string | undefined {
  const { bgcolor, background } = attributesOf(element);
  return BACKGROUND.exec(styleOf(element))?.[1] ?? background ?? bgcolor;
}

/** Whether an element has a color or a background of its own. */
export const hasColors = (element: DomNode): boolean =>
  ownColor(element) !== undefined || ownBackground(element) !== undefined;

/** Elements around another that are looked at. */
const MAX_AROUND = 200;

/** Whether the text of an element has the color of what is behind it, or none; a page is white where nothing paints it. */
export function isSameColor(element: DomNode, builder: Builder): boolean {
  const own = ownColor(element);
  if (own === undefined) return false;
  const color = colorOf(own);
  if (color === 'transparent') return true;
  let around: DomNode | null = element;
  for (let depth = 0; around !== null && depth < MAX_AROUND; depth++) {
    const behind = ownBackground(around);
    const background = behind === undefined ? undefined : colorOf(behind);
    if (background !== undefined && background !== 'transparent' && background !== 'none') return background === color;
    around = (around.parent as DomNode | null | undefined) ?? null;
  }
  return color === '#ffffff' && !hiddenOf(builder).sheetPaints;
}
