/** The fixtures of a flow: its own server, the administrator, and the page objects. */
import { test as base, expect } from 'playwright/test'
import { startWithPrograms } from '../support/programs.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { preferFileInputs } from './file-inputs.ts'
import { FilesPage } from './pages/FilesPage.ts'
import { LoginPage } from './pages/LoginPage.ts'
import { UploadPanel } from './pages/UploadPanel.ts'
import { waitForServiceWorker } from './pages/worker.ts'
import { dismissFirstSteps, signInPage } from './users.ts'

interface Fixtures {
  /** Whether the card of first steps is shown; most flows begin after it was dismissed. */
  firstSteps: boolean
  /** The programs that the administrator may run, such as `sh,ls`; if empty, the server runs no commands. */
  programs: string
  server: TestServer
  login: LoginPage
  /** The listing of the root, for the signed-in administrator. The service worker controls the page, if it is not blocked. */
  files: FilesPage
  uploads: UploadPanel
  /** Makes the page choose files with a file input. */
  fileInputs: undefined
  /** Fails the test at its end if the page had an uncaught error. */
  noPageErrors: undefined
}

export const test = base.extend<Fixtures>({
  firstSteps: [false, { option: true }],
  programs: ['', { option: true }],
  server: async ({ programs }, use) => {
    const server = programs ? await startWithPrograms(programs) : await startServer()
    await use(server)
    await server.stop()
  },
  baseURL: async ({ server }, use) => {
    await use(`${server.url}/`)
  },
  fileInputs: [
    async ({ context }, use) => {
      await preferFileInputs(context)
      await use(undefined)
    },
    { auto: true },
  ],
  noPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await use(undefined)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
  login: async ({ page, server, firstSteps }, use) => {
    if (!firstSteps) await dismissFirstSteps(server)
    await use(new LoginPage(page))
  },
  uploads: async ({ page }, use) => {
    await use(new UploadPanel(page))
  },
  files: async ({ page, server, firstSteps, serviceWorkers }, use) => {
    const files = new FilesPage(page)
    await signInPage(page, server, { firstSteps })
    await page.goto('./files/')
    await expect(files.status).toBeVisible()
    if (serviceWorkers !== 'block') await waitForServiceWorker(page)
    await use(files)
  },
})

export { expect }
