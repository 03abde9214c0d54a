import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { preferFileInputs } from '../../file-inputs.ts'
import { expect, test } from '../../fixtures.ts'
import { FileDrag } from '../../pages/FileDrag.ts'

/** A folder with a file and with another folder, on the user's computer. */
function makeHoliday() {
  const desktop = temporaryFolder()
  const path = join(desktop.path, 'holiday')
  mkdirSync(join(path, 'inner'), { recursive: true })
  writeFileSync(join(path, 'a.jpg'), 'a')
  writeFileSync(join(path, 'inner/b.jpg'), 'b')
  return { path, remove: () => desktop.remove() }
}

/** Deletes something on the user's computer when the browser has listed the dropped folder, before it opens the content. */
async function deleteAfterListing(page: Page, path: string): Promise<void> {
  await page.exposeFunction('deleteOnDesktop', () => rmSync(path, { recursive: true }))
  await page.addInitScript(() => {
    const desktop = window as unknown as { deleteOnDesktop(): Promise<void> }
    const { webkitGetAsEntry } = DataTransferItem.prototype
    DataTransferItem.prototype.webkitGetAsEntry = function () {
      const entry = webkitGetAsEntry.call(this) as FileSystemDirectoryEntry
      const createReader = entry.createReader.bind(entry)
      // Only this folder: the folders in it have entries of their own.
      entry.createReader = () => {
        const reader = createReader()
        const readEntries = reader.readEntries.bind(reader)
        let isDeleted = false
        reader.readEntries = (done, fail) =>
          readEntries(async (entries) => {
            if (!isDeleted) await desktop.deleteOnDesktop()
            isDeleted = true
            done(entries)
          }, fail)
        return reader
      }
      return entry
    }
  })
}

test('a dropped folder that cannot be read to its end is a failure with its reason', async ({
  files,
  uploads,
  page,
}) => {
  const holiday = makeHoliday()
  await deleteAfterListing(page, join(holiday.path, 'inner'))
  await files.openRoot()
  const drag = new FileDrag(page, [holiday.path])
  await drag.over(files.status)
  await drag.drop()
  await expect(uploads.card).toContainText('1 item not uploaded')
  await expect(uploads.card).toContainText('Moved or deleted before all of it was read.')
  await expect(uploads.card.getByRole('img', { name: 'Uploaded', exact: true })).toHaveCount(0)
  await files.open('/holiday')
  await files.shows('inner', 'a.jpg')
  holiday.remove()
})

test('a file of a dropped folder that cannot be opened is counted, and its folder is not complete', async ({
  files,
  uploads,
  page,
}) => {
  const holiday = makeHoliday()
  await deleteAfterListing(page, join(holiday.path, 'a.jpg'))
  await files.openRoot()
  const drag = new FileDrag(page, [holiday.path])
  await drag.over(files.status)
  await drag.drop()
  await expect(uploads.card).toContainText('1 file not uploaded')
  await expect(uploads.card).toContainText('1 of 2 files')
  await expect(uploads.card).toContainText('a.jpg')
  await expect(uploads.card.getByRole('img', { name: 'Uploaded', exact: true })).toHaveCount(0)
  holiday.remove()
})

test('a folder that is chosen in a dialog is uploaded with its empty folders', async ({
  files,
  uploads,
  page,
}) => {
  // The dialog of the browser is answered by a folder of its private storage, whose handle is a real one.
  await page.addInitScript(() => {
    Object.assign(window, {
      async showDirectoryPicker() {
        const root = await navigator.storage.getDirectory()
        const trip = await root.getDirectoryHandle('trip', { create: true })
        await trip.getDirectoryHandle('empty', { create: true })
        const plans = await trip.getDirectoryHandle('plans', { create: true })
        const file = await plans.getFileHandle('route.gpx', { create: true })
        const writer = await file.createWritable()
        await writer.write('route')
        await writer.close()
        return trip
      },
    })
  })
  await files.openRoot()
  await files.action('More ways to upload').click()
  await files.menuItem('Upload folder').click()
  await expect(uploads.card).toContainText('1 file uploaded')
  await expect(files.toasts).not.toContainText('Empty folders')
  await files.open('/trip')
  await files.shows('empty', 'plans')
  await files.open('/trip/plans')
  await files.shows('route.gpx')
})

test('a browser that leaves out empty folders says so', async ({ files, uploads, context }) => {
  await preferFileInputs(context)
  const holiday = makeHoliday()
  mkdirSync(join(holiday.path, 'empty'))
  await files.openRoot()
  await files.upload('A folder', holiday.path)
  await expect(files.toasts).toContainText('Empty folders are not included')
  await expect(uploads.card).toContainText('2 files uploaded')
  await files.open('/holiday')
  await files.shows('inner', 'a.jpg')
  holiday.remove()
})
