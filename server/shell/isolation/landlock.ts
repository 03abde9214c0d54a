/**
 * Landlock: the kernel's restriction of what a process and its children may access (landlock(7)). Anything that no
 * rule grants is denied.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { call } from '#server/os/libc.ts'

const CREATE_RULESET_VERSION = 1
const RULE_PATH_BENEATH = 1

/** File access rights, in the order of their bits. */
const RIGHTS = [
  'execute',
  'writeFile',
  'readFile',
  'readFolder',
  'removeFolder',
  'removeFile',
  'makeCharDevice',
  'makeFolder',
  'makeFile',
  'makeSocket',
  'makePipe',
  'makeBlockDevice',
  'makeSymlink',
  'refer',
  'truncate',
  'deviceControl',
] as const
type Right = (typeof RIGHTS)[number]

/** Rights for files; the others are for folders. */
const FILE_RIGHTS = maskOf('execute', 'writeFile', 'readFile', 'truncate', 'deviceControl')
/** ABI version → how many of `RIGHTS` it knows; later versions know all. */
const KNOWN_RIGHTS = [0, 13, 14, 15, 15, 16]

export const READ = maskOf('readFile', 'readFolder')
export const READ_EXECUTE = READ | maskOf('execute')
export const DEVICE = maskOf('readFile', 'writeFile', 'deviceControl')
/** All rights except execution, control of devices, and creating devices and sockets. */
export const READ_WRITE =
  READ |
  maskOf('writeFile', 'removeFolder', 'removeFile', 'makeFolder', 'makeFile') |
  maskOf('makePipe', 'makeSymlink', 'refer', 'truncate')
export const MAKE_SOCKET = maskOf('makeSocket')

/** TCP bind and connect; from ABI version 4 on. */
const ALL_TCP = 3n
/** Scopes: abstract Unix sockets of, and signals to, processes outside the sandbox; from ABI version 6 on. */
const ALL_SCOPES = 3n

/** @returns the ABI version of the kernel's Landlock; 0 if it has none */
export function landlockVersion(): number {
  try {
    return call('landlock_create_ruleset', 0, 0, CREATE_RULESET_VERSION)
  } catch (error) {
    if (error instanceof SystemError) return 0
    throw error
  }
}

/** The minimum ABI version, of Linux 6.2. Earlier ones cannot prevent truncation of read-only files. */
export const LANDLOCK_MIN_VERSION = 3

/** A ruleset, which applies to this thread and its children after `enforce`. */
export class Ruleset {
  readonly #fd: number
  /** The rights that the kernel knows. */
  readonly #known: number

  /** @throws SystemError */
  constructor(version: number, allowsNetwork: boolean) {
    this.#known = 2 ** (KNOWN_RIGHTS[version] ?? RIGHTS.length) - 1
    const fields = [BigInt(this.#known)]
    if (version >= 4) fields.push(allowsNetwork ? 0n : ALL_TCP)
    if (version >= 6) fields.push(ALL_SCOPES)
    const attributes = new BigUint64Array(fields)
    this.#fd = call('landlock_create_ruleset', attributes, attributes.byteLength, 0)
  }

  /**
   * Grants rights on an open file or folder with all its content.
   *
   * @throws SystemError
   */
  allow(fd: number, rights: number): void {
    const applicable = fstatSync(fd).isDirectory() ? rights : rights & FILE_RIGHTS
    const rule = new DataView(new ArrayBuffer(12))
    rule.setBigUint64(0, BigInt(applicable & this.#known), true)
    rule.setInt32(8, fd, true)
    call('landlock_add_rule', this.#fd, RULE_PATH_BENEATH, rule, 0)
  }

  /**
   * Like `allow`, for a system path; ignored if it cannot be opened.
   *
   * @throws SystemError
   */
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

  /**
   * Enforces the rules irrevocably. Needs no_new_privs.
   *
   * @throws SystemError
   */
  enforce(): void {
    call('landlock_restrict_self', this.#fd, 0)
  }
}

function maskOf(...rights: Right[]): number {
  return rights.reduce((mask, right) => mask | (1 << RIGHTS.indexOf(right)), 0)
}
