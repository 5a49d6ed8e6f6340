/** A straight line through points, by least squares. */
export interface Line {
  /** The change of y for one x. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Needs at least three points with different x. */
export function fit(points: readonly Point[]): Line {
  const n = points.length;
  const mean = (of: (point: Point) => number): number => points.reduce((sum, point) => sum + of(point), 0) / n;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
  const rest = points.reduce((sum, point) => sum + (point.y - y - slope * (point.x - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (n - 2) / spread) };
}

export interface Growth extends Line {
  /** The rise from the first point to the last, relative to the start. */
  readonly share: number;
  /** The slope is significantly above zero, and the rise is more than a few percent. */
  readonly clear: boolean;
}

const WINDOWS = 10;
/** Student's t, two-sided 99 %, with WINDOWS - 2 degrees of freedom. */
const T = 3.36;
/** A smaller rise within minutes cannot be distinguished from the machine's own variation. */
const SHARE = 0.05;

/**
 * How memory grows over samples. Each tenth of the time counts with its lowest sample, since memory just after a
 * garbage collection is what is really in use.
 */
export function growth(samples: readonly Point[]): Growth {
  const first = samples[0]?.x ?? 0;
  const length = ((samples.at(-1)?.x ?? 0) - first) / WINDOWS;
  const lows = Array.from({ length: WINDOWS }, (_, i) => {
    const from = first + i * length;
    const window = samples.filter(({ x }) => x >= from && (x < from + length || i === WINDOWS - 1));
    return window.reduce<Point | undefined>(
      (low, point) => (low === undefined || point.y < low.y ? point : low),
      undefined,
    );
  }).filter((low) => low !== undefined);
  if (lows.length < WINDOWS) throw new Error(`Too few samples for a slope: ${samples.length}`);
  const line = fit(lows);
  const mean = lows.reduce((sum, { y }) => sum + y, 0) / lows.length;
  const rise = line.slope * length * WINDOWS;
  const share = rise / (mean - rise / 2);
  return { ...line, share, clear: line.slope > T * line.error && share > SHARE };
}
