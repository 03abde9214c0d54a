/** A folder that tells when it changes: server-sent events, as browsers read them by themselves. */
import { API } from '#wire/routes.ts'
import { NOTHING_THERE } from '../about.ts'
import type { Call, Route } from '../context.ts'
import { pathAfter } from '../input.ts'

/** Proxies and browsers hear that the line is open, and the server notices who has left. */
const HEARTBEAT_MS = 15_000

const CHANGED = 'event: changed\ndata: {}\n\n'
const HEARTBEAT = ': here\n\n'

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.events}/*`,
    needs: 'session',
    about: {
      summary: 'Tells when a folder changes, until the session or the connection ends',
      answers: {
        200: { words: '`event: changed`, soon after each change', type: 'text/event-stream' },
        403: 'a rule denies it',
        404: NOTHING_THERE,
        409: 'no folder',
        415: 'nobody tells of changes here',
        503: 'too many folders are watched; try again later',
      },
    },
    slow: true,
    async handle(call) {
      const { app, scope } = call.var
      const encoder = new TextEncoder()
      let tell: (text: string) => void = () => undefined
      const { path } = pathAfter(call, API.events)
      const watch = await app.watching.watch(scope, path, () => tell(CHANGED))
      let heartbeat: Timer
      const end = () => {
        clearInterval(heartbeat)
        watch[Symbol.dispose]()
      }
      const stream = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            // Somebody who does not read is told nothing more, and finds all of it by looking anew.
            tell = (text) => {
              if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
            }
            heartbeat = setInterval(() => {
              if (isSignedIn(call)) return tell(HEARTBEAT)
              end()
              controller.close()
            }, HEARTBEAT_MS)
            heartbeat.unref()
            tell(HEARTBEAT)
          },
          cancel: end,
        },
        { highWaterMark: 16 },
      )
      return new Response(stream, {
        headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
      })
    },
  },
]

function isSignedIn({ var: { app, entrance } }: Call): boolean {
  return app.sessions.find(entrance.session.id) !== undefined
}
