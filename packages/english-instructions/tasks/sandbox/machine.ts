import { PAGE } from './module.ts';

/** The address of a value inside the machine. */
export type Value = number;

/** The used exports of the engine; see quickjs-wasi's `interface.c`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  _initialize(): void;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(on: number): void;
  qjs_eval(code: number, length: number, name: number, flags: number): Value;
  qjs_call(call: Value, self: Value, count: number, values: number): Value;
  qjs_new_string(text: number, length: number): Value;
  qjs_new_number(value: number): Value;
  qjs_get_undefined(): Value;
  qjs_get_exception(): Value;
  qjs_get_prop_string(value: Value, name: number): Value;
  qjs_get_float64(value: Value): number;
  qjs_get_string_len(value: Value, length: number): number;
  qjs_is_exception(value: Value): number;
  qjs_is_function(value: Value): number;
  qjs_is_promise(value: Value): number;
  qjs_is_string(value: Value): number;
  qjs_is_undefined(value: Value): number;
  qjs_promise_state(value: Value): number;
  qjs_promise_result(value: Value): Value;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  qjs_free_value(value: Value): void;
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
}

/** All but WeakRef and FinalizationRegistry (1 << 9), which reveal garbage collection, and performance (1 << 10). */
const INTRINSICS = ~((1 << 9) | (1 << 10));
/** Part of the 1 MiB stack the engine was linked with; the rest is for its own frames beyond the check. */
const STACK_BYTES = 512 * 1024;
/** A machine whose memory grew beyond this is discarded; a smaller one is reset. */
const KEEP_BYTES = 4 << 20;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;

/** Flags for `evaluate`; the engine's `JS_EVAL_*`. */
export const SCRIPT = 0;
export const MODULE = 1;
/** A script with top-level `await`: a promise of `{value}`, the value of its last expression. */
export const ASYNC_SCRIPT = 1 << 7;

/** The machine has no memory left for data from the host. */
export class NoMemory extends Error {}

/**
 * One QuickJS in WebAssembly, with no host function but the clock. `reset` restores the initial state, which is the linear
 * memory and one global, the stack pointer (0.06 ms; a new instance takes 1.8 ms). Earlier values are invalid then.
 */
export class Machine {
  readonly #module: WebAssembly.Module;
  #exports!: Exports;
  /** The memory of a new machine, whose prelude has run, up to its last nonzero byte. */
  #image: Uint8Array | undefined;
  #pages = 0;
  #stackPointer = 0;
  #broken = false;
  /** On the clock of `performance.now()`. */
  #deadline = Number.POSITIVE_INFINITY;
  #interrupted = false;

