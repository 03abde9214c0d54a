/** Zips of other programs: encodings of names, backslashes, methods, and a program in front. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, zstdCompressSync } from 'node:zlib'
import type { JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import { outcome } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const [FAT, UNIX, NTFS] = [0, 3, 10]
const [STORED, DEFLATE64, BZIP2, LZMA, ZSTD] = [0, 9, 12, 14, 93]

interface ZipEntry {
  name: string | Uint8Array
  content?: string
  /** The compressed content. */
  packed?: Uint8Array
  method?: number
  madeBy?: number
  flags?: number
}

/** A zip as programs of other systems write it. */
function foreignZip(...entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = 'x', packed, method = STORED, madeBy = FAT, flags = 0 } of entries) {
    const [bytes, plain] = [Buffer.from(name), Buffer.from(content)]
    const data = Buffer.from(packed ?? plain)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(plain.length, 18)
    common.writeUInt16LE(bytes.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.of(20, madeBy), common, rest, bytes)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, bytes, data])
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, listed, end])
}

/** The content of the tests, as 7-Zip 26 compresses it. */
const DEFLATE64_SAMPLE = [
  '5NO5aQQBEAVRX1FMCH0f4cgYIcHqAMlS9AtrLpXBtPmNhjLe7ePrPOT4fjv+3s/j9/Xz53a+PMbVpXl8aO5smquL5tzE',
  'WYPmcKfZ02i2Vpp1BWfBSsPIDYycwsiexFkwsgwjMzAyCiN9BGuWIxUr1bEyMXIbI2cDZ8XIdoysxMhsjIxZnAUj3TDS',
  'Aiu1uBIjMXHN+AMmdglrWtY0rKlZU7GmZE3BmhxnxUrHyE1hTcuahjU1ayrWlKwpWJPjLBhphpUaWJnLmoY1NWsq1pSs',
  'KVgTRsYazoqR7sKaljVxJUYWa0rWFKwJE2sMZ8HENGFNy5qGNTVrKtaElR6sCSOnMbJXcVZhTcuahjU1ayrWlKwpWBNW',
  'FkbuKM4irGlZ07CmZk3FmpI1BWvCSEus1FauxJU1DWtq1lSsKVlTsCZMjMBEr6fE/8vf5e/yd/m7/N3JgwMBAAAAACD/',
  '10LQ6/V6vV6v1+v1er1eD3lwIAAAAAAA5P9aCHq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/XQx4cCAAAAAAA+b8Wgl6v',
  '1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er4c8OBAAAAAAAPJ/LQS9Xq/X6/V6',
  'vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1',
  'er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9frIQ8OBAAAAACA/F8LQa/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v',
  '1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1e',
  'r9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9',
  'Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9XrIgwMBAAAAACD/10LQ6/V6vV6v1+v1er1er9fr',
  '9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X',
  '6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v',
  '1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xq9HvLgQAAAAAAAyP+1EPR6',
  'vV6v1+v1er1er9fr9Xq9Xq/X6/V6vV6v1+v1er1er9fr9Xo95MGBAAAAAACQ/2sh6PV6vV6v1+v1er1er9fr9Xq9Xo9G',
  'PBjxYMSDEQ9GPBjxYMSDEQ9GPBjxgCyQk5mXqmCgkJ+mUJKRqlCcmFuQk8oFFrQ0tMQmbGFsgU0Y0Dad20AQw0AQTEnU',
  '8hHzT+z8Q7ljDNBGTY3mntZcW5wjNef3af7qar4TmmMP57M8YeQmI18zcl5xPozsy8hKRmYz8nuHNevIYGV8rCxG7jDy',
  'bXIORs7HyC5G1jAy33I+jPwuI2+yMtqVjGTi3usHJk4fa1pretY01tTWVNaU1vRxjstvRm4da1pretY01tTWVNaU1vRx',
  'Poy8l5WRrKy1pmdNY01tTWVNaU2MzL2cg5Hfd6xprcmVjGxrKmtKa2Jiv8v5MLHusaa1pmdNY01tTcXvtCZGvmHkbHCO',
  'Y01rTc+axpramsqa0ppY2YzcF5zPsaa1pmdNY01tTWVNaU2MvMXKmHAlV2uyxxxramsqa0prYmImE7/+S/wB',
].join('')

