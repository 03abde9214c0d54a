import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

test('a slider shows the chosen value until the player reports one, and afterwards the reported values', async () => {
  const { useState } = await import('react')
  const { Slider } = await import('#ui/components/fields/Slider.tsx')
  let report = (_: number) => {}
  function Volume() {
    const [value, setValue] = useState(0)
    report = setValue
    return (
      <Slider
        label="Volume"
        value={value}
        max={1}
        step={0.05}
        keyStep={0.5}
        text=""
        onChange={() => {}}
      />
    )
  }
  const unmount = await page.mount(<Volume />)
  try {
    const slider = document.querySelector<HTMLInputElement>('input[type=range]')
    const press = (key: string) =>
      page.act(
        () => void slider?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
      )
    expect(slider?.value).toBe('0')
    await press('ArrowRight')
    expect(slider?.value).toBe('0.5')
    await page.act(() => report(0.5))
    expect(slider?.value).toBe('0.5')
    // The sound is muted again: the value is the one before the choice.
    await page.act(() => report(0))
    expect(slider?.value).toBe('0')
  } finally {
    await page.act(() => unmount())
  }
})
