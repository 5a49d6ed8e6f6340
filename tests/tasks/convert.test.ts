import { convert } from '../../src/tasks/convert.ts';
import { CONVERT } from './examples/convert.ts';
import { examplesOf } from './harness.ts';

examplesOf(convert, CONVERT);
