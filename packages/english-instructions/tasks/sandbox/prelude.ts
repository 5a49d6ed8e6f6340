/**
 * Runs in the sandbox before every script, and gives the host the functions it calls there. It keeps what it uses in
 * variables of its own, so that a script that overwrites `JSON.stringify` or a prototype changes only what it does itself.
 * Nothing of the host can be reached from it: the console writes into a text here, which the host fetches at the end.
 *
 * `begin`: input and arguments as JSON, the room for the console in UTF-16 code units, four words of chance.
 * `finish`: a value as JSON. `describe`: an error as JSON, [name, message, stack]. `logs`: the console's lines as JSON;
 * runs no code of the script, whatever that did.
 */
export const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const toText = String;
  const defineProperty = Object.defineProperty;
  const isError = Error.isError ?? ((value) => value instanceof Error);
  const uncurried = Function.prototype.bind.bind(Function.prototype.call);
  const slice = uncurried(String.prototype.slice);

  let lines = '';
  let room = 0;
  let cut = false;
  const shown = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (typeof value === 'object' && value !== null) {
        if (isError(value)) return toText(value);
        const json = stringify(value);
        if (typeof json === 'string') return json;
      }
      return toText(value);
    } catch {
      return '[cannot be shown]';
    }
  };
  const write = (...values) => {
    if (cut) return;
    let line = '';
    for (let i = 0; i < values.length && line.length <= room; i += 1) {
      line += (i > 0 ? ' ' : '') + slice(shown(values[i]), 0, room + 1);
    }
    if (cut) return;
    if (line.length > room) {
      cut = true;
      line = slice(line, 0, room) + '…';
    }
    room -= line.length + 1;
    lines += (lines === '' ? '' : ',') + stringify(line);
  };
  const console = { log: write, info: write, warn: write, error: write, debug: write };
  defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true });

  let a = 0;
  let b = 0;
  let c = 0;
  let d = 1;
  // sfc32 by Chris Doty-Humphrey: the engine's own generator would give every script the same numbers.
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  Math.random = function random() {
    return ((next() >>> 6) * 134217728 + (next() >>> 5)) / 9007199254740992;
  };

  const part = (value, most) => (typeof value === 'string' ? slice(value, 0, most) : '');
  const read = (error, name, most) => {
    try {
      return part(error[name], most);
    } catch {
      return '';
    }
  };
  return {
    begin(input, args, most, w, x, y, z) {
      room = most;
      a = w | 0;
      b = x | 0;
      c = y | 0;
      d = z | 0;
      for (let i = 0; i < 12; i += 1) next();
      globalThis.input = parse(input);
      globalThis.args = parse(args);
    },
    finish(value) {
      if (typeof value === 'bigint') return stringify(toText(value));
      const json = stringify(value);
      return typeof json === 'string' ? json : 'null';
    },
    describe(error) {
      if (typeof error === 'object' && error !== null) {
        const stack = read(error, 'stack', 2000);
        return stringify([read(error, 'name', 100), read(error, 'message', 1000), stack]);
      }
      return stringify(['', slice(shown(error), 0, 1000), '']);
    },
    logs() {
      return '[' + lines + ']';
    },
  };
})()`;
