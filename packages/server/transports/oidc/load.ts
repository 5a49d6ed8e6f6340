/** The library's warning about every Node.js release that is not LTS; the tests prove that it works with this one. */
const NOTICE = /oidc-provider WARNING: Unsupported runtime\./;

let loading: Promise<typeof import('./provider.ts')> | undefined;

/**
 * Loads the OpenID Provider once, which takes 0.1 s and 50 MB. Only its warning on standard error about the
 * Node.js version is suppressed.
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
