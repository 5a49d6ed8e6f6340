import { TaskError } from '../task.ts';
import { remembering } from '../words/remembering.ts';

/** Named colors of CSS Color 4, section 6.1. */
const NAMES = new Set(
  'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen'.split(
    ' ',
  ),
);

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['hex', 'hex'],
  ['hexadecimal', 'hex'],
  ['hex code', 'hex'],
  ['rgb', 'rgb'],
  ['rgba', 'rgb'],
  ['hsl', 'hsl'],
  ['hsv', 'hsv'],
  ['hsb', 'hsv'],
  ['hwb', 'hwb'],
  ['lab', 'lab'],
  ['lch', 'lch'],
  ['oklab', 'oklab'],
  ['oklch', 'oklch'],
]);
const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FUNCTIONAL = /^(?:rgba?|hsla?|hsv|hwb|lab|lch|oklab|oklch|color)\([^()]{1,80}\)$/i;

/** The color notation (`hex`, `oklch` …) that a name means. */
export const colorFormat = remembering((name: string): string | undefined =>
  FORMATS.get(name.toLowerCase().replace(/ (?:color|colour|value|format|notation)$/, '')),
);

/** Whether a text is a color: hex with #, a CSS function or a CSS name, with or without spaces ("rebecca purple"). */
export const isColor = remembering(
  (text: string): boolean =>
    HEX.test(text) || FUNCTIONAL.test(text) || NAMES.has(text.toLowerCase().replaceAll(' ', '')),
);

type Culori = typeof import('culori');
let loaded: Culori | undefined;

/** Loads culori once, which takes about 0.1 s. */
export async function loadColors(): Promise<Culori> {
  loaded ??= await import('culori');
  return loaded;
}

/** Throws TaskError for text that is no color. */
export async function colorIn(text: string, format: string): Promise<string> {
  const culori = loaded ?? (await loadColors());
  const plain = /^[a-z ]+$/i.test(text) ? text.toLowerCase().replaceAll(' ', '') : text;
  const color = culori.parse(plain);
  if (color === undefined) throw new TaskError(`“${text.slice(0, 40)}” is no color I know.`);
  if (format === 'hex') return (color.alpha ?? 1) < 1 ? culori.formatHex8(color) : culori.formatHex(color);
  if (format === 'rgb') return culori.formatRgb(color);
  if (format === 'hsl') return culori.formatHsl(culori.clampRgb(color));
  const places = (value: number, digits = 4): number => Number(value.toFixed(digits));
  const alpha = (color.alpha ?? 1) < 1 ? ` / ${places(color.alpha ?? 1, 3)}` : '';
  switch (format) {
    case 'oklch': {
      const { l, c, h } = culori.converter('oklch')(color);
      return `oklch(${places(l)} ${places(c)} ${places(h ?? 0, 2)}${alpha})`;
    }
    case 'oklab': {
      const { l, a, b } = culori.converter('oklab')(color);
      return `oklab(${places(l)} ${places(a)} ${places(b)}${alpha})`;
    }
    case 'lch': {
      const { l, c, h } = culori.converter('lch')(color);
      return `lch(${places(l, 2)}% ${places(c, 2)} ${places(h ?? 0, 2)}${alpha})`;
    }
    case 'lab': {
      const { l, a, b } = culori.converter('lab')(color);
      return `lab(${places(l, 2)}% ${places(a, 2)} ${places(b, 2)}${alpha})`;
    }
    case 'hwb': {
      const { h, w, b } = culori.converter('hwb')(color);
      return `hwb(${places(h ?? 0, 1)} ${places(w * 100, 1)}% ${places(b * 100, 1)}%${alpha})`;
    }
    default: {
      const { h, s, v } = culori.converter('hsv')(color);
      return `hsv(${places(h ?? 0, 1)}, ${places(s * 100, 1)}%, ${places(v * 100, 1)}%)`;
    }
  }
}
