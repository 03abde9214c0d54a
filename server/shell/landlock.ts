/**
 * Landlock: the kernel's list of what a process may reach, kept by it and all it starts, for good
 * (landlock(7)). What no rule grants is denied.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { call } from '#server/os/libc.ts'

const VERSION_QUESTION = 1
const RULE_PATH_BENEATH = 1

/** Rights on files, in the order of their bits. */
const RIGHTS = [
  'execute',
  'writeFile',
  'readFile',
  'readFolder',
  'removeFolder',
  'removeFile',
  'makeDevice',
  'makeFolder',
  'makeFile',
  'makeSocket',
  'makePipe',
  'makeBlockDevice',
  'makeLink',
  'refer',
  'truncate',
  'deviceControl',
] as const
type Right = (typeof RIGHTS)[number]

/** Rights a file can have; the others are those of folders. */
const FILE_RIGHTS = maskOf('execute', 'writeFile', 'readFile', 'truncate', 'deviceControl')
/** How many of the rights each version of Landlock knows. */
const KNOWN_RIGHTS = [0, 13, 14, 15, 15, 16]

export const READ = maskOf('readFile', 'readFolder')
export const RUN = READ | maskOf('execute')
export const DEVICE = maskOf('readFile', 'writeFile', 'deviceControl')
/** Everything people do with files. Not: running them, and making devices and sockets. */
export const WORK =
  READ |
  maskOf('writeFile', 'removeFolder', 'removeFile', 'makeFolder', 'makeFile') |
  maskOf('makePipe', 'makeLink', 'refer', 'truncate')

/** TCP, bind and connect: known from version 4 on. */
const ALL_TCP = 3n
/** Abstract sockets and signals of processes outside: known from version 6 on. */
const ALL_OUTSIDE = 3n

/** The version of Landlock this kernel offers; 0 when it offers none. */
export function landlockVersion(): number {
  try {
    return call('landlock_create_ruleset', 0, 0, VERSION_QUESTION)
  } catch (error) {
    if (error instanceof SystemError) return 0
    throw error
  }
}

/**
 * The least version jails are built on. The two before cannot keep a process from cutting files that
 * it may not write (Linux 6.2).
 */
export const LANDLOCK_NEEDED = 3

/** Rules in the making. They hold for this thread, and what it becomes, from `enforce` on. */
export class Ruleset {
  readonly #fd: number
  readonly #known: number

  /** @throws SystemError */
  constructor(version: number, network: boolean) {
    this.#known = 2 ** (KNOWN_RIGHTS[version] ?? RIGHTS.length) - 1
    const words = [BigInt(this.#known)]
    if (version >= 4) words.push(network ? 0n : ALL_TCP)
    if (version >= 6) words.push(ALL_OUTSIDE)
    const attributes = new BigUint64Array(words)
    this.#fd = call('landlock_create_ruleset', attributes, attributes.byteLength, 0)
  }

  /** Grants rights on an open file or folder and all below it. @throws SystemError */
  allow(fd: number, rights: number): void {
    const fitting = fstatSync(fd).isDirectory() ? rights : rights & FILE_RIGHTS
    const rule = new DataView(new ArrayBuffer(12))
    rule.setBigUint64(0, BigInt(fitting & this.#known), true)
    rule.setInt32(8, fd, true)
    call('landlock_add_rule', this.#fd, RULE_PATH_BENEATH, rule, 0)
  }

  /** As `allow`, by a path of the system's own; nothing when there is no such thing. */
  allowPath(path: string, rights: number): void {
    let fd: number
    try {
      fd = openSync(path, O_PATH)
    } catch {
      return
    }
    try {
      this.allow(fd, rights)
    } finally {
      closeSync(fd)
    }
  }

  /** No way back from here. Needs no_new_privs. @throws SystemError */
  enforce(): void {
    call('landlock_restrict_self', this.#fd, 0)
  }
}

function maskOf(...rights: Right[]): number {
  return rights.reduce((mask, right) => mask | (1 << RIGHTS.indexOf(right)), 0)
}
