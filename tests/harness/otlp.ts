import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { until } from './until.ts';

/** A value of OTLP's JSON (opentelemetry-proto, common.proto). */
interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
export interface SentMetric {
  readonly name: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly object[] };
  readonly gauge?: { readonly dataPoints: readonly { readonly asDouble: number }[] };
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: number | string;
      readonly explicitBounds: readonly number[];
      readonly bucketCounts: readonly (number | string)[];
    }[];
  };
}

/** A collector that takes OTLP over HTTP as JSON. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** All that was sent, as text. */
  readonly texts: readonly string[];
  readonly spans: readonly SentSpan[];
  readonly metrics: ReadonlyMap<string, SentMetric>;
  /** The spans of a trace, once `is` holds for them. */
  spansOf(traceId: string, is: (spans: readonly SentSpan[]) => boolean): Promise<readonly SentSpan[]>;
}

const SOON_MS = 90_000;

/** What an attribute of a span says. */
export const attributeOf = ({ attributes }: SentSpan, key: string): string | number | undefined => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.doubleValue;
};

export async function startCollector(): Promise<Collector> {
  const texts: string[] = [];
  const spans: SentSpan[] = [];
  const metrics = new Map<string, SentMetric>();
  const take = (path: string, text: string): void => {
    texts.push(text);
    const body = JSON.parse(text);
    for (const { scopeSpans } of body.resourceSpans ?? [])
      for (const scope of scopeSpans) if (path === '/v1/traces') spans.push(...scope.spans);
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const scope of scopeMetrics)
        if (path === '/v1/metrics') for (const metric of scope.metrics) metrics.set(metric.name, metric);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      take(request.url ?? '', (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ texts, spans, metrics },
    async spansOf(traceId, is) {
      const found = async () => spans.filter((span) => span.traceId === traceId);
      return (await until(SOON_MS, found, is)).seen;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
