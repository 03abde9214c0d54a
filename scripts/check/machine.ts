/** What the check needs from the machine: programs, browsers and room on the disk. Without them no test says anything. */
import { mkdirSync, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePypiPrograms } from '../pypi-programs.ts'
import { REPO_ROOT } from '../repo-root.ts'
import { ensureChromium, ensureHeadlessShell, ensurePrograms } from '../system-packages.ts'

/** The machine cannot run the check. The message says what to do; the exit code is 2. */
export class MachineProblem extends Error {}

/** At the start of the check. The executable has 160 MB, and tests write files of some hundred. */
const START_FREE_BYTES = 2 * 2 ** 30
/** During the check. With less, tests begin to fail for lack of room. */
const RUNNING_FREE_BYTES = 200 * 2 ** 20
const INTERVAL_MS = 1000

const FOLDERS = [join(REPO_ROOT, 'dist'), tmpdir()]

/** The browsers of the end-to-end tests: the whole Chromium, and its headless shell. */
export interface Browsers {
  chromium: string
  headlessShell: string
}

/** @throws MachineProblem if programs are missing and cannot be installed */
export function mustHavePrograms(): void {
  problemOf(ensurePrograms)
  ensurePypiPrograms()
}

/** @throws MachineProblem if there is no browser, and none can be installed */
export function mustHaveBrowsers(): Browsers {
  return problemOf(() => ({ chromium: ensureChromium(), headlessShell: ensureHeadlessShell() }))
}

/** @throws MachineProblem if a disk has too little room for the check */
export function mustHaveRoom(): void {
  for (const folder of FOLDERS) {
    mkdirSync(folder, { recursive: true })
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < START_FREE_BYTES) throw new MachineProblem(noRoom(folder, bavail * bsize))
  }
}

/**
 * Watches the room on the disks, and calls `onFull` once when one is nearly full.
 *
 * @returns a function that ends the watch
 */
export function watchRoom(onFull: (problem: MachineProblem) => void): () => void {
  const timer = setInterval(async () => {
    for (const folder of FOLDERS) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize >= RUNNING_FREE_BYTES) continue
      clearInterval(timer)
      onFull(new MachineProblem(noRoom(folder, bavail * bsize)))
      return
    }
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}

function noRoom(folder: string, freeBytes: number): string {
  const [free, needed] = [freeBytes, START_FREE_BYTES].map((bytes) => Math.floor(bytes / 2 ** 20))
  return `The disk of ${folder} has only ${free} MiB free. The check needs ${needed} MiB: free some room, or set TMPDIR to a folder on another disk.`
}

/** Runs `work`, whose errors are sentences about the machine. */
function problemOf<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new MachineProblem(error instanceof Error ? error.message : String(error))
  }
}