const BZIP2_SAMPLE = [
  'QlpoOTFBWSZTWSXC3rYAB29ZgIAQQAB/4CNnzBAAALACuhAAwCqqmP9IeqoAAAUqp6gAAGICqmEBSSAMH2YxjDGKadfG',
  '3VPp5a30tb6U66tbrTG2lbaVjjTTjbTSojaIrjGKiKiK4xiqxjq4xjsquNo2xiojTjGKiKiK4xioiorHRxjHVUdXZToi',
  'uMYqIqO8MYx/AYxi3HGnx1x158dfZC3kOJQ44/PlqaeedcafHm1PjKDrSVOJLWkpDynVMW8hptlDTzrrziXnEFLWotCm',
  'ksUhSEqbQy2hxt111tDG0JaSxSGJQypxTFuLWy4h51DbzzLziDLa1MWhTyWKbWpaDimmW0NuIddeZU8W0ktaWKQllLFI',
  'YtttbLaG3EOOrScbSKU0pinFqLQUtxxltxp5LryEvHXEtrSxbSVOpYtaSkNMuONOuoddeSpl5jKksJZUoS2khlxlxxt5',
  '1DryUloeQxTaWttYNjYwa2pvZhV7VK+hV7CrDIKtAqwFWgVePn1UrIKswq6hVoFWoFWd+IFvwEC/i7kinChIEuFvWwA=',
].join('')

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

let count = 0

/** Extracts a zip, and returns the extracted paths and the problems; also what the list of the archive shows. */
async function extracted(zip: Uint8Array, encoding?: NameEncoding) {
  count += 1
  const name = `zip-${count}`
  writeFileSync(disk(`${name}.zip`), zip)
  const request: JobRequest = {
    kind: 'extract',
    to: `/${name}`,
    items: [{ path: `/${name}.zip` }],
    ...(encoding && { encoding }),
  }
  const job = await started(app.anna, request)
  const { problems } = await ended(app.anna, job.id)
  const isThere = existsSync(disk(name))
  const paths = isThere
    ? readdirSync(disk(name), { recursive: true, encoding: 'buffer' }).map((path) =>
        path.toString(),
      )
    : []
  const listed = await (await app.anna.call('GET', `${API.archive}/${name}.zip`)).json()
  return {
    folder: name,
    paths: paths.sort(),
    reasons: problems.map(({ reason }) => reason),
    listed: listed.items?.map((item: { name: string }) => item.name).sort(),
  }
}

