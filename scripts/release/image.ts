import { spawnSync } from 'node:child_process';

/** Programs that build images, and how each says that it can here. */
const BUILDERS: readonly (readonly [program: string, ready: string])[] = [
  ['docker', 'info'],
  ['podman', 'info'],
  ['buildah', 'info'],
];

/** Builds the image in `folder` and saves it as an archive; false where there is no builder. Throws when a build fails. */
export function saveImage(folder: string, tag: string, file: string): boolean {
  const found = BUILDERS.find(([program, ready]) => spawnSync(program, [ready], { stdio: 'ignore' }).status === 0);
  if (found === undefined) return false;
  const [program] = found;
  const save = program === 'buildah' ? ['push', tag, `docker-archive:${file}:${tag}`] : ['save', '--output', file, tag];
  for (const args of [['build', '--tag', tag, folder], save]) {
    if (spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0)
      throw new Error(`${program} ${args[0]} failed`);
  }
  return true;
}
