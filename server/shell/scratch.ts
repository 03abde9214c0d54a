/** Temporary folders of commands: each has one, which goes with it, or at the start after a kill. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^filemgr-shell-(\d+)-(\d+)-/

/** An empty folder for one command. The caller removes it. */
export function makeScratch(): string {
  return mkdtempSync(join(tmpdir(), `filemgr-shell-${processNamespace()}-${process.pid}-`))
}

/** Removes those of servers that are gone. */
export function sweepScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, server] = NAME.exec(name) ?? []
    if (namespace !== processNamespace() || existsSync(`/proc/${server}`)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another account's.
    }
  }
}

/** The PID namespace (pid_namespaces(7)): the temporary folder may be shared with other containers. */
function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
