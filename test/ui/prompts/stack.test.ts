import { afterEach, expect, test } from 'bun:test'
import { answer, ask, dismiss, prompts } from '#ui/state/dialogs/prompts.ts'
import { ROOT } from '#wire/paths.ts'

afterEach(dismiss)

function idOf(at: number): number {
  return prompts.stack[at]?.id ?? -1
}

test('a question waits for the answer of its own card', async () => {
  const first = ask({ name: 'newFolder', folder: ROOT })
  const second = ask({ name: 'newFile', folder: ROOT })
  answer(idOf(0), 'folder')
  answer(idOf(0), 'file')
  expect(await first).toBe('folder')
  expect(await second).toBe('file')
})

test('the last prompt is on top, and closing it shows the one below @spec-4.3', async () => {
  ask({ name: 'help' })
  const onTop = ask({ name: 'abortUploads', count: 1 })
  expect(prompts.stack.map(({ question }) => question.name)).toEqual(['help', 'abortUploads'])
  answer(idOf(1), undefined)
  expect(await onTop).toBeUndefined()
  expect(prompts.stack.map(({ question }) => question.name)).toEqual(['help'])
})

test('navigation cancels every prompt, the topmost first @spec-4.3', async () => {
  const order: string[] = []
  const questions = [
    ask({ name: 'help' }).then(() => order.push('below')),
    ask({ name: 'info', entries: [] }).then(() => order.push('above')),
  ]
  dismiss()
  await Promise.all(questions)
  expect(order).toEqual(['above', 'below'])
  expect(prompts.stack).toEqual([])
})

test('a second answer changes nothing', async () => {
  const asked = ask({ name: 'extract', entryName: 'a.zip' })
  const id = idOf(0)
  answer(id, { into: 'here' })
  answer(id, { into: 'folder' })
  expect(await asked).toEqual({ into: 'here' })
})

test('entries are passed unchanged, not as proxies', () => {
  const entries = Object.freeze([])
  ask({ name: 'delete', entries })
  const asked = prompts.stack[0]?.question
  expect(asked?.name === 'delete' && asked.entries).toBe(entries)
})

test('a question that is the topmost is not asked again, except for the password, which each request needs', async () => {
  const first = ask({ name: 'newFolder', folder: ROOT })
  expect(await ask({ name: 'newFolder', folder: ROOT })).toBeUndefined()
  expect(prompts.stack).toHaveLength(1)
  void ask({ name: 'newFile', folder: ROOT })
  void ask({ name: 'newFolder', folder: ROOT })
  expect(prompts.stack.map(({ question }) => question.name)).toEqual([
    'newFolder',
    'newFile',
    'newFolder',
  ])
  dismiss()
  expect(await first).toBeUndefined()
  for (let count = 0; count < 2; count += 1) void ask({ name: 'currentPassword', isWrong: false })
  expect(prompts.stack).toHaveLength(2)
  dismiss()
})
