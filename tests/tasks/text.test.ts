import { text } from '../../src/tasks/text/index.ts';
import { EXAMPLES } from './examples/text.ts';
import { examplesOf } from './harness.ts';

examplesOf(text, EXAMPLES);
