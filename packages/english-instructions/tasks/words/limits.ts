/** Words that limit how far, when or on which condition an instruction applies; they are never ignored. */
export const LIMITS: ReadonlySet<string> = new Set(
  `only except excepting excluding exclude excludes excluded including ignoring skipping skip omitting omit but first second third
fourth fifth last every each without unless if whether before after until till than starting ending beginning once twice thrice
later not never don't doesn't shouldn't won't can't isn't aren't instead when whenever while provided otherwise else nor neither
alternate alternating other another others greater less fewer longer shorter larger smaller bigger least most`.split(
    /\s+/,
  ),
);
