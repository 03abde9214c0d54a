/** Moves and copies onto names that the destination has in another spelling. */
import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { transfer } from '#ui/actions/transfer.ts'
import { answer, type ConflictChoice, dismiss, prompts } from '#ui/state/dialogs/prompts.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf, visit } from '../browser.ts'
import { entry, folder } from '../entries.ts'

const NFC = 'Übung.txt'
const NFD = 'U\u0308bung.txt'
const TO = parsePath('/to')
let foldsCase = false
let existing: string[] = []

beforeEach(() => {
  session.user = userOf()
  foldsCase = false
  dismiss()
  visit('/files/')
  serve(({ method }) =>
    method === 'PATCH'
      ? new Response('', { headers: { 'X-Journal': '1' } })
      : Response.json({
          ...folder(
            '/to',
            existing.map((name) => entry(`/to/${name}`)),
          ),
          ...(foldsCase && { foldsCase }),
        }),
  )
})

/** Copies the entries, and answers the question about collisions. @returns the question, and what was requested */
async function copied(
  entries: Entry[],
  choices: ConflictChoice[],
): Promise<{ asked: string[]; requested: string[] }> {
  const done = transfer('copy', entries, TO)
  let asked: string[] = []
  if (choices.length > 0) {
    while (prompts.stack.length === 0) await new Promise((resolve) => setTimeout(resolve))
    const asking = prompts.stack[0]
    if (asking?.question.name !== 'collision') throw new Error('No question was asked.')
    asked = asking.question.conflicts.map(({ name }) => name)
    answer(asking.id, choices)
  }
  await done
  const requested = sentRequests
    .filter(({ method }) => method === 'PATCH')
    .map(({ url }) => {
      const query = new URL(url, 'http://x').searchParams
      const flags = ['override', 'rename'].filter((flag) => query.get(flag) === 'true')
      return [decodeURIComponent(query.get('destination') ?? ''), ...flags].join(' ')
    })
  return { asked, requested }
}

test.each([
  ['replace', 'override'],
  ['keepBoth', 'rename'],
] as const)(
  'a name in the other form of Unicode collides; %s keeps its spelling',
  async (choice, flag) => {
    existing = [NFD]
    const { asked, requested } = await copied([entry(`/from/${NFC}`)], [choice])
    expect(asked).toEqual([NFC])
    expect(requested).toEqual([`/to/${NFD} ${flag}`])
  },
)

test('a name in other case collides only where the disk ignores case', async () => {
  existing = ['PHOTO.jpg']
  const photo = entry('/from/photo.JPG')
  expect(await copied([photo], [])).toEqual({ asked: [], requested: ['/to/photo.JPG'] })
  foldsCase = true
  sentRequests.length = 0
  expect(await copied([photo], ['replace'])).toEqual({
    asked: ['photo.JPG'],
    requested: ['/to/PHOTO.jpg override'],
  })
})

test('two entries with the same name in both forms are both kept', async () => {
  existing = []
  const { requested } = await copied([entry(`/a/${NFC}`), entry(`/b/${NFD}`)], [])
  expect(requested).toEqual([`/to/${NFC}`, `/to/${NFC} rename`])
})

test('an entry with a free name does not take the name of an entry that keeps its own', async () => {
  existing = []
  const entries = ['/a/x.txt', '/b/x.txt', '/c/x(1).txt'].map((path) => entry(path))
  const { requested } = await copied(entries, [])
  expect(requested).toEqual(['/to/x.txt', '/to/x(1).txt', '/to/x.txt rename'])
})
