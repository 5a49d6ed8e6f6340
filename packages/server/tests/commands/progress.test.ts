import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Progress } from '../../commands/progress.ts';

/** What is shown on a screen, with a clock of the test's own. */
function shown(isTTY: boolean, columns = 100) {
  const written: string[] = [];
  let now = 1000;
  const progress = new Progress({ isTTY, columns, write: (text) => written.push(text) }, () => now);
  return {
    written,
    progress,
    after: (ms: number): void => {
      now += ms;
    },
  };
}

test('elsewhere than on a terminal a plain line says now and then how far it is, how fast, and how long it takes', () => {
  const { written, progress, after } = shown(false);
  progress.show('copying', 500, 100_000);
  for (let rows = 1_000; rows <= 11_000; rows += 500) {
    after(1_000);
    progress.show('copying', rows, 100_000);
  }
  assert.deepEqual(written, [
    'copying: 5,500 of 100,000 rows, 500 a second, 3:09 left\n',
    'copying: 10,500 of 100,000 rows, 500 a second, 2:59 left\n',
  ]);
});

test('what was done before it began does not count as speed, and another piece of work has its own', () => {
  const { written, progress, after } = shown(false);
  progress.show('copying', 90_000, 100_000);
  after(10_000);
  progress.show('copying', 91_000, 100_000);
  progress.show('checking', 0, 1_000_000);
  after(10_000);
  progress.show('checking', 10_000, 1_000_000);
  assert.deepEqual(written, [
    'copying: 91,000 of 100,000 rows, 100 a second, 1:30 left\n',
    'checking: 10,000 of 1,000,000 rows, 1,000 a second, 16:30 left\n',
  ]);
});

test('on a terminal one line holds a bar, never wider than the terminal, and goes when something is said', () => {
  const { written, progress, after } = shown(true, 50);
  progress.show('copying', 0, 4_000_000);
  after(50);
  progress.show('copying', 500, 4_000_000);
  assert.deepEqual(written, [], 'not drawn more often than it can be read');
  after(50);
  progress.show('copying', 1_000_000, 4_000_000);
  const [line = ''] = written;
  assert.ok(line.startsWith('\r\u001b[Kcopying ██████░░░░░░░░░░░░░░░░░░ 25 %  1,000,000'), JSON.stringify(line));
  assert.equal(line.length - '\r\u001b[K'.length, 49);
  assert.ok(!line.includes('\n'));
  progress.say('Done');
  progress.clear();
  assert.deepEqual(written.slice(1), ['\r\u001b[K', 'Done\n']);
});

test('a thing that stands still says nothing of its end, and nothing to do is all done', () => {
  const { written, progress, after } = shown(false);
  progress.show('copying', 0, 10);
  after(20_000);
  progress.show('copying', 0, 10);
  progress.show('checking', 0, 0);
  after(20_000);
  progress.show('checking', 0, 0);
  assert.deepEqual(written, ['copying: 0 of 10 rows, 0 a second\n', 'checking: 0 of 0 rows, 0 a second\n']);
});
