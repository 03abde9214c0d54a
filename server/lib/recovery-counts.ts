/** Counts what was left unfinished and has been recovered, for one line in the log. */

/** What is counted, in the order and the words of the line. */
const KINDS = {
  staged: 'unfinished files removed',
  hidden: 'files put back that were being moved',
  completed: 'interrupted changes that were done',
  takenBack: 'interrupted changes that were not done',
  undos: 'half undos taken back',
  jobs: 'jobs continued',
} as const

export type RecoveryKind = keyof typeof KINDS

/** What belongs together is reported in one line. */
const LINE_DELAY_MS = 1000

export class RecoveryCounts {
  #counts: Partial<Record<RecoveryKind, number>> = {}
  #report: (() => void) | undefined
  #timer: Timer | undefined

  add(kind: RecoveryKind, count = 1): void {
    if (count === 0) return
    this.#counts[kind] = (this.#counts[kind] ?? 0) + count
    const report = this.#report
    if (report) this.#timer ??= setTimeout(report, LINE_DELAY_MS).unref()
  }

  /**
   * @param log receives a line now, if there was anything, and later ones
   * @param uploads the number of unfinished uploads, which continue
   */
  listen(log: (line: string) => void, uploads: () => Promise<number>): void {
    this.#report = async () => {
      this.#timer = undefined
      const parts = Object.entries(KINDS).flatMap(([kind, words]) => {
        const count = this.#counts[kind as RecoveryKind]
        return count ? [`${words}: ${count}`] : []
      })
      this.#counts = {}
      if (parts.length === 0) return
      const waiting = await uploads()
      if (waiting > 0) parts.push(`uploads that can continue: ${waiting}`)
      log(`Something was left unfinished, and is recovered now. ${sentence(parts.join(', '))}`)
    }
    this.#report()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
