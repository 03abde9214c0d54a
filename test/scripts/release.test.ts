/** The platforms of a release: their names, and how an executable for musl is recognised. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hostTarget, isBuiltForMusl, muslLoader, TARGETS } from '../../scripts/targets.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT } from '../support/server/executable.ts'

const release = (...targets: string[]) =>
  Bun.spawnSync([process.execPath, join(REPO_ROOT, 'scripts/release.ts'), ...targets])

test('the message about an unknown target lists the known targets', () => {
  const { exitCode, stderr, stdout } = release('plan9-mips')
  expect([exitCode, stdout.toString()]).toEqual([2, ''])
  expect(stderr.toString().trim()).toBe(
    `No such target: plan9-mips. ${Object.keys(TARGETS).join(', ')}`,
  )
})

test.each(Object.entries(TARGETS))(
  'all names of the target %s mean the same platform',
  (name, target) => {
    const { bun, sharp, napi, os, cpu, libc } = target
    const system = os === 'win32' ? 'windows' : os
    const musl = libc === 'musl'
    expect(name).toBe(`${system}-${cpu}${musl ? '-musl' : ''}`)
    expect(bun).toBe(`bun-${name}` as typeof bun)
    expect(sharp).toBe(`${os}${musl ? 'musl' : ''}-${cpu}`)
    const abi = { linux: musl ? '-musl' : '-gnu', darwin: '', win32: '-msvc' }[os]
    expect(napi).toBe(`${os}-${cpu}${abi}`)
  },
)

test.each([
  ['win32', 'x64', 'windows-x64'],
  ['darwin', 'arm64', 'darwin-arm64'],
  ['darwin', 'x64', 'darwin-x64'],
] as const)('a build on %s (%s) makes the target %s', (platform, arch, target) => {
  expect(hostTarget(platform, arch)).toBe(target)
})

test('a build on a machine without a target says so', () => {
  expect(() => hostTarget('win32', 'arm64')).toThrow('There is no executable for win32 on arm64.')
  expect(() => hostTarget('freebsd', 'x64')).toThrow('There is no executable for freebsd on x64.')
})

test('an executable for musl is recognised by the loader that it names, whether or not it is installed', async () => {
  const folder = temporaryFolder()
  for (const cpu of ['x64', 'arm64'] as const) {
    const file = join(folder.path, cpu)
    await Bun.write(file, `\x7fELF${'\0'.repeat(600)}${muslLoader(cpu)}\0`)
    expect(isBuiltForMusl(file)).toBe(true)
    await Bun.write(file, `\x7fELF${'\0'.repeat(600)}/lib64/ld-linux-x86-64.so.2\0`)
    expect(isBuiltForMusl(file)).toBe(false)
  }
  expect(hostTarget().endsWith('-musl')).toBe(isBuiltForMusl(process.execPath))
  folder.remove()
})
