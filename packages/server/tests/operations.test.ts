import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settings } from '../config.ts';
import { Metrics } from '../metrics/index.ts';
import { addMachine } from '../metrics/machine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/operations.md';
const page = readFileSync(join(ROOT, PAGE), 'utf8');

test('the operations page says of every metric what it means, and of no other', async () => {
  using metrics = new Metrics(
    { queue_depth: async () => 0, waiting: () => 0, deliveries: async () => [], storage: async () => undefined },
    Date.now,
  );
  addMachine(metrics.registry, { folder: ROOT, certificate: PAGE, backup: PAGE, relayUp: () => true });
  const served = [...(await metrics.text()).matchAll(/^# TYPE (mailroom_\w+)/gm)].map(([, name]) => name);
  const documented = [...page.matchAll(/^\| `(mailroom_\w+)` \|/gm)].map(([, name]) => name);
  assert.ok(served.length > 5);
  assert.deepEqual(documented.sort(byName), served.sort(byName));
});

const byName = (a = '', b = ''): number => a.localeCompare(b);

test('the operations page names only settings that there are', () => {
  const words = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name as string);
  // Variables of Node, of the S3 client and of OpenTelemetry, and the key that commands take.
  const others = [
    ...['NODE_COMPILE_CACHE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'MAILROOM_KEY'],
    ...['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ];
  const unknown = words.filter((name) => !(name in settings) && !others.includes(name));
  assert.ok(words.length > 10);
  assert.deepEqual(unknown, []);
});

test('every link of the pages for operators leads somewhere', () => {
  for (const file of ['README.md', PAGE]) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#') as [string?, string?];
      const at = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path);
      assert.ok(existsSync(at), `${file} links to ${target}`);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(at, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
        words
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      assert.ok(headings.includes(anchor), `${file} links to ${target}, whose headings are ${headings.join(', ')}`);
    }
  }
});
