type Words<S extends string> = S extends `${infer First} ${infer Rest}`
  ? readonly [First, ...Words<Rest>]
  : readonly [S];

/** The words of a text, typed one by one, as the names of a union. */
export const words = <const S extends string>(text: S): Words<S> => text.split(' ') as unknown as Words<S>;
