// What many nodes on one database do for each other. The tests of all these files share three nodes, and run in this
// order: those that only ask them before those that kill and freeze them.
import './nodes/serving.ts';
import './nodes/changes.ts';
import './nodes/a2a.ts';
import './nodes/answers.ts';
import './nodes/domains.ts';
import './nodes/takeover.ts';
import './nodes/do.ts';
import './nodes/deliveries.ts';
