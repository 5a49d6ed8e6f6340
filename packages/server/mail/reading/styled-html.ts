import type { DomNode, FormatCallback } from 'html-to-text';
import { hasColors, hideText, isSameColor, styleOf, unseenWhy, type Why, withoutStyle } from './hidden-text.ts';
import { isOutlookBorder, ruled } from './quoting-html.ts';

type Builder = Parameters<FormatCallback>[2];
type Format = { readonly format: string; readonly options?: Parameters<FormatCallback>[3] };

/** Parts of the builder that its types leave out: which formatter an element has. */
interface Picking {
  readonly picker: { pick1(element: DomNode): Format };
  readonly options: { readonly formatters: Readonly<Record<string, FormatCallback>> };
}

/** Sizes in `em` and `%` are of the size around them, so that they stay nothing within nothing. */
const SIZED = /(?:^|[;\s])font-size ?: ?(?:[1-9.]|0\.)[\d.]{0,10}(?!em|%|[\d.])[a-z]|(?:^|[;\s])font-size ?: ?[a-z]/;
const NO_SIZE = /(?:^|[;\s])font-size ?: ?0(?:\.0{1,4})?(?:px|pt|em|rem|%)? ?(?:!important ?)?(?:;|$)/;
/** Up to two pixels: dots to a reader. */
const TINY =
  /(?:^|[;\s])font-size ?: ?(?:[01](?:\.\d{1,4})?|2(?:\.0{1,4})?|\.\d{1,4})(?:px|pt) ?(?:!important ?)?(?:;|$)/;

const attributesOf = ({ attribs }: DomNode): { style?: string; size?: string } => attribs ?? {};

/** Whether an element has text of a size of its own, or is looked at itself for having none. */
const isSized = (element: DomNode): boolean => {
  const style = styleOf(element);
  return SIZED.test(style) || NO_SIZE.test(style) || attributesOf(element).size !== undefined;
};

/**
 * Hides the text of an element, but not what is within it and has what a reader needs to see it, as columns without gaps
 * in templates have a size of their own.
 */
function emptyText(element: DomNode, builder: Builder, why: Why, isShown: (within: DomNode) => boolean): void {
  const stack = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop())
    for (const child of (node.children ?? []).toReversed())
      if (child.type === 'text') {
        hideText(child, builder, why);
        child.data = '';
      } else if (!isShown(child)) stack.push(child);
}

/** Outlook writes the mark of an item as text, as a glyph of a font for symbols: `·`, `o`, `§`, or `1.`. */
const MARK = /(?:^|[;\s])mso-list ?: ?ignore\b/;
/** Characters, or nodes, of a mark that are read. */
const MAX_MARK = 10;
const NUMBERED = /^[\p{L}\p{N}]{1,8}[.)]$/u;

function markOf(element: DomNode): string {
  let text = '';
  const add = ({ children }: DomNode, depth: number): void => {
    for (const node of (children ?? []).slice(0, MAX_MARK))
      if (node.type === 'text') text += (node.data ?? '').slice(0, MAX_MARK);
      else if (depth < 4) add(node, depth + 1);
  };
  add(element, 0);
  const mark = text.replaceAll('\u00a0', ' ').trim();
  return NUMBERED.test(mark) ? `${mark} ` : '- ';
}

/**
 * Leaves out what its reader does not see: previews for the list of mails, texts for filters. `mso-hide` alone hides nothing
 * outside of Outlook.
 */
const seen: FormatCallback = (element, walk, builder) => {
  const style = styleOf(element);
  const why = unseenWhy(style);
  if (why !== undefined) return hideText(element, builder, why);
  if (MARK.test(style)) return builder.addInline(markOf(element));
  if (NO_SIZE.test(style)) emptyText(element, builder, 'zero_size', isSized);
  else if (TINY.test(style)) emptyText(element, builder, 'tiny_text', isSized);
  if (isSameColor(element, builder)) emptyText(element, builder, 'same_color', hasColors);
  // Then it is formatted as it is without a style.
  withoutStyle(element);
  if (isOutlookBorder(style)) return ruled(element, walk, builder, {});
  const { picker, options } = builder as Builder & Picking;
  const { format, options: own = {} } = picker.pick1(element);
  options.formatters[format]?.(element, walk, builder, own);
};

/** What an element is hidden by that is no style. */
const unseen: FormatCallback = (element, _walk, builder) => hideText(element, builder, 'hidden_attribute');

/** `<font color>` names a color as a style does. */
const colored: FormatCallback = (element, walk, builder) => {
  if (isSameColor(element, builder)) emptyText(element, builder, 'same_color', hasColors);
  walk(element.children, builder);
};

/** How an HTML mail is read without what is hidden in it, and with lists of Outlook as lists. */
export const SEEN = {
  formatters: { seen, unseen, colored },
  selectors: [
    { selector: '[hidden][hidden]', format: 'unseen' },
    // Before what a class or a name says.
    { selector: '[style][style]', format: 'seen' },
    { selector: 'font[color]', format: 'colored' },
  ],
} as const;
