/** The glyph of each behavior's stamp: strokes of 1.5 on a 16 × 16 grid. */
export const GLYPHS: Readonly<Record<string, string>> = {
  hello: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.8 9.4a2.6 2.6 0 0 0 4.4 0M6 6.4v.01M10 6.4v.01',
  proofread:
    'M2.5 9 5.500 2l3 7M3.600 6.700h3.800M2.500 12.500c.8-1.400 1.600-1.400 2.400-.3s1.600 1.100 2.400-.2M9.500 11.500l1.700 2L14.500 9',
  do: 'M3 4.500 6.500 8 3 11.500M8.500 12h5',
  auth: 'M9.700 9.500a3.300 3.300 0 1 1 1.700-6.100 3.300 3.300 0 0 1-1.700 6.100ZM7.300 8.700 2.500 13.500M4 12l1.500 1.500',
  assistant:
    'M2.500 3h11v8H8l-3 2.800V11H2.500ZM8 4.800l.700 1.500 1.500.700-1.500.700L8 9.200l-.700-1.500-1.500-.700 1.500-.700Z',
  webhook:
    'M6.700 9.300a2.800 2.800 0 0 0 4 0l2.200-2.200a2.800 2.800 0 0 0-4-4L7.900 4M9.300 6.700a2.800 2.800 0 0 0-4 0L3.100 8.900a2.800 2.800 0 0 0 4 4L8.100 12',
  agent: 'M8 2v2M4 6.500h8v6H4ZM6.500 9v.01M9.500 9v.01M2 8.500v2M14 8.500v2',
};

/** The hue (OKLCH, degrees) of a behavior's stamp. */
export const HUES: Readonly<Record<string, number>> = {
  hello: 70,
  proofread: 15,
  do: 255,
  auth: 305,
  assistant: 160,
  webhook: 190,
  agent: 130,
};
/** The hue of any other behavior. */
export const OTHER_HUE = 75;
