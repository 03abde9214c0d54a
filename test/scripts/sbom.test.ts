/** scripts/sbom.ts writes a bill of materials (CycloneDX) of the executable. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSbom } from '../../scripts/sbom.ts'
import { TARGETS, targetNamed } from '../../scripts/targets.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT } from '../support/server/executable.ts'

test('the bill of materials has every package that the executable may contain, with version, license and digest', async () => {
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
  >(components.map((component: { name: string; version: string }) => [component.name, component]))
  for (const [name, version] of Object.entries(dependencies)) {
    expect(found.get(name)?.version, name).toBe(version as string)
    expect(found.get(name)?.licenses, name).toBeDefined()
    expect(found.get(name)?.hashes?.[0]?.content ?? '', name).toMatch(/^[0-9a-f]{128}$/)
  }
  expect(found.has('bun')).toBe(true)
  expect(Object.keys(devDependencies)).toContain('playwright')
  expect(found.has('playwright')).toBe(false)
  // Packages that are installed only for types or for other platforms, and one that replaces another.
  for (const name of [
    ...['typescript', '@typescript/typescript-linux-x64', '@types/react', 'csstype'],
    ...['@emnapi/runtime', '@img/sharp-wasm32', '@napi-rs/canvas', 'empty-npm-package'],
  ]) {
    expect(found.has(name), name).toBe(false)
  }
  folder.remove()
})

test.each(Object.keys(TARGETS))(
  'the bill of materials of %s has the native packages of this platform only',
  async (name) => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'x.cdx.json')
    await writeSbom(path, 'filemgr', '1.2.3', targetNamed(name))
    const components: { name: string }[] = JSON.parse(readFileSync(path, 'utf8')).components
    const names = new Set(components.map((component) => component.name))
    const included = Object.entries(TARGETS).flatMap(([other, { sharp, napi }]) =>
      [`@img/sharp-${sharp}`, `@napi-rs/lzma-${napi}`, `@napi-rs/snappy-${napi}`]
        .filter((candidate) => names.has(candidate))
        .map(() => other),
    )
    expect(included).toEqual([name, name, name])
    expect([...names].filter((component) => /android-|freebsd-/.test(component))).toEqual([])
    folder.remove()
  },
)
