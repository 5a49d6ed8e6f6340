/** `[start, end)` in UTF-16 code units. */
export type Range = readonly [start: number, end: number];

const FENCE = /`{3,}|^ {0,3}~{3,}/gm;
const BACKTICKS = /`{3,}/g;
const TILDES = /^ {0,3}(~{3,})[^\n]*/gm;

/**
 * The fenced code blocks (CommonMark 0.31, section 4.5), closed or not, also where backticks do not begin a line, as in
 * mail. Each run of marks is examined once.
 */
export function fences(text: string): Range[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const found: Range[] = [];
  let done = 0;
  for (const { 0: opens, index } of text.matchAll(FENCE)) {
    if (index < done) continue;
    const marks = opens.trimStart();
    done = fenceEnd(text, index + opens.length, marks);
    found.push([index, done]);
  }
  return found;
}

/** The position after the closing run of at least as many marks (for tildes after its line), or the end of the text. */
function fenceEnd(text: string, from: number, marks: string): number {
  const closes = marks.startsWith('`') ? BACKTICKS : TILDES;
  closes.lastIndex = from;
  for (let found = closes.exec(text); found !== null; found = closes.exec(text)) {
    if ((found[1] ?? found[0]).length >= marks.length) return closes.lastIndex;
  }
  return text.length;
}

