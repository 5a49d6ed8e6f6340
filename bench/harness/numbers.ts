export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ratio = (value: number): string => value.toFixed(2);
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const mebibytes = (value: number): string => `${Math.round(value / 2 ** 20)} MiB`;
export const percent = (value: number): string => `${Math.round(value * 100)} %`;
export const spread = (values: readonly number[], show: (value: number) => string): string =>
  `${show(Math.min(...values))}–${show(Math.max(...values))}`;
