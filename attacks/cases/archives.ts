/** Archives that are read without extraction. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { assert, hides, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RawResponse } from '../raw-request.ts'

const NEVER_OPENED =
  'a name in an archive is only compared with the names of its list, and never opens anything'

export const archiveCases: AttackCase[] = [
  {
    id: 'G-210',
    attack: 'names in an archive that lead to other files, and paths in a request that leave it',
    reason: NEVER_OPENED,
    async run(fixture) {
      const names = ['../../bob/secret.txt', '/etc/passwd', 'a/../../own.txt', 'good.txt']
      put(fixture, 'names.zip', zipOf(...names.map((name) => ({ name, content: 'inside' }))))
      put(fixture, 'links.tar', tarOf({ name: 'link', link: '../bob/secret.txt' }, 'good.txt'))
      for (const archive of ['names.zip', 'links.tar']) {
        const top = works(await listMembers(fixture, 'alice', archive), archive)
        const { items, leftOut } = JSON.parse(top.text)
        assert(items.length === 1 && items[0].name === 'good.txt', `${archive}: ${top.text}`)
        assert(leftOut > 0, `${archive} does not say that names are left out`)
        for (const inside of [
          ...names.slice(0, -1),
          'link',
          '../own.txt',
          '/../../bob/secret.txt',
        ]) {
          const response = await readMember(fixture, 'alice', archive, inside)
          refused(response, `${archive} ${inside}`, 404)
          hides(fixture, response, inside, 'alice/own.txt', 'bob/secret.txt')
        }
        works(await readMember(fixture, 'alice', archive, 'good.txt'), 'the good file')
      }
    },
  },
  {
    id: 'G-211',
    attack:
      'bombs: an archive that expands a thousandfold, has too many folders, or a false length',
    reason:
      'the expanded bytes, the names and the folders of an archive have limits, and a false length is refused or ends the connection',
    async run(fixture) {
      const zeros = Buffer.alloc(300 * 2 ** 20)
      put(fixture, 'bomb.tar.gz', gzipSync(tarOf({ name: 'zeros', content: zeros })))
      put(fixture, 'bomb.zip', zipOf({ name: 'zeros', content: zeros }))
      const deep = Array.from({ length: 2000 }, (_, index) => ({
        name: `${index}${'/x'.repeat(200)}`,
      }))
      put(fixture, 'deep.zip', zipOf(...deep))
      for (const name of ['bomb.tar.gz', 'bomb.zip', 'deep.zip']) {
        refused(await listMembers(fixture, 'alice', name), name, 413)
      }
      refused(await readMember(fixture, 'alice', 'bomb.zip', 'zeros'), 'the member of a bomb', 413)
      for (const falseLength of [1, 1000]) {
        put(fixture, 'false.zip', zipOf({ name: 'a', content: Buffer.alloc(100), falseLength }))
        refused(
          await readMember(fixture, 'alice', 'false.zip', 'a'),
          `a length of ${falseLength}`,
          422,
        )
      }
      put(fixture, 'true.zip', zipOf({ name: 'a', content: Buffer.alloc(100) }))
      works(await listMembers(fixture, 'alice', 'true.zip'), 'the list of a small one')
      works(await readMember(fixture, 'alice', 'true.zip', 'a'), 'a true length')
    },
  },
  {
    id: 'G-212',
    attack: 'archives of others, in denied folders, and without the permission to download',
    reason: 'an archive is opened like any file, also if its list is in memory',
    async run(fixture) {
      const archive = zipOf({ name: 'x.txt', content: fixture.mark('bob/secret.txt') })
      for (const folder of ['bob', 'alice', 'ruled/private', 'ruled/free']) {
        mkdirSync(fixture.disk(folder), { recursive: true })
        writeFileSync(fixture.disk(folder, 'a.zip'), archive)
      }
      for (const [who, path] of [
        ['bob', 'a.zip'],
        ['alice', 'a.zip'],
        ['ruled', 'free/a.zip'],
      ] as const) {
        works(await listMembers(fixture, who, path), `${who} ${path}`)
        works(await readMember(fixture, who, path, 'x.txt'), `${who} ${path}`)
      }
      for (const [who, path, status] of [
        ['', 'a.zip', 401],
        ['nodl', 'a.zip', 403],
        ['ruled', 'private/a.zip', 403],
        ['alice', '..%2fbob%2fa.zip', 404],
        ['alice', 'bob/a.zip', 404],
      ] as const) {
        for (const response of [
          await listMembers(fixture, who, path),
          await readMember(fixture, who, path, 'x.txt'),
        ]) {
          refused(response, `${who} ${path}`, status)
          hides(fixture, response, path, 'bob/secret.txt')
        }
      }
    },
  },
  {
    id: 'G-213',
    attack: 'an archive in a share, after the share was removed, and outside of it',
    reason: 'a share is checked at each request, and an archive in it is opened like any file',
    async run(fixture) {
      const archive = zipOf({ name: 'x.txt', content: fixture.mark('bob/secret.txt') })
      for (const path of ['a.zip', 'pub/a.zip']) put(fixture, path, archive)
      const made = works(await fixture.call('alice', 'POST', '/api/share/pub', {}), 'a share')
      const { hash } = JSON.parse(made.text)
      const both = async (path: string) => [
        await fixture.raw('', 'GET', `/api/public/archive/${hash}/${path}`),
        await fixture.raw('', 'GET', `/api/public/archive-file/${hash}/${path}?inside=x.txt`),
      ]
      for (const response of await both('a.zip')) works(response, 'the shared archive')
      for (const response of [...(await both('pub/a.zip')), ...(await both('private/a.zip'))]) {
        refused(response, 'an archive outside', 404)
      }
      works(await fixture.call('alice', 'DELETE', `/api/share/${hash}`), 'removing it')
      for (const response of await both('a.zip')) {
        refused(response, 'after the share', 404)
        hides(fixture, response, 'after the share', 'bob/secret.txt')
      }
    },
  },
  {
    id: 'G-214',
    attack: 'HTML and SVG files with scripts in an archive, shown in the browser',
    reason: 'a file of an archive is sent with the headers of any file',
    async run(fixture) {
      const content = '<script>alert(1)</script>'
      put(fixture, 'scripts.zip', zipOf({ name: 'x.html', content }, { name: 'x.svg', content }))
      for (const name of ['x.html', 'x.svg']) {
        const target = `/api/archive-file/scripts.zip?inside=${name}&inline=true`
        const { headers, text } = works(await fixture.call('alice', 'GET', target), target)
        assert(text === content, `${name} has other content`)
        assert(headers.get('x-content-type-options') === 'nosniff', `${name} may be sniffed`)
        assert(/html/.test(headers.get('content-type') ?? '') === false, `${name} is a page`)
        const policy = headers.get('content-security-policy') ?? ''
        assert(/^sandbox;.*default-src 'none'/.test(policy), `${name} may run: ${policy}`)
      }
    },
  },
]

function put(fixture: Fixture, name: string, bytes: Uint8Array): void {
  writeFileSync(fixture.disk('alice', name), bytes)
}

function listMembers(fixture: Fixture, who: string, path: string): Promise<RawResponse> {
  return fixture.raw(who, 'GET', `/api/archive/${path}`)
}

function readMember(
  fixture: Fixture,
  who: string,
  path: string,
  inside: string,
): Promise<RawResponse> {
  return fixture.raw(who, 'GET', `/api/archive-file/${path}?inside=${encodeURIComponent(inside)}`)
}

interface Member {
  name: string
  content?: string | Uint8Array
  /** For a zip: a wrong length in the records. */
  falseLength?: number
  /** For a tar: the target of a symbolic link. */
  link?: string
}

function zipOf(...members: Member[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', falseLength } of members) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(falseLength ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, rest, Buffer.from(name))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, listed, end])
}

function tarOf(...members: (Member | string)[]): Buffer {
  const blocks = members.flatMap((member) => {
    const { name, content = '', link = '' } = typeof member === 'string' ? { name: member } : member
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write(link === '' ? '0' : '2', 156)
    header.write(link, 157)
    header.write('ustar\x0000', 257)
    header.fill(0x20, 148, 156)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
