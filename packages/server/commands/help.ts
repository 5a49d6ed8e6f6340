import { settings } from '../config.ts';

/** Every setting with its default and meaning, as printed by `npm start -- --help`. */
export function help(): string {
  const rows = Object.entries(settings).map(
    ([name, { default: byDefault, meaning }]) => [name, byDefault ?? '-', meaning] as const,
  );
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map(
    ([name, byDefault, meaning]) =>
      `  ${name.padEnd(widths[0] as number)}  ${byDefault.padEnd(widths[1] as number)}  ${meaning}`,
  );
  return [
    'Mailroom: e-mail addresses that answer.',
    '',
    '  npm start                             start the service',
    '  npm run owner-key -- NAMESPACE        make a new owner key for a namespace and print it',
    '  npm run backup -- FILE                copy the SQLite database into a new file, while the service runs or not',
    '  npm run compact                       remove what was deleted from the SQLite file, while the service runs or not',
    '  npm run migrate-store -- FROM TO      copy a SQLite store into an empty PostgreSQL database, and compare both',
    '  npm run mail -- ADDRESS TEXT          send a mail to an address of the running service',
    '  npm run dns -- [--check]              print the DNS records that e-mail needs, or compare them with DNS',
    '  npm run doctor                        look at the machine and the service on it, and say what to do',
    '  npm test                              test it; with programs of others: npm run test:programs',
    '  npm run bench                         measure',
    '',
    'Settings are environment variables: name, default, meaning.',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** The same as a Markdown table, for docs/settings.md. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, { default: byDefault, meaning }]) => {
    const defaultText = name.endsWith('_WORKERS')
      ? 'cores less one, up to 4'
      : byDefault === undefined
        ? 'none'
        : `\`${byDefault}\``;
    return `| \`${name}\` | ${defaultText} | ${meaning} |`;
  });
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
