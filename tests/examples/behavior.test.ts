// The example's own test, which stands beside it.
import '../../examples/behavior/count.test.ts';
