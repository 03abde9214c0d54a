/** Checks that a file or folder belongs to this account only. */
import { existsSync, type Stats, statSync } from 'node:fs'
import { type Finding, ok, problem } from './finding.ts'

/** Permission bits: group or others have any right. */
const OTHERS = 0o077
/** Windows has neither owners nor modes that node:fs knows. */
export const HAS_MODES = process.platform !== 'win32'

/** @param subject what it is, as the beginning of a sentence */
export function privateFindings(subject: string, path: string): Finding[] {
  const stats = statsOf(path)
  if (!stats) return [ok(`${subject} will be created at ${path}.`)]
  if (!HAS_MODES) return [ok(`${subject} ${path} inherits the access of its folder.`)]
  if (stats.uid !== process.getuid?.()) {
    return [
      problem(
        `${subject} ${path} belongs to another account.`,
        'Run filemgr as that account, or name another path.',
      ),
    ]
  }
  if ((stats.mode & OTHERS) !== 0) {
    return [
      problem(`Other accounts can open ${subject.toLowerCase()} ${path}.`, `chmod go= ${path}`),
    ]
  }
  return [ok(`${subject} ${path} belongs to this account only.`)]
}

export function statsOf(path: string): Stats | undefined {
  return existsSync(path) ? statSync(path) : undefined
}
