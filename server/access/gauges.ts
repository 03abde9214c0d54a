/** What is at work and what waits for its turn, for whoever watches the server. */

export interface Reading {
  /** What is counted, as `bounds.ts` calls it. */
  what: string
  atWork: number
  waiting: number
}

const readers: (() => Reading)[] = []

/** Adds something that is counted; it is read as long as the process runs. */
export function addGauge(read: () => Reading): void {
  readers.push(read)
}

/** All of it at this moment; several of one kind are added up. */
export function readGauges(): Reading[] {
  const sums = new Map<string, Reading>()
  for (const { what, atWork, waiting } of readers.map((read) => read())) {
    const sum = sums.get(what) ?? { what, atWork: 0, waiting: 0 }
    sums.set(what, { what, atWork: sum.atWork + atWork, waiting: sum.waiting + waiting })
  }
  return [...sums.values()]
}
