/** Files whose extension has two meanings: the first bytes tell which, where one file is described or opened. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let hash: string
beforeAll(async () => {
  app = await openTestApp()
  hash = (await (await app.anna.call('POST', `${API.share}/`, {})).json()).hash
})
afterAll(() => app.stop())

/** Packets of an MPEG transport stream. */
function packets(count: number, { before = 0, prefix = 0, bytes = 188 } = {}): Buffer {
  const packet = Buffer.alloc(bytes, 0xff)
  packet.fill(0, 0, prefix)
  packet.set([0x47, 0x40, 0x11, 0x10, 0x00], prefix)
  return Buffer.concat([Buffer.alloc(before, 0xfe), ...Array(count).fill(packet)])
}

const PROGRAM_STREAM = Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1])
const TEXT = 'export const answer = 42\n'
const LATIN = Buffer.from("const name = 'caf\xe9'\n", 'latin1')

const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(app.root, 'anna', name), content)

async function describeFile(name: string): Promise<{ type: string; content?: string }> {
  return (await app.anna.call('GET', `${API.resources}/${name}`)).json()
}

test.each<[string, string | Uint8Array, string]>([
  ['record.ts', packets(10), 'video'],
  ['cut.ts', packets(10, { before: 100 }), 'video'],
  ['player.ts', packets(10, { prefix: 4, bytes: 192 }), 'video'],
  ['code.ts', TEXT, 'text'],
  ['latin.ts', LATIN, 'text'],
  ['letter.ts', 'G'.repeat(1000), 'text'],
  ['empty.ts', '', 'text'],
  ['camera.MTS', packets(10, { prefix: 4, bytes: 192 }), 'video'],
  ['camera.m2ts', packets(10, { prefix: 4, bytes: 192 }), 'video'],
  ['module.mts', TEXT, 'text'],
  ['song.mod', new Uint8Array([1, 2, 0, 255]), 'audio'],
  ['camera.mod', PROGRAM_STREAM, 'video'],
  ['go.mod', 'module example.org/a\n', 'text'],
  ['words.sub', '{0}{50}Hello\n', 'text'],
  ['pictures.sub', PROGRAM_STREAM, 'blob'],
  ['de.pot', 'msgid ""\n', 'text'],
  ['slides.pot', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'blob'],
  ['info.plist', '<plist/>', 'text'],
  ['binary.plist', Buffer.from('bplist00\u0001'), 'blob'],
  ['script.avs', 'Version()\n', 'text'],
  ['lib.la', '# lib.la - a libtool library file\n', 'text'],
  ['package.rpm', Buffer.from('edabeedb0300', 'hex'), 'blob'],
])('%s with such content is described as it is', async (name, content, type) => {
  write(name, content)
  const entry = await describeFile(name)
  expect([entry.type, 'content' in entry]).toEqual([type, type === 'text' && content !== ''])
})

describe('a recording', () => {
  test('is shown as a film and never as text or a script, also in a share', async () => {
    write('shown.ts', packets(10))
    for (const address of [`${API.raw}/shown.ts`, `${API.publicDownload}/${hash}/shown.ts`]) {
      const { headers, body } = await app.anna.call('GET', `${address}?inline=true`)
      await body?.cancel()
      expect(headers.get('content-type')).toBe('video/mp2t')
      expect(headers.get('content-disposition')).toStartWith('inline')
    }
  })

  test('that is a program is shown as text', async () => {
    for (const name of ['program.ts', 'program.mts']) {
      write(name, TEXT)
      const answer = await app.anna.call('GET', `${API.raw}/${name}?inline=true`)
      expect([name, answer.headers.get('content-type')]).toEqual([
        name,
        'text/plain; charset=utf-8',
      ])
    }
    write('noise.mts', new Uint8Array([1, 2, 255, 0]))
    const { headers } = await app.anna.call('GET', `${API.raw}/noise.mts?inline=true`)
    expect(headers.get('content-type')).toBe('video/mp2t')
  })

  test('is not opened for a listing, in which its size decides', async () => {
    write('small.ts', packets(10))
    write('large.ts', packets(10))
    write('large-code.ts', TEXT)
    for (const name of ['large.ts', 'large-code.ts']) {
      truncateSync(join(app.root, 'anna', name), SERVER_LIMITS.textMaxBytes + 1)
    }
    const { items }: Listing = await (await app.anna.call('GET', `${API.resources}/`)).json()
    const type = (name: string) => items.find((item) => item.name === name)?.type
    expect([type('small.ts'), type('large.ts'), type('large-code.ts')]).toEqual([
      'text',
      'video',
      'video',
    ])
    expect((await describeFile('large.ts')).type).toBe('video')
    expect((await describeFile('large-code.ts')).type).toBe('blob')
  })

  test('is not sent as the bytes of a text', async () => {
    write('encoded.ts', packets(10))
    const answer = await app.anna.call('GET', `${API.resources}/encoded.ts`, undefined, {
      'X-Encoding': 'true',
    })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await answer.json()).type).toBe('video')
  })
})

test('a program that the user may not change is described as such', async () => {
  const reader = await app.person('looker', '--scope', '/anna', '--perm.modify=false')
  write('fixed.ts', TEXT)
  expect((await (await reader.call('GET', `${API.resources}/fixed.ts`)).json()).type).toBe(
    'textImmutable',
  )
})