describe('names', () => {
  test('of Windows and DOS are in code page 437 if they are not UTF-8', async () => {
    for (const madeBy of [FAT, NTFS]) {
      const name = Buffer.from('Gr\x81\xe1e.txt', 'latin1')
      const { paths, listed } = await extracted(
        foreignZip({ name, madeBy }, { name: 'plain', madeBy }),
      )
      expect(paths).toEqual(['Grüße.txt', 'plain'])
      expect(listed).toEqual(['Grüße.txt', 'plain'])
    }
  })

  test('that are UTF-8 by chance are not, if another one in the zip is not', async () => {
    const { paths } = await extracted(
      foreignZip({ name: Uint8Array.of(0xe0, 0xa8, 0xa2) }, { name: Uint8Array.of(0x81) }),
    )
    expect(paths).toEqual(['ü', 'α¿ó'])
  })

  test('in UTF-8 stay, with the flag and without it, and so do the bytes of Unix', async () => {
    const { paths } = await extracted(
      foreignZip({ name: 'Übung', flags: 0x800 }, { name: Uint8Array.of(0x81) }),
    )
    expect(paths).toEqual(['Übung', 'ü'])
    expect((await extracted(foreignZip({ name: 'Übung' }))).paths).toEqual(['Übung'])
    const unix = await extracted(foreignZip({ name: Uint8Array.of(0xe9), madeBy: UNIX }))
    expect(readdirSync(disk(unix.folder), { encoding: 'buffer' })).toEqual([Buffer.of(0xe9)])
  })

  test.each([
    ['cp437', [0x81], 'ü'],
    ['cp866', [0x8f, 0xe0, 0xa8], 'При'],
    ['cp1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['gbk', [0xd6, 0xd0], '中'],
    ['big5', [0xa4, 0xa4], '中'],
    ['shift_jis', [0x83, 0x5c, 0x82, 0xa9], 'ソか'],
    ['euc-kr', [0xc7, 0xd1], '한'],
    ['utf-8', [0xc3, 0xbc], 'ü'],
  ] as const)('are read in %s if the user says so', async (encoding, bytes, name) => {
    for (const madeBy of [FAT, UNIX]) {
      const zip = foreignZip({ name: Uint8Array.from(bytes), madeBy })
      expect((await extracted(zip, encoding)).paths).toEqual([name])
    }
  })

  test('an encoding that is not known, or for another job, is refused', async () => {
    const request = { kind: 'extract', to: '/x', items: [{ path: '/zip-1.zip' }] }
    const refused = [
      { ...request, encoding: 'cp850' },
      { ...request, kind: 'copy', encoding: 'gbk' },
    ]
    for (const body of refused) {
      expect(await outcome(app.anna.call('POST', API.jobs, body))).toBe('400 badRequest')
    }
  })

  test('with backslashes become folders if Windows made the zip without a slash', async () => {
    const zip = foreignZip({ name: 'dir\\', content: '' }, { name: 'dir\\sub\\a.txt' })
    expect((await extracted(zip)).paths).toEqual(['dir', 'dir/sub', 'dir/sub/a.txt'])
    expect(statSync(disk(`zip-${count}/dir/sub`)).isDirectory()).toBe(true)
    const unix = foreignZip({ name: 'dir\\a.txt', madeBy: UNIX })
    expect((await extracted(unix)).paths).toEqual(['dir\\a.txt'])
    const both = foreignZip({ name: 'dir\\a.txt' }, { name: 'b/c' })
    expect((await extracted(both)).paths).toEqual(['b', 'b/c', 'dir\\a.txt'])
  })

  test('lead nowhere outside, also after they are decoded', async () => {
    const { paths, reasons, folder } = await extracted(
      foreignZip(
        { name: '..\\..\\evil' },
        { name: '\\evil' },
        { name: 'a\\..\\..\\evil' },
        { name: Uint8Array.of(0x81, 0) },
        { name: 'good' },
      ),
    )
    expect([paths, reasons.length]).toEqual([['good'], 4])
    expect(existsSync(disk(folder, '../evil'))).toBe(false)
    // In Shift JIS the second byte of a letter may be a backslash: it is no separator.
    const japanese = foreignZip({ name: Uint8Array.of(0x83, 0x5c, 0x2e, 0x2e, 0x83, 0x5c) })
    expect((await extracted(japanese, 'shift_jis')).paths).toEqual(['ソ..ソ'])
  })
})

describe('compression', () => {
  const lines = Array.from(
    { length: 120 },
    (_, index) => `line ${(index * 7919) % 1000} of the sample`,
  )
  const content = `${lines.join('\n')}${'z'.repeat(200_000)}${lines.join('\n')}`

  test.each([
    ['Deflate64', DEFLATE64, () => Buffer.from(DEFLATE64_SAMPLE, 'base64')],
    ['BZip2', BZIP2, () => Buffer.from(BZIP2_SAMPLE, 'base64')],
    ['zstd', ZSTD, () => zstdCompressSync(content)],
  ] as const)('%s is read', async (_, method, packed) => {
    const zip = foreignZip({ name: 'a', content, method, packed: packed() })
    const { folder, reasons } = await extracted(zip)
    expect(reasons).toEqual([])
    expect(readFileSync(disk(folder, 'a'), 'utf8') === content).toBe(true)
    const inside = await app.anna.call('GET', `${API.archiveFile}/${folder}.zip?inside=/a`)
    expect((await inside.text()) === content).toBe(true)
    const damaged = Buffer.from(packed()).fill(0xff, 20, 60)
    const { reasons: problems } = await extracted(
      foreignZip({ name: 'a', content, method, packed: damaged }),
    )
    expect(problems.join()).toContain('damaged')
    const cut = packed().subarray(0, 200)
    const after = await extracted(
      foreignZip({ name: 'a', content, method, packed: cut }, { name: 'b' }),
    )
    expect(after.paths).toEqual(['b'])
  })

  test('a method that is not read is named', async () => {
    const { reasons } = await extracted(foreignZip({ name: 'a', method: LZMA }, { name: 'b' }))
    expect(reasons).toEqual(['It is compressed with LZMA, which is not known here.'])
  })
})

test('a zip with a program in front is read', async () => {
  mkdirSync(disk('sfx'))
  const program = Buffer.from(`MZ${'\0'.repeat(5000)}`)
  const zip = foreignZip({ name: 'a', content: 'one' }, { name: 'b', content: 'two' })
  const { paths, folder } = await extracted(Buffer.concat([program, zip]))
  expect(paths).toEqual(['a', 'b'])
  expect(readFileSync(disk(folder, 'b'), 'utf8')).toBe('two')
})
