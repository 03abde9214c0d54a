/** Finds out at the start how this machine can isolate programs. */
import { relative } from 'node:path'
import { LANDLOCK_MIN_VERSION, landlockVersion } from './landlock.ts'
import { type Isolation, SYSTEM_FOLDERS } from './policy.ts'

/** The isolation, or the message why commands are off. */
export type Confinement =
  | { isolation: Isolation; off?: undefined }
  | { isolation?: undefined; off: string }

export interface ConfinementOptions {
  /** Whether the operator enables commands. */
  isEnabled: boolean
  /** Whether the operator has chosen commands without isolation. */
  isUnconfined: boolean
  /** The path of the served folder on the disk. */
  root: string
  /** The paths of the server's files with secrets on the disk, which no program may read. */
  secretFiles: readonly string[]
}

export interface Machine {
  platform: string
  landlock(): number
  /**
   * Tries to start a program with an isolation.
   *
   * @returns the error; undefined if it works
   */
  tryOut(isolation: Isolation): Promise<string | undefined>
}

/** The real machine. */
export function thisMachine(tryOut: Machine['tryOut']): Machine {
  return { platform: process.platform, landlock: landlockVersion, tryOut }
}

const ADVICE =
  'Start with --exec-unconfined only if everyone who may run commands may also read and change all that this server may.'
/** Folders of the kernel and the system, to which no command may write. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev', '/etc']

/** Chooses the strongest isolation that works here. In doubt, commands stay off. */
export async function confinementOf(
  options: ConfinementOptions,
  machine: Machine,
): Promise<Confinement> {
  if (!options.isEnabled) return { off: 'Commands are switched off.' }
  if (machine.platform !== 'linux') return { off: 'Commands stay off: they need Linux.' }
  if (options.isUnconfined) return confinedBy('none', machine)
  const overlap = overlapOf(options)
  if (overlap) return { off: `Commands stay off: ${overlap} ${ADVICE}` }
  if (machine.landlock() < LANDLOCK_MIN_VERSION) {
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

/**
 * Isolation is impossible if the served folder and a system folder contain each other, or commands could read the
 * server's own files.
 *
 * @returns the reason; undefined if there is none
 */
function overlapOf({ root, secretFiles }: ConfinementOptions): string | undefined {
  const systemFolders = [...SYSTEM_FOLDERS, ...KERNEL_FOLDERS]
  const within = systemFolders.find((folder) => contains(folder, root))
  if (within) return `the served folder is inside ${within}.`
  const below = systemFolders.find((folder) => contains(root, folder))
  if (below) return `the served folder contains ${below}.`
  const readable = SYSTEM_FOLDERS.find((folder) =>
    secretFiles.some((file) => contains(folder, file)),
  )
  if (readable) return `the server has files of its own in ${readable}, which commands may read.`
  return undefined
}

/** Whether a path is `folder` or below it. */
function contains(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path)
  return fromFolder === '' || (fromFolder !== '..' && !fromFolder.startsWith('../'))
}
