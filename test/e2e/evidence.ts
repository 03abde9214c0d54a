/** What a failed test leaves beside Playwright's picture and trace: what happened in the page, and the server's log. */
import { writeFileSync } from 'node:fs'
import type { Page, TestInfo } from 'playwright/test'
import type { TestServer } from '../support/server/server.ts'

/** Only the last events are written. */
const EVENTS_MAX = 2000

/**
 * Records the events of a page from now on: navigations, responses, failed requests, messages of the console, and errors.
 *
 * @returns a function that returns the lines recorded so far, each with its time in ms
 */
export function recordEvents(page: Page): () => string[] {
  const start = Date.now()
  const lines: string[] = []
  const add = (text: string) => {
    lines.push(`${String(Date.now() - start).padStart(6)} ${text}`)
    if (lines.length > EVENTS_MAX) lines.shift()
  }
  page.on('framenavigated', (frame) => add(`page    ${frame.url()}`))
  page.on('response', (response) =>
    add(`${response.status()}     ${response.request().method()} ${response.url()}`),
  )
  page.on('requestfailed', (request) =>
    add(`FAILED  ${request.method()} ${request.url()} ${request.failure()?.errorText}`),
  )
  page.on('console', (message) => add(`console ${message.type()} ${message.text()}`))
  page.on('pageerror', (error) => add(`error   ${error.message}`))
  page.on('close', () => add('closed'))
  return () => lines
}

/** Writes the evidence of a failed test into its folder below dist/e2e; of a test that passed, nothing. */
export function writeEvidence(info: TestInfo, events: string[], server: TestServer): void {
  if (info.status === info.expectedStatus) return
  writeFileSync(info.outputPath('page.log'), `${events.join('\n')}\n`)
  writeFileSync(info.outputPath('server.log'), server.output())
}
