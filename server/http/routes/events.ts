/** Notifies clients of changes of a folder by server-sent events. */
import type { Node } from '#server/storage/node.ts'
import type { LeftOutEvent } from '#wire/api/events.ts'
import { API } from '#wire/api/routes.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import type { Call, Route } from '../context/context.ts'
import { NOT_FOUND } from '../context/route-docs.ts'
import { streamResponse } from '../lifetime/in-flight.ts'
import { pathAfter } from '../request/input.ts'
import { etagOf } from '../response/download.ts'

/** Keeps the connection open through proxies, and detects clients that have left. */
const HEARTBEAT_MS = 5000

const CHANGED = 'event: changed\ndata: {}\n\n'
const JOBS = 'event: jobs\ndata: {}\n\n'
const HEARTBEAT = ': here\n\n'

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.events}/*`,
    needs: 'session',
    appPassword: 'wholeFolder',
    docs: {
      summary: 'Sends an event when a folder changes, until the session or the connection ends',
      query: {
        also: 'a folder whose names are watched too; may be repeated, at most four times',
      },
      responses: {
        200: {
          description:
            '`event: changed` soon after each change; `event: also` with a path and a version at first, and soon after a change of names in another folder; `event: jobs` soon after a change of jobs that the user may see; `event: leftOut` with a number and the first names when a copy or an archive of this session lacks something',
          type: 'text/event-stream',
        },
        403: 'a rule denies it',
        404: NOT_FOUND,
        409: 'it is not a folder',
        415: 'changes are not reported for this folder',
        429: 'this user watches too many folders',
        503: 'too many folders are watched; try again later',
      },
    },
    slow: true,
    async handle(call) {
      const { app, auth, scope } = call.var
      const { path } = pathAfter(call, API.events)
      const others = (call.req.queries('also') ?? []).slice(0, LIMITS.alsoWatchedMax).map(parsePath)
      const stream = new EventStream()
      const watch = await app.folderWatchers.watch(scope, path, stream)
      const also = await Promise.all(others.map((other) => watchAlso(call, other, stream)))
      const jobListener = app.jobs.listen(auth.user, stream.jobs)
      const leftOut = app.leftOut.listen(auth.session.id, stream.leftOut)
      stream.begin({
        [Symbol.dispose]() {
          jobListener[Symbol.dispose]()
          leftOut[Symbol.dispose]()
          watch[Symbol.dispose]()
          for (const each of also) each?.[Symbol.dispose]()
        },
      })
      call.set('recheckAccess', () => scope.recheck('look', path))
      return streamResponse(call, stream.bytes, {
        headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
      })
    },
  },
]

/** @returns undefined if the folder cannot be watched: the stream continues without it */
async function watchAlso(
  { var: { app, scope } }: Call,
  path: TreePath,
  stream: EventStream,
): Promise<Disposable | undefined> {
  const listener = {
    changed: (folder: Node) => stream.also(path, etagOf(folder)),
    ended: () => watch?.[Symbol.dispose](),
  }
  const watch = await app.folderWatchers.watchNames(scope, path, listener).catch(() => undefined)
  return watch
}

/** The event stream of one client. */
class EventStream {
  readonly bytes: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #watch: Disposable | undefined
  #heartbeat: Timer | undefined

  constructor() {
    this.bytes = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: 16 },
    )
  }

  /** @param watch disposed of when the stream ends */
  begin(watch: Disposable): void {
    this.#watch = watch
    if (!this.#controller) {
      this.#end()
      return
    }
    this.#heartbeat = setInterval(() => this.#send(HEARTBEAT), HEARTBEAT_MS)
    this.#heartbeat.unref()
    this.#send(HEARTBEAT)
  }

  /** Reports a change of the folder. */
  changed = (): void => this.#send(CHANGED)

  /** Reports the version of another folder. If it differs from the last one, names in the folder have changed. */
  also(path: TreePath, version: string): void {
    this.#send(`event: also\ndata: ${JSON.stringify({ path, version })}\n\n`)
  }

  /** Reports a change of the jobs. */
  jobs = (): void => this.#send(JOBS)

  /** Reports what a copy or a download of this session lacks. */
  leftOut = (event: LeftOutEvent): void =>
    this.#send(`event: leftOut\ndata: ${JSON.stringify(event)}\n\n`)

  /** Called when the watch of the folder has ended. */
  ended = (): void => {
    const controller = this.#controller
    this.#end()
    controller?.close()
  }

  /** Events for a client that does not read are dropped; it has to list the folder again. */
  #send(text: string): void {
    const queueSpace = this.#controller?.desiredSize ?? 0
    if (queueSpace > 0) this.#controller?.enqueue(this.#encoder.encode(text))
  }

  /** Ends the stream and the watch. */
  #end(): void {
    this.#controller = undefined
    clearInterval(this.#heartbeat)
    this.#watch?.[Symbol.dispose]()
  }
}
