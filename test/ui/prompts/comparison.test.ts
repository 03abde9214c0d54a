import { describe, expect, test } from 'bun:test'
import {
  compareEntries,
  decideAll,
  resume,
  suggest,
} from '#ui/features/prompts/collisions/comparison.ts'
import type { Conflict, FileSummary } from '#ui/state/dialogs/prompts.ts'

const HERE: FileSummary = { size: 10, modified: '2026-01-02T12:00:00Z', isDir: false }

function conflict(own: Partial<FileSummary>, existing: FileSummary = HERE): Conflict {
  return { name: 'a', existing, incoming: { ...HERE, ...own } }
}

const NEWER = conflict({ modified: '2026-01-02T12:00:03Z' })
const OLDER = conflict({ modified: '2026-01-02T11:59:57Z' })
const SAME = conflict({ modified: '2026-01-02T12:00:01.999Z' })
const DIFFERS = conflict({ size: 11 })
const FOLDER = conflict({ isDir: true })

describe('two entries of the same name', () => {
  test.each([
    ['newer', NEWER],
    ['older', OLDER],
    ['same', SAME],
    ['differs', DIFFERS],
    ['folder', FOLDER],
  ] as const)(
    'of two entries of the same name the incoming one is %s',
    (comparison, conflicting) => {
      expect(compareEntries(conflicting)).toBe(comparison)
    },
  )

  test('two folders with the same time are the same, whatever their size', () => {
    expect(compareEntries(conflict({ isDir: true, size: 1 }, { ...HERE, isDir: true }))).toBe(
      'same',
    )
  })

  test('a folder is never replaced by a file', () => {
    expect(decideAll([NEWER, FOLDER], 'replace')).toEqual(['replace', 'keepBoth'])
    expect(decideAll([NEWER, FOLDER], 'skip')).toEqual(['skip', 'skip'])
  })

  test('an entry of the same transfer is never replaced, and never skipped unless the user says so', () => {
    const sibling = {
      ...conflict({ size: 11, modified: NEWER.incoming.modified }),
      isSibling: true,
    }
    expect(decideAll([NEWER, sibling], 'replace')).toEqual(['replace', 'keepBoth'])
    expect([resume([sibling]), suggest(sibling, true)]).toEqual([['keepBoth'], 'keepBoth'])
    expect(decideAll([sibling], 'skip')).toEqual(['skip'])
  })

  test('an interrupted transfer is resumed: only smaller existing files are replaced', () => {
    const conflicts = [
      conflict({ size: 11 }),
      conflict({ size: 10 }),
      conflict({ size: 9 }),
      conflict({ size: 11, isDir: true }),
      conflict({ size: 11 }, { ...HERE, isDir: true }),
    ]
    expect(resume(conflicts)).toEqual(['replace', 'skip', 'skip', 'skip', 'skip'])
  })

  test('the newer file replaces, if the user may replace; a different file is never lost', () => {
    expect([NEWER, OLDER, SAME, DIFFERS, FOLDER].map((one) => suggest(one, true))).toEqual([
      'replace',
      'skip',
      'skip',
      'keepBoth',
      'keepBoth',
    ])
    expect(suggest(NEWER, false)).toBe('keepBoth')
  })
})
