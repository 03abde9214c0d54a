import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

describe('the cursor of a list', () => {
  test('the first row is active until the user chooses one', async () => {
    const list = await open(['new', 'rename'])
    expect(list.active()).toBe('new')
    await list.show(['a.txt', 'new', 'rename'])
    expect(list.active()).toBe('a.txt')
    await list.close()
  })

  test('the chosen row stays active when rows appear above it', async () => {
    const list = await open(['new', 'rename'])
    await list.press('ArrowDown')
    await list.show(['a.txt', 'b.txt', 'new', 'rename'])
    expect(list.active()).toBe('rename')
    await list.press('ArrowUp')
    expect(list.active()).toBe('new')
    await list.close()
  })

  test('the first row stays active too if the user chose it', async () => {
    const list = await open(['new', 'rename'])
    await list.press('ArrowDown', 'ArrowUp')
    await list.show(['a.txt', 'new', 'rename'])
    expect(list.active()).toBe('new')
    await list.close()
  })

  test.each([
    ['ArrowDown', 'c'],
    ['ArrowUp', 'a'],
    ['PageDown', 'd'],
    ['PageUp', 'a'],
  ])(
    'no row is active when the chosen one disappears; %s goes on from its place',
    async (key, next) => {
      const list = await open(['a', 'b', 'c', 'd'])
      await list.press('ArrowDown')
      await list.show(['a', 'c', 'd'])
      expect(list.active()).toBeUndefined()
      await list.press(key)
      expect(list.active()).toBe(next)
      await list.close()
    },
  )

  test('a list without rows has no cursor', async () => {
    const list = await open([])
    await list.press('ArrowDown')
    expect(list.active()).toBeUndefined()
    await list.show(['a', 'b'])
    expect(list.active()).toBe('a')
    await list.close()
  })
})

/** Renders a field with a cursor for rows that the test changes. */
async function open(first: readonly string[]) {
  const { useState } = await import('react')
  const { useListCursor } = await import('#ui/components/hooks/use-list-cursor.ts')
  let setRows = (_: readonly string[]) => {}
  let active: string | undefined
  function List() {
    const [rows, set] = useState(first)
    const cursor = useListCursor(rows)
    setRows = set
    active = rows[cursor.row]
    return <input onKeyDown={cursor.step} />
  }
  const unmount = await page.mount(<List />)
  return {
    active: () => active,
    show: (rows: readonly string[]) => page.act(() => setRows(rows)),
    async press(...keys: string[]) {
      for (const key of keys) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true })
        await page.act(() => void document.querySelector('input')?.dispatchEvent(event))
      }
    },
    async close() {
      await page.act(unmount)
      document.body.replaceChildren()
    },
  }
}
