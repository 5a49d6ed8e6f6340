import { calculate } from '../../src/tasks/calculate.ts';
import { CALCULATE } from './examples/calculate.ts';
import { examplesOf } from './harness.ts';

examplesOf(calculate, CALCULATE);