  constructor(module: WebAssembly.Module, start: (machine: Machine) => void) {
    this.#module = module;
    this.#instantiate();
    this.#exports._initialize();
    if (this.#exports.qjs_init2(INTRINSICS) !== 0) throw new Error('QuickJS does not start.');
    this.#exports.qjs_set_max_stack_size(STACK_BYTES);
    this.#exports.qjs_set_interrupt_handler(1);
    start(this);
    const memory = new Uint8Array(this.#exports.memory.buffer);
    this.#pages = memory.length / PAGE;
    this.#image = memory.slice(0, memory.findLastIndex((byte) => byte !== 0) + 1);
    this.#stackPointer = this.#exports.__stack_pointer.value;
  }

  /** Whether it was stopped at its deadline since the last reset. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** The time at which scripts are stopped; `undefined`: none. */
  set deadline(at: number | undefined) {
    this.#deadline = at ?? Number.POSITIVE_INFINITY;
  }

  set memory_limit(bytes: number) {
    this.#exports.qjs_set_memory_limit(bytes);
  }

  /** Marks the machine as unusable after a trap. */
  breakDown(): void {
    this.#broken = true;
  }

  /** True when the memory was discarded instead of reset and waits for the garbage collector. */
  reset(): boolean {
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#interrupted = false;
    const image = this.#image as Uint8Array;
    const given_up = this.#broken || this.#exports.memory.buffer.byteLength > KEEP_BYTES;
    if (given_up) {
      this.#instantiate();
      const more = this.#pages - this.#exports.memory.buffer.byteLength / PAGE;
      if (more > 0) this.#exports.memory.grow(more);
      this.#broken = false;
    }
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(image);
    memory.fill(0, image.length);
    this.#exports.__stack_pointer.value = this.#stackPointer;
    return given_up;
  }

  /** Throws only traps and `NoMemory`; exceptions of the script are values. */
  evaluate(code: string, flags: number): Value {
    const { at: address, length } = this.#write(code);
    const name = this.#write('script');
    const value = this.#exports.qjs_eval(address, length, name.at, flags);
    this.#exports.wasm_free(address);
    this.#exports.wasm_free(name.at);
    return this.#checked(value);
  }

  call(what: Value, ...values: readonly Value[]): Value {
    const address = this.#room(values.length * 4);
    const view = new DataView(this.#exports.memory.buffer);
    for (const [index, value] of values.entries()) view.setUint32(address + index * 4, value, true);
    const result = this.#exports.qjs_call(what, this.#exports.qjs_get_undefined(), values.length, address);
    this.#exports.wasm_free(address);
    return this.#checked(result);
  }

  string(text: string): Value {
    const { at, length } = this.#write(text);
    const value = this.#exports.qjs_new_string(at, length);
    this.#exports.wasm_free(at);
    return this.#checked(value);
  }

  number(value: number): Value {
    return this.#checked(this.#exports.qjs_new_number(value));
  }

  property(value: Value, name: string): Value {
    const { at } = this.#write(name);
    const found = this.#exports.qjs_get_prop_string(value, at);
    this.#exports.wasm_free(at);
    return this.#checked(found);
  }

  /** A string of the machine; undefined, without copying, when it is longer than `max` UTF-16 code units or no string. */
  text(value: Value, max: number): string | undefined {
    if (!this.#exports.qjs_is_string(value)) return undefined;
    if (this.#exports.qjs_get_float64(this.property(value, 'length')) > max) return undefined;
    const length = this.#room(4);
    const address = this.#exports.qjs_get_string_len(value, length);
    if (address === 0) throw new NoMemory();
    const bytes = new DataView(this.#exports.memory.buffer).getUint32(length, true);
    return Buffer.from(this.#exports.memory.buffer, address, bytes).toString('utf8');
  }

  isException(value: Value): boolean {
    return this.#exports.qjs_is_exception(value) !== 0;
  }

  isFunction(value: Value): boolean {
    return this.#exports.qjs_is_function(value) !== 0;
  }

  isUndefined(value: Value): boolean {
    return this.#exports.qjs_is_undefined(value) !== 0;
  }

  exception(): Value {
    return this.#checked(this.#exports.qjs_get_exception());
  }

  /** The state of a promise; `undefined` for other values. */
  promise(value: Value): 'pending' | 'fulfilled' | 'rejected' | undefined {
    if (!this.#exports.qjs_is_promise(value)) return undefined;
    return (['pending', 'fulfilled', 'rejected'] as const)[this.#exports.qjs_promise_state(value)];
  }

  promised(value: Value): Value {
    return this.#checked(this.#exports.qjs_promise_result(value));
  }

  /** Runs jobs until the promise is settled, no job is left, or the deadline is over. */
  settle(promise: Value): void {
    while (this.promise(promise) === 'pending' && this.#exports.qjs_is_job_pending() && !this.#interrupt()) {
      this.#exports.qjs_execute_pending_job();
    }
  }

  #interrupt(): number {
    if (performance.now() <= this.#deadline) return 0;
    this.#interrupted = true;
    return 1;
  }

  #instantiate(): void {
    // Every import but the clock fails: there are no files, modules or host functions.
    const nothing = (): number => 0;
    const bad = (): number => BAD_DESCRIPTOR;
    const unsupported = (): number => NOT_SUPPORTED;
    const instance = new WebAssembly.Instance(this.#module, {
      env: {
        host_call: nothing,
        host_interrupt: () => this.#interrupt(),
        host_promise_rejection: (promise: Value, reason: Value) => {
          this.#exports.qjs_free_value(promise);
          this.#exports.qjs_free_value(reason);
        },
        host_module_normalize: nothing,
        host_module_load: nothing,
        host_get_timezone_offset: nothing,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, at: number) => {
          new DataView(this.#exports.memory.buffer).setBigUint64(at, BigInt(Date.now()) * 1_000_000n, true);
          return 0;
        },
        fd_write: bad,
        fd_close: bad,
        fd_fdstat_get: bad,
        fd_seek: unsupported,
        random_get: unsupported,
      },
    });
    this.#exports = instance.exports as unknown as Exports;
  }

  #room(bytes: number): number {
    const at = this.#exports.wasm_malloc(Math.max(4, bytes));
    if (at === 0) throw new NoMemory();
    return at;
  }

  #write(text: string): { readonly at: number; readonly length: number } {
    const bytes = Buffer.from(text);
    const address = this.#room(bytes.length + 1);
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(bytes, address);
    memory[address + bytes.length] = 0;
    return { at: address, length: bytes.length };
  }

  #checked(value: Value): Value {
    if (value === 0) throw new NoMemory();
    return value;
  }
}
