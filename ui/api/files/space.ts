/** Requests for what takes up space. */
import { API } from '#wire/api/routes.ts'
import type { SameContentLine, SpaceReport } from '#wire/api/space.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/** @throws Fault notFound, forbidden, tooMany */
export function report(folder: TreePath, signal: AbortSignal): Promise<SpaceReport> {
  return requestJson<SpaceReport>(API.space + toUrlPath(folder, true), { signal })
}

/**
 * @param onLine called with each line when it arrives
 * @throws Fault notFound, forbidden, tooMany, aborted
 */
export async function sameContent(
  folder: TreePath,
  signal: AbortSignal,
  onLine: (line: SameContentLine) => void,
): Promise<void> {
  const { body } = await request(API.sameContent + toUrlPath(folder, true), { signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    if (done) return
    const lines = (text + value).split('\n')
    text = lines.pop() ?? ''
    // The server responds with the types of `#wire`; empty lines keep the connection open.
    for (const line of lines) if (line !== '') onLine(JSON.parse(line) as SameContentLine)
  }
}
