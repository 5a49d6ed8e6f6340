import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { attributeOf, type SentSpan, startCollector } from '../../../../tests/harness/otlp.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

const TRACE = 'c0ffee'.padEnd(32, '7');

test('a delivery that another node makes later belongs to the trace of the request', async () => {
  await using collector = await startCollector();
  await using endpoint = await webhookEndpoint();
  const shared = { WEBHOOK_NETWORKS: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const env = (index: number) => ({ ...shared, OTEL_SERVICE_NAME: `node-${index}` });
  await using nodes = await startNodes({ postgres, count: 2, env });
  const [a, b] = [nodes.named('a'), nodes.named('b')];
  const home = await a.client.newNamespace();
  const { address: to } = await a.client.newMailbox(home);
  await a.client.api('POST', '/webhooks', { key: home.key, body: { url: endpoint.url } });
  // The endpoint refuses the event while the node runs that took the request.
  endpoint.answer(500);
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
  const answer = await a.client.send(home.key, { to, body: 'Hello', sync: true }, { traceparent });
  assert.equal(answer.status, 200);
  await endpoint.got(1);
  await a.stop();
  endpoint.answer(204);
  await endpoint.got(2);
  await b.stop();
  const deliveries = (all: readonly SentSpan[]) => all.filter(({ name }) => name === 'deliver webhook');
  const spans = await collector.spansOf(TRACE, (all) => deliveries(all).length === 2);
  const sent = spans.find(({ name }) => name === 'send');
  assert.deepEqual(
    deliveries(spans).map((span) => [
      span.parentSpanId,
      Number(attributeOf(span, 'mailroom.delivery.attempt')),
      attributeOf(span, 'mailroom.delivery.outcome'),
    ]),
    [
      [sent?.spanId, 1, 'failed'],
      [sent?.spanId, 2, 'sent'],
    ],
  );
  assert.equal(endpoint.posted[1]?.headers.traceparent?.split('-')[1], TRACE);
});
