/** Whether this machine can keep programs in, and behind which walls; asked once at the start. */
import { relative } from 'node:path'
import { LANDLOCK_NEEDED, landlockVersion } from './landlock.ts'
import { type Isolation, SYSTEM_FOLDERS } from './policy.ts'

/** What execution stands behind, or the sentence that says why there is none. */
export type Confinement =
  | { isolation: Isolation; off?: undefined }
  | { isolation?: undefined; off: string }

export interface ConfinementOptions {
  /** The operator wants execution at all. */
  wanted: boolean
  /** The operator does without walls. */
  unconfined: boolean
  /** The served folder, and the server's own files, by their paths on the disk. */
  root: string
  ownFiles: readonly string[]
}

export interface Machine {
  platform: string
  landlock(): number
  /** Builds a jail behind such walls. @returns what went wrong; undefined when it stands */
  tryOut(isolation: Isolation): Promise<string | undefined>
}

/** This machine. */
export function thisMachine(tryOut: Machine['tryOut']): Machine {
  return { platform: process.platform, landlock: landlockVersion, tryOut }
}

const ADVICE =
  'Start with --exec-unconfined only if everyone who may run commands may also read and change all that this server may.'
/** The kernel's own folders: who could write there could change the machine. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev', '/etc']

/**
 * Chooses the strongest walls that stand here. The safe answer to any doubt is that commands stay off.
 */
export async function confinementOf(
  options: ConfinementOptions,
  machine: Machine,
): Promise<Confinement> {
  if (!options.wanted) return { off: 'Commands are switched off.' }
  if (machine.platform !== 'linux') return { off: 'Commands stay off: they need Linux.' }
  if (options.unconfined) return confinedBy('none', machine)
  const overlap = overlapOf(options)
  if (overlap) return { off: `Commands stay off: ${overlap} ${ADVICE}` }
  if (machine.landlock() < LANDLOCK_NEEDED) {
    return { off: `Commands stay off: this system has no Landlock (Linux 6.2 or newer). ${ADVICE}` }
  }
  const best = await confinedBy('root', machine)
  return best.off === undefined ? best : confinedBy('landlock', machine)
}

async function confinedBy(isolation: Isolation, machine: Machine): Promise<Confinement> {
  const problem = await machine.tryOut(isolation)
  if (problem === undefined) return { isolation }
  return { off: `Commands stay off: a jail could not be built (${problem}). ${ADVICE}` }
}

/** Walls cannot stand between two things of which one holds the other. */
function overlapOf({ root, ownFiles }: ConfinementOptions): string | undefined {
  const open = [...SYSTEM_FOLDERS, ...KERNEL_FOLDERS]
  const within = open.find((folder) => holds(folder, root))
  if (within) return `the served folder lies in ${within}.`
  const below = open.find((folder) => holds(root, folder))
  if (below) return `the served folder holds ${below}.`
  const readable = SYSTEM_FOLDERS.find((folder) => ownFiles.some((file) => holds(folder, file)))
  if (readable) return `the server keeps files of its own in ${readable}, which commands may read.`
  return undefined
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../'))
}
