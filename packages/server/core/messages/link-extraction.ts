import type { MailTexts } from './extraction.ts';
import { ASIDE, CONFIRMS } from './extraction-words.ts';

/** Characters of a text that are read; links of a mail that are compared. */
const MAX_TEXT = 60_000;
const MAX_LINKS = 200;
/** Characters before a link that say what it does. */
const CONTEXT = 160;
const ENOUGH = 4;

/** A link with what it is called, and what stands before it. */
interface Link {
  readonly url: string;
  readonly label: string;
  readonly context: string;
}

const AROUND = /([<[(*_]?)(https?:\/\/[^\s<>"\])]{4,2000})(?=([>\])]?))/gi;
/** Links of a text, each with the text of its line before it, or of the line above. */
function linksInText(given: string): Link[] {
  // A link in angle brackets may be broken (RFC 3986, appendix C).
  const text = given
    .slice(0, MAX_TEXT)
    .replace(/^(?:> ?){1,20}/gm, '')
    .replace(/<(https?:\/\/[^<>]{4,2000})>/gi, (_all, url: string) => `<${url.replace(/\s+/g, '')}>`);
  return Array.from(text.matchAll(AROUND), (match) => {
    const context = text.slice(Math.max(0, match.index - CONTEXT), match.index);
    const lines = context.split('\n').map((line) => line.replace(/^[>\s*|-]+/, '').trim());
    const own = lines.pop() ?? '';
    // The label of a link within a line begins after the link before it.
    const label =
      own
        .split(/https?:\/\/\S+/)
        .at(-1)
        ?.trim() ?? '';
    const above = lines.filter((line) => line !== '').at(-1) ?? '';
    return { url: urlOf(match), label: label.length > 1 ? label : above, context: context };
  });
}

/** The link without what a sentence or emphasis puts behind it; one in angle brackets ends where they close. */
function urlOf([, opened, url = '', closed]: RegExpExecArray): string {
  if (opened === '<' && closed === '>') return url;
  const plain = url.replace(/[.,;:!?'。、）」]{1,20}$/u, '');
  return (opened === '*' || opened === '_') && plain.endsWith(opened) ? plain.slice(0, -1) : plain;
}

const ASIDE_URL =
  /unsubscri|opt-?out|preferences|privacy|terms|\/legal|\/help\b|\/support\b|impressum|datenschutz|abmelden|facebook\.com|twitter\.com|\/\/(?:www\.)?x\.com|instagram\.com|linkedin\.com|youtube\.com|tiktok\.com|apps\.apple\.com|play\.google\.com|\/pixel|\/open\b|view-?(?:in|online)|webversion|not-?me|\/report/i;
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|ico|css)(?:\?|$)/i;
const CONFIRMS_URL =
  /confirm|verif|activat|valid|reset|magic|sign-?in|log-?in|auth|password|recover|invit|bestaetig|aktivier|otp|token=|code=|key=/i;
const SECRET = /[=/](?=[\w.~%-]{0,60}\d)[\w.~%-]{16,}/;

const has = (expression: RegExp, text: string): boolean => text.search(expression) >= 0;

function scoreOf({ url, label, context }: Link): number {
  let path: URL;
  try {
    path = new URL(url);
  } catch {
    return 0;
  }
  const ownText = label.slice(-100);
  if (ASIDE_URL.test(url) || PICTURE.test(path.pathname)) return 0;
  if (has(ASIDE, ownText) && !has(CONFIRMS, ownText)) return 0;
  const within = path.pathname + path.search + path.hash;
  const [says, does, secret] = [has(CONFIRMS, ownText), CONFIRMS_URL.test(within), SECRET.test(within)];
  const home = within === '/' || within === '';
  const near = has(CONFIRMS, context);
  if (home && !says) return 0;
  const aside = has(ASIDE, ownText) ? 5 : 0;
  return (says ? 5 : 0) + (does ? 3 : 0) + (secret ? 2 : 0) + (near ? 1 : 0) - (home ? 4 : 0) - aside;
}

/**
 * The link of a mail that confirms, resets, activates or signs in, by what its button says and where it leads; the text of an
 * HTML mail has its buttons as `label <link>`. Undefined
 * where there is none beyond doubt; never a link to unsubscribe, to a picture or of a footer.
 */
export function linkIn({ text }: Pick<MailTexts, 'text'>): string | undefined {
  const links = linksInText(text).slice(0, MAX_LINKS);
  let best: { readonly url: string; readonly score: number } | undefined;
  for (const link of links) {
    const score = scoreOf(link);
    if (score >= ENOUGH && (best === undefined || score > best.score)) best = { url: link.url, score };
  }
  return best?.url;
}
