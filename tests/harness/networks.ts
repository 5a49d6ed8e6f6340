import { spawnSync } from 'node:child_process';

/** A network as a machine of its own has it, from which this one and its others are reached until it is cut. */
export interface Network {
  readonly address: string;
  /** What a command starts with to run there, as this user. */
  enter(user: { readonly uid: number; readonly gid: number }): readonly string[];
  /** From now on every packet is lost, in both directions, and no connection is closed. */
  cut(): void;
  mend(): void;
}

/** Networks of Linux, joined by a bridge to which this machine belongs. */
export interface Networks extends Disposable {
  /** This machine's address there. */
  readonly address: string;
  /** All addresses, as `10.1.2.0/24`. */
  readonly range: string;
  add(): Network;
}

/** Such networks, or a text that says why there are none and what they need. */
export function separateNetworks(): Networks | string {
  const id = process.pid;
  const prefix = `10.213.${id % 256}`;
  const bridge = `mb${id}`;
  const namespaces: string[] = [];
  const tried = (command: string): string | undefined => {
    const { status, error, stderr } = spawnSync('ip', command.split(' '), { encoding: 'utf8' });
    return status === 0 ? undefined : (error?.message ?? stderr.split('\n', 1)[0] ?? '');
  };
  const ip = (command: string): void => {
    const why = tried(command);
    if (why !== undefined) throw new Error(`ip ${command}: ${why}`);
  };
  const remove = (): void => {
    process.off('exit', remove);
    for (const namespace of namespaces.splice(0)) tried(`netns del ${namespace}`);
    tried(`link del ${bridge}`);
  };
  const why = tried(`link add ${bridge} type bridge`);
  if (why !== undefined) return `needs the right to make networks (root, with CAP_NET_ADMIN, and iproute2): ${why}`;
  process.on('exit', remove);
  ip(`addr add ${prefix}.1/24 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  return {
    address: `${prefix}.1`,
    range: `${prefix}.0/24`,
    add() {
      const nth = namespaces.length + 2;
      const [name, end] = [`mailroom-${id}-${nth}`, `mv${id}-${nth}`];
      const address = `${prefix}.${nth}`;
      ip(`netns add ${name}`);
      namespaces.push(name);
      ip(`link add ${end} type veth peer name eth0 netns ${name}`);
      ip(`link set ${end} master ${bridge} up`);
      ip(`-n ${name} addr add ${address}/24 dev eth0`);
      for (const device of ['lo', 'eth0']) ip(`-n ${name} link set ${device} up`);
      return {
        address,
        enter: ({ uid, gid }) => [
          ...['ip', 'netns', 'exec', name],
          ...['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
        ],
        cut: () => ip(`link set ${end} down`),
        mend: () => ip(`link set ${end} up`),
      };
    },
    [Symbol.dispose]: remove,
  };
}
