import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { positionMenu } from '#ui/lib/gestures/menu-position.ts'

const MENU = { width: 200, height: 300 }
/** The size of the window of these tests. */
const WINDOW = { innerWidth: 1000, innerHeight: 800 }

let menu: HTMLElement

beforeEach(() => {
  Object.assign(window, WINDOW)
  menu = elementAt({ left: 0, top: 0, ...MENU })
})

afterEach(() => {
  document.documentElement.dir = 'ltr'
})

describe('a menu at a point', () => {
  test('the menu starts at the point', () => {
    positionMenu(menu, { x: 100, y: 50 })
    expect([menu.style.left, menu.style.top]).toEqual(['100px', '50px'])
  })

  test('the menu stays inside the window, 8 px from its edges', () => {
    positionMenu(menu, { x: 990, y: 790 })
    expect([menu.style.left, menu.style.top]).toEqual(['792px', '492px'])
    positionMenu(menu, { x: -20, y: -20 })
    expect([menu.style.left, menu.style.top]).toEqual(['8px', '8px'])
  })

  test('the menu ends at the point if the text runs from right to left', () => {
    document.documentElement.dir = 'rtl'
    positionMenu(menu, { x: 500, y: 50 })
    expect(menu.style.left).toBe('300px')
  })
})

describe('the menu of a button', () => {
  test('the menu is below the button, and starts where the button starts', () => {
    positionMenu(menu, elementAt({ left: 40, top: 20, width: 60, height: 30 }))
    expect([menu.style.left, menu.style.top]).toEqual(['40px', '54px'])
  })

  test('the menu ends where the button ends if there is no space after its start', () => {
    positionMenu(menu, elementAt({ left: 930, top: 20, width: 60, height: 30 }))
    expect(menu.style.left).toBe('790px')
  })

  test('the menu is above the button if there is no space below', () => {
    positionMenu(menu, elementAt({ left: 40, top: 700, width: 60, height: 30 }))
    expect(menu.style.top).toBe('396px')
  })
})

function elementAt({
  left,
  top,
  width,
  height,
}: Record<'left' | 'top' | 'width' | 'height', number>) {
  const element = document.createElement('div')
  const box = { left, top, width, height, right: left + width, bottom: top + height }
  element.getBoundingClientRect = () => Object.assign(Object.create(null), box)
  return element
}
