/** What a flow starts from: a server of its own with an empty root, and its administrator. */
import { test as base, expect } from 'playwright/test'
import { startServer, type TestServer } from '../support/server.ts'

interface Fixtures {
  server: TestServer
}

/**
 * `page` opens addresses relative to the test's own server: `page.goto('./files/')`. The server and
 * its root are gone after the test.
 */
export const test = base.extend<Fixtures>({
  // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  server: async ({}, use) => {
    const server = await startServer()
    await use(server)
    await server.stop()
  },
  baseURL: async ({ server }, use) => {
    await use(`${server.url}/`)
  },
})

export { expect }
