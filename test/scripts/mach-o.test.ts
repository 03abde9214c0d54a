/** The signature of an executable for macOS, which macOS compares before it starts it. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signAdHoc, signatureFault } from '../../scripts/mach-o.ts'
import { temporaryFolder } from '../support/files/tree.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** @returns an executable for macOS; undefined if its runtime cannot be downloaded */
function built(target: 'arm64' | 'x64'): Buffer | undefined {
  const [source, executable] = [join(folder.path, 'main.ts'), join(folder.path, target)]
  writeFileSync(source, 'console.log("started")')
  const options = ['--compile', `--target=bun-darwin-${target}`, `--outfile=${executable}`]
  const { success } = Bun.spawnSync([process.execPath, 'build', ...options, source], {
    cwd: folder.path,
    stderr: 'ignore',
    stdout: 'ignore',
  })
  if (!success) process.stdout.write('The runtime for macOS cannot be downloaded.\n')
  return success ? readFileSync(executable) : undefined
}

test('an executable for arm64 is signed by the build, and a changed byte of any page is noticed', () => {
  const executable = built('arm64')
  if (!executable) return
  expect(signatureFault(executable)).toBe(undefined)
  const limit = offsetOfSignature(executable)
  for (const at of [4096 * 3 + 5, limit - 1]) {
    const changed = Buffer.from(executable)
    changed.writeUInt8((changed[at] ?? 0) ^ 1, at)
    expect(signatureFault(changed)).toContain('has another hash.')
  }
  expect(signatureFault(Buffer.concat([executable, Buffer.from('more')]))).toBe(
    'Its signature is not at its end.',
  )
})

test('an executable for x64 is signed again, and nothing but its signature and its place changes', () => {
  const executable = built('x64')
  if (!executable) return
  expect(signatureFault(executable)).not.toBe(undefined)
  const signed = signAdHoc(executable, 'filemgr')
  expect(signatureFault(signed)).toBe(undefined)
  const limit = offsetOfSignature(signed)
  expect(limit).toBe(offsetOfSignature(executable))
  // All load commands are in the first page.
  expect(signed.subarray(4096, limit).equals(executable.subarray(4096, limit))).toBe(true)
  expect(signAdHoc(signed, 'filemgr').equals(signed)).toBe(true)
})

test('another file is no executable for macOS', () => {
  expect(signatureFault(readFileSync(process.execPath))).toBe('It is not of macOS.')
  expect(signatureFault(Buffer.alloc(4))).toBe('It is not of macOS.')
})

/** Where the signature begins, by the load command LC_CODE_SIGNATURE (loader.h). */
function offsetOfSignature(file: Buffer): number {
  for (let at = 32; ; at += file.readUInt32LE(at + 4)) {
    if (file.readUInt32LE(at) === 0x1d) return file.readUInt32LE(at + 8)
  }
}
