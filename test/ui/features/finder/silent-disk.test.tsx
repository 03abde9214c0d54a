/** What the finder says when a disk does not respond. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import en from '#ui/i18n/messages/en.json'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage

beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

/** The text of the finder after a search that found nothing. */
async function textAfter(results: { isPartial: boolean; isSilent?: boolean }): Promise<string> {
  const { finder } = await import('#ui/state/finder/finder.ts')
  const { FinderFooter } = await import('#ui/features/finder/FinderFooter.tsx')
  const { FinderList } = await import('#ui/features/finder/FinderList.tsx')
  const list = {
    id: 'list',
    groups: [],
    activeRow: -1,
    selected: new Set<string>(),
    onSelect: () => undefined,
    onMenu: () => undefined,
  }
  finder.status = 'done'
  finder.found = { hits: [], total: 0, ...results }
  const unmount = await page.mount(
    <>
      <FinderList {...list} />
      <FinderFooter />
    </>,
  )
  const text = document.body.textContent ?? ''
  await page.act(async () => unmount())
  return text
}

test('nothing was found', async () => {
  const text = await textAfter({ isPartial: false })
  expect(text).toContain(en.finder.none)
  expect(text).not.toContain(en.finder.silent)
})

test('nothing was found, and a disk does not respond', async () => {
  const text = await textAfter({ isPartial: true, isSilent: true })
  expect(text).not.toContain(en.finder.none)
  expect(text.split(en.finder.silent)).toHaveLength(3)
})
