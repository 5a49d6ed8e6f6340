/**
 * Harper alone: as many threads as the service's pool has, each of which takes the next text when it is done with one.
 * No HTTP, queue, store or reply; only the position, reason and suggestions of each finding are read.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Linter, LocalLinter } from 'harper.js';
import { slimBinary } from 'harper.js/slimBinary';

export interface Task {
  readonly texts: readonly string[];
}

async function lintAll(linter: Linter, texts: readonly string[], next: Int32Array): Promise<number> {
  let found = 0;
  for (;;) {
    const text = texts[Atomics.add(next, 0, 1)];
    if (text === undefined) return found;
    for (const lint of await linter.lint(text)) {
      const span = lint.span();
      const edit = { start: span.start, end: span.end, message: lint.message(), kind: lint.lint_kind() };
      const suggestions = lint.suggestions().map((suggestion) => suggestion.get_replacement_text());
      if (edit.end >= edit.start && suggestions.length >= 0) found += 1;
      span.free();
      lint.free();
    }
  }
}

if (isMainThread) {
  const workers = Array.from({ length: Number(process.argv[2]) }, () => new Worker(new URL(import.meta.url)));
  process.on('message', async ({ texts }: Task) => {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const from = performance.now();
    const found = await Promise.all(
      workers.map((worker) => {
        const done = Promise.withResolvers<number>();
        worker.once('message', done.resolve);
        worker.postMessage({ texts, next });
        return done.promise;
      }),
    );
    process.send?.({ seconds: (performance.now() - from) / 1000, found: found.reduce((sum, each) => sum + each, 0) });
  });
  process.on('disconnect', () => process.exit());
} else {
  const linter = new LocalLinter({ binary: slimBinary });
  parentPort?.on('message', async ({ texts, next }: Task & { next: Int32Array }) => {
    parentPort?.postMessage(await lintAll(linter, texts, next));
  });
}
