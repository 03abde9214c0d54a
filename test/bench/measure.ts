/** How benches take times: rounds that alternate between those who are compared, and the median of each. */

const ROUNDS = 9

/** Milliseconds of each work, the median of several rounds. One round before them is not counted. */
export function medians<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const measures = names.map((name) => [name, () => timed(works[name])])
  return mediansOf(Object.fromEntries(measures) as Record<Name, () => Promise<number>>)
}

/** As `medians`, of figures that each work measures itself. */
export async function mediansOf<Name extends string>(
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[]
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const figure = await measures[name]()
      if (round > 0) figures.get(name)?.push(figure)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<
    Name,
    number
  >
}

/** The milliseconds that a work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

/** Runs a program of the system to its end. @throws Error when it fails */
export async function runToEnd(...command: string[]): Promise<void> {
  const program = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  await new Response(program.stdout).arrayBuffer()
  if ((await program.exited) !== 0) throw new Error(`${command[0]} has failed.`)
}

/** A row of a table for people. */
export function row(cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell))
  process.stdout.write(`${texts.map((text) => text.padStart(14)).join('')}\n`)
}
