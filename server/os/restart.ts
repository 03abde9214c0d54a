/** Starts this executable again in the same process (execve(2)). */
import { FFIType } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { addressOf, cString, openLibrary } from './libc.ts'

const { i32, ptr: pointer } = FFIType

/**
 * Replaces this process by a new start of its executable, with one more variable in the environment. The process id, the
 * arguments, the working folder and the standard streams stay the same. Arguments and environment are read from the
 * kernel, since they may contain bytes that are not UTF-8.
 *
 * Returns only if this is not possible: without a C library or /proc, or if the executable file was removed.
 */
export function restartWith(variable: string, value: string): void {
  const libc = openLibrary({ execve: { args: [pointer, pointer, pointer], returns: i32 } })
  const args = ownStrings('cmdline')
  const environment = ownStrings('environ')
  if (!libc || !args || !environment) return
  const added = cString(`${variable}=${value}`)
  const argv = addressesOf(args)
  const envp = addressesOf(environment, added)
  libc.execve(cString(process.execPath), argv, envp)
}

/** A file of strings in /proc, each with NUL at its end; undefined if it cannot be read. */
function ownStrings(name: 'cmdline' | 'environ'): Uint8Array | undefined {
  try {
    return readFileSync(`/proc/self/${name}`)
  } catch {
    return undefined
  }
}

/** The addresses of all strings in the blocks, and 0 at the end. The blocks must stay alive while they are used. */
function addressesOf(...blocks: readonly Uint8Array[]): BigUint64Array {
  const addresses: bigint[] = []
  for (const block of blocks) {
    const address = addressOf(block)
    for (let start = 0; start < block.length; start = block.indexOf(0, start) + 1) {
      addresses.push(address + BigInt(start))
    }
  }
  return new BigUint64Array([...addresses, 0n])
}
