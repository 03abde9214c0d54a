import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { longPress } from '#ui/lib/gestures/long-press.ts'

const at = (clientX: number, clientY = 0) => ({ clientX, clientY })

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

test('a press of 500 ms is a long press @spec-4.9', () => {
  const pressed: string[] = []
  const press = longPress<string>((name) => pressed.push(name))
  press.down(at(0), 'a')
  jest.advanceTimersByTime(499)
  expect(pressed).toEqual([])
  jest.advanceTimersByTime(1)
  expect(pressed).toEqual(['a'])
  expect(press.takePressed()).toBe(true)
  expect(press.takePressed()).toBe(false)
})

test('a movement over 10 px is no long press @spec-9.3', () => {
  const pressed: string[] = []
  const press = longPress<string>((name) => pressed.push(name))
  press.down(at(0), 'near')
  press.move(at(6, 8))
  jest.advanceTimersByTime(500)
  press.down(at(0), 'far')
  press.move(at(8, 8))
  jest.advanceTimersByTime(500)
  expect(pressed).toEqual(['near'])
})

test('a shorter press is a tap', () => {
  const press = longPress<string>(() => undefined)
  press.down(at(0), 'a')
  press.cancel()
  jest.advanceTimersByTime(500)
  expect(press.takePressed()).toBe(false)
})
