/** Latin-1 in order from U+00A0. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

/** Each name before its sign. */
const OTHERS =
  'amp&|lt<|gt>|quot"|apos\'|OEligŒ|oeligœ|ScaronŠ|scaronš|YumlŸ|fnofƒ|circˆ|tilde˜|ensp\u2002|emsp\u2003|thinsp\u2009|zwnj\u200c|zwj\u200d|lrm\u200e|rlm\u200f|ndash–|mdash—|lsquo‘|rsquo’|sbquo‚|ldquo“|rdquo”|bdquo„|dagger†|Dagger‡|bull•|hellip…|permil‰|prime′|Prime″|lsaquo‹|rsaquo›|euro€|trade™|larr←|uarr↑|rarr→|darr↓|harr↔|minus−|infin∞|ne≠|le≤|ge≥|asymp≈|sum∑|radic√|check✓|hearts♥'.split(
    '|',
  );

/** The entities of HTML 4; the rarer ones of HTML 5 stay as they are. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...OTHERS.map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
]);

const WRITTEN: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the five characters with a meaning in HTML. */
export const encodeEntities = (text: string): string => text.replace(/[&<>"']/g, (sign) => WRITTEN[sign] ?? sign);

/** Decodes named and numeric entities once; unknown ones stay. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,7}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const none = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
      return none ? '\ufffd' : String.fromCodePoint(code);
    },
  );
