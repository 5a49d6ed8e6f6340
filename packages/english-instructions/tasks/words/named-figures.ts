const FIGURE =
  /^(?:the (?:sum|product|difference|quotient|total|average|mean|square root|square|cube|date|week ?day|day|result|answer|number|value|amount)\b|what\b|how (?:many|much|long|far)\b|\d[\d.,]*(?:%| percent) of \d|\d[\d.,]* ?[-+*/×÷^] ?\d)/i;
/** What is another figure later: "the number of days until Christmas". */
const PASSING =
  /\b(?:until|till|left|to go|today|now|tomorrow|tonight|yesterday|ago|since|next|this|last|current(?:ly)?|old|from here)\b/i;

/** Whether a text names a figure that is the same at all times: "the sum of 128.40 and 76.35", "what 15 times 24 makes". */
export const isFigure = (text: string): boolean =>
  text.length < 200 && /\d/.test(text) && FIGURE.test(text) && !PASSING.test(text);

/** Whether a text asks for a figure: "how many days until 5 May". */
export const isAskedFigure = (text: string): boolean =>
  text.length < 200 && /\d/.test(text) && /^(?:what|how (?:many|much|long|far))\b/i.test(text);
