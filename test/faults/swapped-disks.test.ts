/** Two disks that are mounted at one place, one after the other: each keeps what was deleted on it. */

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, outcomeWithReason, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

/** Two disks, `/mnt/a` and `/mnt/b`, of which the first is mounted at `usb`. */
async function open() {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  const usb = join(root, 'usb')
  mkdirSync(usb, { recursive: true })
  const disk = (name: string) =>
    `mkdir /mnt/${name} && mount -t tmpfs tmpfs /mnt/${name} && echo ${name} > /mnt/${name}/f`
  const bind = (name: string) => `mount --bind /mnt/${name} '${usb}'`
  const more = ['mount -t tmpfs tmpfs /mnt', disk('a'), disk('b'), bind('a')]
  const program = withMounts(root, [], more)
  const server = await startServer({ root, program })
  const admin = await signIn(server.url, 'admin', server.password)
  const inside = (command: string) => {
    const enter = ['nsenter', `--target=${server.pid}`, '--mount', 'sh', '-c', command]
    const { success, stderr } = Bun.spawnSync(enter)
    expect(success, stderr.toString()).toBe(true)
  }
  return {
    unmount: () => inside(`umount '${usb}'`),
    mount: (name: 'a' | 'b') => inside(bind(name)),
    inside,
    seen: (path: string) => seenBy(server.pid, path),
    /** @returns the id of the journal entry */
    async change(method: string, path: string, body?: string): Promise<number> {
      const answer = await admin.call(method, API.resources + path, body)
      expect(answer.status).toBeLessThan(300)
      return Number(answer.headers.get(JOURNAL_HEADER))
    },
    undo: (id: number) => outcome(admin.call('POST', `${API.journal}/undo`, { id })),
    trash: async () => (await (await admin.call('GET', API.trash)).json()) as { id: number }[],
    read: async (path: string) => (await admin.call('GET', API.raw + path)).text(),
    call: admin.call,
    async [Symbol.asyncDispose]() {
      await server.stop()
      folder.remove()
    },
  }
}

describe.skipIf(noMounts !== undefined)('two disks at one place', () => {
  test('what was deleted on one disk comes back after the other one was there', async () => {
    await using disks = await open()
    const removed = await disks.change('DELETE', '/usb/f')
    const [item] = await disks.trash()
    disks.unmount()
    expect(await disks.undo(removed)).toBe('503 unavailable')
    disks.mount('b')
    expect(await disks.read('/usb/f')).toBe('b\n')
    expect(await disks.undo(removed)).toBe('503 unavailable')
    expect((await disks.trash()).map(({ id }) => id)).toEqual([item?.id ?? 0])
    const url = `${API.trash}?id=${item?.id}`
    expect(await outcome(disks.call('DELETE', url))).toBe('503 unavailable')
    expect(await outcome(disks.call('DELETE', `${API.trash}?all=true`))).toBe('503 unavailable')
    disks.unmount()
    disks.mount('a')
    expect(await disks.trash()).toHaveLength(1)
    expect(await disks.undo(removed)).toBe('200')
    expect(await disks.read('/usb/f')).toBe('a\n')
  })

  test('each disk keeps its own content, and the limits touch only the one that is there', async () => {
    await using disks = await open()
    const onA = await disks.change('DELETE', '/usb/f')
    disks.unmount()
    disks.mount('b')
    const saved = await disks.change('PUT', '/usb/f', 'new')
    const onB = await disks.change('DELETE', '/usb/f')
    const kept = (disk: string) => readdirSync(disks.seen(`/mnt/${disk}/.filemgr`)).sort()
    expect(kept('a').filter((name) => kept('b').includes(name))).toEqual([])
    expect(await disks.undo(onA)).toBe('503 unavailable')
    expect(await disks.undo(onB)).toBe('200')
    expect(await disks.undo(saved)).toBe('200')
    expect(await disks.read('/usb/f')).toBe('b\n')
    disks.unmount()
    disks.mount('a')
    expect(await disks.undo(onA)).toBe('200')
    expect(await disks.read('/usb/f')).toBe('a\n')
    expect(existsSync(disks.seen('/mnt/a/.filemgr'))).toBe(false)
  })

  test('the trash is emptied of what is there, and says that the rest is on another disk', async () => {
    await using disks = await open()
    const onA = await disks.change('DELETE', '/usb/f')
    disks.unmount()
    disks.mount('b')
    await disks.change('DELETE', '/usb/f')
    await disks.change('POST', '/x', 'x')
    await disks.change('DELETE', '/x')
    expect(await outcome(disks.call('DELETE', `${API.trash}?all=true`))).toBe('503 unavailable')
    expect(await disks.trash()).toHaveLength(1)
    expect(existsSync(disks.seen('/mnt/b/.filemgr'))).toBe(false)
    disks.unmount()
    disks.mount('a')
    expect(await disks.undo(onA)).toBe('200')
  })

  test('items of a disk that is gone are removed from the list by who deleted them, and come back with the disk', async () => {
    await using disks = await open()
    await disks.change('POST', '/here', 'x')
    await disks.change('DELETE', '/usb/f')
    await disks.change('DELETE', '/here')
    const [, item] = await disks.trash()
    const remove = (query: string) => outcomeWithReason(disks.call('DELETE', API.trash + query))
    // The record beside the content is written with the next check of the limits.
    const records = () =>
      readdirSync(disks.seen('/mnt/a/.filemgr')).filter((name) => /^trash-records/.test(name))
    while (records().length === 0) await Bun.sleep(20)
    disks.unmount()
    expect(await remove('?all=true')).toBe('503 unavailable; reason=notMounted')
    expect(await disks.trash()).toHaveLength(1)
    expect(await remove(`?id=${item?.id}`)).toBe('503 unavailable; reason=notMounted')
    expect(await remove(`?id=${item?.id}&forget=true`)).toBe('204')
    expect(await disks.trash()).toEqual([])
    disks.mount('a')
    expect(existsSync(disks.seen('/mnt/a/.filemgr'))).toBe(true)
    await disks.change('POST', '/other', 'x')
    await disks.change('DELETE', '/other')
    for (let listed = await disks.trash(); listed.length < 2; listed = await disks.trash())
      await Bun.sleep(50)
  })

  test('all items whose disk is gone are removed from the list with one request', async () => {
    await using disks = await open()
    await disks.change('DELETE', '/usb/f')
    disks.unmount()
    const query = '?all=true&forget=true'
    expect(await outcome(disks.call('DELETE', API.trash + query))).toBe('204')
    expect(await disks.trash()).toEqual([])
  })
})
