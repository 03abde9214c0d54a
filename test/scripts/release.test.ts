/** What is released: four executables of one build, each with its own native files. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { TARGETS } from '../../scripts/targets.ts'
import { REPO_ROOT } from '../support/executable.ts'

const release = (...targets: string[]) =>
  Bun.spawnSync([process.execPath, join(REPO_ROOT, 'scripts/release.ts'), ...targets])

test('a target nobody knows is a sentence that names the known ones', () => {
  const { exitCode, stderr, stdout } = release('plan9-mips')
  expect([exitCode, stdout.toString()]).toEqual([2, ''])
  expect(stderr.toString().trim()).toBe(
    `No such target: plan9-mips. ${Object.keys(TARGETS).join(', ')}`,
  )
})

test.each(Object.entries(TARGETS))('%s names one platform everywhere', (name, target) => {
  const { bun, sharp, cpu, libc } = target
  const musl = libc === 'musl'
  expect(name).toBe(`linux-${cpu}${musl ? '-musl' : ''}`)
  expect(bun).toBe(`bun-${name}` as typeof bun)
  expect(sharp).toBe(`linux${musl ? 'musl' : ''}-${cpu}`)
})
