/** Full disks: what was just deleted stays in the trash, the message names the disk, and the free space is that of the folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import type { Client } from '../../../support/server/client.ts'
import { startServer } from '../../../support/server/server.ts'
import { ageTrash } from '../../../support/storage/aged-trash.ts'
import { noMounts, withMounts } from '../../../support/system/mounts.ts'
import { test as base, expect } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'
import { dismissFirstSteps } from '../../users.ts'

const MIB = 2 ** 20
const ROOT_MIB = 40
const PHOTOS_MIB = 16

/** A served folder of 40 MiB, with a disk of 16 MiB at `photos`. */
const test = base.extend<{ disks: { folder: string; database: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  disks: async ({}, use) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder.path, 'root'))
    await use({ folder: folder.path, database: join(folder.path, 'filemgr.db') })
    folder.remove()
  },
  server: async ({ disks: { folder, database } }, use) => {
    const program = withMounts(folder, [
      { at: 'root', sizeMiB: ROOT_MIB },
      { at: 'root/photos', sizeMiB: PHOTOS_MIB },
    ])
    const server = await startServer({ root: join(folder, 'root'), database, program })
    await dismissFirstSteps(server)
    await use(server)
    await server.stop()
  },
})
test.skip(noMounts !== undefined, noMounts)

/** @returns the path of a file on this device, outside the small disks */
function localFile(folder: string, name: string, mib: number): string {
  const path = join(folder, name)
  writeFileSync(path, new Uint8Array(mib * MIB))
  return path
}

/** Deletes a file of 12 MiB on the page of a disk that has 4 MiB free. */
async function deleteOnFullDisk(admin: Client, files: FilesPage): Promise<void> {
  await admin.call('POST', `${API.resources}/filler.bin`, new Uint8Array(24 * MIB))
  await admin.call('POST', `${API.resources}/mine.bin`, new Uint8Array(12 * MIB))
  await files.openRoot()
  await files.delete('mine.bin')
}

test('an upload to a full disk leaves what was just deleted, says so, and the deletion is undone', async ({
  disks,
  files,
  page,
  uploads,
  admin,
}) => {
  const upload = localFile(disks.folder, 'new.bin', 8)
  await deleteOnFullDisk(admin, files)
  await files.upload('Files', [upload])
  await expect(uploads.card).toContainText('There is no space left on the server.')
  const way = uploads.card.getByRole('link', { name: 'Open the trash' })
  await expect(way).toBeVisible()
  await expect(way.locator('..')).toContainText('12 MiB')
  // Small files of the server itself may be there too.
  await expect(files.status).toContainText(/(?:3\.9\d|4) MiB free · 12 MiB in the trash/)
  await files.grid.focus()
  await page.keyboard.press('Control+z')
  await expect(files.row('mine.bin')).toBeVisible()
  await expect(files.toasts).toContainText('Undone: mine.bin moved to the trash')
})

test('a write that removes older items from the trash says how many', async ({
  disks,
  files,
  admin,
}) => {
  const upload = localFile(disks.folder, 'new.bin', 8)
  await deleteOnFullDisk(admin, files)
  ageTrash(disks.database)
  await files.upload('Files', [upload])
  await expect(files.row('new.bin')).toBeVisible()
  await expect(files.toasts).toContainText(
    'The disk was full. To make room, items were removed permanently from the trash: 1',
  )
})

test('the free space is that of the disk of the folder after each change, and its fault names it', async ({
  disks,
  files,
  page,
  uploads,
  admin,
}) => {
  const [small, large] = [
    localFile(disks.folder, 'small.bin', 10),
    localFile(disks.folder, 'large.bin', 8),
  ]
  await admin.call('POST', `${API.resources}/photos/album/`)
  await files.openRoot()
  await expect(files.status).toContainText('40 MiB free')
  await files.open('photos/')
  await expect(files.status).toContainText('16 MiB free')
  await files.upload('Files', [small])
  await expect(files.row('small.bin')).toBeVisible()
  await expect(files.status).toContainText('6 MiB free')
  await files.upload('Files', [large])
  await expect(uploads.card).toContainText('There is no space left on the disk of “photos”.')
  await page.goto('settings/space/photos')
  await expect(page.locator('.SpacePage__disk')).toContainText('16 MiB')
})
