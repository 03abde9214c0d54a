/** A day and a time of day that users type and choose. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

test('the day can be emptied while another one is typed, and an empty one is not reported', async () => {
  const { useState } = await import('react')
  const { MomentInput } = await import('#ui/components/fields/MomentInput.tsx')
  let moment = ''
  function Since() {
    const [value, setValue] = useState('2026-11-18T14:05')
    moment = value
    return <MomentInput value={value} onChange={setValue} />
  }
  const unmount = await page.mount(<Since />)
  try {
    const field = document.querySelector<HTMLInputElement>('.MomentInput input')
    if (!field) throw new Error('There is no field for the day.')
    const setText = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
    const type = (text: string) =>
      page.act(() => {
        setText?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
    const isInvalid = () => field.getAttribute('aria-invalid')
    await type('')
    expect([field.value, isInvalid(), moment]).toEqual(['', 'true', '2026-11-18T14:05'])
    await type('2026-12-24')
    expect([isInvalid(), moment]).toEqual(['false', '2026-12-24T14:05'])
  } finally {
    await page.act(unmount)
  }
})
