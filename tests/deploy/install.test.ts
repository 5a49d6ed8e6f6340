import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings } from '@mailroom/server/config';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const dockerfile = read('Dockerfile');
const unit = read('deploy/mailroom.service').replace(/^#.*/gm, '');

test('the Dockerfile copies what there is, and nothing that .dockerignore keeps out', () => {
  const letIn = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  assert.ok(copied.includes('packages'));
  for (const name of copied) assert.ok(globSync(name, { cwd: ROOT }).length > 0 && letIn.includes(name), name);
  assert.deepEqual(
    letIn.filter((name) => !copied.includes(name)),
    [],
  );
});

test('container and unit set only what can be set', () => {
  const given = [...`${dockerfile}\n${unit}`.matchAll(/\b([A-Z]+(?:_[A-Z]+)*)=\S/g)].map(([, name = '']) => name);
  const ours = given.filter((name) => !name.startsWith('NODE_'));
  assert.ok(ours.includes('DATABASE_URL') && ours.includes('HOST'));
  assert.deepEqual(
    ours.filter((name) => !(name in settings)),
    [],
  );
});

test('the supervisor waits longer than a stop takes', () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  assert.ok(seconds > Number(settings.STOP_SECONDS.default), `${seconds}`);
});

test('systemd starts the service again however often it ends, and bounds its memory', () => {
  for (const line of ['Restart=on-failure', 'StartLimitIntervalSec=0', /^RestartSec=[1-9]$/, /^MemoryMax=\d+G$/])
    assert.ok(
      unit.split('\n').some((each) => (typeof line === 'string' ? each === line : line.test(each))),
      String(line),
    );
  // systemd reads it there alone, since version 230.
  assert.ok(unit.indexOf('StartLimitIntervalSec') < unit.indexOf('[Service]'));
});

test('a container takes HTTP and mail at the ports that it exposes, and is given the time that a start may take', () => {
  const value = (name: string): string => new RegExp(`\\b${name}=(\\S+)`).exec(dockerfile)?.[1] ?? '';
  const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
  assert.ok(exposed.includes(value('PORT')));
  const [host, port = ''] = value('SMTP_LISTEN').split(':');
  assert.equal(host, '0.0.0.0');
  assert.ok(exposed.includes(port));
  const start = Number(/--start-period=(\d+)s/.exec(dockerfile)?.[1]);
  assert.ok(start > Number(settings.DATABASE_SECONDS.default), `${start}`);
});
