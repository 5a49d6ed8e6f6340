import { type HrTime, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { VERSION } from '../../core/values/version.ts';
import { serviceResource } from './resource.ts';

type Labels = Readonly<Record<string, string | number>>;
/** A value as `prom-client` gives it; of a histogram the parts of its buckets. */
interface Value {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}
/** A metric as `prom-client` gives it. */
interface PromMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly Value[];
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
const nameOf = (labels: Labels): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Histograms by their labels: the counts up to each bound become those between two. */
function histograms({ name, values }: PromMetric, times: Times) {
  const all = new Map<string, { attributes: Labels; bounds: [number, number][]; sum: number; count: number }>();
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels;
    const key = nameOf(attributes);
    const histogram = all.get(key) ?? { attributes, bounds: [], sum: 0, count: 0 };
    all.set(key, histogram);
    if (metricName === `${name}_sum`) histogram.sum = value;
    else if (metricName === `${name}_count`) histogram.count = value;
    else if (le !== '+Inf') histogram.bounds.push([Number(le), value]);
  }
  return [...all.values()].map(({ attributes, bounds, sum, count }) => {
    bounds.sort(([a], [b]) => a - b);
    const upTo = [...bounds.map(([, total]) => total), count];
    const counts = upTo.map((total, place) => total - (upTo[place - 1] ?? 0));
    const buckets = { boundaries: bounds.map(([bound]) => bound), counts };
    return { ...times, attributes, value: { buckets, sum, count } };
  });
}

/** The figure in OpenTelemetry's form; undefined for a kind that it has not. */
function metricData(metric: PromMetric, times: Times): MetricData | undefined {
  const { name, help, type, values } = metric;
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return type === 'gauge' ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints } : undefined;
}

/** Sends the figures of a registry to a collector by OTLP over HTTP, each minute unless `OTEL_METRIC_EXPORT_INTERVAL` says otherwise. */
export function exportMetrics(registry: Registry, endpoint: string, interval_ms: number): AsyncDisposable {
  const resource = serviceResource();
  const startTime = hrTime(performance.timeOrigin);
  const producer = { collect: () => collect(registry, resource, startTime) };
  const provider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
        exportIntervalMillis: interval_ms,
        exportTimeoutMillis: Math.min(interval_ms, 30_000),
        metricProducers: [producer],
      }),
    ],
  });
  return {
    async [Symbol.asyncDispose]() {
      await provider.shutdown().catch(() => {});
    },
  };
}

async function collect(registry: Registry, resource: Resource, startTime: HrTime): Promise<CollectionResult> {
  const times = { startTime, endTime: hrTime(performance.timeOrigin + performance.now()) };
  const found = (await registry.getMetricsAsJSON()) as unknown as readonly PromMetric[];
  const metrics = found.map((metric) => metricData(metric, times)).filter((metric) => metric !== undefined);
  const scope = { name: 'mailroom', version: VERSION };
  return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
}
