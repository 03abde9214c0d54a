/** The fixtures of a screen: one server with a realistic tree for all screens of a worker, and a new page for each screen. */
import { test as base, type Page } from 'playwright/test'
import { TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { signIn } from '../../support/server/client.ts'
import { startWithPrograms } from '../../support/server/programs.ts'
import type { TestServer } from '../../support/server/server.ts'
import { openTcpProxy, type TcpProxy } from '../../support/server/tcp-proxy.ts'
import { preferFileInputs } from '../file-inputs.ts'
import { FilesPage } from '../pages/FilesPage.ts'
import { LoginPage } from '../pages/LoginPage.ts'
import { OpenedFile } from '../pages/OpenedFile.ts'
import { SearchBox } from '../pages/SearchBox.ts'
import { SettingsPage } from '../pages/SettingsPage.ts'
import { ShellPanel } from '../pages/ShellPanel.ts'
import { UploadPanel } from '../pages/UploadPanel.ts'
import { dismissFirstSteps } from '../users.ts'
import { NOW, writeTree, writeUploads } from './tree.ts'

/** What a screen is brought about with: the page, its page models, and the files of the server. */
export interface Stage {
  page: Page
  /** The served folder. */
  root: string
  /** A folder on the user's own computer, with files to upload. */
  outbox: string
  files: FilesPage
  login: LoginPage
  settings: SettingsPage
  uploads: UploadPanel
  opened: OpenedFile
  search: SearchBox
  shell: ShellPanel
  isNarrow: boolean
  /** The address of the page, without a slash at the end. */
  url: string
  /** The proxy between the page and the server. Reading it throws unless the screen is `proxied`. */
  readonly tcpProxy: TcpProxy
}

/** The widths of the window in which every screen is shown, as options of Playwright. */
export const WIDTHS = {
  1440: { viewport: { width: 1440, height: 900 } },
  390: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

export const THEMES = ['light', 'dark'] as const

interface Host extends TestServer {
  outbox: string
}

interface TestFixtures {
  /** Whether a user is already signed in. */
  signedIn: boolean
  /** Whether the page reaches the server through `tcpProxy`. */
  proxied: boolean
  tcpProxy: TcpProxy | undefined
  stage: Stage
}

export const test = base.extend<TestFixtures, { host: Host }>({
  host: [
    // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
    async ({}, use) => {
      const served = temporaryFolder()
      const outbox = temporaryFolder()
      await writeTree(served.path)
      await writeUploads(outbox.path)
      const server = await startWithPrograms('sh,ls,cat,git,du,python3', {
        root: served.path,
        args: ['--import-hosts', 'archive.example', '--trash-except', '/Plans/Renders'],
      })
      await dismissFirstSteps(server)
      await use({ ...server, outbox: outbox.path })
      await server.stop()
      served.remove()
      outbox.remove()
    },
    { scope: 'worker' },
  ],
  signedIn: [true, { option: true }],
  proxied: [false, { option: true }],
  tcpProxy: async ({ host, proxied }, use) => {
    const tcpProxy = proxied ? await openTcpProxy(host.url) : undefined
    await use(tcpProxy)
    await tcpProxy?.cut()
  },
  baseURL: async ({ host, tcpProxy }, use) => {
    await use(`${(tcpProxy ?? host).url}/`)
  },
  stage: async ({ page, host, tcpProxy, signedIn, viewport }, use) => {
    await page.clock.setFixedTime(NOW)
    await preferFileInputs(page.context())
    if (signedIn) {
      const { token } = await signIn(host.url, 'admin', host.password)
      await page.addInitScript(
        ([key, value]) => {
          // A frame of the browser, such as the sandboxed frame of a document, has no storage.
          const isTopWindow = window === window.top
          if (isTopWindow && !localStorage.getItem(key)) localStorage.setItem(key, value)
        },
        [TOKEN_STORAGE_KEY, token] as const,
      )
    }
    await use({
      page,
      root: host.root,
      outbox: host.outbox,
      files: new FilesPage(page),
      login: new LoginPage(page),
      settings: new SettingsPage(page),
      uploads: new UploadPanel(page),
      opened: new OpenedFile(page),
      search: new SearchBox(page),
      shell: new ShellPanel(page),
      url: (tcpProxy ?? host).url,
      get tcpProxy() {
        if (!tcpProxy) throw new Error('Only a screen that is `proxied` has a proxy.')
        return tcpProxy
      },
      isNarrow: (viewport?.width ?? 0) < 737,
    })
  },
})
