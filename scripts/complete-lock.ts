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

const added: string[] = [];
for (const [ownerPath, owner] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(owner.optionalDependencies ?? {})) {
    const version = range.replace(/^[\^~]/, '');
    // Another version of the same package may be at the top level; then the dependent has its own copy.
    const top = `node_modules/${name}`;
    const taken = top in lock.packages && major(lock.packages[top]?.version) !== major(version);
    const path = taken ? `${ownerPath}/${top}` : top;
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