/** Text for machines, and names, which are never corrected. */
const PROTECTED: readonly RegExp[] = [
  /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\r?\n)[\s\S]){1,2000}?(?<!`)\1(?!`)/g, // code span
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"]+/gi, // URL
  /\b(?:mailto|tel|urn|doi):[^\s<>"]+/gi,
  /\bwww\.[^\s<>"]+/gi,
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu, // e-mail address
  /(?<![\p{L}\p{N}])[@#][\p{L}\p{N}_][\p{L}\p{N}_-]*(?:\/[\p{L}\p{N}_.-]+)?/gu, // handle, hashtag, issue number, package
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|app|co|edu|gov|info|ai|uk|de|fr|eu|us|ca|au|in|localhost|local)\b(?:\/[^\s<>"]*)?/g, // domain
  /\b[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|json5?|ya?ml|toml|md|txt|csv|html?|s?css|py|rs|go|c|h|cpp|hpp|java|rb|php|sh|bat|ps1|sql|db|xml|svg|png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|zip|t?gz|tar|exe|dll|so|lock|log|env|ini|cfg|conf|wasm)\b/g, // file name
  /<(code|pre|kbd|samp|tt|script|style)\b[^<>]{0,300}>[^<>]{0,2000}<\/\1>/gi, // text for machines in HTML
  /<!--[^<>]{0,2000}-->/g,
  /<\/?[a-zA-Z][^<>\n]{0,300}>/g, // HTML tag
  /&(?:[a-z]{2,10}|#\d{1,6});/gi, // HTML entity
  /(?<=\])\([^()\s]*\)/g, // target of a Markdown link
  /(?<![\p{L}\p{N}/.])(?:~|\.{1,2})?(?:\/[\w.@%+-]+){2,}\/?/gu, // path
  /(?<![\p{L}\p{N}/.])(?:~|\.{1,2})\/[\w.@%+-]*/gu, // ~/x ./x
  /(?<![\p{L}\p{N}/])\/(?:[a-z][\w-]*)(?![\p{L}\p{N}])/gu, // /etc
  /(?<![\p{L}\p{N}/.])[\w.+-]{1,60}(?:\/[\w.+-]{1,60}){0,9}\/(?![\p{L}\p{N}/])|(?<![\p{L}\p{N}/.])[\w.+-]{1,60}(?:\/[\w.+-]{1,60}){2,9}/gu, // pool/, pool/main/a
  /[\w.*-]{0,60}\{[\w.*+-]{0,30}(?:,[\w.*+-]{0,30}){1,20}\}/g, // a.{b,c}
  /\b[A-Za-z]:\\[^\s<>"|]*/g, // C:\x
  /(?<!\S)--?[a-zA-Z][\w-]*(?:=\S+)?/g, // option of a command
  /\$\{[^}\n]{0,100}\}|\{\{[^}\n]{0,100}\}\}|\$[A-Za-z_]\w*|%[A-Z_]+%/g, // variable
  /\b\w*[a-zA-Z0-9]_\w+\b|\b_\w+\b/g, // snake_case
  /\b[a-z]+[0-9]*[A-Z]\w*\b/g, // camelCase
  /\b(?:[A-Z][a-z0-9]+){2,}[A-Z]?\b|\b[A-Z]{2,}[a-z]+[A-Z]\w*\b/g, // PascalCase
  /\b[A-Za-z]\w*(?:\.\w+)*\(\)?/g, // call()
  /\b\w+::\w+(?:::\w+)*\b/g, // a::b
  /\b[a-zA-Z_]\w*(?:->\w+|\[\w*\])+/g, // a[i], a->b
  /\b(?=[\da-zA-Z]*\d)(?=\d*[a-zA-Z])(?!\d+(?:st|nd|rd|th|s|am|pm)\b)[\da-zA-Z]+\b/gi, // x86, 4d2f, B2B
  /\b(?:[A-Za-z]\.){2,}/g, // U.S., a.m.
  /\b(?:carpe diem|ad hoc|ad infinitum|alma mater|bona fide|c'est la vie|coup d'[ée]tat|curriculum vitae|d[ée]j[aà] vu|de facto|de jure|et al|habeas corpus|in situ|in vitro|in vivo|joie de vivre|laissez[- ]faire|mea culpa|modus operandi|non sequitur|per capita|per se|persona non grata|prima facie|pro bono|quid pro quo|raison d'[êe]tre|sine qua non|status quo|terra incognita|tour de force|vice versa|vis-[aà]-vis|a priori|a posteriori|ad nauseam|caveat emptor|cogito ergo sum|et cetera|ex officio|ipso facto|magnum opus|memento mori|rigor mortis|sic transit|veni vidi vici|vox populi|bon app[ée]tit|bon voyage|faux pas|en route|enfant terrible|femme fatale|fait accompli|hors d'oeuvre|haute couture|nom de plume|noblesse oblige|savoir[- ]faire|hasta la vista|mano a mano)\b/gi, // set phrases of other languages
  /^[ \t]*\$ [^\n]+$/gm, // a line typed at a prompt
  /^(?: {4}|\t)[^\n;{}=<>\\|]*[;{}=<>\\|][^\n]*$/gm, // an indented line of code
  /^[ \t]*[|+][^\n]*[|+][ \t\r]*$/gm, // a row of a table
  /^[ \t]*\.\. (?:[\w-]+::|_|\[)[^\n]*$/gm, // a directive of reStructuredText
  /:[a-z][\w+.:-]{1,30}:`[^`\n]{1,200}`/g, // a role of it
  /^[ \t]*\[[^\]\n]{1,100}\]:[^\n]*$/gm, // target of a reference
  /(?<=\])\[[^\]\n]{0,100}\]/g, // reference of a link
  /\{[{%][^{}\n]{0,300}[%}]\}/g, // template
  /^[ \t]*(?:[{[][ \t]*)?"[^"\n]{1,100}"[ \t]*:[^\n]*$/gm, // JSON, a line of it
  /\{[ \t]*"[^{}\n]{0,500}\}/g, // JSON, an object
  /^---\n[\s\S]{1,2000}?\n---(?=\n)/g, // front matter
  /\$\$[^$]{1,1000}\$\$|\$(?=[^$\n]{0,200}[\\^_={])[^$\n]{1,200}\$/g, // formula
  /\\(?:begin|end|[a-zA-Z]+(?=[{[\\]))(?:\[[^\]\n]{0,100}\])?(?:\{[^{}\n]{0,200}\})*|\\[a-zA-Z]{2,}/g, // LaTeX
];

/** Characters that a pattern sees at once, because some backtrack over a whole name with many dots. */
const WINDOW_MAX = 2_000;

/** Splits a text into parts that end at white space where possible. */
function* windows(text: string): Generator<Range> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + WINDOW_MAX);
    if (to < text.length) {
      const end = Math.max(text.lastIndexOf('\n', to - 1), text.lastIndexOf(' ', to - 1)) + 1;
      if (end > from) to = end;
    }
    yield [from, to];
    from = to;
  }
}

/** The ranges in which nothing may be changed, sorted and joined. */
export function protectedRanges(text: string): Range[] {
  const found: Range[] = fences(text);
  for (const [from, to] of windows(text)) {
    const part = text.slice(from, to);
    for (const pattern of PROTECTED) {
      for (const { 0: all, index } of part.matchAll(pattern)) found.push([from + index, from + index + all.length]);
    }
  }
  return joinRanges(found);
}

/** Sorts ranges and joins those that overlap. */
export function joinRanges(found: Range[]): Range[] {
  found.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** Whether `[start, end)` overlaps one of the sorted ranges; an insertion must be inside of one. */
export function touches(ranges: readonly Range[], start: number, end: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range)[1] <= start) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range[0] < Math.max(end, start + (start === end ? 0 : 1));
}
