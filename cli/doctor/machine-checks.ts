/** Checks the kernel features that confine users to their folders. */

import type { Config } from '#server/config/config.ts'
import { commandIsolation, machineLimits, previewPrograms } from '#server/isolation.ts'
import { storageKind } from '#server/tree.ts'
import { Fault } from '#wire/fault.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function machineFindings(config: Config): Finding[] {
  const { beneath, landlock, landlockNeeded } = machineLimits()
  if (process.platform === 'win32') {
    return [storageFinding(config, beneath), warning(...NO_FOLDER_FLUSH), warning(...NO_JAIL)]
  }
  if (process.platform === 'darwin') return [storageFinding(config, beneath), warning(...NO_JAIL)]
  return [
    storageFinding(config, beneath),
    landlock >= landlockNeeded
      ? ok(`The kernel can isolate commands (Landlock ${landlock}).`)
      : warning(
          'The kernel cannot isolate commands, so they stay off.',
          'Linux 6.2 or newer with Landlock is needed for --exec.',
        ),
    previewFinding(),
  ]
}

/** Says which files have previews, since a missing program is not an error, and its files have only an icon. */
function previewFinding(): Finding {
  const programs = previewPrograms()
  const list = (isInstalled: boolean, format: (program: (typeof programs)[number]) => string) =>
    programs.filter((program) => program.isInstalled === isInstalled).map(format)
  const shown = list(true, ({ files }) => files)
  const absent = list(false, ({ files, packages }) => `${files} (in Debian: ${packages})`)
  const what = `Programs for previews are installed for: ${shown.join(', ') || 'no files'}.`
  if (absent.length === 0) return ok(what)
  return {
    level: 'fine',
    what,
    advice: `Without one there are no previews of ${absent.join(', ')}.`,
  }
}

/** Says how files are opened, and what is not promised then. */
function storageFinding(config: Config, beneath: boolean): Finding {
  try {
    if (storageKind(config) === 'portable') return warning(PORTABLE, PORTABLE_ADVICE)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return problem('The storage cannot open files.', error.message)
  }
  if (beneath) {
    return ok('The storage is local, and the kernel confines paths to the served folder (openat2).')
  }
  return warning(
    'The storage is local, but the kernel has no openat2, so paths are opened one component at a time.',
    'Linux 5.6 or newer is faster and stricter; a container must allow the call.',
  )
}

const PORTABLE =
  'The storage is portable: a program of this machine that swaps a folder at the right moment can lead a request to another folder, a replaced file without hard links leaves no earlier version, and a disk that does not respond stops all requests.'
const PORTABLE_ADVICE =
  process.platform === 'linux'
    ? 'Give no other account of this machine the right to change the served folder. With /proc, leave --storage out.'
    : 'Give no other account of this machine the right to change the served folder.'
const NO_JAIL = [
  'Commands, terminals and confined previews (films, PDFs, office files) need Linux, so they stay off.',
  'Serve from Linux if you need them.',
] as const
/** Windows has no call for a flush of names. */
const NO_FOLDER_FLUSH = [
  'Windows flushes the content of a file, but not its name: a power failure may undo the last uploads and renames.',
  'Use a disk with NTFS or ReFS, which note changes of names in a journal, and a battery for the machine.',
] as const

/** Tests the isolation of commands; no findings if commands are off. */
export async function isolationFindings(config: Config): Promise<Finding[]> {
  if (!config.flag('exec')) return []
  try {
    const { isolation, notice } = await commandIsolation(config)
    const isolationFinding = isolation === undefined ? [] : [ok(ISOLATION[isolation])]
    return notice === undefined
      ? isolationFinding
      : [...isolationFinding, warning(notice, 'See docs/protections.md.')]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return [problem(error.message, 'Commands could not be tested.')]
  }
}

const ISOLATION = {
  root: 'Commands run with their own file tree and process list, confined by Landlock and a system call filter.',
  landlock: 'Commands are confined by Landlock and a system call filter.',
  none: 'Commands run with limits only, without isolation.',
}
