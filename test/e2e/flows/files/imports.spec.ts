/** Files are imported from a URL only if the operator allows hosts, and only from these hosts. */
import { startServer } from '../../../support/server/server.ts'
import { test as base, expect } from '../../fixtures.ts'
import { JobsPanel } from '../../pages/JobsPanel.ts'

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  server: async ({}, use) => {
    const server = await startServer({ args: ['--import-hosts', 'files.test,127.0.0.1'] })
    await use(server)
    await server.stop()
  },
})

base('the import action is not offered if no host is allowed @spec-2.43', async ({ files }) => {
  await files.openRoot()
  await files.action('More ways to upload').click()
  await expect(files.menuItem('Upload folder')).toBeVisible()
  await expect(files.menuItem('Import from URL…')).toBeHidden()
})

test('an import asks for a URL, and a refused URL shows the reason @spec-2.43', async ({
  files,
  page,
}) => {
  await files.openRoot()
  const ask = async (address: string) => {
    await files.action('More ways to upload').click()
    await files.menuItem('Import from URL…').click()
    await page.getByLabel('Address of the file').fill(address)
  }
  await ask('ftp://files.test/a')
  await expect(files.prompt.button('Import')).toBeDisabled()
  await expect(files.prompt.card).toContainText('must begin with http:// or https://')
  await page.getByLabel('Address of the file').fill('https://other.test/a.iso')
  await files.prompt.button('Import').click()
  await expect(page.getByText('Files may not be imported from this address.')).toBeVisible()
  // The host is allowed, but its address is not public.
  await ask('http://127.0.0.1/a.iso')
  await files.prompt.button('Import').click()
  const panel = new JobsPanel(page)
  await panel.says('is not on the public internet')
})
