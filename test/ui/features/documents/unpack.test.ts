import { describe, expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import { partText, unpack } from '#ui/features/documents/unpack.ts'

const ALL = () => true

/** Changes the unpacked size that the archive's table declares for its only file. */
function withDeclaredSize(archive: Uint8Array, bytes: number): Uint8Array {
  const changed = archive.slice()
  const view = new DataView(changed.buffer)
  const table = changed.lastIndexOf(0x50, changed.length - 22 - 1)
  let at = table
  while (view.getUint32(at, true) !== 0x02014b50) at--
  view.setUint32(at + 24, bytes, true)
  return changed
}

describe('unpack', () => {
  test('only the selected files are unpacked', () => {
    const parts = unpack(zipSync({ a: strToU8('x'), b: strToU8('y') }), 10, (name) => name === 'b')
    expect(Object.keys(parts)).toEqual(['b'])
    expect(partText(parts, 'b')).toBe('y')
    expect(partText(parts, 'toString')).toBeUndefined()
  })

  test('a file that is larger than its archive declares is not unpacked beyond that size', () => {
    const archive = withDeclaredSize(zipSync({ a: new Uint8Array(2 ** 20) }), 10)
    let bytes = 0
    try {
      bytes = unpack(archive, 10, ALL).a?.length ?? 0
    } catch {
      // The archive may also be refused as broken.
    }
    expect(bytes).toBeLessThanOrEqual(10)
  })

  test('all XML files together have a size limit of their own', () => {
    const archive = zipSync({ 'a.xml': new Uint8Array(11), b: new Uint8Array(11) })
    expect(() => unpack(archive, 10, ALL)).toThrow('tooLarge')
    expect(Object.keys(unpack(archive, 11, ALL))).toHaveLength(2)
  })

  test('an archive with too many files is refused', () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, at) => [String(at), new Uint8Array(0)]),
    )
    expect(() => unpack(zipSync(files), 10, ALL)).toThrow('tooLarge')
  })
})
