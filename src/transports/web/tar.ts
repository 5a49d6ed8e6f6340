/** A file of an archive; its path has at most 100 bytes of ASCII. */
export interface TarFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable?: boolean;
}

const BLOCK = 512;

/** A constant time, so that the same files make the same archive: the one that npm writes, 26 October 1985. */
const MODIFIED_S = 499_162_500;

/** An archive in the ustar format (POSIX.1-2017, pax, "ustar Interchange Format"). Throws an Error for a long path. */
export function tarOf(files: readonly TarFile[]): Buffer {
  const blocks: Buffer[] = [];
  for (const file of files) {
    blocks.push(headerOf(file), file.bytes, Buffer.alloc(-file.bytes.length & (BLOCK - 1)));
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerOf({ path, bytes, executable = false }: TarFile): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for the archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(path, 0);
  octal(executable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(MODIFIED_S, 136, 12);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
