/** How benches measure: rounds alternate between the functions that are compared, and each figure is a median. */

const ROUNDS = 9

/** The median milliseconds of each function. The first of the rounds is not counted. */
export function medians<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const measures = names.map((name) => [name, () => timed(works[name])])
  return mediansOf(Object.fromEntries(measures) as Record<Name, () => Promise<number>>)
}

/** As `medians`, of the figures that the functions return. */
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

/** The milliseconds that a function takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

/** Runs a command and reads its output to the end. @throws Error if it fails */
export async function runToEnd(...command: string[]): Promise<void> {
  const program = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  await new Response(program.stdout).arrayBuffer()
  if ((await program.exited) !== 0) throw new Error(`${command[0]} has failed.`)
}

/** Prints a row of a table with columns of the same width. */
export function printRow(cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell))
  process.stdout.write(`${texts.map((text) => text.padStart(14)).join('')}\n`)
}
