import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSbom } from '../../scripts/sbom.ts'
import { TARGETS, targetNamed } from '../../scripts/targets.ts'
import { REPO_ROOT } from '../support/executable.ts'
import { temporaryFolder } from '../support/tree.ts'

test('the bill of materials names every package that may be inside, with version, license and digest', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'x.cdx.json')
  await writeSbom(path, 'filemgr', '1.2.3', targetNamed('linux-x64'))
  const { components, metadata } = JSON.parse(readFileSync(path, 'utf8'))
  expect(metadata.component).toEqual({ type: 'application', name: 'filemgr', version: '1.2.3' })
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(REPO_ROOT, 'package.json'), 'utf8'),
  )
  const found = new Map<
    string,
    { version: string; hashes?: { content: string }[]; licenses?: object[] }
  >(components.map((one: { name: string; version: string }) => [one.name, one]))
  for (const [name, version] of Object.entries(dependencies)) {
    expect(found.get(name)?.version, name).toBe(version as string)
    expect(found.get(name)?.licenses, name).toBeDefined()
    expect(found.get(name)?.hashes?.[0]?.content ?? '', name).toMatch(/^[0-9a-f]{128}$/)
  }
  expect(found.has('bun')).toBe(true)
  expect(Object.keys(devDependencies)).toContain('playwright')
  expect(found.has('playwright')).toBe(false)
  folder.remove()
})

test.each(Object.keys(TARGETS))(
  'the native packages in the bill of %s are those of this platform',
  async (name) => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'x.cdx.json')
    await writeSbom(path, 'filemgr', '1.2.3', targetNamed(name))
    const components: { name: string }[] = JSON.parse(readFileSync(path, 'utf8')).components
    const names = new Set(components.map((part) => part.name))
    const included = Object.entries(TARGETS).flatMap(([other, { sharp, napi }]) =>
      [`@img/sharp-${sharp}`, `@napi-rs/lzma-${napi}`, `@napi-rs/snappy-${napi}`]
        .filter((part) => names.has(part))
        .map(() => other),
    )
    expect(included).toEqual([name, name, name])
    expect([...names].filter((part) => /android|freebsd/.test(part))).toEqual([])
    folder.remove()
  },
)
