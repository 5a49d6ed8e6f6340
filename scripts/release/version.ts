export const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

const partsOf = (version: string): readonly number[] => version.split('.').map(Number);

/** Below 0 where `a` is older than `b` (semver.org, section 11, of versions without a pre-release). */
export function compareVersions(a: string, b: string): number {
  const others = partsOf(b);
  return partsOf(a).reduce((order, part, index) => order || part - (others[index] ?? 0), 0);
}

/** The version that `step` names: `patch`, `minor` or `major` after `current`, or a version. Throws for anything else. */
export function nextVersion(current: string, step: string): string {
  const [major = 0, minor = 0, patch = 0] = partsOf(current);
  if (step === 'major') return `${major + 1}.0.0`;
  if (step === 'minor') return `${major}.${minor + 1}.0`;
  if (step === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (VERSION.test(step)) return step;
  throw new Error(`${step} is no version: name patch, minor, major, or one such as 1.2.3`);
}
