/**
 * `node scripts/complete-lock.ts`, after each change of dependencies: adds to package-lock.json the packages for other
 * platforms that the current registry did not offer, so that `npm ci` accepts the lock everywhere. They are optional,
 * and each platform installs only its own.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> };
const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'windows',
];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

const major = (version: string | undefined): string | undefined => version?.split('.', 1)[0];
/** Whether the version that is there is one of the range, which is exact or begins with ^ or ~. */
const fits = (range: string, there: string | undefined): boolean =>
  /^[\^~]/.test(range) ? major(there) === major(range.slice(1)) : there === range;

/** The folders that are searched for a dependency of the package at this path, the highest first. */
const levels = (ownerPath: string): string[] => {
  const parts = `/${ownerPath}`.split('/node_modules/');
  return parts.map((_, index) =>
    index === 0 ? '' : `node_modules/${parts.slice(1, index + 1).join('/node_modules/')}/`,
  );
};

const added: string[] = [];
for (const [ownerPath, owner] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(owner.optionalDependencies ?? {})) {
    const version = range.replace(/^[\^~]/, '');
    // Node.js looks in each folder from the dependent up; npm puts a package in the highest one that is free for it.
    const path = levels(ownerPath)
      .map((level) => `${level}node_modules/${name}`)
      .find((each) => !(each in lock.packages) || fits(range, lock.packages[each]?.version));
    if (path === undefined) continue;
    const words = name.split(/[/-]/);
    const os = OS.find((word) => words.includes(word));
    const cpu = CPU.find((word) => words.includes(word));
    if (path in lock.packages || os === undefined || cpu === undefined) continue;
    lock.packages[path] = {
      version,
      cpu: [cpu],
      ...(owner.dev ? { dev: true } : {}),
      optional: true,
      os: [os === 'windows' ? 'win32' : os],
    } as Package;
    added.push(name);
  }
}
const root = lock.packages[''];
const rest = Object.entries(lock.packages).filter(([path]) => path !== '');
lock.packages = { '': root as Package, ...Object.fromEntries(rest.sort(([a], [b]) => (a < b ? -1 : 1))) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} added`);
