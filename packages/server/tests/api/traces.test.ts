import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside, startInside } from '../../../../tests/harness/inside.ts';
import { attributeOf, type SentSpan, startCollector } from '../../../../tests/harness/otlp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';

const collector = await startCollector();
after(() => collector[Symbol.asyncDispose]());
const service = await serveInside({
  env: {
    WEBHOOK_NETWORKS: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  },
});
const { api, newNamespace, newMailbox, send } = connect(service.url);

const SOON_MS = 60_000;
const TRACE = 'a3ce929d0e0e4736b3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const names = (spans: readonly SentSpan[]): string[] => spans.map(({ name }) => name).toSorted();

/** A namespace whose mailbox answers, with a webhook. */
async function home(fields: object = {}) {
  const namespace = await newNamespace();
  const { key } = namespace;
  const mailbox = await newMailbox(namespace);
  const endpoint = await webhookEndpoint();
  const body = { url: endpoint.url, types: ['message.completed'], ...fields };
  const { body: hook } = await api<{ id: string }>('POST', '/webhooks', { key, body });
  const submit = (text: string, traceparent?: string) =>
    send(key, { to: mailbox.address, body: text, sync: true }, traceparent === undefined ? {} : { traceparent });
  return { key, mailbox, endpoint, hook, submit };
}

test('one trace has the request, the message, its run, its answer and its delivery', async () => {
  const { key, mailbox, endpoint, submit } = await home();
  await using _ = endpoint;
  const text = 'Who wrote the sonnets about the dark lady?';
  const answer = await submit(text, `00-${TRACE}-${CALLER}-01`);
  assert.equal(answer.status, 200);
  const [posted] = await endpoint.got(1);
  const spans = await collector.spansOf(TRACE, (all) => all.length >= 5);
  assert.deepEqual(names(spans), ['POST /api/v1/mail/send', 'answer', 'deliver webhook', 'run', 'send']);
  const named = (name: string): SentSpan => spans.find((span) => span.name === name) ?? assert.fail(name);
  const [request, sent, delivery] = [named('POST /api/v1/mail/send'), named('send'), named('deliver webhook')];
  assert.equal(request.parentSpanId, CALLER);
  assert.equal(sent.parentSpanId, request.spanId);
  for (const name of ['run', 'answer', 'deliver webhook']) assert.equal(named(name).parentSpanId, sent.spanId, name);
  assert.equal(attributeOf(request, 'http.response.status_code'), 200);
  assert.equal(attributeOf(named('answer'), 'mailroom.message.status'), 'completed');
  assert.equal(attributeOf(delivery, 'mailroom.delivery.outcome'), 'sent');
  assert.equal(posted?.headers.traceparent, `00-${TRACE}-${delivery.spanId}-01`, 'the endpoint gets the delivery');
  const all = collector.texts.join('\n');
  for (const secret of [text, 'sonnets', mailbox.address, mailbox.address.split('@')[0] ?? '', key, endpoint.url])
    assert.ok(!all.includes(secret), secret);
});

test('without a traceparent, and with a wrong one, a request begins a trace of its own', async () => {
  const { endpoint, submit } = await home();
  await using _ = endpoint;
  const wrong = [undefined, 'nonsense', `00-${'0'.repeat(32)}-${CALLER}-01`, `ff-${TRACE}-${CALLER}-01`];
  for (const traceparent of wrong) assert.equal((await submit('Hello', traceparent)).status, 200);
  const posted = await endpoint.got(wrong.length);
  const traces = posted.map(({ headers }) => headers.traceparent?.split('-')[1] ?? '');
  assert.equal(new Set(traces).size, wrong.length);
  for (const trace of traces) {
    assert.notEqual(trace, TRACE);
    const spans = await collector.spansOf(trace, (all) => all.length >= 5);
    assert.equal(spans.filter(({ parentSpanId }) => (parentSpanId ?? '') === '').length, 1);
  }
});

test('a request with several events has links to all of their messages', async () => {
  const { key, endpoint, hook, submit } = await home({ batch: 10 });
  await using _ = endpoint;
  const since = new Date(Date.now() - 1000).toISOString();
  await api('PATCH', `/webhooks/${hook.id}`, { key, body: { status: 'disabled' } });
  const traces = ['1', '2', '3'].map((digit) => digit.repeat(32));
  for (const trace of traces) await submit('Hello', `00-${trace}-${CALLER}-01`);
  await api('PATCH', `/webhooks/${hook.id}`, { key, body: { status: 'enabled' } });
  await api('POST', `/webhooks/${hook.id}/replay`, { key, body: { since } });
  await endpoint.got(1);
  const isDelivery = ({ name }: SentSpan): boolean => name === 'deliver webhook';
  const spans = await collector.spansOf(traces[0] ?? '', (all) => all.some(isDelivery));
  const delivery = spans.find(isDelivery);
  assert.deepEqual(
    delivery?.links?.map(({ traceId }) => traceId),
    traces.slice(1),
  );
  assert.equal(attributeOf(delivery as SentSpan, 'mailroom.delivery.count'), 3);
});

test('probes are no spans', async () => {
  for (const path of ['/livez', '/readyz', '/metrics']) assert.equal((await fetch(service.url + path)).status, 200);
  const { endpoint, submit } = await home();
  await using _ = endpoint;
  await submit('Hello', `00-${'b'.repeat(32)}-${CALLER}-01`);
  await collector.spansOf('b'.repeat(32), (all) => all.length >= 5);
  for (const { name } of collector.spans) assert.doesNotMatch(name, /livez|readyz|\/metrics/);
});

test('the collector gets every figure of /metrics, histograms with their buckets', async () => {
  const { endpoint, submit } = await home();
  await using _ = endpoint;
  await submit('Hello');
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const figures = [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].map(([, name = '', type = '']) => ({ name, type }));
  await until(
    SOON_MS,
    async () => collector.metrics,
    (metrics) => figures.every(({ name }) => metrics.has(name)),
  );
  for (const { name, type } of figures) {
    const metric = collector.metrics.get(name);
    const kind = { counter: metric?.sum, gauge: metric?.gauge, histogram: metric?.histogram }[type];
    assert.ok(kind !== undefined, `${name} is a ${type}`);
  }
  const settled = collector.metrics.get('mailroom_message_settle_duration_seconds')?.histogram?.dataPoints ?? [];
  assert.ok(settled.length > 0);
  for (const { count, bucketCounts, explicitBounds } of settled) {
    assert.equal(bucketCounts.length, explicitBounds.length + 1);
    assert.equal(
      bucketCounts.reduce((sum: number, one) => sum + Number(one), 0),
      Number(count),
    );
  }
});

test('without a collector nothing is traced: no traceparent leaves, and messages keep none', async () => {
  const quiet = await startInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
  const client = connect(quiet.url);
  await using endpoint = await webhookEndpoint();
  const other = await client.newNamespace();
  const mailbox = await client.newMailbox(other);
  await client.api('POST', '/webhooks', { key: other.key, body: { url: endpoint.url } });
  const sent = await client.send(other.key, { to: mailbox.address, body: 'Hello', sync: true });
  const [posted] = await endpoint.got(1);
  assert.equal(posted?.headers.traceparent, undefined);
  assert.deepEqual(await quiet.store.messages.traces([sent.body.id]), [undefined]);
});
