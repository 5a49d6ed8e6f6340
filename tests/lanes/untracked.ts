// A lane loads `node:test` by this. The runner follows each promise and socket with a hook, to know to which test a call of
// `test` or an uncaught error belongs, which costs each of them some time. An AsyncLocalStorage knows it without that, so
// the runner gets its three functions of `node:async_hooks` from here.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

type AsyncHooks = Pick<typeof import('node:async_hooks'), 'AsyncResource' | 'createHook' | 'executionAsyncId'>;
type Init = (id: number, type: string, trigger: number, resource: object) => void;

// The exports of a module cannot be replaced, but those of the CommonJS one can, which Node's own modules use.
const hooks: AsyncHooks = createRequire(import.meta.url)('node:async_hooks');
const { AsyncResource, createHook, executionAsyncId } = hooks;
/** The id of the test that is running. */
const running = new AsyncLocalStorage<number>();
let init: Init | undefined;

/** What the runner's class of a test extends. */
class TestResource extends AsyncResource {
  constructor(type: string) {
    super(type);
    init?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  override runInAsyncScope<This, Result>(
    use: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => use.apply(self as This, args)));
  }
}

const hook: ReturnType<AsyncHooks['createHook']> = { enable: () => hook, disable: () => hook };
hooks.AsyncResource = TestResource as AsyncHooks['AsyncResource'];
hooks.createHook = (callbacks) => {
  init = callbacks.init as Init;
  return hook;
};
hooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();
try {
  await import('node:test');
} finally {
  Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
}
