/** Temporary folders of commands. Each is removed with its command, or at the next start. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rmSync } from '#server/os/remove.ts'

const NAME = /^filemgr-shell-(\d+)-(\d+)-/

/** Creates an empty folder for one command. The caller removes it. */
export function createScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), `filemgr-shell-${processNamespace()}-${process.pid}-`))
}

/** Removes folders of servers that have ended. */
export function removeStaleScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, server] = NAME.exec(name) ?? []
    if (namespace !== processNamespace() || existsSync(`/proc/${server}`)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another system account.
    }
  }
}

/** The PID namespace (pid_namespaces(7)), because containers may share the temporary folder. */
function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
