/**
 * Full file systems, most of which have no space for an empty folder either: files can be read, moved and removed, an
 * upload gets the space of the trash or is refused, and the server starts.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { ageTrash } from '../support/storage/aged-trash.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

/** The number of files and folders that fit on the small file system. */
const INODES = 40
const LONG = 'n'.repeat(33)
const MAKE_IMAGE = 'mkfs.ext4 -q -m 0 -b 1024 -N 512 -O ^has_journal -F'
const noImage = imageRefusal()

for (const reason of [noMounts, noImage]) if (reason) process.stdout.write(`${reason}\n`)

describe.skipIf(noMounts !== undefined)('a file system that is full', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: TestServer | undefined
  beforeEach(() => {
    folder = temporaryFolder()
    mkdirSync(join(folder.path, 'root'))
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    folder.remove()
  })

  /**
   * @param at the path of the small file system: the served folder itself, or a folder in it
   * @param commands shell commands that run after it is mounted
   */
  async function start(at: string, commands: string[] = [], args: string[] = []): Promise<Client> {
    const program = withMounts(folder.path, [{ at, sizeMiB: 4, inodes: INODES }], commands)
    const root = join(folder.path, 'root')
    server = await startServer({ root, program, database: database(), args })
    return signIn(server.url, 'admin', server.password)
  }
  const database = () => join(folder.path, 'filemgr.db')
  const disk = (name: string) => seenBy(server?.pid ?? 0, join(folder.path, 'root', name))
  /** Creates empty files until no more fits. */
  function fill(below: string): void {
    try {
      for (let number = 0; ; number += 1) writeFileSync(join(disk(below), `fill${number}`), '')
    } catch (error) {
      expect(String(error)).toContain('ENOSPC')
    }
  }
  const remove = (who: Client, path: string) =>
    outcome(who.call('DELETE', `${API.resources}/${path}`))

  test('an upload to a mount is refused at its creation if its staged file does not fit in the root', async () => {
    const admin = await start('root', [
      `mkdir '${join(folder.path, 'root/disk')}'`,
      `mount -t tmpfs -o size=64m tmpfs '${join(folder.path, 'root/disk')}'`,
    ])
    const create = (path: string, bytes: number) =>
      outcome(
        admin.call('POST', `${API.tus}/${path}`, undefined, {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': String(bytes),
        }),
      )
    expect(await create('disk/small', 1024)).toBe('201')
    expect(await create('disk/large', 8 * 2 ** 20)).toBe('507 noSpace')
  })

  test('files and folders of a full file system below the root can be removed, and then it has space again', async () => {
    const admin = await start('root/disk')
    mkdirSync(disk('disk/tree/deep'), { recursive: true })
    for (const name of ['file', 'second', 'tree/a', 'tree/deep/b']) {
      writeFileSync(disk(`disk/${name}`), name)
    }
    fill('disk')
    const send = () => outcome(admin.call('POST', `${API.resources}/disk/new`, 'x'))
    expect(await send()).toBe('507 noSpace')
    expect(await remove(admin, 'disk/tree/')).toBe('204')
    expect(existsSync(disk('disk/tree'))).toBe(false)
    fill('disk')
    expect(await remove(admin, 'disk/file')).toBe('204')
    fill('disk/')
    expect(readdirSync(disk('disk')).filter((name) => !name.startsWith('fill'))).toEqual(['second'])
    for (const number of [0, 1, 2, 3, 4]) {
      expect(await remove(admin, `disk/fill${number}`)).toBe('204')
    }
    ageTrash(database())
    expect(await send()).toBe('200')
    expect(await remove(admin, 'disk/second')).toBe('204')
    const own = readdirSync(disk('disk/.filemgr')).filter((name) => !/^trash-records/.test(name))
    expect(own).toEqual([expect.stringMatching(/^trash-/)])
  })

  test('files and folders of a full file system below the root can be moved to the root', async () => {
    const admin = await start('root/disk')
    for (const tree of ['tree', 'merged', 'kept']) {
      mkdirSync(disk(`disk/${tree}/deep`), { recursive: true })
      writeFileSync(disk(`disk/${tree}/deep/a`), tree)
    }
    writeFileSync(disk('disk/file'), 'file')
    mkdirSync(disk('there/deep'), { recursive: true })
    const move = (from: string, to: string) => {
      const query = `action=rename&override=true&destination=${encodeURIComponent(to)}`
      return outcome(admin.call('PATCH', `${API.resources}/disk/${from}?${query}`))
    }
    const visible = () => readdirSync(disk('disk')).filter((name) => !name.startsWith('fill'))
    for (const [from, to] of [
      ['tree', '/tree'],
      ['file', '/file'],
      ['merged', '/there'],
    ] as const) {
      fill('disk')
      expect([from, await move(from, to)]).toEqual([from, '200'])
      expect(visible()).not.toContain(from)
    }
    for (const name of ['tree/deep/a', 'file', 'there/deep/a']) {
      expect(existsSync(disk(name))).toBe(true)
    }
    fill('disk')
    expect(visible()).toEqual(['kept'])
    expect(readdirSync(disk('.filemgr/volumes'))).toEqual([])
  })

  test.each(['full', 'relaxed'])(
    'a small upload to a full disk gets the space of the trash, or leaves nothing (durability %s)',
    async (durability) => {
      const admin = await start('root', [], ['--durability', durability])
      const content = 'x'.repeat(32 * 1024)
      const upload = (name: string) =>
        outcome(admin.call('POST', `${API.resources}/${name}`, content))
      expect(await upload('old')).toBe('200')
      expect(await remove(admin, 'old')).toBe('204')
      expect(() => {
        for (;;) appendFileSync(disk('filler'), Buffer.alloc(4096))
      }).toThrow('ENOSPC')
      expect(await upload('new')).toBe('507 noSpace')
      ageTrash(database())
      expect(await upload('new')).toBe('200')
      expect(readFileSync(disk('new'), 'utf8')).toBe(content)
      expect(await upload('late')).toBe('507 noSpace')
      expect(existsSync(disk('late'))).toBe(false)
      expect(filesBelow(disk('.filemgr/work'))).toEqual([])
    },
  )

  test('a resumable upload for which its destination has no space or no right is refused at its creation', async () => {
    const box = join(folder.path, 'root/frozen')
    mkdirSync(box)
    const admin = await start('root/disk', [
      `mount --bind '${box}' '${box}'`,
      `mount -o remount,ro,bind '${box}'`,
    ])
    const begin = (path: string, sizeBytes: number) =>
      outcome(
        admin.call('POST', `${API.tus}/${path}`, undefined, {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': String(sizeBytes),
        }),
      )
    expect(await begin('disk/a.bin', 64 * 2 ** 20)).toBe('507 noSpace')
    expect(await begin('disk/new/folder/a.bin', 64 * 2 ** 20)).toBe('507 noSpace')
    expect(await begin('disk/a.bin', 2 ** 20)).toBe('201')
    expect(await begin('frozen/a.bin', 1)).toBe('403 readOnly')
    const isThere = async (path: string) =>
      (await admin.call('HEAD', `${API.tus}/${path}`, undefined, { 'Tus-Resumable': '1.0.0' })).ok
    expect(await isThere('disk/a.bin')).toBe(true)
    for (const path of ['disk/new/folder/a.bin', 'frozen/a.bin']) {
      expect([path, await isThere(path)]).toEqual([path, false])
    }
    expect(existsSync(disk('disk/new'))).toBe(false)
  })

  test('a server whose root is full starts, and its files are read and removed', async () => {
    const root = join(folder.path, 'root')
    const admin = await start('root', [
      // The folders that an earlier run has created.
      `mkdir -p '${root}/.filemgr/work' '${root}/.filemgr/uploads' '${root}/.filemgr/volumes' '${root}/tree'`,
      `echo kept > '${root}/tree/kept'`,
      `echo kept > '${root}/file'`,
      `(i=0; while : > '${root}'/fill$i; do i=$((i + 1)); done) 2> '${folder.path}/full' || true`,
    ])
    expect(readFileSync(join(folder.path, 'full'), 'utf8')).toContain('No space left')
    const read = await admin.call('GET', `${API.raw}/tree/kept`)
    expect(await read.text()).toBe('kept\n')
    expect(await outcome(admin.call('PUT', `${API.resources}/file`, 'x'))).toBe('507 noSpace')
    expect(await remove(admin, 'tree/')).toBe('204')
    fill('')
    expect(await remove(admin, 'file')).toBe('204')
    expect(existsSync(disk('tree')) || existsSync(disk('file'))).toBe(false)
    expect(readdirSync(disk('.filemgr/work'))).toEqual([])
    for (const number of [0, 1, 2, 3, 4]) {
      expect(await remove(admin, `fill${number}`)).toBe('204')
    }
    ageTrash(database())
    expect(await outcome(admin.call('POST', `${API.resources}/new`, 'x'))).toBe('200')
  })

  test.skipIf(noImage !== undefined)(
    'a file can be removed from a full folder in which a longer name does not fit',
    async () => {
      const box = join(folder.path, 'root/disk/box')
      const admin = await start('unused', [
        `truncate -s 2M '${folder.path}/image'`,
        `${MAKE_IMAGE} '${folder.path}/image'`,
        `mkdir -p '${folder.path}/root/disk' && mount -o loop '${folder.path}/image' '${folder.path}/root/disk'`,
        `mkdir '${box}' && (dd if=/dev/zero of='${box}/fill' bs=1k 2> /dev/null || true)`,
        // A folder grows by blocks: files are created until its last block is full.
        `(i=0; while : > '${box}'/file-$i; do i=$((i + 1)); done) 2> /dev/null || true`,
      ])
      expect(() => renameSync(disk('disk/box/file-1'), disk(`disk/box/${LONG}`))).toThrow('ENOSPC')
      expect(await remove(admin, 'disk/box/file-1')).toBe('204')
      expect(readdirSync(disk('disk/box'))).not.toContain('file-1')
    },
  )

  test('a server whose root is full at the first start ends with a message', async () => {
    const root = join(folder.path, 'root')
    const starting = start('root', [
      `(i=0; while : > '${root}'/fill$i; do i=$((i + 1)); done) 2> /dev/null || true`,
    ])
    await expect(starting).rejects.toThrow('The served folder has no space left')
  })
})

/** Why this machine cannot mount a disk image; undefined if it can. */
function imageRefusal(): string | undefined {
  const folder = temporaryFolder()
  const image = join(folder.path, 'image')
  const script = `truncate -s 2M '${image}' && ${MAKE_IMAGE} '${image}' && mount -o loop '${image}' /mnt`
  const { success, stderr } = Bun.spawnSync(['unshare', '--mount', 'sh', '-c', script])
  folder.remove()
  return success ? undefined : `This machine cannot mount a disk image: ${stderr.toString().trim()}`
}

/** The files in a folder and its subfolders. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
