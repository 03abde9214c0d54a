/** The fixtures of a flow: a server with a signed-in administrator, and the page objects. */
import { test as base, expect } from 'playwright/test'
import { type Client, signIn } from '../support/server/client.ts'
import { startWithPrograms } from '../support/server/programs.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { recordEvents, writeEvidence } from './evidence.ts'
import { preferFileInputs } from './file-inputs.ts'
import { ActivityPage } from './pages/ActivityPage.ts'
import { FilesPage } from './pages/FilesPage.ts'
import { LoginPage } from './pages/LoginPage.ts'
import { OpenedFile } from './pages/OpenedFile.ts'
import { SettingsPage } from './pages/SettingsPage.ts'
import { SharePage } from './pages/SharePage.ts'
import { UploadPanel } from './pages/UploadPanel.ts'
import { type SharedServer, startSharedServer } from './shared-server.ts'
import { dismissFirstSteps, signInPage } from './users.ts'

interface Fixtures {
  /** Whether the card of first steps is shown; most flows begin after it was dismissed. */
  firstSteps: boolean
  /** The programs that the administrator may run, such as `sh,ls`; if empty, the server runs no commands. */
  programs: string
  /** Whether the test has a server of its own, because it changes settings or sees what all users do. */
  ownServer: boolean
  /** Options of the command line for a server of the test's own. */
  serverArgs: readonly string[]
  server: TestServer
  login: LoginPage
  /** The page has the session of the administrator when it opens its first document. */
  signedIn: undefined
  /** The listing, for the signed-in administrator. The test opens it, when it has written its files. */
  files: FilesPage
  uploads: UploadPanel
  /** The settings, for the signed-in administrator, who opens one of their screens. */
  settings: SettingsPage
  /** The page of a file, for the signed-in administrator. */
  opened: OpenedFile
  /** The audit record, for the signed-in administrator. */
  activity: ActivityPage
  /** The page of a public link, for a visitor. */
  share: SharePage
  /** A session of the administrator without the page. */
  admin: Client
  /** Makes the page choose files with a file input. */
  fileInputs: undefined
  /** Fails the test at its end if the page had an uncaught error. */
  noPageErrors: undefined
  /** With FILEMGR_CPU_SLOWDOWN, the page gets only this fraction of a core. */
  slowdown: undefined
  /** Writes what happened in the page, and the server's log, if the test fails. */
  evidence: undefined
}

export const test = base.extend<Fixtures, { sharedServer: SharedServer }>({
  firstSteps: [false, { option: true }],
  programs: ['', { option: true }],
  ownServer: [false, { option: true }],
  serverArgs: [[], { option: true }],
  sharedServer: [
    // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
    async ({}, use) => {
      const server = await startSharedServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ programs, ownServer, serverArgs: args, firstSteps, sharedServer }, use) => {
    if (!ownServer && !programs && !firstSteps && args.length === 0) {
      await use(sharedServer.takeUser())
      return
    }
    const server = programs
      ? await startWithPrograms(programs)
      : await startServer({ args: [...args] })
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
  evidence: [
    async ({ page, server }, use, info) => {
      const events = recordEvents(page)
      await use(undefined)
      writeEvidence(info, events(), server)
    },
    { auto: true },
  ],
  slowdown: [
    async ({ page }, use) => {
      const rate = Number(process.env.FILEMGR_CPU_SLOWDOWN ?? 1)
      if (rate > 1) {
        const devTools = await page.context().newCDPSession(page)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate })
      }
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
  uploads: async ({ page }, use) => use(new UploadPanel(page)),
  settings: async ({ page, signedIn: _ }, use) => use(new SettingsPage(page)),
  opened: async ({ page, signedIn: _ }, use) => use(new OpenedFile(page)),
  activity: async ({ page, signedIn: _ }, use) => use(new ActivityPage(page)),
  share: async ({ page }, use) => use(new SharePage(page)),
  admin: async ({ server }, use) => use(await signIn(server.url, server.username, server.password)),
  signedIn: async ({ page, server, firstSteps }, use) => {
    await signInPage(page, server, { firstSteps })
    await use(undefined)
  },
  files: async ({ page, signedIn: _, serviceWorkers }, use) =>
    use(new FilesPage(page, { waitsForServiceWorker: serviceWorkers !== 'block' })),
})

export { expect }
