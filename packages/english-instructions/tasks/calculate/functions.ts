/** A function's name in mathjs, its minimum and maximum number of arguments, and the largest power of ten it accepts. */
export type AllowedName = readonly [math: string, from: number, to: number, power?: number];
const named = (names: string, ...limits: readonly [from: number, to: number, power?: number]) =>
  Object.fromEntries(names.split(' ').map((name): [string, AllowedName] => [name, [name, ...limits]]));
/** Functions by name in lower case; nothing else of mathjs can be called. */
export const FUNCTIONS: Readonly<Record<string, AllowedName>> = {
  ...named('sqrt cbrt abs sign floor ceil fix factorial', 1, 1),
  ...named('sin cos tan asin acos atan', 1, 1, 15),
  ...named('sinh cosh tanh', 1, 1, 2),
  ...named('gcd lcm', 2, 20, 60),
  root: ['nthRoot', 1, 2, 300],
  nthroot: ['nthRoot', 1, 2, 300],
  round: ['round', 1, 2],
  trunc: ['fix', 1, 1],
  exp: ['exp', 1, 1, 3],
  ln: ['log', 1, 1, 60],
  log: ['log10', 1, 2, 60],
  log10: ['log10', 1, 1, 60],
  log2: ['log2', 1, 1, 60],
  atan2: ['atan2', 2, 2, 15],
  mod: ['mod', 2, 2, 60],
  pow: ['pow', 2, 2],
};
/** Functions of a list. */
export const OF_LIST: ReadonlyMap<string, string> = new Map([
  ['sum', 'sum'],
  ['mean', 'mean'],
  ['average', 'mean'],
  ['avg', 'mean'],
  ['median', 'median'],
  ['max', 'max'],
  ['min', 'min'],
  ['prod', 'prod'],
  ['product', 'prod'],
  ['std', 'std'],
  ['variance', 'variance'],
  // Of a whole population, which is divided by the count.
  ['stdevp', 'std'],
  ['varp', 'variance'],
  ['mode', 'mode'],
]);
/** Constants with 64 digits. */
export const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['pi', '3.1415926535897932384626433832795028841971693993751058209749445923'],
  ['e', '2.7182818284590452353602874713526624977572470936999595749669676277'],
  ['tau', '6.2831853071795864769252867665590057683943387987502116419498891846'],
  ['phi', '1.6180339887498948482045868343656381177203091798057628621354486227'],
]);

/** Whether expressions may call it. */
export const isFunction = (name: string): boolean => Object.hasOwn(FUNCTIONS, name) || OF_LIST.has(name);
/** Whether expressions know it as a number. */
export const isConstant = (name: string): boolean => CONSTANTS.has(name);
