/**
 * Which English messages load after the first page. That the first page names none of the later ones is checked by each
 * build (ui/vite.config.ts).
 */
import { expect, test } from 'bun:test'
import messages from '#ui/i18n/messages/en.json'
import { MESSAGE_PARTS, partOf } from '#ui/lib/message-parts.ts'

test('each group of a part is a group of the messages', () => {
  const groups = Object.values(MESSAGE_PARTS).flat()
  expect(groups.filter((group) => !(group in messages))).toEqual([])
  expect(new Set(groups).size).toBe(groups.length)
})

test.each([
  ['listing.name', undefined],
  ['settings.title', undefined],
  ['settings.trash.title', undefined],
  ['settings.shares.title', undefined],
  ['settings.shares.list', 'settings'],
  ['settings.', 'settings'],
  ['settings.profile.title', 'settings'],
  ['activity.acts.upload', 'settings'],
  ['prompts.delete.title_one', 'later'],
  ['prompts.download.leftOut_other', undefined],
  ['share.rest', undefined],
  ['share.restored', 'later'],
] as const)('the message %s is in the part %s', (key, part) => {
  expect(partOf(key)).toBe(part)
})
