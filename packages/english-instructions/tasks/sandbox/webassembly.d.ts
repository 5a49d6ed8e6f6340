/** The used part of the WebAssembly JavaScript Interface, which TypeScript declares for browsers only. */
declare namespace WebAssembly {
  interface Module {
    readonly __module: unique symbol;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Grows by `pages` of 64 KiB. */
    grow(pages: number): number;
  }
  interface Global {
    value: number;
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, object>>);
    readonly exports: object;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
