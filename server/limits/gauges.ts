/** Counts of running and waiting tasks, for the metrics. */

export interface GaugeReading {
  /** The name of the limit (concurrency-limits.ts). */
  what: string
  atWork: number
  waiting: number
}

const readers: (() => GaugeReading)[] = []

/** Adds a gauge for the lifetime of the process. */
export function addGauge(read: () => GaugeReading): void {
  readers.push(read)
}

/** @returns the current values; gauges of the same name are added up */
export function readGauges(): GaugeReading[] {
  const sums = new Map<string, GaugeReading>()
  for (const { what, atWork, waiting } of readers.map((read) => read())) {
    const sum = sums.get(what) ?? { what, atWork: 0, waiting: 0 }
    sums.set(what, { what, atWork: sum.atWork + atWork, waiting: sum.waiting + waiting })
  }
  return [...sums.values()]
}
