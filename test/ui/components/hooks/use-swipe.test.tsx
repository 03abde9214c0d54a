import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

test('a swipe shows the next item, but the drag of a slider does not', async () => {
  const { useSwipe } = await import('#ui/components/hooks/use-swipe.ts')
  const swipes: string[] = []
  function Viewer() {
    return (
      <div {...useSwipe((direction) => swipes.push(direction))}>
        <p>Picture</p>
        <input type="range" />
      </div>
    )
  }
  const unmount = await page.mount(<Viewer />)
  const drag = (selector: string) =>
    page.act(() => {
      const element = document.querySelector(selector)
      const at = (type: string, clientX: number) => {
        const touch = { pointerType: 'touch', isPrimary: true, clientX, clientY: 0 }
        element?.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), touch))
      }
      at('pointerdown', 300)
      at('pointerup', 100)
    })
  try {
    await drag('input')
    expect(swipes).toEqual([])
    await drag('p')
    expect(swipes).toEqual(['next'])
  } finally {
    await page.act(() => unmount())
  }
})
