/**
 * The zip and the tar beside those of the library archiver, member by member. The tables say where they differ on purpose;
 * everything else is equal.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { TarArchive, ZipArchive } from 'archiver'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { archived, scopeOn } from '../../../support/files/archives.ts'
import {
  type ListedMember,
  tarMembersOf,
  zipMembersOf,
} from '../../../support/files/listed-members.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const TIME = new Date('2024-03-10T12:34:56Z')
const LONG = `${'long '.repeat(40)}name.txt`

const folder = temporaryFolder()
const root = join(folder.path, 'root')
let storage: LocalStorage
let theirs: Record<'zip' | 'tar', ListedMember[]>
let ours: Record<'zip' | 'tar', ListedMember[]>

beforeAll(async () => {
  mkdirSync(join(root, 'folder/inner'), { recursive: true })
  mkdirSync(join(root, 'empty folder'))
  const files = {
    'a.txt': 'a',
    empty: '',
    'folder/inner/b.txt': 'b',
    'large.bin': 'x'.repeat(300_000),
    'run.sh': '#!/bin/sh',
    'Größe 測試.txt': 'names',
    'back\\slash.txt': 'backslash',
    [LONG]: 'long',
    'C:drive': 'drive',
    'old.txt': 'old',
    'special bits': 'setuid',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
  chmodSync(join(root, 'run.sh'), 0o755)
  chmodSync(join(root, 'special bits'), 0o4755)
  symlinkSync('a.txt', join(root, 'link'))
  symlinkSync('nothing', join(root, 'broken link'))
  for (const name of [...Object.keys(files), 'folder/inner', 'folder', 'empty folder']) {
    utimesSync(join(root, name), TIME, TIME)
  }
  Bun.spawnSync(['touch', '-d', '1960-05-12T00:00:00Z', join(root, 'old.txt')])
  // Before the private folder of the storage exists.
  theirs = {
    zip: zipMembersOf(await packed(new ZipArchive({ store: true }))),
    tar: tarMembersOf(await packed(new TarArchive())),
  }
  storage = await LocalStorage.open(root, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  const scope = scopeOn(storage)
  ours = {
    zip: zipMembersOf(await archived(scope, 'zip', '/')),
    tar: tarMembersOf(await archived(scope, 'tar', '/')),
  }
})
afterAll(() => {
  storage.close()
  folder.remove()
})

async function packed(archive: ZipArchive | TarArchive): Promise<Buffer> {
  const chunks: Buffer[] = []
  archive.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => archive.on('end', resolve))
  archive.directory(root, false)
  await archive.finalize()
  await ended
  return Buffer.concat(chunks)
}

interface Difference {
  /** The member in archiver's archive, and what differs in ours. */
  name: string
  ours: Partial<ListedMember> | 'absent'
  why: string
}

const COMMON: Difference[] = [
  {
    name: 'drive',
    ours: { name: './C:drive' },
    why: 'The whole name is kept, so that Windows does not read a drive.',
  },
  {
    name: 'link',
    ours: { kind: 'file', mode: 0o644, seconds: TIME.getTime() / 1000, size: 1, crc: crc32('a') },
    why: 'Links are followed, as in listings and downloads: a link may not work where it is unpacked.',
  },
  { name: 'broken link', ours: 'absent', why: 'It has no content.' },
  {
    name: 'special bits',
    ours: { mode: 0o755 },
    why: 'Unpacked by root, set-user-id grants rights.',
  },
]

describe.each(['zip', 'tar'] as const)('a %s', (format) => {
  test('has the same members as that of archiver, except for the differences of the table', () => {
    const differences = [...COMMON, ...OWN[format]]
    const expected = theirs[format]
      .flatMap((member) => {
        const own = differences.filter(({ name }) => name === member.name)
        if (own.some((difference) => difference.ours === 'absent')) return []
        return [Object.assign({}, member, ...own.map((difference) => difference.ours))]
      })
      .sort(byName)
    expect(ours[format].toSorted(byName)).toEqual(expected)
    // Each row of the table is about a member that exists and differs.
    for (const { name, ours: own } of differences) {
      const member = theirs[format].find((one) => one.name === name)
      expect(member).toBeDefined()
      if (own !== 'absent') expect(member).not.toMatchObject(own)
    }
  })

  test('has each folder before its content, in the order of bytes', () => {
    const names = ours[format].map(({ name }) => name)
    expect(names.indexOf('folder/')).toBeLessThan(names.indexOf('folder/inner/'))
    expect(names.indexOf('folder/inner/')).toBeLessThan(names.indexOf('folder/inner/b.txt'))
  })
})

const OWN: Record<'zip' | 'tar', Difference[]> = {
  zip: [
    {
      name: 'back/slash.txt',
      ours: { name: 'back_slash.txt' },
      why: 'A folder of this name does not exist. Programs for Windows read a backslash in a zip as a slash.',
    },
    {
      name: 'old.txt',
      ours: { seconds: Date.parse('1960-05-12T00:00:00Z') / 1000 },
      why: 'The fields of DOS, which archiver writes alone, begin in 1980.',
    },
  ],
  tar: [
    {
      name: 'back/slash.txt',
      ours: { name: 'back\\slash.txt' },
      why: 'A folder of this name does not exist. A tar keeps the bytes of names.',
    },
  ],
}

function byName(a: ListedMember, b: ListedMember): number {
  return a.name < b.name ? -1 : 1
}
