/** The signature of an executable for macOS, which macOS compares before it starts it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signatureFault } from '../../scripts/mach-o.ts'
import { temporaryFolder } from '../support/files/tree.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** The build signs in the same way. @returns undefined if the runtime for macOS cannot be downloaded */
function built(): Buffer | undefined {
  const [source, executable] = [join(folder.path, 'main.ts'), join(folder.path, 'main')]
  writeFileSync(source, 'console.log("started")')
  const target = ['--target=bun-darwin-arm64', `--outfile=${executable}`]
  const { success } = Bun.spawnSync([process.execPath, 'build', '--compile', ...target, source], {
    cwd: folder.path,
    stderr: 'ignore',
    stdout: 'ignore',
  })
  return success ? readFileSync(executable) : undefined
}

describe('an executable for macOS', () => {
  let executable: Buffer | undefined
  beforeAll(() => {
    executable = built()
    if (!executable) process.stdout.write('The runtime for macOS cannot be downloaded.\n')
  })

  test('is signed, and a changed byte of any page is noticed', () => {
    if (!executable) return
    expect(signatureFault(executable)).toBe(undefined)
    const limit = executable.readUInt32LE(offsetOfSignature(executable))
    for (const at of [4096 * 3 + 5, limit - 1]) {
      const changed = Buffer.from(executable)
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at)
      expect(signatureFault(changed)).toContain('has another hash.')
    }
    expect(signatureFault(Buffer.concat([executable, Buffer.from('more')]))).toBe(
      'Its signature is not at its end.',
    )
  })
})

test('another file is no executable for macOS', () => {
  expect(signatureFault(readFileSync(process.execPath))).toBe('It is not of macOS.')
  expect(signatureFault(Buffer.alloc(4))).toBe('It is not of macOS.')
})

/** Where the load command of the signature has its offset: LC_CODE_SIGNATURE (loader.h). */
function offsetOfSignature(file: Buffer): number {
  for (let at = 32; ; at += file.readUInt32LE(at + 4))
    if (file.readUInt32LE(at) === 0x1d) return at + 8
}
