/** What the library says of each Node.js that is no LTS release; that it works with this one is for our tests to say. */
const NOTICE = /oidc-provider WARNING: Unsupported runtime\./;

let loading: Promise<typeof import('./provider.ts')> | undefined;

/**
 * The OpenID Provider's code, on first use: it takes 0.1 s and 50 MB, which who signs nobody in is spared. The notice that it
 * writes to standard error while it is loaded is left out, and nothing else.
 */
export function loadProvider(): Promise<typeof import('./provider.ts')> {
  loading ??= quietly(() => import('./provider.ts'));
  return loading;
}

async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => {
    if (!NOTICE.test(String(said[0]))) warn(...said);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}
