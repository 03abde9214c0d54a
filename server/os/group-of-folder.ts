/** File systems that give each new entry the group of its folder (the option `grpid` of mount(8)). */
import { readFileSync } from 'node:fs'

const OPTION = /(^|,)(grpid|bsdgroups)(,|$)/
/** An option can change while the file system is mounted. */
const FRESH_MS = 10_000

let numbers: ReadonlySet<string> = new Set()
let readAtMs = Number.NEGATIVE_INFINITY

/** @param dev the number of a file system, as in `Stats.dev` */
export function givesGroupOfFolder(dev: number): boolean {
  const nowMs = performance.now()
  if (nowMs - readAtMs > FRESH_MS) {
    numbers = mountedWithOption()
    readAtMs = nowMs
  }
  return numbers.size > 0 && numbers.has(majorMinorOf(dev))
}

/** @returns the numbers of these file systems, as in proc_pid_mountinfo(5): `MAJOR:MINOR` */
function mountedWithOption(): Set<string> {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'latin1').split('\n')
    const mounts = lines.map((line) => line.split(' '))
    return new Set(
      mounts.filter((mount) => OPTION.test(mount.at(-1) ?? '')).map((mount) => mount[2] ?? ''),
    )
  } catch {
    return new Set()
  }
}

/** As makedev(3) of the C library composes a number. */
function majorMinorOf(dev: number): string {
  const number = BigInt(dev)
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn)
  const minor = (number & 0xffn) | ((number >> 12n) & ~0xffn)
  return `${major}:${minor & 0xffffffffn}`
}
