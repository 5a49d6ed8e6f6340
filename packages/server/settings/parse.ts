import { isIP } from 'node:net';

/** A setting: its default, its meaning and its parser. */
export interface Setting<T> {
  /** The default as shown; undefined: none. */
  readonly default: string | undefined;
  readonly meaning: string;
  /** The value, or a sentence that says what it must be. */
  readonly parse: (text: string) => { readonly value: T } | { readonly must: string };
}

/** The values of settings as they are parsed; undefined is one where there is no default. */
export type ValuesOf<S extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof S]:
    | Extract<ReturnType<S[K]['parse']>, { readonly value: unknown }>['value']
    | (S[K]['default'] extends string ? never : undefined);
};

export const text = (pattern: RegExp, must: string) => (value: string) => (pattern.test(value) ? { value } : { must });

export const whole = (least: number, max: number) => (value: string) => {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= least && number <= max
    ? { value: number }
    : { must: `must be a whole number from ${least} to ${max}` };
};

/** A number from 0 to 1. */
export const share = (value: string) =>
  /^(?:0|1|0?\.\d+|1\.0+)$/.test(value)
    ? { value: Number(value) }
    : { must: 'must be a number from 0 to 1, such as 0.01' };

export const oneOf =
  <const T extends string>(...words: T[]) =>
  (value: string) => {
    const word = words.find((one) => one === value);
    return word === undefined ? { must: `must be one of ${words.join(', ')}` } : { value: word };
  };

export const onOrOff = (value: string) =>
  value === 'on' || value === 'off' ? { value: value === 'on' } : { must: 'must be on or off' };

/** Whether it is an address, or one with a prefix length that its family allows. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const max = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 &&
    more === undefined &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= max))
  );
}

export const networks = (value: string) => {
  const parts = value.split(',').map((part) => part.trim());
  return parts.every(isNetwork)
    ? { value: parts }
    : { must: 'must be addresses or networks such as 10.0.0.0/8, separated by commas' };
};

export const DOMAIN = /^(?=.{1,180}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
export const KiB = 1024;
