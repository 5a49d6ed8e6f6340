const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A browser's name for its owner, to tell sessions apart: “Firefox on Linux”. */
export function agentOf(header: string): string {
  const browser = BROWSERS.find(([, shape]) => shape.test(header))?.[0] ?? 'A browser';
  const system = SYSTEMS.find(([, shape]) => shape.test(header))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
